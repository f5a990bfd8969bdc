package install_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/install"
)

// TestFresh: where there is nothing, uninstall leaves nothing, no folder either.
func TestFresh(t *testing.T) {
	everyScope(t, func(t *testing.T, a *install.Agent, scope install.Scope) {
		m := newMachine(t)
		before := m.tree()
		plan := m.install(a, scope)
		for _, change := range plan.Changes {
			info, err := os.Stat(change.Path)
			if err != nil {
				t.Fatal(err)
			}
			want := fs.FileMode(0o600)
			if scope != install.User {
				want = 0o644
			}
			if a.Name == "cline" {
				want |= 0o100
			}
			if got := info.Mode() &^ 0o011; got != want || change.Backup != "" {
				t.Errorf("%s has the mode %v, want %v; its backup is %q", change.Path, got, want, change.Backup)
			}
		}
		entries, err := install.Entries(a, m.places)
		var events []string
		for _, e := range entries {
			if !e.Ours || !e.All || e.Flaw != "" || e.Program != program || e.Scope != scope {
				t.Errorf("the agent finds %+v", e)
			}
			events = append(events, e.Event)
		}
		if len(events) == 0 || err != nil {
			t.Errorf("the agent finds %v, %v", events, err)
		}
		for _, event := range a.Events {
			if !slices.ContainsFunc(events, func(e string) bool { return strings.EqualFold(e, event) }) {
				t.Errorf("the agent finds no hook for %s", event)
			}
		}
		m.uninstall(a, scope)
		if diff := cmp.Diff(before, m.tree()); diff != "" {
			t.Errorf("uninstall leaves (-before +after):\n%s", diff)
		}
	})
}

// TestFailClosed: what an agent can be told to refuse when its hook fails, it is told.
func TestFailClosed(t *testing.T) {
	everyScope(t, func(t *testing.T, a *install.Agent, scope install.Scope) {
		m := newMachine(t)
		m.install(a, scope)
		entries, err := install.Entries(a, m.places)
		if err != nil {
			t.Fatal(err)
		}
		can := slices.Contains([]string{"claude", "cursor", "goose", "opencode", "senpi", "pi", "cline"}, a.Name)
		for _, e := range entries {
			// Else the shell refuses for a permctl that is gone.
			if e.FailClosed != can || !can && !strings.HasSuffix(e.Shell, " || exit 2") {
				t.Errorf("%s:%d %s fails closed: %t, and is %s", e.File, e.Line, e.Event, e.FailClosed, e.Shell)
			}
		}
	})
}

// TestMoved: a permctl that has moved is the same hook, with another path.
func TestMoved(t *testing.T) {
	everyScope(t, func(t *testing.T, a *install.Agent, scope install.Scope) {
		m := newMachine(t)
		before := m.tree()
		plan, err := install.Install(a, scope, m.places, "/home/ann/my tools/permctl")
		m.apply(plan, err)
		once, err := install.Entries(a, m.places)
		if err != nil {
			t.Fatal(err)
		}
		m.install(a, scope)
		twice, err := install.Entries(a, m.places)
		if err != nil || len(once) != len(twice) {
			t.Errorf("of %d hooks it has made %d, %v", len(once), len(twice), err)
		}
		for i, e := range twice {
			if once[i].Program != "/home/ann/my tools/permctl" || e.Program != program {
				t.Errorf("%s has become %s", once[i].Program, e.Program)
			}
		}
		m.uninstall(a, scope)
		if diff := cmp.Diff(before, m.tree()); diff != "" {
			t.Errorf("uninstall leaves (-before +after):\n%s", diff)
		}
	})
}

const foreignHook = `{"matcher": "Bash", "hooks": [{"type": "command", "command": "other"}]}`

