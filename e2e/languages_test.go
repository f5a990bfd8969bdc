//go:build e2e

package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// messages is Anthropic's Messages API.
type messages struct{}

func (messages) read(r *http.Request) (turn, error) {
	var body struct {
		Model  string `json:"model"`
		Stream bool   `json:"stream"`
		Tools  []struct {
			Name string `json:"name"`
		} `json:"tools"`
		Messages []struct {
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	err := json.NewDecoder(r.Body).Decode(&body)
	in := turn{model: body.Model, stream: body.Stream, told: map[int]string{}}
	for _, t := range body.Tools {
		in.tools = append(in.tools, t.Name)
	}
	for _, message := range body.Messages {
		var blocks []struct {
			Type    string          `json:"type"`
			ID      string          `json:"tool_use_id"`
			Content json.RawMessage `json:"content"`
		}
		if json.Unmarshal(message.Content, &blocks) != nil {
			continue // plain text
		}
		for _, b := range blocks {
			if b.Type == "tool_result" {
				in.hear(b.ID, said(b.Content))
			}
		}
	}
	return in, err
}

func (messages) say(w http.ResponseWriter, in turn, n int, call *toolCall) {
	block, stop := map[string]any{"type": "text", "text": "done"}, "end_turn"
	opening, delta := map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": "done"}
	if call != nil {
		id := fmt.Sprintf(callID, n)
		block, stop = map[string]any{"type": "tool_use", "id": id, "name": call.tool, "input": call.input}, "tool_use"
		opening = map[string]any{"type": "tool_use", "id": id, "name": call.tool, "input": map[string]any{}}
		delta = map[string]any{"type": "input_json_delta", "partial_json": call.json()}
	}
	message := map[string]any{
		"id": fmt.Sprintf("msg_%d", n), "type": "message", "role": "assistant", "model": in.model,
		"content": []any{block}, "stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": 1, "output_tokens": 1},
	}
	if !in.stream {
		reply(w, message)
		return
	}
	message["content"], message["stop_reason"] = []any{}, nil
	stream(w, []map[string]any{
		{"type": "message_start", "message": message},
		{"type": "content_block_start", "index": 0, "content_block": opening},
		{"type": "content_block_delta", "index": 0, "delta": delta},
		{"type": "content_block_stop", "index": 0},
		{"type": "message_delta", "delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 1}},
		{"type": "message_stop"},
	}...)
}

// responses is OpenAI's Responses API.
type responses struct{}

func (responses) read(r *http.Request) (turn, error) {
	var body struct {
		Model string `json:"model"`
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
		Input []struct {
			Type   string          `json:"type"`
			ID     string          `json:"call_id"`
			Output json.RawMessage `json:"output"`
		} `json:"input"`
	}
	err := json.NewDecoder(r.Body).Decode(&body)
	in := turn{model: body.Model, stream: true, told: map[int]string{}}
	for _, t := range body.Tools {
		in.tools = append(in.tools, t.Name)
	}
	for _, item := range body.Input {
		if strings.HasSuffix(item.Type, "_call_output") {
			text := said(item.Output)
			if _, printed, ok := strings.Cut(text, "\nOutput:\n"); ok {
				text = printed // behind how long it took, and the like
			}
			in.hear(item.ID, text)
		}
	}
	return in, err
}

func (responses) say(w http.ResponseWriter, in turn, n int, call *toolCall) {
	id := fmt.Sprintf(callID, n)
	item := map[string]any{"type": "message", "role": "assistant", "content": []any{map[string]any{"type": "output_text", "text": "done", "annotations": []any{}}}}
	switch {
	case call == nil:
	case call.tool == patchTool:
		item = map[string]any{"type": "custom_tool_call", "call_id": id, "name": call.tool, "input": call.input["patch"]}
	default:
		item = map[string]any{"type": "function_call", "call_id": id, "name": call.tool, "arguments": call.json()}
	}
	item["id"], item["status"] = fmt.Sprintf("item_%d", n), "completed"
	response := func(status string, output ...any) map[string]any {
		return map[string]any{
			"id": fmt.Sprintf("resp_%d", n), "object": "response", "created_at": 1, "model": in.model, "status": status, "output": append([]any{}, output...),
			"usage": map[string]any{
				"input_tokens": 1, "output_tokens": 1, "total_tokens": 2,
				"input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0},
			},
		}
	}
	stream(w, []map[string]any{
		{"type": "response.created", "sequence_number": 0, "response": response("in_progress")},
		{"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": item},
		{"type": "response.output_item.done", "sequence_number": 2, "output_index": 0, "item": item},
		{"type": "response.completed", "sequence_number": 3, "response": response("completed", item)},
	}...)
}

// generate is Google's generateContent API.
type generate struct{}

func (generate) read(r *http.Request) (turn, error) {
	var body struct {
		Tools []struct {
			Functions []struct {
				Name string `json:"name"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
		Contents []struct {
			Parts []struct {
				Result *struct {
					ID       string          `json:"id"`
					Response json.RawMessage `json:"response"`
				} `json:"functionResponse"`
			} `json:"parts"`
		} `json:"contents"`
	}
	err := json.NewDecoder(r.Body).Decode(&body)
	in := turn{stream: strings.HasSuffix(r.URL.Path, ":streamGenerateContent"), told: map[int]string{}}
	for _, t := range body.Tools {
		for _, f := range t.Functions {
			in.tools = append(in.tools, f.Name)
		}
	}
	for _, content := range body.Contents {
		for _, part := range content.Parts {
			if part.Result != nil {
				in.hear(part.Result.ID, said(part.Result.Response))
			}
		}
	}
	return in, err
}

func (generate) say(w http.ResponseWriter, in turn, n int, call *toolCall) {
	part := map[string]any{"text": "done"}
	if call != nil {
		part = map[string]any{"functionCall": map[string]any{"id": fmt.Sprintf(callID, n), "name": call.tool, "args": call.input}}
	}
	answer := map[string]any{
		"candidates":    []any{map[string]any{"content": map[string]any{"role": "model", "parts": []any{part}}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": map[string]any{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
	}
	if in.stream {
		stream(w, answer)
		return
	}
	reply(w, answer)
}

// json returns the call's input.
func (c *toolCall) json() string {
	text, err := json.Marshal(c.input)
	if err != nil {
		panic(err) // a script has nothing that is no JSON
	}
	return string(text)
}

// said returns the text of a result: a string, a list of blocks with text, or an
// object with what came out or what went wrong.
func said(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var result struct{ Output, Error string }
	if json.Unmarshal(content, &result) == nil {
		return result.Output + result.Error
	}
	var blocks []struct{ Text string }
	if json.Unmarshal(content, &blocks) != nil {
		return string(content)
	}
	var all []string
	for _, b := range blocks {
		all = append(all, b.Text)
	}
	return strings.Join(all, "\n")
}
