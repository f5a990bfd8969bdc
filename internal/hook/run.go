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

// DefaultDeadline is how long [Run] takes at most if nobody says otherwise. It
// is far below the time after which any agent gives up on a hook, for most of
// them let the call pass then.
const DefaultDeadline = 5 * time.Second

// A Decide function decides a call. With an error, the decision does not count.
type Decide func(ctx context.Context, call input.Call) (permission.Decision, error)

// Run reads the payload that agent wrote on stdin, has its call decided, and
// returns the answer. It returns within deadline, or [DefaultDeadline] if that
// is zero, and soon after ctx ends, even if stdin has no end or decide does not
// heed its context; it may then leave a goroutine behind that still waits for
// either. Whatever fails, a panic of decide too, is a refusal that says so.
func Run(ctx context.Context, agent *Agent, stdin io.Reader, decide Decide, deadline time.Duration) Answer {
	deadline = cmp.Or(deadline, DefaultDeadline)
	ctx, cancel := context.WithTimeoutCause(ctx, deadline, fmt.Errorf("there was no decision within %v", deadline))
	defer cancel()

	var payload payload
	answer := make(chan Answer, 1) // has room, so that a late answer holds up nobody
	go func() {
		defer func() {
			if r := recover(); r != nil {
				answer <- agent.Fail(payload.bytes(), fmt.Errorf("panic: %v", r))
			}
		}()
		answer <- agent.run(ctx, &payload, stdin, decide)
	}()
	select {
	case a := <-answer:
		if ctx.Err() == nil {
			return a
		}
	case <-ctx.Done():
	}
	return agent.Fail(payload.bytes(), context.Cause(ctx))
}

// run is [Run] without its guards. What it reads, it leaves in payload.
func (a *Agent) run(ctx context.Context, payload *payload, stdin io.Reader, decide Decide) Answer {
	if _, err := io.Copy(payload, io.LimitReader(stdin, input.MaxCall+1)); err != nil {
		return a.Fail(payload.bytes(), fmt.Errorf("read the payload: %w", err))
	}
	event, err := a.Decode(payload.bytes())
	if err != nil {
		return a.Fail(payload.bytes(), err)
	}
	if !event.Decides {
		return Answer{}
	}
	decision, err := decide(ctx, event.Call)
	if err != nil {
		return a.Fail(payload.bytes(), err)
	}
	return a.Answer(event, decision)
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
