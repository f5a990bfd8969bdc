package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/ask"
	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Times that a call may take or wait.
const (
	maxDecide   = 10 * time.Second // so that a policy without end is an error
	defaultWait = 50 * time.Second
	maxWait     = time.Hour
	maxPoll     = time.Minute
	leaseTime   = 90 * time.Second // without a poll
	graceTime   = 5 * time.Second  // after a poll that broke off
)

// maxCallBody is the size in bytes of the largest body with a call.
const maxCallBody = input.MaxCall + 1<<20

// A question is a call that is decided, and what a pending request carries.
type question struct {
	call  input.Call
	start string
	size  int // of the call, in bytes

	judgement gate.Judgement
	offers    []permission.Rule
}

// A callBody is the body of a call: an [api.AskRequest] whose call has not been
// read.
type callBody struct {
	Call   json.RawMessage `json:"call"`
	Start  string          `json:"start"`
	Config string          `json:"config"`
	Wait   int             `json:"wait"`
	Detach bool            `json:"detach"`
	Hook   bool            `json:"hook"`
}

// question reads the call of a request.
func (s *Server) question(w http.ResponseWriter, r *http.Request) (*question, callBody, error) {
	var body callBody
	if err := read(w, r, maxCallBody, &body); err != nil {
		return nil, body, err
	}
	if body.Config != "" && body.Config != s.config.Gate.Key() {
		return nil, body, &httpError{http.StatusConflict, errors.New("the daemon was started with other flags or folders, and would decide otherwise"), "decide without the daemon, or start it with the same flags"}
	}
	call, err := input.ParseCall(body.Call)
	if err != nil {
		return nil, body, badRequest(err, `a call is like {"tool": "bash", "input": {"command": "git status"}, "cwd": "/path"}`)
	}
	q := &question{call: call, start: body.Start, size: len(body.Call)}
	if body.Hook {
		s.agents.note(r.Context())
	}
	return q, body, nil
}

// judge decides a question by what is now in force.
func (s *Server) judge(ctx context.Context, q *question) (gate.Judgement, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, maxDecide, fmt.Errorf("there was no decision within %v", maxDecide))
	defer cancel()
	g := s.gate.Load().From(q.start)
	if q.call.Session == "" {
		return g.Judge(ctx, q.call)
	}
	project, err := g.Project(q.call)
	if err != nil {
		return g.Judge(ctx, q.call) // which says what is wrong
	}
	return g.Judge(ctx, q.call, s.session.rules(sessionKey{q.call.Session, project.Root()})...)
}

// rejudge is judge for what is pending.
func (s *Server) rejudge(ctx context.Context, r *ask.Request) (permission.Decision, error) {
	q, ok := r.Payload.(*question)
	if !ok {
		return permission.Decision{}, errors.New("the request has no call")
	}
	j, err := s.judge(ctx, q)
	return j.Decision, err
}

// decide decides a question that a request brings, and counts it.
func (s *Server) decide(ctx context.Context, q *question) {
	start := time.Now()
	var err error
	if q.judgement, err = s.judge(ctx, q); err == nil {
		s.watchProject(q.judgement.Project)
	}
	s.metrics.decided(q.judgement.Action, time.Since(start))
}

// check is POST /v1/check.
func (s *Server) check(w http.ResponseWriter, r *http.Request) error {
	q, body, err := s.question(w, r)
	if err != nil {
		return err
	}
	if body.Wait != 0 || body.Detach || body.Hook {
		return badRequest(errors.New("a check waits for nobody: wait, detach and hook are for an ask"), "leave them out, or use /v1/ask")
	}
	s.decide(r.Context(), q)
	d := q.judgement.Decision
	if d.Action == permission.Ask && !s.gate.Load().Interactive(q.call) {
		d = q.judgement.Nobody(r.Context())
	}
	if r.Context().Err() == nil { // else it was not decided to its end
		s.record(r.Context(), q, d, nil)
	}
	return answer(w, d)
}

