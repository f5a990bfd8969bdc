package hook_test

import (
	"encoding/json"
	"testing"

	"github.com/permctl/permctl/internal/hook"
)

func TestClineDecode(t *testing.T) { testDecode(t, hook.Cline) }

func TestClineAnswer(t *testing.T) {
	want := outcome{
		granted: line(`{"cancel":false}`),
		passed:  line(`{"cancel":false}`),
		asked:   line(`{"cancel":true,"errorMessage":"settings.yaml:3 asks"}`),
		denied:  line(`{"cancel":true,"errorMessage":"settings.yaml:4 denies"}`),
		failed:  line(`{"cancel":true,"errorMessage":"` + failedReason + `"}`),
	}
	testAnswer(t, hook.Cline, map[string]outcome{"tool_call": want, "PreToolUse": want})
}

func TestClineRefuses(t *testing.T) {
	testRefuses(t, hook.Cline, clineVerdict, []refused{
		{`{"hookName":"PreToolUse"}`, "no preToolUse.toolName"},
		{`{"hookName":"tool_call","tool_call":{"input":{}}}`, "no preToolUse.toolName"},
		{`{"preToolUse":{"toolName":"x"}}`, "no hookName"},
		{`{"hookName":"tool_call","tool_call":{"name":"x"},"preToolUse":{"toolName":"y"}}`, "tool_call.name and preToolUse.toolName"},
		{`{"hookName":"tool_call","tool_call":{"name":"x","input":{"a":"1"}},"preToolUse":{"toolName":"x","parameters":{"a":"2"}}}`, `different things of "a"`},
		{`{"hookName":"tool_call","tool_call":{"name":"x","input":{}},"preToolUse":{"toolName":"x","parameters":{"a":"2"}}}`, `different things of "a"`},
		{`{"hookName":"tool_call","tool_call":{"name":"x","input":"ls"}}`, `"tool_call.input"`},
		{`{"hookName":"PreToolUse","preToolUse":{"toolName":"x","parameters":["ls"]}}`, `"preToolUse.parameters"`},
		{`{"hookName":"PreToolUse","preToolUse":{"toolName":7}}`, `"preToolUse.toolName"`},
		{`{"hookName":"PreToolUse","preToolUse":{"toolName":"x"},"workspaceRoots":"/srv"}`, `"workspaceRoots"`},
		{`{"hookName":"PreToolUse","preToolUse":{"toolName":"run_commands","parameters":{"commands":"{\"a\":1,\"a\":2}"}}}`, "twice"},
		{`{"hookName":"PreToolUse","preToolUse":{"toolName":"use_mcp_tool","parameters":{"server_name":"till"}}}`, "no tool_name"},
		{`{"hookName":"PreToolUse","preToolUse":{"toolName":"use_mcp_tool","parameters":{"server_name":"till","tool_name":"charge","arguments":"{5"}}}`, "no object"},
		{`{"hookName":"pretooluse","preToolUse":{"toolName":"x"}}`, `is "PreToolUse"`},
		{`{"hookName":"BeforeTool","tool_call":{"input":{}}}`, "no event of Cline"},
		{`{"hookName":"BeforeTool","preToolUse":{"toolName":"x"}}`, "no event of Cline"},
	})
}

// clineVerdict returns what Cline takes answer for: whatever cannot be read, or
// is not there, lets the tool run.
func clineVerdict(answer hook.Answer) string {
	var out struct {
		Cancel       bool
		ErrorMessage string
	}
	switch err := json.Unmarshal(answer.Stdout, &out); {
	case err != nil || !out.Cancel:
		return ""
	case out.ErrorMessage == "":
		return "broken"
	}
	return "deny"
}

func FuzzCline(f *testing.F) { fuzzDecode(f, hook.Cline, clineVerdict) }
