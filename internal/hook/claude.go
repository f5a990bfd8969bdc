package hook

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Claude is Claude Code. Its payload and its answers are those of
// code.claude.com/docs/en/hooks and of the types in its SDK.
var Claude = &Agent{
	Name:    "claude",
	Aliases: []string{"claude-code"},
	decode:  claudeEvents.decode,
	answer:  answerClaude,
	refuse:  refuseClaude,
	event:   hookEventName,
}

// The events of Claude Code on which it waits for a decision.
const (
	preToolUse           = "PreToolUse"
	permissionRequest    = "PermissionRequest"
	userPromptSubmit     = "UserPromptSubmit"
	preSkillShellCommand = "PreSkillShellCommand"
)

// promptTool is the tool that a person's prompt counts as a call of.
const promptTool = "prompt"

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

// claudeEvents are the events of Claude Code.
var claudeEvents = events{
	agent:   "Claude Code",
	tools:   []string{preToolUse, permissionRequest, preSkillShellCommand},
	prompts: []string{userPromptSubmit},
	reports: []string{"PostToolUse", "PostToolUseFailure", "PostToolBatch", "PermissionDenied"},
}

// decode is [Agent.Decode] for an agent whose payloads have Claude Code's form. A
// tool's input that is there and no object is an error, for no rule could judge
// what it says.
func (e events) decode(payload []byte) (Event, error) {
	var p claudePayload
	if err := input.Decode(payload, &p); err != nil {
		return Event{}, err
	}
	event := Event{Name: p.HookEventName}
	switch {
	case event.Name == "":
		return Event{}, errors.New("the payload has no hook_event_name")
	case slices.Contains(e.prompts, event.Name):
		p.ToolName, p.ToolInput = promptTool, map[string]any{"prompt": p.Prompt}
	case !slices.Contains(e.tools, event.Name):
		return event, e.unheard(event.Name, p.ToolName != "")
	case p.ToolName == "":
		return Event{}, fmt.Errorf("the %s payload has no tool_name", event.Name)
	}
	event.Decides = true
	event.Call = p.call()
	return event, nil
}

// call returns the call of a payload that has a tool.
func (p claudePayload) call() input.Call {
	call := input.Call{
		Tool:    p.ToolName,
		Input:   p.ToolInput,
		Cwd:     p.Cwd,
		Session: p.SessionID,
		Agent:   p.AgentType,
	}
	if call.Input == nil {
		call.Input = map[string]any{}
	}
	switch strings.ToLower(p.PermissionMode) {
	case "plan", "spec": // the latter is Factory Droid's
		call.Mode = "plan"
	}
	if p.MCPServer.Name != "" {
		call.MCP = &input.MCP{
			Server:    p.MCPServer.Name,
			Tool:      claudeMCPTool(p.MCPServer.Name, p.ToolName),
			Arguments: call.Input,
		}
	}
	return call
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

// refuseClaude refuses event, which is empty if nobody can tell. Exit status 2
// stops every event that can be stopped, but for PermissionRequest. One answer
// for both there is not: an object that names another event than Claude Code's
// makes it drop the whole answer, exit status and all, and go on.
func refuseClaude(event, reason string) Answer {
	if event == permissionRequest {
		return claudeDialogAnswer(permission.Decision{Action: permission.Deny, Reason: reason})
	}
	return refusal(reason)
}
