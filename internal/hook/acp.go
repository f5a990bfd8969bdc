package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// ACP is whatever agent speaks the Agent Client Protocol, versions 1 and 2. Its
// payload is a message of the agent's to its client, and its answer the client's
// reply, or nothing where the client has to ask a person or knows what to do.
var ACP = &Agent{
	Name:    "acp",
	dialect: acpDialect,
	decode:  decodeACP,
	answer:  answerACP,
	refuse:  refuseACP,
	hearing: hearing{reads: readsACP},
	marks:   []mark{"jsonrpc method"},
}

// acpDialect is how the protocol names what an agent sends.
var acpDialect = dialect{agent: "the Agent Client Protocol", field: "method", dialogs: []string{requestPermission}}

// requestPermission is the method with which an agent waits for a decision.
const requestPermission = "session/request_permission"

// An acpMessage is what permctl reads of a message.
type acpMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params acpParams       `json:"params"`
}

// acpParams are the parameters of a message. The last two are those of methods
// that have the client do something.
type acpParams struct {
	SessionID string      `json:"sessionId"`
	ToolCall  *acpCall    `json:"toolCall"` // version 1
	Subject   *acpSubject `json:"subject"`  // version 2
	Options   []acpOption `json:"options"`
	Command   any         `json:"command"`
	Path      any         `json:"path"`
}

// An acpSubject is what a permission is requested for.
type acpSubject struct {
	Type     string   `json:"type"`
	ToolCall *acpCall `json:"toolCall"`
	Command  any      `json:"command"`
	Cwd      string   `json:"cwd"`
}

// An acpCall is a tool's call. What the tool is given is the agent's own.
type acpCall struct {
	Kind      string         `json:"kind"`
	RawInput  map[string]any `json:"rawInput"`
	Locations []struct {
		Path string `json:"path"`
	} `json:"locations"`
	Content []struct {
		Type string `json:"type"`
		Path string `json:"path"`
	} `json:"content"`
}

// An acpOption is a button of the client's.
type acpOption struct {
	OptionID string `json:"optionId"`
	Kind     string `json:"kind"`
}

// decodeACP is [Agent.Decode] for the Agent Client Protocol.
func decodeACP(payload []byte) (Event, error) {
	var m acpMessage
	if err := input.Decode(payload, &m); err != nil {
		return Event{}, err
	}
	p := m.Params
	if m.Method != requestPermission && (p.ToolCall != nil || p.Subject != nil || p.Command != nil || p.Path != nil) {
		return Event{}, fmt.Errorf("the payload's method is %q, of which permctl decides nothing, but it asks the client to do something", m.Method)
	}
	return acpDialect.event(m.Method, false, func() (input.Call, error) {
		if !m.waits() {
			return input.Call{}, missing(m.Method, "id")
		}
		return p.call()
	})
}

// acpOf returns the message in a payload, as far as it can be read, and whether it
// waits for a reply.
func acpOf(payload []byte) (acpMessage, bool) {
	var m acpMessage
	err := json.Unmarshal(payload, &m)
	var kind *json.UnmarshalTypeError
	return m, (err == nil || errors.As(err, &kind)) && m.waits()
}

// waits reports whether the message has an id that a reply can name.
func (m acpMessage) waits() bool {
	return len(m.ID) > 0 && (m.ID[0] == '"' || m.ID[0] == '-' || '0' <= m.ID[0] && m.ID[0] <= '9')
}

// call returns the call that a permission is requested for. The protocol lets
// agents leave out what they have told before: of that, permctl knows nothing.
func (p acpParams) call() (input.Call, error) {
	tool := p.ToolCall
	if p.Subject != nil {
		switch {
		case tool != nil:
			return input.Call{}, errors.New("the request has both a toolCall and a subject")
		case p.Subject.Type == "command" && p.Subject.Command != nil:
			return input.Call{
				Tool: "execute", Input: map[string]any{"command": p.Subject.Command}, Cwd: p.Subject.Cwd, Session: p.SessionID,
			}, nil
		case p.Subject.Type != "tool_call":
			return input.Call{}, fmt.Errorf("the request's subject is of the type %q, and permctl decides of tool_call and command", p.Subject.Type)
		}
		tool = p.Subject.ToolCall
	}
	if tool == nil || tool.Kind == "" {
		return input.Call{}, errors.New("the request does not say of what kind its tool is")
	}
	given := tool.input()
	if len(given) == 0 {
		return input.Call{}, fmt.Errorf("the request does not say what its tool, of the kind %s, is given", tool.Kind)
	}
	return input.Call{Tool: tool.name(), Input: given, Session: p.SessionID}, nil
}

// name returns the tool that the call counts as one of: its kind, for tools have
// no names in the protocol. What runs a command is a shell, for some agents go
// by what the command does, and call one that reads a reader.
func (c acpCall) name() string {
	verb, _ := c.RawInput["command"].(string)
	_, delegates := c.RawInput["subagent_type"]
	files := c.Kind == "read" || c.Kind == "edit"
	switch {
	case c.Kind == "search" && c.RawInput["query"] == nil: // in files
		return "grep"
	case c.Kind == "think" && delegates:
		return "task"
	case c.RawInput["command"] == nil && c.RawInput["cmd"] == nil:
		return c.Kind
	case files && verb == "view":
		return c.Kind
	case files && slices.Contains([]string{"create", "str_replace", "insert", "undo_edit"}, verb): // an editor's commands
		return "edit"
	}
	return "execute"
}

