// Package hook turns an agent's payload into a tool call, and a decision into
// the answer that the agent reads.
//
// It decides nothing. Whatever goes wrong between the payload and the answer
// becomes a refusal in the agent's own dialect, and never silence.
package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// An Event is what an agent reports in one payload.
type Event struct {
	// Name is the event's name as the agent spells it.
	Name string

	// Decides is whether the agent waits for a decision on Call. If false,
	// there is no call, and the answer says nothing.
	Decides bool

	Call input.Call

	// reply is what the answer has to name of the payload, as the agent's codec
	// knows it, or nil.
	reply any
}

// An Answer is what the program that an agent started as its hook has to leave
// behind: the bytes on standard output, which are one JSON object in a line of
// its own or nothing; the text on standard error, a line or nothing; and the
// exit status.
type Answer struct {
	Stdout []byte
	Stderr string
	Status int
}

// An Agent is a coding agent whose hooks permctl answers. It is safe for
// concurrent use.
type Agent struct {
	// Name is what people call the agent on the command line, and Aliases
	// what else it answers to.
	Name    string
	Aliases []string

	decode func(payload []byte) (Event, error)
	answer func(event Event, decision permission.Decision) Answer
	refuse func(event, reason string) Answer
	event  func(payload []byte) string
}

// Agents are the agents that permctl knows.
var Agents = []*Agent{
	Claude, Codex, Gemini, Cursor, Copilot, VSCode, OpenCode, Senpi, Pi, Factory, Kiro, Windsurf, Cline, Goose, ACP,
}

// Find returns the agent with the name or alias name. The error lists the
// known ones.
func Find(name string) (*Agent, error) {
	var words []string
	for _, a := range Agents {
		if a.Name == name || slices.Contains(a.Aliases, name) {
			return a, nil
		}
		words = append(append(words, a.Name), a.Aliases...)
	}
	return nil, fmt.Errorf("unknown agent %q%s: use %s",
		name, permission.DidYouMean(name, words...), strings.Join(words, ", "))
}

// Decode returns what payload reports. Fields that it does not know are left
// out, and tools that it does not know keep their names. The errors are
// [input.ErrTooLarge], [input.ErrTooDeep], or say what is wrong with the
// payload; what to answer then is what [Agent.Fail] says.
func (a *Agent) Decode(payload []byte) (Event, error) { return a.decode(payload) }

// Answer returns what tells the agent of the decision on event. An action that
// is not a known one is a deny, and an event that decides nothing gets no
// answer, whatever the decision.
func (a *Agent) Answer(event Event, decision permission.Decision) Answer {
	if !event.Decides {
		return Answer{}
	}
	decision.Action = permission.Strictest(decision.Action)
	decision.Reason = plain(decision.Reason)
	if decision.Reason == "" && decision.Action != permission.Allow {
		decision.Reason = "permctl gave no reason"
	}
	return a.answer(event, decision)
}

// Fail returns the answer that refuses the call in payload because err came
// between it and a decision. The payload may be cut off, or be no payload at
// all: if it does not tell what the event is, the answer is the one that
// refuses the most events.
func (a *Agent) Fail(payload []byte, err error) Answer {
	return a.refuse(a.event(payload), plain("permctl could not decide, so the answer is no: "+err.Error()))
}

// events are the events of an agent, by what it waits for.
type events struct {
	agent   string   // whose they are, for people
	tools   []string // it waits for a decision on a tool's call
	prompts []string // it waits for a decision on a person's prompt
	reports []string // they tell of a tool's call, and wait for nothing
}

// unheard returns an error if an event that the agent is not known to wait on may
// be one of those all the same: to say nothing would then be to allow. calls says
// whether the payload has a tool's call.
func (e events) unheard(event string, calls bool) error {
	_, err := dialect{e.agent, "event", slices.Concat(e.tools, e.prompts), e.reports}.heard(event, calls)
	return err
}

// object returns the answer that is v as JSON.
func object(v any) Answer {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // a person reads it
	if err := enc.Encode(v); err != nil {
		return refusal(err.Error())
	}
	return Answer{Stdout: out.Bytes()}
}

// refuseAny is the refusal of the agents on which exit status 2 stops each event
// that can be stopped.
func refuseAny(_, reason string) Answer { return refusal(reason) }

// refusal returns the answer that most agents take for a deny whatever the
// event: nothing to parse, the reason on standard error, and exit status 2.
func refusal(reason string) Answer { return Answer{Stderr: reason + "\n", Status: 2} }

// maxReason is the size in bytes of the longest reason that is handed on. With
// its quotes and line ends escaped and its object around it, it stays below the
// 10,000 characters at which agents cut.
const maxReason = 4096

// plain returns reason as agents and terminals can show it: valid UTF-8, free
// of characters that steer a terminal or turn the direction of text, and if it
// is long, without its middle, for what decided may stand at either end.
func plain(reason string) string {
	reason = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return utf8.RuneError
		}
		return r
	}, strings.TrimSpace(reason)) // an invalid byte comes as utf8.RuneError, too
	if len(reason) <= maxReason {
		return reason
	}
	const gap = " … "
	head, tail := maxReason*3/4, len(reason)-maxReason/4+len(gap)
	for !utf8.RuneStart(reason[head]) {
		head--
	}
	for !utf8.RuneStart(reason[tail]) {
		tail++
	}
	return reason[:head] + gap + reason[tail:]
}

// arguments returns a tool's input, which is the field called name: an object,
// or a string that holds one as JSON. It is empty if the field is not there.
func arguments(name string, value json.RawMessage) (map[string]any, error) {
	if len(value) > 0 && value[0] == '"' {
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		value = []byte(text)
	} else if !there(value) {
		return map[string]any{}, nil
	}
	var args map[string]any
	if err := input.Decode(value, &args); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if args == nil {
		return nil, fmt.Errorf("%s is no object", name)
	}
	return args, nil
}

// there reports whether a payload has the field whose value this is.
func there(value json.RawMessage) bool { return len(value) > 0 && string(value) != "null" }

// hookEventName is the event func of agents that name it by this field.
func hookEventName(payload []byte) string { return field(payload, "hook_event_name") }

// field returns the value of the field called name of the object in payload,
// which need not be whole, nor JSON behind the field. It is empty unless there
// is one value, and that a string without escapes: fields of inner objects are
// the model's to choose, and do not count.
func field(payload []byte, name string) string {
	key, found, depth := `"`+name+`"`, "", 0
	for i := 0; i < len(payload); {
		switch payload[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := stringEnd(payload, i)
			if depth == 1 && string(payload[i:end]) == key {
				value, ok := stringAfterColon(payload[end:])
				if !ok || found != "" && found != value {
					return ""
				}
				found = value
			}
			i = end
			continue
		}
		i++
	}
	return found
}

// stringEnd returns the index behind the JSON string that begins at text[start].
func stringEnd(text []byte, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// stringAfterColon returns the JSON string at the start of text, behind a colon.
func stringAfterColon(text []byte) (string, bool) {
	text, colon := bytes.CutPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte(":"))
	text, quote := bytes.CutPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte(`"`))
	value, _, whole := bytes.Cut(text, []byte(`"`))
	return string(value), colon && quote && whole && !bytes.ContainsRune(value, '\\')
}
