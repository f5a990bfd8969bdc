package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client/clienttest"
	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// A liar is a daemon that answers everything with the same, and notes what it was
// asked.
type liar struct {
	begin, end any // the answers to an ask, and to a poll

	mu    sync.Mutex // guards what follows
	asked []string
	wait  int
}

func (l *liar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = append(l.asked, r.Method+" "+r.URL.Path)
	said := l.end
	if r.URL.Path == "/v1/check" {
		said = permission.Decision{Action: permission.Allow, Grant: true}
	}
	if r.URL.Path == "/v1/ask" {
		var req api.AskRequest
		_ = json.NewDecoder(r.Body).Decode(&req)
		said, l.wait = l.begin, req.Wait
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(said)
}

func (l *liar) requests() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.asked)
}

// project makes the test's process one of a user with settings, and returns the
// file that holds these.
func project(t *testing.T) (settings string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	t.Setenv("CLAUDE_PROJECT_DIR", dir)
	settings = filepath.Join(dir, "config", "permctl", "settings.yaml")
	err := errors.Join(os.MkdirAll(filepath.Dir(settings), 0o700), os.WriteFile(settings, []byte("permission: {'*': ask, bash: {'ls *': allow, 'rm *': deny}}\n"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	return settings
}

// verdictOn is what the hook makes of a command before it waits.
func verdictOn(t *testing.T, command, socket string, wait time.Duration) hook.Verdict {
	t.Helper()
	var f flags
	cwd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	call := input.Call{Tool: "bash", Input: map[string]any{"command": command}, Cwd: cwd}
	verdict, err := f.decide(t.Context(), hook.Claude, call, socket, wait)
	if err != nil {
		t.Fatal(err)
	}
	return verdict
}

// hookSays is what the hook makes of a command, with all that it waits for.
func hookSays(t *testing.T, command, socket string, wait time.Duration) permission.Decision {
	t.Helper()
	verdict := verdictOn(t, command, socket, wait)
	if verdict.Await != nil {
		ctx, cancel := context.WithTimeout(t.Context(), wait+maxEnd)
		defer cancel()
		if said, err := verdict.Await(ctx); err == nil {
			return said
		}
	}
	return verdict.Decision
}

// TestHookDecidesAlone asserts that a daemon, even one that passes for permctl's
// own, turns nothing that rules deny into an allow, nor an allow into anything.
func TestHookDecidesAlone(t *testing.T) {
	project(t)
	for command, want := range map[string]permission.Action{"ls -l": permission.Allow, "rm x": permission.Deny, "make": permission.Ask} {
		for _, said := range []permission.Action{permission.Allow, permission.Deny} {
			answer := api.Answer{Status: api.Allowed, Decision: permission.Decision{Action: said}}
			if said == permission.Deny {
				answer.Status = api.Denied
			}
			l := &liar{begin: answer}
			socket := clienttest.Handle(t, l)
			wait := time.Minute
			if command == "make" {
				wait = 0 // what is asked for, a daemon may decide
			}
			if got := hookSays(t, command, socket, wait); got.Action != want {
				t.Errorf("%s with a daemon that says %s: %s, want %s", command, said, got.Action, want)
			}
			var f flags
			call := input.Call{Tool: "bash", Input: map[string]any{"command": command}, Cwd: os.Getenv("HOME")}
			if want != permission.Ask {
				got, err := f.ask(t.Context(), call, socket, time.Minute)
				if err != nil || got.Decision.Action != want || (got.Status == api.Allowed) != (want == permission.Allow) {
					t.Errorf("permctl ask of %s with a daemon that says %s: %s, %v, want %s", command, said, got.Status, err, want)
				}
			}
			for _, request := range l.requests() {
				if request != "POST /v1/check" {
					t.Errorf("%s: the daemon is asked for %s", command, request)
				}
			}
			if len(l.requests()) == 0 {
				t.Errorf("%s: the daemon is not told", command)
			}
		}
	}
}

// TestHookRecords asserts that a daemon which does not answer holds up nobody.
func TestHookRecords(t *testing.T) {
	project(t)
	release := make(chan struct{})
	socket := clienttest.Handle(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(func() { close(release) })
	start := time.Now()
	if got := hookSays(t, "ls -l", socket, time.Minute); got.Action != permission.Allow {
		t.Errorf("the hook says %s, want allow", got.Action)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestHookAnswers has what the hook makes of what a daemon says of a call that is
// to be asked for.
func TestHookAnswers(t *testing.T) {
	project(t)
	allow, deny, ask := permission.Decision{Action: permission.Allow}, permission.Decision{Action: permission.Deny}, permission.Decision{Action: permission.Ask}
	once, reject := &api.Given{Reply: api.Once}, &api.Given{Reply: api.Reject}
	pending := api.Answer{ID: "per_1", Status: api.Waiting, Decision: ask}
	for name, tt := range map[string]struct {
		begin, end any
		want       permission.Action
	}{
		"rules of the session allow":       {begin: api.Answer{Status: api.Allowed, Decision: allow}, want: permission.Allow},
		"a person allows":                  {pending, api.Answer{ID: "per_1", Status: api.Allowed, Decision: allow, Reply: once}, permission.Allow},
		"a person rejects":                 {pending, api.Answer{ID: "per_1", Status: api.Denied, Decision: deny, Reply: reject}, permission.Deny},
		"it expires":                       {pending, api.Answer{ID: "per_1", Status: api.Denied, Decision: deny, Unattended: true}, permission.Ask},
		"it is withdrawn, or closed":       {pending, api.Answer{ID: "per_1", Status: api.Denied, Decision: deny}, permission.Ask},
		"nobody listens":                   {begin: api.Answer{Status: api.Denied, Decision: ask, Unattended: true}, want: permission.Ask},
		"it stops":                         {begin: api.Answer{Status: api.Denied, Decision: deny}, want: permission.Ask},
		"an allow with another decision":   {begin: api.Answer{Status: api.Allowed, Decision: ask}, want: permission.Ask},
		"an allow without a decision":      {pending, api.Answer{ID: "per_1", Status: api.Allowed}, permission.Ask},
		"a denial with an allow":           {pending, api.Answer{ID: "per_1", Status: api.Denied, Decision: allow, Reply: reject}, permission.Ask},
		"an allow with a rejection":        {pending, api.Answer{ID: "per_1", Status: api.Allowed, Decision: allow, Reply: reject}, permission.Ask},
		"an allow of another request":      {pending, api.Answer{ID: "per_2", Status: api.Allowed, Decision: allow}, permission.Ask},
		"an allow of no request":           {pending, api.Answer{Status: api.Allowed, Decision: allow}, permission.Ask},
		"a request without an id":          {begin: api.Answer{Status: api.Waiting, Decision: ask}, end: api.Answer{Status: api.Allowed, Decision: allow}, want: permission.Ask},
		"an unknown status":                {begin: api.Answer{Status: "fine", Decision: allow}, want: permission.Ask},
		"what is no answer, but a list":    {begin: []string{}, want: permission.Ask},
		"what is no answer, but something": {begin: struct{}{}, want: permission.Ask},
	} {
		t.Run(name, func(t *testing.T) {
			l := &liar{begin: tt.begin, end: tt.end}
			if got := hookSays(t, "make", clienttest.Handle(t, l), 10*time.Second); got.Action != tt.want {
				t.Errorf("the hook says %s, want %s", got.Action, tt.want)
			}
			if l.wait <= 10 {
				t.Errorf("the daemon waits for %d seconds, want more than the hook does", l.wait)
			}
		})
	}
}

// TestHookWithdraws asserts that a hook that waits no longer takes the call off the
// list, and leaves it to the agent's own prompt.
func TestHookWithdraws(t *testing.T) {
	project(t)
	d := &clienttest.Daemon{Decision: permission.Decision{Action: permission.Ask}}
	if got := hookSays(t, "make", clienttest.Start(t, d), time.Second); got.Action != permission.Ask {
		t.Errorf("the hook says %s, want ask", got.Action)
	}
	if requests := d.Requests(); len(requests) != 3 || requests[2] != "DELETE /v1/ask/per_ask1" {
		t.Errorf("the hook asks for %q, and withdraws nothing", requests)
	}
}

// TestHookWithdrawsAtOnce asserts that a call that the agent gives up is taken off the
// list as well.
func TestHookWithdrawsAtOnce(t *testing.T) {
	project(t)
	d := &clienttest.Daemon{Decision: permission.Decision{Action: permission.Ask}}
	verdict := verdictOn(t, "make", clienttest.Start(t, d), time.Minute)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := verdict.Await(ctx)
		ended <- err
	}()
	for len(d.Requests()) < 2 { // it has asked, and polls
		select {
		case err := <-ended:
			t.Fatalf("the hook does not wait: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("the hook has an answer")
	}
	if requests := d.Requests(); len(requests) != 3 || requests[2] != "DELETE /v1/ask/per_ask1" {
		t.Errorf("the hook asks for %q, and withdraws nothing", requests)
	}
}

// TestHookRulesChange asserts that rules which deny what waits are heard.
func TestHookRulesChange(t *testing.T) {
	settings := project(t)
	socket := clienttest.Handle(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if err := os.WriteFile(settings, []byte("permission: deny\n"), 0o600); err != nil {
			t.Error(err)
		}
		_ = json.NewEncoder(w).Encode(api.Answer{Status: api.Denied, Decision: permission.Decision{Action: permission.Deny}})
	}))
	if got := hookSays(t, "make", socket, 10*time.Second); got.Action != permission.Deny {
		t.Errorf("the hook says %s, want deny", got.Action)
	}
}
