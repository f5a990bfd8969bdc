package client_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
	"github.com/permctl/permctl/internal/client/clienttest"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/private"
)

func dial(t *testing.T, d *clienttest.Daemon) *client.Client {
	t.Helper()
	c, err := client.Dial(clienttest.Start(t, d))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

var push = api.CheckRequest{Call: input.Call{Tool: "bash", Input: map[string]any{"command": "git push"}, Session: "s1"}, Start: "/w"}

func TestCheck(t *testing.T) {
	d := &clienttest.Daemon{Decision: permission.Decision{Action: permission.Allow, Reason: "r"}}
	c := dial(t, d)
	if got, err := c.Check(t.Context(), push); err != nil || got.Action != permission.Allow || got.Reason != "r" {
		t.Errorf("Check = %+v, %v, want allow", got, err)
	}
	d.Decision.Action = "perhaps"
	if got, err := c.Check(t.Context(), push); err == nil || got.Action != permission.Deny {
		t.Errorf("Check = %+v, %v, want an error and deny for an unknown action", got, err)
	}
	ended, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	if got, err := c.Check(ended, push); !errors.Is(err, cause) || got.Action != permission.Deny {
		t.Errorf("Check = %+v, %v, want deny and the cause of the end", got, err)
	}
}

func TestAsk(t *testing.T) {
	d := &clienttest.Daemon{Decision: permission.Decision{Action: permission.Ask}}
	c := dial(t, d)
	answers := make(chan api.Answer, 1)
	go func() {
		answer, err := c.Ask(t.Context(), api.AskRequest{CheckRequest: push})
		if err != nil {
			t.Error(err)
		}
		answers <- answer
	}()
	p := first(t, c)
	if p.SessionID != "s1" || p.Metadata.Input["command"] != "git push" {
		t.Errorf("pending is %+v, want the call", p)
	}
	if got, err := c.Get(t.Context(), p.ID); err != nil || got.ID != p.ID {
		t.Errorf("Get = %+v, %v", got, err)
	}
	replied, err := c.Reply(t.Context(), p.ID, api.Reply{Reply: api.Reject, Message: "not now", By: "me"})
	if err != nil || replied.ID != p.ID {
		t.Errorf("Reply = %+v, %v", replied, err)
	}
	want := api.Given{Reply: api.Reject, By: "me", Message: "not now"}
	if got := <-answers; got.Status != api.Denied || got.Reply == nil || *got.Reply != want {
		t.Errorf("Ask = %+v, want denied with the message", got)
	}

	_, err = c.Reply(t.Context(), p.ID, api.Reply{Reply: api.Once})
	if problem, ok := errors.AsType[*client.Error](err); !ok || problem.Status != http.StatusConflict || problem.Message != "me has answered it already: reject" {
		t.Errorf("a second reply is %v, want 409 and who was first", err)
	}
	_, err = c.Get(t.Context(), "per_/../x?y")
	if problem, ok := errors.AsType[*client.Error](err); !ok || problem.Status != http.StatusNotFound {
		t.Errorf("Get of what is not there is %v, want 404", err)
	}
}

// TestSame holds that whoever does what the daemon says asks no other program.
func TestSame(t *testing.T) {
	d := &clienttest.Daemon{}
	own, err := client.DialSame(clienttest.Start(t, d))
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	if _, err := own.Status(t.Context()); err != nil {
		t.Errorf("the same program is refused: %v", err)
	}
	if runtime.GOOS != "linux" {
		t.Skip("only there the system tells")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no other program to listen")
	}
	dir := filepath.Join(t.TempDir(), "d")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "s")
	script := "import socket, os, sys\nos.umask(0o177)\ns = socket.socket(socket.AF_UNIX)\ns.bind(sys.argv[1])\ns.listen()\nprint(1, flush=True)\nwhile True: s.accept()"
	cmd := exec.CommandContext(t.Context(), python, "-c", script, socket)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	other, err := client.DialSame(socket)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	answer, err := other.Ask(t.Context(), api.AskRequest{})
	if !errors.Is(err, client.ErrOther) || answer.Status != api.Denied {
		t.Errorf("another program is asked: %+v, %v", answer, err)
	}
}

// TestAskEnds asserts that a caller who goes away takes the request with it.
func TestAskEnds(t *testing.T) {
	c := dial(t, &clienttest.Daemon{Decision: permission.Decision{Action: permission.Ask}})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		answer, err := c.Ask(ctx, api.AskRequest{CheckRequest: push})
		if answer.Status != api.Denied {
			t.Errorf("Ask = %+v, want denied", answer)
		}
		done <- err
	}()
	first(t, c)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("Ask: %v, want the context's end", err)
	}
	until(t, "the request has left the list", func() bool {
		pending, err := c.Pending(t.Context(), "")
		return err == nil && len(pending) == 0
	})
}

