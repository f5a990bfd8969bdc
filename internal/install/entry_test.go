package install_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/permctl/permctl/internal/install"
)

// find returns the agent called name.
func find(t *testing.T, name string) *install.Agent {
	t.Helper()
	for _, a := range install.Agents {
		if a.Name == name {
			return a
		}
	}
	t.Fatalf("there is no agent %s", name)
	return nil
}

// write writes a file, with the folders that it lies in.
func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestEntries(t *testing.T) {
	home, workspace := t.TempDir(), t.TempDir()
	user := filepath.Join(home, ".claude", "settings.json")
	project := filepath.Join(workspace, ".claude", "settings.local.json")
	write(t, user, `{"hooks": {
  "PreToolUse": [
    {"matcher": "Bash", "hooks": [{"type": "command", "command": "~/bin/audit.sh || true", "timeout": 5}]},
    {"matcher": "*", "hooks": [{"type": "command", "command": "'/opt/my tools/permctl' hook claude", "timeout": 60}]}
  ],
  "PostToolUse": [{"hooks": [{"type": "command", "command": "permctl hook claude"}]}]
}}`)
	write(t, project, `{"hooks": {"PermissionRequest": [{"matcher": "Bash", "hooks": [
  {"type": "command", "command": "/opt/permctl", "args": ["hook", "claude-code"]}]}]}}`)
	got, err := install.Entries(find(t, "claude"), install.Places{Home: home, Workspace: workspace, Root: t.TempDir(), OS: "linux"})
	if err != nil {
		t.Fatal(err)
	}
	want := []install.Entry{
		{File: user, Line: 3, Scope: install.User, Event: "PreToolUse", Matcher: "Bash", Shell: "~/bin/audit.sh || true", Timeout: 5 * time.Second},
		{
			File: user, Line: 4, Scope: install.User, Event: "PreToolUse", Matcher: "*", All: true, Shell: "'/opt/my tools/permctl' hook claude",
			Timeout: time.Minute, Ours: true, Program: "/opt/my tools/permctl",
		},
		{
			File: project, Line: 2, Scope: install.Project, Event: "PermissionRequest", Matcher: "Bash", Argv: []string{"/opt/permctl", "hook", "claude-code"},
			Ours: true, Program: "/opt/permctl", Flaw: `its matcher "Bash" leaves out other tools`,
		},
	}
	if diff := cmp.Diff(got, want, cmpopts.IgnoreUnexported(install.Entry{})); diff != "" {
		t.Error(diff)
	}
}