// since are changes of a file after permctl has been installed into it.
var since = map[string]struct {
	before string // none if empty
	change func(string) string
	want   string
}{
	"a member is added": {
		"{\n  \"model\": \"opus\"\n}\n",
		func(s string) string { return strings.Replace(s, "\"opus\"", "\"opus\",\n  \"theme\": \"dark\"", 1) },
		"{\n  \"model\": \"opus\",\n  \"theme\": \"dark\"\n}\n",
	},
	"a value is changed, and the hooks were there": {
		"{\n  \"hooks\": {\n    \"PreToolUse\": []\n  },\n  \"model\": \"opus\"\n}\n",
		func(s string) string { return strings.Replace(s, "opus", "haiku", 1) },
		"{\n  \"hooks\": {\n    \"PreToolUse\": []\n  },\n  \"model\": \"haiku\"\n}\n",
	},
	"a hook is put behind permctl's": {
		"{}\n",
		func(s string) string {
			return strings.Replace(s, "],\n    \"PermissionRequest\"", ", "+foreignHook+"],\n    \"PermissionRequest\"", 1)
		},
		"{\n  \"hooks\": {\n    \"PreToolUse\": [ " + foreignHook + "]\n  }\n}\n",
	},
	"a hook is put into a file that permctl made": {
		"",
		func(s string) string {
			return strings.Replace(s, "],\n    \"PermissionRequest\"", ", "+foreignHook+"],\n    \"PermissionRequest\"", 1)
		},
		"{\n  \"hooks\": {\n    \"PreToolUse\": [ " + foreignHook + "]\n  }\n}\n",
	},
	"a file that permctl made is written otherwise": {"", strings.ToUpper, "absent"},
	"permctl's hooks are taken out by hand":         {"{\"a\": 1}\n", func(string) string { return "{\"a\": 2}\n" }, "{\"a\": 2}\n"},
	"the file is removed":                           {"{\"a\": 1}\n", nil, "absent"},
}

// TestChangedSince: who has changed a file since keeps the change.
func TestChangedSince(t *testing.T) {
	for name, tt := range since {
		t.Run(name, func(t *testing.T) {
			m, claude := newMachine(t), find(t, "claude")
			path := filepath.Join(m.dir, "home", ".claude", "settings.json")
			if tt.before != "" {
				m.write("home/.claude/settings.json", tt.before)
			}
			m.install(claude, install.User)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case tt.change == nil:
				err = os.Remove(path)
			case tt.want == "absent":
				err = os.WriteFile(path, append(text, "\n\n"...), 0o600)
			default:
				err = os.WriteFile(path, []byte(tt.change(string(text))), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			m.uninstall(claude, install.User)
			got, err := os.ReadFile(path)
			if err != nil {
				got = []byte("absent")
			}
			if string(got) != tt.want || len(m.kept()) != 0 {
				t.Errorf("the file is %q, want %q; kept are %v", got, tt.want, m.kept())
			}
		})
	}
}

// TestRecordLost: without its records, permctl still finds its own hooks.
func TestRecordLost(t *testing.T) {
	everyScope(t, func(t *testing.T, a *install.Agent, scope install.Scope) {
		m := newMachine(t)
		m.install(a, scope)
		for _, folder := range records {
			if err := os.RemoveAll(filepath.Join(m.dir, folder)); err != nil {
				t.Fatal(err)
			}
		}
		m.uninstall(a, scope)
		if entries, err := install.Entries(a, m.places); err != nil || len(entries) != 0 {
			t.Errorf("the agent still finds %+v, %v", entries, err)
		}
	})
}

// TestRecordDamaged: a record that is not as permctl has left it is none.
func TestRecordDamaged(t *testing.T) {
	for _, part := range []string{".json", ".before"} {
		m, claude := newMachine(t), find(t, "claude")
		path := m.write("home/.claude/settings.json", "{\"model\": \"opus\"}\n")
		m.install(claude, install.User)
		for _, kept := range m.kept() {
			if strings.HasSuffix(kept, part) {
				write(t, kept, `{"model": "evil"}`)
			}
		}
		m.uninstall(claude, install.User)
		text, err := os.ReadFile(path)
		if err != nil || strings.Contains(string(text), "evil") || strings.Contains(string(text), "permctl") || !strings.Contains(string(text), "opus") {
			t.Errorf("with another %s, the file is %q, %v", part, text, err)
		}
	}
}

// TestVersionStays: what permctl has put beside its hooks stays as long as others
// need it.
func TestVersionStays(t *testing.T) {
	m, cursor := newMachine(t), find(t, "cursor")
	path := m.write("home/.cursor/hooks.json", "{}")
	m.install(cursor, install.User)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, strings.Replace(string(text), `"preToolUse": [`, `"stop": [{"command": "./done"}], "preToolUse": [`, 1))
	m.uninstall(cursor, install.User)
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), `"version": 1`) || !strings.Contains(string(text), "./done") || strings.Contains(string(text), "permctl") {
		t.Errorf("the file is %q, %v", text, err)
	}
}

