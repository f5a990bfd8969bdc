package permission_test

import (
	"testing"

	"github.com/permctl/permctl/internal/permission"
)

func rulesOf(triples ...[3]string) []permission.Rule {
	var rules []permission.Rule
	for _, t := range triples {
		rules = append(rules, permission.Rule{Permission: t[0], Pattern: t[1], Action: permission.Action(t[2])})
	}
	return rules
}

func TestHidden(t *testing.T) {
	for _, tt := range []struct {
		permission string
		rules      []permission.Rule
		want       bool
	}{
		{"bash", rulesOf([3]string{"*", "*", "allow"}), false},
		{"bash", rulesOf([3]string{"*", "*", "allow"}, [3]string{"bash", "*", "deny"}), true},
		{"read", rulesOf([3]string{"*", "*", "allow"}, [3]string{"bash", "*", "deny"}), false},
		{"bash", rulesOf([3]string{"*", "*", "ask"}), false},
		{"bash", rulesOf([3]string{"*", "*", "deny"}), true},
		{"bash", rulesOf([3]string{"*", "*", "deny"}, [3]string{"bash", "*", "allow"}), false},
		{"edit", rulesOf([3]string{"*", "*", "deny"}, [3]string{"bash", "*", "allow"}), true},
		{"bash", rulesOf([3]string{"bash", "*", "deny"}, [3]string{"bash", "echo *", "allow"}), false},
		{"bash", rulesOf([3]string{"bash", "rm *", "deny"}, [3]string{"bash", "*", "allow"}), false},
		{"bash", rulesOf([3]string{"bash", "rm *", "deny"}), false},
		{"srv_a", rulesOf([3]string{"srv_*", "*", "deny"}, [3]string{"srv_b", "*", "ask"}), true},
		{"srv_b", rulesOf([3]string{"srv_*", "*", "deny"}, [3]string{"srv_b", "*", "ask"}), false},
		{"edit", rulesOf([3]string{"write", "*", "deny"}), false},
		{"edit", nil, false},
	} {
		if got := permission.Hidden(tt.rules, tt.permission); got != tt.want {
			t.Errorf("Hidden(%v, %q) = %v, want %v", tt.rules, tt.permission, got, tt.want)
		}
	}
}

func TestShadowedBy(t *testing.T) {
	for _, tt := range []struct {
		rule, later [3]string
		want        bool
	}{
		{[3]string{"bash", "git *", "allow"}, [3]string{"*", "*", "ask"}, true},
		{[3]string{"bash", "git status *", "allow"}, [3]string{"bash", "git *", "deny"}, true},
		{[3]string{"bash", "git *", "deny"}, [3]string{"bash", "git status *", "allow"}, false},
		{[3]string{"bash", "git *", "deny"}, [3]string{"bash", "git *", "allow"}, false}, // a deny meets more than its text
		{[3]string{"bash", "git *", "allow"}, [3]string{"bash", "git *", "deny"}, true},
		{[3]string{"bash", "a*", "allow"}, [3]string{"bash", "a?", "allow"}, false},
		{[3]string{"bash", "a?", "allow"}, [3]string{"bash", "a*", "deny"}, false}, // not seen, and not said wrongly
		{[3]string{"bash", "a?", "allow"}, [3]string{"bash", "*", "deny"}, true},
		{[3]string{"mcp_*", "*", "allow"}, [3]string{"mcp_x", "*", "deny"}, false},
		{[3]string{"mcp_x", "*", "allow"}, [3]string{"mcp_*", "*", "deny"}, true},
		{[3]string{"edit", "src/*", "allow"}, [3]string{"bash", "*", "deny"}, false},
	} {
		got := permission.ShadowedBy(rulesOf(tt.rule)[0], rulesOf(tt.later))
		if (got != nil) != tt.want {
			t.Errorf("ShadowedBy(%v, %v) = %v, want %v", tt.rule, tt.later, got, tt.want)
		}
	}
}

func TestUnmatchable(t *testing.T) {
	for _, tt := range []struct {
		permission, pattern string
		want                bool
	}{
		{"bash", "git push *", false},
		{"bash", "git add . && git push", true},
		{"bash", "ls | wc *", true},
		{"bash", "FOO=1 git *", true},
		{"bash", "FOO=*", false}, // an assignment is a target of its own
		{"bash", "git  push", true},
		{"bash", " git", true},
		{"read", "src/*", false},
		{"read", "./src/*", true},
		{"edit", "../x", true},
		{"edit", "src/", true},
		{"edit", "/", false},
		{"webfetch", "https://example.com/*", false},
		{"webfetch", "example.com/*", true},
		{"webfetch", "*.example.com/*", false},
		{"srv_tool", "", true},
	} {
		if got := permission.Unmatchable(tt.permission, tt.pattern); (got != "") != tt.want {
			t.Errorf("Unmatchable(%q, %q) = %q, want something: %v", tt.permission, tt.pattern, got, tt.want)
		}
	}
}
