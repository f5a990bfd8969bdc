package hook

import (
	"errors"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Senpi is senpi. Its payload says most things twice, as Claude Code does and
// in names of its own; its answers are Claude Code's, but nobody is asked.
var Senpi = &Agent{
	Name:    "senpi",
	dialect: senpiDialect,
	decode:  decodeSenpi,
	answer:  answerSenpi,
	hearing: hearing{reads: readsSenpi},
	marks:   []mark{"event session_id !hook !matcher_context !working_dir !tool_call_id"},
}

// senpiDialect is how senpi names its events.
var senpiDialect = dialect{
	agent:   "senpi",
	field:   "event",
	tools:   []string{preToolUse},
	prompts: []string{userPromptSubmit},
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
	return senpiDialect.event(name, tool != "" || given != nil, func() (input.Call, error) {
		switch {
		case name == userPromptSubmit:
			tool, given = promptTool, map[string]any{"prompt": p.Prompt}
		case tool == "":
			return input.Call{}, missing(name, "tool_name")
		}
		return input.Call{Tool: tool, Input: given, Cwd: p.Cwd, Session: session, Mode: p.PermissionMode}, nil
	})
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

// readsSenpi is how senpi reads an answer, on every exit status. An ask is a no.
func readsSenpi(event Event, a Answer) (Effect, bool) {
	var said claudeSaid
	switch {
	case a.Status == 2:
		return Blocked, false
	case !a.object(&said):
		return Undecided, a.Status != 0 || !a.silent()
	}
	effect, broken := said.effect(event)
	if effect == Asks {
		effect = Blocked
	}
	return effect, broken
}
