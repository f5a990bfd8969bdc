package foreign_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/foreign"
)

// randomClaude returns a file of settings.
func randomClaude(r *rand.Rand) string {
	rule := func() string {
		switch r.IntN(8) {
		case 0:
			return random(r, "Bash", "Read", "Edit", "WebFetch", "mcp__github", "mcp__github__*", "Agent", "Skill", "Write", "PowerShell", "Grep", "*", "B*", "Monitor", "Bash(*)")
		case 1, 2:
			return random(r, "Read", "Edit", "Edit") + "(" + random(r, "src/**", "*.go", "//etc/**", "~/notes/*", "/src/*.go", "./x", "**/.env", "a*b", "lib/", "/**", "~/**", "//**", "*", "[ab].go", "src", "**/src/**") + ")"
		case 3:
			return random(r, "WebFetch(domain:a.example)", "WebFetch(domain:*.example)", "WebFetch(domain:*)", "WebFetch(domain:日本.jp)", "mcp__github__get", "mcp__github__", "Shell", "edit", "BashTool", "Fetch", "external_directory", "Agent(x)", "Skill(x)", "Skill(x *)", "Cd(src)", "Bash(timeout:5)")
		}
		if r.IntN(5) == 0 {
			return "Bash(" + random(r, "time *", "t*", "* push", "! *", "-x", "[[ *", "((x++))", "#x", "2>&1", "noglob *", "if *", "* noglob *", "*git*") + ")"
		}
		return "Bash(" + randomPattern(r) + random(r, "", "", ":*", "*") + ")"
	}
	var b strings.Builder
	b.WriteString(`{"permissions": {`)
	for _, list := range []string{"allow", "ask", "deny"} {
		fmt.Fprintf(&b, "%q: [", list)
		for i := range r.IntN(map[string]int{"allow": 8, "ask": 2, "deny": 3}[list]) {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%q", rule())
		}
		b.WriteString("],\n")
	}
	fmt.Fprintf(&b, "\"additionalDirectories\": [%s], \"defaultMode\": %q}}", random(r, "", "", `"../shared"`, `"~/notes"`, `"/"`, `"/etc/"`), random(r, "default", "default", "acceptEdits", "dontAsk", "plan"))
	return b.String()
}

// claudeTexts are texts that Claude Code's rules are about.
var claudeTexts = []string{
	"https://a.example/x", "https://sub.a.example:8080/", "https://user@evil.example/", `{"command": "ls", "timeout": 5}`, "../shared/a.go", "~/notes/a", "src/.git/config",
	"make > src/a.go", "cat /etc/passwd > ~/notes/a", "cd src && git status", "rm -rf ~", "find . -exec rm {} ;", "git push\tmain", "ls;git push", "xargs git push", "nice -n 5 git status",
	"command -v git", "NODE_ENV=x npm run x", "A=1 B=2 git status", "git status > /dev/null 2>&1", "git status &> out", "[ -f x ] && git status", "git log --output=x", "ls $(git push)",
	"noglob git push", "command noglob git push", "noglob timeout 5 rm x", "time git push", "! git push", "time ! git push", "ls; time rm x", "timeout 5 time git push", "[[ -f x ]] && git push", "((x++))",
	".claude/worktrees/x/.git/config", ".claude/worktrees/x/a.go", "noglob rm -rf ~", "A=1 noglob git push", "time -p git push",
}

// claudeSeeds are whose settings there are, the settings, and a call.
var claudeSeeds = [][3]string{
	{"user", claudeUser, "git push main"},
	{"project", claudeProject, "cat ../../x"},
	{"local", `{"permissions": {"allow": ["Bash(git :*)", "Bash(*a *)", "Edit(**)", "Read(//**)"], "deny": ["Edit(a\\ b)", "*"]}}`, "git 'push"},
	{"managed", `{"permissions": {"allow": ["Edit(/**/x)", "WebFetch(domain:*)"], "defaultMode": "acceptEdits", "additionalDirectories": ["/"]}, "allowManagedPermissionRulesOnly": true}`, "/etc/x"},
}

func TestClaudeNeverLooser(t *testing.T) {
	for _, s := range claudeSeeds {
		neverLooser(t, foreign.Claude, []foreign.File{{Name: "settings.json", Text: []byte(s[1]), Scope: foreign.Scope(s[0])}}, append(claudeTexts, fuzzTexts...)...)
	}
	r, seed := randomly()
	for range *rounds {
		text := randomClaude(r)
		neverLooser(t, foreign.Claude, []foreign.File{{Name: ".claude/settings.json", Text: []byte(text)}}, append(randomTexts(r), claudeTexts...)...)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzClaude(f *testing.F) {
	for _, s := range claudeSeeds {
		f.Add(s[1], s[2], s[0])
	}
	f.Fuzz(func(t *testing.T, text, call, scope string) {
		s, err := foreign.ParseScope(scope)
		if err != nil {
			s = foreign.Project
		}
		neverLooser(t, foreign.Claude, []foreign.File{{Name: "settings.json", Text: []byte(text), Scope: s}}, call)
	})
}
