// Package input turns a tool call into the requests it makes and the facts
// about it: the document that policy decides by.
//
// It gathers, and judges nothing: whatever it cannot understand it hands on
// marked as such, so that no rule for a single thing can allow it.
package input

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/permission"
)

// MaxCall is the size in bytes of the largest call that is read.
const MaxCall = 16 << 20

// maxDepth is how deep a call's JSON may nest.
const maxDepth = 1000

// A Call is what an agent wants to do.
type Call struct {
	// Tool is the tool's name as the agent spells it, and Input what the tool
	// is given: an object for every agent so far.
	Tool  string         `json:"tool"`
	Input map[string]any `json:"input"`

	// Cwd is the absolute directory in which the tool would run. If empty, it
	// is the workspace's root.
	Cwd string `json:"cwd"`

	Session string `json:"session"`
	Agent   string `json:"agent"`

	// Mode is what the agent calls the mode that it is in, or empty if it does
	// not say. In the document, the modes in which agents only plan are "plan".
	Mode string `json:"mode"`

	// Interactive is whether there is a person to ask. If nil, it is as the
	// caller's surroundings say.
	Interactive *bool `json:"interactive,omitempty"`

	// Workdirs are the fields of Input in which the agent's tools have the
	// directory to work in. If another names one, which may be nothing but the
	// model's word, paths are judged both from there and without it. If nil, all
	// fields count that any agent's tools have.
	Workdirs []string `json:"workdirs,omitzero"`

	// MCP is the server and tool of an MCP call, where the agent says so apart
	// from the tool's name.
	MCP *MCP `json:"mcp,omitempty"`
}

// Errors of calls that cannot be read.
var (
	ErrNoTool   = errors.New(`the call names no tool: give it as "tool"`)
	ErrTooLarge = fmt.Errorf("the call is larger than %d MiB", MaxCall>>20)
	ErrTooDeep  = fmt.Errorf("the call nests deeper than %d levels", maxDepth)
)

// ReadCall returns the call in r, one JSON object. Fields it does not know are
// left out. The errors are [ErrNoTool], [ErrTooLarge], [ErrTooDeep], or say
// what is wrong with the JSON.
func ReadCall(r io.Reader) (Call, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxCall+1))
	if err != nil {
		return Call{}, err
	}
	return ParseCall(text)
}

// ParseCall is [ReadCall] for a call that is in memory.
func ParseCall(text []byte) (Call, error) {
	var call Call
	if err := Decode(text, &call); err != nil {
		return Call{}, err
	}
	if call.Tool == "" {
		return Call{}, ErrNoTool
	}
	return call, nil
}

// UnknownField returns a field of the call in text, one JSON object, that no call
// has, and a phrase that says which was most likely meant; or "".
func UnknownField(text []byte) (name, mean string) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil {
		return "", ""
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.ContainsFunc(callFields, func(known string) bool { return strings.EqualFold(known, name) }) {
			return name, permission.DidYouMean(name, callFields...)
		}
	}
	return "", ""
}

// callFields are the fields of a call.
var callFields = []string{"tool", "input", "cwd", "session", "agent", "mode", "interactive", "workdirs", "mcp"}

// Decode reads the one JSON value in text into v, within the limits of a call:
// its errors are [ErrTooLarge], [ErrTooDeep], or say what is wrong with the
// JSON, and where.
func Decode(text []byte, v any) error {
	switch {
	case len(text) > MaxCall:
		return ErrTooLarge
	case len(bytes.TrimSpace(text)) == 0:
		return errors.New("the call is empty: give one JSON object")
	case tooDeep(text):
		return ErrTooDeep
	}
	if name := twice(text); name != "" {
		return fmt.Errorf("the call has the field %q twice", name)
	}
	err := json.Unmarshal(text, v)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("the call is not JSON: byte %d: %w", syntax.Offset, err)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("the call is a JSON %s, and must be %s", kind.Value, jsonKind(kind.Type.Kind().String()))
	case errors.As(err, &kind):
		return fmt.Errorf("the call's %q is a JSON %s, and must be %s", kind.Field, kind.Value, jsonKind(kind.Type.Kind().String()))
	}
	return err
}

// jsonKind names what a Go kind is in JSON.
func jsonKind(kind string) string {
	switch kind {
	case "map", "struct":
		return "an object"
	case "slice":
		return "an array"
	case "bool":
		return "true or false"
	default:
		return "a " + kind
	}
}

// twice returns the name of a field that an object in text has twice: readers
// differ in which of the two they take. In the outermost object, letter case is
// left aside.
func twice(text []byte) string {
	var seen []map[string]bool // by depth; nil until there is a field
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			seen = append(seen, nil)
		case '}', ']':
			if len(seen) <= 1 {
				return ""
			}
			seen = seen[:len(seen)-1]
		case '"':
			start := i
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if len(seen) == 0 || i >= len(text) || !bytes.HasPrefix(bytes.TrimLeft(text[i+1:], " \t\r\n"), []byte(":")) {
				continue
			}
			var name string
			if json.Unmarshal(text[start:i+1], &name) != nil {
				continue
			}
			key, top := name, len(seen)-1
			if top == 0 {
				key = strings.ToLower(strings.ToUpper(name))
			}
			if seen[top] == nil {
				seen[top] = map[string]bool{}
			}
			if seen[top][key] {
				return name
			}
			seen[top][key] = true
		}
	}
	return ""
}

// tooDeep reports whether JSON text nests deeper than maxDepth, without
// recursion and whether it is valid or not.
func tooDeep(text []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			if depth++; depth > maxDepth {
				return true
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return false
}

// text returns the first of the call's fields named by keys that is a string
// with something in it.
func (c Call) text(keys ...string) string {
	for _, f := range c.fields(keys...) {
		if s, ok := f.value.(string); ok && s != "" {
			return s
		}
	}
	return ""
}
