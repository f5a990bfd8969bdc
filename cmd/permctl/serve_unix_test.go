//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
	"github.com/permctl/permctl/internal/client/clienttest"
	"github.com/permctl/permctl/internal/permission"
)

// A world is a user who has a project, and a daemon that has somebody to ask.
type world struct {
	*testing.T

	dir    string // of all that is the user's
	daemon *exec.Cmd
	client *client.Client

	// console is the console's address: who has asked, or started those who have,
	// is not told later.
	console string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"config/permctl/settings.yaml": "permission:\n  \"*\": ask\n  bash:\n    \"ls *\": allow\n    \"rm *\": deny\n",
		"app/.git/HEAD":                "",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return &world{T: t, dir: dir}
}

// command returns permctl, to be started in the project.
func (w *world) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(w.Context(), "permctl", args...)
	cmd.Dir = filepath.Join(w.dir, "app")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.dir, "XDG_CONFIG_HOME=" + filepath.Join(w.dir, "config"), "XDG_STATE_HOME=" + filepath.Join(w.dir, "state"), "USER=ann"}
	cmd.WaitDelay = time.Second
	return cmd
}

// serve starts a daemon, and returns when it answers.
func (w *world) serve() {
	w.Helper()
	w.daemon = w.command("serve", "--attended", "--listen", "127.0.0.1:0")
	stdout, err := w.daemon.StdoutPipe()
	if err != nil {
		w.Fatal(err)
	}
	if err := w.daemon.Start(); err != nil {
		w.Fatal(err)
	}
	daemon := w.daemon
	w.Cleanup(func() {
		_ = daemon.Process.Kill() // it may have ended
		_ = daemon.Wait()
	})
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		w.Fatalf("the daemon does not start: %q, %v", line, err)
	}
	if w.client, err = client.Dial(filepath.Join(w.dir, "state", "permctl", api.Socket)); err != nil {
		w.Fatal(err)
	}
	if w.console, err = w.client.Console(w.Context()); err != nil {
		w.Fatal(err)
	}
}

// signal sends the daemon a signal.
func (w *world) signal(s syscall.Signal) {
	w.Helper()
	if err := w.daemon.Process.Signal(s); err != nil {
		w.Fatal(err)
	}
}