// ask is POST /v1/ask.
func (s *Server) ask(w http.ResponseWriter, r *http.Request) error {
	q, body, err := s.question(w, r)
	if err != nil {
		return err
	}
	if body.Wait < 0 || body.Wait > int(maxWait/time.Second) {
		return badRequest(fmt.Errorf("wait is %d, and must be between 0 and %d seconds", body.Wait, int(maxWait.Seconds())), "")
	}
	wait := time.Duration(body.Wait) * time.Second
	if wait == 0 {
		wait = defaultWait
	}
	s.decide(r.Context(), q)
	d := q.judgement.Decision
	if d.Action != permission.Ask {
		s.record(r.Context(), q, d, nil)
		return answer(w, final(d))
	}
	if !s.gate.Load().Interactive(q.call) {
		d = q.judgement.Nobody(r.Context())
		s.record(r.Context(), q, d, nil)
		return answer(w, final(d))
	}
	if !s.config.Attended && s.listeners.Load() == 0 {
		s.record(r.Context(), q, d, nil)
		return answer(w, api.Answer{
			Status: api.Denied, Decision: d, Unattended: true,
			Reason: q.judgement.Nobody(r.Context()).Reason + "; nobody listens to the daemon: open the console or permctl inbox, or start it with --attended",
		})
	}
	t, err := s.begin(r.Context(), q, wait)
	if err != nil || t == nil {
		return s.answerEnd(r.Context(), w, q, t, ask.Reply{}, err)
	}
	if body.Detach {
		return s.detach(w, r, t, q)
	}
	reply, ended, err := t.Wait(r.Context())
	if !ended {
		reply, err = t.Withdraw(context.WithoutCancel(r.Context()), ask.ErrWithdrawn)
	}
	return s.answerEnd(r.Context(), w, q, t, reply, err)
}

// detach answers with the id to poll. A caller that has gone away meanwhile, as
// while the daemon did not answer, asks for nothing any more.
func (s *Server) detach(w http.ResponseWriter, r *http.Request, t *ask.Ticket, q *question) error {
	id := t.Request().ID
	s.tickets.keep(r.Context(), t, q)
	err := answer(w, api.Answer{ID: id, Status: api.Waiting, Decision: q.judgement.Decision})
	if http.NewResponseController(w).Flush() != nil {
		s.forget(r.Context(), id, t, q)
	}
	return err
}

// forget withdraws a request that nobody polls for any more.
func (s *Server) forget(ctx context.Context, id string, t *ask.Ticket, q *question) {
	s.tickets.drop(id)
	_, err := t.Withdraw(context.WithoutCancel(ctx), ask.ErrWithdrawn)
	s.record(ctx, q, decided(q.judgement.Decision, err), nil)
}

// begin makes a question pending.
func (s *Server) begin(ctx context.Context, q *question, wait time.Duration) (*ask.Ticket, error) {
	q.offers = q.judgement.Offers(ctx)
	return s.broker.Begin(ctx, ask.Request{
		Session: q.call.Session, Group: root(q), Offers: q.offers, Payload: q, Size: 4 * q.size, Deadline: time.Now().Add(wait), // with its document
	})
}

// final is the answer of a decision that no person made.
func final(d permission.Decision) api.Answer {
	if d.Action == permission.Allow {
		return api.Answer{Status: api.Allowed, Decision: d}
	}
	return api.Answer{Status: api.Denied, Decision: d, Reason: d.Reason}
}

// answerEnd answers with how a request has ended. Without a ticket, rules ended
// it.
func (s *Server) answerEnd(ctx context.Context, w http.ResponseWriter, q *question, t *ask.Ticket, reply ask.Reply, err error) error {
	if errors.Is(err, ask.ErrFull) {
		return err
	}
	d := decided(q.judgement.Decision, err)
	end := final(d)
	end.Unattended = errors.Is(err, ask.ErrExpired)
	if t != nil {
		end.ID = t.Request().ID
	}
	end.Reply = given(reply, err)
	s.record(ctx, q, d, end.Reply)
	return answer(w, end)
}

