package hook

import (
	"errors"
	"fmt"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Gemini is Gemini CLI. Its payload and its answers are those of its source, in
// packages/core/src/hooks.
var Gemini = &Agent{
	Name:    "gemini",
	Aliases: []string{"gemini-cli"},
	decode:  decodeGemini,
	answer:  answerGemini,
	refuse:  func(_, reason string) Answer { return refusal(reason) },
	event:   func(payload []byte) string { return field(payload, "hook_event_name") },
}

// beforeTool is the event of Gemini CLI on which it waits for a decision.
const beforeTool = "BeforeTool"

// geminiEvents are the events of Gemini CLI.
var geminiEvents = events{agent: "Gemini CLI", tools: []string{beforeTool}, reports: []string{"AfterTool"}}

// A geminiPayload is what permctl reads of Gemini CLI's payloads.
type geminiPayload struct {
	HookEventName string         `json:"hook_event_name"`
	SessionID     string         `json:"session_id"`
	Cwd           string         `json:"cwd"`
	ToolName      string         `json:"tool_name"`
	ToolInput     map[string]any `json:"tool_input"`
	MCPContext    struct {
		ServerName string `json:"server_name"`
		ToolName   string `json:"tool_name"`
	} `json:"mcp_context"`
}

// decodeGemini is [Agent.Decode] for Gemini CLI.
func decodeGemini(payload []byte) (Event, error) {
	var p geminiPayload
	if err := input.Decode(payload, &p); err != nil {
		return Event{}, err
	}
	event := Event{Name: p.HookEventName}
	switch {
	case event.Name == "":
		return Event{}, errors.New("the payload has no hook_event_name")
	case event.Name != beforeTool:
		return event, geminiEvents.unheard(event.Name, p.ToolName != "")
	case p.ToolName == "":
		return Event{}, fmt.Errorf("the %s payload has no tool_name", event.Name)
	}
	event.Decides = true
	event.Call = p.call()
	return event, nil
}

// call returns the call of a payload that has a tool. An MCP server may give its
// tool the name of one of Gemini CLI's own: where the payload says that it is the
// server's, it gets the name that Gemini CLI has for such tools.
func (p geminiPayload) call() input.Call {
	call := input.Call{Tool: p.ToolName, Input: p.ToolInput, Cwd: p.Cwd, Session: p.SessionID}
	if call.Input == nil {
		call.Input = map[string]any{}
	}
	server := p.MCPContext.ServerName
	if server == "" {
		return call
	}
	tool := p.MCPContext.ToolName
	if tool == "" {
		tool = strings.TrimPrefix(p.ToolName, "mcp_"+server+"_")
	}
	if !strings.HasPrefix(call.Tool, "mcp_") {
		call.Tool = "mcp_" + server + "_" + tool
	}
	call.MCP = &input.MCP{Server: server, Tool: tool, Arguments: call.Input}
	return call
}

// A geminiAnswer is the answer to a BeforeTool event.
type geminiAnswer struct {
	Decision permission.Action `json:"decision"`
	Reason   string            `json:"reason,omitempty"`
}

// answerGemini is [Agent.Answer] for Gemini CLI. It knows an ask, which its own
// documentation does not, and which lifts what its own policy denies: to ask is to
// deny, therefore. What is allowed, its own policy still judges.
func answerGemini(_ Event, d permission.Decision) Answer {
	switch d.Action {
	case permission.Allow:
		if !d.Grant {
			return Answer{}
		}
		d.Reason = ""
	case permission.Ask:
		d = unasked(d)
	default:
	}
	return object(geminiAnswer{d.Action, d.Reason})
}
