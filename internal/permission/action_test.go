package permission_test

import (
	"testing"

	"github.com/permctl/permctl/internal/permission"
)

func TestParseAction(t *testing.T) {
	for _, want := range permission.Actions {
		if got, err := permission.ParseAction(string(want)); got != want || err != nil {
			t.Errorf("ParseAction(%q) = %q, %v", want, got, err)
		}
	}
	for _, tt := range []struct{ name, message string }{
		{"alow", `unknown action "alow" (did you mean "allow"?): use allow, ask or deny`},
		{"Deny", `unknown action "Deny" (did you mean "deny"?): use allow, ask or deny`},
		{"", `unknown action "": use allow, ask or deny`},
		{"whatever", `unknown action "whatever": use allow, ask or deny`},
	} {
		got, err := permission.ParseAction(tt.name)
		if got != permission.Deny {
			t.Errorf("ParseAction(%q) = %q with an error, want deny", tt.name, got)
		}
		if err == nil || err.Error() != tt.message {
			t.Errorf("ParseAction(%q): %v, want %s", tt.name, err, tt.message)
		}
	}
}

func TestStrictest(t *testing.T) {
	const allow, ask, deny = permission.Allow, permission.Ask, permission.Deny
	for _, tt := range []struct {
		actions []permission.Action
		want    permission.Action
	}{
		{nil, ask},
		{[]permission.Action{allow}, allow},
		{[]permission.Action{allow, ask, allow}, ask},
		{[]permission.Action{ask, deny, allow}, deny},
		{[]permission.Action{allow, ""}, deny},
		{[]permission.Action{allow, "Allow"}, deny},
	} {
		if got := permission.Strictest(tt.actions...); got != tt.want {
			t.Errorf("Strictest(%q) = %q, want %q", tt.actions, got, tt.want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	for _, tt := range []struct {
		got   string
		words []string
		want  string
	}{
		{"bsh", []string{"read", "bash"}, ` (did you mean "bash"?)`},
		{"raed", []string{"bash", "read"}, ` (did you mean "read"?)`},
		{"WEBFETCH", []string{"websearch", "webfetch"}, ` (did you mean "webfetch"?)`},
		{"bash", nil, ""},
		{"kubernetes", []string{"read", "bash"}, ""},
		{"", []string{"read", "bash"}, ""},
	} {
		if got := permission.DidYouMean(tt.got, tt.words...); got != tt.want {
			t.Errorf("DidYouMean(%q, %q) = %q, want %q", tt.got, tt.words, got, tt.want)
		}
	}
}

func TestSlip(t *testing.T) {
	words := []string{"read", "bash", "apply_patch"}
	for _, tt := range []struct{ got, want string }{
		{"bsh", "bash"},
		{"bassh", "bash"},
		{"bosh", "bash"},
		{"bahs", "bash"},
		{"BAHS", "bash"},
		{"abhs", ""},
		{"bash", ""},
		{"Bash", ""},
		{"bashful", ""},
		{"aply_patch", "apply_patch"},
		{"", ""},
	} {
		if got := permission.Slip(tt.got, words...); got != tt.want {
			t.Errorf("Slip(%q) = %q, want %q", tt.got, got, tt.want)
		}
	}
}
