package hook_test

import (
	"encoding/json"
	"testing"

	"github.com/permctl/permctl/internal/hook"
)

func TestPiDecode(t *testing.T) { testDecode(t, hook.Pi) }

func TestPiAnswer(t *testing.T) {
	testAnswer(t, hook.Pi, map[string]outcome{
		"tool_call": {
			asked:  line(`{"block":true,"reason":"settings.yaml:3 asks"}`),
			denied: line(`{"block":true,"reason":"settings.yaml:4 denies"}`),
			failed: blocked(failedReason),
		},
	})
}

func TestPiRefuses(t *testing.T) {
	testRefuses(t, hook.Pi, piVerdict, []refused{
		{`{"hook":"tool_call"}`, "no event.toolName"},
		{`{"event":{"toolName":"bash"}}`, "no hook"},
		{`{"hook":"tool_result","event":{"type":"tool_call","toolName":"bash"}}`, "hook and event.type"},
		{`{"hook":"tool_call","event":"bash"}`, `"event"`},
		{`{"hook":"tool_call","event":{"toolName":7}}`, `"event.toolName"`},
		{`{"hook":"tool_call","event":{"toolName":"bash","input":"ls"}}`, `"event.input"`},
		{`{"hook":"tool_call","event":{"toolName":"bash"},"cwd":7}`, `"cwd"`},
		{`{"hook":"Tool_Call","event":{"toolName":"bash"}}`, `is "tool_call"`},
		{`{"hook":"tool.execute.before","input":{"tool":"bash"},"output":{"args":{}}}`, "no event of pi"},
		{`{"hook":"user_bash","event":{"toolName":"bash"}}`, "no event of pi"},
	})
}

// piVerdict returns what permctl's extension takes answer for, as verdict does
// for Claude Code.
func piVerdict(answer hook.Answer) string {
	var out struct{ Block bool }
	switch {
	case answer.Status != 0:
		return "deny"
	case len(answer.Stdout) == 0:
		return ""
	case json.Unmarshal(answer.Stdout, &out) != nil || !out.Block:
		return "broken"
	}
	return "deny"
}

func FuzzPi(f *testing.F) { fuzzDecode(f, hook.Pi, piVerdict) }
