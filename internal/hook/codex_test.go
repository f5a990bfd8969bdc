package hook_test

import (
	"testing"

	"github.com/permctl/permctl/internal/hook"
)

func TestCodex(t *testing.T) {
	deny := func(reason string) hook.Answer {
		return out(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"` + reason + `"}}`)
	}
	testAgent(t, hook.Codex, said, map[string]map[string]hook.Answer{
		"PreToolUse": {
			"asked":  deny("settings.yaml:3 asks"),
			"denied": deny("settings.yaml:4 denies"),
		},
		"PermissionRequest": {
			"granted": out(`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`),
			"denied":  out(`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"settings.yaml:4 denies"}}}`),
		},
		"UserPromptSubmit": {
			"denied": out(`{"decision":"block","reason":"settings.yaml:4 denies"}`),
		},
	})
}

func TestCodexRefuses(t *testing.T) {
	testRefusesLines(t, hook.Codex, map[string]string{
		``:     "empty",
		`null`: "no hook_event_name",
		`[]`:   "array",
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"comm`:                         "not JSON",
		`{"hook_event_name":"PreToolUse","tool_input":{"command":"ls"}}`:                                 "no tool_name",
		`{"hook_event_name":"PermissionRequest"}`:                                                        "no tool_name",
		`{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":"ls"}`:                   `"tool_input"`,
		`{"hook_event_name":"PreToolUse","tool_name":["Bash"]}`:                                          `"tool_name"`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","permission_mode":{}}`:                       `"permission_mode"`,
		`{"hook_event_name":"pretooluse","tool_name":"Bash"}`:                                            `Codex's is "PreToolUse"`,
		`{"hook_event_name":"PreSkillShellCommand","tool_name":"Bash"}`:                                  "no event of Codex",
		`{"id":1,"method":"item/commandExecution/requestApproval","params":{"command":"ls"}}`:            "no hook_event_name",
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"a","command":"b"}}`: "twice",
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":` + deep + `}}`:      "deeper",
	})
}

func FuzzCodex(f *testing.F) { fuzzLines(f, hook.Codex, said) }
