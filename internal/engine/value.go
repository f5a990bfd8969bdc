package engine

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
)

// valueOf returns v, a struct, as policy reads it: what encoding/json would
// make of it, without the text in between, but for slices, which are arrays
// even where they are nil. Only the struct's fields that are named are in it,
// or all if names is nil.
func valueOf(v any, names []string) (*ast.Term, error) {
	value := reflect.Indirect(reflect.ValueOf(v))
	object := ast.NewObjectWithCapacity(max(len(names), 8))
	if err := insertFields(object, value, names); err != nil {
		return nil, err
	}
	return ast.NewTerm(object), nil
}

func termOf(v reflect.Value) (*ast.Term, error) {
	switch v.Kind() {
	case reflect.String:
		return key(v.String()), nil
	case reflect.Bool:
		return ast.InternedTerm(v.Bool()), nil
	case reflect.Int, reflect.Int64:
		return ast.InternedTerm(int(v.Int())), nil
	case reflect.Float64:
		return numberOf(v.Float())
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return ast.NullTerm(), nil
		}
		return termOf(v.Elem())
	case reflect.Slice:
		if v.Len() == 0 {
			return ast.InternedEmptyArray, nil
		}
		terms := make([]*ast.Term, v.Len())
		for i := range terms {
			term, err := termOf(v.Index(i))
			if err != nil {
				return nil, err
			}
			terms[i] = term
		}
		return ast.ArrayTerm(terms...), nil
	case reflect.Map:
		return mapOf(v)
	case reflect.Struct:
		object := ast.NewObjectWithCapacity(v.NumField())
		if err := insertFields(object, v, nil); err != nil {
			return nil, err
		}
		return ast.NewTerm(object), nil
	default:
		return nil, fmt.Errorf("a document cannot hold a %s", v.Type())
	}
}

func numberOf(f float64) (*ast.Term, error) {
	text, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	return ast.NumberTerm(json.Number(text)), nil
}

func mapOf(v reflect.Value) (*ast.Term, error) {
	object := ast.NewObjectWithCapacity(v.Len())
	for entries := v.MapRange(); entries.Next(); {
		term, err := termOf(entries.Value())
		if err != nil {
			return nil, err
		}
		object.Insert(ast.StringTerm(entries.Key().String()), term)
	}
	return ast.NewTerm(object), nil
}

func insertFields(object ast.Object, v reflect.Value, names []string) error {
	for _, f := range fieldsOf(v.Type()) {
		if names != nil && !f.inline && !slices.Contains(names, f.text) {
			continue
		}
		value := v.Field(f.index)
		if f.inline {
			if err := insertFields(object, value, names); err != nil {
				return err
			}
			continue
		}
		if f.omitEmpty && (value.IsZero() || value.Kind() == reflect.Slice && value.Len() == 0) {
			continue
		}
		term, err := termOf(value)
		if err != nil {
			return err
		}
		object.Insert(f.name, term)
	}
	return nil
}

// A field is a field of a struct, as encoding/json sees it.
type field struct {
	index     int
	text      string
	name      *ast.Term
	inline    bool
	omitEmpty bool
}

var fields sync.Map // of []field by reflect.Type

func fieldsOf(t reflect.Type) []field {
	if known, ok := fields.Load(t); ok {
		return known.([]field)
	}
	var made []field
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			made = append(made, field{index: i, inline: true})
		case f.IsExported() && name != "-":
			made = append(made, field{
				index:     i,
				text:      name,
				name:      key(name),
				omitEmpty: slices.Contains(strings.Split(options, ","), "omitempty"),
			})
		}
	}
	fields.Store(t, made)
	return made
}
