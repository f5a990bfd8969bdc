package hook_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/permission"
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

// TestPiExplicit: where the extension asks for it, an allow is an answer too.
func TestPiExplicit(t *testing.T) {
	for payload, want := range map[string]string{
		`{"hook":"tool_call","event":{"toolName":"bash"},"explicit":true}`:  `{"block":false}`,
		`{"hook":"tool_call","event":{"toolName":"bash"},"explicit":false}`: "",
	} {
		event, err := hook.Pi.Decode([]byte(payload))
		if err != nil {
			t.Fatal(err)
		}
		for name, decision := range map[string]permission.Decision{
			"granted": {Action: permission.Allow, Grant: true},
			"passed":  {Action: permission.Allow},
		} {
			if got := strings.TrimSpace(string(hook.Pi.Answer(event, decision).Stdout)); got != want {
				t.Errorf("%s, %s: %q, want %q", payload, name, got, want)
			}
		}
		for _, action := range []permission.Action{permission.Deny, permission.Ask, "", "ALLOW"} {
			if got := piVerdict(hook.Pi.Answer(event, permission.Decision{Action: action, Grant: true})); got != "deny" {
				t.Errorf("%s, %q: %s, want deny", payload, action, got)
			}
		}
	}
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
		{`{"hook":"tool_call","event":{"toolName":"bash"},"explicit":"yes"}`, `"explicit"`},
		{`{"hook":"Tool_Call","event":{"toolName":"bash"}}`, `is "tool_call"`},
		{`{"hook":"tool.execute.before","input":{"tool":"bash"},"output":{"args":{}}}`, "no event of pi"},
		{`{"hook":"user_bash","event":{"toolName":"bash"}}`, "no event of pi"},
	})
}

// piVerdict returns what permctl's extension takes answer for, as verdict does
// for Claude Code.
func piVerdict(answer hook.Answer) string {
	var out struct{ Block *bool }
	switch {
	case answer.Status != 0:
		return "deny"
	case len(answer.Stdout) == 0:
		return ""
	case json.Unmarshal(answer.Stdout, &out) != nil || out.Block == nil:
		return "broken"
	case !*out.Block:
		return "allow"
	}
	return "deny"
}

func FuzzPi(f *testing.F) {
	f.Add([]byte(`{"hook":"tool_call","event":{"toolName":"bash"},"explicit":true}`))
	fuzzDecode(f, hook.Pi, piVerdict)
}
