package hook

import (
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Goose is Goose. Its payload and its answers are those of the hooks page in its
// repository.
var Goose = &Agent{
	Name:    "goose",
	dialect: gooseDialect,
	decode:  decodeGoose,
	answer:  answerGoose,
	hearing: hearing{reads: readsGoose, failClosed: `on_failure: "block"`},
	marks:   []mark{"event matcher_context", "event working_dir !hook"},
}

// gooseDialect is how Goose names its events. Those before a read, an edit or a
// command come beside PreToolUse, and wait for nothing.
var gooseDialect = dialect{
	agent: "Goose",
	field: "event",
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
	return gooseDialect.event(p.Event, p.ToolName != "", p.call)
}

// call returns the call of a payload that makes one. Goose calls a tool
// EXTENSION__TOOL, and each extension but its developer's is an MCP server.
func (p goosePayload) call() (input.Call, error) {
	if p.ToolName == "" {
		return input.Call{}, missing(p.Event, "tool_name")
	}
	call := input.Call{Tool: p.ToolName, Input: p.ToolInput, Cwd: p.WorkingDir, Session: p.SessionID}
	extension, tool, ok := strings.Cut(p.ToolName, "__")
	if ok && extension != "" && tool != "" && extension != "developer" {
		call.MCP = &input.MCP{Server: extension, Tool: tool}
	}
	return call, nil
}

// A gooseAnswer is the answer to a PreToolUse event.
type gooseAnswer struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason,omitempty"`
}

// answerGoose is [Agent.Answer] for Goose, which has no way of asking.
func answerGoose(_ Event, d permission.Decision) Answer {
	switch {
	case d.Action != permission.Allow:
		return object(gooseAnswer{"block", d.Reason})
	case d.Grant:
		return object(gooseAnswer{Decision: "allow"})
	}
	return Answer{}
}

// readsGoose is how Goose reads an answer. Its own modes judge what is allowed.
func readsGoose(_ Event, a Answer) (Effect, bool) {
	var said gooseAnswer
	isObject := a.object(&said)
	switch {
	case a.Status == 2, isObject && said.Decision == "block":
		return Blocked, false
	case a.Status == 0 && (a.silent() || isObject && said.Decision == "allow"):
		return Undecided, false
	}
	return Undecided, true
}
