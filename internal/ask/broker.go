package ask

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/permctl/permctl/internal/permission"
)

// A Config is what a broker works with.
type Config struct {
	// Judge says what the rules and approvals now in force say of a request.
	// With an error, the request is denied. It must be set.
	Judge func(ctx context.Context, r *Request) (permission.Decision, error)

	// Save keeps approvals for good, or as long as the scope says. With an
	// error, nothing is saved and the request stays pending. Its ctx ends when
	// the request does: what is not saved by then must not be. It must be set.
	Save func(ctx context.Context, r *Request, approvals []permission.Rule, scope Scope, until time.Time) error

	// Hub keeps what is pending. If nil, it is a [Memory] of its own.
	Hub Hub

	// Clock tells the time. If nil, it is [time.Now].
	Clock func() time.Time
}

// A Broker lets requests wait for replies. It is safe for concurrent use.
type Broker struct {
	config Config
	hub    Hub

	// changes counts what may have made a difference to what is pending.
	changes atomic.Int64

	mu     sync.Mutex // guards what follows
	lastID int64
	saving map[string]context.CancelCauseFunc // claims whose approvals are being saved, by id
}

// New returns a broker.
func New(config Config) *Broker {
	b := &Broker{config: config, hub: config.Hub, saving: map[string]context.CancelCauseFunc{}}
	if b.hub == nil {
		b.hub = NewMemory(0, 0)
	}
	if b.config.Clock == nil {
		b.config.Clock = time.Now
	}
	return b
}

// A Ticket is a request that waits.
type Ticket struct {
	broker  *Broker
	request *Request
	outcome <-chan Outcome
	expiry  *time.Timer

	done chan struct{} // closed when result is there
	end  Outcome
}

// Ask decides a request and, if nobody may decide it but a person, waits for
// the reply. The reply is empty if the rules allow it. The error is a
// [*DeniedError], a [*RejectedError], a [*CorrectedError], [ErrExpired],
// [ErrWithdrawn] if ctx ends before, [ErrFull], [ErrClosed], or the judge's.
func (b *Broker) Ask(ctx context.Context, r Request) (Reply, error) {
	t, err := b.Begin(ctx, r)
	if err != nil || t == nil {
		return Reply{}, err
	}
	reply, ended, err := t.Wait(ctx)
	if !ended {
		return t.Withdraw(context.WithoutCancel(ctx), ErrWithdrawn)
	}
	return reply, err
}

// Begin is Ask, and does not wait: it returns the ticket of a request that is
// pending, or nil if the rules allow it. Whoever holds the ticket withdraws it
// when nobody waits any more.
func (b *Broker) Begin(ctx context.Context, r Request) (*Ticket, error) {
	changes := b.changes.Load()
	decision, err := b.config.Judge(ctx, &r)
	if err != nil {
		return nil, err
	}
	switch decision.Action {
	case permission.Allow:
		return nil, nil
	case permission.Ask:
	default:
		return nil, denied(decision)
	}
	t, err := b.add(ctx, r)
	if err == nil && b.changes.Load() != changes {
		b.review(ctx, t.request) // what has changed meanwhile has not seen it
	}
	return t, err
}

// add makes a request pending.
func (b *Broker) add(ctx context.Context, r Request) (*Ticket, error) {
	r.Asked = b.config.Clock()
	if r.ID == "" {
		r.ID = b.newID(r.Asked)
	}
	t := &Ticket{broker: b, request: &r, done: make(chan struct{})}
	var err error
	if t.outcome, err = b.hub.Add(ctx, &r); err != nil {
		return nil, err
	}
	if !r.Deadline.IsZero() {
		background := context.WithoutCancel(ctx)
		t.expiry = time.AfterFunc(r.Deadline.Sub(r.Asked), func() {
			_, _ = t.Withdraw(background, ErrExpired) // whatever ends it first
		})
	}
	go t.receive()
	if err := b.hub.Publish(ctx, Event{Type: Asked, Data: &r}); err != nil {
		_, err := t.Withdraw(context.WithoutCancel(ctx), err)
		return nil, err
	}
	return t, nil
}

// denied returns the error for a request that a decision denies.
func denied(d permission.Decision) *DeniedError {
	e := &DeniedError{Reason: d.Reason}
	for _, request := range d.Requests {
		for _, target := range request.Targets {
			if permission.Strictest(target.Action) != permission.Deny {
				continue
			}
			e.Patterns = append(e.Patterns, target.Pattern)
			if target.Rule != nil && !slices.Contains(e.Rules, *target.Rule) {
				e.Rules = append(e.Rules, *target.Rule)
			}
		}
	}
	return e
}

