package install_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/install"
)

// forgetAll removes the records.
func (m machine) forgetAll() {
	m.Helper()
	for _, folder := range records {
		if err := os.RemoveAll(filepath.Join(m.dir, folder)); err != nil {
			m.Fatal(err)
		}
	}
}

// TestRecordLostFresh: without its records, too, uninstall leaves nothing of what
// permctl has made where there was nothing, but the folders.
func TestRecordLostFresh(t *testing.T) {
	everyScope(t, func(t *testing.T, a *install.Agent, scope install.Scope) {
		m := newMachine(t)
		changes := m.install(a, scope).Changes
		m.forgetAll()
		m.uninstall(a, scope)
		for _, change := range changes {
			if filepath.Base(change.Path) == "plugin.json" || a.Name == "kiro" && scope == install.User {
				continue // says what it is, and has no hook
			}
			if text, err := os.ReadFile(change.Path); err == nil {
				t.Errorf("uninstall leaves %s with %s", change.Path, text)
			}
		}
	})
}

// TestRecordLostBefore has what is left of files that there were before.
func TestRecordLostBefore(t *testing.T) {
	for _, tt := range []struct{ agent, file, before, want string }{
		{"claude", "home/.claude/settings.json", "{\n  \"model\": \"opus\"\n}\n", "{\n  \"model\": \"opus\"\n}\n"},
		{"claude", "home/.claude/settings.json", "{\"hooks\": {\"Stop\": []}}\n", "{\"hooks\": {\"Stop\": []}}\n"}, // was not permctl's to empty
		{"claude", "home/.claude/settings.json", "{\"permissions\": {}}\n", "{\"permissions\": {}}\n"},
		{"gemini", "home/.gemini/settings.json", "{\n  // mine\n}\n", "{\n  // mine\n}\n"},
		{"gemini", "home/.gemini/settings.json", "{\"hooks\": {\"enabled\": true}}", "{\"hooks\": {\"enabled\": true}}"},
		{"cursor", "home/.cursor/hooks.json", "{\n  \"version\": 2\n}\n", "{\n  \"version\": 2\n}\n"},
		{"cursor", "home/.cursor/hooks.json", "{\n  \"version\": 1\n}\n", "absent"},
		{"claude", "home/.claude/settings.json", "{}\n", "absent"},
	} {
		m := newMachine(t)
		path := m.write(tt.file, tt.before)
		m.install(find(t, tt.agent), install.User)
		m.forgetAll()
		m.uninstall(find(t, tt.agent), install.User)
		got, err := os.ReadFile(path)
		if err != nil {
			got = []byte("absent")
		}
		if diff := cmp.Diff(tt.want, string(got)); diff != "" {
			t.Errorf("of %q there is left (-want +got):\n%s", tt.before, diff)
		}
	}
}

// TestRecordLostLink: a file to which a link leads stays, with nothing in it.
func TestRecordLostLink(t *testing.T) {
	m, claude := newMachine(t), find(t, "claude")
	m.install(claude, install.User)
	m.move("home/.claude/settings.json", "home/dot/s.json")
	m.forgetAll()
	m.uninstall(claude, install.User)
	m.isLink(filepath.Join(m.dir, "home/.claude/settings.json"))
	if text, err := os.ReadFile(filepath.Join(m.dir, "home/dot/s.json")); err != nil || strings.TrimSpace(string(text)) != "{}" {
		t.Errorf("it is %q, %v", text, err)
	}
}