// awaitPending waits until so many requests are pending.
func (w *world) awaitPending(count int) []api.Pending {
	w.Helper()
	limit := time.After(20 * time.Second)
	for {
		pending, err := w.client.Pending(w.Context(), "")
		if err == nil && len(pending) == count {
			return pending
		}
		select {
		case <-limit:
			w.Fatalf("%d requests are pending, want %d (%v)", len(pending), count, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// reply answers a request as the console does: this process has started the hooks,
// and none that an agent has started may reply over the socket.
func (w *world) reply(p api.Pending, word api.Word) {
	w.Helper()
	address, token, _ := strings.Cut(w.console, "#token=")
	body := strings.NewReader(fmt.Sprintf(`{"reply": %q, "by": "console"}`, word))
	r, err := http.NewRequestWithContext(w.Context(), http.MethodPost, address+"v1/pending/"+p.ID+"/reply", body)
	if err != nil {
		w.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	said, err := http.DefaultClient.Do(r)
	if err != nil {
		w.Fatal(err)
	}
	defer said.Body.Close()
	if said.StatusCode != http.StatusOK {
		text, err := io.ReadAll(said.Body)
		w.Fatalf("the reply gets %s: %s, %v", said.Status, text, err)
	}
}

// A process is one of permctl that asks the daemon.
type process struct {
	*exec.Cmd

	stdout, stderr bytes.Buffer
	ended          chan struct{} // closed when it has ended by itself
}

func (w *world) start(stdin string, args ...string) *process {
	w.Helper()
	r := &process{Cmd: w.command(args...), ended: make(chan struct{})}
	r.Stdin, r.Stdout, r.Stderr = strings.NewReader(stdin), &r.stdout, &r.stderr
	if err := r.Start(); err != nil {
		w.Fatal(err)
	}
	go func() {
		_ = r.Wait() // its status is what counts
		close(r.ended)
	}()
	return r
}

// hook starts Claude Code's hook for a command, in a session of its own.
func (w *world) hook(session, command string, args ...string) *process {
	w.Helper()
	payload, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "session_id": session, "cwd": filepath.Join(w.dir, "app"), "tool_name": "Bash", "tool_input": map[string]any{"command": command},
	})
	if err != nil {
		w.Fatal(err)
	}
	return w.start(string(payload), append([]string{"hook", "claude"}, args...)...)
}

// says waits until a process has ended, and returns its status and what it says.
func (w *world) says(r *process, within time.Duration) (status int, stdout, stderr string) {
	w.Helper()
	select {
	case <-r.ended:
	case <-time.After(within):
		w.Fatalf("%s has not ended within %v", r, within)
	}
	return r.ProcessState.ExitCode(), r.stdout.String(), r.stderr.String()
}

// wantHook asserts that a hook ends in time with a decision, and with a reason that
// has a text in it.
func (w *world) wantHook(r *process, within time.Duration, reason, decision string) {
	w.Helper()
	status, stdout, stderr := w.says(r, within)
	var said struct {
		Output struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(stdout), &said); err != nil || status != 0 {
		w.Errorf("a hook ends with status %d, %v: %s%s", status, err, stdout, stderr)
		return
	}
	if said.Output.Decision != decision || !strings.Contains(said.Output.Reason, reason) {
		w.Errorf("a hook says %s: %s, want %s, with %q", said.Output.Decision, said.Output.Reason, decision, reason)
	}
}

// wantNo asserts that permctl ask ends in time, and says no.
func (w *world) wantNo(r *process, within time.Duration, text string) {
	w.Helper()
	status, stdout, stderr := w.says(r, within)
	if status != statusDeny && status != statusFail || strings.Contains(stdout, `"allowed"`) || !strings.Contains(stdout+stderr, text) {
		w.Errorf("permctl ask ends with status %d, want 1 or 2, with %q: %s%s", status, text, stdout, stderr)
	}
}

// waiting starts hooks and askers for whom a person has to decide, and returns
// when all of them wait.
func (w *world) waiting(wait string) (hooks, askers []*process) {
	w.Helper()
	for i := range 4 {
		hooks = append(hooks, w.hook(fmt.Sprintf("s%d", i), "git push", "--wait", wait))
	}
	askers = append(askers,
		w.start("", "ask", "bash", "git push", "--wait", wait),
		w.start(`{"tool": "bash", "input": {"command": "git push"}, "session": "s9"}`, "ask", "--json", "--wait", wait),
	)
	w.awaitPending(len(hooks) + len(askers))
	return hooks, askers
}

// TestKilled asserts that whoever waits hears a no, and that agents ask by
// themselves, when the daemon is killed, and that one that is started again has what was
// approved.
func TestKilled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.serve()
	approved := w.hook("s0", "npm test")
	w.reply(w.awaitPending(1)[0], api.Always)
	w.wantHook(approved, time.Minute, "", "allow")

	hooks, askers := w.waiting("50s")
	w.signal(syscall.SIGKILL)
	for _, r := range hooks {
		w.wantHook(r, 5*time.Second, "", "ask")
	}
	for _, r := range askers {
		w.wantNo(r, 5*time.Second, "")
	}

	// without the daemon, its socket is there still
	w.wantHook(w.hook("s1", "npm test"), 5*time.Second, "", "allow")
	w.wantHook(w.hook("s1", "git push"), 5*time.Second, "", "ask")
	w.wantNo(w.start("", "ask", "bash", "git push"), 5*time.Second, "no daemon runs")

	w.serve()
	w.awaitPending(0)
	w.wantHook(w.hook("s2", "npm test"), time.Minute, "", "allow")
	asked := w.hook("s2", "git push")
	w.reply(w.awaitPending(1)[0], api.Once)
	w.wantHook(asked, time.Minute, "a person allowed it", "allow")
}

// TestHangs asserts that hooks decide by themselves when the daemon does not
// answer, and that those who wait do so no longer than they were told.
func TestHangs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.serve()
	hooks, askers := w.waiting("6s")
	w.signal(syscall.SIGSTOP)
	for command, want := range map[string]string{"ls -l": "allow", "rm x": "deny", "git push": "ask"} {
		w.wantHook(w.hook("s8", command), 6*time.Second, "", want)
	}
	for _, r := range hooks {
		w.wantHook(r, 10*time.Second, "", "ask")
	}
	for _, r := range askers {
		w.wantNo(r, 25*time.Second, "the daemon has not answered in time")
	}

	// what it does when it goes on is too late
	w.signal(syscall.SIGCONT)
	w.awaitPending(0)
	w.wantHook(w.hook("s8", "ls -l"), 5*time.Second, "", "allow")
}

// TestStopped asserts that agents ask by themselves when the daemon stops, and that
// who else waits is told why there is no answer.
func TestStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.serve()
	hooks, askers := w.waiting("50s")
	w.signal(syscall.SIGTERM)
	for _, r := range hooks {
		w.wantHook(r, 5*time.Second, "", "ask")
	}
	for _, r := range askers {
		w.wantNo(r, 5*time.Second, "permctl is stopping")
	}
	ended, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	context.AfterFunc(ended, func() { _ = w.daemon.Process.Kill() })
	if err := w.daemon.Wait(); err != nil {
		t.Errorf("the daemon ends with %v", err)
	}
	if _, err := os.Lstat(filepath.Join(w.dir, "state", "permctl", api.Socket)); !os.IsNotExist(err) {
		t.Errorf("its socket is there still: %v", err)
	}
}

