package hook

import (
	"errors"
	"fmt"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Goose is Goose. Its payload and its answers are those of the hooks page in its
// repository.
var Goose = &Agent{
	Name:   "goose",
	decode: decodeGoose,
	answer: answerGoose,
	refuse: func(_, reason string) Answer { return refusal(reason) },
	event:  func(payload []byte) string { return field(payload, "event") },
}

// gooseEvents are the events of Goose. Those before a read, an edit or a command
// come beside PreToolUse, and wait for nothing.
var gooseEvents = events{
	agent: "Goose",
	tools: []string{preToolUse},
	reports: []string{
		"PreToolUseResult", "PostToolUse", "PostToolUseFailure",
		"BeforeReadFile", "AfterFileEdit", "BeforeShellExecution", "AfterShellExecution",
	},
}

// A goosePayload is what permctl reads of Goose's payloads.
type goosePayload struct {
	Event      string         `json:"event"`
	SessionID  string         `json:"session_id"`
	ToolName   string         `json:"tool_name"`
	ToolInput  map[string]any `json:"tool_input"`
	WorkingDir string         `json:"working_dir"`
}

// decodeGoose is [Agent.Decode] for Goose.
func decodeGoose(payload []byte) (Event, error) {
	var p goosePayload
	if err := input.Decode(payload, &p); err != nil {
		return Event{}, err
	}
	event := Event{Name: p.Event}
	switch {
	case event.Name == "":
		return Event{}, errors.New("the payload has no event")
	case event.Name != preToolUse:
		return event, gooseEvents.unheard(event.Name, p.ToolName != "")
	case p.ToolName == "":
		return Event{}, fmt.Errorf("the %s payload has no tool_name", event.Name)
	}
	event.Decides = true
	event.Call = p.call()
	return event, nil
}

// call returns the call of a payload that has a tool. Goose calls a tool
// EXTENSION__TOOL, and each extension but its developer's is an MCP server.
func (p goosePayload) call() input.Call {
	call := input.Call{Tool: p.ToolName, Input: p.ToolInput, Cwd: p.WorkingDir, Session: p.SessionID}
	if call.Input == nil {
		call.Input = map[string]any{}
	}
	extension, tool, ok := strings.Cut(p.ToolName, "__")
	if ok && extension != "" && tool != "" && extension != "developer" {
		call.MCP = &input.MCP{Server: extension, Tool: tool, Arguments: call.Input}
	}
	return call
}

// A gooseAnswer is the answer to a PreToolUse event.
type gooseAnswer struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason,omitempty"`
}

// answerGoose is [Agent.Answer] for Goose, which has no way of asking.
func answerGoose(_ Event, d permission.Decision) Answer {
	switch d.Action {
	case permission.Allow:
		if !d.Grant {
			return Answer{}
		}
		return object(gooseAnswer{Decision: "allow"})
	case permission.Ask:
		d = unasked(d)
	default:
	}
	return object(gooseAnswer{"block", d.Reason})
}
