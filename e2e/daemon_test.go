//go:build e2e

package e2e_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/console"
)

const token = "t0ken-of_the.test"

// An object is a JSON object of the API.
type object = map[string]any

// A received is a request that changed something.
type received struct {
	method, path string
	body         object
}

// A fakeDaemon answers as docs/api.md says, and decides nothing: a test says
// what is asked and what was decided.
type fakeDaemon struct {
	*httptest.Server
	received chan received

	mu        sync.Mutex // guards what follows
	pending   []object
	decisions []object // newest first
	approvals []object
	status    object
	events    []string // as they are sent; the id of one is its index and 1
	listeners map[chan struct{}]bool
	closing   chan struct{}
	lastIDs   []string // what listeners had, when they came
	conflict  string   // what a reply is told, if somebody else was faster
}

func newDaemon(t *testing.T) *fakeDaemon {
	t.Helper()
	d := &fakeDaemon{
		received:  make(chan received, 100),
		listeners: map[chan struct{}]bool{},
		closing:   make(chan struct{}),
		status: object{
			"version": "0.2.0", "pid": 4711, "started": time.Now().Add(-3 * time.Hour), "socket": "/home/ann/.local/state/permctl/permctl.sock",
			"address": "127.0.0.1:7411", "pending": 0, "listeners": 1, "attended": false, "reloads": 2, "problem": "", "config": "/home/ann/.config/permctl",
		},
	}
	mux := http.NewServeMux()
	mux.Handle("/", console.Handler())
	mux.Handle("/v1/", guarded(d.api()))
	d.Server = httptest.NewServer(mux)
	t.Cleanup(func() {
		d.drop()
		d.CloseClientConnections()
		d.Close()
	})
	return d
}

func (d *fakeDaemon) api() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/events", d.stream)
	mux.HandleFunc("GET /v1/pending", d.list(func() any { return d.pending }))
	mux.HandleFunc("GET /v1/status", d.list(func() any { return d.status }))
	mux.HandleFunc("GET /v1/approvals", d.list(func() any { return d.approvals }))
	mux.HandleFunc("GET /v1/rules", d.list(func() any { return layers }))
	mux.HandleFunc("GET /v1/decisions", d.decided)
	mux.HandleFunc("GET /v1/pending/{id}/preview", func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusOK, object{
			"examples": []string{r.FormValue("pattern"), "git push origin main"},
			"past":     []object{record(12, "ask", "git push origin fix-login")},
			"denied":   []object{record(9, "deny", "git push --force origin main")},
		})
	})
	mux.HandleFunc("POST /v1/pending/{id}/reply", d.reply)
	mux.HandleFunc("DELETE /v1/approvals", func(w http.ResponseWriter, r *http.Request) {
		body := d.note(r)
		d.mu.Lock()
		defer d.mu.Unlock()
		d.approvals = slices.DeleteFunc(d.approvals, func(a object) bool { return a["pattern"] == body["pattern"] })
		w.WriteHeader(http.StatusNoContent)
	})
	return mux
}

// guarded lets through what has the token.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			answer(w, http.StatusUnauthorized, object{"error": "the token is wrong", "hint": "see permctl status"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		panic(err)
	}
}

func (d *fakeDaemon) list(what func() any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		d.mu.Lock()
		defer d.mu.Unlock()
		answer(w, http.StatusOK, what())
	}
}

func (d *fakeDaemon) decided(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	limit, _ := strconv.Atoi(r.FormValue("limit"))
	before, _ := strconv.Atoi(r.FormValue("before"))
	found := []object{}
	for _, each := range d.decisions {
		if (before == 0 || each["id"].(int) < before) && len(found) < limit &&
			(r.FormValue("action") == "" || each["action"] == r.FormValue("action")) && strings.Contains(each["title"].(string), r.FormValue("q")) {
			found = append(found, each)
		}
	}
	answer(w, http.StatusOK, found)
}

