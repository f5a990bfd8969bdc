package jsonc_test

import (
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/jsonc"
)

func TestParse(t *testing.T) {
	v, err := jsonc.Parse([]byte("\xef\xbb\xbf// settings\n{\n  \"a\": {\"b\": [1, \"x\\n\", true,]}, // ours\n  /* n */ \"n\": null,\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	list := v.Member("a", "b")
	if got := list.Line(); got != 3 {
		t.Errorf("a.b is on line %d, want 3", got)
	}
	if got := v.Member("n"); got.Kind() != jsonc.Null || got.Line() != 4 {
		t.Errorf("n is %q on line %d, want null on 4", got.Kind(), got.Line())
	}
	kinds := []jsonc.Kind{}
	for _, element := range list.Elements() {
		kinds = append(kinds, element.Kind())
		switch n, whole := element.Int(); element.Kind() {
		case jsonc.Number:
			if n != 1 || !whole {
				t.Errorf("the number is %d, %t", n, whole)
			}
		case jsonc.String:
			if got := element.Text(); got != "x\n" {
				t.Errorf("the string is %q", got)
			}
		default:
			if !element.True() {
				t.Errorf("%s is not true", element)
			}
		}
	}
	if len(kinds) != 3 {
		t.Errorf("the elements are %q", kinds)
	}
	var into struct{ A struct{ B []any } }
	if err := v.Decode(&into); err != nil || len(into.A.B) != 3 {
		t.Errorf("Decode gives %v, %v", into, err)
	}
	if got := list.String(); got != `[1, "x\n", true,]` {
		t.Errorf("a.b is written %s", got)
	}
}

func TestNoValue(t *testing.T) {
	for _, src := range []string{"", " \n", "\xef\xbb\xbf"} {
		v, err := jsonc.Parse([]byte(src))
		if err != nil || v.Kind() != jsonc.None {
			t.Errorf("Parse(%q) = %q, %v", src, v.Kind(), err)
		}
		none := v.Member("a", "b")
		_, whole := none.Int()
		if none.Kind() != jsonc.None || none.Text() != "" || none.True() || whole || none.Line() != 0 || none.String() != "" {
			t.Errorf("what is not there is %+v", none)
		}
		if err := none.Decode(new(any)); err == nil {
			t.Error("what is not there decodes")
		}
	}
}

func TestParseErrors(t *testing.T) {
	for src, want := range map[string]string{
		"{\n\"a\": 1\n\"b\": 2}":                    "line 3, column 1",
		"// only a comment":                         "line 1",
		"{\"a\": 1}\n{}":                            "line 2",
		"{\n\"a\": {\"b\": 1,\n\"b\": 2}}":          `line 3: the key "b" is there twice`,
		"{\"a\": 1, \"\\u0061\": 2}":                `the key "a" is there twice`,
		"{\n" + strings.Repeat("[", 200):            "line 2: nested more than 100 levels deep",
		`"` + strings.Repeat("a", 1<<20) + `"`:      "more than 1048576 bytes",
		"{'a': 1}":                                  "line 1, column 2",
		"{\"a\": \"\x80\"}":                         "not UTF-8",
		strings.Repeat(`{"a":`, 99) + `"` + "\n[[[": "line",
	} {
		if v, err := jsonc.Parse([]byte(src)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%.40q) = %s, %v, want an error with %q", src, v, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, src := range []string{`{"a": [1, "x", true, null]}`, "// c\n{/* d */ \"a\": 1,}", "[[[[", `{"a":1,"a":2}`, "\xef\xbb\xbf{}"} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := jsonc.Parse(src)
		if err != nil || v.Kind() == jsonc.None {
			return
		}
		if err := v.Decode(new(any)); err != nil {
			t.Errorf("%q parses and does not decode: %v", src, err)
		}
		if v.Line() < 1 || !strings.Contains(string(src), v.String()) {
			t.Errorf("%q is on line %d as %q", src, v.Line(), v)
		}
	})
}
