package hook

import (
	"errors"
	"strings"

	"github.com/permctl/permctl/internal/input"
)

// Kiro is Kiro, and Amazon Q Developer's command line, which it came from. It
// heeds the exit status alone.
var Kiro = &Agent{
	Name:    "kiro",
	Aliases: []string{"amazon-q"},
	dialect: kiroDialect,
	decode:  decodeKiro,
	answer:  answerStatus,
	hearing: hearing{reads: readsStatus},
	marks: []mark{
		"hook_event_name=agentSpawn|userPromptSubmit|preToolUse|postToolUse|stop cwd !timestamp !generation_id !cursor_version",
		"hook_event_name cwd !transcript_path !timestamp !turn_id !permission_mode !generation_id !cursor_version !event", // since version 3
	},
}

// kiroDialect is how Kiro names its events.
var kiroDialect = dialect{
	agent:   "Kiro",
	field:   "hook_event_name",
	tools:   []string{"preToolUse", preToolUse}, // up to version 2, and since
	reports: []string{"postToolUse", "PostToolUse"},
}

// A kiroPayload is what permctl reads of Kiro's payloads. Nobody has written
// down yet which names version 3 has for the tool and its input.
type kiroPayload struct {
	HookEventName string         `json:"hook_event_name"`
	SessionID     string         `json:"session_id"`
	Cwd           string         `json:"cwd"`
	ToolName      string         `json:"tool_name"`
	ToolName2     string         `json:"toolName"`
	ToolInput     map[string]any `json:"tool_input"`
	ToolInput2    map[string]any `json:"toolInput"`
	ToolArgs      map[string]any `json:"toolArgs"`
}

// decodeKiro is [Agent.Decode] for Kiro.
func decodeKiro(payload []byte) (Event, error) {
	var p kiroPayload
	if err := input.Decode(payload, &p); err != nil {
		return Event{}, err
	}
	tool, toolErr := agreed("tool_name and toolName", p.ToolName, p.ToolName2)
	given, givenErr := agreed("tool_input, toolInput and toolArgs", p.ToolInput, p.ToolInput2, p.ToolArgs)
	if err := errors.Join(toolErr, givenErr); err != nil {
		return Event{}, err
	}
	return kiroDialect.event(p.HookEventName, tool != "" || given != nil, func() (input.Call, error) {
		if tool == "" {
			return input.Call{}, missing(p.HookEventName, "tool_name")
		}
		call := input.Call{Tool: tool, Input: given, Cwd: p.Cwd, Session: p.SessionID}
		if call.MCP = kiroMCP(tool); call.MCP != nil {
			call.Tool = mcpTool(call.MCP.Server, call.MCP.Tool)
		}
		return call, nil
	})
}

// kiroMCP returns the MCP tool that Kiro calls @SERVER/TOOL, or nil if name is
// not of that form.
func kiroMCP(name string) *input.MCP {
	server, tool, slash := strings.Cut(name, "/")
	server, at := strings.CutPrefix(server, "@")
	if !at || !slash || server == "" || tool == "" {
		return nil
	}
	return &input.MCP{Server: server, Tool: tool}
}
