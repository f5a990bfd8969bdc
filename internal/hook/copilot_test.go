package hook_test

import (
	"testing"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
)

// copilotTool is what Copilot is told where a tool is about to run.
var copilotTool = map[string]hook.Answer{
	"granted": stdout(`{"permissionDecision":"allow","permissionDecisionReason":"allowed: <b> & \"c\"","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"allowed: <b> & \"c\""}}`),
	"asked":   stdout(`{"permissionDecision":"ask","permissionDecisionReason":"settings.yaml:3 asks","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"settings.yaml:3 asks"}}`),
	"denied":  stdout(`{"permissionDecision":"deny","permissionDecisionReason":"settings.yaml:4 denies","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"settings.yaml:4 denies"}}`),
}

// copilotDialog is what it is told where a person is about to be asked.
var copilotDialog = map[string]hook.Answer{
	"granted": stdout(`{"behavior":"allow"}`),
	"denied":  stdout(`{"behavior":"deny","message":"settings.yaml:4 denies"}`),
}

func TestCopilot(t *testing.T) {
	call := func(event, permission, tool string, in map[string]any) reported {
		return reported{event, input.Call{Tool: tool, Input: in, Cwd: "/srv/inn", Session: "7b1e"}, permission}
	}
	pre := func(permission, tool string, in map[string]any) reported {
		return call("preToolUse", permission, tool, in)
	}
	checkAgent(t, hook.Copilot, []reported{
		pre("bash", "bash", map[string]any{"command": "git push -f upstream trunk", "description": "Push"}),
		pre("bash", "bash", map[string]any{"command": "make serve", "sessionId": "web", "async": true}),
		pre("bash", "bash", map[string]any{"command": "make test"}),
		pre("bash", "powershell", map[string]any{"command": "Remove-Item *.tmp"}),
		pre("bash", "write_bash", map[string]any{"sessionId": "web", "input": "rm -r data{enter}", "delay": 5.0}),
		pre("edit", "create", map[string]any{"path": "/srv/inn/menu.md", "file_text": "# Menu\n"}),
		pre("edit", "edit", map[string]any{"path": "/srv/inn/menu.md", "old_str": "soup", "new_str": "stew"}),
		pre("edit", "str_replace_editor", map[string]any{"command": "insert", "path": "/srv/inn/menu.md", "insert_line": 2.0, "new_str": "bread"}),
		pre("edit", "apply_patch", map[string]any{"input": "*** Begin Patch\n*** Update File: a.go\n*** Move to: b.go\n@@\n-x\n+y\n*** End Patch"}),
		pre("read", "view", map[string]any{"path": "/srv/inn/.env", "view_range": []any{1.0, 9.0}}),
		pre("glob", "glob", map[string]any{"pattern": "**/*.pem", "path": "/srv"}),
		pre("grep", "grep", map[string]any{"pattern": "token", "path": "/srv/inn"}),
		pre("webfetch", "web_fetch", map[string]any{"url": "https://bread.example.org/a"}),
		pre("task", "task", map[string]any{"description": "Count", "prompt": "Count the rooms", "agent_type": "explore"}),
		pre("todowrite", "update_todo", map[string]any{"todos": "- [ ] beds"}),
		pre("question", "ask_user", map[string]any{"question": "Open?", "choices": []any{"yes"}}),
		pre("till-server-charge", "till-server-charge", map[string]any{"cents": 500.0}),
		call("PreToolUse", "read", "Read", map[string]any{"path": "/srv/inn/.env"}),
		call("PreToolUse", "task", "Agent", map[string]any{"prompt": "Count", "agent_type": "explore"}),
		call("PreToolUse", "bash", "Bash", map[string]any{"command": "make"}),
		call("PermissionRequest", "bash", "Bash", map[string]any{"command": "npm publish"}),
		call("permissionRequest", "bash", "bash", map[string]any{"command": "npm publish"}),
		{event: "postToolUse"},
		{event: "postToolUseFailure"},
		{event: "PostToolUse"},
		{event: "SessionStart"},
	}, map[string]map[string]hook.Answer{
		"preToolUse": copilotTool, "PreToolUse": copilotTool,
		"permissionRequest": copilotDialog, "PermissionRequest": copilotDialog,
	})
}

func TestCopilotRefuses(t *testing.T) {
	checkRefuses(t, hook.Copilot, map[string]string{
		``:     "empty",
		`null`: "neither toolName nor tool_name",
		`{}`:   "neither toolName nor tool_name",
		`[]`:   "array",
		`{"sessionId":"7b1e","toolName":"bash","toolArgs":"{\"comm`:                    "not JSON",
		`{"sessionId":"7b1e","toolName":"bash","toolArgs":"{\"command\": "}`:           "toolArgs: the call is not JSON",
		`{"toolName":"bash","toolArgs":"ls"}`:                                          "toolArgs: the call is not JSON",
		`{"toolName":"bash","toolArgs":""}`:                                            "toolArgs: the call is empty",
		`{"toolName":"bash","toolArgs":"null"}`:                                        "toolArgs is no object",
		`{"toolName":"bash","toolArgs":"\"{}\""}`:                                      "toolArgs: the call is a JSON string",
		`{"toolName":"bash","toolArgs":["ls"]}`:                                        "toolArgs: the call is a JSON array",
		`{"toolName":"bash","toolArgs":7}`:                                             "toolArgs: the call is a JSON number",
		`{"toolName":"bash","toolArgs":"{\"command\":\"rm x\",\"command\":\"ls\"}"}`:   "twice",
		`{"toolName":"bash","toolArgs":{"command":"ls"},"toolInput":{}}`:               "both toolArgs and toolInput",
		`{"toolName":"bash","toolArgs":"{\"a\":` + deep + `}"}`:                        input.ErrTooDeep.Error(),
		`{"toolName":["bash"]}`:                                                        `"toolName"`,
		`{"toolName":"bash","cwd":{}}`:                                                 `"cwd"`,
		`{"toolName":"view","tool_name":"bash"}`:                                       "two values for tool_name",
		`{"toolName":"view","sessionId":"a","session_id":"b"}`:                         "two values for session_id",
		`{"toolArgs":{"command":"ls"}}`:                                                "neither toolName nor tool_name",
		`{"hook_event_name":"PreToolUse"}`:                                             "neither toolName nor tool_name",
		`{"hook_event_name":"pretooluse","tool_name":"Bash"}`:                          `Copilot's is "PreToolUse"`,
		`{"hook_event_name":"BeforeTool","tool_name":"Bash"}`:                          "no event of Copilot",
		`{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":"ls"}`: "tool_input: the call is not JSON",
	})
}

func TestCopilotTolerates(t *testing.T) {
	for _, payload := range []string{
		`{"toolName":"bash"}`,
		`{"toolName":"bash","toolArgs":null,"toolResult":null,"error":null}`,
		`{"toolName":"bash","toolArgs":"{}","new":[{}]}`,
	} {
		event, err := hook.Copilot.Decode([]byte(payload))
		if err != nil || !event.Decides || len(event.Call.Input) != 0 || event.Call.Input == nil {
			t.Errorf("Decode(%s) = %+v, %v, want a call with an empty input", payload, event, err)
		}
	}
}

func FuzzCopilot(f *testing.F) { fuzzAgent(f, hook.Copilot) }
