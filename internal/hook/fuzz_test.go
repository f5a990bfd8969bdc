package hook_test

import (
	"errors"
	"testing"

	"github.com/permctl/permctl/internal/hook"
)

// fuzzPayloads fuzzes an agent's codec: whatever a payload is, it is a call with a
// tool and an input, whose deny is told as one, or it decides nothing, or it is
// refused. read says what the agent makes of an answer: allow, ask, deny, or "".
func fuzzPayloads(f *testing.F, agent *hook.Agent, read func(hook.Answer) string, payloads ...[]byte) {
	f.Helper()
	for _, payload := range payloads {
		f.Add(payload)
		f.Add(payload[:len(payload)/2])
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		if got := read(agent.Fail(payload, errors.New("any"))); got != "deny" {
			t.Errorf("a failure is answered as %q, want deny", got)
		}
		event, err := agent.Decode(payload)
		switch {
		case err != nil:
			if event.Decides || event.Call.Tool != "" {
				t.Errorf("with an error, the event is %+v, want none", event)
			}
		case event.Decides:
			if event.Call.Tool == "" || event.Call.Input == nil {
				t.Errorf("the call %+v has no tool or no input", event.Call)
			}
			if got := read(agent.Answer(event, denied)); got != "deny" {
				t.Errorf("a deny is answered as %q", got)
			}
			if got := read(agent.Answer(event, asked)); got == "allow" {
				t.Errorf("an ask is answered as an allow")
			}
		default:
			if got := agent.Answer(event, granted); len(got.Stdout) > 0 || got.Status != 0 {
				t.Errorf("an event without a call is answered as %+v", got)
			}
		}
	})
}
