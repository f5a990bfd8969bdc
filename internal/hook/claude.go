package hook

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Claude is Claude Code. Its payload and its answers are those of
// code.claude.com/docs/en/hooks and of the types in its SDK.
var Claude = &Agent{
	Name:    "claude",
	Aliases: []string{"claude-code"},
	Project: "CLAUDE_PROJECT_DIR",
	dialect: claudeDialect,
	decode:  claudeDialect.decodeClaude,
	answer:  answerClaude,
	refuse:  refuseClaude,
	hearing: hearing{reads: readsClaude, failClosed: `onFailure: "block"`},
	marks: []mark{
		"hook_event_name session_id transcript_path permission_mode!=off|spec|auto-low|auto-medium|auto-high " +
			"!timestamp !turn_id !cursor_version !generation_id !event",
	},
	guests: []*Agent{Cursor, Copilot, VSCode, Gemini}, // the last one has a command that takes hooks over
}

// claudeDialect is how Claude Code names its events.
var claudeDialect = dialect{
	agent:   "Claude Code",
	field:   "hook_event_name",
	tools:   []string{preToolUse, preSkillShellCommand},
	dialogs: []string{permissionRequest},
	prompts: []string{userPromptSubmit},
	reports: []string{"PostToolUse", "PostToolUseFailure", "PostToolBatch", "PermissionDenied"},
}

// A claudePayload is what permctl reads of Claude Code's payloads.
type claudePayload struct {
	HookEventName  string         `json:"hook_event_name"`
	SessionID      string         `json:"session_id"`
	Cwd            string         `json:"cwd"`
	PermissionMode string         `json:"permission_mode"`
	AgentType      string         `json:"agent_type"`
	ToolName       string         `json:"tool_name"`
	ToolInput      map[string]any `json:"tool_input"`
	Prompt         string         `json:"prompt"`
	MCPServer      struct {
		Name string `json:"name"`
	} `json:"mcp_server"`
}

// decodeClaude is [Agent.Decode] for an agent whose payloads have Claude Code's
// form. A tool's input that is there and no object is an error, and so is a
// command that is no text, for no rule could judge what they say.
func (d dialect) decodeClaude(payload []byte) (Event, error) {
	var p claudePayload
	if err := input.Decode(payload, &p); err != nil {
		return Event{}, err
	}
	return d.event(p.HookEventName, p.ToolName != "", p.call)
}

// call returns the call of a payload that makes one.
func (p claudePayload) call() (input.Call, error) {
	call := input.Call{
		Tool:    p.ToolName,
		Input:   p.ToolInput,
		Cwd:     p.Cwd,
		Session: p.SessionID,
		Agent:   p.AgentType,
		Mode:    p.PermissionMode,
	}
	switch {
	case p.HookEventName == userPromptSubmit:
		call.Tool, call.Input = promptTool, map[string]any{"prompt": p.Prompt}
	case p.ToolName == "":
		return input.Call{}, missing(p.HookEventName, "tool_name")
	case input.PermissionOf(p.ToolName) == "bash" && !isText(p.ToolInput["command"]):
		return input.Call{}, fmt.Errorf("the %s payload's tool_input.command is no text", p.HookEventName)
	case p.MCPServer.Name != "":
		call.MCP = &input.MCP{Server: p.MCPServer.Name, Tool: claudeMCPTool(p.MCPServer.Name, p.ToolName)}
	}
	return call, nil
}

// claudeMCPTool returns the name that the MCP server gives the tool that Claude
// Code calls name, or name itself if it is not of the form mcp__SERVER__TOOL.
// In it, Claude Code writes _ for each character of the server's name that is
// not a letter of ASCII, a digit, _ or -, and for some servers one _ for a run.
func claudeMCPTool(server, name string) string {
	written := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-':
			return r
		}
		return '_'
	}, server)
	single := strings.Join(strings.FieldsFunc(written, func(r rune) bool { return r == '_' }), "_")
	for _, s := range []string{server, written, single} {
		if tool, ok := strings.CutPrefix(name, "mcp__"+s+"__"); ok && tool != "" {
			return tool
		}
	}
	return name
}

// answerClaude is [Agent.Answer] for Claude Code.
func answerClaude(event Event, d permission.Decision) Answer {
	if d.Action == permission.Allow && !d.Grant {
		return Answer{} // Claude Code's own rules and questions go on
	}
	switch event.Name {
	case preToolUse:
		return claudeToolAnswer(d)
	case permissionRequest:
		return claudeDialogAnswer(d)
	case userPromptSubmit:
		if d.Action == permission.Deny {
			return object(claudeBlock{Decision: "block", Reason: d.Reason})
		}
		return Answer{}
	}
	return claudeSkillAnswer(d)
}

// A claudeOutput is an answer of Claude Code's dialect for one event.
type claudeOutput[T any] struct {
	HookSpecificOutput T `json:"hookSpecificOutput"`
}

