package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestHelp asserts that the help of each command says what it does, and shows
// it: a line, indented, that can be typed as it stands.
func TestHelp(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if !hasExample(cmd) {
			t.Errorf("%s --help has no worked example:\n%s", cmd.CommandPath(), cmd.Long)
		}
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") || strings.ToUpper(cmd.Short[:1]) != cmd.Short[:1] {
			t.Errorf("%s is described by %q, want a sentence that begins with a verb and has no period", cmd.CommandPath(), cmd.Short)
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newRoot())
}

func hasExample(cmd *cobra.Command) bool {
	for line := range strings.Lines(cmd.Long + "\n" + cmd.Example) {
		if (strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t")) && strings.Contains(line, cmd.CommandPath()) {
			return true
		}
	}
	return false
}

// TestFlags asserts that each flag is described, and says what its value is.
func TestFlags(t *testing.T) {
	root := newRoot()
	for _, cmd := range append(root.Commands(), root) {
		usages := cmd.LocalFlags().FlagUsages()
		for line := range strings.Lines(usages) {
			if strings.Contains(line, " string ") || strings.Contains(line, " strings ") || strings.Contains(line, " stringArray ") {
				t.Errorf("%s has a flag whose value has no name:\n%s", cmd.CommandPath(), line)
			}
		}
	}
}
