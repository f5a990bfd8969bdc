package hook

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// DefaultDeadline is how long a decision takes at most if nobody says otherwise.
// It is far below the time after which any agent gives up on a hook, for most of
// them let the call pass then.
const DefaultDeadline = 5 * time.Second

// Limits are how long [Run] takes at most. A zero Deadline is [DefaultDeadline].
type Limits struct {
	Deadline time.Duration // for what rules decide
	Wait     time.Duration // for a person, after that
}

// A Verdict is what has been decided of a call.
type Verdict struct {
	permission.Decision

	// Await waits for a person who has been asked, or is nil if nobody has.
	// With an error, it is Decision that counts: an ask, which becomes the
	// agent's own prompt.
	Await func(ctx context.Context) (permission.Decision, error)
}

// A Decide function decides a call. With an error, the verdict does not count.
type Decide func(ctx context.Context, call input.Call) (Verdict, error)

// Run reads the payload that agent wrote on stdin, has its call decided, and
// returns the answer. It returns within its limits, and soon after ctx ends, even
// if stdin has no end or decide does not heed its context; it may then leave a
// goroutine behind that still waits for either. Whatever fails, a panic of decide
// too, is a refusal that says so.
func Run(ctx context.Context, agent *Agent, stdin io.Reader, decide Decide, limits Limits) Answer {
	var payload payload
	judged, err := within(ctx, cmp.Or(limits.Deadline, DefaultDeadline), "there was no decision", func(ctx context.Context) (judged, error) {
		return agent.judge(ctx, &payload, stdin, decide)
	})
	if err != nil {
		return agent.Fail(payload.bytes(), err)
	}
	d := judged.verdict.Decision
	if judged.verdict.Await != nil {
		said, err := within(ctx, limits.Wait, "nobody answered", judged.verdict.Await)
		if ctx.Err() != nil {
			return agent.Fail(payload.bytes(), context.Cause(ctx))
		}
		if err == nil {
			d = said
		}
	}
	return agent.Answer(judged.event, d)
}

// within returns what f does, or an error after a time, when ctx ends, or if f
// panics.
func within[T any](ctx context.Context, most time.Duration, missed string, f func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, most, fmt.Errorf("%s within %v", missed, most))
	defer cancel()
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1) // has room, so that a late result holds up nobody
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r.err = fmt.Errorf("panic: %v", p)
			}
			done <- r
		}()
		r.value, r.err = f(ctx)
	}()
	select {
	case r := <-done:
		if ctx.Err() == nil {
			return r.value, r.err
		}
	case <-ctx.Done():
	}
	var none T
	return none, context.Cause(ctx)
}

// A judged is an event with the verdict on its call.
type judged struct {
	event   Event
	verdict Verdict
}

// judge has the call on stdin decided. What it reads, it leaves in payload.
func (a *Agent) judge(ctx context.Context, payload *payload, stdin io.Reader, decide Decide) (judged, error) {
	if _, err := io.Copy(payload, io.LimitReader(stdin, input.MaxCall+1)); err != nil {
		return judged{}, fmt.Errorf("read the payload: %w", err)
	}
	event, err := a.Decode(payload.bytes())
	if err != nil || !event.Decides {
		return judged{event: event}, err
	}
	verdict, err := decide(ctx, event.Call)
	return judged{event, verdict}, err
}

// A payload is what has come in so far. It is safe for concurrent use.
type payload struct {
	mu   sync.Mutex // guards what follows
	text []byte
}

// Write appends b and never fails.
func (p *payload) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = append(p.text, b...)
	return len(b), nil
}

// bytes returns what has come in so far, for reading only.
func (p *payload) bytes() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text
}
