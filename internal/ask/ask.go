// Package ask carries a question to a person and the reply back: a call that
// nobody may decide but a person waits here until somebody does.
//
// A [Broker] holds the rules of it: who waits, who may answer what, and what a
// reply does to others. What is pending and who hears of it is kept by a [Hub],
// so that brokers of several machines can share one. Whatever goes wrong ends a
// request with an error, and never lets it pass.
package ask

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/permission"
)

// A Request is a call that waits for a person. Several permissions of one call
// are asked for as one. It does not change once it is pending.
type Request struct {
	// ID names the request: "per_" and what makes later ones greater. If empty,
	// the broker gives it one.
	ID string

	// Session is that of the agent: a reject ends all that is pending in it. Group
	// tells sessions of the same name apart, such as those of other workspaces.
	Session, Group string

	// Offers are the rules that a reply of [Always] saves, in the order in which
	// they are shown. Without any there is no such reply.
	Offers []permission.Rule

	// Payload is what front ends show and what the judge looks at. The broker
	// does not.
	Payload any

	// Size is about how many bytes the request holds on to.
	Size int

	// Asked is when the request became pending, and Deadline when it ends
	// unanswered. The broker sets Asked; without a deadline, it is the caller
	// that ends it.
	Asked, Deadline time.Time
}

// A Kind is what a person says.
type Kind string

// The kinds of replies, as senpi and opencode have them.
const (
	Once   Kind = "once"   // this request may pass
	Always Kind = "always" // and what the offers match from now on
	Reject Kind = "reject" // it may not, nor what else the session waits for
)

// A Scope is how far an approval reaches.
type Scope string

// The scopes of approvals.
const (
	Session Scope = "session" // as long as the daemon runs, for the one session
	Project Scope = "project" // for good, in the workspace
	Global  Scope = "global"  // for good, in all workspaces
)

// A Reply is a person's answer.
type Reply struct {
	Kind Kind

	// Message is feedback for the agent. Only a [Reject] has one.
	Message string

	// Offers narrow an [Always] to some of what was offered. Nil is all of it.
	Offers []permission.Rule

	// Scope is that of an [Always]; empty is [Project]. Until is when its
	// approvals end, or zero for never.
	Scope Scope
	Until time.Time

	// By is who replied, as other people are told.
	By string
}

// Check returns an error if the reply cannot be one, whatever the request.
func (r Reply) Check() error {
	switch r.Kind {
	case Once, Always, Reject:
	default:
		return &InvalidError{fmt.Sprintf("the reply %q is none: use once, always or reject", r.Kind)}
	}
	switch r.Scope {
	case "", Session, Project, Global:
	default:
		return &InvalidError{fmt.Sprintf("the scope %q is none: use session, project or global", r.Scope)}
	}
	switch {
	case r.Kind != Reject && r.Message != "":
		return &InvalidError{"only a reject has a message"}
	case r.Kind != Always && (r.Scope != "" || r.Offers != nil || !r.Until.IsZero()):
		return &InvalidError{"only an always has a scope, a time or patterns"}
	case len(r.Message) > maxMessage:
		return &InvalidError{fmt.Sprintf("the message is longer than %d KiB", maxMessage>>10)}
	case r.Offers != nil && len(r.Offers) == 0:
		return &InvalidError{"an always of no pattern saves nothing: choose once, or leave the patterns out"}
	}
	return nil
}

// maxMessage is the length in bytes of the longest feedback.
const maxMessage = 16 << 10

// A Result is what a reply did.
type Result struct {
	Saved    []permission.Rule // approvals that were saved
	Released []string          // ids of other requests that pass now
	Rejected []string          // ids of others that were rejected with this one
}

// Errors of requests and replies.
var (
	// ErrNotPending reports a reply to a request that is not, or no longer, known.
	ErrNotPending = errors.New("no such request is pending")

	// ErrFull reports that too much is pending to add to it.
	ErrFull = errors.New("too many requests wait for a person already")

	// ErrExpired ends a request that nobody answered in time.
	ErrExpired = errors.New("nobody answered in time")

	// ErrWithdrawn ends a request whose caller went away.
	ErrWithdrawn = errors.New("whoever asked has gone away")

	// ErrClosed ends what is pending when the broker stops.
	ErrClosed = errors.New("permctl is stopping, so that nobody can answer")
)

// An InvalidError reports a reply that the request does not allow.
type InvalidError struct{ reason string }

func (e *InvalidError) Error() string { return e.reason }

// An AnsweredError reports a reply to a request that somebody was faster with.
type AnsweredError struct {
	Kind Kind
	By   string
}

func (e *AnsweredError) Error() string {
	switch {
	case e.Kind == "":
		return "somebody is answering the request at the moment"
	case e.By == "":
		return fmt.Sprintf("the request has been answered already, with %s", e.Kind)
	}
	return fmt.Sprintf("the request has been answered already, with %s by %s", e.Kind, e.By)
}

// A RejectedError ends a request that a person rejected.
type RejectedError struct{ By string }

func (*RejectedError) Error() string {
	return "a person rejected this call: do not try it again, nor something else to the same effect"
}

// A CorrectedError ends a request that a person rejected with feedback.
type CorrectedError struct {
	Message string
	By      string
}

func (e *CorrectedError) Error() string {
	return "a person rejected this call, and says: " + e.Message
}

// A DeniedError reports a request that rules deny, so that nobody is asked.
type DeniedError struct {
	Patterns []string          // those that are denied, and no others
	Rules    []permission.Rule // by which they are
	Reason   string            // what the decision says, or empty
}

func (e *DeniedError) Error() string {
	if e.Reason != "" {
		return e.Reason
	}
	var by []string
	for _, r := range e.Rules {
		by = append(by, fmt.Sprintf("%s %q: %s (%s)", r.Permission, r.Pattern, r.Action, r.Source))
	}
	return fmt.Sprintf("rules deny %s: %s", strings.Join(e.Patterns, ", "), strings.Join(by, ", "))
}
