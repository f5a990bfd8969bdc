package server

import (
	"os"
	"os/exec"
	"testing"

	"github.com/creack/pty"
)

// TestBelongs holds that the family of an agent is told from others.
func TestBelongs(t *testing.T) {
	start := func(terminal bool) int {
		cmd := exec.CommandContext(t.Context(), "sleep", "60")
		if terminal {
			f, err := pty.Start(cmd)
			if err != nil {
				t.Skip(err)
			}
			t.Cleanup(func() { f.Close() })
		} else if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
		return cmd.Process.Pid
	}
	own, child, atTerminal := os.Getpid(), start(false), start(true)
	started := processOf(own).started
	self := origin{own, started}
	for _, tt := range []struct {
		name  string
		pid   int
		agent origin
		want  bool
	}{
		{"itself", own, self, true},
		{"what it has started", child, self, true},
		{"its parent", os.Getppid(), self, false},
		{"another", own, origin{child, processOf(child).started}, false},
		{"one that had its number before", child, origin{own, started - 1}, false},
		{"at a terminal that it has opened", atTerminal, self, false},
		{"one that has gone, so that nobody can tell", 1 << 30, self, true},
	} {
		if got := belongs(tt.pid, []origin{{1, 0}, tt.agent}); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