// decided is the decision of a request that ended so.
func decided(d permission.Decision, err error) permission.Decision {
	if err == nil {
		d.Action, d.Grant = permission.Allow, true
		d.Reason = "a person allowed it: " + d.Reason
		return d
	}
	d.Action, d.Grant, d.Reason = permission.Deny, false, err.Error()
	return d
}

// given is a reply as others are told of it, or nil if no person gave one.
func given(reply ask.Reply, err error) *api.Given {
	var corrected *ask.CorrectedError
	var rejected *ask.RejectedError
	switch {
	case errors.As(err, &corrected):
		return &api.Given{Reply: api.Reject, By: corrected.By, Message: corrected.Message}
	case errors.As(err, &rejected):
		return &api.Given{Reply: api.Reject, By: rejected.By}
	case err == nil && reply.Kind != "":
		return &api.Given{Reply: reply.Kind, By: reply.By}
	}
	return nil
}

// poll is GET /v1/ask/{id}.
func (s *Server) poll(w http.ResponseWriter, r *http.Request) error {
	wait, err := seconds(r.URL.Query().Get("wait"), maxPoll)
	if err != nil {
		return err
	}
	held, err := s.tickets.find(r.PathValue("id"))
	if err != nil {
		return err
	}
	patient(w)
	defer held.renew(r.Context())
	ctx, cancel := context.WithTimeout(r.Context(), wait)
	defer cancel()
	reply, ended, err := held.ticket.Wait(ctx)
	if !ended {
		return answer(w, api.Answer{ID: r.PathValue("id"), Status: api.Waiting, Decision: held.question.judgement.Decision})
	}
	s.tickets.drop(r.PathValue("id"))
	return s.answerEnd(r.Context(), w, held.question, held.ticket, reply, err)
}

// seconds reads a number of seconds, at most most.
func seconds(text string, most time.Duration) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > int(most/time.Second) {
		return 0, badRequest(fmt.Errorf("wait is %q, and must be between 0 and %d seconds", text, int(most.Seconds())), "")
	}
	return time.Duration(n) * time.Second, nil
}

// withdraw is DELETE /v1/ask/{id}.
func (s *Server) withdraw(w http.ResponseWriter, r *http.Request) error {
	held, err := s.tickets.find(r.PathValue("id"))
	if err != nil {
		return err
	}
	s.forget(r.Context(), r.PathValue("id"), held.ticket, held.question)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// tickets are those of requests whose callers poll.
type tickets struct {
	mu   sync.Mutex
	held map[string]*held // by the request's id; guarded by mu
}

// A held is one of them. Its request is withdrawn if nobody polls.
type held struct {
	ticket   *ask.Ticket
	question *question
	lease    *time.Timer
}

func newTickets() *tickets { return &tickets{held: map[string]*held{}} }

func (t *tickets) keep(ctx context.Context, ticket *ask.Ticket, q *question) {
	id, background := ticket.Request().ID, context.WithoutCancel(ctx)
	lease := time.AfterFunc(leaseTime, func() {
		t.drop(id)
		_, _ = ticket.Withdraw(background, ask.ErrWithdrawn) // whatever ends it first
	})
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held[id] = &held{ticket, q, lease}
}

// find returns the ticket, and holds it until it is renewed.
func (t *tickets) find(id string) (*held, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if h := t.held[id]; h != nil {
		h.lease.Reset(leaseTime + maxPoll)
		return h, nil
	}
	return nil, ask.ErrNotPending
}

// renew begins the lease anew: a short one if the caller has gone while it waited.
func (h *held) renew(ctx context.Context) {
	if ctx.Err() != nil {
		h.lease.Reset(graceTime)
		return
	}
	h.lease.Reset(leaseTime)
}

func (t *tickets) drop(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if h := t.held[id]; h != nil {
		h.lease.Stop()
		delete(t.held, id)
	}
}
