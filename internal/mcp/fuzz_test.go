package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/mcp"
	"github.com/permctl/permctl/internal/permission"
)

// FuzzApprove: whatever the arguments are, the answer is one of the two that there
// are. It is an allow only for a call that the hook has been asked about, with the
// very input of it.
func FuzzApprove(f *testing.F) {
	for _, arguments := range []string{
		ls, `{"tool_name":"Bash","input":{}}`, `{"tool_name":"mcp__x__y","input":{"a":[1e2,null,"\ud800"]}}`, `{"input":{"tool_name":"x"},"tool_name":"Bash"}`,
		`{"tool_name":"Read","input":{"file_path":"x"},"input2":{}}`, "", "null", "[]", `{"tool_name":"Bash","input":{"command":"ls","command":"rm"}}`, "{\"tool_name\":\"\xff\",\"input\":{}}",
	} {
		f.Add([]byte(arguments))
	}
	f.Fuzz(func(t *testing.T, arguments []byte) {
		var call *input.Call
		text := mcp.Approve(t.Context(), arguments, func(ctx context.Context, event []byte) ([]byte, error) {
			return hook.Run(ctx, hook.Claude, bytes.NewReader(event), func(_ context.Context, c input.Call) (hook.Verdict, error) {
				call = &c
				return hook.Verdict{Decision: permission.Decision{Action: permission.Allow, Grant: true}}, nil
			}, hook.Limits{}).Stdout, nil
		})
		var said struct {
			Behavior     string         `json:"behavior"`
			Message      string         `json:"message"`
			UpdatedInput map[string]any `json:"updatedInput"`
		}
		if err := json.Unmarshal(text, &said); err != nil {
			t.Fatalf("Approve(%q) = %s: %v", arguments, text, err)
		}
		if said.Behavior == "deny" && said.Message != "" && said.UpdatedInput == nil {
			return
		}
		if said.Behavior != "allow" || call == nil || said.UpdatedInput == nil {
			t.Fatalf("Approve(%q) = %s, and decided is %+v", arguments, text, call)
		}
		var given struct {
			ToolName string         `json:"tool_name"`
			Input    map[string]any `json:"input"`
		}
		if err := json.Unmarshal(arguments, &given); err != nil || given.ToolName != call.Tool {
			t.Errorf("Approve(%q) decides on the tool %q: %v", arguments, call.Tool, err)
		}
		want, _ := json.Marshal(given.Input)
		for _, other := range []map[string]any{call.Input, said.UpdatedInput} {
			if got, _ := json.Marshal(other); !bytes.Equal(got, want) {
				t.Errorf("Approve(%q) is about %s, want %s", arguments, got, want)
			}
		}
	})
}
