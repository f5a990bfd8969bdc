package hook_test

import (
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/hook"
)

func TestWindsurfDecode(t *testing.T) { testDecode(t, hook.Windsurf) }

// statusOutcome is what agents are told that heed the exit status alone.
var statusOutcome = outcome{
	asked:  blocked("settings.yaml:3 asks"),
	denied: blocked("settings.yaml:4 denies"),
	failed: blocked(failedReason),
}

func TestWindsurfAnswer(t *testing.T) {
	testAnswer(t, hook.Windsurf, map[string]outcome{
		"pre_run_command":  statusOutcome,
		"pre_write_code":   statusOutcome,
		"pre_read_code":    statusOutcome,
		"pre_mcp_tool_use": statusOutcome,
		"pre_user_prompt":  statusOutcome,
	})
}

func TestWindsurfRefuses(t *testing.T) {
	testRefuses(t, hook.Windsurf, statusVerdict, []refused{
		{`{"tool_info":{"command_line":"ls"}}`, "no agent_action_name"},
		{`{"agent_action_name":7}`, `"agent_action_name"`},
		{`{"agent_action_name":"pre_run_command"}`, "tool_info.command_line"},
		{`{"agent_action_name":"pre_run_command","tool_info":null}`, "tool_info.command_line"},
		{`{"agent_action_name":"pre_run_command","tool_info":"ls"}`, `"tool_info"`},
		{`{"agent_action_name":"pre_run_command","tool_info":{"command_line":["ls"]}}`, "tool_info.command_line"},
		{`{"agent_action_name":"pre_run_command","tool_info":{"command_line":""}}`, "tool_info.command_line"},
		{`{"agent_action_name":"pre_write_code","tool_info":{"edits":[]}}`, "tool_info.file_path"},
		{`{"agent_action_name":"pre_read_code","tool_info":{"file_path":7}}`, "tool_info.file_path"},
		{`{"agent_action_name":"pre_user_prompt","tool_info":{}}`, "tool_info.user_prompt"},
		{`{"agent_action_name":"pre_mcp_tool_use","tool_info":{"mcp_tool_name":"charge"}}`, "tool_info.mcp_server_name"},
		{`{"agent_action_name":"pre_mcp_tool_use","tool_info":{"mcp_server_name":"till"}}`, "tool_info.mcp_tool_name"},
		{`{"agent_action_name":"pre_mcp_tool_use","tool_info":{"mcp_server_name":"till","mcp_tool_name":"charge","mcp_tool_arguments":"5"}}`, "mcp_tool_arguments is no object"},
		{`{"agent_action_name":"pre_open_browser"}`, "no event of Windsurf"},
		{`{"agent_action_name":"run_command","tool_info":{"command_line":"ls"}}`, "no event of Windsurf"},
		{`{"agent_action_name":"Pre_Run_Command","tool_info":{"command_line":"ls"}}`, `is "pre_run_command"`},
	})
}

// statusVerdict returns what an agent takes answer for that heeds the exit status
// alone: deny, "" if it goes on, or "broken" if it goes on with a warning.
func statusVerdict(answer hook.Answer) string {
	switch {
	case answer.Status == 2 && strings.TrimSpace(answer.Stderr) != "":
		return "deny"
	case answer.Status != 0:
		return "broken"
	}
	return ""
}

func FuzzWindsurf(f *testing.F) { fuzzDecode(f, hook.Windsurf, statusVerdict) }