// newID returns an id that is greater than those before.
func (b *Broker) newID(now time.Time) string {
	b.mu.Lock()
	b.lastID = max(b.lastID+1, now.UnixMicro())
	at := b.lastID
	b.mu.Unlock()
	return fmt.Sprintf("per_%014x%s", at, rand.Text()[:10])
}

// receive keeps the outcome for all who wait.
func (t *Ticket) receive() {
	t.end = <-t.outcome
	if t.expiry != nil {
		t.expiry.Stop()
	}
	close(t.done)
}

// Request returns what is asked.
func (t *Ticket) Request() *Request { return t.request }

// Wait waits for the outcome, and as long as ctx says. The error of a request
// that has not ended is that of ctx, and it stays pending.
func (t *Ticket) Wait(ctx context.Context) (reply Reply, ended bool, err error) {
	select {
	case <-t.done:
		return t.end.Reply, true, t.end.err()
	default:
	}
	select {
	case <-t.done:
		return t.end.Reply, true, t.end.err()
	case <-ctx.Done():
		return Reply{}, false, ctx.Err()
	}
}

// err returns what the caller of an outcome gets.
func (o Outcome) err() error {
	switch {
	case o.Err != nil:
		return o.Err
	case o.Reply.Kind == Reject && o.Reply.Message != "":
		return &CorrectedError{o.Reply.Message, o.Reply.By}
	case o.Reply.Kind == Reject:
		return &RejectedError{o.Reply.By}
	}
	return nil
}

// Withdraw ends the request with the error, unless it has ended, and returns how
// it ended. It does not wait for approvals that are being saved: they are not, or
// whoever replied is told that they are.
func (t *Ticket) Withdraw(ctx context.Context, reason error) (Reply, error) {
	const pause = 5 * time.Millisecond // while somebody else ends it
	b := t.broker
	for {
		if b.claim(ctx, t.request.ID, reason) {
			b.settle(ctx, t.request, Outcome{Err: reason})
		}
		wait, cancel := context.WithTimeout(ctx, pause)
		reply, ended, err := t.Wait(wait)
		cancel()
		switch {
		case ended:
			return reply, err
		case ctx.Err() != nil:
			return Reply{}, reason
		}
	}
}

// claim takes a request that ends with the error, also from a reply whose approvals
// are still being saved.
func (b *Broker) claim(ctx context.Context, id string, reason error) bool {
	_, err := b.hub.Claim(ctx, id)
	return err == nil || b.saved(id, reason)
}

// saved takes a claim from the saving of approvals, which ends with the error if it
// has not ended. It is false if somebody has taken it already.
func (b *Broker) saved(id string, reason error) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	cancel, ok := b.saving[id]
	if ok {
		cancel(reason)
		delete(b.saving, id)
	}
	return ok
}

// settle ends a claimed request, and tells of it.
func (b *Broker) settle(ctx context.Context, r *Request, o Outcome) {
	ctx = context.WithoutCancel(ctx) // what has begun is told to the end
	event := RepliedEvent{r.ID, r.Session, o.Reply, o.Err}
	if o.Err != nil {
		event.Reply = Reply{Kind: Reject}
	}
	// Who waits has to be let go even if nobody can be told.
	_ = b.hub.Publish(ctx, Event{Type: Replied, Data: event})
	_ = b.hub.Settle(ctx, r.ID, o)
}

// Reply answers the request of an id. The errors are an [*InvalidError],
// [ErrNotPending], an [*AnsweredError], or that of saving approvals, after which
// the request is still pending. If the request ends while they are being saved, the
// error is [ErrNotPending], and says whether they are.
func (b *Broker) Reply(ctx context.Context, id string, reply Reply) (Result, error) {
	if err := reply.Check(); err != nil {
		return Result{}, err
	}
	r, err := b.hub.Claim(ctx, id)
	if err != nil {
		return Result{}, err
	}
	if reply.Kind == Always {
		if reply, err = b.always(ctx, r, reply); err != nil {
			return Result{}, err
		}
	}
	b.settle(ctx, r, Outcome{Reply: reply})
	result := Result{Saved: reply.Offers}
	if r.Session == "" {
		return result, nil // others without a session are other agents'
	}
	others := Reply{Kind: reply.Kind, By: reply.By}
	switch reply.Kind {
	case Once: // is about this one alone
	case Reject:
		result.Rejected = b.others(ctx, r, func(*Request) bool { return true }, others)
	case Always:
		result.Released = b.others(ctx, r, func(o *Request) bool {
			d, err := b.config.Judge(ctx, o)
			return err == nil && d.Action == permission.Allow
		}, others)
	}
	return result, nil
}

