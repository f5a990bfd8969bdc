package jsonc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Members are an object whose keys have an order.
type Members []Member

// A Member is a key of an object, and its value: anything that [json.Marshal]
// takes.
type Member struct {
	Name  string
	Value any
}

// MarshalJSON implements [json.Marshaler].
func (m Members) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, member := range m {
		if i > 0 {
			out.WriteByte(',')
		}
		name, nameErr := marshal(member.Name)
		value, valueErr := marshal(member.Value)
		if err := errors.Join(nameErr, valueErr); err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// marshal is [json.Marshal], with characters that only HTML minds as they are.
func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// Format returns v as a text of its own, with a line end.
func Format(v any) ([]byte, error) {
	src, err := marshal(v)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = json.Indent(&out, src, "", "  ")
	out.WriteByte('\n')
	return out.Bytes(), err
}

// errNoContainer reports an edit of what is no object or no array.
var errNoContainer = errors.New("there is nothing of that kind to edit")

// Set returns the whole text with the member called name of the object v set to
// value, behind the other members if it is a new one. Each other byte stays.
func (v Value) Set(name string, value any) ([]byte, error) {
	if v.Kind() != Object {
		return nil, errNoContainer
	}
	if old := v.Member(name); old.Kind() != None {
		return old.Replace(value)
	}
	key, err := marshal(name)
	if err != nil {
		return nil, err
	}
	return v.add(string(key), value)
}

// Append returns the whole text with value behind the elements of the array v.
// Each other byte stays.
func (v Value) Append(value any) ([]byte, error) {
	if v.Kind() != Array {
		return nil, errNoContainer
	}
	return v.add("", value)
}

// Replace returns the whole text with value in the place of v. Each other byte
// stays.
func (v Value) Replace(value any) ([]byte, error) {
	if v.value == nil {
		return nil, errNoContainer
	}
	start, end := v.value.StartOffset, v.value.EndOffset
	body, err := v.text.body("", value, v.text.indentAt(start), false)
	if err != nil {
		return nil, err
	}
	return v.text.splice(splice{start, end, body})
}

// RemoveMember returns the whole text without the member called name of the
// object v, and RemoveElement without an element of the array v. The space before
// it goes with it, and in what is empty then all of it; comments stay.
func (v Value) RemoveMember(name string) ([]byte, error) {
	i := 0
	for key := range v.Members() {
		if key.Text() == name {
			return v.remove(i)
		}
		i++
	}
	return nil, errNoContainer
}

// RemoveElement is described with [Value.RemoveMember].
func (v Value) RemoveElement(i int) ([]byte, error) {
	if v.Kind() != Array {
		return nil, errNoContainer
	}
	return v.remove(i)
}

// A splice is a part of a text, and what comes in its place.
type splice struct {
	start, end int
	text       string
}

// splice returns the whole text with splices, which are in order and apart.
func (t *text) splice(splices ...splice) ([]byte, error) {
	out, at := slices.Clone(t.mark), 0
	for _, s := range splices {
		out = append(append(out, t.bytes[at:s.start]...), s.text...)
		at = s.end
	}
	out = append(out, t.bytes[at:]...)
	if _, err := Parse(out); err != nil {
		return nil, fmt.Errorf("the text would not be JSON any more: %w", err)
	}
	return out, nil
}

// A child is a member of an object or an element of an array.
type child struct {
	start, end int
	comma      int // the offset of the comma behind it, or -1 if there is none
}

// children returns what is in an object or an array.
func (v Value) children() []child {
	var found []child
	add := func(first, last *hujson.Value) {
		end := last.EndOffset
		comma := end + len(last.AfterExtra)
		if comma >= v.value.EndOffset || v.text.bytes[comma] != ',' {
			comma = -1
		}
		found = append(found, child{first.StartOffset, end, comma})
	}
	switch inner := v.value.Value.(type) {
	case *hujson.Object:
		for i := range inner.Members {
			add(&inner.Members[i].Name, &inner.Members[i].Value)
		}
	case *hujson.Array:
		for i := range inner.Elements {
			add(&inner.Elements[i], &inner.Elements[i])
		}
	}
	return found
}

// add returns the whole text with a further child of v, at its end and behind the
// comments there.
func (v Value) add(key string, value any) ([]byte, error) {
	t, children := v.text, v.children()
	open, closing := v.value.StartOffset, v.value.EndOffset-1
	from, indent, trailing := open+1, t.indentAt(open)+t.unit(), false
	inLines := true // whether each child has a line of its own
	var splices []splice
	if len(children) > 0 {
		last := children[len(children)-1]
		inLines = t.beginsLine(last.start)
		indent = t.indentAt(last.start)
		from, trailing = last.end, last.comma >= 0
		if trailing {
			from = last.comma + 1
		} else {
			splices = append(splices, splice{last.end, last.end, ","})
		}
	}
	comments, lineComment := behindComments(t.bytes[from:closing])
	at := from + comments
	oneLine := len(children) > 0 && !bytes.Contains(t.bytes[open:closing], []byte("\n"))
	body, err := t.body(key, value, indent, oneLine)
	if err != nil {
		return nil, err
	}
	before := t.newline() + indent
	switch hasLines := bytes.Contains(t.bytes[at:closing], []byte("\n")); {
	case len(children) > 0 && !inLines && !lineComment, len(children) == 0 && comments > 0 && !hasLines:
		before = " "
	case len(children) == 0 && !hasLines:
		body += t.newline() + t.indentAt(open)
	}
	if trailing {
		body += ","
	}
	return t.splice(append(splices, splice{at, at, before + body})...)
}

// remove returns the whole text without a child of v.
func (v Value) remove(i int) ([]byte, error) {
	children := v.children()
	if i < 0 || i >= len(children) {
		return nil, errNoContainer
	}
	t, it, before := v.text, children[i], v.value.StartOffset+1
	if i > 0 {
		before = children[i-1].comma + 1
	}
	comments, _ := behindComments(t.bytes[before:it.start])
	gone := splice{before + comments, it.end, ""}
	if it.comma >= 0 {
		gone.end = it.comma + 1
	}
	if i > 0 && it.comma < 0 { // the last one, without a comma: then so is the one before
		comma := children[i-1].comma
		if gone.start != comma+1 {
			return t.splice(splice{comma, comma + 1, ""}, gone)
		}
		gone.start--
	}
	if closing := v.value.EndOffset - 1; i == 0 && comments == 0 {
		rest := t.bytes[gone.end:closing]
		switch space := len(rest) - len(bytes.TrimLeft(rest, " \t\r\n")); {
		case len(children) == 1 && space == len(rest):
			gone.end = closing
		case gone.start == it.start: // no space before it, so none before the next
			gone.end += space
		}
	}
	return t.splice(gone)
}

// behindComments returns the offset behind the last comment in space, and whether
// that comment goes on to the end of its line.
func behindComments(space []byte) (int, bool) {
	end, toLineEnd := 0, false
	for i := 0; i+1 < len(space); i++ {
		switch string(space[i : i+2]) {
		case "//":
			length := bytes.IndexByte(space[i:], '\n')
			if length < 0 {
				length = len(space) - i
			}
			i += len(bytes.TrimSuffix(space[i:i+length], []byte("\r")))
			end, toLineEnd = i, true
		case "/*":
			length := bytes.Index(space[i+2:], []byte("*/"))
			if length < 0 {
				return len(space), false
			}
			i += length + 3
			end, toLineEnd = i+1, false
		}
	}
	return end, toLineEnd
}

// body returns a value as text, behind a key if that is not empty. Its lines but
// the first begin with indent.
func (t *text) body(key string, value any, indent string, oneLine bool) (string, error) {
	src, err := marshal(value)
	if err != nil {
		return "", err
	}
	colon := ": "
	if oneLine {
		colon = ":"
	} else {
		var out bytes.Buffer
		if err := json.Indent(&out, src, indent, t.unit()); err != nil {
			return "", err
		}
		src = bytes.ReplaceAll(out.Bytes(), []byte("\n"), []byte(t.newline()))
	}
	if key == "" {
		return string(src), nil
	}
	return key + colon + string(src), nil
}

// newline returns how the text ends its lines.
func (t *text) newline() string {
	if bytes.Contains(t.bytes, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// lineStart returns the text of offset's line up to it.
func (t *text) lineStart(offset int) string {
	return string(t.bytes[bytes.LastIndexByte(t.bytes[:offset], '\n')+1 : offset])
}

// indentAt returns the space at the start of offset's line.
func (t *text) indentAt(offset int) string {
	line := t.lineStart(offset)
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// beginsLine reports whether there is nothing but space before offset in its line,
// and a line before that.
func (t *text) beginsLine(offset int) bool {
	line := t.lineStart(offset)
	return len(line) < offset && strings.TrimLeft(line, " \t") == ""
}

// unit returns what a level of the text is indented by: as the first child is that
// begins a line.
func (t *text) unit() string {
	for value := range t.root.All() {
		v := Value{t, value}
		if kind := v.Kind(); kind != Object && kind != Array {
			continue
		}
		for _, c := range v.children() {
			outer, inner := t.indentAt(value.StartOffset), t.indentAt(c.start)
			if more, deeper := strings.CutPrefix(inner, outer); t.beginsLine(c.start) && deeper && more != "" {
				return more
			}
		}
	}
	return "  "
}
