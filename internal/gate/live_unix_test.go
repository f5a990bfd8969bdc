//go:build unix

package gate_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPortNoteIsAPipe holds that nobody can make a gate wait by what lies where a
// daemon notes its port.
func TestPortNoteIsAPipe(t *testing.T) {
	w := newWorld(t)
	if err := os.MkdirAll(w.config.Dirs.State, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(w.config.Dirs.State, "permctl.address"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.open(t)
}
