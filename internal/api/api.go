// Package api is what the daemon and its clients say to each other: the bodies
// of docs/api.md, for both sides. It holds no behaviour but that of the wire.
package api

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/permctl/permctl/internal/ask"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Socket is the name of the daemon's socket in the folder of permctl's state.
const Socket = "permctl.sock"

// An Error is the body of every status of 400 and above.
type Error struct {
	Error string `json:"error"`          // what is wrong
	Hint  string `json:"hint,omitempty"` // what to do
}

// A CheckRequest is a call to decide, for POST /v1/check.
type CheckRequest struct {
	Call input.Call `json:"call"`

	// Start is the directory whose workspace counts. If empty, it is the
	// call's.
	Start string `json:"start,omitempty"`

	// Config is [Status.Config] as the client has it. If it is not the
	// daemon's, the answer is 409, for the daemon would decide otherwise.
	Config string `json:"config,omitempty"`
}

// An AskRequest is a call to decide, and to wait for a person if the answer is
// ask, for POST /v1/ask.
type AskRequest struct {
	CheckRequest

	// Wait is how many seconds to wait for, at most 3600. Zero is the daemon's
	// default of 50.
	Wait int `json:"wait,omitempty"`

	// Hook says that the caller is an agent's hook, so that no process that the
	// agent has started may answer, as far as that can be told.
	Hook bool `json:"hook,omitempty"`

	// Detach asks for an answer at once, with an id to poll if it is pending.
	Detach bool `json:"detach,omitempty"`
}

// A State is how far an asked call has come. Whatever is not [Allowed] must not
// happen, now or at all.
type State string

// The states.
const (
	Allowed State = "allowed"
	Denied  State = "denied"
	Waiting State = "pending" // nobody has answered yet
)

// An Answer is that to an [AskRequest], or to a poll. The zero value is no
// answer, and counts as [Denied].
type Answer struct {
	ID       string              `json:"id,omitempty"` // empty if nobody had to be asked
	Status   State               `json:"status"`
	Decision permission.Decision `json:"decision"`

	// Reply is what a person said, or nil if no person did.
	Reply *Given `json:"reply,omitempty"`

	// Reason says why it is denied where the decision does not: nobody
	// answered in time, or nobody could.
	Reason string `json:"reason,omitempty"`

	// Unattended is true if it is denied only as nobody is there to ask or has
	// answered in time, so that an agent with a prompt of its own can use that.
	Unattended bool `json:"unattended,omitempty"`
}

// A Word is what a person says to a request.
type Word = ask.Kind

// The words.
const (
	Once   = ask.Once   // lets this one pass
	Always = ask.Always // lets it pass, and saves offers
	Reject = ask.Reject // denies it, and what else its session waits for
)

// Words are all of them.
var Words = []Word{Once, Always, Reject}

// A Scope is where an approval holds.
type Scope = ask.Scope

// The scopes.
const (
	Session = ask.Session // for this session, in memory
	Project = ask.Project // in this project: the default
	Global  = ask.Global  // everywhere
)

// Scopes are all of them.
var Scopes = []Scope{Session, Project, Global}

// A Given is a reply that somebody gave.
type Given struct {
	Reply Word `json:"reply"`

	// By is who replied, as the daemon knows it.
	By string `json:"by"`

	// Message is what the agent is to be told of a rejection.
	Message string `json:"message,omitempty"`
}

// A Pending is a request that waits for a person: an element of GET
// /v1/pending. ID to Tool are as opencode has them, for the first of the
// permissions that have to be asked for.
type Pending struct {
	ID         string     `json:"id"` // ascending
	SessionID  string     `json:"sessionID"`
	Permission string     `json:"permission"`
	Patterns   []string   `json:"patterns"`
	Always     []string   `json:"always"`
	Metadata   input.Call `json:"metadata"`
	Tool       *ToolCall  `json:"tool,omitempty"`

	Asked time.Time `json:"asked"`

	// Deadline is when the request leaves the list, if nobody has answered.
	Deadline time.Time `json:"deadline,omitzero"`

	Workspace string              `json:"workspace"`
	Agent     string              `json:"agent"`
	Title     string              `json:"title"` // the call, as a person reads it
	Text      string              `json:"text"`  // the shell text that the commands are of, or ""
	Decision  permission.Decision `json:"decision"`
	Commands  []Command           `json:"commands"`
	Paths     []Path              `json:"paths"`

	// Offers are what an "always" saves. If there are none, there is no
	// "always" for the request.
	Offers []Offer `json:"offers"`

	// Needs are all permissions that have to be asked for: the requests of one
	// call are asked as one.
	Needs []string `json:"needs"`
}

// A ToolCall is where in an agent's conversation a call stands.
type ToolCall struct {
	MessageID string `json:"messageID"`
	CallID    string `json:"callID"`
}

// A Command is a simple command of the call's shell text.
type Command struct {
	Text string `json:"text"` // its words, unquoted and joined by one space

	// Asks is true if the command, or a file that it names, is a reason to ask.
	Asks bool `json:"asks"`

	// Start and End are the command's bytes in the text, in UTF-8.
	Start int `json:"start"`
	End   int `json:"end"`

	Prefix   string   `json:"prefix"` // the words that make its name, such as "git push"
	Dir      string   `json:"dir"`    // the directory in force, or "" for where the call starts
	Effects  []string `json:"effects"`
	Hazards  []Hazard `json:"hazards"`
	Files    []File   `json:"files"`
	Wrappers []string `json:"wrappers"` // the commands that it was found in, the outermost first
	Unparsed string   `json:"unparsed"` // why it cannot be analysed, or ""
}