// note remembers a request, with its body.
func (d *fakeDaemon) note(r *http.Request) object {
	if r.Header.Get("Content-Type") != "application/json" {
		panic("the content type is " + r.Header.Get("Content-Type"))
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	var body object
	if err := json.Unmarshal(text, &body); err != nil {
		panic(err)
	}
	d.received <- received{r.Method, r.URL.Path, body}
	return body
}

func (d *fakeDaemon) reply(w http.ResponseWriter, r *http.Request) {
	body, id := d.note(r), r.PathValue("id")
	d.mu.Lock()
	if d.conflict != "" {
		defer d.mu.Unlock()
		answer(w, http.StatusConflict, object{"error": d.conflict})
		return
	}
	known := slices.ContainsFunc(d.pending, func(a object) bool { return a["id"] == id })
	d.mu.Unlock()
	if !known {
		answer(w, http.StatusNotFound, object{"error": "no such request"})
		return
	}
	d.replied(id, body["reply"].(string), "console", "")
	answer(w, http.StatusOK, object{"id": id, "reply": body["reply"], "saved": body["offers"], "released": []string{}, "rejected": []string{}})
}

// stream sends the events that a listener has missed, and those that come.
func (d *fakeDaemon) stream(w http.ResponseWriter, r *http.Request) {
	woken := make(chan struct{}, 1)
	d.mu.Lock()
	last := r.Header.Get("Last-Event-ID")
	d.lastIDs = append(d.lastIDs, last)
	sent := len(d.events)
	if n, err := strconv.Atoi(last); err == nil {
		sent = n
	}
	d.listeners[woken] = true
	closing := d.closing
	d.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, ": hello\n\n")
	for {
		d.mu.Lock()
		news := d.events[sent:]
		sent = len(d.events)
		d.mu.Unlock()
		for _, event := range news {
			// In two pieces: a reader may not take a piece for an event.
			fmt.Fprint(w, event[:len(event)/2])
			w.(http.Flusher).Flush()
			fmt.Fprint(w, event[len(event)/2:])
		}
		w.(http.Flusher).Flush()
		select {
		case <-woken:
		case <-closing:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// drop closes all streams.
func (d *fakeDaemon) drop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.closing)
	d.closing = make(chan struct{})
	d.listeners = map[chan struct{}]bool{}
}

func (d *fakeDaemon) send(kind string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.events = append(d.events, fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", len(d.events)+1, kind, text))
	for woken := range d.listeners {
		select {
		case woken <- struct{}{}:
		default:
		}
	}
}

// asks makes requests wait, and tells of them.
func (d *fakeDaemon) asks(requests ...object) {
	for _, request := range requests {
		d.mu.Lock()
		d.pending = append(d.pending, request)
		d.mu.Unlock()
		d.send("permission.asked", request)
	}
}

// replied takes a request off the list, and tells of it.
func (d *fakeDaemon) replied(id, reply, by, message string) {
	d.mu.Lock()
	d.pending = slices.DeleteFunc(d.pending, func(a object) bool { return a["id"] == id })
	d.mu.Unlock()
	d.send("permission.replied", object{"requestID": id, "sessionID": "s1", "reply": reply, "by": by, "message": message})
}

// set changes what the daemon knows.
func (d *fakeDaemon) set(change func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change()
}

// record is a decision as the API has it.
func record(id int, action, title string) object {
	r := object{
		"id": id, "time": time.Now().Add(-time.Duration(100-id) * time.Minute), "session": "s1", "agent": "", "workspace": "/home/ann/app",
		"tool": "bash", "title": title, "action": action, "revision": "cbf1a8cdfbdc",
		"reason": fmt.Sprintf("bash %s: %s by rule bash: {\"git push *\": %s} (/home/ann/.config/permctl/settings.yaml:7)", title, past[action], action),
	}
	if action == "ask" {
		r["reply"] = object{"reply": "once", "by": "ann (permctl reply)"}
	}
	return r
}

var past = map[string]string{"allow": "allowed", "ask": "asked", "deny": "denied"}

var layers = []object{
	{"name": "default", "trust": "user", "preset": "full-access", "source": "default", "rules": []object{
		{"permission": "*", "pattern": "*", "action": "allow", "layer": "default", "source": "preset full-access"},
	}},
	{"name": "global", "trust": "user", "source": "/home/ann/.config/permctl/settings.yaml", "rules": []object{
		{"permission": "bash", "pattern": "git push *", "action": "ask", "layer": "global", "source": "/home/ann/.config/permctl/settings.yaml:7"},
		{"permission": "bash", "pattern": "rm -rf *", "action": "deny", "layer": "global", "source": "/home/ann/.config/permctl/settings.yaml:8"},
	}},
	{"name": "approvals", "trust": "user", "source": "/home/ann/.local/state/permctl/approved/b011ea26.jsonl", "rules": nil},
}

// A part is a command of a call, and what was decided of it.
type part struct {
	text, prefix, action string
	more                 object
}

// shell is a pending request for a shell line with parts.
func shell(id, line string, parts ...part) object {
	commands, targets, offers := []object{}, []object{}, []object{}
	for _, p := range parts {
		start := strings.Index(line, p.text)
		command := object{"text": p.text, "asks": p.action != "allow", "start": start, "end": start + len(p.text), "prefix": p.prefix, "dir": "", "effects": []string{}, "hazards": nil, "files": []string{}, "wrappers": []string{}, "unparsed": ""}
		maps.Copy(command, p.more)
		commands = append(commands, command)
		target := object{"pattern": p.prefix, "forms": []string{p.text}, "action": p.action, "derived": false, "rule": object{
			"permission": "bash", "pattern": p.prefix + " *", "action": p.action, "layer": "global", "source": "/home/ann/.config/permctl/settings.yaml:7",
		}}
		targets = append(targets, target)
		if p.action == "ask" {
			offers = append(offers, object{"permission": "bash", "pattern": p.prefix + " *", "examples": []string{p.prefix, p.text}})
		}
	}
	return object{
		"id": id, "sessionID": "s1", "permission": "bash", "patterns": []string{line}, "always": []string{}, "title": line, "text": line,
		"metadata": object{"tool": "bash", "input": object{"command": line}, "cwd": "/home/ann/app"},
		"tool":     object{"messageID": "m1", "callID": "c1"}, "workspace": "/home/ann/app", "agent": "",
		"asked": time.Now().UTC(), "deadline": time.Now().Add(10 * time.Minute).UTC(),
		"decision": object{
			"action": "ask", "grant": false, "reason": "asked", "floors": []object{}, "findings": nil, "revision": "cbf1a8cdfbdc",
			"requests": []object{{"permission": "bash", "patterns": []string{}, "always": []string{}, "targets": targets}},
		},
		"commands": commands, "paths": []object{}, "offers": offers, "needs": []string{"bash"},
	}
}

// push is the simplest of them.
func push(id string) object {
	return shell(id, "git push origin "+id, part{"git push origin " + id, "git push", "ask", object{"effects": []string{"network"}}})
}
