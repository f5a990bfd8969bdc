package server_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/server"
	"github.com/permctl/permctl/internal/settings"
)

// badBodies are no calls.
var badBodies = []string{
	"", "null", "[]", "{}", "{", `{"call": null}`, `{"call": "ls"}`, `{"call": {"tool": "bash", "input": {"command": "ls"}, "tool": "read"}}`,
	`{"call": {"input": {"command": "ls"}}}`, `{"call": {"tool": "bash", "input": {"command": "ls"}}, "more": 1}`,
	`{"call": {"tool": "bash", "input": {"command": "ls"}}} {}`, `{"call": {"tool": "bash", "input": {"command": "ls"}}, "wait": -1}`,
	`{"call": {"tool": "bash", "input": {"command": "ls"}}, "start": 1}`, "{\"call\": {\"tool\": \"\xff\"}}",
}

// FuzzCall holds that whatever is sent as a call is answered, and that it is only
// allowed if it is a call that the gate itself allows.
func FuzzCall(f *testing.F) {
	for _, body := range badBodies {
		f.Add([]byte(body))
	}
	for _, command := range append(commands, "echo $(", "ls && rm x") {
		call, err := json.Marshal(input.Call{Tool: "bash", Input: map[string]any{"command": command}, Session: "s"})
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(`{"call": ` + string(call) + `, "wait": 5, "hook": true, "detach": true}`))
	}
	f.Add([]byte(`{"call": {"tool": "bash", "input": {"command": "ls"}, "cwd": "/"}}`))
	f.Add([]byte(`{"call": {"tool": "read", "input": {"filePath": "a"}, "cwd": "/", "mode": "plan", "interactive": false}, "start": "/", "config": ""}`))
	w := start(f, func(c *server.Config) { c.Attended = false })
	g, err := gate.Open(gate.Config{Dirs: settings.Dirs{Home: w.home, Config: filepath.Join(w.home, "config"), State: filepath.Join(w.home, "state")}})
	if err != nil {
		f.Fatal(err)
	}
	c := w.socketClient()
	f.Fuzz(func(t *testing.T, body []byte) {
		allowed := permission.Deny
		call, start, valid := readCall(body)
		if valid {
			d, _ := g.From(start).Decide(t.Context(), call) // with an error it is a deny
			allowed = d.Action
		}
		var decision permission.Decision
		status := post(t, c, "/v1/check", body, &decision)
		if (status == http.StatusOK) && (!valid || decision.Action == permission.Allow && allowed != permission.Allow) {
			t.Errorf("/v1/check: %d %s; the gate says %s, a call: %v", status, decision.Action, allowed, valid)
		}
		var answer api.Answer
		status = post(t, c, "/v1/ask", body, &answer)
		if (status == http.StatusOK) && (!valid || answer.Status != api.Denied && allowed != permission.Allow) {
			t.Errorf("/v1/ask: %d %s; the gate says %s, a call: %v", status, answer.Status, allowed, valid)
		}
	})
}

// readCall reads a body that has a call and is nothing but JSON.
func readCall(body []byte) (call input.Call, start string, ok bool) {
	var fields struct {
		Call  json.RawMessage
		Start string
	}
	if json.Unmarshal(body, &fields) != nil {
		return call, "", false
	}
	call, err := input.ParseCall(fields.Call)
	return call, fields.Start, err == nil
}

// post sends a body, and reads the answer, which is an error or what v is. There has
// to be one.
func post(t *testing.T, c *http.Client, path string, body []byte, v any) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://permctl"+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var said api.Error
	if resp.StatusCode != http.StatusOK {
		v = &said
	}
	err = json.Unmarshal(text, v)
	if err != nil || resp.StatusCode >= http.StatusInternalServerError || resp.StatusCode != http.StatusOK && said.Error == "" {
		t.Errorf("%s: %d %s, %v", path, resp.StatusCode, text, err)
	}
	return resp.StatusCode
}

// FuzzReply holds that whatever is sent as a reply is answered, that only once and
// always let a request pass, and that it waits on after what is no reply.
func FuzzReply(f *testing.F) {
	for _, body := range append(badBodies,
		`{"reply": "once"}`, `{"reply": "reject", "message": "no", "by": "\u0000x"}`, `{"reply": "always"}`, `{"reply": "Always"}`,
		`{"reply": "always", "scope": "session", "for": "1h"}`, `{"reply": "always", "scope": "global", "for": "9999999h"}`,
		`{"reply": "always", "scope": "everywhere"}`, `{"reply": "always", "for": "-1s"}`, `{"reply": "once", "offers": []}`,
		`{"reply": "always", "offers": [{"permission": "bash", "pattern": "git push *"}]}`,
		`{"reply": "always", "offers": [{"permission": "bash", "pattern": "*"}]}`, `{"reply": "once", "reply": "reject"}`,
	) {
		f.Add([]byte(body), strings.Contains(body, "once"))
	}
	w := start(f)
	c := w.socketClient()
	pending := w.detached(f, "s")
	f.Fuzz(func(t *testing.T, body []byte, opencode bool) {
		path, answer := "/v1/pending/", any(&api.Replied{})
		if opencode {
			path, answer = "/permission/", new(bool)
		}
		status := post(t, c, path+pending.ID+"/reply", body, answer)
		var said struct{ Reply api.Word }
		valid := json.Unmarshal(body, &said) == nil && slices.Contains(api.Words, said.Reply)
		want := api.Waiting
		switch {
		case status == http.StatusOK && said.Reply == api.Reject:
			want = api.Denied
		case status == http.StatusOK:
			want = api.Allowed
		}
		wait := time.Duration(0)
		if want != api.Waiting {
			wait = time.Minute // who waits is told a moment after who replied
		}
		if end, err := w.client.Poll(t.Context(), pending.ID, wait); err != nil || end.Status != want || status == http.StatusOK && !valid {
			t.Errorf("%d, and the request is %s, %v; want %s", status, end.Status, err, want)
		}
		if status == http.StatusOK {
			w.forget(t)
			pending = w.detached(t, "s")
		}
	})
}

// forget revokes all approvals.
func (w *world) forget(t *testing.T) {
	t.Helper()
	list, err := w.client.Approvals(t.Context(), w.root)
	for _, a := range list {
		err = errors.Join(err, w.client.Revoke(t.Context(), api.Revocation{Permission: a.Permission, Pattern: a.Pattern, Scope: a.Scope, Start: w.root, Session: a.Session}))
	}
	if err != nil {
		t.Fatal(err)
	}
}
