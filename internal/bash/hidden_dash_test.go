//go:build unix

package bash_test

import (
	"context"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/bash"
)

// notFound is how dash reports a command that it does not find.
var notFound = regexp.MustCompile(`(?m)^\S*dash: \d+: (m\d+): not found$`)

// inDash returns the names of the commands that dash runs of a script, in an empty
// directory without programs.
func inDash(t *testing.T, dash, script string) []string {
	t.Helper()
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, dash, "-c", "ulimit -t 2 -f 64; exec \"$0\" -c \"$1\" </dev/null", dash, script)
	cmd.Dir, cmd.Env = dir, []string{"PATH=/nonexistent", "HOME=" + dir, "LC_ALL=C.UTF-8"}
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	out, _ := cmd.CombinedOutput() // most scripts fail
	_ = cmd.Cancel()
	var ran []string
	for _, m := range notFound.FindAllSubmatch(out, -1) {
		ran = append(ran, string(m[1]))
	}
	return ran
}

// TestDashRunsNoMore is [TestNothingIsHidden] for texts that dash reads.
func TestDashRunsNoMore(t *testing.T) {
	dash, err := exec.LookPath("dash")
	if err != nil {
		t.Skip("there is no dash")
	}
	ran := 0
	for range *hiddenLines / 4 {
		choices := make([]byte, 10+rand.IntN(60))
		for i := range choices {
			choices[i] = byte(rand.UintN(256))
		}
		script := generate(choices)
		s := bash.Parse("sh -c '"+strings.ReplaceAll(script, "'", `'\''`)+"'", nil)
		if len(s.Unparsed) > 0 {
			continue
		}
		names := inDash(t, dash, script)
		ran += len(names)
		for _, name := range names {
			if !slices.ContainsFunc(s.Commands, func(c bash.Command) bool { return c.Program == name }) {
				t.Errorf("%q: dash runs %s, which is not listed", script, name)
			}
		}
	}
	t.Logf("dash ran %d commands", ran)
}