// TestBackupIsTheFirst: it has what somebody had written for permctl by hand, too.
func TestBackupIsTheFirst(t *testing.T) {
	const byHand = `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "permctl hook claude"}]}]}}`
	m, claude := newMachine(t), find(t, "claude")
	m.write("home/.claude/settings.json", byHand)
	m.install(claude, install.User)
	moved, err := install.Install(claude, install.User, m.places, "/usr/bin/permctl")
	m.apply(moved, err)
	if text, err := os.ReadFile(moved.Changes[0].Backup); err != nil || string(text) != byHand {
		t.Errorf("the backup is %q, %v", text, err)
	}
}

// TestSharedFolder: what one agent reads of another's hooks is no flaw of those.
func TestSharedFolder(t *testing.T) {
	m := newMachine(t)
	m.write("work/.github/hooks/permctl.json", `{"hooks": {"PreToolUse": [{"type": "command", "command": "permctl hook copilot", "timeout": 60}]}}`)
	for _, name := range []string{"vscode", "copilot"} {
		if entries, err := install.Entries(find(t, name), m.places); err != nil || slices.ContainsFunc(entries, func(e install.Entry) bool { return e.Flaw != "" }) {
			t.Errorf("%s finds %+v, %v", name, entries, err)
		}
	}
}

