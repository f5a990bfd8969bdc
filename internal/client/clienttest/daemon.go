// Package clienttest is a daemon for tests: it speaks the API of docs/api.md over
// a Unix socket, decides nothing, and says what it is told to say.
package clienttest

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/permission"
)

// A Daemon is one. The zero value has no request pending. It is safe for
// concurrent use.
type Daemon struct {
	// Decision is the answer to every check, and to an ask if it is no ask.
	Decision permission.Decision

	// Preview is that of every offer.
	Preview api.Preview

	mu       sync.Mutex // guards what follows
	pending  []api.Pending
	answered map[string]api.Outcome
	replies  []api.Reply
	events   []api.Event
	changed  chan struct{} // closed when there is one event more, or listeners are to go
	epoch    int           // raised to have all listeners go
	paths    []string      // of all requests, with the method
}

// Add adds a request, and tells the listeners.
func (d *Daemon) Add(p api.Pending) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pending = append(d.pending, p)
	d.tellLocked(api.EventAsked, p)
}

// Put adds a request, and tells nobody.
func (d *Daemon) Put(p api.Pending) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pending = append(d.pending, p)
}

// Answer takes a request off the list, as if by somebody.
func (d *Daemon) Answer(id string, reply api.Word, by, message string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.answerLocked(id, reply, by, message)
}

func (d *Daemon) answerLocked(id string, reply api.Word, by, message string) bool {
	i := d.indexLocked(id)
	if i < 0 {
		return false
	}
	outcome := api.Outcome{RequestID: id, SessionID: d.pending[i].SessionID, Reply: reply, By: by, Message: message}
	d.pending = slices.Delete(d.pending, i, i+1)
	if d.answered == nil {
		d.answered = map[string]api.Outcome{}
	}
	d.answered[id] = outcome
	d.tellLocked(api.EventReplied, outcome)
	return true
}

// Drop closes the connections of all listeners.
func (d *Daemon) Drop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.epoch++
	d.wakeLocked()
}

// Tell sends an event to the listeners.
func (d *Daemon) Tell(kind string, data any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tellLocked(kind, data)
}

// Replies returns the replies that were taken, in their order.
func (d *Daemon) Replies() []api.Reply {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.replies)
}

// Requests returns the method and address of every request so far.
func (d *Daemon) Requests() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.paths)
}

// Serve serves on a socket until ctx ends, and then closes every connection.
func (d *Daemon) Serve(ctx context.Context, l net.Listener) error {
	srv := &http.Server{Handler: d.handler(), ReadHeaderTimeout: 5 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() })
	defer stop()
	err := srv.Serve(l)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (d *Daemon) indexLocked(id string) int {
	return slices.IndexFunc(d.pending, func(p api.Pending) bool { return p.ID == id })
}

func (d *Daemon) tellLocked(kind string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // a test's own data
	}
	d.events = append(d.events, api.Event{ID: strconv.Itoa(len(d.events) + 1), Kind: kind, Data: text})
	d.wakeLocked()
}

func (d *Daemon) wakeLocked() {
	close(d.changedLocked())
	d.changed = nil
}

func (d *Daemon) changedLocked() chan struct{} {
	if d.changed == nil {
		d.changed = make(chan struct{})
	}
	return d.changed
}

