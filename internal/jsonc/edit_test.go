package jsonc_test

import (
	"bytes"
	"testing"

	"github.com/permctl/permctl/internal/jsonc"
)

// parse returns the value in a text, and the test fails if there is none.
func parse(t *testing.T, src []byte) jsonc.Value {
	t.Helper()
	v, err := jsonc.Parse(src)
	if err != nil || v.Kind() == jsonc.None {
		t.Fatalf("Parse(%q) = %q, %v", src, v, err)
	}
	return v
}

// added is what the tests add.
var added = jsonc.Members{{"run", "a && b"}, {"list", []int{1}}}

func TestAdd(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"to an empty object", `{}`, "{\n  \"x\": {\n    \"run\": \"a && b\",\n    \"list\": [\n      1\n    ]\n  }\n}"},
		{"to an empty object of two lines", "{\n}\n", "{\n  \"x\": {\n    \"run\": \"a && b\",\n    \"list\": [\n      1\n    ]\n  }\n}\n"},
		{"behind a comment", "{\n\t\"a\": {\n\t\t\"b\": 1 // one\n\t} // a\n\t// end\n}", "{\n\t\"a\": {\n\t\t\"b\": 1 // one\n\t}, // a\n\t// end\n\t\"x\": {\n\t\t\"run\": \"a && b\",\n\t\t\"list\": [\n\t\t\t1\n\t\t]\n\t}\n}"},
		{"behind a comma", "{\n \"a\": 1,\n}", "{\n \"a\": 1,\n \"x\": {\n  \"run\": \"a && b\",\n  \"list\": [\n   1\n  ]\n },\n}"},
		{"on one line", `{"a": 1}`, `{"a": 1, "x":{"run":"a && b","list":[1]}}`},
		{"with the line ends of the text", "{\r\n    \"a\": 1\r\n}\r\n", "{\r\n    \"a\": 1,\r\n    \"x\": {\r\n        \"run\": \"a && b\",\r\n        \"list\": [\r\n            1\r\n        ]\r\n    }\r\n}\r\n"},
		{"behind the mark of UTF-8", "\xef\xbb\xbf{\n}", "\xef\xbb\xbf{\n  \"x\": {\n    \"run\": \"a && b\",\n    \"list\": [\n      1\n    ]\n  }\n}"},
		{"not into a comment", "{\"a\": 1, // one\n\"b\": 2 // two\n}", "{\"a\": 1, // one\n\"b\": 2, // two\n\"x\": {\n  \"run\": \"a && b\",\n  \"list\": [\n    1\n  ]\n}\n}"},
		{"not into a comment on the first line", "{\"a\": 1 // one\n}", "{\"a\": 1, // one\n\"x\": {\n  \"run\": \"a && b\",\n  \"list\": [\n    1\n  ]\n}\n}"},
	} {
		got, err := parse(t, []byte(tt.src)).Set("x", added)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: Set gives\n%s\n%v, want\n%s", tt.name, got, err, tt.want)
		}
	}
	got, err := parse(t, []byte("{\"a\": [{\n  \"b\": 1\n}]}")).Member("a").Append(added)
	if want := "{\"a\": [{\n  \"b\": 1\n}, {\n  \"run\": \"a && b\",\n  \"list\": [\n    1\n  ]\n}]}"; err != nil || string(got) != want {
		t.Errorf("Append gives\n%s\n%v, want\n%s", got, err, want)
	}
	if got, err := parse(t, []byte("{\n  \"a\": \"old\" // why\n}")).Set("a", 2); err != nil || string(got) != "{\n  \"a\": 2 // why\n}" {
		t.Errorf("Set of what is there gives %s, %v", got, err)
	}
	if got, err := jsonc.Format(added); err != nil || string(got) != "{\n  \"run\": \"a && b\",\n  \"list\": [\n    1\n  ]\n}\n" {
		t.Errorf("Format gives %s, %v", got, err)
	}
}

func TestRemove(t *testing.T) {
	for src, want := range map[string]string{
		"[1]":                            "[]",
		"[ 1 ]":                          "[]",
		"[1, 2]":                         "[2]",
		"[1, 2, 3]":                      "[2, 3]",
		"[1,]":                           "[]",
		"[\n  1,\n  2,\n]":               "[\n  2,\n]",
		"[\n  // one\n  1\n]":            "[\n  // one\n]",
		"[\n  1, // one\n  // two\n  2]": "[ // one\n  // two\n  2]",
	} {
		if got, err := parse(t, []byte(src)).RemoveElement(0); err != nil || string(got) != want {
			t.Errorf("%q without its first element is %q, %v, want %q", src, got, err, want)
		}
	}
	for src, want := range map[string]string{
		`{"a": 1, "x": 2}`:                       `{"a": 1}`,
		"{\n  \"a\": 1, // one\n  \"x\": 2\n}":   "{\n  \"a\": 1 // one\n}",
		"{\n  \"a\": 1,\n  \"x\": 2, // two\n}":  "{\n  \"a\": 1, // two\n}",
		"{\n  \"x\": 2,\n  /* b */ \"b\": []\n}": "{\n  /* b */ \"b\": []\n}",
	} {
		if got, err := parse(t, []byte(src)).RemoveMember("x"); err != nil || string(got) != want {
			t.Errorf("%q without x is %q, %v, want %q", src, got, err, want)
		}
	}
}