// A Hazard is what makes a narrow grant for a command say more than its author
// meant.
type Hazard struct {
	Kind   string `json:"kind"`
	Word   string `json:"word"`   // the word that it is about
	Reason string `json:"reason"` // what it does, as a phrase: "runs a program"
}

// A File is one that a command names.
type File struct {
	Path    string `json:"path"`
	Effect  string `json:"effect"`            // read, write or delete
	Dynamic bool   `json:"dynamic,omitempty"` // only run time knows the path
}

// A Path is one that the call touches.
type Path struct {
	Path   string       `json:"path"`
	Access input.Access `json:"access"`
	Inside bool         `json:"inside"` // in the workspace
}

// An Offer is an approval that an "always" would save.
type Offer struct {
	Permission string   `json:"permission"`
	Pattern    string   `json:"pattern"`
	Examples   []string `json:"examples,omitempty"` // what it would match
}

// Same reports whether two offers are the same approval.
func (o Offer) Same(other Offer) bool {
	return o.Permission == other.Permission && o.Pattern == other.Pattern
}

// A Preview is what an approval would match.
type Preview struct {
	Examples []string `json:"examples"`

	// Past are recorded calls, newest first, that were asked for or allowed
	// and that the approval would have covered. Denied are those that were
	// denied, and that it would not have allowed where a rule denies.
	Past   []Record `json:"past"`
	Denied []Record `json:"denied"`
}

// A Reply answers a request, for POST /v1/pending/{id}/reply.
type Reply struct {
	Reply   Word   `json:"reply"`
	Message string `json:"message,omitempty"` // for a rejection: feedback for the agent

	// Scope is where an "always" holds. If empty, it is [Project].
	Scope Scope `json:"scope,omitempty"`

	// For is how long it holds. Zero is for good.
	For Duration `json:"for,omitzero"`

	// Offers narrow an "always" to some of those offered. If there are none,
	// all are saved.
	Offers []Offer `json:"offers,omitempty"`

	// By is what the front end calls itself.
	By string `json:"by,omitempty"`
}

// A Duration is written as Go writes one: "24h0m0s".
type Duration time.Duration

// MarshalText returns the duration as Go writes it.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads a duration as Go writes it. An empty text is zero.
func (d *Duration) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*d = 0
		return nil
	}
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is no duration like 24h", text)
	}
	*d = Duration(parsed)
	return nil
}

// A Replied is the answer to a [Reply].
type Replied struct {
	ID       string   `json:"id"`
	Reply    Word     `json:"reply"`
	Saved    []Offer  `json:"saved"`    // the approvals that were saved
	Released []string `json:"released"` // other requests that pass now
	Rejected []string `json:"rejected"` // other requests that were rejected with it
}

// The kinds of events.
const (
	EventAsked    = "permission.asked"   // a [Pending]
	EventReplied  = "permission.replied" // an [Outcome]
	EventDecision = "decision"           // a [Record]
	EventStatus   = "status"             // a [Status], after a reload
	EventReset    = "reset"              // events were missed: the lists have to be read again
)

// An Event is one of GET /v1/events.
type Event struct {
	ID   string          `json:"id"`
	Kind string          `json:"event"`
	Data json.RawMessage `json:"data"`
}

// An Outcome is the data of [EventReplied]: how a request has left the list.
type Outcome struct {
	RequestID string `json:"requestID"`
	SessionID string `json:"sessionID"`
	Reply     Word   `json:"reply"`
	By        string `json:"by"`
	Message   string `json:"message,omitempty"`
}

// A Record is a decision that was made.
type Record struct {
	ID        int64             `json:"id"` // ascending
	Time      time.Time         `json:"time"`
	Session   string            `json:"session"`
	Agent     string            `json:"agent"`
	Workspace string            `json:"workspace"`
	Tool      string            `json:"tool"`
	Title     string            `json:"title"`
	Action    permission.Action `json:"action"`
	Reason    string            `json:"reason"`
	Reply     *Given            `json:"reply,omitempty"` // nil if no person was asked
	Revision  string            `json:"revision"`
}

// A RecordQuery chooses records. The zero value is the latest ones.
type RecordQuery struct {
	Limit  int               // at most so many; zero is the daemon's default
	Before int64             // only those with a lower id, if not zero
	Action permission.Action // only those, if not empty
	Text   string            // only those that have it, if not empty
}

// An Approval is a rule that a person's "always" has saved.
type Approval struct {
	Permission string    `json:"permission"`
	Pattern    string    `json:"pattern"`
	Scope      Scope     `json:"scope"`
	Session    string    `json:"session,omitempty"`
	Expires    time.Time `json:"expires,omitzero"` // zero is never
	Source     string    `json:"source,omitempty"`
}

// A Revocation names an approval to revoke.
type Revocation struct {
	Permission string `json:"permission"`
	Pattern    string `json:"pattern"`
	Scope      Scope  `json:"scope"`
	Start      string `json:"start,omitempty"`   // a directory of the project, for [Project]
	Session    string `json:"session,omitempty"` // for [Session]
}

// A Status is how the daemon fares.
type Status struct {
	Version   string    `json:"version"`
	PID       int       `json:"pid"`
	Started   time.Time `json:"started"`
	Socket    string    `json:"socket"`
	Address   string    `json:"address"` // of the loopback port, or ""
	Pending   int       `json:"pending"`
	Listeners int       `json:"listeners"` // that count as a person who can answer
	Attended  bool      `json:"attended"`  // whether it was started so
	Reloads   int       `json:"reloads"`
	Problem   string    `json:"problem"` // with the last change, or "" if that is in force

	// Config is a hash of the flags and folders that the daemon decides by. A
	// client with others decides on its own.
	Config string `json:"config"`

	// Console is the console's address with the token, for the socket's clients
	// that ask for it.
	Console string `json:"console,omitempty"`
}
