package hook

import (
	"cmp"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// OpenCode is opencode. It has plugins rather than hooks: the payload is what
// permctl's plugin writes of its event, and the answer what that reads. On any
// exit status but 0, and if there is no answer, the plugin refuses the call.
var OpenCode = &Agent{
	Name:    "opencode",
	dialect: openCodeDialect,
	decode:  decodeOpenCode,
	answer:  answerOpenCode,
	hearing: hearing{reads: readsPlugin(saysOpenCode), missing: Blocked, late: Blocked},
	marks:   []mark{"hook input !event"},
}

// openCodeDialect is how the plugin names its events.
var openCodeDialect = dialect{
	agent:   "opencode",
	field:   "hook",
	tools:   []string{"tool.execute.before"},
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
	return openCodeDialect.event(p.Hook, p.Input.Tool != "" || p.Output.Args != nil, p.call)
}

// call returns the call of a payload that makes one.
func (p openCodePayload) call() (input.Call, error) {
	if p.Input.Tool == "" {
		return input.Call{}, missing(p.Hook, "input.tool")
	}
	return input.Call{
		Tool: p.Input.Tool, Input: p.Output.Args, Cwd: cmp.Or(p.Directory, p.Worktree), Session: p.Input.SessionID,
	}, nil
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

// saysOpenCode returns what the plugin makes of an answer. It has nobody to ask,
// and opencode's own rules judge what it lets pass.
func saysOpenCode(a Answer) Effect {
	var said openCodeAnswer
	if a.object(&said) && (said.Decision == permission.Allow || said.Decision == openCodePass) {
		return Undecided
	}
	return Blocked
}
