package hook

import (
	"errors"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Senpi is senpi. Its payload says most things twice, as Claude Code does and
// in names of its own; its answers are Claude Code's, but nobody is asked.
var Senpi = &Agent{
	Name:   "senpi",
	decode: decodeSenpi,
	answer: answerSenpi,
	refuse: refuseStatus,
	event:  anyEvent,
}

var senpiEvents = dialect{
	agent:   "senpi",
	field:   "event",
	decides: []string{preToolUse, userPromptSubmit},
	reports: []string{"PostToolUse"},
}

// A senpiPayload is what permctl reads of senpi's payloads.
type senpiPayload struct {
	Event          string         `json:"event"`
	HookEventName  string         `json:"hook_event_name"`
	SessionID      string         `json:"session_id"`
	SessionID2     string         `json:"sessionId"`
	Cwd            string         `json:"cwd"`
	PermissionMode string         `json:"permission_mode"`
	ToolName       string         `json:"tool_name"`
	ToolName2      string         `json:"toolName"`
	ToolInput      map[string]any `json:"tool_input"`
	ToolInput2     map[string]any `json:"toolInput"`
	Prompt         string         `json:"prompt"`
}

// decodeSenpi is [Agent.Decode] for senpi.
func decodeSenpi(payload []byte) (Event, error) {
	var p senpiPayload
	if err := input.Decode(payload, &p); err != nil {
		return Event{}, err
	}
	name, nameErr := agreed("event and hook_event_name", p.Event, p.HookEventName)
	tool, toolErr := agreed("toolName and tool_name", p.ToolName, p.ToolName2)
	given, givenErr := agreed("toolInput and tool_input", p.ToolInput, p.ToolInput2)
	session, sessionErr := agreed("sessionId and session_id", p.SessionID, p.SessionID2)
	if err := errors.Join(nameErr, toolErr, givenErr, sessionErr); err != nil {
		return Event{}, err
	}
	decides, err := senpiEvents.heard(name, tool != "" || given != nil)
	switch {
	case err != nil:
		return Event{}, err
	case !decides:
		return Event{Name: name}, nil
	case name == userPromptSubmit:
		tool, given = promptTool, map[string]any{"prompt": p.Prompt}
	case tool == "":
		return Event{}, errors.New("the PreToolUse payload has no tool_name")
	}
	return decided(name, input.Call{
		Tool: tool, Input: given, Cwd: p.Cwd, Session: session, Mode: planned(p.PermissionMode),
	}), nil
}

// answerSenpi is [Agent.Answer] for senpi. A prompt comes from a person, whom
// there is no need to ask.
func answerSenpi(event Event, d permission.Decision) Answer {
	switch {
	case d.Action == permission.Allow && !d.Grant:
		return Answer{}
	case event.Name == preToolUse:
		return claudeToolAnswer(unasked(d))
	case d.Action == permission.Deny:
		return object(claudeBlock{Decision: "block", Reason: d.Reason})
	}
	return Answer{}
}
