// Package jsonc reads JSON as people write it into settings, with comments and
// trailing commas, and knows the line of every value in it.
//
// It knows nothing of what a text is for, and takes no text that means two
// things: one with a key twice.
package jsonc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// The limits of a text.
const (
	maxSize  = 1 << 20 // bytes
	maxDepth = 100     // of objects and lists in each other
)

// A Value is a value in a text. The zero Value is none, of no kind, as is what is
// looked for and not found in another. It may be read from several goroutines.
type Value struct {
	text  *text
	value *hujson.Value
}

// A text is what was parsed, whole, and the mark of its encoding before it.
type text struct {
	mark, bytes []byte
	root        *hujson.Value
}

var utf8Mark = []byte("\xef\xbb\xbf")

// Parse returns the value in src. A blank text is no value, and no error. What is
// wrong is said with its line.
func Parse(src []byte) (Value, error) {
	t := &text{bytes: bytes.TrimPrefix(src, utf8Mark)}
	t.mark = src[:len(src)-len(t.bytes)]
	switch {
	case len(src) > maxSize:
		return Value{}, fmt.Errorf("more than %d bytes", maxSize)
	case !utf8.Valid(t.bytes):
		return Value{}, errors.New("the text is not UTF-8")
	case len(bytes.TrimSpace(t.bytes)) == 0:
		return Value{}, nil
	}
	if line, deep := tooDeep(t.bytes); deep {
		return Value{}, fmt.Errorf("line %d: nested more than %d levels deep", line, maxDepth)
	}
	value, err := hujson.Parse(t.bytes)
	if err != nil {
		return Value{}, position(err)
	}
	t.root = &value
	return Value{t, &value}, t.unique()
}

// hujson says where an error is before it says what it is.
var positioned = regexp.MustCompile(`^hujson: line (\d+), column (\d+): (.*)$`)

// position returns the parser's error in the form of all the others.
func position(err error) error {
	if found := positioned.FindStringSubmatch(err.Error()); found != nil {
		return fmt.Errorf("line %s, column %s: %s", found[1], found[2], found[3])
	}
	return err
}

// tooDeep returns the first line on which objects and lists nest too deep. Where
// brackets stand in comments, it may count too many.
func tooDeep(src []byte) (int, bool) {
	line, depth := 1, 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '\n':
			line++
		case '{', '[':
			if depth++; depth > maxDepth {
				return line, true
			}
		case '}', ']':
			depth--
		case '"':
			for i++; i < len(src) && src[i] != '"' && src[i] != '\n'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		}
	}
	return 0, false
}

// unique returns an error if an object has a key twice.
func (t *text) unique() error {
	for v := range t.root.All() {
		object, ok := v.Value.(*hujson.Object)
		if !ok {
			continue
		}
		seen := map[string]bool{}
		for _, member := range object.Members {
			name := member.Name.Value.(hujson.Literal).String()
			if seen[name] {
				return fmt.Errorf("line %d: the key %q is there twice", t.line(member.Name.StartOffset), name)
			}
			seen[name] = true
		}
	}
	return nil
}

func (t *text) line(offset int) int { return 1 + bytes.Count(t.bytes[:offset], []byte("\n")) }

// A Kind is what a value is.
type Kind string

// The kinds of values.
const (
	None   Kind = ""
	Object Kind = "object"
	Array  Kind = "array"
	String Kind = "string"
	Number Kind = "number"
	Bool   Kind = "boolean"
	Null   Kind = "null"
)

// Kind returns what v is.
func (v Value) Kind() Kind {
	if v.value == nil {
		return None
	}
	switch found := v.value.Value.(type) {
	case *hujson.Object:
		return Object
	case *hujson.Array:
		return Array
	case hujson.Literal:
		switch found.Kind() {
		case '"':
			return String
		case 't', 'f':
			return Bool
		case 'n':
			return Null
		}
		return Number
	}
	return None
}

// Line returns the line on which v begins, counted from 1, or 0 for no value.
func (v Value) Line() int {
	if v.value == nil {
		return 0
	}
	return v.text.line(v.value.StartOffset)
}

// Member returns the value of a key of an object, and of keys of objects within.
func (v Value) Member(path ...string) Value {
	for _, name := range path {
		var found Value
		for key, member := range v.Members() {
			if key.Text() == name {
				found = member
			}
		}
		v = found
	}
	return v
}

// Members returns the keys and values of an object, in the text's order.
func (v Value) Members() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		if v.Kind() != Object {
			return
		}
		members := v.value.Value.(*hujson.Object).Members
		for i := range members {
			if !yield(Value{v.text, &members[i].Name}, Value{v.text, &members[i].Value}) {
				return
			}
		}
	}
}

// Elements returns the elements of an array.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if v.Kind() != Array {
			return
		}
		elements := v.value.Value.(*hujson.Array).Elements
		for i := range elements {
			if !yield(i, Value{v.text, &elements[i]}) {
				return
			}
		}
	}
}

// Text returns a string's value, and "" for what is none.
func (v Value) Text() string {
	if v.Kind() != String {
		return ""
	}
	return v.value.Value.(hujson.Literal).String()
}

// True reports whether v is true.
func (v Value) True() bool { return v.Kind() == Bool && v.value.Value.(hujson.Literal).Bool() }

// Int returns the value of a number that is whole.
func (v Value) Int() (int64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	n, err := strconv.ParseInt(string(v.value.Value.(hujson.Literal)), 10, 64)
	return n, err == nil
}

// Decode stores v in what into points to, as [json.Unmarshal] does.
func (v Value) Decode(into any) error {
	if v.value == nil {
		return errors.New("there is no value")
	}
	plain := v.value.Clone()
	plain.Standardize()
	return json.Unmarshal(plain.Pack(), into)
}

// String returns v as it stands in the text.
func (v Value) String() string {
	if v.value == nil {
		return ""
	}
	return string(v.text.bytes[v.value.StartOffset:v.value.EndOffset])
}

// Extras returns the lines of the first comment, and of the first comma behind a
// last element, in the whole text that v is in: what JSON proper does not have. A
// line is 0 if there is none.
func (v Value) Extras() (comment, comma int) {
	if v.value == nil {
		return 0, 0
	}
	extra := func(space hujson.Extra, at int) {
		if start := bytes.IndexByte(space, '/'); start >= 0 && comment == 0 {
			comment = v.text.line(at + start)
		}
	}
	for found := range v.text.root.All() {
		extra(found.BeforeExtra, found.StartOffset-len(found.BeforeExtra))
		extra(found.AfterExtra, found.EndOffset)
		var behind hujson.Extra
		switch inner := found.Value.(type) {
		case *hujson.Object:
			behind = inner.AfterExtra
		case *hujson.Array:
			behind = inner.AfterExtra
		}
		extra(behind, found.EndOffset-1-len(behind))
		inner := Value{v.text, found}
		if kind := inner.Kind(); kind != Object && kind != Array {
			continue
		}
		if children := inner.children(); comma == 0 && len(children) > 0 && children[len(children)-1].comma >= 0 {
			comma = v.text.line(children[len(children)-1].comma)
		}
	}
	return comment, comma
}
