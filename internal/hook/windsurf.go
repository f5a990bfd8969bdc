package hook

import (
	"fmt"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/input"
)

// Windsurf is Windsurf's Cascade. It has an event for each kind of tool, whose
// payload does not name the tool, and it heeds the exit status alone.
var Windsurf = &Agent{
	Name:     "windsurf",
	Aliases:  []string{"cascade"},
	Patience: 30 * time.Second,
	dialect:  windsurfDialect,
	decode:   decodeWindsurf,
	answer:   answerStatus,
	workdirs: []string{"cwd"},
	hearing:  hearing{reads: readsStatus},
	marks:    []mark{"agent_action_name"},
}

// The events of Windsurf on which it waits for a decision.
const (
	preRunCommand = "pre_run_command"
	preWriteCode  = "pre_write_code"
	preReadCode   = "pre_read_code"
	preMCPToolUse = "pre_mcp_tool_use"
	preUserPrompt = "pre_user_prompt"
)

// windsurfDialect is how Windsurf names its events.
var windsurfDialect = dialect{
	agent:   "Windsurf",
	field:   "agent_action_name",
	tools:   []string{preRunCommand, preWriteCode, preReadCode, preMCPToolUse},
	prompts: []string{preUserPrompt},
}

// A windsurfPayload is what permctl reads of Windsurf's payloads. What a command
// calls its directory is the model's to choose, so that it is part of the call,
// and says nothing of where the agent works.
type windsurfPayload struct {
	AgentActionName string         `json:"agent_action_name"`
	TrajectoryID    string         `json:"trajectory_id"`
	ToolInfo        map[string]any `json:"tool_info"`
}

// decodeWindsurf is [Agent.Decode] for Windsurf. Its events after the fact begin
// with post_, and have a tool_info, too.
func decodeWindsurf(payload []byte) (Event, error) {
	var p windsurfPayload
	if err := input.Decode(payload, &p); err != nil {
		return Event{}, err
	}
	name := p.AgentActionName
	calls := p.ToolInfo != nil || strings.HasPrefix(name, "pre_")
	return windsurfDialect.event(name, calls && !strings.HasPrefix(name, "post_"), p.call)
}

// call returns the call of a payload that makes one. Its tool is called as the
// event is.
func (p windsurfPayload) call() (input.Call, error) {
	call := input.Call{
		Tool:    strings.TrimPrefix(p.AgentActionName, "pre_"),
		Input:   p.ToolInfo,
		Session: p.TrajectoryID,
	}
	var err error
	switch p.AgentActionName {
	case preRunCommand:
		_, err = p.text("command_line")
	case preWriteCode, preReadCode:
		_, err = p.text("file_path")
	case preUserPrompt:
		var prompt string
		prompt, err = p.text("user_prompt")
		call.Tool, call.Input = promptTool, map[string]any{"prompt": prompt}
	default:
		call.MCP, err = p.mcp()
		if err == nil {
			call.Tool, call.Input = mcpTool(call.MCP.Server, call.MCP.Tool), call.MCP.Arguments
		}
	}
	return call, err
}

// mcp returns the MCP tool that the payload calls.
func (p windsurfPayload) mcp() (*input.MCP, error) {
	server, err := p.text("mcp_server_name")
	if err != nil {
		return nil, err
	}
	tool, err := p.text("mcp_tool_name")
	if err != nil {
		return nil, err
	}
	given := p.ToolInfo["mcp_tool_arguments"]
	arguments, ok := given.(map[string]any)
	if given != nil && !ok {
		return nil, fmt.Errorf("the %s payload's mcp_tool_arguments is no object", p.AgentActionName)
	}
	return &input.MCP{Server: server, Tool: tool, Arguments: arguments}, nil
}

// text returns what tool_info has as key, which the event cannot do without.
func (p windsurfPayload) text(key string) (string, error) {
	text, _ := p.ToolInfo[key].(string)
	if text == "" {
		return "", fmt.Errorf("the %s payload has no text as tool_info.%s", p.AgentActionName, key)
	}
	return text, nil
}