// TestRefused has files that are left as they are, and why.
func TestRefused(t *testing.T) {
	for _, tt := range []struct{ agent, file, text, want string }{
		{"claude", ".claude/settings.json", "{\n  \"hooks\": {\n", ".claude/settings.json:3:1: "},
		{"claude", ".claude/settings.json", "{\n// why\n}", ".claude/settings.json:2: there is a comment, for which Claude Code leaves out the whole file"},
		{"claude", ".claude/settings.json", "{\n\"a\": 1,\n}", ".claude/settings.json:2: there is a comma behind the last element"},
		{"claude", ".claude/settings.json", "{\n\"a\": 1,\n\"a\": 2}", ".claude/settings.json:3: the key \"a\" is there twice"},
		{"claude", ".claude/settings.json", "[]", ".claude/settings.json:1: the whole text is of the kind array"},
		{"claude", ".claude/settings.json", "{\"hooks\": []}", "hooks is of the kind array, and has to be of the kind object"},
		{"claude", ".claude/settings.json", "{\"hooks\": null}", "hooks is of the kind null"},
		{"claude", ".claude/settings.json", "{\"hooks\": {\"PreToolUse\": {}}}", "hooks.PreToolUse is of the kind object"},
		{"claude", ".claude/settings.json", "{\"hooks\": {\"PreToolUse\": [\"x\"]}}", "an element of hooks.PreToolUse is of the kind string"},
		{"claude", ".claude/settings.json", "{\"hooks\": {\"PreToolUse\": [{}]}}", "an element of hooks.PreToolUse has no hooks"},
		{"claude", ".claude/settings.json", "{\"hooks\": {\"PreToolUse\": [{\"hooks\": 1}]}}", "hooks in an element of hooks.PreToolUse is of the kind number"},
		{"claude", ".claude/settings.json", "{\"a\": \"\xff\"}", "the text is not UTF-8"},
		{"codex", ".codex/hooks.json", "model = 1", ".codex/hooks.json:1:1: "},
		{"codex", ".codex/hooks.json", "{/**/}", "for which Codex leaves out"},
		{"gemini", ".gemini/settings.json", "{\"a\": 1,}", "for which Gemini CLI leaves out"},
		{"cursor", ".cursor/hooks.json", "{\"hooks\": {\"preToolUse\": 1}}", "hooks.preToolUse is of the kind number"},
		{"copilot", ".copilot/hooks/permctl.json", "{", ".copilot/hooks/permctl.json:1:2: "},
		{"opencode", ".config/opencode/plugins/permctl.js", "export const x = 1", "the file is there, and is not permctl's"},
		{"pi", ".pi/agent/extensions/permctl.js", "", "the file is there, and is not permctl's"},
		{"cline", "Documents/Cline/Hooks/PreToolUse", "#!/bin/sh\necho '{}'\n", "the file is there, and is not permctl's"},
		{"goose", ".agents/plugins/permctl/plugin.json", "{\"name\": \"other\"}", "the file is there, and is not permctl's"},
		{"goose", ".agents/plugins/permctl/hooks/hooks.json", "{", "hooks.json:1:2: "},
		{"kiro", ".kiro/agents/ops.json", "{", "ops.json:1:2: "},
		{"windsurf", ".codeium/windsurf/hooks.json", "null", "the whole text is of the kind null"},
	} {
		m := newMachine(t)
		m.write("home/"+tt.file, tt.text)
		before := m.tree()
		_, err := install.Install(find(t, tt.agent), install.User, m.places, program)
		if got := told(err); !strings.Contains(filepath.ToSlash(got), tt.want) || strings.HasSuffix(got, ": ") {
			t.Errorf("%s with %q: %q, want %q and a hint", tt.file, tt.text, got, tt.want)
		}
		if diff := cmp.Diff(before, m.tree()); diff != "" || len(m.kept()) != 0 {
			t.Errorf("%s with %q: it has written %s %v", tt.file, tt.text, diff, m.kept())
		}
	}
}

// TestRaced: a file that somebody changes between the plan and its application is
// theirs.
func TestRaced(t *testing.T) {
	m, claude := newMachine(t), find(t, "claude")
	m.write("home/.claude/settings.json", "{}")
	plan, err := install.Install(claude, install.User, m.places, program)
	if err != nil {
		t.Fatal(err)
	}
	path := m.write("home/.claude/settings.json", "{\"a\": 1}")
	err = plan.Apply()
	text, _ := os.ReadFile(path)
	if err == nil || !strings.Contains(err.Error(), "changed by somebody else") || string(text) != "{\"a\": 1}" || len(m.kept()) != 0 {
		t.Errorf("%v, %s, %v", err, text, m.kept())
	}
}

// TestRacedLater: of several files, it is said which were changed before one that
// could not be.
func TestRacedLater(t *testing.T) {
	m, kiro := newMachine(t), find(t, "kiro")
	first, second := m.write("home/.kiro/agents/a.json", "{}"), m.write("home/.kiro/agents/b.json", "{}")
	plan, err := install.Install(kiro, install.User, m.places, program)
	if err != nil {
		t.Fatal(err)
	}
	write(t, second, "{\"name\": \"b\"}")
	if err := plan.Apply(); err == nil || !strings.HasPrefix(err.Error(), second) || !strings.Contains(err.Error(), "(changed before that: "+first+")") || !strings.Contains(told(err), "again") {
		t.Errorf("%q, want what was wrong with %s, and %s named", told(err), second, first)
	}
	m.install(kiro, install.User)
	m.uninstall(kiro, install.User)
	for path, want := range map[string]string{first: "{}", second: "{\"name\": \"b\"}"} {
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("after all, %s is %q, %v", path, text, err)
		}
	}
}

