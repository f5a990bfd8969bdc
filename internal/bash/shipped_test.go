package bash

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestCommands holds that every line can be read, is found by its name, and
// says only what is known.
func TestCommands(t *testing.T) {
	var names []string
	for text := range strings.Lines(commands) {
		var l line
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&l); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		names = append(names, l.Name)
		row, ok := shippedRow(l.Name)
		if !ok {
			t.Errorf("%q is not found", l.Name)
		}
		if err := row.Check(); err != nil {
			t.Errorf("%q: %v", l.Name, err)
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Error("the lines are not sorted by name, or there are two of one name")
	}
	for _, name := range []string{"", "gi", "git ", "zzz", "A", `"`} {
		if _, ok := shippedRow(name); ok {
			t.Errorf("%q is found", name)
		}
	}
}
