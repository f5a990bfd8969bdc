package hook_test

import (
	"encoding/json"
	"testing"

	"github.com/permctl/permctl/internal/hook"
)

func TestOpenCodeDecode(t *testing.T) { testDecode(t, hook.OpenCode) }

func TestOpenCodeAnswer(t *testing.T) {
	testAnswer(t, hook.OpenCode, map[string]outcome{
		"tool.execute.before": {
			granted: line(`{"decision":"allow"}`),
			passed:  line(`{"decision":"pass"}`),
			asked:   line(`{"decision":"ask","reason":"settings.yaml:3 asks"}`),
			denied:  line(`{"decision":"deny","reason":"settings.yaml:4 denies"}`),
			failed:  blocked(failedReason),
		},
	})
}

func TestOpenCodeRefuses(t *testing.T) {
	testRefuses(t, hook.OpenCode, openCodeVerdict, []refused{
		{`{"hook":"tool.execute.before"}`, "no input.tool"},
		{`{"hook":"tool.execute.before","input":null}`, "no input.tool"},
		{`{"hook":"tool.execute.before","input":"bash"}`, `"input"`},
		{`{"hook":"tool.execute.before","input":{"tool":7}}`, `"input.tool"`},
		{`{"hook":"tool.execute.before","input":{"tool":"bash"},"output":[]}`, `"output"`},
		{`{"hook":"tool.execute.before","input":{"tool":"bash"},"output":{"args":"ls"}}`, `"output.args"`},
		{`{"hook":"tool.execute.before","input":{"tool":"bash"},"directory":1}`, `"directory"`},
		{`{"input":{"tool":"bash"}}`, "no hook"},
		{`{"hook":"Tool.Execute.Before","input":{"tool":"bash"}}`, `is "tool.execute.before"`},
		{`{"hook":"tool.execute","output":{"args":{}}}`, "no event of opencode"},
		{`{"hook":"tool.execute","input":{"tool":"bash"}}`, "no event of opencode"},
	})
}

// openCodeVerdict returns what permctl's plugin takes answer for, as verdict
// does for Claude Code.
func openCodeVerdict(answer hook.Answer) string {
	var out struct{ Decision string }
	if answer.Status != 0 || json.Unmarshal(answer.Stdout, &out) != nil {
		return "deny"
	}
	return out.Decision
}

func FuzzOpenCode(f *testing.F) { fuzzDecode(f, hook.OpenCode, openCodeVerdict) }
