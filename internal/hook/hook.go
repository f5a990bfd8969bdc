// Package hook turns an agent's payload into a tool call, and a decision into
// the answer that the agent reads.
//
// It decides nothing. Whatever goes wrong between the payload and the answer
// becomes a refusal in the agent's own dialect, and never silence.
package hook

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// An Event is what an agent reports in one payload.
type Event struct {
	// Name is the event's name as the agent spells it.
	Name string

	// Decides is whether the agent waits for a decision on Call. If false,
	// there is no call, and the answer says nothing.
	Decides bool

	Call input.Call

	agent   *Agent // whose payload it is, or nil for that of whoever decodes
	payload []byte // as it came, for an answer that has to name parts of it
}

// An Agent is a coding agent whose hooks permctl answers. It is safe for
// concurrent use.
type Agent struct {
	// Name is what people call the agent on the command line, and Aliases
	// what else it answers to.
	Name    string
	Aliases []string

	dialect dialect
	decode  func(payload []byte) (Event, error)
	answer  func(event Event, decision permission.Decision) Answer

	// prompt is answer with a prompt of the agent's own for an ask, which it
	// has, and does not get unless somebody wants it to. If nil, it has none.
	prompt func(event Event, decision permission.Decision) Answer

	// unnamed are the events that payloads may not name. If there are several, as
	// is decode for the one of them that such payloads are of.
	unnamed []string
	as      func(event string) func(payload []byte) (Event, error)

	// Patience is how long the agent waits for its hook at most, where nobody can
	// tell it to wait longer, or 0.
	Patience time.Duration

	// Project is the environment variable that has the folder of the project
	// which the agent was started in, or empty if there is none.
	Project string

	// workdirs are the fields in which its tools have the directory to work in.
	// Any other such field may be nothing but the model's word.
	workdirs []string

	// refuse is for events that could not be decoded, of which it is told what
	// can be told. If nil, exit status 2 refuses all of them.
	refuse func(event Event, reason string) Answer

	hearing

	// marks tell the agent's payloads from all others'.
	marks []mark

	// guests are the agents that run the hooks which are in this agent's
	// settings, with payloads of their own.
	guests []*Agent
}

// Agents are the agents that permctl knows.
var Agents = []*Agent{
	Claude, Codex, Gemini, Cursor, Copilot, VSCode, OpenCode, Senpi, Pi, Factory, Kiro, Windsurf, Cline, Goose, ACP,
}

// Find returns the agent with the name or alias name, or [Auto]. The error lists
// the known ones.
func Find(name string) (*Agent, error) {
	var words []string
	for _, a := range append(slices.Clone(Agents), Auto) {
		if a.Name == name || slices.Contains(a.Aliases, name) {
			return a, nil
		}
		words = append(append(words, a.Name), a.Aliases...)
	}
	return nil, fmt.Errorf("unknown agent %q%s: use %s",
		name, permission.DidYouMean(name, words...), strings.Join(words, ", "))
}

// Title returns the agent's name as its makers write it.
func (a *Agent) Title() string { return a.dialect.agent }

// OwnPrompt returns the agent with a person asked in the agent's own prompt where
// permctl would else deny. It is an error if there is no such choice.
func (a *Agent) OwnPrompt() (*Agent, error) {
	if a.prompt != nil {
		asking := *a
		asking.answer = a.prompt
		return &asking, nil
	}
	var names []string
	for _, other := range Agents {
		if other.prompt != nil {
			names = append(names, other.Name)
		}
	}
	return nil, fmt.Errorf("there is no choice of prompts for %s: an ask is the agent's own prompt if it has one, or else a deny; only %s has that choice",
		a.Name, strings.Join(names, ", "))
}

// As returns the agent with payloads that do not name their event taken for those
// of the event called name. It is an error if there is no such choice.
func (a *Agent) As(name string) (*Agent, error) {
	if slices.Contains(a.unnamed, name) {
		certain := *a
		certain.decode = a.as(name)
		return &certain, nil
	}
	if len(a.unnamed) == 0 {
		return nil, fmt.Errorf("the payloads of %s name their events themselves", a.Name)
	}
	return nil, fmt.Errorf("%q is no event of %s that a payload does not name%s: such are %s",
		name, a.Name, permission.DidYouMean(name, a.unnamed...), strings.Join(a.unnamed, " and "))
}

// Decode returns what payload reports. Fields that it does not know are left
// out, and tools that it does not know keep their names. The errors are
// [input.ErrTooLarge], [input.ErrTooDeep], or say what is wrong with the
// payload; what to answer then is what [Agent.Fail] says.
func (a *Agent) Decode(payload []byte) (Event, error) {
	speaker, err := a.speaker(payload)
	if err != nil {
		return Event{}, err
	}
	event, err := speaker.decode(payload)
	if err != nil {
		return Event{}, err
	}
	event.agent, event.payload = speaker, payload
	if event.Decides {
		event.Call.Workdirs = append([]string{}, speaker.workdirs...)
	}
	return event, nil
}

// Answer returns what tells the agent of the decision on event. An action that
// is not a known one is a deny, and an event that decides nothing gets no
// answer, whatever the decision.
func (a *Agent) Answer(event Event, decision permission.Decision) Answer {
	if !event.Decides {
		return Answer{}
	}
	decision.Action = permission.Strictest(decision.Action)
	decision.Reason = plain(decision.Reason)
	if decision.Reason == "" && decision.Action != permission.Allow {
		decision.Reason = "permctl gave no reason"
	}
	return cmp.Or(event.agent, a).answer(event, decision)
}

// Fail returns the answer that refuses the call in payload because err came
// between it and a decision. The payload may be cut off, or be no payload at
// all: if it does not tell what the event is, the answer is the one that
// refuses the most events.
func (a *Agent) Fail(payload []byte, err error) Answer {
	reason := plain("permctl could not decide, so the answer is no: " + err.Error())
	speaker, unknown := a.speaker(payload)
	if unknown != nil || speaker.refuse == nil {
		return refusal(reason)
	}
	return speaker.refuse(speaker.glimpse(payload), reason)
}

// glimpse returns what can be told of the event in a payload that may be cut off,
// or no payload at all.
func (a *Agent) glimpse(payload []byte) Event {
	return Event{Name: field(payload, a.dialect.field), payload: payload}
}
