package hook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Copilot is GitHub Copilot's CLI and its cloud agent. Its payload and its
// answers are those of docs.github.com/en/copilot/reference/hooks-reference.
//
// It names an event only if that is registered as PreToolUse or
// PermissionRequest. The payloads of preToolUse and permissionRequest cannot be
// told apart, and are taken for those of preToolUse unless [Agent.As] says
// otherwise: a permissionRequest then stays the person's to answer.
var Copilot = &Agent{
	Name:    "copilot",
	Aliases: []string{"copilot-cli", "github-copilot"},
	dialect: copilotDialect,
	decode:  decodeCopilot(copilotPreToolUse),
	answer:  answerCopilot,
	unnamed: []string{copilotPreToolUse, copilotPermissionRequest},
	as:      decodeCopilot,
	hearing: hearing{reads: readsCopilot, missing: Blocked},
	marks: []mark{
		"sessionId timestamp !event !hook !hookName",
		"hook_event_name session_id timestamp !transcript_path !tool_use_id !permission_mode !turn_id !cursor_version !generation_id " +
			"hook_event_name!=BeforeTool|AfterTool|BeforeAgent|AfterAgent|BeforeModel|AfterModel|BeforeToolSelection|PreCompress",
	},
}

// The events of Copilot on which it waits for a decision, where they are not
// spelled as Claude Code's.
const (
	copilotPreToolUse        = "preToolUse"
	copilotPermissionRequest = "permissionRequest"
)

// copilotDialect is how Copilot names its events.
var copilotDialect = dialect{
	agent:   "Copilot",
	field:   "hook_event_name",
	tools:   []string{preToolUse, copilotPreToolUse},
	dialogs: []string{permissionRequest, copilotPermissionRequest},
	reports: []string{"PostToolUse", "PostToolUseFailure", "postToolUse", "postToolUseFailure"},
}

// A copilotPayload is what permctl reads of Copilot's payloads, in both of their
// spellings.
type copilotPayload struct {
	HookEventName string `json:"hook_event_name"`
	Cwd           string `json:"cwd"`

	SessionID string          `json:"session_id"`
	ToolName  string          `json:"tool_name"`
	ToolInput json.RawMessage `json:"tool_input"`

	CamelSessionID string          `json:"sessionId"`
	CamelToolName  string          `json:"toolName"`
	CamelToolArgs  json.RawMessage `json:"toolArgs"`
	CamelToolInput json.RawMessage `json:"toolInput"`

	// These are there once a tool has run.
	ToolResult json.RawMessage `json:"toolResult"`
	Error      json.RawMessage `json:"error"`
}

// decodeCopilot is [Agent.Decode] for Copilot, where a payload that does not tell
// is one of the event called unnamed. A tool's input that is there and no object,
// nor a string that holds one, is an error.
func decodeCopilot(unnamed string) func(payload []byte) (Event, error) {
	return func(payload []byte) (Event, error) {
		var p copilotPayload
		if err := input.Decode(payload, &p); err != nil {
			return Event{}, err
		}
		return p.decode(unnamed)
	}
}

// decode is decodeCopilot for a payload whose fields have been read.
func (p copilotPayload) decode(unnamed string) (Event, error) {
	tool, toolErr := agreed("tool_name and toolName", p.ToolName, p.CamelToolName)
	session, sessionErr := agreed("session_id and sessionId", p.SessionID, p.CamelSessionID)
	if err := errors.Join(toolErr, sessionErr); err != nil {
		return Event{}, err
	}
	return copilotDialect.event(cmp.Or(p.event(), unnamed), tool != "", func() (input.Call, error) {
		if tool == "" {
			return input.Call{}, errors.New("the payload has neither toolName nor tool_name")
		}
		args, err := p.arguments()
		return input.Call{Tool: tool, Input: args, Cwd: p.Cwd, Session: session}, err
	})
}

// event returns the event's name, or what it must be if Copilot does not say, or
// "" if it may be several.
func (p copilotPayload) event() string {
	switch {
	case p.HookEventName != "":
		return p.HookEventName
	case there(p.ToolResult):
		return "postToolUse"
	case there(p.Error):
		return "postToolUseFailure"
	}
	return ""
}

// arguments returns the tool's input, which has three names.
func (p copilotPayload) arguments() (map[string]any, error) {
	name, value := "", json.RawMessage(nil)
	for _, f := range []struct {
		name  string
		value json.RawMessage
	}{{"toolArgs", p.CamelToolArgs}, {"toolInput", p.CamelToolInput}, {"tool_input", p.ToolInput}} {
		if !there(f.value) {
			continue
		}
		if name != "" {
			return nil, fmt.Errorf("the payload has both %s and %s", name, f.name)
		}
		name, value = f.name, f.value
	}
	return arguments(name, value)
}

// answerCopilot is [Agent.Answer] for Copilot.
func answerCopilot(event Event, d permission.Decision) Answer {
	switch {
	case d.Action == permission.Allow && !d.Grant:
		return Answer{} // Copilot's own rules and questions go on
	case strings.EqualFold(event.Name, permissionRequest):
		return copilotDialogAnswer(d)
	}
	return copilotToolAnswer(d)
}

// A copilotTool is the answer to a preToolUse event. Copilot reads it flat, and
// VS Code what stands inside.
type copilotTool struct {
	PermissionDecision       permission.Action `json:"permissionDecision"`
	PermissionDecisionReason string            `json:"permissionDecisionReason"`
	HookSpecificOutput       claudeTool        `json:"hookSpecificOutput"`
}

// copilotToolAnswer tells of d where a tool is about to run.
func copilotToolAnswer(d permission.Decision) Answer {
	return object(copilotTool{d.Action, d.Reason, claudeTool{preToolUse, d.Action, d.Reason}})
}

// copilotDialogAnswer tells of d where a person is about to be asked.
func copilotDialogAnswer(d permission.Decision) Answer {
	switch d.Action {
	case permission.Allow:
		return object(claudeBehavior{Behavior: d.Action})
	case permission.Ask:
		return Answer{} // the dialog is the question
	default:
		return object(claudeBehavior{Behavior: d.Action, Message: d.Reason})
	}
}

// readsCopilot is how Copilot reads an answer. What breaks before a tool runs
// blocks it, and the last line alone is the answer: those before may tell how far
// the hook has come.
func readsCopilot(event Event, a Answer) (Effect, bool) {
	lines := bytes.Split(bytes.TrimSpace(a.Stdout), []byte("\n"))
	a.Stdout = lines[len(lines)-1]
	dialog := strings.EqualFold(event.Name, permissionRequest)
	if a.Status == 2 || a.Status != 0 && !dialog {
		return Blocked, false
	}
	var said struct {
		PermissionDecision string `json:"permissionDecision"`
		Behavior           string `json:"behavior"`
	}
	if a.Status != 0 || !a.object(&said) {
		return Undecided, a.Status != 0 || !a.silent()
	}
	word := said.PermissionDecision
	if dialog {
		word = said.Behavior
	}
	return cmp.Or(words[word], Undecided), false
}
