package hook_test

import (
	"testing"

	"github.com/permctl/permctl/internal/hook"
)

func TestKiroDecode(t *testing.T) { testDecode(t, hook.Kiro) }

func TestKiroAnswer(t *testing.T) {
	testAnswer(t, hook.Kiro, map[string]outcome{"preToolUse": statusOutcome, "PreToolUse": statusOutcome})
}

func TestKiroRefuses(t *testing.T) {
	testRefuses(t, hook.Kiro, statusVerdict, []refused{
		{`{"hook_event_name":"preToolUse"}`, "no tool_name"},
		{`{"hook_event_name":"PreToolUse","tool_input":{"command":"ls"}}`, "no tool_name"},
		{`{"tool_name":"execute_bash"}`, "no hook_event_name"},
		{`{"hook_event_name":"preToolUse","tool_name":"execute_bash","toolName":"fs_read"}`, "tool_name and toolName"},
		{`{"hook_event_name":"preToolUse","tool_name":"x","tool_input":{"a":1},"toolArgs":{"a":2}}`, "toolInput and toolArgs"},
		{`{"hook_event_name":"preToolUse","tool_name":"x","tool_input":"ls"}`, `"tool_input"`},
		{`{"hook_event_name":"preToolUse","tool_name":"x","toolArgs":"{}"}`, `"toolArgs"`},
		{`{"hook_event_name":"preToolUse","tool_name":["x"]}`, `"tool_name"`},
		{`{"hook_event_name":"preToolUse","tool_name":"x","cwd":7}`, `"cwd"`},
		{`{"hook_event_name":"pretooluse","tool_name":"x"}`, `is "preToolUse"`},
		{`{"hook_event_name":"preTool","toolArgs":{}}`, "no event of Kiro"},
		{`{"hook_event_name":"PermissionRequest","tool_name":"x"}`, "no event of Kiro"},
	})
}

func FuzzKiro(f *testing.F) { fuzzDecode(f, hook.Kiro, statusVerdict) }
