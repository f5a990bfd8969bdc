package foreign_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/foreign"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// fuzzTexts are shell lines and paths that agents read in different ways.
var fuzzTexts = []string{
	"git status", "git push origin main", "git -C x push", `git  "status"`, "FOO=1 git status", "timeout 5 git status", "sudo rm -rf x",
	"sh -c 'git push'", "git status && make > out", "echo $(rm x)", "cat /etc/passwd", "x", "rm x", "bash -lc 'git status'",
	"src/a.go", ".env", "/workspace/src/a.go", "/etc/passwd", "~/notes/a", "../a", "a*b",
}

// neverLooser imports a file. If it can be imported, what comes of it loads, and
// permctl allows nothing that the agent itself would not.
func neverLooser(t *testing.T, source *foreign.Source, files []foreign.File, texts ...string) {
	t.Helper()
	made, err := source.Import(files)
	if err != nil {
		if err.Error() == "" || !strings.Contains(err.Error(), files[0].Name) {
			t.Errorf("the error %q names no file", err)
		}
		return
	}
	g, err := guardOf(made)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, made.Settings, made.Policy)
	}
	judge, err := source.Judge(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range append(texts, fuzzTexts[rand.IntN(len(fuzzTexts))]) {
		for _, tool := range toolsOf(source) {
			call, err := input.FromArgument(tool, text)
			if err != nil {
				continue
			}
			agents := judge(call)
			if d := g.decide(t, call); permission.Strictest(agents, d.Action) != d.Action {
				t.Fatalf("%s %q: permctl says %s (%s), and the agent %s\n%s\n%s\n%s", tool, text, d.Action, d.Reason, agents, files[0].Text, made.Settings, made.Policy)
			}
		}
	}
}

// lastGuard is the guard of the import before. Most of what is tried next is
// another call under the same rules.
var lastGuard struct {
	text  string
	guard *guard
}

// guardOf is [newGuard], or the guard of the import before if this one is the
// same.
func guardOf(made *foreign.Import) (*guard, error) {
	text := made.Settings + made.Policy
	if lastGuard.guard != nil && lastGuard.text == text {
		return lastGuard.guard, nil
	}
	g, err := newGuard(made)
	lastGuard.text, lastGuard.guard = text, g
	return g, err
}

// toolsOf returns tools of an agent, by the names that it has for them.
func toolsOf(source *foreign.Source) []string {
	if tools := fuzzTools[source.Name]; tools != nil {
		return tools
	}
	return []string{"bash", "read", "edit", "grep", "glob", "webfetch", "github_get"}
}

// fuzzTools are tools of agents that have names of their own for them.
var fuzzTools = map[string][]string{
	"claude":  {"Bash", "Read", "Edit", "Write", "NotebookEdit", "Grep", "Glob", "WebFetch", "Agent", "Skill", "mcp__github__get", "PowerShell"},
	"copilot": {"bash", "view", "edit", "create", "grep", "glob", "web_fetch", "store_memory", "github-get", "jira-a-b", "powershell"},
}

// random returns one of several.
func random[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// randomTexts returns shell lines and paths, put together of parts.
func randomTexts(r *rand.Rand) []string {
	texts := slices.Clone(fuzzTexts)
	for range 30 {
		command := random(r, "git", "ls", "rm", "make", "npm run", "/usr/bin/git", "./git", `g\it`, `"git"`, "cat", "cd", "python", "[", "export") +
			random(r, "", " ", "  ", " -C x ", " -- ", " --force ") + random(r, "push", "status", "-rf x", "x", "src/a.go", "/etc/x", "~/x", "$X", "*", `"a b"`, "../x")
		before := random(r, "", "", "", "FOO=1 ", "timeout 5 ", "sudo ", "env -i ", "xargs ", "nice ", "! ", "time ", "command ", "exec ", "if ")
		after := random(r, "", "", "", " > out", " && ls", "; rm x", " | cat", " &", " #", "\nmake", " || git push", " < in", " <<E\nx\nE")
		texts = append(texts, before+command+after)
	}
	return texts
}

// randomPattern returns a pattern for a permission.
func randomPattern(r *rand.Rand) string {
	return random(r, "*", "*", "git *", "git push *", "git push", "git", "git*", "ls", "rm *", "rm x", "* x", "*x*", "?s", "make", "FOO=1 *", "timeout *", "sudo *",
		"git push --force *", "git -C x *", `"git" *`, "src/*", "*/src/*", "*.go", "/etc/*", "~/*", "/usr/bin/git *", "../*", "x", "*work*", "npm run x", "npm run x y *", "/*", "**", "a*b")
}

func randomActions(r *rand.Rand) string { return random(r, "allow", "allow", "ask", "deny") }

// randomPermissions returns the permission map of opencode and senpi.
func randomPermissions(r *rand.Rand) string {
	var b strings.Builder
	seen := map[string]bool{}
	for range 1 + r.IntN(6) {
		name := random(r, "*", "bash", "bash", "read", "edit", "grep", "glob", "webfetch", "external_directory", "github_*", "e*", "github_get", "list")
		if seen[name] {
			continue
		}
		seen[name] = true
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, "%q: %q,\n", name, randomActions(r))
			continue
		}
		fmt.Fprintf(&b, "%q: {", name)
		patterns := map[string]bool{}
		for range 1 + r.IntN(6) {
			if p := randomPattern(r); !patterns[p] {
				patterns[p] = true
				fmt.Fprintf(&b, "%q: %q, ", p, randomActions(r))
			}
		}
		b.WriteString("},\n")
	}
	return `{"permission": {` + b.String() + "}}"
}

// rounds is how many random files each source is tried with.
var rounds = flag.Int("rounds", 8, "how many random rule files to import from each agent")

func TestNeverLooser(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	for range *rounds {
		text := randomPermissions(r)
		for _, source := range []*foreign.Source{foreign.OpenCode, foreign.Senpi} {
			neverLooser(t, source, []foreign.File{{Name: "settings.json", Text: []byte(text)}}, randomTexts(r)...)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzOpenCode(f *testing.F) {
	f.Add(openCodeConfig, "git log")
	f.Add(`{"permission": {"bash": {"*": "deny", "ls": "ask", "a*b": "allow", "?": "allow"}, "read": {"*/src/*": "allow", "*": "ask"}}}`, "ls -la")
	f.Add(`{"permission": {"*": "deny", "read": {"~/x": "allow", "$HOMEX*": "deny", "\\a": "allow"}, "1": "ask", "": "deny"}}`, "~/x")
	f.Add(`{"permission": {"bash": {"git *": "allow", "git push --force": "ask"}, "edit": "deny", "ed*": {"*.md": "ask"}}}`, "git push x --force")
	f.Fuzz(func(t *testing.T, config, text string) {
		neverLooser(t, foreign.OpenCode, openCodeFiles(config), text)
	})
}

func FuzzSenpi(f *testing.F) {
	f.Add(senpiUser, "git push")
	f.Add(senpiProject, "cat ../../x")
	f.Add(`{"permission": {"bash": {"*": "deny", "git push": "ask", "git": "allow", "/bin/ls": "allow"}, "external_directory": {"*": "deny", "/opt/*": "allow"}}}`, "/bin/ls /opt/../etc")
	f.Fuzz(func(t *testing.T, config, text string) {
		neverLooser(t, foreign.Senpi, []foreign.File{{Name: "settings.json", Text: []byte(config)}}, text)
	})
}
