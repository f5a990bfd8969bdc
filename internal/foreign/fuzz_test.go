package foreign_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/foreign"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/settings"
)

// fuzzTexts are shell lines and paths that agents read in different ways.
var fuzzTexts = []string{
	"git status", "git push origin main", "git -C x push", `git  "status"`, "FOO=1 git status", "timeout 5 git status", "sudo rm -rf x",
	"sh -c 'git push'", "git status && make > out", "echo $(rm x)", "cat /etc/passwd", "x", "rm x", "bash -lc 'git status'",
	"src/a.go", ".env", "/workspace/src/a.go", "/etc/passwd", "~/notes/a", "../a", "a*b",
}

// neverLooser imports files, and has the agent's tools called with texts. If they can
// be imported, what comes of them loads, and permctl allows nothing that the agent
// itself would not.
func neverLooser(t *testing.T, source *foreign.Source, files []foreign.File, texts ...string) {
	t.Helper()
	agent := ""
	if source == foreign.OpenCode {
		agent = fuzzAgents[len(files[0].Text)%len(fuzzAgents)]
	}
	var calls []input.Call
	for _, text := range append(texts, fuzzTexts[len(files[0].Text)%len(fuzzTexts)]) {
		for _, tool := range toolsOf(source) {
			if call, err := input.FromArgument(tool, text); err == nil {
				call.Agent = agent
				calls = append(calls, call)
			}
		}
	}
	neverLooserFor(t, source, files, calls)
}

// neverLooserFor is neverLooser for calls.
func neverLooserFor(t *testing.T, source *foreign.Source, files []foreign.File, calls []input.Call) {
	t.Helper()
	made, err := source.Import(files)
	if err != nil {
		if !slices.ContainsFunc(files, func(f foreign.File) bool { return strings.Contains(err.Error(), f.Name) }) {
			t.Errorf("the error %q names no file", err)
		}
		return
	}
	g, err := guardOf(made)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, made.Settings, made.Policy)
	}
	judge := judgeOf(t, source, files)
	for _, call := range calls {
		agents := judge(call)
		if d := g.decide(t, call); permission.Strictest(agents, d.Action) != d.Action {
			t.Fatalf("%s: permctl says %s (%s), and the agent %s\n%s\n%s\n%s", foreign.WholeCall(call), d.Action, d.Reason, agents, files[0].Text, made.Settings, made.Policy)
		}
	}
}

// fuzzAgents are agents that have rules of their own, by themselves or by a file.
var fuzzAgents = []string{"", "", "plan", "explore", "general", "reviewer"}

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

// randomPermissions returns a permission map of opencode and senpi.
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
	return "{" + b.String() + "}"
}

// randomRules returns a rule file of Codex.
func randomRules(r *rand.Rand) string {
	var b strings.Builder
	word := func() string {
		return random(r, `"git"`, `"ls"`, `"rm"`, `"make"`, `"npm"`, `"run"`, `"x"`, `"push"`, `"status"`, `["push", "status"]`, `["git", "cat"]`, `"-rf"`, `"*"`, `"a b"`,
			`"timeout"`, `"sudo"`, `"sh"`, `"bash"`, `"-lc"`, `"/usr/bin/git"`, `"~/x"`, `""`, `"5"`, `"FOO=1"`, `"env"`, `"xargs"`, `"python"`, `"cd"`, `"time"`, `"exec"`, `"command"`)
	}
	for range 1 + r.IntN(7) {
		pattern := []string{word()}
		for range r.IntN(4) {
			pattern = append(pattern, word())
		}
		fmt.Fprintf(&b, "prefix_rule(pattern = [%s], decision = %q)\n", strings.Join(pattern, ", "), random(r, "allow", "allow", "prompt", "forbidden"))
	}
	b.WriteString(random(r, "", "", `host_executable(name = "git", paths = ["/usr/bin/git"])`, `host_executable(name = "git", paths = [])`))
	return b.String()
}

