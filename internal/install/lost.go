package install

import (
	"bytes"
	"slices"

	"github.com/permctl/permctl/internal/jsonc"
)

// madeIn returns the members of a text that permctl made, by the record, or if that
// is lost, those in which there is a hook of permctl's.
func (at place) madeIn(text []byte, old *record) ([]string, error) {
	if old != nil {
		return old.Members, nil
	}
	if _, ok := at.form.(*layout); !ok {
		return nil, nil
	}
	entries, err := at.form.entries(text)
	members := []string{"hooks"}
	for _, e := range entries {
		if name := hooksPrefix + e.Event; e.Ours && !slices.Contains(members, name) {
			members = append(members, name)
		}
	}
	return members, err
}

// saysNothing reports whether a text is nothing, or an object without members but
// those that permctl's layout has beside the hooks.
func (at place) saysNothing(text []byte) bool {
	root, err := jsonc.Parse(text)
	comment, _ := root.Extras()
	if err != nil || comment != 0 || root.Kind() != jsonc.Object && root.Kind() != jsonc.None {
		return false
	}
	var usual jsonc.Members
	if l, ok := at.form.(*layout); ok {
		usual = l.root
	}
	for name, value := range root.Members() {
		if !slices.ContainsFunc(usual, func(m jsonc.Member) bool { return m.Name == name.Text() && same(value, m.Value) }) {
			return false
		}
	}
	return true
}

// same reports whether a value of a file is one that permctl writes.
func same(value jsonc.Value, written any) bool {
	var is any
	if value.Decode(&is) != nil {
		return false
	}
	one, err := jsonc.Format(is)
	other, otherErr := jsonc.Format(written)
	return err == nil && otherErr == nil && bytes.Equal(one, other)
}