// always saves the approvals of a reply to a claimed request, and returns it with
// those. With an error, the request is no longer claimed.
func (b *Broker) always(ctx context.Context, r *Request, reply Reply) (Reply, error) {
	reply, err := narrow(r, reply)
	if err != nil {
		return reply, errors.Join(err, b.hub.Release(ctx, r.ID))
	}
	saving, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	b.mu.Lock()
	b.saving[r.ID] = cancel
	b.mu.Unlock()
	err = b.config.Save(saving, r, reply.Offers, reply.Scope, reply.Until)
	b.changes.Add(1)
	switch {
	case b.saved(r.ID, nil):
		if err != nil {
			err = errors.Join(err, b.hub.Release(context.WithoutCancel(ctx), r.ID))
		}
		return reply, err
	case err != nil:
		return reply, fmt.Errorf("%w any more (%w), and nothing is saved", ErrNotPending, context.Cause(saving))
	default:
		return reply, fmt.Errorf("%w any more (%w), but the approvals are saved", ErrNotPending, context.Cause(saving))
	}
}

// narrow returns a reply of [Always] with what it saves.
func narrow(r *Request, reply Reply) (Reply, error) {
	if len(r.Offers) == 0 {
		return reply, &InvalidError{"there is no always for this request: only once or reject"}
	}
	if reply.Offers == nil {
		reply.Offers = r.Offers
	}
	for _, offer := range reply.Offers {
		if !slices.ContainsFunc(r.Offers, func(o permission.Rule) bool { return o.Permission == offer.Permission && o.Pattern == offer.Pattern }) {
			return reply, &InvalidError{fmt.Sprintf("%s %q was not offered: choose among those that were, or once", offer.Permission, offer.Pattern)}
		}
	}
	if reply.Scope == "" {
		reply.Scope = Project
	}
	return reply, nil
}

// others gives a reply to those pending requests of the session of r that are meant,
// and returns their ids.
func (b *Broker) others(ctx context.Context, r *Request, meant func(*Request) bool, reply Reply) []string {
	list, err := b.hub.List(ctx, r.Session)
	if err != nil {
		return nil
	}
	var ids []string
	for _, o := range list {
		if o.Group != r.Group || !meant(o) {
			continue
		}
		if _, err := b.hub.Claim(ctx, o.ID); err == nil {
			b.settle(ctx, o, Outcome{Reply: reply})
			ids = append(ids, o.ID)
		}
	}
	return ids
}

// Review judges again all that is pending, after rules or policies have changed:
// what they allow now passes, what they deny ends, and the rest waits on.
func (b *Broker) Review(ctx context.Context) error {
	b.changes.Add(1)
	list, err := b.hub.List(ctx, "")
	for _, r := range list {
		b.review(ctx, r)
	}
	return err
}

func (b *Broker) review(ctx context.Context, r *Request) {
	d, err := b.config.Judge(ctx, r)
	if err != nil || d.Action == permission.Ask {
		return // what cannot be judged waits for the person
	}
	if _, err := b.hub.Claim(ctx, r.ID); err != nil {
		return
	}
	o := Outcome{Reply: Reply{Kind: Once, By: ByRules}}
	if d.Action != permission.Allow {
		o = Outcome{Err: denied(d)}
	}
	b.settle(ctx, r, o)
}

// ByRules is who replied if rules that have changed did.
const ByRules = "rules"

// List returns what is pending in a session, or in all if it is empty, oldest
// first.
func (b *Broker) List(ctx context.Context, session string) ([]*Request, error) {
	return b.hub.List(ctx, session)
}

// Len returns how many requests are pending.
func (b *Broker) Len() int { return b.hub.Len() }

// Get returns a pending request, or [ErrNotPending].
func (b *Broker) Get(ctx context.Context, id string) (*Request, error) { return b.hub.Get(ctx, id) }

// Publish tells all subscribers of an event that is none of the broker's own.
func (b *Broker) Publish(ctx context.Context, e Event) error { return b.hub.Publish(ctx, e) }

// Subscribe returns what happens from now on, or after an event.
func (b *Broker) Subscribe(ctx context.Context, after uint64) (*Subscription, error) {
	return b.hub.Subscribe(ctx, after)
}

// Close ends all that is pending with [ErrClosed], and takes nothing more.
func (b *Broker) Close(ctx context.Context) error {
	b.hub.Stop()
	list, err := b.hub.List(ctx, "")
	for _, r := range list {
		if b.claim(ctx, r.ID, ErrClosed) {
			b.settle(ctx, r, Outcome{Err: ErrClosed})
		}
	}
	return errors.Join(err, b.hub.Close())
}