func TestDetached(t *testing.T) {
	d := &clienttest.Daemon{Decision: permission.Decision{Action: permission.Ask}}
	c := dial(t, d)
	answer, err := c.AskDetached(t.Context(), api.AskRequest{CheckRequest: push})
	if err != nil || answer.Status != api.Waiting || answer.ID == "" {
		t.Fatalf("AskDetached = %+v, %v", answer, err)
	}
	if again, err := c.Poll(t.Context(), answer.ID, 0); err != nil || again.Status != api.Waiting {
		t.Errorf("Poll = %+v, %v, want pending", again, err)
	}
	d.Answer(answer.ID, api.Once, "ann", "")
	if again, err := c.Poll(t.Context(), answer.ID, time.Minute); err != nil || again.Status != api.Allowed || again.Reply.By != "ann" {
		t.Errorf("Poll = %+v, %v, want allowed by ann", again, err)
	}
	if err := c.Withdraw(t.Context(), answer.ID); err == nil {
		t.Error("an answered request was withdrawn")
	}
	answer, err = c.AskDetached(t.Context(), api.AskRequest{CheckRequest: push})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Withdraw(t.Context(), answer.ID); err != nil {
		t.Error(err)
	}
	d.Decision.Action = permission.Allow
	if answer, err := c.AskDetached(t.Context(), api.AskRequest{CheckRequest: push}); err != nil || answer.Status != api.Allowed {
		t.Errorf("AskDetached = %+v, %v, want allowed", answer, err)
	}
}

// TestLists calls what only hands on.
func TestLists(t *testing.T) {
	d := &clienttest.Daemon{Preview: api.Preview{Past: []api.Record{{ID: 3}}}}
	c := dial(t, d)
	preview, err := c.Preview(t.Context(), "per_1", api.Offer{Permission: "bash", Pattern: "git push *"})
	if err != nil || len(preview.Past) != 1 {
		t.Errorf("Preview = %+v, %v", preview, err)
	}
	records, err := c.Decisions(t.Context(), api.RecordQuery{Limit: 5, Before: 9, Action: permission.Deny, Text: "a b"})
	if err != nil || len(records) != 1 {
		t.Errorf("Decisions = %+v, %v", records, err)
	}
	if approvals, err := c.Approvals(t.Context(), "/w"); err != nil || len(approvals) != 1 {
		t.Errorf("Approvals = %+v, %v", approvals, err)
	}
	if err := c.Revoke(t.Context(), api.Revocation{Permission: "bash", Pattern: "git push *", Scope: api.Project}); err != nil {
		t.Error(err)
	}
	err = c.Revoke(t.Context(), api.Revocation{Permission: "bash", Pattern: "x"})
	if problem, ok := errors.AsType[*client.Error](err); !ok || problem.Status != http.StatusNotFound || problem.Hint != "see permctl approvals list" {
		t.Errorf("Revoke: %v, want 404 with a hint", err)
	}
	if rules, err := c.Rules(t.Context(), "/w", "plan"); err != nil || strings.TrimSpace(string(rules)) != "[]" {
		t.Errorf("Rules = %s, %v", rules, err)
	}
	if status, err := c.Status(t.Context()); err != nil || status.Version != "test" {
		t.Errorf("Status = %+v, %v", status, err)
	}
	if status, err := c.Reload(t.Context()); err != nil || status.Reloads != 1 {
		t.Errorf("Reload = %+v, %v", status, err)
	}
	want := []string{
		"GET /v1/pending/per_1/preview?pattern=git+push+%2A&permission=bash",
		"GET /v1/decisions?action=deny&before=9&limit=5&q=a+b",
		"GET /v1/approvals?start=%2Fw", "DELETE /v1/approvals", "DELETE /v1/approvals",
		"GET /v1/rules?agent=plan&start=%2Fw", "GET /v1/status", "POST /v1/reload",
	}
	if diff := cmp.Diff(want, d.Requests()); diff != "" {
		t.Error(diff)
	}
}