// randomConfig returns a config.toml of Codex.
func randomConfig(r *rand.Rand) string {
	return random(r, "", `approval_policy = "untrusted"`, `approval_policy = "on-request"`, `approval_policy = "never"`, `approval_policy = { granular = { rules = true } }`) + "\n" +
		random(r, "", `sandbox_mode = "read-only"`, `sandbox_mode = "workspace-write"`, `sandbox_mode = "danger-full-access"`)
}

// rounds is how many random files each source is tried with.
var rounds = flag.Int("rounds", 8, "how many random rule files to import from each agent")

var start = flag.Uint64("seed", 1, "where the random files begin, 0 somewhere else each time")

// randomly returns where random files come from, and its seed.
func randomly() (r *rand.Rand, seed uint64) {
	if seed = *start; seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	return rand.New(rand.NewPCG(seed, 0)), seed
}

func TestNeverLooser(t *testing.T) {
	r, seed := randomly()
	for range *rounds {
		text := `{"permission": ` + randomPermissions(r) + `, "agent": {"` + random(r, "reviewer", "plan", "explore") + `": {"permission": ` + randomPermissions(r) + `}}}`
		for _, source := range []*foreign.Source{foreign.OpenCode, foreign.Senpi} {
			neverLooser(t, source, []foreign.File{{Name: "settings.json", Text: []byte(text)}}, randomTexts(r)...)
		}
		neverLooser(t, foreign.Codex, codexFiles(randomRules(r), randomConfig(r)), randomTexts(r)...)
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

func FuzzCodex(f *testing.F) {
	f.Add(codexRuleFile, `approval_policy = "on-request"`, "git status && make deploy")
	f.Add("for x in [\"a\", [\"b\"]]:\n  prefix_rule([x, \"c\"], \"forbidden\")", "sandbox_mode = \"danger-full-access\"\napproval_policy = \"never\"", "rm -rf x")
	f.Add(`prefix_rule(pattern = ["sh", "-c"])`, "[approval_policy.granular]\nrules = true", "sh -c 'rm x'")
	f.Fuzz(func(t *testing.T, rules, config, text string) {
		neverLooser(t, foreign.Codex, codexFiles(rules, config), text)
	})
}

// FuzzFiles reads files of agents as they may be. What is wrong with one is told
// with its name, and what is read makes settings that load. Policy is left to the
// targets of each agent, which are slow.
func FuzzFiles(f *testing.F) {
	f.Add(openCodeConfig)
	f.Add(senpiProject)
	f.Add(codexRuleFile)
	f.Add("profile = \"p\"\napproval_policy = { granular = { rules = true } }\n[profiles.p]\nsandbox_mode = \"read-only\"")
	f.Add("[rules]\nprefix_rules = [{ pattern = [{ token = \"a\" }, { any_of = [\"b\", \"c\"] }], decision = \"prompt\" }]")
	f.Add("x = [[\"a\", \"b\"]]\nfor y in x:\n  prefix_rule([y], match = [\"a 'b \\\\' c\"])")
	f.Fuzz(func(t *testing.T, text string) {
		for name, source := range map[string]*foreign.Source{
			"opencode.json": foreign.OpenCode, "senpi.json": foreign.Senpi, "a.rules": foreign.Codex, "config.toml": foreign.Codex, "requirements.toml": foreign.Codex,
		} {
			made, err := source.Import([]foreign.File{{Name: name, Text: []byte(text)}})
			if err != nil {
				if !strings.HasPrefix(err.Error(), name+":") {
					t.Errorf("the error %q does not begin with the file", err)
				}
				continue
			}
			presets := engine.PresetsOf(nil)
			if made.Preset != "" {
				presets = engine.PresetsOf([]engine.Source{{Name: "imported", Trust: permission.TrustUser, Modules: map[string]string{"imported.rego": made.Policy}}})
			}
			options := settings.Options{Home: home, PermissionOf: input.PermissionOf, Presets: presets}
			if _, err := settings.Parse(strings.NewReader(made.Settings), "settings.yaml", options); err != nil {
				t.Errorf("%s: %v\n%s", source.Name, err, made.Settings)
			}
		}
	})
}
