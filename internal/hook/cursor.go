package hook

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Cursor is Cursor. Its payload and its answers are those of
// cursor.com/docs/agent/hooks. It takes silence for an answer only where a hook
// may fail open, so that it is told of an allow that is no grant, too.
var Cursor = &Agent{
	Name:   "cursor",
	decode: decodeCursor,
	answer: answerCursor,
	refuse: refuseAny,
	event:  hookEventName,
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

// cursorWaits are those events.
var cursorWaits = []string{cursorTool, cursorShell, cursorMCP, cursorRead, cursorTabRead, cursorPrompt, cursorAgent}

// cursorReports are the events of Cursor that report a tool's call, and wait for
// nothing.
var cursorReports = []string{"postToolUse", "postToolUseFailure", "afterShellExecution", "afterMCPExecution", "afterFileEdit", "afterTabFileEdit"}

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
	Prompt         *string         `json:"prompt"`
	SubagentType   string          `json:"subagent_type"`
	Task           string          `json:"task"`
}

// decodeCursor is [Agent.Decode] for Cursor. A tool's input that is there and no
// object, nor a string that holds one, is an error.
func decodeCursor(payload []byte) (Event, error) {
	var p cursorPayload
	if err := input.Decode(payload, &p); err != nil {
		return Event{}, err
	}
	call, err := p.call()
	if err != nil {
		return Event{}, err
	}
	event := Event{Name: p.HookEventName, Decides: call.Tool != ""}
	if !event.Decides {
		return event, events{agent: "Cursor", tools: cursorWaits, reports: cursorReports}.unheard(p.HookEventName, p.ToolName+p.Command+p.FilePath != "")
	}
	event.Call = call
	event.Call.Session = p.ConversationID
	event.Call.Cwd = p.Cwd
	if p.Cwd == "" && len(p.WorkspaceRoots) > 0 {
		event.Call.Cwd = p.WorkspaceRoots[0]
	}
	return event, nil
}

// call returns the tool, its input and the MCP server that the event asks about,
// or no tool if it asks about none.
func (p cursorPayload) call() (input.Call, error) {
	switch p.HookEventName {
	case cursorTool, cursorMCP:
		return p.toolCall()
	case cursorShell:
		return p.madeUp("Shell", "command", p.Command)
	case cursorRead, cursorTabRead:
		return p.madeUp("Read", "file_path", p.FilePath)
	case cursorAgent:
		call, err := p.madeUp("Task", "subagent_type", p.SubagentType)
		if err == nil {
			call.Input["prompt"] = p.Task
		}
		return call, err
	case cursorPrompt:
		if p.Prompt == nil {
			return input.Call{}, fmt.Errorf("the %s payload has no prompt", cursorPrompt)
		}
		return input.Call{Tool: promptTool, Input: map[string]any{"prompt": *p.Prompt}}, nil
	case "":
		return input.Call{}, errors.New("the payload has no hook_event_name")
	}
	return input.Call{}, nil
}

// madeUp returns the call of the tool that does what an event reports that names
// none, but has the field called name.
func (p cursorPayload) madeUp(tool, name, value string) (input.Call, error) {
	if value == "" {
		return input.Call{}, fmt.Errorf("the %s payload has no %s", p.HookEventName, name)
	}
	return input.Call{Tool: tool, Input: map[string]any{name: value}}, nil
}

// toolCall returns the call of an event that names a tool. That of an MCP server
// has the same name in both events, for rules that speak of it.
func (p cursorPayload) toolCall() (input.Call, error) {
	if p.ToolName == "" {
		return input.Call{}, fmt.Errorf("the %s payload has no tool_name", p.HookEventName)
	}
	args, err := arguments("tool_input", p.ToolInput)
	if err != nil {
		return input.Call{}, err
	}
	call := input.Call{Tool: p.ToolName, Input: args}
	tool, isMCP := strings.CutPrefix(p.ToolName, cursorMCPPrefix)
	if isMCP || p.HookEventName == cursorMCP {
		call.Tool = cursorMCPPrefix + tool
		call.MCP = &input.MCP{Server: cmp.Or(p.URL, p.Command), Tool: tool, Arguments: args}
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
