package engine_test

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/patch"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/policy"
)

// A schema is a node of a JSON schema, as far as ours has it.
type schema struct {
	Ref         string             `json:"$ref"`
	Description string             `json:"description"`
	Type        any                `json:"type"`
	Closed      any                `json:"additionalProperties"`
	Required    []string           `json:"required"`
	Properties  map[string]*schema `json:"properties"`
	Items       *schema            `json:"items"`
	Definitions map[string]*schema `json:"definitions"`
}

func readSchema(t *testing.T) (text []byte, root *schema) {
	t.Helper()
	text, err := policy.FS.ReadFile("schema/input.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	return text, root
}

func TestSchemaDescribesEveryField(t *testing.T) {
	_, root := readSchema(t)
	compare(t, root, root, reflect.TypeFor[input.Document](), "input")
}

// compare reports where a node of the schema and a Go type differ.
func compare(t *testing.T, root, node *schema, of reflect.Type, at string) {
	t.Helper()
	if name, ok := strings.CutPrefix(node.Ref, "#/definitions/"); ok {
		node = root.Definitions[name]
	}
	switch of.Kind() {
	case reflect.Pointer:
		compare(t, root, node, of.Elem(), at)
	case reflect.Slice:
		if node.Type != "array" || node.Items == nil {
			t.Errorf("%s is an array, and has the type %v", at, node.Type)
			return
		}
		compare(t, root, node.Items, of.Elem(), at+"[_]")
	case reflect.Map:
		if node.Type != "object" || node.Closed != true {
			t.Errorf("%s may hold anything, and the schema does not let it", at)
		}
	case reflect.Struct:
		compareStruct(t, root, node, of, at)
	default:
		want := map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer"}[of.Kind()]
		if node.Type != want {
			t.Errorf("%s has the type %v, want %v", at, node.Type, want)
		}
	}
}

func compareStruct(t *testing.T, root, node *schema, of reflect.Type, at string) {
	t.Helper()
	if node.Closed != false {
		t.Errorf("%s lets policies read what it has not", at)
	}
	fields, required := map[string]reflect.Type{}, []string{}
	for _, f := range reflect.VisibleFields(of) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "-" {
			continue
		}
		fields[name] = f.Type
		if options != "omitempty" && options != "omitzero" {
			required = append(required, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(node.Properties)) {
		if fields[name] == nil {
			t.Errorf("%s.%s is in the schema, and no field", at, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		property := node.Properties[name]
		if property == nil {
			t.Errorf("%s.%s is a field, and not in the schema", at, name)
			continue
		}
		if d := property.Description; d == "" || !strings.HasSuffix(d, ".") {
			t.Errorf("%s.%s is described as %q, want a sentence", at, name, d)
		}
		compare(t, root, property, fields[name], at+"."+name)
	}
	slices.Sort(required)
	if got := slices.Sorted(slices.Values(node.Required)); !slices.Equal(got, required) {
		t.Errorf("%s requires %q, want %q", at, got, required)
	}
}

func TestSchemaAcceptsDocuments(t *testing.T) {
	var full, least input.Document
	fill(reflect.ValueOf(&full).Elem(), true)
	fill(reflect.ValueOf(&least).Elem(), false)
	for name, doc := range map[string]input.Document{"full": full, "least": least} {
		if problems := validate(t, doc); len(problems) > 0 {
			t.Errorf("the %s document is none by the schema: %v", name, problems)
		}
	}
	wrong := plain(t, full)
	wrong["request"] = "x"
	if problems := validate(t, wrong); len(problems) == 0 {
		t.Error("the schema accepts a document with a field that there is not")
	}
}

// fill sets every field, or leaves out those that may be left out.
func fill(v reflect.Value, optional bool) {
	switch of := v.Type(); of.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(of.Elem()))
		fill(v.Elem(), optional)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(of, 1, 1))
		fill(v.Index(0), optional)
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]any{"nested": []any{1.5, nil, map[string]any{"deeper": true}}}))
	case reflect.Struct:
		for i := range of.NumField() {
			if tag := of.Field(i).Tag.Get("json"); optional || !strings.HasSuffix(tag, ",omitempty") && !strings.HasSuffix(tag, ",omitzero") {
				fill(v.Field(i), optional)
			}
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(1)
	default:
		v.SetString(word(of))
	}
}

// word returns a string that a field of the type may hold.
func word(of reflect.Type) string {
	switch of {
	case reflect.TypeFor[input.Judges]():
		return string(input.AnyRule)
	case reflect.TypeFor[input.Access]():
		return string(input.Read)
	case reflect.TypeFor[bash.Effect]():
		return string(bash.Read)
	case reflect.TypeFor[patch.Op]():
		return string(patch.Add)
	default:
		return "text"
	}
}

// validate returns what OPA finds wrong with the JSON of v by the schema.
func validate(t *testing.T, v any) []any {
	t.Helper()
	text, _ := readSchema(t)
	doc, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	results, err := rego.New(
		rego.Query("json.match_schema(input.document, input.schema)[1]"),
		rego.Input(map[string]any{"document": string(doc), "schema": string(text)}),
		rego.StrictBuiltinErrors(true),
	).Eval(t.Context())
	if err != nil || len(results) != 1 {
		t.Fatalf("json.match_schema gives %v and the error %v", results, err)
	}
	return results[0].Expressions[0].Value.([]any)
}

func TestSchemaChecksPolicies(t *testing.T) {
	for _, tt := range []struct{ body, want string }{
		{`input.request == "x"`, "input.request"},
		{`some command in input.commands; command.label == "x"`, "label"},
		{`input.mcp.argument.x`, "input.mcp.argument"},
		{`input.call.input.anything.deeper == input.mcp.arguments.more[0]`, ""},
		{`input.paths[_].error; input.tool.shell; input.call.mcp.tool`, ""},
	} {
		text := "package org.git\n\n# METADATA\n# schemas:\n#   - input: schema.input\ndeny contains \"no\" if { " + tt.body + " }\n"
		_, err := engine.New(engine.Config{Sources: []engine.Source{{
			Name: "test", Trust: permission.TrustUser, Modules: map[string]string{"git.rego": text},
		}}})
		var failed *engine.PolicyError
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v", tt.body, err)
		case tt.want != "" && (!errors.As(err, &failed) || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v, want an error of policy that names %s", tt.body, err, tt.want)
		}
	}
}
