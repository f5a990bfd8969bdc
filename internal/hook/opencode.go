package hook

import (
	"cmp"
	"errors"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// OpenCode is opencode. It has plugins rather than hooks: the payload is what
// permctl's plugin writes of its event, and the answer what that reads. On any
// exit status but 0, and if there is no answer, the plugin refuses the call.
var OpenCode = &Agent{
	Name:   "opencode",
	decode: decodeOpenCode,
	answer: answerOpenCode,
	refuse: refuseStatus,
	event:  anyEvent,
}

var openCodeEvents = dialect{
	agent:   "opencode",
	field:   "hook",
	decides: []string{"tool.execute.before"},
	reports: []string{"tool.execute.after"},
}

// An openCodePayload is what permctl reads of the plugin's payloads.
type openCodePayload struct {
	Hook  string `json:"hook"`
	Input struct {
		Tool      string `json:"tool"`
		SessionID string `json:"sessionID"`
	} `json:"input"`
	Output struct {
		Args map[string]any `json:"args"`
	} `json:"output"`
	Directory string `json:"directory"`
	Worktree  string `json:"worktree"`
}

// decodeOpenCode is [Agent.Decode] for opencode.
func decodeOpenCode(payload []byte) (Event, error) {
	var p openCodePayload
	if err := input.Decode(payload, &p); err != nil {
		return Event{}, err
	}
	decides, err := openCodeEvents.heard(p.Hook, p.Input.Tool != "" || p.Output.Args != nil)
	switch {
	case err != nil:
		return Event{}, err
	case !decides:
		return Event{Name: p.Hook}, nil
	case p.Input.Tool == "":
		return Event{}, errors.New("the tool.execute.before payload has no input.tool")
	}
	return decided(p.Hook, input.Call{
		Tool: p.Input.Tool, Input: p.Output.Args, Cwd: cmp.Or(p.Directory, p.Worktree), Session: p.Input.SessionID,
	}), nil
}

// An openCodeAnswer is what the plugin reads.
type openCodeAnswer struct {
	Decision permission.Action `json:"decision"`
	Reason   string            `json:"reason,omitempty"`
}

// openCodePass leaves the call to opencode's own rules and questions.
const openCodePass permission.Action = "pass"

// answerOpenCode is [Agent.Answer] for opencode.
func answerOpenCode(_ Event, d permission.Decision) Answer {
	switch {
	case d.Action != permission.Allow:
		return object(openCodeAnswer{Decision: d.Action, Reason: d.Reason})
	case d.Grant:
		return object(openCodeAnswer{Decision: permission.Allow})
	}
	return object(openCodeAnswer{Decision: openCodePass})
}
