package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/server"
	"github.com/permctl/permctl/internal/settings"
)

// A world is a daemon for a home with a project, and a client of it.
type world struct {
	home, root string
	server     *server.Server
	client     *client.Client
	socket     string
	port       string // the address, or "" if there is none
	stop       func() error
}

// start starts a daemon. The options change what it is started with.
func start(t testing.TB, options ...func(*server.Config)) *world {
	t.Helper()
	home := t.TempDir()
	w := &world{home: home, root: filepath.Join(home, "project")}
	w.write(t, "project/.git/HEAD", "")
	w.write(t, "config/settings.yaml", "permission:\n  \"*\": ask\n  bash:\n    \"ls *\": allow\n    \"rm *\": deny\n")
	config := server.Config{
		Gate: gate.Config{Dirs: settings.Dirs{
			Home: home, Config: filepath.Join(home, "config"), State: filepath.Join(home, "state"),
		}},
		Attended: true, Version: "test",
	}
	for _, option := range options {
		option(&config)
	}
	var err error
	if w.server, err = server.New(config); err != nil {
		t.Fatal(err)
	}
	w.serve(t)
	return w
}

func (w *world) serve(t testing.TB) {
	t.Helper()
	dir, err := os.MkdirTemp("", "permctl") //nolint:usetesting // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	w.socket = filepath.Join(dir, "s")
	ctx, cancel := context.WithCancel(context.Background())
	socket, err := server.ListenSocket(ctx, w.socket)
	if err != nil {
		t.Fatal(err)
	}
	port, err := server.ListenPort(ctx, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.port = port.Addr().String()
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- w.server.Serve(ctx, socket, port, func() { close(ready) }) }()
	<-ready
	stopped := false
	w.stop = func() error {
		if stopped {
			return nil
		}
		stopped = true
		cancel()
		return errors.Join(<-ended, socket.Close())
	}
	t.Cleanup(func() {
		if err := w.stop(); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	if w.client, err = client.Dial(w.socket); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.client.Close)
}

func (w *world) write(t testing.TB, name, text string) {
	t.Helper()
	path := filepath.Join(w.home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// call returns the call of a command in the project.
func (w *world) call(session, command string) api.CheckRequest {
	return api.CheckRequest{Call: input.Call{Tool: "bash", Input: map[string]any{"command": command}, Cwd: w.root, Session: session}}
}

// ask has a command asked for in the background.
func (w *world) ask(t testing.TB, session, command string) <-chan api.Answer {
	t.Helper()
	answers := make(chan api.Answer, 1)
	go func() {
		answer, err := w.client.Ask(context.Background(), api.AskRequest{CheckRequest: w.call(session, command), Wait: 60})
		if err != nil {
			answer.Reason = "error: " + err.Error()
		}
		answers <- answer
	}()
	return answers
}

// pending waits until so many requests are pending, and returns them.
func (w *world) pending(t testing.TB, n int) []api.Pending {
	t.Helper()
	var list []api.Pending
	eventually(t, func() bool {
		var err error
		if list, err = w.client.Pending(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		return len(list) == n
	})
	return list
}

func eventually(t testing.TB, ok func() bool) {
	t.Helper()
	try := time.NewTicker(5 * time.Millisecond)
	defer try.Stop()
	patience := time.After(20 * time.Second)
	for !ok() {
		select {
		case <-try.C:
		case <-patience:
			t.Fatal("it does not come to that")
		}
	}
}

func (w *world) reply(t testing.TB, id string, r api.Reply) api.Replied {
	t.Helper()
	replied, err := w.client.Reply(t.Context(), id, r)
	if err != nil {
		t.Fatal(err)
	}
	return replied
}

// TestCheck holds that the daemon decides as the gate itself does.
func TestCheck(t *testing.T) {
	w := start(t)
	g, err := gate.Open(gate.Config{Dirs: settings.Dirs{Home: w.home, Config: filepath.Join(w.home, "config"), State: filepath.Join(w.home, "state")}})
	if err != nil {
		t.Fatal(err)
	}
	nobody := false
	for _, command := range []string{"ls -l", "git push", "rm x", "ls; git push > out", "echo $(", "cat /etc/passwd"} {
		for _, interactive := range []*bool{nil, &nobody} {
			req := w.call("s", command)
			req.Call.Interactive = interactive
			got, err := w.client.Check(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			want, err := g.Decide(t.Context(), req.Call)
			if err != nil {
				t.Fatal(err)
			}
			if got.Action != want.Action || got.Reason != want.Reason || got.Revision != want.Revision {
				t.Errorf("%q: %s, %s; the gate says %s, %s", command, got.Action, got.Reason, want.Action, want.Reason)
			}
		}
	}
}

// TestOtherFlags holds that who decides by other flags is not answered.
func TestOtherFlags(t *testing.T) {
	w := start(t)
	req := w.call("s", "ls")
	req.Config = "another"
	var said *client.Error
	if d, err := w.client.Check(t.Context(), req); !errors.As(err, &said) || said.Status != http.StatusConflict || d.Action == permission.Allow {
		t.Errorf("%v, %v", d.Action, err)
	}
}

// TestAsk has what becomes of a call that has to be asked for.
func TestAsk(t *testing.T) {
	for name, tt := range map[string]struct {
		reply  api.Reply
		status api.State
		said   string
	}{
		"once":     {api.Reply{Reply: api.Once, By: "test"}, api.Allowed, "a person allowed it"},
		"always":   {api.Reply{Reply: api.Always}, api.Allowed, "a person allowed it"},
		"reject":   {api.Reply{Reply: api.Reject}, api.Denied, "a person rejected this call"},
		"feedback": {api.Reply{Reply: api.Reject, Message: "open a pull request"}, api.Denied, "open a pull request"},
	} {
		t.Run(name, func(t *testing.T) {
			w := start(t)
			answers := w.ask(t, "s", "git push")
			p := w.pending(t, 1)[0]
			if p.Title != "git push" || p.Workspace != w.root || p.Permission != "bash" || len(p.Commands) != 1 || p.Decision.Action != permission.Ask {
				t.Errorf("pending is %+v", p)
			}
			w.reply(t, p.ID, tt.reply)
			answer := <-answers
			if answer.Status != tt.status || !strings.Contains(answer.Decision.Reason, tt.said) || answer.Reply == nil || answer.Reply.Reply != tt.reply.Reply || answer.ID != p.ID {
				t.Errorf("%+v, reply %+v", answer, answer.Reply)
			}
			if tt.reply.By != "" && !strings.HasPrefix(answer.Reply.By, tt.reply.By+" (uid ") {
				t.Errorf("it was %q who replied", answer.Reply.By)
			}
			again, err := w.client.Check(t.Context(), w.call("t", "git push"))
			if err != nil || (again.Action == permission.Allow) != (tt.reply.Reply == api.Always) {
				t.Errorf("the same again: %s, %v", again.Action, err)
			}
			var said *client.Error
			if _, err := w.client.Reply(t.Context(), p.ID, api.Reply{Reply: api.Once}); !errors.As(err, &said) || said.Status != http.StatusConflict {
				t.Errorf("a second reply: %v", err)
			}
			w.pending(t, 0)
		})
	}
}

// TestScopes has how far an always reaches, and that it is kept.
func TestScopes(t *testing.T) {
	for scope, want := range map[api.Scope][3]permission.Action{ // of the same session, another, another project
		api.Session: {permission.Allow, permission.Ask, permission.Ask},
		api.Project: {permission.Allow, permission.Allow, permission.Ask},
		api.Global:  {permission.Allow, permission.Allow, permission.Allow},
	} {
		w := start(t)
		w.write(t, "other/.git/HEAD", "")
		other := w.call("s2", "git push")
		other.Call.Cwd = filepath.Join(w.home, "other")
		if _, err := w.client.Check(t.Context(), other); err != nil { // the daemon knows the other project before
			t.Fatal(err)
		}
		answers := w.ask(t, "s", "git push origin main")
		replied := w.reply(t, w.pending(t, 1)[0].ID, api.Reply{Reply: api.Always, Scope: scope})
		if answer := <-answers; answer.Status != api.Allowed || len(replied.Saved) == 0 {
			t.Fatalf("%s: %+v saved %v", scope, answer, replied.Saved)
		}
		for i, req := range []api.CheckRequest{w.call("s", "git push -u o m"), w.call("s3", "git push -u o m"), other} {
			if d, err := w.client.Check(t.Context(), req); err != nil || d.Action != want[i] {
				t.Errorf("%s: call %d: %s, %v; want %s", scope, i, d.Action, err, want[i])
			}
		}
		list, err := w.client.Approvals(t.Context(), w.root)
		if err != nil || len(list) != len(replied.Saved) || list[0].Scope != scope {
			t.Errorf("%s: approvals are %+v, %v", scope, list, err)
		}
		for _, a := range list {
			if err := w.client.Revoke(t.Context(), api.Revocation{Permission: a.Permission, Pattern: a.Pattern, Scope: a.Scope, Start: w.root, Session: a.Session}); err != nil {
				t.Fatal(err)
			}
		}
		if d, err := w.client.Check(t.Context(), w.call("s", "git push")); err != nil || d.Action != permission.Ask {
			t.Errorf("%s: revoked, and still %s, %v", scope, d.Action, err)
		}
	}
}

// TestAlwaysIsOffered has what an always may save: nothing for what would be asked
// for again, and only what was offered.
func TestAlwaysIsOffered(t *testing.T) {
	w := start(t)
	for command, want := range map[string]bool{"git push": true, "bash x.sh": false, "$X push": false, "echo $(": false, "git push; wc -l": true} {
		answers := w.ask(t, "", command)
		p := w.pending(t, 1)[0]
		if (len(p.Offers) > 0) != want {
			t.Errorf("%q offers %v", command, p.Offers)
		}
		var said *client.Error
		if _, err := w.client.Reply(t.Context(), p.ID, api.Reply{Reply: api.Always, Offers: []api.Offer{{Permission: "bash", Pattern: "*"}}}); !errors.As(err, &said) || said.Status != http.StatusUnprocessableEntity {
			t.Errorf("%q: a star is saved: %v", command, err)
		}
		w.reply(t, p.ID, api.Reply{Reply: api.Reject})
		<-answers
	}
}

// TestOffers has what an always is offered for: what has to be asked for, and no
// name that would match others.
func TestOffers(t *testing.T) {
	w := start(t)
	w.write(t, "config/settings.yaml", "permission:\n  \"*\": ask\n  bash: {\"npm test *\": allow, \"cd *\": allow}\n")
	if _, err := w.client.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		tool, field, text, want string
	}{
		{"bash", "command", "cd sub && npm test && git push o m", "bash git push, bash git push *"},
		{"bash", "command", "git push 'x*'", "bash git push, bash git push *"},
		{"write", "file_path", "a.go", "edit a.go"},
		{"write", "file_path", "*", ""},
		{"write", "file_path", "sr?/a.go", ""},
		{"read", "file_path", "/et?/hosts", ""},
		{"webfetch", "url", "https://a.example/*", ""},
		{"todowrite", "todos", "x", "todowrite *"},
	} {
		req := api.AskRequest{CheckRequest: api.CheckRequest{Call: input.Call{Tool: tt.tool, Input: map[string]any{tt.field: tt.text, "content": ""}, Cwd: w.root}}, Detach: true}
		answer, err := w.client.AskDetached(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range w.pending(t, 1) {
			for _, o := range p.Offers {
				got = append(got, o.Permission+" "+o.Pattern)
			}
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s %q offers %q, want %q", tt.tool, tt.text, got, tt.want)
		}
		if err := w.client.Withdraw(t.Context(), answer.ID); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAsks has which commands of a text are a reason to ask.
func TestAsks(t *testing.T) {
	w := start(t)
	w.write(t, "config/settings.yaml", "permission:\n  \"*\": ask\n  bash: {\"ls *\": allow, \"cat *\": allow, \"sort *\": allow, \"cd *\": allow}\n  read: {\"*\": allow, \"*.env\": ask}\n")
	if _, err := w.client.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		"cd src && git push --force; ls": "git push --force",
		"ls; cat a; cat .env":            "cat .env",
		"ls | sort -o out":               "sort -o out",
		"ls; $X; cat a":                  "$X",
		"git push; git pull; ls":         "git push, git pull",
	} {
		answers := w.ask(t, "", command)
		p := w.pending(t, 1)[0]
		var got []string
		for _, c := range p.Commands {
			if c.Asks {
				got = append(got, p.Text[c.Start:c.End])
			}
		}
		if strings.Join(got, ", ") != want || p.Text != command {
			t.Errorf("%q: %q ask, want %q: %s", command, got, want, p.Decision.Reason)
		}
		w.reply(t, p.ID, api.Reply{Reply: api.Reject})
		<-answers
	}
}

// TestGone holds that nobody is asked for a caller who has gone away before he
// has the id to poll.
func TestGone(t *testing.T) {
	w := start(t)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "unix", w.socket)
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(api.AskRequest{CheckRequest: w.call("s", "git push"), Detach: true})
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(conn, "POST /v1/ask HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	if err := errors.Join(err, conn.Close()); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool {
		records, err := w.client.Decisions(t.Context(), api.RecordQuery{})
		return err == nil && len(records) == 1 && records[0].Action == permission.Deny
	})
	w.pending(t, 0)
}

// TestEnds has what ends a request without a reply.
func TestEnds(t *testing.T) {
	w := start(t)
	answer, err := w.client.Ask(t.Context(), api.AskRequest{CheckRequest: w.call("s", "git push"), Wait: 1})
	if err != nil || answer.Status != api.Denied || !strings.Contains(answer.Reason, "nobody answered in time") {
		t.Errorf("after the time: %+v, %v", answer, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, err := w.client.Ask(ctx, api.AskRequest{CheckRequest: w.call("s", "git push")})
		gone <- err
	}()
	w.pending(t, 1)
	cancel()
	if err := <-gone; err == nil {
		t.Error("a caller that has gone gets an answer")
	}
	w.pending(t, 0)

	detached, err := w.client.AskDetached(t.Context(), api.AskRequest{CheckRequest: w.call("s", "git push")})
	if err != nil || detached.Status != api.Waiting {
		t.Fatalf("%+v, %v", detached, err)
	}
	if polled, err := w.client.Poll(t.Context(), detached.ID, 0); err != nil || polled.Status != api.Waiting {
		t.Errorf("a poll: %+v, %v", polled, err)
	}
	if err := w.client.Withdraw(t.Context(), detached.ID); err != nil {
		t.Error(err)
	}
	w.pending(t, 0)
	var said *client.Error
	if _, err := w.client.Poll(t.Context(), detached.ID, 0); !errors.As(err, &said) || said.Status != http.StatusNotFound {
		t.Errorf("a poll of what was withdrawn: %v", err)
	}

	answers := w.ask(t, "s", "git push")
	w.pending(t, 1)
	if err := w.stop(); err != nil {
		t.Error(err)
	}
	if answer := <-answers; answer.Status != api.Denied || !strings.Contains(answer.Reason, "permctl is stopping") {
		t.Errorf("a daemon that stops: %+v", answer)
	}
}

// TestUnattended holds that what nobody can see is denied at once, and that whoever
// listens is asked.
func TestUnattended(t *testing.T) {
	w := start(t, func(c *server.Config) { c.Attended = false })
	answer, err := w.client.Ask(t.Context(), api.AskRequest{CheckRequest: w.call("s", "git push")})
	if err != nil || answer.Status != api.Denied || !answer.Unattended || answer.Decision.Action != permission.Ask || !strings.Contains(answer.Reason, `bash: {"git push": allow}`) {
		t.Errorf("%+v, %v", answer, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	heard := make(chan string, 100)
	go func() {
		for e, err := range w.client.Events(ctx, false) {
			if err == nil && strings.HasPrefix(e.Kind, "permission.") || e.Kind == api.EventDecision {
				heard <- e.Kind
			}
		}
		close(heard)
	}()
	eventually(t, func() bool {
		status, err := w.client.Status(ctx)
		return err == nil && status.Listeners == 1
	})
	answers := w.ask(t, "s", "git push")
	w.reply(t, w.pending(t, 1)[0].ID, api.Reply{Reply: api.Once})
	if answer := <-answers; answer.Status != api.Allowed {
		t.Errorf("%+v", answer)
	}
	for _, want := range []string{api.EventAsked, api.EventReplied, api.EventDecision} {
		if got := <-heard; got != want {
			t.Errorf("heard %s, want %s", got, want)
		}
	}
	cancel()
	eventually(t, func() bool {
		status, err := w.client.Status(context.Background())
		return err == nil && status.Listeners == 0
	})
}

// TestReload holds that good changes count at once, and that bad ones leave the
// last good rules in force.
func TestReload(t *testing.T) {
	w := start(t)
	is := func(command string, want permission.Action) {
		t.Helper()
		eventually(t, func() bool {
			d, err := w.client.Check(t.Context(), w.call("s", command))
			return err == nil && d.Action == want
		})
	}
	is("git push", permission.Ask)
	answers := w.ask(t, "s", "git push")
	w.pending(t, 1)
	w.write(t, "config/settings.yaml", "permission:\n  \"*\": ask\n  bash:\n    \"git push *\": allow\n")
	if answer := <-answers; answer.Status != api.Allowed || answer.Reply.By != "rules" {
		t.Errorf("what waits when a rule comes: %+v", answer)
	}
	is("git push", permission.Allow)

	w.write(t, "config/settings.yaml", "permission:\n  bash: [\n")
	eventually(t, func() bool {
		status, err := w.client.Status(t.Context())
		return err == nil && strings.Contains(status.Problem, "settings.yaml")
	})
	is("git push", permission.Allow)
	if status, body := w.get(t, "/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "settings.yaml") {
		t.Errorf("/readyz: %d %s", status, body)
	}
	if status, _ := w.get(t, "/healthz"); status != http.StatusOK {
		t.Errorf("/healthz: %d", status)
	}
	var said *client.Error
	if _, err := w.client.Reload(t.Context()); !errors.As(err, &said) || said.Status != http.StatusUnprocessableEntity {
		t.Errorf("a reload: %v", err)
	}

	w.write(t, "config/settings.yaml", "permission:\n  \"*\": ask\n")
	w.write(t, "config/policy/p.rego", "package org.p\n\ndeny contains \"not on a Monday\" if input.call.tool == \"bash\"\n")
	is("git push", permission.Deny)
	w.write(t, "config/policy/p.rego", "package org.p\n\ndeny contains\n")
	eventually(t, func() bool {
		status, err := w.client.Status(t.Context())
		return err == nil && strings.Contains(status.Problem, "p.rego")
	})
	is("git push", permission.Deny)
	if err := os.Remove(filepath.Join(w.home, "config/policy/p.rego")); err != nil {
		t.Fatal(err)
	}
	is("git push", permission.Ask)
	w.write(t, "project/.permctl/settings.yaml", "permission:\n  bash:\n    \"git push *\": deny\n")
	is("git push", permission.Deny)
}

// get fetches a path over the socket.
func (w *world) get(t testing.TB, path string) (int, string) {
	t.Helper()
	return request(t, w.socketClient(), http.MethodGet, "http://permctl"+path, "", nil)
}

func (w *world) socketClient() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", w.socket)
	}}}
}

func request(t testing.TB, c *http.Client, method, url, body string, header map[string]string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		if name == "Host" {
			req.Host = value
		}
		req.Header.Set(name, value)
	}
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// TestGuards has who is turned away, and that a good request is not.
func TestGuards(t *testing.T) {
	w := start(t)
	_, token, _ := strings.Cut(w.server.ConsoleURL(), "#token=")
	bearer := "Bearer " + token
	_, port, err := net.SplitHostPort(w.port)
	if err != nil {
		t.Fatal(err)
	}
	const status, reply, check = "GET /v1/status", "POST /v1/pending/per_x/reply", "POST /v1/check"
	for name, tt := range map[string]struct {
		what   string
		header map[string]string
		body   string
		want   int
	}{
		"good":              {status, map[string]string{"Authorization": bearer}, "", 200},
		"by name":           {status, map[string]string{"Authorization": bearer, "Host": "localhost:" + port}, "", 200},
		"own page":          {status, map[string]string{"Authorization": bearer, "Origin": "http://127.0.0.1:" + port, "Sec-Fetch-Site": "same-origin"}, "", 200},
		"no token":          {status, nil, "", 401},
		"wrong token":       {status, map[string]string{"Authorization": bearer + "x"}, "", 401},
		"half a token":      {status, map[string]string{"Authorization": bearer[:20]}, "", 401},
		"token as a cookie": {status, map[string]string{"Cookie": "token=" + token}, "", 401},
		"another scheme":    {status, map[string]string{"Authorization": "Basic " + token}, "", 401},
		"rebound name":      {status, map[string]string{"Authorization": bearer, "Host": "evil.example:" + port}, "", 403},
		"another port":      {status, map[string]string{"Authorization": bearer, "Host": "127.0.0.1:1"}, "", 403},
		"other origin":      {status, map[string]string{"Authorization": bearer, "Origin": "http://evil.example"}, "", 403},
		"null origin":       {status, map[string]string{"Authorization": bearer, "Origin": "null"}, "", 403},
		"other local port":  {status, map[string]string{"Authorization": bearer, "Origin": "http://127.0.0.1:1"}, "", 403},
		"cross-site":        {status, map[string]string{"Authorization": bearer, "Sec-Fetch-Site": "cross-site"}, "", 403},
		"same site":         {status, map[string]string{"Authorization": bearer, "Sec-Fetch-Site": "same-site"}, "", 403},
		"health":            {"GET /healthz", nil, "", 200},
		"metrics":           {"GET /metrics", nil, "", 401},
		"a form":            {reply, map[string]string{"Authorization": bearer, "Content-Type": "application/x-www-form-urlencoded"}, "reply=once", 415},
		"plain text":        {reply, map[string]string{"Authorization": bearer, "Content-Type": "text/plain"}, `{"reply":"once"}`, 415},
		"no JSON":           {reply, map[string]string{"Authorization": bearer, "Content-Type": "application/json"}, `reply`, 400},
		"two objects":       {reply, map[string]string{"Authorization": bearer, "Content-Type": "application/json"}, `{"reply":"once"} {}`, 400},
		"misspelt":          {reply, map[string]string{"Authorization": bearer, "Content-Type": "application/json"}, `{"replly":"once"}`, 400},
		"not pending":       {reply, map[string]string{"Authorization": bearer, "Content-Type": "application/json"}, `{"reply":"once"}`, 404},
		"no such reply":     {reply, map[string]string{"Authorization": bearer, "Content-Type": "application/json"}, `{"reply":"yes"}`, 422},
		"too large":         {reply, map[string]string{"Authorization": bearer, "Content-Type": "application/json"}, `{"message":"` + strings.Repeat("x", 2<<20) + `"}`, 413},
		"no call":           {check, map[string]string{"Authorization": bearer, "Content-Type": "application/json"}, `{}`, 400},
		"call without tool": {check, map[string]string{"Authorization": bearer, "Content-Type": "application/json"}, `{"call": {"input": {}}}`, 400},
		"no path":           {"GET /v1/nothing", map[string]string{"Authorization": bearer}, "", 404},
		"no method":         {"PUT /v1/check", map[string]string{"Authorization": bearer}, "", 405},
		"past, wrong":       {"GET /v1/decisions?limit=x", map[string]string{"Authorization": bearer}, "", 400},
		"past, action":      {"GET /v1/decisions?action=perhaps", map[string]string{"Authorization": bearer}, "", 400},
		"rules of nowhere":  {"GET /v1/rules", map[string]string{"Authorization": bearer}, "", 400},
		"wait of years":     {"GET /v1/ask/per_x?wait=99999", map[string]string{"Authorization": bearer}, "", 400},
		"event of words":    {"GET /v1/events?after=x", map[string]string{"Authorization": bearer}, "", 400},
	} {
		method, path, _ := strings.Cut(tt.what, " ")
		got, body := request(t, http.DefaultClient, method, "http://"+w.port+path, tt.body, tt.header)
		if got != tt.want {
			t.Errorf("%s: %d %s, want %d", name, got, body, tt.want)
		}
		var said api.Error
		if tt.want >= 400 && (json.Unmarshal([]byte(body), &said) != nil || said.Error == "") {
			t.Errorf("%s: the error is %q", name, body)
		}
		if strings.Contains(body, token) {
			t.Errorf("%s: the answer has the token", name)
		}
	}
	if got, _ := request(t, w.socketClient(), http.MethodGet, "http://permctl/v1/status", "", map[string]string{"Origin": "http://permctl"}); got != http.StatusForbidden {
		t.Errorf("a page on the socket gets %d", got)
	}
	if _, body := w.get(t, "/v1/status?console=true"); !strings.Contains(body, token) {
		t.Errorf("the socket does not tell the console's address: %s", body)
	}
}

// TestOpencode speaks as opencode's clients do.
func TestOpencode(t *testing.T) {
	w := start(t)
	answers := w.ask(t, "ses_1", "git push")
	p := w.pending(t, 1)[0]
	_, body := w.get(t, "/permission")
	var list []struct {
		ID, SessionID, Permission string
		Patterns, Always          []string
		Metadata                  map[string]any
	}
	if err := json.Unmarshal([]byte(body), &list); err != nil || len(list) != 1 || list[0].ID != p.ID || list[0].SessionID != "ses_1" || list[0].Patterns[0] != "git push" {
		t.Errorf("GET /permission: %s, %v", body, err)
	}
	reply := func(id, body string) (int, string) {
		return request(t, w.socketClient(), http.MethodPost, "http://permctl/permission/"+id+"/reply", body, map[string]string{"Content-Type": "application/json"})
	}
	if status, body := reply("per_other", `{"reply":"once"}`); status != http.StatusNotFound || !strings.Contains(body, `"_tag":"PermissionNotFoundError"`) {
		t.Errorf("%d %s", status, body)
	}
	if status, body := reply(p.ID, `{"reply":"reject","message":"no"}`); status != http.StatusOK || body != "true\n" {
		t.Errorf("%d %s", status, body)
	}
	if answer := <-answers; answer.Status != api.Denied || answer.Reply.Message != "no" {
		t.Errorf("%+v", answer)
	}
	if status, _ := reply(p.ID, `{"reply":"once"}`); status != http.StatusNotFound {
		t.Errorf("a second reply gets %d", status)
	}
}

// TestRecords has what is remembered, and how it is found.
func TestRecords(t *testing.T) {
	w := start(t)
	for _, command := range []string{"ls", "rm x", "git push", "ls -l", "git status"} {
		if _, err := w.client.Check(t.Context(), w.call("s", command)); err != nil {
			t.Fatal(err)
		}
	}
	titles := func(q api.RecordQuery) string {
		list, err := w.client.Decisions(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, r := range list {
			found = append(found, r.Title)
		}
		return strings.Join(found, ", ")
	}
	for _, tt := range []struct {
		query api.RecordQuery
		want  string
	}{
		{api.RecordQuery{}, "git status, ls -l, git push, rm x, ls"},
		{api.RecordQuery{Limit: 2}, "git status, ls -l"},
		{api.RecordQuery{Before: 3}, "rm x, ls"},
		{api.RecordQuery{Action: permission.Deny}, "rm x"},
		{api.RecordQuery{Text: "PUSH"}, "git push"},
	} {
		if got := titles(tt.query); got != tt.want {
			t.Errorf("%+v finds %q, want %q", tt.query, got, tt.want)
		}
	}
	answers := w.ask(t, "s", "git push o")
	p := w.pending(t, 1)[0]
	preview, err := w.client.Preview(t.Context(), p.ID, api.Offer{Permission: "bash", Pattern: "git push *"})
	if err != nil || len(preview.Past) != 1 || preview.Past[0].Title != "git push" || len(preview.Examples) == 0 {
		t.Errorf("the preview is %+v, %v", preview, err)
	}
	w.reply(t, p.ID, api.Reply{Reply: api.Once})
	<-answers
}

// TestOneDaemon holds that there is one for a socket, and that the socket of one
// that is gone does not keep the next one out.
func TestOneDaemon(t *testing.T) {
	w := start(t)
	if _, err := server.ListenSocket(t.Context(), w.socket); !errors.Is(err, server.ErrRunning) {
		t.Errorf("a second daemon: %v", err)
	}
	path := filepath.Join(filepath.Dir(w.socket), "dead")
	var config net.ListenConfig
	l, err := config.Listen(t.Context(), "unix", path)
	if err != nil {
		t.Fatal(err)
	}
	if unix, ok := l.(*net.UnixListener); ok {
		unix.SetUnlinkOnClose(false) // as if it had been killed
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := server.ListenSocket(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket's mode is %v, %v", info.Mode(), err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	file := filepath.Join(filepath.Dir(w.socket), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := server.ListenSocket(t.Context(), file); err == nil {
		t.Error("a file is replaced by a socket")
	}
	open := filepath.Join(t.TempDir(), "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := server.ListenSocket(t.Context(), filepath.Join(open, "s")); err == nil {
		t.Error("a socket is put where anybody can replace it")
	}
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "example.com:80", "127.0.0.1"} {
		if l, err := server.ListenPort(t.Context(), address); err == nil {
			l.Close()
			t.Errorf("it listens at %s", address)
		}
	}
}

// TestBadBodies holds that what is no call is never answered with an allow.
func TestBadBodies(t *testing.T) {
	w := start(t)
	for _, body := range []string{"", "null", "[]", `{"call": null}`, `{"call": "ls"}`, strings.Repeat("[", 100_000), `{"call": {"tool": "bash", "input": {"command": "ls"}, "tool": "read"}}`} {
		status, text := request(t, w.socketClient(), http.MethodPost, "http://permctl/v1/check", body, map[string]string{"Content-Type": "application/json"})
		if status < 400 || bytes.Contains([]byte(text), []byte(`"allow"`)) {
			t.Errorf("%.40q: %d %s", body, status, text)
		}
	}
}
