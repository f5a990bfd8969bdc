//go:build unix

package doctor_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/permctl/permctl/internal/doctor"
	"github.com/permctl/permctl/internal/hook"
)

func TestRun(t *testing.T) {
	outcome := func(status int, stdout, stderr string) hook.Outcome {
		return hook.Outcome{Answer: hook.Answer{Status: status, Stdout: []byte(stdout), Stderr: stderr}}
	}
	dir := t.TempDir()
	for _, test := range []struct {
		name, script string
		want         hook.Outcome
	}{
		{"a program reads, and writes on both streams", `echo "got $(cat)"; echo oh >&2; exit 3`, outcome(3, "got a call\n", "oh\n")},
		{"its folder and environment are its own", `pwd; echo "$COLOUR"; test -z "$HOME"`, outcome(0, dir+"\nred\n", "")},
		{"a signal has the status that shells say", `kill -KILL $$`, outcome(137, "", "")},
		{"a program that does not read", `exec <&-; echo done`, outcome(0, "done\n", "")},
		{"what it leaves behind holds up nobody", `echo done; sleep 3600 & exit 0`, outcome(0, "done\n", "")},
		{"it writes more than is kept", `head -c 3000000 /dev/zero | tr '\0' x`, outcome(0, strings.Repeat("x", 1<<20), "")},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := doctor.Run(t.Context(), doctor.Process{
				Argv: []string{"sh", "-c", test.script}, Dir: dir, Env: []string{"COLOUR=red", "PATH=" + os.Getenv("PATH")},
				Stdin: []byte("a call"), Time: time.Minute,
			})
			if same := cmp.Equal(test.want, got, cmpopts.EquateEmpty()); !same {
				t.Errorf("got %.300v, want %.300v", got, test.want)
			}
		})
	}
	for _, program := range []string{"no-such-program", filepath.Join(dir, "none"), dir} {
		if got := doctor.Run(t.Context(), doctor.Process{Argv: []string{program}, Dir: dir, Time: time.Minute}); !got.Missing {
			t.Errorf("%s: %+v, want that it is missing", program, got)
		}
	}
}

// A hook that hangs ends at its deadline, and its children end with it: those that
// it waits for, and those that have nothing to do with its streams.
func TestRunEndsChildren(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "alive")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	// Each child has the fifo open for as long as it lives.
	script := `exec 3> "$0"; (sleep 3600 & sleep 3600) & sleep 3600 > /dev/null 2>&1 < /dev/null & sleep 3600`
	ended := make(chan error, 1)
	go func() {
		file, err := os.Open(fifo)
		if err == nil {
			_, err = io.ReadAll(file)
			_ = file.Close() // it was only read
		}
		ended <- err
	}()
	started := time.Now()
	got := doctor.Run(t.Context(), doctor.Process{
		Argv: []string{"sh", "-c", script, fifo}, Dir: t.TempDir(), Env: os.Environ(), Time: 300 * time.Millisecond,
	})
	if !got.TimedOut {
		t.Errorf("%+v, want that it has timed out", got)
	}
	if took := time.Since(started); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("a child lives on")
	}
}
