//go:build unix

package bash_test

import (
	"bytes"
	"context"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/bash"
)

// prelude makes bash report every command that it does not find, with its
// arguments: there is no program to be found, so that is every command of a
// generated script that it runs.
const prelude = `command_not_found_handle() {
	builtin printf '%s\0' "$@" $'\1' >&9
	case $1 in *[02468]) return 0 ;; esac
	return 1
}
`

// A real is a bash that runs scripts in an empty directory, without programs.
type real struct {
	bash, prelude, home string
	scripts             atomic.Int64
}

func newReal(t testing.TB) *real {
	t.Helper()
	path, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	version, err := exec.Command(path, "-c", "echo ${BASH_VERSINFO[0]}").Output()
	if err != nil || len(version) == 0 || version[0] < '5' {
		t.Skipf("bash is older than 5: %s", version)
	}
	file := filepath.Join(t.TempDir(), "prelude")
	if err := os.WriteFile(file, []byte(prelude), 0o600); err != nil {
		t.Fatal(err)
	}
	return &real{bash: path, prelude: file, home: t.TempDir()}
}

// run returns the commands that bash runs of a script, each with its arguments.
func (r *real) run(t testing.TB, script string) [][]string {
	t.Helper()
	dir := filepath.Join(r.home, strconv.FormatInt(r.scripts.Add(1), 10))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Error(err)
		return nil
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Error(err)
		return nil
	}
	defer reader.Close()
	cmd := exec.CommandContext(ctx, r.bash, "-c", "ulimit -t 2 -f 64 -u 400 2>&-; exec \"$0\" -c \"$1\" 9>&3 3>&-", r.bash, script)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/nonexistent", "HOME=" + dir, "BASH_ENV=" + r.prelude, "LC_ALL=C.UTF-8"}
	cmd.ExtraFiles = []*os.File{writer}
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	kill := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // with all that it has started
	cmd.Cancel = kill
	err = cmd.Start()
	writer.Close()
	if err != nil {
		t.Error(err)
		return nil
	}
	done := make(chan []byte)
	go func() {
		log, _ := io.ReadAll(reader)
		done <- log
	}()
	_ = cmd.Wait() // most scripts fail
	var log []byte
	select {
	case log = <-done:
	case <-ctx.Done():
		_ = kill()
		log = <-done
	}
	_ = kill() // what still runs writes no report
	var ran [][]string
	for entry := range bytes.SplitSeq(log, []byte("\x00\x01\x00")) {
		if len(entry) > 0 {
			ran = append(ran, strings.Split(string(entry), "\x00"))
		}
	}
	return ran
}

var aMarker = regexp.MustCompile(`^m[0-9]+$`)

// hides says which command bash runs that the analyser does not list, or lists
// with other arguments, in a script of which it does not say that some of it is
// unparsed.
func hides(script string, ran [][]string) string {
	s := bash.Parse(script, nil)
	if len(s.Unparsed) > 0 {
		return ""
	}
	for _, words := range ran {
		if !aMarker.MatchString(words[0]) {
			continue
		}
		listed, same := false, false
		for _, c := range s.Commands {
			if c.Program != words[0] {
				continue
			}
			listed = true
			args := make([]string, len(c.Args))
			sure := true
			for i, w := range c.Args {
				args[i] = w.Text
				sure = sure && !w.Dynamic && !w.Glob && !strings.HasPrefix(w.Text, "~")
			}
			sure = sure && !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "\n") }) // reports may be mixed
			same = same || !sure || slices.Equal(args, words[1:])
		}
		switch {
		case !listed && torn(s, words[0]):
		case !listed:
			return "is not listed: " + strings.Join(words, " ")
		case !same:
			return "is listed with other arguments: " + strings.Join(words, "|")
		}
	}
	return ""
}

// torn reports whether a report may be the rest of another one, whose command was
// given a line break: what writes at the same time gets in between.
func torn(s bash.Script, rest string) bool {
	return slices.ContainsFunc(s.Commands, func(c bash.Command) bool {
		return slices.ContainsFunc(c.Args, func(w bash.Word) bool { return strings.Contains(w.Text, "\n"+rest) })
	})
}

var hiddenLines = flag.Int("hidden", 1000, "how many scripts TestNothingIsHidden generates")

// TestNothingIsHidden holds the analyser against bash, by scripts that are new in
// each run.
func TestNothingIsHidden(t *testing.T) {
	r := newReal(t)
	var unparsed atomic.Int64
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for range workers {
		group.Go(func() {
			for range *hiddenLines / workers {
				choices := make([]byte, 10+rand.IntN(60))
				for i := range choices {
					choices[i] = byte(rand.UintN(256))
				}
				script := generate(choices)
				if hidden := hides(script, r.run(t, script)); hidden != "" {
					t.Errorf("%q: %s", script, hidden)
				}
				if len(bash.Parse(script, nil).Unparsed) > 0 {
					unparsed.Add(1)
				}
			}
		})
	}
	group.Wait()
	t.Logf("%d scripts, of which %d are unparsed in part", *hiddenLines, unparsed.Load())
}

// FuzzHidden is [TestNothingIsHidden] with scripts that the fuzzer chooses.
func FuzzHidden(f *testing.F) {
	for n := range 40 {
		choices := make([]byte, 40)
		for i := range choices {
			choices[i] = byte(n*31 + i*n)
		}
		f.Add(choices)
	}
	r := newReal(f)
	f.Fuzz(func(t *testing.T, choices []byte) {
		script := generate(choices[:min(len(choices), 200)])
		if hidden := hides(script, r.run(t, script)); hidden != "" {
			t.Errorf("%q: %s", script, hidden)
		}
	})
}
