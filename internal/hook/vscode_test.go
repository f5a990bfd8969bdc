package hook_test

import (
	"testing"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
)

func TestVSCode(t *testing.T) {
	pre := func(permission, tool string, in map[string]any) reported {
		return reported{"PreToolUse", input.Call{Tool: tool, Input: in, Cwd: "/srv/inn", Session: "vs-2"}, permission}
	}
	checkAgent(t, hook.VSCode, []reported{
		pre("bash", "run_in_terminal", map[string]any{"command": "rm -r dist", "explanation": "Tidy", "isBackground": false}),
		pre("read", "read_file", map[string]any{"filePath": "/srv/inn/.env", "startLine": 1.0, "endLine": 9.0}),
		pre("edit", "create_file", map[string]any{"filePath": "/srv/inn/a.ts", "content": "x"}),
		pre("edit", "replace_string_in_file", map[string]any{"filePath": "/srv/inn/a.ts", "oldString": "x", "newString": "y"}),
		pre("edit", "multi_replace_string_in_file", map[string]any{"explanation": "e", "replacements": []any{map[string]any{"filePath": "/srv/inn/a.ts", "oldString": "x", "newString": "y"}}}),
		pre("edit", "editFiles", map[string]any{"files": []any{"src/a.ts"}}),
		pre("list", "list_dir", map[string]any{"path": "/srv"}),
		pre("edit", "apply_patch", map[string]any{"input": "*** Begin Patch\n*** Delete File: a\n*** End Patch"}),
		pre("webfetch", "fetch_webpage", map[string]any{"urls": []any{"https://bread.example.org"}, "query": "rye"}),
		pre("task", "runSubagent", map[string]any{"prompt": "Count", "description": "Count", "agentName": "Plan"}),
		pre("mcp_till_charge", "mcp_till_charge", map[string]any{"cents": 500.0}),
		{event: "PostToolUse"},
		{event: "SessionStart"},
	}, map[string]map[string]hook.Answer{"PreToolUse": copilotTool})
}

func TestVSCodeRefuses(t *testing.T) {
	checkRefuses(t, hook.VSCode, toolUseRefused("VS Code"))
}

// toolUseRefused are payloads that are refused, with what is said of them, on
// behalf of an agent that has Claude Code's PreToolUse alone.
func toolUseRefused(agent string) map[string]string {
	return map[string]string{
		``:     "empty",
		`null`: "no hook_event_name",
		`{}`:   "no hook_event_name",
		`[]`:   "array",
		`{"hook_event_name":"PreToolUse","tool_name":"Execute","tool_input":{"comm`:   "not JSON",
		`{"hook_event_name":"PreToolUse"}`:                                            "no tool_name",
		`{"hook_event_name":"PreToolUse","tool_name":["Execute"]}`:                    `"tool_name"`,
		`{"hook_event_name":"PreToolUse","tool_name":"Execute","tool_input":"ls"}`:    `"tool_input"`,
		`{"hook_event_name":"PreToolUse","tool_name":"Execute","tool_input":["ls"]}`:  `"tool_input"`,
		`{"hook_event_name":"PreToolUse","tool_name":"Execute","cwd":1}`:              `"cwd"`,
		`{"hook_event_name":"PreToolUse","tool_name":"Execute","permission_mode":{}}`: `"permission_mode"`,
		`{"hook_event_name":"PreToolUse","tool_name":"Execute","tool_name":"Read"}`:   "twice",
		`{"hook_event_name":"preToolUse","tool_name":"Execute"}`:                      agent + `'s is "PreToolUse"`,
		`{"hook_event_name":"BeforeTool","tool_name":"Execute"}`:                      "no event of " + agent,
		`{"hook_event_name":"PermissionRequest","tool_name":"Execute"}`:               "no event of " + agent,
	}
}

func FuzzVSCode(f *testing.F) { fuzzAgent(f, hook.VSCode) }