// TestNobody asserts that there being no daemon is told from there being a wrong
// one.
func TestNobody(t *testing.T) {
	dir := t.TempDir()
	if _, err := client.Dial(filepath.Join(dir, "s")); !errors.Is(err, client.ErrNotRunning) {
		t.Errorf("no socket: %v, want ErrNotRunning", err)
	}
	if _, err := client.Dial(filepath.Join(dir, "no", "s")); !errors.Is(err, client.ErrNotRunning) {
		t.Errorf("no folder: %v, want ErrNotRunning", err)
	}

	socket := clienttest.Start(t, &clienttest.Daemon{})
	for _, tt := range []struct {
		name string
		path string
		mode os.FileMode
	}{
		{"a folder that others may write", filepath.Dir(socket), 0o777},
		{"a socket that others may write", socket, 0o666},
	} {
		before, err := os.Stat(tt.path)
		if err != nil {
			t.Fatal(err)
		}
		c, err := client.Dial(socket)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(tt.path, tt.mode); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Dial(socket); !errors.Is(err, private.ErrNotOwn) {
			t.Errorf("%s: %v, want ErrNotOwn", tt.name, err)
		}
		if got, err := c.Check(t.Context(), push); !errors.Is(err, private.ErrNotOwn) || got.Action != permission.Deny {
			t.Errorf("%s, later: %+v, %v, want ErrNotOwn", tt.name, got, err)
		}
		if err := os.Chmod(tt.path, before.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}

	link := filepath.Join(dir, "link")
	if err := os.Symlink(socket, link); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Dial(link); !errors.Is(err, private.ErrNotOwn) {
		t.Errorf("a symbolic link: %v, want ErrNotOwn", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Dial(file); !errors.Is(err, private.ErrNotOwn) {
		t.Errorf("a file: %v, want ErrNotOwn", err)
	}

	l, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", filepath.Join(dir, "d"))
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	if err := os.Chmod(filepath.Join(dir, "d"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := client.Dial(filepath.Join(dir, "d"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Status(t.Context()); !errors.Is(err, client.ErrNotRunning) {
		t.Errorf("a socket that nobody listens on: %v, want ErrNotRunning", err)
	}
}

// TestStrange asserts that no answer of a server that is none of ours is
// an allow.
func TestStrange(t *testing.T) {
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		want    string
	}{
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) { write(w, "<html>") }, "not what its API says"},
		{"empty", func(http.ResponseWriter, *http.Request) {}, "not what its API says"},
		{"another status", func(w http.ResponseWriter, _ *http.Request) { write(w, `{"status": "fine"}`) }, `unknown status "fine"`},
		{"no status", func(w http.ResponseWriter, _ *http.Request) { write(w, `{}`) }, `unknown status ""`},
		{"an allow that is none", func(w http.ResponseWriter, _ *http.Request) {
			write(w, `{"status": "allowed", "decision": {"action": "ask"}}`)
		}, `the status "allowed", and the decision "ask"`},
		{"an allow without a decision", func(w http.ResponseWriter, _ *http.Request) { write(w, `{"status": "allowed"}`) }, `the decision ""`},
		{"a redirection", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://example.com/", http.StatusFound)
		}, "302"},
		{"an error without a body", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, "502"},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			write(w, `{"status":`)
		}, "ends too early"},
		{"too large", func(w http.ResponseWriter, _ *http.Request) {
			for range 65 {
				write(w, strings.Repeat(" ", 1<<20))
			}
		}, "larger than 64 MiB"},
	} {
		c, err := client.Dial(clienttest.Handle(t, tt.handler))
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Ask(t.Context(), api.AskRequest{CheckRequest: push})
		if err == nil || !strings.Contains(err.Error(), tt.want) || got.Status != api.Denied || got.Decision.Action != permission.Deny {
			t.Errorf("%s: %+v, %v, want denied and %q", tt.name, got, err, tt.want)
		}
	}
}

// TestAnother asserts that an answer is that to the request which was asked for.
func TestAnother(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			write(w, `{"status": "pending", "decision": {"action": "ask"}}`)
			return
		}
		write(w, `{"id": "per_2", "status": "allowed", "decision": {"action": "allow"}}`)
	})
	c, err := client.Dial(clienttest.Handle(t, handler))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.Poll(t.Context(), "per_1", time.Second); err == nil || got.Status != api.Denied || got.Decision.Action != permission.Deny {
		t.Errorf("the answer to another request counts: %+v, %v", got, err)
	}
	if got, err := c.Poll(t.Context(), "per_2", time.Second); err != nil || got.Status != api.Allowed {
		t.Errorf("the answer to the request does not count: %+v, %v", got, err)
	}
	if got, err := c.AskDetached(t.Context(), api.AskRequest{CheckRequest: push}); err == nil || got.Status != api.Denied {
		t.Errorf("a request without an id counts: %+v, %v", got, err)
	}
}

// TestPID asserts that the process which listens is known where the system tells.
func TestPID(t *testing.T) {
	c, err := client.Dial(clienttest.Start(t, &clienttest.Daemon{}))
	if err != nil {
		t.Fatal(err)
	}
	pid, known, err := c.PID(t.Context())
	if err != nil || known != (runtime.GOOS == "linux") || known && pid != os.Getpid() {
		t.Errorf("PID = %d, %t, %v, want this process, %d", pid, known, err, os.Getpid())
	}
}

func write(w http.ResponseWriter, text string) { _, _ = w.Write([]byte(text)) }

// first returns the first pending request, once there is one.
func first(t *testing.T, c *client.Client) api.Pending {
	t.Helper()
	var found []api.Pending
	until(t, "a request is pending", func() bool {
		var err error
		found, err = c.Pending(t.Context(), "")
		return err == nil && len(found) > 0
	})
	return found[0]
}

// until returns once ok does.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	limit := time.After(20 * time.Second)
	for !ok() {
		select {
		case <-limit:
			t.Fatalf("it does not happen that %s", what)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// BenchmarkCheck decides by a kept connection.
func BenchmarkCheck(b *testing.B) {
	c, err := client.Dial(clienttest.Start(b, &clienttest.Daemon{Decision: permission.Decision{Action: permission.Allow}}))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := c.Check(b.Context(), push); err != nil {
			b.Fatal(err)
		}
	}
}
