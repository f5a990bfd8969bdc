package hook_test

import (
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/permission"
)

// TestPiExplicit: where the extension asks for it, an allow is an answer too, and
// silence is none.
func TestPiExplicit(t *testing.T) {
	for _, tt := range []struct {
		payload, want string
		silence       hook.Effect
	}{
		{`{"hook":"tool_call","event":{"toolName":"bash"},"explicit":true}`, `{"block":false}`, hook.Blocked},
		{`{"hook":"tool_call","event":{"toolName":"bash"},"explicit":false}`, "", hook.Undecided},
	} {
		event, err := hook.Pi.Decode([]byte(tt.payload))
		if err != nil {
			t.Fatal(err)
		}
		reads := func(a hook.Answer) hook.Effect {
			return hook.Pi.Reads([]byte(tt.payload), hook.Outcome{Answer: a}, false)
		}
		for _, decision := range []permission.Decision{granted, passed} {
			answer := hook.Pi.Answer(event, decision)
			if got := strings.TrimSpace(string(answer.Stdout)); got != tt.want || reads(answer) != hook.Undecided {
				t.Errorf("%s: allow is %q, which is %s, want %q", tt.payload, got, reads(answer), tt.want)
			}
		}
		for _, action := range []permission.Action{permission.Deny, permission.Ask, "", "ALLOW"} {
			answer := hook.Pi.Answer(event, permission.Decision{Action: action, Grant: true})
			if got := reads(answer); got != hook.Blocked {
				t.Errorf("%s: %q is %s, want blocked", tt.payload, action, got)
			}
		}
		if got := reads(hook.Answer{}); got != tt.silence {
			t.Errorf("%s: silence is %s, want %s", tt.payload, got, tt.silence)
		}
	}
}