// TestBackup: what the file was like is kept, and stays what it was before permctl
// first came, even if others have changed the file since.
func TestBackup(t *testing.T) {
	m, claude := newMachine(t), find(t, "claude")
	path := m.write("home/.claude/settings.json", "{\"model\": \"opus\"}\n")
	plan := m.install(claude, install.User)
	if text, err := os.ReadFile(plan.Changes[0].Backup); err != nil || string(text) != "{\"model\": \"opus\"}\n" {
		t.Errorf("the backup is %q, %v", text, err)
	}
	info, err := os.Stat(plan.Changes[0].Backup)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup has the mode %v, %v", info.Mode(), err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, strings.Replace(string(text), "opus", "haiku", 1))
	moved, err := install.Install(claude, install.User, m.places, "/usr/bin/permctl")
	m.apply(moved, err)
	m.uninstall(claude, install.User)
	if text, err := os.ReadFile(path); err != nil || string(text) != "{\"model\": \"haiku\"}\n" {
		t.Errorf("after all, the file is %q, %v", text, err)
	}
}

// TestForeignFileInOwnPlugin: a manifest stays as long as somebody's hooks need it.
func TestForeignFileInOwnPlugin(t *testing.T) {
	m, goose := newMachine(t), find(t, "goose")
	m.install(goose, install.User)
	const manifest, hooks = "home/.agents/plugins/permctl/plugin.json", "home/.agents/plugins/permctl/hooks/hooks.json"
	text, err := os.ReadFile(filepath.Join(m.dir, hooks))
	if err != nil {
		t.Fatal(err)
	}
	m.write(hooks, strings.Replace(string(text), `"hooks": {`, `"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],`, 1))
	m.uninstall(goose, install.User)
	tree := m.tree()
	if tree[manifest] == "" || !strings.Contains(tree[hooks], "say done") || strings.Contains(tree[hooks], "permctl") {
		t.Errorf("uninstall leaves %v", tree)
	}
}

// TestScopes has what is said of a scope that an agent does not have.
func TestScopes(t *testing.T) {
	m := newMachine(t)
	elsewhere, windows := m.places, m.places
	elsewhere.Workspace, windows.OS = "", "windows"
	for _, tt := range []struct {
		agent  string
		scope  install.Scope
		places install.Places
		want   string
	}{
		{"vscode", install.User, m.places, "VS Code has no file for the scope user that permctl knows of: use --project"},
		{"pi", install.Managed, m.places, "pi has no file for the scope managed that permctl knows of: use --user or --project"},
		{"claude", install.Project, elsewhere, "there is no project here: run permctl in the project's folder, or name it with --workspace"},
		{"cline", install.User, windows, "Cline has no file for hooks on windows that permctl knows of: "},
		{"codex", install.Managed, windows, "Codex has no file for the scope managed that permctl knows of: use --user or --project"},
	} {
		_, err := install.Install(find(t, tt.agent), tt.scope, tt.places, program)
		_, unErr := install.Uninstall(find(t, tt.agent), tt.scope, tt.places)
		if got := told(err); got != tt.want || told(unErr) != tt.want {
			t.Errorf("%s --%s: %q and %q, want %q", tt.agent, tt.scope, got, told(unErr), tt.want)
		}
	}
}

// told returns an error with its hint.
func told(err error) string {
	if err == nil {
		return ""
	}
	hint := ""
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		hint = hinted.Hint()
	}
	return fmt.Sprintf("%v: %s", err, hint)
}

