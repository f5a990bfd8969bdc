package hook_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/permctl/permctl/internal/hook"
)

// fuzzAgent fuzzes an agent's codec: whatever a payload is, it is a call with a
// tool and an input, whose deny the agent takes for one, or it decides nothing, or
// it is refused.
func fuzzAgent(f *testing.F, name string) {
	f.Helper()
	agent, err := hook.Find(name)
	if err != nil {
		f.Fatal(err)
	}
	folder := open(f, agent)
	for _, c := range folder.calls {
		f.Add([]byte(c.Payload))
		f.Add([]byte(c.Payload[:len(c.Payload)/2]))
	}
	for _, r := range folder.refused {
		f.Add(r.text())
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		effect := func(answer hook.Answer) hook.Effect {
			return agent.Reads(payload, hook.Outcome{Answer: answer}, false)
		}
		event, err := agent.Decode(payload)
		if err != nil && (event.Decides || event.Call.Tool != "") {
			t.Errorf("with an error, the event is %+v, want none", event)
		}
		if err == nil && !event.Decides {
			if got := agent.Answer(event, denied); len(got.Stdout) > 0 || got.Status != 0 {
				t.Errorf("an event without a call is answered as %+v", got)
			}
			return
		}
		if got := effect(agent.Fail(payload, errors.New("any"))); got != hook.Blocked {
			t.Errorf("a failure is taken for %s, want blocked", got)
		}
		if err != nil {
			return
		}
		if event.Call.Tool == "" || event.Call.Input == nil {
			t.Errorf("the call %+v has no tool or no input", event.Call)
		}
		for outcome, decision := range decisions {
			if got := effect(agent.Answer(event, decision)); !slices.Contains(means(event)[outcome], got) {
				t.Errorf("%s is taken for %s, want %s", outcome, got, means(event)[outcome])
			}
		}
	})
}

func FuzzClaude(f *testing.F)   { fuzzAgent(f, "claude") }
func FuzzCodex(f *testing.F)    { fuzzAgent(f, "codex") }
func FuzzGemini(f *testing.F)   { fuzzAgent(f, "gemini") }
func FuzzCursor(f *testing.F)   { fuzzAgent(f, "cursor") }
func FuzzCopilot(f *testing.F)  { fuzzAgent(f, "copilot") }
func FuzzVSCode(f *testing.F)   { fuzzAgent(f, "vscode") }
func FuzzOpenCode(f *testing.F) { fuzzAgent(f, "opencode") }
func FuzzSenpi(f *testing.F)    { fuzzAgent(f, "senpi") }
func FuzzPi(f *testing.F)       { fuzzAgent(f, "pi") }
func FuzzFactory(f *testing.F)  { fuzzAgent(f, "factory") }
func FuzzKiro(f *testing.F)     { fuzzAgent(f, "kiro") }
func FuzzWindsurf(f *testing.F) { fuzzAgent(f, "windsurf") }
func FuzzCline(f *testing.F)    { fuzzAgent(f, "cline") }
func FuzzGoose(f *testing.F)    { fuzzAgent(f, "goose") }
func FuzzACP(f *testing.F)      { fuzzAgent(f, "acp") }
