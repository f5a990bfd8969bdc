package gate_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/settings"
)

// A world is a home and a project in it.
type world struct {
	home, root string
	config     gate.Config
}

func newWorld(t testing.TB) *world {
	t.Helper()
	home := t.TempDir()
	w := &world{home: home, root: filepath.Join(home, "project")}
	w.config.Dirs = settings.Dirs{Home: home, Config: filepath.Join(home, "config"), State: filepath.Join(home, "state")}
	w.write(t, "project/.git/HEAD", "")
	return w
}

func (w *world) write(t testing.TB, name, text string) {
	t.Helper()
	path := filepath.Join(w.home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// trust trusts the project as it is.
func (w *world) trust(t testing.TB) {
	t.Helper()
	project, err := settings.ReadProject(w.root)
	if err != nil {
		t.Fatal(err)
	}
	if err := (settings.TrustStore{Dir: filepath.Join(w.config.Dirs.State, "trusted")}).Trust(project); err != nil {
		t.Fatal(err)
	}
}

func (w *world) decide(t testing.TB, tool, argument string) (permission.Decision, error) {
	t.Helper()
	call, err := input.FromArgument(tool, argument)
	if err != nil {
		t.Fatal(err)
	}
	call.Cwd = w.root
	g, err := gate.Open(w.config)
	if err != nil {
		return permission.Decision{}, err
	}
	return g.Decide(context.Background(), call)
}

// says checks the action, and what is in the reason.
func (w *world) says(t *testing.T, tool, argument string, want permission.Action, reason string) {
	t.Helper()
	d, err := w.decide(t, tool, argument)
	if err != nil {
		t.Fatal(err)
	}
	if d.Action != want || !strings.Contains(d.Reason, reason) {
		t.Errorf("%s %q: %s, %s; want %s, … %s …", tool, argument, d.Action, d.Reason, want, reason)
	}
}

func TestLayers(t *testing.T) {
	w := newWorld(t)
	w.says(t, "bash", "ls", permission.Allow, "preset full-access")
	w.write(t, "config/settings.yaml", "permissionPreset: ask\npermission:\n  bash:\n    \"ls *\": allow\n")
	w.says(t, "bash", "ls", permission.Allow, "settings.yaml:4")
	w.says(t, "bash", "pwd", permission.Ask, "preset ask")
	w.config.Preset = "read-only"
	w.says(t, "bash", "ls", permission.Ask, "preset read-only")
	w.config.Permission = []string{"bash:ls *=deny"}
	w.says(t, "bash", "ls", permission.Deny, "--permission")
}

func TestGrant(t *testing.T) {
	w := newWorld(t)
	w.write(t, "config/settings.yaml", "permission:\n  bash:\n    \"ls *\": allow\n")
	for argument, want := range map[string]bool{"ls": true, "pwd": false, "ls; pwd": false, "ls > out.txt": false} {
		d, err := w.decide(t, "bash", argument)
		if err != nil || d.Action != permission.Allow || d.Grant != want {
			t.Errorf("%q: %s, grant %v, %v; want allow, grant %v", argument, d.Action, d.Grant, err, want)
		}
	}
}

func TestUntrustedProject(t *testing.T) {
	w := newWorld(t)
	w.write(t, "config/settings.yaml", "permission:\n  \"*\": ask\n  read: allow\n")
	w.write(t, "project/.permctl/settings.yaml", "permission:\n  bash: allow\n  read: deny\nagents:\n  x:\n    permission: {edit: allow}\n")
	w.write(t, "project/.permctl/policy/p.rego", "package org.p\nallow contains {\"reason\": \"mine\"}\ndeny contains \"not here\" if input.call.tool == \"webfetch\"\nrules := [{\"permission\": \"edit\", \"pattern\": \"*\", \"action\": \"allow\"}]\n")
	w.says(t, "bash", "ls", permission.Ask, "config/settings.yaml:2")
	w.says(t, "read", "a", permission.Deny, ".permctl/settings.yaml:3")
	w.says(t, "edit", "a", permission.Ask, "config/settings.yaml:2")
	w.says(t, "webfetch", "https://example.com/", permission.Deny, "not here")
	w.trust(t)
	w.says(t, "bash", "ls", permission.Allow, ".permctl/settings.yaml:2")
	w.write(t, "project/.permctl/policy/q.rego", "package org.q\n")
	w.says(t, "bash", "ls", permission.Ask, "config/settings.yaml:2")
}

// TestIsolation holds that a project's policy cannot reach into the user's.
func TestIsolation(t *testing.T) {
	w := newWorld(t)
	w.write(t, "config/policy/git.rego", "package org.git\nimport data.org.config\ndeny contains \"no\" if not config.off\n")
	w.says(t, "bash", "ls", permission.Deny, "no")
	for name, text := range map[string]string{
		"same package":    "package org.git\nx := 1\n",
		"nested":          "package org.git.config\noff := true\n",
		"engine":          "package policy.floors\nfloors := set()\n",
		"match":           "package policy.match\nx := 1\n",
		"shipped preset":  "package policy.presets.ask\nrules := []\n",
		"calls the world": "package org.x\ndeny contains \"x\" if http.send({\"method\": \"get\", \"url\": \"http://127.0.0.1\"}).status_code == 200\n",
		"told by a with":  "package org.x\ndeny contains \"x\" if count([1 | true with opa.runtime as {}]) == 2\n",
	} {
		w.write(t, "project/.permctl/policy/p.rego", text)
		if d, err := w.decide(t, "bash", "ls"); err == nil || d.Action == permission.Allow {
			t.Errorf("%s: %s, %v; want an error", name, d.Action, err)
		}
	}
}

// TestAgents shows that agents without settings of their own share an engine,
// and that those with some do not.
func TestAgents(t *testing.T) {
	w := newWorld(t)
	w.write(t, "config/settings.yaml", "permission: {edit: allow}\nagents: {reviewer: {readOnly: true}}\n")
	g, err := gate.Open(w.config)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Project(input.Call{Cwd: w.root})
	if err != nil {
		t.Fatal(err)
	}
	engines := map[string]*engine.Engine{}
	for _, agent := range []string{"", "one", "two", "reviewer"} {
		if engines[agent], err = p.Engine(agent); err != nil {
			t.Fatal(err)
		}
	}
	if engines["one"] != engines[""] || engines["two"] != engines[""] || engines["reviewer"] == engines[""] {
		t.Errorf("engines = %p, want one for all but the reviewer", engines)
	}
	for agent, want := range map[string]permission.Action{"one": permission.Allow, "reviewer": permission.Deny} {
		got, err := g.Decide(t.Context(), input.Call{Tool: "edit", Input: map[string]any{"file_path": "a"}, Cwd: w.root, Agent: agent})
		if err != nil || got.Action != want {
			t.Errorf("%s: %v %q, %v; want %s", agent, got.Action, got.Reason, err, want)
		}
	}
}

// TestRevision shows that what changes an answer, or what it speaks of, changes
// the revision.
func TestRevision(t *testing.T) {
	seen := map[string]string{}
	for _, text := range []string{
		"{}", "permission: ask", "permission: {bash: ask}", "arity: {ls: 2}", "commands: {ls: {effects: [run]}}", "planFiles: [a.md]", "permissionPreset: ask",
		"approvals: {beat: deny}",
	} {
		w := newWorld(t)
		w.write(t, "config/settings.yaml", text+"\n")
		got, err := w.decide(t, "bash", "ls")
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[got.Revision]; ok {
			t.Errorf("%q and %q have the revision %s", text, other, got.Revision)
		}
		seen[got.Revision] = text
	}
}

func TestNobody(t *testing.T) {
	w := newWorld(t)
	w.config.Preset, w.config.NonInteractive = "ask", true
	w.says(t, "bash", "git push origin", permission.Deny, `with bash: {"git push origin": allow} in settings it would be allowed`)
	w.says(t, "eval", "1", permission.Deny, "there is none")
}

// TestApprovals holds that approvals satisfy what is asked, and nothing else.
func TestApprovals(t *testing.T) {
	w := newWorld(t)
	w.config.Approvals = filepath.Join(w.home, "approved.jsonl")
	w.write(t, "config/settings.yaml", "permission:\n  \"*\": ask\n  bash:\n    \"rm *\": deny\n")
	w.write(t, "approved.jsonl", "{\"permission\":\"bash\",\"pattern\":\"*\",\"action\":\"allow\"}\nnot a rule\n{\"permission\":\"edit\",\"pattern\":\"*\",\"action\":\"deny\"}\n")
	w.says(t, "bash", "ls", permission.Allow, "approved.jsonl:1")
	w.says(t, "bash", "rm x", permission.Deny, "config/settings.yaml:4")
	w.says(t, "edit", ".claude/settings.json", permission.Ask, "")
	w.write(t, "config/settings.yaml", "permission:\n  \"*\": ask\n  bash:\n    \"rm *\": deny\napprovals: {beat: deny}\n")
	w.says(t, "bash", "rm x", permission.Allow, "approved.jsonl:1")
}

// TestFailsClosed holds that whatever is wrong, the answer is not an allow.
func TestFailsClosed(t *testing.T) {
	for name, files := range map[string][2]string{
		"settings that are no YAML": {"config/settings.yaml", "permission: ["},
		"an unknown action":         {"config/settings.yaml", "permission: {bash: alow}"},
		"an unknown preset":         {"config/settings.yaml", "permissionPreset: workspaces"},
		"a broken policy":           {"config/policy/a.rego", "package org.a\ndeny contains"},
		"a field that is not there": {"config/policy/a.rego", "package org.a\ndeny contains \"x\" if input.request.x\n"},
		"a division by zero":        {"config/policy/a.rego", "package org.a\ndeny contains \"x\" if 1 / count(input.mcp) > 0\n"},
		"a conflict":                {"config/policy/a.rego", "package org.a\nx := n if { some n in [1, 2] }\ndeny contains \"x\" if x\n"},
		"approvals that are a link": {"state/approved", "not a folder"},
	} {
		w := newWorld(t)
		w.write(t, files[0], files[1])
		d, err := w.decide(t, "bash", "ls")
		if d.Action == permission.Allow {
			t.Errorf("%s: allow, %v", name, err)
		}
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestDeadline(t *testing.T) {
	w := newWorld(t)
	w.write(t, "config/policy/slow.rego", "package org.slow\ndeny contains \"x\" if count([1 | some i in numbers.range(1, 3000); some j in numbers.range(1, 3000); i == j]) == 0\n")
	g, err := gate.Open(w.config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d, err := g.Decide(ctx, input.Call{Tool: "bash", Input: map[string]any{"command": "ls"}, Cwd: w.root})
	if d.Action != permission.Deny || err == nil {
		t.Errorf("after its deadline: %s, %v", d.Action, err)
	}
}

// FuzzDecide holds that with an error there is a deny, and that an allow names
// no target that is not allowed.
func FuzzDecide(f *testing.F) {
	w := newWorld(f)
	w.write(f, "config/settings.yaml", "permissionPreset: careful\npermission:\n  bash:\n    \"git *\": allow\n")
	g, err := gate.Open(w.config)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{
		`{"tool":"bash","input":{"command":"git status && rm -rf /"}}`, `{"tool":"read","input":{"path":"/etc/passwd"}}`, `{}`, `[`,
		`{"tool":"bash","input":{"command":["a",1]}}`, `{"tool":"edit","input":null,"mode":"plan"}`, `{"tool":"eval"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		call, err := input.ParseCall(payload)
		if err != nil {
			return
		}
		if call.Cwd == "" {
			call.Cwd = w.root
		}
		d, err := g.Decide(t.Context(), call)
		if err != nil && d.Action != permission.Deny {
			t.Fatalf("%s with the error %v", d.Action, err)
		}
		if d.Action != permission.Allow {
			return
		}
		if len(d.Requests) == 0 || d.Reason == "" {
			t.Fatalf("an allow of nothing, or without a reason: %+v", d)
		}
		for _, r := range d.Requests {
			for _, target := range r.Targets {
				if target.Action != permission.Allow {
					t.Fatalf("an allow although %s %s is %q", r.Permission, target.Pattern, target.Action)
				}
			}
		}
	})
}