// TestUnanswered asserts that it is always the agent's own prompt that asks if
// nobody has answered in time: the hook's wait ends before the daemon's.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.serve()
	var hooks []*process
	for i := range 4 {
		hooks = append(hooks, w.hook(fmt.Sprintf("s%d", i), "git push", "--wait", "1s"))
	}
	for _, r := range hooks {
		w.wantHook(r, 10*time.Second, "", "ask")
	}
	w.awaitPending(0)
}

// TestRecorded asserts that the daemon can show what hooks have decided without it.
func TestRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.serve()
	for command, want := range map[string]permission.Action{"ls -l": permission.Allow, "rm x": permission.Deny} {
		var records []api.Record
		for range 20 { // a hook does not wait for a daemon that is slow
			w.wantHook(w.hook("s1", command), 10*time.Second, "", string(want))
			var err error
			if records, err = w.client.Decisions(t.Context(), api.RecordQuery{Action: want}); err != nil {
				t.Fatal(err)
			}
			if len(records) > 0 {
				break
			}
		}
		if len(records) == 0 || records[0].Title != command {
			t.Errorf("%s: the records are %+v, want one of it", command, records)
		}
	}
}

// TestConsoleAddress asserts that the token is shown to a person at a terminal.
// What others read has none: see the script of serve.
func TestConsoleAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ptm, tty, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer ptm.Close()
	cmd := w.command("serve", "--listen", "127.0.0.1:0")
	cmd.Stdout = tty
	if err := errors.Join(cmd.Start(), tty.Close()); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	text := ""
	for lines := bufio.NewScanner(ptm); !strings.HasPrefix(text, "console: ") && lines.Scan(); {
		text = lines.Text()
	}
	if !regexp.MustCompile(`^console: http://127\.0\.0\.1:\d+/#token=[0-9A-Z]{52}$`).MatchString(text) {
		t.Errorf("a terminal shows %q", text)
	}
}

// TestStopsNoOther asserts that nobody can have permctl stop another process than
// the one that listens.
func TestStopsNoOther(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only there the system tells")
	}
	t.Parallel()
	w := newWorld(t)
	victim := exec.CommandContext(t.Context(), "sleep", "60")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- victim.Wait() }()
	defer func() { _ = victim.Process.Kill() }()
	socket := clienttest.Handle(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(api.Status{PID: victim.Process.Pid})
	}))
	status, stdout, stderr := w.says(w.start("", "stop", "--socket", socket), 20*time.Second)
	if status != statusFail || stdout != "" || !strings.Contains(stderr, "its socket is that of process "+strconv.Itoa(os.Getpid())) {
		t.Errorf("permctl stop ends with %d: %s%s", status, stdout, stderr)
	}
	select {
	case err := <-ended:
		t.Errorf("the other process has ended: %v", err)
	default:
	}
}