func (d *Daemon) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/check", func(w http.ResponseWriter, _ *http.Request) { write(w, d.Decision) })
	mux.HandleFunc("POST /v1/ask", d.ask)
	mux.HandleFunc("GET /v1/ask/{id}", d.poll)
	mux.HandleFunc("DELETE /v1/ask/{id}", d.withdraw)
	mux.HandleFunc("GET /v1/pending", d.list)
	mux.HandleFunc("GET /v1/pending/{id}", d.get)
	mux.HandleFunc("GET /v1/pending/{id}/preview", func(w http.ResponseWriter, _ *http.Request) { write(w, d.Preview) })
	mux.HandleFunc("POST /v1/pending/{id}/reply", d.reply)
	mux.HandleFunc("GET /v1/events", d.stream)
	mux.HandleFunc("GET /v1/decisions", func(w http.ResponseWriter, _ *http.Request) { write(w, d.Preview.Past) })
	mux.HandleFunc("GET /v1/approvals", func(w http.ResponseWriter, _ *http.Request) {
		write(w, []api.Approval{{Permission: "bash", Pattern: "git push *", Scope: api.Project}})
	})
	mux.HandleFunc("DELETE /v1/approvals", func(w http.ResponseWriter, r *http.Request) {
		var revocation api.Revocation
		if json.NewDecoder(r.Body).Decode(&revocation) != nil || revocation.Pattern != "git push *" {
			fail(w, http.StatusNotFound, "there is no such approval", "see permctl approvals list")
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /v1/rules", func(w http.ResponseWriter, _ *http.Request) { write(w, []permission.Layer{}) })
	mux.HandleFunc("GET /v1/status", func(w http.ResponseWriter, _ *http.Request) { write(w, api.Status{Version: "test"}) })
	mux.HandleFunc("POST /v1/reload", func(w http.ResponseWriter, _ *http.Request) { write(w, api.Status{Reloads: 1}) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		d.paths = append(d.paths, r.Method+" "+r.URL.RequestURI())
		d.mu.Unlock()
		if r.ContentLength > 0 && r.Header.Get("Content-Type") != "application/json" {
			fail(w, http.StatusUnsupportedMediaType, "the body is no application/json", "")
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // a client that has gone away
}

func fail(w http.ResponseWriter, status int, message, hint string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(api.Error{Error: message, Hint: hint})
}

// ask makes every call that is to be asked a request, and waits for the reply.
func (d *Daemon) ask(w http.ResponseWriter, r *http.Request) {
	var req api.AskRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		fail(w, http.StatusBadRequest, err.Error(), "")
		return
	}
	switch d.Decision.Action {
	case permission.Allow:
		write(w, api.Answer{Status: api.Allowed, Decision: d.Decision})
		return
	case permission.Deny:
		write(w, api.Answer{Status: api.Denied, Decision: d.Decision})
		return
	case permission.Ask:
	}
	d.mu.Lock()
	id := fmt.Sprintf("per_ask%d", len(d.paths))
	d.mu.Unlock()
	d.Add(api.Pending{ID: id, Metadata: req.Call, SessionID: req.Call.Session, Title: req.Call.Tool, Asked: time.Now()})
	if req.Detach {
		write(w, api.Answer{ID: id, Status: api.Waiting, Decision: d.Decision})
		return
	}
	if answer, ok := d.wait(r.Context(), id); ok {
		write(w, answer)
		return
	}
	d.Answer(id, api.Reject, "the caller went away", "")
}

// wait returns the answer to a request once there is one. It is not ok if ctx
// ends before.
func (d *Daemon) wait(ctx context.Context, id string) (api.Answer, bool) {
	for {
		d.mu.Lock()
		outcome, ok := d.answered[id]
		changed := d.changedLocked()
		d.mu.Unlock()
		if ok {
			status, decision := api.Allowed, d.Decision
			if decision.Action = permission.Allow; outcome.Reply == api.Reject {
				status, decision.Action = api.Denied, permission.Deny
			}
			return api.Answer{ID: id, Status: status, Decision: decision, Reply: &api.Given{Reply: outcome.Reply, By: outcome.By, Message: outcome.Message}}, true
		}
		select {
		case <-ctx.Done():
			return api.Answer{}, false
		case <-changed:
		}
	}
}

func (d *Daemon) poll(w http.ResponseWriter, r *http.Request) {
	seconds, err := strconv.Atoi(r.URL.Query().Get("wait"))
	if err != nil {
		fail(w, http.StatusBadRequest, "wait is no number", "")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), time.Duration(seconds)*time.Second)
	defer cancel()
	answer, ok := d.wait(ctx, r.PathValue("id"))
	if !ok {
		answer = api.Answer{ID: r.PathValue("id"), Status: api.Waiting, Decision: d.Decision}
	}
	write(w, answer)
}

func (d *Daemon) withdraw(w http.ResponseWriter, r *http.Request) {
	if !d.Answer(r.PathValue("id"), api.Reject, "the caller", "withdrawn") {
		fail(w, http.StatusNotFound, "no such pending request", "")
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (d *Daemon) list(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	found := []api.Pending{}
	for _, p := range d.pending {
		if session := r.URL.Query().Get("session"); session == "" || session == p.SessionID {
			found = append(found, p)
		}
	}
	write(w, found)
}

func (d *Daemon) get(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := d.indexLocked(r.PathValue("id")); i >= 0 {
		write(w, d.pending[i])
		return
	}
	fail(w, http.StatusNotFound, "no such pending request", "")
}

func (d *Daemon) reply(w http.ResponseWriter, r *http.Request) {
	var reply api.Reply
	if err := json.NewDecoder(r.Body).Decode(&reply); err != nil {
		fail(w, http.StatusBadRequest, err.Error(), "")
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	id := r.PathValue("id")
	if outcome, ok := d.answered[id]; ok {
		fail(w, http.StatusConflict, fmt.Sprintf("%s has answered it already: %s", outcome.By, outcome.Reply), "")
		return
	}
	i := d.indexLocked(id)
	if i < 0 {
		fail(w, http.StatusNotFound, "no such pending request", "see permctl pending")
		return
	}
	answer := api.Replied{ID: id, Reply: reply.Reply, Saved: []api.Offer{}, Released: []string{}, Rejected: []string{}}
	if reply.Reply == api.Always {
		answer.Saved = d.pending[i].Offers
		if len(reply.Offers) > 0 {
			answer.Saved = reply.Offers
		}
	}
	if reply.Reply == api.Reject {
		answer.Rejected = d.othersLocked(d.pending[i])
	}
	d.replies = append(d.replies, reply)
	d.answerLocked(id, reply.Reply, reply.By, reply.Message)
	for _, other := range answer.Rejected {
		d.answerLocked(other, api.Reject, reply.By, "")
	}
	write(w, answer)
}

// othersLocked returns what else the request's session waits for.
func (d *Daemon) othersLocked(p api.Pending) []string {
	ids := []string{}
	for _, other := range d.pending {
		if other.SessionID == p.SessionID && other.ID != p.ID {
			ids = append(ids, other.ID)
		}
	}
	return ids
}

func (d *Daemon) stream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, ": hello\n\n")
	d.mu.Lock()
	after, epoch := len(d.events), d.epoch
	if last, err := strconv.Atoi(r.Header.Get("Last-Event-ID")); err == nil {
		after = min(last, after)
	}
	d.mu.Unlock()
	for {
		d.mu.Lock()
		events, changed, gone := slices.Clone(d.events[after:]), d.changedLocked(), d.epoch != epoch
		d.mu.Unlock()
		if gone {
			return
		}
		for _, event := range events {
			fmt.Fprintf(w, "id: %s\nevent: %s\ndata: %s\n\n", event.ID, event.Kind, event.Data)
		}
		after += len(events)
		if http.NewResponseController(w).Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-changed:
		}
	}
}
