package hook

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// OpenCode is opencode. It has plugins rather than hooks: the payload is what
// permctl's plugin writes of its event, and the answer what that reads. On any
// exit status but 0, and if there is no answer, the plugin refuses the call.
//
// An event of its server's, with which it asks for a permission, is a payload too.
// The answer is the body of the reply that POST /permission/ID/reply takes, or
// nothing if it is a person's to give.
var OpenCode = &Agent{
	Name:     "opencode",
	dialect:  openCodeDialect,
	decode:   decodeOpenCode,
	answer:   answerOpenCode,
	workdirs: []string{"workdir"},
	refuse:   refuseOpenCode,
	hearing:  hearing{reads: readsOpenCode, missing: Blocked, late: Blocked},
	marks:    []mark{"hook input !event", "type properties !hook"},
}

// openCodeDialect is how the plugin names its events, and the server those with
// which it asks for a permission.
var openCodeDialect = dialect{
	agent:   "opencode",
	field:   "hook",
	tools:   []string{"tool.execute.before"},
	dialogs: []string{"permission.asked", "permission.v2.asked"},
	reports: []string{"tool.execute.after"},
}

// serverField is the field in which the server names its events.
const serverField = "type"

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

	Type       string          `json:"type"` // serverField
	Properties openCodeRequest `json:"properties"`
}

// An openCodeRequest asks for a permission. Version 2 has other names for what it
// is and what it is for.
type openCodeRequest struct {
	SessionID  string   `json:"sessionID"`
	Permission string   `json:"permission"`
	Action     string   `json:"action"`
	Patterns   []string `json:"patterns"`
	Resources  []string `json:"resources"`
	Metadata   struct {
		Command string `json:"command"`
		Path    string `json:"filepath"`
	} `json:"metadata"`
}

// decodeOpenCode is [Agent.Decode] for opencode.
func decodeOpenCode(payload []byte) (Event, error) {
	var p openCodePayload
	if err := input.Decode(payload, &p); err != nil {
		return Event{}, err
	}
	calls := p.Input.Tool != "" || p.Output.Args != nil || p.Properties.tool() != ""
	return openCodeDialect.event(cmp.Or(p.Hook, p.Type), calls, p.call)
}

// call returns the call of a payload that makes one.
func (p openCodePayload) call() (input.Call, error) {
	if asksPermission(cmp.Or(p.Hook, p.Type)) {
		return p.Properties.call()
	}
	if p.Input.Tool == "" {
		return input.Call{}, missing(p.Hook, "input.tool")
	}
	return input.Call{
		Tool: p.Input.Tool, Input: p.Output.Args, Cwd: cmp.Or(p.Directory, p.Worktree), Session: p.Input.SessionID,
	}, nil
}

// asksPermission reports whether the event called name is a request of opencode's
// server.
func asksPermission(name string) bool { return slices.Contains(openCodeDialect.dialogs, name) }

// openCodeFields are the fields with what tools are given that a permission has one
// pattern for.
var openCodeFields = map[string]string{
	"glob": "pattern", "grep": "pattern", "webfetch": "url", "websearch": "query", "task": "subagent_type", "skill": "name",
}

// tool returns the permission that is asked for.
func (r openCodeRequest) tool() string { return cmp.Or(r.Permission, r.Action) }

// call returns the call that a permission is asked for, as far as the request says
// what it is.
func (r openCodeRequest) call() (input.Call, error) {
	tool, patterns := r.tool(), append(r.Patterns, r.Resources...)
	if tool == "" || len(patterns) == 0 {
		return input.Call{}, errors.New("the request for a permission does not say for which, or for what")
	}
	given := map[string]any{}
	field := openCodeFields[tool]
	switch {
	case tool == "bash":
		given["command"] = cmp.Or(r.Metadata.Command, strings.Join(patterns, "\n"))
	case tool == "edit" || tool == "read" || tool == "list":
		given["paths"] = named(append(patterns, r.Metadata.Path))
	case field != "" && len(patterns) == 1:
		given[field] = patterns[0]
	default:
		given["patterns"] = named(patterns)
	}
	return input.Call{Tool: tool, Input: given, Session: r.SessionID}, nil
}

// named returns the texts that are not empty, as JSON has them.
func named(texts []string) []any {
	var list []any
	for _, text := range texts {
		if text != "" {
			list = append(list, text)
		}
	}
	return list
}

// An openCodeAnswer is what the plugin reads.
type openCodeAnswer struct {
	Decision permission.Action `json:"decision"`
	Reason   string            `json:"reason,omitempty"`
}

// openCodePass leaves the call to opencode's own rules and questions.
const openCodePass permission.Action = "pass"

// An openCodeReply is the body of a reply to a request for a permission. Once and
// reject are the replies that do not count for later requests.
type openCodeReply struct {
	Reply   string `json:"reply"`
	Message string `json:"message,omitempty"`
}

// answerOpenCode is [Agent.Answer] for opencode.
func answerOpenCode(event Event, d permission.Decision) Answer {
	asked := asksPermission(event.Name)
	switch {
	case asked && d.Action == permission.Deny:
		return object(openCodeReply{Reply: "reject", Message: d.Reason})
	case asked && d.Action == permission.Allow && d.Grant:
		return object(openCodeReply{Reply: "once"})
	case asked:
		return Answer{} // the request is the question
	case d.Action != permission.Allow:
		return object(openCodeAnswer{Decision: d.Action, Reason: d.Reason})
	case d.Grant:
		return object(openCodeAnswer{Decision: permission.Allow})
	}
	return object(openCodeAnswer{Decision: openCodePass})
}

// refuseOpenCode refuses the event, with the body of a reply if that is what is
// wanted.
func refuseOpenCode(event Event, reason string) Answer {
	answer := refusal(reason)
	if asksPermission(field(event.payload, serverField)) {
		answer.Stdout = object(openCodeReply{Reply: "reject", Message: reason}).Stdout
	}
	return answer
}

// readsOpenCode is how the plugin reads an answer, and the server its reply: a
// request without one stays open.
func readsOpenCode(event Event, a Answer) (Effect, bool) {
	if !asksPermission(event.Name) {
		return readsPlugin(saysOpenCode)(event, a)
	}
	var said openCodeReply
	switch {
	case a.Status != 0 || a.object(&said) && said.Reply == "reject":
		return Blocked, false
	case said.Reply == "once" || said.Reply == "always":
		return Granted, false
	}
	return Undecided, !a.silent()
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
