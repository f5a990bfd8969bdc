//go:build e2e

package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// A toolCall is a tool that the model wants to have called, with its input.
type toolCall struct {
	tool  string
	input map[string]any
}

// A model stands in for the language model. It has each call of its script
// made in turn, says "done" behind the last, and remembers what the agent told
// it of each. It speaks as much of the APIs of several vendors as that needs.
type model struct {
	url    string
	name   string // to agents that have tools for it by its name
	script []toolCall

	mu    sync.Mutex     // guards what follows
	told  map[int]string // the results, by the calls' indexes in the script
	tools []string       // those that the agent has had in any turn
}

// newModel returns a model on a port of the loopback interface, which is open
// until t ends.
func newModel(t *testing.T, script []toolCall) *model {
	t.Helper()
	m := &model{name: "m", script: script, told: map[int]string{}}
	mux := http.NewServeMux()
	mux.Handle("POST /v1/messages", m.speaks(messages{}))
	mux.Handle("POST /v1/responses", m.speaks(responses{}))
	mux.Handle("POST /v1beta/models/", m.speaks(generate{}))
	mux.HandleFunc("POST /v1/messages/count_tokens", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, map[string]any{"input_tokens": 1})
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	m.url = server.URL
	return m
}

// result returns what the agent told the model of call i of the script.
func (m *model) result(i int) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	text, ok := m.told[i]
	return text, ok
}

// lacked reports whether the agent has tools, but has never had this one.
func (m *model) lacked(tool string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.tools) > 0 && !slices.Contains(m.tools, tool)
}

// A language is the API of a model.
type language interface {
	// read returns what the agent says.
	read(r *http.Request) (turn, error)

	// say answers it: with a call that has the index n in the script, or with
	// "done" if call is nil.
	say(w http.ResponseWriter, in turn, n int, call *toolCall)
}

// A turn is what the agent sends to have the model say something.
type turn struct {
	model  string
	stream bool

	// tools are those that the agent has in this turn. Side turns, for titles and
	// the like, have none.
	tools []string

	// told are the results that it knows, by the calls' indexes.
	told map[int]string
}

// callID is the form of the identifiers of the script's calls.
const callID = "toolu_step_%d"

// hear notes the result of a call, if it is one of the script's.
func (in *turn) hear(id, text string) {
	var i int
	if _, err := fmt.Sscanf(id, callID, &i); err == nil {
		in.told[i] = text
	}
}

// speaks answers turns: with the first call that has no result yet, or with
// "done".
func (m *model) speaks(l language) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in, err := l.read(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		next := m.listen(in)
		if next < len(m.script) && slices.Contains(in.tools, m.script[next].tool) {
			l.say(w, in, next, &m.script[next])
			return
		}
		l.say(w, in, next, nil)
	})
}

// listen notes the turn's results, and returns the index of the first call that
// has none.
func (m *model) listen(in turn) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.Copy(m.told, in.told)
	m.tools = append(m.tools, in.tools...)
	return len(m.told)
}

// reply answers a request with v as JSON.
func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// stream answers a request with the series of events that a streaming client
// expects. Those with a type are named by it.
func stream(w http.ResponseWriter, events ...map[string]any) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range events {
		data, err := json.Marshal(event)
		if err != nil {
			return
		}
		if name, ok := event["type"]; ok {
			fmt.Fprintf(w, "event: %s\n", name)
		}
		if _, err := fmt.Fprintf(w, "data: %s\n\n", data); err != nil {
			return // the agent is gone, and knows
		}
	}
}
