package workspace_test

import (
	"os"
	"path/filepath"
	"testing"
)

// A link in /proc leads elsewhere for the agent than for permctl.
func TestResolveProc(t *testing.T) {
	tr := newTree(t)
	if err := os.Symlink("/proc/self/cwd", filepath.Join(tr.dir, "ws", "magic")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(tr.path("/ws"))
	if got := tr.Resolve(tr.path("/ws"), "magic/a.go"); got.Inside || got.Real != "/proc/self/cwd/a.go" {
		t.Errorf("Resolve(%q) = %+v, want outside", "magic/a.go", got)
	}
}
