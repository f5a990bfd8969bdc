package bundle_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/bundle"
)

func TestRead(t *testing.T) {
	b, err := bundle.Read(fstest.MapFS{
		"git.rego":            {Data: []byte("package org.git\n")},
		"git_test.rego":       {Data: []byte("package org.git_test\n")},
		"org/hosts/data.yaml": {Data: []byte("good: [example.com]\n")},
		"org/data.json":       {Data: []byte(`{"names": {"a": 1}}`)},
		"README.md":           {Data: []byte("not policy")},
		"other.json":          {Data: []byte("{")},
	}, "dir")
	if err != nil {
		t.Fatal(err)
	}
	want := bundle.Bundle{
		Modules: map[string]string{"dir/git.rego": "package org.git\n"},
		Tests:   map[string]string{"dir/git_test.rego": "package org.git_test\n"},
		Data:    map[string]any{"org": map[string]any{"hosts": map[string]any{"good": []any{"example.com"}}, "names": map[string]any{"a": b.Data["org"].(map[string]any)["names"].(map[string]any)["a"]}}},
	}
	if diff := cmp.Diff(want, b); diff != "" {
		t.Errorf("bundle (-want +got):\n%s", diff)
	}
}

func TestReadMistakes(t *testing.T) {
	for _, tt := range []struct {
		name string
		fsys fstest.MapFS
		want string
	}{
		{"data that is no JSON", fstest.MapFS{"a/data.json": {Data: []byte("{")}}, "dir/a/data.json: "},
		{"data that is no object", fstest.MapFS{"data.yaml": {Data: []byte("- 1\n")}}, "dir/data.yaml: "},
		{"the same name twice", fstest.MapFS{"data.json": {Data: []byte(`{"a": 1}`)}, "data.yaml": {Data: []byte("a: 2\n")}}, `"a" is there already`},
		{"a folder where there is a value", fstest.MapFS{"a/data.json": {Data: []byte(`{"b": 1}`)}, "a/b/data.json": {Data: []byte(`{"c": 1}`)}}, `"b" is there already`},
		{"a module of another letter case", fstest.MapFS{"a.REGO": {Data: []byte("package org.a")}}, "dir/a.REGO: is not read"},
		{"a module that is too large", fstest.MapFS{"a.rego": {Data: []byte(strings.Repeat(" ", 2<<20))}}, "dir/a.rego: is larger than 1 MiB"},
	} {
		if _, err := bundle.Read(tt.fsys, "dir"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want an error with %q", tt.name, err, tt.want)
		}
	}
}
