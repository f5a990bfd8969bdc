package hook

import (
	"errors"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Pi is pi, and senpi where permctl is its extension. They have extensions rather
// than hooks: the payload is what permctl's extension writes of its event, and the
// answer what that returns to pi. On any exit status but 0 the extension blocks the
// call. An allow is nothing, unless the payload asks for an explicit answer, as
// permctl's own extension does: a program that is broken can say nothing, too.
var Pi = &Agent{
	Name:   "pi",
	decode: decodePi,
	answer: answerPi,
	refuse: refuseStatus,
	event:  anyEvent,
}

var piEvents = dialect{
	agent:   "pi",
	field:   "hook",
	decides: []string{"tool_call"},
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
	decides, err := piEvents.heard(name, p.Event.ToolName != "" || p.Event.Input != nil || p.Input != nil)
	switch {
	case err != nil:
		return Event{}, err
	case !decides:
		return Event{Name: name}, nil
	case p.Event.ToolName == "":
		return Event{}, errors.New("the tool_call payload has no event.toolName")
	}
	event := decided(name, input.Call{
		Tool: p.Event.ToolName, Input: p.Event.Input, Cwd: p.Cwd, Session: p.Session,
	})
	event.reply = p.Explicit
	return event, nil
}

// A piBlock is whether pi refuses a call, and why.
type piBlock struct {
	Block  bool   `json:"block"`
	Reason string `json:"reason,omitempty"`
}

// answerPi is [Agent.Answer] for pi, which asks nobody.
func answerPi(event Event, d permission.Decision) Answer {
	switch {
	case d.Action == permission.Allow && event.reply == true:
		return object(piBlock{})
	case d.Action == permission.Allow:
		return Answer{}
	}
	return object(piBlock{Block: true, Reason: d.Reason})
}
