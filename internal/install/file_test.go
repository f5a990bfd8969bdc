package install_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/install"
)

// link makes a symbolic link on the machine.
func (m machine) link(to, name string) {
	m.Helper()
	path := filepath.Join(m.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		m.Fatal(err)
	}
	if err := os.Symlink(to, path); err != nil {
		m.Skip(err) // not everybody may, on Windows
	}
}

// TestLink: settings that are a link, as people have them who keep theirs in a
// repository, stay one.
func TestLink(t *testing.T) {
	m, claude := newMachine(t), find(t, "claude")
	real := m.write("home/dotfiles/claude.json", "{\"model\": \"opus\"}")
	m.link("../dotfiles/claude.json", "home/.claude/settings.json")
	m.install(claude, install.User)
	path := filepath.Join(m.dir, "home/.claude/settings.json")
	to, err := os.Readlink(path)
	text, readErr := os.ReadFile(real)
	if err != nil || readErr != nil || to != "../dotfiles/claude.json" || !strings.Contains(string(text), program) {
		t.Errorf("it leads to %q, with %q, %v, %v", to, text, err, readErr)
	}
	m.uninstall(claude, install.User)
	if text, err := os.ReadFile(real); err != nil || string(text) != "{\"model\": \"opus\"}" {
		t.Errorf("after all it is %q, %v", text, err)
	}
}

// TestNotToBeChanged has files that are left alone because of what and where they
// are.
func TestNotToBeChanged(t *testing.T) {
	for name, tt := range map[string]struct {
		scope install.Scope
		make  func(machine)
		want  string
	}{
		"a link to nowhere":   {install.User, func(m machine) { m.link("gone", "home/.claude/settings.json") }, "is a link to what is not there"},
		"a folder to nowhere": {install.User, func(m machine) { m.link("gone", "home/.claude") }, "is a link to what is not there"},
		"a link to itself":    {install.User, func(m machine) { m.link("settings.json", "home/.claude/settings.json") }, "too many links"},
		"a folder":            {install.User, func(m machine) { m.write("home/.claude/settings.json/x", "") }, "is no regular file"},
		"a file for a folder": {install.User, func(m machine) { m.write("home/.claude", "") }, "not a directory"},
		"a project that leads elsewhere": {install.Project, func(m machine) {
			m.write("home/.claude/settings.json", "{}")
			m.link("../../home/.claude/settings.json", "work/.claude/settings.json")
		}, "which is not in the project"},
		"a project's folder that leads elsewhere": {install.Project, func(m machine) {
			m.write("home/.claude/x", "")
			m.link("../home/.claude", "work/.claude")
		}, "which is not in the project"},
		"a read-only file": {install.User, func(m machine) {
			if err := os.Chmod(m.write("home/.claude/settings.json", "{}"), 0o400); err != nil {
				m.Fatal(err)
			}
		}, "is read-only (mode -r--------)"},
		"somebody's file for the whole machine": {install.Managed, func(m machine) {
			path := m.write("root/etc/claude-code/managed-settings.json", "{}")
			if os.Geteuid() != 0 {
				m.Skip("only root can give a file away")
			}
			if err := os.Chown(path, 12345, 12345); err != nil {
				m.Fatal(err)
			}
		}, "belongs to another user"},
		"a home of somebody else's": {install.User, func(m machine) {
			if os.Geteuid() != 0 {
				m.Skip("only root can give a folder away")
			}
			if err := os.Chown(filepath.Join(m.dir, "home"), 12345, 12345); err != nil {
				m.Fatal(err)
			}
		}, "would be root's, in a folder of another user"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			tt.make(m)
			_, err := install.Install(find(t, "claude"), tt.scope, m.places, program)
			if err == nil || !strings.Contains(err.Error(), tt.want) || len(m.kept()) != 0 {
				t.Errorf("%v, want %q; kept are %v", err, tt.want, m.kept())
			}
		})
	}
}

// TestLinkWithinProject: where a project's link leads is the project's business, as
// long as that is the project.
func TestLinkWithinProject(t *testing.T) {
	m, claude := newMachine(t), find(t, "claude")
	path := m.write("work/tools/claude.json", "{}")
	m.link("../tools/claude.json", "work/.claude/settings.json")
	m.install(claude, install.Project)
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), program) {
		t.Errorf("%q, %v", text, err)
	}
}

// TestOwnerAndMode: a file that is there keeps both.
func TestOwnerAndMode(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	m := newMachine(t)
	path := m.write("home/.claude/settings.json", "{}")
	if err := os.Chown(path, 12345, 54321); err != nil {
		t.Skip(err)
	}
	if err := os.Chmod(path, 0o664); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	m.install(find(t, "claude"), install.User)
	after, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if ownerOf(after) != ownerOf(before) || after.Mode() != before.Mode() {
		t.Errorf("it was %v of %s, and is %v of %s", before.Mode(), ownerOf(before), after.Mode(), ownerOf(after))
	}
}

// TestGlobIsNoPattern: a home that looks like a pattern is none.
func TestGlobIsNoPattern(t *testing.T) {
	m, kiro := newMachine(t), find(t, "kiro")
	m.places.Home = filepath.Join(m.dir, "home", "[a-b]?")
	m.write("home/[a-b]?/.kiro/agents/ops.json", "{\"name\": \"ops\"}\n")
	m.write("home/[a-b]?/.kiro/agents/dev.json", "{\"name\": \"dev\"}\n")
	plan := m.install(kiro, install.User)
	if len(plan.Changes) != 2 {
		t.Errorf("it has changed %v", plan.Changes)
	}
}

// TestDiff has what --dry-run shows, of which nothing is written.
func TestDiff(t *testing.T) {
	m, codex := newMachine(t), find(t, "codex")
	m.write("home/.codex/hooks.json", "{\n  \"hooks\": {\n    \"PreToolUse\": [],\n    \"PermissionRequest\": [\n    ]\n  }\n}\n")
	before := m.tree()
	plan, err := install.Install(codex, install.User, m.places, program)
	if err != nil {
		t.Fatal(err)
	}
	diff := string(plan.Changes[0].Diff())
	for _, line := range []string{"\n+++ b" + filepath.ToSlash(m.dir) + "/home/.codex/hooks.json\n", "\n-    \"PreToolUse\": [],\n", "\n+            \"command\": \"/opt/bin/permctl hook codex || exit 2\",\n"} {
		if !strings.Contains(diff, line) {
			t.Errorf("the diff has no %q:\n%s", line, diff)
		}
	}
	if diff := cmp.Diff(before, m.tree()); diff != "" || len(m.kept()) != 0 {
		t.Errorf("it has written %s %v", diff, m.kept())
	}
}
