package hook

import (
	"encoding/json"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Gemini is Gemini CLI. Its payload and its answers are those of its source, in
// packages/core/src/hooks.
var Gemini = &Agent{
	Name:     "gemini",
	Aliases:  []string{"gemini-cli"},
	Project:  "GEMINI_PROJECT_DIR",
	dialect:  geminiDialect,
	decode:   decodeGemini,
	answer:   answerGemini,
	workdirs: []string{"dir_path", "directory"},
	prompt:   promptGemini,
	hearing:  hearing{reads: readsGemini},
	marks:    []mark{"hook_event_name=BeforeTool|AfterTool|BeforeAgent|AfterAgent|BeforeModel|AfterModel|BeforeToolSelection|PreCompress timestamp"},
}

// beforeTool is the event of Gemini CLI on which it waits for a decision.
const beforeTool = "BeforeTool"

// geminiDialect is how Gemini CLI names its events.
var geminiDialect = dialect{
	agent:   "Gemini CLI",
	field:   "hook_event_name",
	tools:   []string{beforeTool},
	reports: []string{"AfterTool"},
}

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
	return geminiDialect.event(p.HookEventName, p.ToolName != "", p.call)
}

// call returns the call of a payload that makes one. An MCP server may give its
// tool the name of one of Gemini CLI's own: where the payload says that it is the
// server's, it gets the name that Gemini CLI has for such tools.
func (p geminiPayload) call() (input.Call, error) {
	if p.ToolName == "" {
		return input.Call{}, missing(p.HookEventName, "tool_name")
	}
	call := input.Call{Tool: p.ToolName, Input: p.ToolInput, Cwd: p.Cwd, Session: p.SessionID}
	server := p.MCPContext.ServerName
	if server == "" {
		return call, nil
	}
	tool := p.MCPContext.ToolName
	if tool == "" {
		tool = strings.TrimPrefix(p.ToolName, "mcp_"+server+"_")
	}
	if !strings.HasPrefix(call.Tool, "mcp_") {
		call.Tool = "mcp_" + server + "_" + tool
	}
	call.MCP = &input.MCP{Server: server, Tool: tool}
	return call, nil
}

// A geminiAnswer is the answer to a BeforeTool event.
type geminiAnswer struct {
	Decision permission.Action `json:"decision"`
	Reason   string            `json:"reason,omitempty"`
}

// answerGemini is [Agent.Answer] for Gemini CLI. It knows an ask, which its own
// documentation does not, and which lifts what its own policy denies: to ask is to
// deny, therefore. What is allowed, its own policy still judges.
func answerGemini(event Event, d permission.Decision) Answer {
	return promptGemini(event, unasked(d))
}

// promptGemini is answerGemini where an ask shall be Gemini CLI's own.
func promptGemini(_ Event, d permission.Decision) Answer {
	if d.Action == permission.Allow {
		if !d.Grant {
			return Answer{}
		}
		d.Reason = ""
	}
	return object(geminiAnswer{d.Action, d.Reason})
}

// readsGemini is how Gemini CLI reads an answer: what is JSON, on either stream
// and whatever the exit status, else the status. Its own policy judges what is
// allowed.
func readsGemini(_ Event, a Answer) (Effect, bool) {
	text := a.Stdout
	if a.silent() {
		text = []byte(a.Stderr)
	}
	var said struct {
		Continue *bool  `json:"continue"`
		Decision string `json:"decision"`
	}
	err := json.Unmarshal(text, &said)
	effect := words[said.Decision]
	switch {
	case err != nil && !json.Valid(text) && a.Status >= 2 && strings.TrimSpace(string(text)) != "":
		return Blocked, false
	case err != nil:
		return Undecided, a.Status != 0
	case said.Continue != nil && !*said.Continue, effect == Blocked:
		return Blocked, false
	case effect == Asks:
		return Asks, false
	}
	return Undecided, false
}
