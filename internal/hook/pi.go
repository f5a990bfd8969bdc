package hook

import (
	"encoding/json"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Pi is pi, and senpi where permctl is its extension. They have extensions rather
// than hooks: the payload is what permctl's extension writes of its event, and the
// answer what that returns to pi. On any exit status but 0 the extension blocks the
// call. An allow is nothing, unless the payload asks for an explicit answer, as
// permctl's own extension does: a program that is broken can say nothing, too.
var Pi = &Agent{
	Name:    "pi",
	dialect: piDialect,
	decode:  decodePi,
	answer:  answerPi,
	hearing: hearing{reads: readsPi, missing: Blocked, late: Blocked},
	marks:   []mark{"hook event"},
}

// piDialect is how the extension names its events.
var piDialect = dialect{
	agent:   "pi",
	field:   "hook",
	tools:   []string{"tool_call"},
	reports: []string{"tool_result"},
}

// A piPayload is what permctl reads of the extension's payloads.
type piPayload struct {
	Hook  string `json:"hook"`
	Event struct {
		Type     string         `json:"type"`
		ToolName string         `json:"toolName"`
		Input    map[string]any `json:"input"`
	} `json:"event"`
	Input   any    `json:"input"` // none of pi's: that is another agent's call
	Cwd     string `json:"cwd"`
	Session string `json:"session"`

	Explicit bool `json:"explicit"`
}

// decodePi is [Agent.Decode] for pi.
func decodePi(payload []byte) (Event, error) {
	var p piPayload
	if err := input.Decode(payload, &p); err != nil {
		return Event{}, err
	}
	name, err := agreed("hook and event.type", p.Hook, p.Event.Type)
	if err != nil {
		return Event{}, err
	}
	calls := p.Event.ToolName != "" || p.Event.Input != nil || p.Input != nil
	return piDialect.event(name, calls, p.call)
}

// call returns the call of a payload that makes one.
func (p piPayload) call() (input.Call, error) {
	if p.Event.ToolName == "" {
		return input.Call{}, missing("tool_call", "event.toolName")
	}
	return input.Call{Tool: p.Event.ToolName, Input: p.Event.Input, Cwd: p.Cwd, Session: p.Session}, nil
}

// A piBlock is whether pi refuses a call, and why.
type piBlock struct {
	Block  bool   `json:"block"`
	Reason string `json:"reason,omitempty"`
}

// answerPi is [Agent.Answer] for pi, which asks nobody.
func answerPi(event Event, d permission.Decision) Answer {
	switch {
	case d.Action != permission.Allow:
		return object(piBlock{Block: true, Reason: d.Reason})
	case explicit(event):
		return object(piBlock{})
	}
	return Answer{}
}

// explicit reports whether the payload of an event wants an answer to an allow.
func explicit(event Event) bool {
	var p piPayload
	return json.Unmarshal(event.payload, &p) == nil && p.Explicit
}

// readsPi is how the extension reads: silence lets the call pass, and if it wants
// an answer to an allow, only that does.
func readsPi(event Event, a Answer) (Effect, bool) {
	if explicit(event) {
		return readsPlugin(saysAllow)(event, a)
	}
	return readsPlugin(saysPi)(event, a)
}

// saysPi and saysAllow return what the extension makes of an answer.
func saysPi(a Answer) Effect {
	if a.silent() {
		return Undecided
	}
	return Blocked
}

func saysAllow(a Answer) Effect {
	var said struct {
		Block *bool `json:"block"`
	}
	if a.object(&said) && said.Block != nil && !*said.Block {
		return Undecided
	}
	return Blocked
}
