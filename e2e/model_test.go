//go:build e2e

package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
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
// it of each. It speaks as much of the Anthropic Messages API as that needs.
type model struct {
	url    string
	script []toolCall

	mu   sync.Mutex     // guards what follows
	told map[int]string // the results, by the calls' indexes in the script
}

// newModel returns a model on a port of the loopback interface, which is open
// until t ends.
func newModel(t *testing.T, script []toolCall) *model {
	t.Helper()
	m := &model{script: script, told: map[int]string{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", m.messages)
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

// A turn is what the agent sends to have the model say something.
type turn struct {
	Model  string `json:"model"`
	Stream bool   `json:"stream"`
	Tools  []struct {
		Name string `json:"name"`
	} `json:"tools"`
	Messages []struct {
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
}

// callID is the form of the identifiers of the script's calls.
const callID = "toolu_step_%d"

// messages answers one turn: with the first call that has no result yet, or
// with "done".
func (m *model) messages(w http.ResponseWriter, r *http.Request) {
	var in turn
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	next := m.listen(in)
	block, stop := map[string]any{"type": "text", "text": "done"}, "end_turn"
	if next < len(m.script) && in.offers(m.script[next].tool) {
		call := m.script[next]
		block = map[string]any{"type": "tool_use", "id": fmt.Sprintf(callID, next), "name": call.tool, "input": call.input}
		stop = "tool_use"
	}
	message := map[string]any{
		"id": fmt.Sprintf("msg_%d", next), "type": "message", "role": "assistant", "model": in.Model,
		"content": []any{block}, "stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": 1, "output_tokens": 1},
	}
	if !in.Stream {
		reply(w, message)
		return
	}
	stream(w, message, block)
}

// listen notes the results in the turn's conversation, and returns the index
// of the first call that has none.
func (m *model) listen(in turn) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, message := range in.Messages {
		var blocks []struct {
			Type    string          `json:"type"`
			ID      string          `json:"tool_use_id"`
			Content json.RawMessage `json:"content"`
		}
		if json.Unmarshal(message.Content, &blocks) != nil {
			continue // plain text
		}
		for _, b := range blocks {
			var i int
			if _, err := fmt.Sscanf(b.ID, callID, &i); err == nil && b.Type == "tool_result" {
				m.told[i] = said(b.Content)
			}
		}
	}
	return len(m.told)
}

// offers reports whether the agent has the tool in this turn. Side turns, for
// titles and the like, have none.
func (in turn) offers(tool string) bool {
	for _, t := range in.Tools {
		if t.Name == tool {
			return true
		}
	}
	return false
}

// said returns the text of a result's content: a string, or a list of blocks.
func said(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var blocks []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(content, &blocks) != nil {
		return string(content)
	}
	var all []string
	for _, b := range blocks {
		all = append(all, b.Text)
	}
	return strings.Join(all, "\n")
}

// reply answers a request with v as JSON.
func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// stream answers a turn with message, whose one block is block, as the series
// of events that a streaming client expects.
func stream(w http.ResponseWriter, message, block map[string]any) {
	w.Header().Set("Content-Type", "text/event-stream")
	opening := map[string]any{"type": block["type"]}
	delta := map[string]any{"type": "text_delta", "text": block["text"]}
	if block["type"] == "tool_use" {
		input, err := json.Marshal(block["input"])
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		opening["id"], opening["name"], opening["input"] = block["id"], block["name"], map[string]any{}
		delta = map[string]any{"type": "input_json_delta", "partial_json": string(input)}
	} else {
		opening["text"] = ""
	}
	stop := message["stop_reason"]
	message["content"], message["stop_reason"] = []any{}, nil
	for _, event := range []map[string]any{
		{"type": "message_start", "message": message},
		{"type": "content_block_start", "index": 0, "content_block": opening},
		{"type": "content_block_delta", "index": 0, "delta": delta},
		{"type": "content_block_stop", "index": 0},
		{"type": "message_delta", "delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 1}},
		{"type": "message_stop"},
	} {
		data, err := json.Marshal(event)
		if err != nil {
			return
		}
		if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event["type"], data); err != nil {
			return // the agent is gone, and knows
		}
	}
}
