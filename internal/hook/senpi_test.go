package hook_test

import (
	"testing"

	"github.com/permctl/permctl/internal/hook"
)

func TestSenpiDecode(t *testing.T) { testDecode(t, hook.Senpi) }

func TestSenpiAnswer(t *testing.T) {
	testAnswer(t, hook.Senpi, map[string]outcome{
		"PreToolUse": {
			granted: line(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"allowed: <b> & \"c\""}}`),
			asked:   line(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"settings.yaml:3 asks"}}`),
			denied:  line(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"settings.yaml:4 denies"}}`),
			failed:  blocked(failedReason),
		},
		"UserPromptSubmit": {
			denied: line(`{"decision":"block","reason":"settings.yaml:4 denies"}`),
			failed: blocked(failedReason),
		},
	})
}

func TestSenpiRefuses(t *testing.T) {
	testRefuses(t, hook.Senpi, verdict, []refused{
		{`{"event":"PreToolUse"}`, "no tool_name"},
		{`{"toolName":"bash"}`, "no event"},
		{`{"event":"PreToolUse","toolName":"bash","tool_name":"read"}`, "toolName and tool_name"},
		{`{"event":"PreToolUse","toolName":"bash","toolInput":{"command":"ls"},"tool_input":{"command":"rm x"}}`, "toolInput and tool_input"},
		{`{"event":"PreToolUse","toolName":"bash","toolInput":{},"tool_input":{"command":"rm x"}}`, "toolInput and tool_input"},
		{`{"event":"PostToolUse","hook_event_name":"PreToolUse","toolName":"bash"}`, "event and hook_event_name"},
		{`{"event":"PreToolUse","toolName":"bash","session_id":"a","sessionId":"b"}`, "sessionId and session_id"},
		{`{"event":"PreToolUse","toolName":"bash","toolInput":"ls"}`, `"toolInput"`},
		{`{"event":"PreToolUse","toolName":"bash","tool_input":["ls"]}`, `"tool_input"`},
		{`{"event":"PreToolUse","toolName":7}`, `"toolName"`},
		{`{"event":"PreToolUse","toolName":"bash","cwd":{}}`, `"cwd"`},
		{`{"event":"UserPromptSubmit","prompt":[]}`, `"prompt"`},
		{`{"event":"preToolUse","toolName":"bash"}`, `is "PreToolUse"`},
		{`{"event":"BeforeTool","toolInput":{}}`, "no event of senpi"},
		{`{"event":"BeforeTool","tool_name":"bash"}`, "no event of senpi"},
	})
}

func FuzzSenpi(f *testing.F) { fuzzDecode(f, hook.Senpi, verdict) }
