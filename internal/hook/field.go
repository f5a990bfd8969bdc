package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/permctl/permctl/internal/input"
)

// agreed returns what a payload says in the fields called names, which mean the
// same: the value that is there. If there are two that differ, it is an error,
// for nobody knows which of them the agent follows.
func agreed[T any](names string, values ...T) (T, error) {
	var found T
	for _, value := range values {
		switch {
		case reflect.ValueOf(&value).Elem().IsZero():
		case reflect.ValueOf(&found).Elem().IsZero():
			found = value
		case !reflect.DeepEqual(found, value):
			var none T
			return none, fmt.Errorf("the payload says different things in %s", names)
		}
	}
	return found, nil
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

// isText reports whether the value of a tool's field is text, or not there.
func isText(value any) bool {
	_, text := value.(string)
	return text || value == nil
}

// there reports whether a payload has the field whose value this is.
func there(value json.RawMessage) bool { return len(value) > 0 && string(value) != "null" }

// field returns the value of the field called name of the object in payload,
// which need not be whole, nor JSON behind the field. It is empty unless there
// is one value, and that a string without escapes: fields of inner objects are
// the model's to choose, and do not count.
func field(payload []byte, name string) string {
	var text string
	if json.Unmarshal(texts(payload)[name], &text) != nil {
		return ""
	}
	return text
}

// texts returns the fields of the object in payload, as for [field]. Of those that
// are no strings without escapes, or differ from one of the same name, there is
// only the name.
func texts(payload []byte) map[string]json.RawMessage {
	fields, depth := map[string]json.RawMessage{}, 0
	for i := 0; i < len(payload); {
		switch payload[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := stringEnd(payload, i)
			if name := string(bytes.Trim(payload[i:end], `"`)); depth == 1 && afterColon(payload[end:]) != nil {
				value := stringAtStart(afterColon(payload[end:]))
				if before, there := fields[name]; there && !bytes.Equal(before, value) {
					value = nil
				}
				fields[name] = value
			}
			i = end
			continue
		}
		i++
	}
	return fields
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

// afterColon returns the text behind the colon at its start, or nil if there is
// none.
func afterColon(text []byte) []byte {
	rest, colon := bytes.CutPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte(":"))
	if !colon {
		return nil
	}
	return bytes.TrimLeft(rest, " \t\r\n")
}

// stringAtStart returns the JSON string at the start of text, or nil if there is
// none, or one with escapes.
func stringAtStart(text []byte) []byte {
	rest, quote := bytes.CutPrefix(text, []byte(`"`))
	value, _, whole := bytes.Cut(rest, []byte(`"`))
	if !quote || !whole || bytes.ContainsRune(value, '\\') {
		return nil
	}
	return text[:len(value)+2]
}