// input returns what the tool is given, with the files that the call names
// beside it as paths, and with the arguments of a command as a command.
func (c acpCall) input() map[string]any {
	given := maps.Clone(c.RawInput)
	if given == nil {
		given = map[string]any{}
	}
	if args, ok := given["args"].([]any); ok && len(args) > 0 && given["command"] != nil {
		given["cmd"] = map[string]any{"command": append([]any{given["command"]}, args...), "cmd": given["cmd"]}
	}
	var paths []any
	for _, l := range c.Locations {
		paths = append(paths, l.Path)
	}
	for _, item := range c.Content {
		if item.Type == "diff" {
			paths = append(paths, item.Path)
		}
	}
	if len(paths) == 0 {
		return given
	}
	if old := given["paths"]; old != nil {
		paths = append(paths, old)
	}
	given["paths"] = paths
	return given
}

// answerACP is [Agent.Answer] for the Agent Client Protocol. The client asks a
// person unless it is told what to reply.
func answerACP(event Event, d permission.Decision) Answer {
	m, waits := acpOf(event.payload)
	switch {
	case !waits:
		return refusal(d.Reason)
	case d.Action == permission.Ask, d.Action == permission.Allow && !d.Grant:
		return Answer{}
	case d.Action == permission.Allow:
		option := m.option("allow_once") // and never one for always
		if option == "" {
			return Answer{}
		}
		return m.outcome(acpOutcome{"selected", option})
	default:
		return m.reject(d.Reason)
	}
}

// refuseACP refuses the message, as far as it can be read.
func refuseACP(event Event, reason string) Answer {
	m, waits := acpOf(event.payload)
	switch {
	case !waits:
		return refusal(reason)
	case m.Method == requestPermission:
		return m.reject(reason)
	}
	answer := object(acpFailure{"2.0", m.ID, acpError{-32000, reason}})
	answer.Stderr = reason + "\n"
	return answer
}

// readsACP is how a client takes its reply from permctl: without one, it asks a
// person. An exit status that is not 0 is a no, for a client that can reply.
func readsACP(event Event, a Answer) (Effect, bool) {
	m, _ := acpOf(event.payload)
	var said struct {
		ID     json.RawMessage `json:"id"`
		Error  *acpError       `json:"error"`
		Result *acpResult      `json:"result"`
	}
	switch {
	case a.Status != 0:
		return Blocked, false
	case !a.object(&said) || !bytes.Equal(said.ID, m.ID):
		return Undecided, !a.silent()
	case said.Error != nil:
		return Blocked, false
	case said.Result == nil:
		return Undecided, true
	case said.Result.Outcome.Outcome == "cancelled":
		return Blocked, false
	}
	for _, o := range m.Params.Options {
		if o.OptionID == said.Result.Outcome.OptionID && strings.HasPrefix(o.Kind, "allow_") {
			return Granted, false
		}
	}
	return Blocked, false
}

// option returns the first option of a kind that no option of another kind has
// the id of, or "".
func (m acpMessage) option(kind string) string {
	kinds := map[string]string{}
	for _, o := range m.Params.Options {
		if known, twice := kinds[o.OptionID]; twice && known != o.Kind {
			kinds[o.OptionID] = "" // nobody knows which of them it presses
			continue
		}
		kinds[o.OptionID] = o.Kind
	}
	for _, o := range m.Params.Options {
		if o.OptionID != "" && kinds[o.OptionID] == kind {
			return o.OptionID
		}
	}
	return ""
}

// reject returns the reply that says no: once, if there is a button for that. The
// protocol has no place for the reason, so it is for who reads standard error.
func (m acpMessage) reject(reason string) Answer {
	outcome := acpOutcome{Outcome: "cancelled"}
	for _, kind := range []string{"reject_always", "reject_once"} {
		if option := m.option(kind); option != "" {
			outcome = acpOutcome{"selected", option}
		}
	}
	answer := m.outcome(outcome)
	answer.Stderr = reason + "\n"
	return answer
}

// outcome returns the reply to a request for a permission.
func (m acpMessage) outcome(outcome acpOutcome) Answer {
	return object(acpReply{"2.0", m.ID, acpResult{outcome}})
}

// An acpReply is the reply to a request for a permission.
type acpReply struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  acpResult       `json:"result"`
}

// An acpResult is what an acpReply says.
type acpResult struct {
	Outcome acpOutcome `json:"outcome"`
}

// An acpOutcome is the button that has been pressed, if any.
type acpOutcome struct {
	Outcome  string `json:"outcome"`
	OptionID string `json:"optionId,omitempty"`
}

// An acpFailure is the reply to any other request.
type acpFailure struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   acpError        `json:"error"`
}

// An acpError is what an acpFailure says.
type acpError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}
