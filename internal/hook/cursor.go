package hook

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Cursor is Cursor. Its payload and its answers are those of
// cursor.com/docs/agent/hooks. It takes silence for an answer only where a hook
// may fail open, so that it is told of an allow that is no grant, too.
var Cursor = &Agent{
	Name:     "cursor",
	Project:  "CURSOR_PROJECT_DIR",
	dialect:  cursorDialect,
	decode:   decodeCursor,
	answer:   answerCursor,
	workdirs: []string{"working_directory", "cwd"},
	hearing:  hearing{reads: readsCursor, failClosed: "failClosed: true"},
	marks:    []mark{"cursor_version", "conversation_id generation_id"},
}

// The events of Cursor on which it waits for a decision.
const (
	cursorTool    = "preToolUse"
	cursorShell   = "beforeShellExecution"
	cursorMCP     = "beforeMCPExecution"
	cursorRead    = "beforeReadFile"
	cursorTabRead = "beforeTabFileRead"
	cursorPrompt  = "beforeSubmitPrompt"
	cursorAgent   = "subagentStart"
)

// cursorDialect is how Cursor names its events.
var cursorDialect = dialect{
	agent:   "Cursor",
	field:   "hook_event_name",
	tools:   []string{cursorTool, cursorShell, cursorMCP, cursorRead, cursorTabRead, cursorAgent},
	prompts: []string{cursorPrompt},
	reports: []string{"postToolUse", "postToolUseFailure", "afterShellExecution", "afterMCPExecution", "afterFileEdit", "afterTabFileEdit"},
}

// cursorMCPPrefix is what Cursor writes before the name of an MCP server's tool.
const cursorMCPPrefix = "MCP:"

// A cursorPayload is what permctl reads of Cursor's payloads.
type cursorPayload struct {
	HookEventName  string          `json:"hook_event_name"`
	ConversationID string          `json:"conversation_id"`
	WorkspaceRoots []string        `json:"workspace_roots"`
	Cwd            string          `json:"cwd"`
	ToolName       string          `json:"tool_name"`
	ToolInput      json.RawMessage `json:"tool_input"`
	Command        string          `json:"command"` // or the one that starts an MCP server
	URL            string          `json:"url"`     // of an MCP server
	FilePath       string          `json:"file_path"`
	Attachments    []struct {
		FilePath string `json:"file_path"`
	} `json:"attachments"`
	Prompt       *string `json:"prompt"`
	SubagentType string  `json:"subagent_type"`
	Task         string  `json:"task"`
}

// decodeCursor is [Agent.Decode] for Cursor. A tool's input that is there and no
// object, nor a string that holds one, is an error.
func decodeCursor(payload []byte) (Event, error) {
	var p cursorPayload
	if err := input.Decode(payload, &p); err != nil {
		return Event{}, err
	}
	return cursorDialect.event(p.HookEventName, p.ToolName+p.Command+p.FilePath != "", p.call)
}

// call returns the call of a payload that makes one.
func (p cursorPayload) call() (input.Call, error) {
	call, err := p.asked()
	call.Session, call.Cwd = p.ConversationID, p.Cwd
	if p.Cwd == "" && len(p.WorkspaceRoots) > 0 {
		call.Cwd = p.WorkspaceRoots[0]
	}
	return call, err
}

// asked returns the tool, its input and the MCP server that the event asks about.
func (p cursorPayload) asked() (input.Call, error) {
	switch p.HookEventName {
	case cursorShell:
		return p.madeUp("Shell", "command", p.Command)
	case cursorRead, cursorTabRead:
		call, err := p.madeUp("Read", "file_path", p.FilePath)
		var attached []any
		for _, file := range p.Attachments {
			attached = append(attached, file.FilePath)
		}
		if err == nil && attached != nil {
			call.Input["paths"] = attached // goes to the model with the file
		}
		return call, err
	case cursorAgent:
		call, err := p.madeUp("Task", "subagent_type", p.SubagentType)
		if err == nil {
			call.Input["prompt"] = p.Task
		}
		return call, err
	case cursorPrompt:
		if p.Prompt == nil {
			return input.Call{}, missing(cursorPrompt, "prompt")
		}
		return input.Call{Tool: promptTool, Input: map[string]any{"prompt": *p.Prompt}}, nil
	}
	return p.toolCall()
}

// madeUp returns the call of the tool that does what an event reports that names
// none, but has the field called name.
func (p cursorPayload) madeUp(tool, name, value string) (input.Call, error) {
	if value == "" {
		return input.Call{}, missing(p.HookEventName, name)
	}
	return input.Call{Tool: tool, Input: map[string]any{name: value}}, nil
}

// toolCall returns the call of an event that names a tool. That of an MCP server
// has the same name in both events, for rules that speak of it.
func (p cursorPayload) toolCall() (input.Call, error) {
	if p.ToolName == "" {
		return input.Call{}, missing(p.HookEventName, "tool_name")
	}
	args, err := arguments("tool_input", p.ToolInput)
	if err != nil {
		return input.Call{}, err
	}
	call := input.Call{Tool: p.ToolName, Input: args}
	tool, isMCP := strings.CutPrefix(p.ToolName, cursorMCPPrefix)
	if isMCP || p.HookEventName == cursorMCP {
		call.Tool = cursorMCPPrefix + tool
		call.MCP = &input.MCP{Server: cmp.Or(p.URL, p.Command), Tool: tool}
	}
	return call, nil
}

// answerCursor is [Agent.Answer] for Cursor. A person can be asked of commands
// and of MCP calls only: elsewhere, to ask is to deny.
func answerCursor(event Event, d permission.Decision) Answer {
	allowed := d.Action == permission.Allow
	if event.Name == cursorPrompt {
		return object(cursorContinue{Continue: allowed, UserMessage: unless(allowed, d.Reason)})
	}
	if d.Action == permission.Ask && event.Name != cursorShell && event.Name != cursorMCP {
		d.Action = permission.Deny
	}
	said := cursorPermission{Permission: d.Action, UserMessage: unless(allowed, d.Reason)}
	switch event.Name {
	case cursorTool, cursorShell, cursorMCP:
		said.AgentMessage = said.UserMessage
	}
	return object(said)
}

// unless returns text, or "" if it is not wanted.
func unless(unwanted bool, text string) string {
	if unwanted {
		return ""
	}
	return text
}

// A cursorPermission is the answer to all events but a prompt.
type cursorPermission struct {
	Permission   permission.Action `json:"permission"`
	UserMessage  string            `json:"user_message,omitempty"`
	AgentMessage string            `json:"agent_message,omitempty"`
}

// A cursorContinue is the answer to a person's prompt.
type cursorContinue struct {
	Continue    bool   `json:"continue"`
	UserMessage string `json:"user_message,omitempty"`
}

// readsCursor is how Cursor reads an answer. It asks a person of commands and of
// MCP calls alone. With failClosed, it takes silence for a failure too.
func readsCursor(event Event, a Answer) (Effect, bool) {
	var said struct {
		Permission string `json:"permission"`
		Continue   *bool  `json:"continue"`
	}
	switch {
	case a.Status == 2:
		return Blocked, false
	case a.Status != 0 || !a.object(&said):
		return Undecided, true
	case event.Name == cursorPrompt && said.Continue != nil && !*said.Continue:
		return Blocked, false
	case event.Name == cursorPrompt:
		return Undecided, false
	}
	effect := cmp.Or(words[said.Permission], Undecided)
	switch {
	case effect != Asks || event.Name == cursorShell || event.Name == cursorMCP:
		return effect, false
	case event.Name == cursorAgent:
		return Blocked, false
	}
	return Undecided, false
}