// A claudeTool is the answer to a PreToolUse event.
type claudeTool struct {
	HookEventName            string            `json:"hookEventName"`
	PermissionDecision       permission.Action `json:"permissionDecision"`
	PermissionDecisionReason string            `json:"permissionDecisionReason"`
}

// A claudeDialog is the answer to a PermissionRequest event.
type claudeDialog struct {
	HookEventName string         `json:"hookEventName"`
	Decision      claudeBehavior `json:"decision"`
}

// A claudeBehavior is the button that a PermissionRequest's answer presses.
type claudeBehavior struct {
	Behavior permission.Action `json:"behavior"`
	Message  string            `json:"message,omitempty"`
}

// A claudeBlock is the answer that keeps a prompt from the model.
type claudeBlock struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
}

// claudeToolAnswer tells of d where a tool is about to run.
func claudeToolAnswer(d permission.Decision) Answer {
	return object(claudeOutput[claudeTool]{claudeTool{preToolUse, d.Action, d.Reason}})
}

// claudeDialogAnswer tells of d where a person is about to be asked.
func claudeDialogAnswer(d permission.Decision) Answer {
	behavior := claudeBehavior{Behavior: d.Action}
	switch d.Action {
	case permission.Allow:
	case permission.Ask:
		return Answer{} // the dialog is the question
	default:
		behavior.Message = d.Reason
	}
	return object(claudeOutput[claudeDialog]{claudeDialog{permissionRequest, behavior}})
}

// claudeSkillAnswer tells of d where a skill's shell line is about to run. That
// event has no documented answer but the exit status, and no dialog.
func claudeSkillAnswer(d permission.Decision) Answer {
	switch d.Action {
	case permission.Allow:
		return Answer{}
	case permission.Ask:
		return refusal(d.Reason + "\nNobody can be asked here: a person has to run the command, or write a rule that allows it.")
	default:
		return refusal(d.Reason)
	}
}

// refuseClaude refuses event, whose name is empty if nobody can tell. Exit status
// 2 stops every event that can be stopped, but for PermissionRequest. One answer
// for both there is not: an object that names another event than Claude Code's
// makes it drop the whole answer, exit status and all, and go on.
func refuseClaude(event Event, reason string) Answer {
	if event.Name == permissionRequest {
		return claudeDialogAnswer(permission.Decision{Action: permission.Deny, Reason: reason})
	}
	return refusal(reason)
}

// A claudeSaid is what Claude Code reads of an answer, and those who have its
// dialect.
type claudeSaid struct {
	Continue *bool       `json:"continue"`
	Decision string      `json:"decision"`
	Reason   string      `json:"reason"`
	Hook     *claudeHook `json:"hookSpecificOutput"`
}

// A claudeHook is the part of an answer that is for one event.
type claudeHook struct {
	HookEventName            string `json:"hookEventName"`
	PermissionDecision       string `json:"permissionDecision"`
	PermissionDecisionReason string `json:"permissionDecisionReason"`
	Decision                 struct {
		Behavior string `json:"behavior"`
	} `json:"decision"`
}

// effect returns what the answer does to event. It is broken if it names another
// event, or says what does not exist.
func (s claudeSaid) effect(event Event) (effect Effect, broken bool) {
	hook := cmp.Or(s.Hook, &claudeHook{HookEventName: event.Name})
	word := cmp.Or(hook.PermissionDecision, s.Decision)
	if event.Name == permissionRequest {
		word = hook.Decision.Behavior
	}
	effect, known := words[word]
	switch {
	case hook.HookEventName != event.Name:
		return Undecided, true
	case s.Continue != nil && !*s.Continue:
		return Blocked, false
	case !known:
		return Undecided, word != ""
	}
	return effect, false
}

// readsClaude is how Claude Code reads an answer. An object on standard output
// counts on every exit status, and status 2 is a no, but in a dialog. What does not
// both begin and end as an object is text to it, and no failure.
func readsClaude(event Event, a Answer) (Effect, bool) {
	var said claudeSaid
	isObject := a.object(&said)
	effect, broken := said.effect(event)
	switch {
	case isObject && said.Hook != nil && said.Hook.HookEventName != event.Name:
		return Undecided, true // dropped, exit status and all
	case a.Status == 2 && event.Name != permissionRequest:
		return Blocked, false
	case !isObject || event.Name == preSkillShellCommand: // no object is documented for that
		said := bytes.TrimSpace(a.Stdout)
		meant := bytes.HasPrefix(said, []byte("{")) && bytes.HasSuffix(said, []byte("}"))
		return Undecided, a.Status != 0 || !isObject && meant
	}
	return effect, broken || a.Status != 0
}

// readsClaudeLike is how agents read that have Claude Code's dialect: status 2 is
// a no, and an object counts on exit status 0.
func readsClaudeLike(event Event, a Answer) (Effect, bool) {
	var said claudeSaid
	switch {
	case a.Status == 2:
		return Blocked, false
	case a.Status != 0 || !a.object(&said):
		return Undecided, a.Status != 0 || !a.silent()
	}
	return said.effect(event)
}
