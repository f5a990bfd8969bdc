package mcp

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/permctl/permctl/internal/input"
)

// payload returns the event of Claude Code's hooks that says what the tool's
// arguments do: that a person is about to be asked about a call. With it comes the
// call's input, as it was written.
func payload(arguments []byte) (event []byte, given json.RawMessage, err error) {
	var call struct {
		ToolName string          `json:"tool_name"`
		Input    json.RawMessage `json:"input"`
	}
	if err := input.Decode(arguments, &call); err != nil {
		return nil, nil, err
	}
	if call.ToolName == "" {
		return nil, nil, errors.New("the call has no tool_name")
	}
	if len(call.Input) == 0 || call.Input[0] != '{' {
		return nil, nil, errors.New("the call's input is no object")
	}
	name, err := json.Marshal(call.ToolName)
	if err != nil {
		return nil, nil, err
	}
	event = fmt.Appendf(nil, `{"hook_event_name":"PermissionRequest","tool_name":%s,"tool_input":%s}`, name, call.Input)
	return event, call.Input, nil
}

// result returns the text that answers the tool's call: the hook's answer in the
// words of this tool. What is allowed is the very text that was judged, for Claude
// Code runs what it gets back. Silence would be Claude Code's own question from a
// hook, and is a deny here, for that question is this one.
func result(answer []byte, given json.RawMessage) []byte {
	var said struct {
		HookSpecificOutput struct {
			HookEventName string `json:"hookEventName"`
			Decision      struct {
				Behavior string `json:"behavior"`
				Message  string `json:"message"`
			} `json:"decision"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(answer, &said); err != nil && len(answer) > 0 {
		return deny(fmt.Sprintf("permctl's own answer cannot be read: %v", err))
	}
	decision := said.HookSpecificOutput.Decision
	if said.HookSpecificOutput.HookEventName != "PermissionRequest" || decision.Behavior != "allow" {
		return deny(cmp.Or(decision.Message, "no rule allows it, and nobody could be asked"))
	}
	return fmt.Appendf(nil, `{"behavior":"allow","updatedInput":%s}`, given)
}

// undecided returns the text that refuses a call because err came between it and a
// decision.
func undecided(err error) []byte {
	return deny("permctl could not decide, so the answer is no: " + err.Error())
}

// deny returns the text that refuses a call for a reason.
func deny(reason string) []byte {
	text, err := json.Marshal(map[string]string{"behavior": "deny", "message": cmp.Or(reason, "permctl gave no reason")})
	if err != nil {
		return []byte(`{"behavior":"deny","message":"permctl could not write its reason"}`)
	}
	return text
}