func TestNothingToEdit(t *testing.T) {
	v := parse(t, []byte(`{"a": [1]}`))
	list := v.Member("a")
	for name, edit := range map[string]func() ([]byte, error){
		"a member of an array":          func() ([]byte, error) { return list.Set("x", 1) },
		"an element of an object":       func() ([]byte, error) { return v.Append(1) },
		"in the place of nothing":       func() ([]byte, error) { return v.Member("b").Replace(1) },
		"without a member of nothing":   func() ([]byte, error) { return v.Member("b").RemoveMember("x") },
		"without a member that is none": func() ([]byte, error) { return v.RemoveMember("x") },
		"without an element too far":    func() ([]byte, error) { return list.RemoveElement(1) },
		"without an element of none":    func() ([]byte, error) { return v.RemoveElement(0) },
		"what is no JSON":               func() ([]byte, error) { return list.Append(func() {}) },
	} {
		if got, err := edit(); err == nil || got != nil {
			t.Errorf("%s: %q, %v, want an error", name, got, err)
		}
	}
}

// FuzzEdit puts a value into each object and array of a text and takes it out
// again: the text has to be the same, but that a space which was all that an
// object or array had in it is gone.
func FuzzEdit(f *testing.F) {
	for _, src := range []string{
		`{}`, "{\n}", "{ }", "[ // c\n]", "[/* c */]", `{"a":1}`, "{\n\t\"a\": [1, 2,],\n}\n", "[[], {}, [{}]]", "{\"a\": 1 // c\r\n, /* d */ \"b\": [1\n]}",
		"\xef\xbb\xbf[1 /* x */ , // y\n2 /* z */ ]", "[1, // a\n]", "[1 // a\n, // b\n]", "{\"a\": {\"b\": [\n// only\n]}}", "[//\n]", "[/**/]", "[1,/*//*/]",
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		root, err := jsonc.Parse(src)
		if err != nil {
			return
		}
		walk(root, func(v jsonc.Value) {
			was := v.String()
			inside := bytes.TrimSpace([]byte(was[1 : len(was)-1]))
			if len(inside) == 0 && len(was) > 2 {
				return
			}
			with, without := addAndRemove(t, v)
			if !bytes.Equal(without, src) {
				t.Errorf("%q with a value is\n%q, and without it\n%q", src, with, without)
			}
		})
	})
}

// walk calls f with each object and array in v, but those that are too deep to
// have more in them.
func walk(v jsonc.Value, f func(jsonc.Value)) {
	if v.Kind() != jsonc.Object && v.Kind() != jsonc.Array {
		return
	}
	f(v)
	for _, member := range v.Members() {
		walk(member, f)
	}
	for _, element := range v.Elements() {
		walk(element, f)
	}
}

const fuzzKey = "a key that is not there"

// addAndRemove returns the text of v with a value in v, and then without it.
func addAndRemove(t *testing.T, v jsonc.Value) (with, without []byte) {
	t.Helper()
	if v.Kind() == jsonc.Object && v.Member(fuzzKey).Kind() != jsonc.None {
		return nil, nil
	}
	var n int
	var err error
	if v.Kind() == jsonc.Object {
		with, err = v.Set(fuzzKey, added)
	} else {
		for range v.Elements() {
			n++
		}
		with, err = v.Append(added)
	}
	if err != nil {
		t.Fatalf("%q takes no value: %v", v, err)
	}
	root := parse(t, with)
	walk(root, func(found jsonc.Value) {
		if without != nil {
			return
		}
		if found.Kind() == jsonc.Object && found.Member(fuzzKey, "run").Text() == "a && b" {
			without, err = found.RemoveMember(fuzzKey)
		}
		i := -1
		for j, element := range found.Elements() {
			if element.Member("run").Text() == "a && b" {
				i = j
			}
		}
		if i >= 0 {
			without, err = found.RemoveElement(i)
		}
	})
	if err != nil || without == nil {
		t.Fatalf("%q does not give back what it took: %v", with, err)
	}
	return with, without
}