// TestProgram has paths that cannot stay in anybody's settings.
func TestProgram(t *testing.T) {
	m := newMachine(t)
	for path, want := range map[string]string{
		"permctl":                          "not absolute",
		"/tmp/go-build12/b001/exe/permctl": "temporary",
		"/opt/permctl-1.2":                 "known by the name permctl",
		"/opt/$HOME/permctl":               "a character that shells",
		"/opt/a\"b/permctl":                "a character that shells",
		"/opt/a\nb/permctl":                "a character that shells",
		`/opt/a\b/permctl`:                 "a character that shells",
	} {
		if _, err := install.Install(find(t, "claude"), install.User, m.places, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", path, err, want)
		}
	}
}

// TestFind has the names of agents, and of what is none.
func TestFind(t *testing.T) {
	for name, want := range map[string]string{"claude-code": "claude", "droid": "factory", "claude": "claude"} {
		if a, err := install.Find(name); err == nil && a.Name != want || err != nil && name == "claude" {
			t.Errorf("%s is %v, %v", name, a, err)
		}
	}
	for name, want := range map[string]string{
		"acp": "acp has no hooks to install", "auto": `unknown agent "auto"`, "": `unknown agent ""`, "cluade": `did you mean`,
	} {
		if _, err := install.Find(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
}

// TestNotes has what a person is told of.
func TestNotes(t *testing.T) {
	for name, tt := range map[string]struct {
		agent string
		scope install.Scope
		files map[string]string
		want  string // a part of one of the notes
	}{
		"hooks are off":              {"claude", install.User, map[string]string{"home/.claude/settings.json": "{\n\"disableAllHooks\": true}"}, "settings.json:2 has disableAllHooks: true"},
		"hooks are off elsewhere":    {"claude", install.User, map[string]string{"work/.claude/settings.local.json": `{"disableAllHooks": true}`}, "settings.local.json:1 has disableAllHooks: true"},
		"hooks are off in Gemini":    {"gemini", install.User, map[string]string{"home/.gemini/settings.json": `{"hooksConfig": {"enabled": false}}`}, "hooksConfig.enabled: false"},
		"permctl is there, too":      {"claude", install.User, map[string]string{"work/.claude/settings.json": `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "permctl hook claude"}]}]}}`}, "decided twice"},
		"Codex wants trust":          {"codex", install.User, nil, "until you trust it"},
		"a project is shared":        {"claude", install.Project, nil, "whoever shares this project"},
		"Kiro gets an agent":         {"kiro", install.User, nil, "start Kiro with --agent permctl"},
		"Cline has to run its hooks": {"cline", install.User, nil, "turn on Enable Hooks"},
	} {
		m := newMachine(t)
		for file, text := range tt.files {
			m.write(file, text)
		}
		notes := m.install(find(t, tt.agent), tt.scope).Notes
		if !slices.ContainsFunc(notes, func(note string) bool { return strings.Contains(note, tt.want) }) {
			t.Errorf("%s: %q, want %q", name, notes, tt.want)
		}
	}
	m := newMachine(t)
	m.write("home/.claude/settings.json", `{"disableAllHooks": false}`)
	if notes := m.install(find(t, "claude"), install.User).Notes; len(notes) != 0 {
		t.Errorf("where all is well: %q", notes)
	}
	m.write("home/.claude/settings.json", `{"disableAllHooks": true}`)
	if notes := m.install(find(t, "claude"), install.Managed).Notes; slices.ContainsFunc(notes, func(note string) bool { return strings.Contains(note, "disableAllHooks") }) {
		t.Errorf("for the machine, whose hooks no user turns off: %q", notes)
	}
	notes := m.uninstall(find(t, "claude"), install.Project).Notes
	if want := "still has permctl as a hook: permctl uninstall claude --managed"; !slices.ContainsFunc(notes, func(note string) bool { return strings.Contains(note, want) }) {
		t.Errorf("uninstall says %q, want %q", notes, want)
	}
}
