package hook_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/permission"
)

// TestPiExplicit: where the extension wants an answer to an allow, it gets one, and
// takes no other for one.
func TestPiExplicit(t *testing.T) {
	for payload, want := range map[string]string{
		`{"hook":"tool_call","event":{"toolName":"bash"},"explicit":true}`:  `{"block":false}`,
		`{"hook":"tool_call","event":{"toolName":"bash"},"explicit":false}`: "",
	} {
		event, err := hook.Pi.Decode([]byte(payload))
		if err != nil {
			t.Fatal(err)
		}
		effect := func(answer hook.Answer) hook.Effect {
			return hook.Pi.Reads([]byte(payload), hook.Outcome{Answer: answer}, false)
		}
		for _, decision := range []permission.Decision{granted, passed} {
			answer := hook.Pi.Answer(event, decision)
			if got := strings.TrimSpace(string(answer.Stdout)); got != want || effect(answer) != hook.Undecided {
				t.Errorf("%s, %s: %q, which is %s; want %q, which is undecided", payload, decision.Reason, got, effect(answer), want)
			}
		}
		for _, answer := range []hook.Answer{
			hook.Pi.Answer(event, asked), hook.Pi.Answer(event, denied), hook.Pi.Answer(event, permission.Decision{}),
			hook.Pi.Answer(event, permission.Decision{Action: "ALLOW", Grant: true}), hook.Pi.Fail([]byte(payload), errors.New(failure)),
			{Stdout: []byte("{}\n")},
			{Stdout: []byte("false\n")},
			{Stdout: []byte(`{"block":0}`)},
			{Stdout: []byte(`{"block":false}`), Status: 1},
		} {
			if got := effect(answer); got != hook.Blocked {
				t.Errorf("%s: the extension takes %s %+v for %s, want blocked", payload, answer.Stdout, answer, got)
			}
		}
		if got, silent := effect(hook.Answer{}), want != ""; (got == hook.Blocked) != silent {
			t.Errorf("%s: the extension takes silence for %s", payload, got)
		}
	}
}
