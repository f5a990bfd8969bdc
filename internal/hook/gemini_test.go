package hook_test

import (
	"encoding/json"
	"testing"

	"github.com/permctl/permctl/internal/hook"
)

func TestGemini(t *testing.T) {
	testAgent(t, hook.Gemini, said, map[string]map[string]hook.Answer{
		"BeforeTool": {
			"granted": out(`{"decision":"allow"}`),
			"asked":   out(`{"decision":"deny","reason":"settings.yaml:3 asks"}`),
			"denied":  out(`{"decision":"deny","reason":"settings.yaml:4 denies"}`),
		},
	})
}

func TestGeminiRefuses(t *testing.T) {
	testRefusesLines(t, hook.Gemini, map[string]string{
		``:     "empty",
		`null`: "no hook_event_name",
		`[]`:   "array",
		`{"hook_event_name":"BeforeTool","tool_name":"read_file","tool_input":{"fi`:                        "not JSON",
		`{"hook_event_name":"BeforeTool","tool_input":{"command":"ls"}}`:                                   "no tool_name",
		`{"hook_event_name":"BeforeTool","tool_name":7}`:                                                   `"tool_name"`,
		`{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":"ls"}`:               `"tool_input"`,
		`{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":["ls"]}`:             `"tool_input"`,
		`{"hook_event_name":"BeforeTool","tool_name":"mcp_a_b","mcp_context":"a"}`:                         `"mcp_context"`,
		`{"hook_event_name":"BeforeTool","tool_name":"mcp_a_b","mcp_context":{"server_name":["a"]}}`:       "server_name",
		`{"hook_event_name":"beforeTool","tool_name":"read_file"}`:                                         `Gemini CLI's is "BeforeTool"`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`:                "no event of Gemini CLI",
		`{"hook_event_name":"BeforeTool","tool_name":"read_file","tool_input":{"a":"b","a":"c"}}`:          "twice",
		`{"hook_event_name":"BeforeTool","tool_name":"read_file","tool_input":{"file_path":` + deep + `}}`: "deeper",
	})
}

func FuzzGemini(f *testing.F) {
	fuzzLines(f, hook.Gemini, func(answer hook.Answer) string {
		// What is JSON counts whatever the exit status, on either stream.
		if answer.Status != 0 && json.Valid([]byte(answer.Stderr)) {
			return "broken"
		}
		return said(answer)
	})
}
