package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/jsonc"
)

// mode returns the mode of what is made at a place: what is the user's own is
// nobody else's to read.
func (at place) mode() mode {
	m := mode{0o600, 0o700}
	if at.scope != User {
		m = mode{0o644, 0o755}
	}
	if at.program {
		m.file |= m.folder & 0o111
	}
	return m
}

// blank reports whether a text is an object without members, or nothing.
func blank(text []byte) bool {
	root, err := jsonc.Parse(text)
	comment, _ := root.Extras()
	return err == nil && empty(root) && root.Kind() != jsonc.Array && comment == 0
}

// removeEmpty removes folders, each behind what it is in, as far as they are
// empty.
func removeEmpty(folders []string) {
	for _, folder := range slices.Backward(folders) {
		_ = os.Remove(folder) // one that has something in it stays
	}
}

// checkProgram returns an error if a program cannot be written into an agent's
// files for good.
func checkProgram(program string, p Places) error {
	name := strings.ToLower(filepath.Base(program))
	switch {
	case !filepath.IsAbs(program):
		return fmt.Errorf("the path %q of permctl is not absolute", program)
	case strings.Contains(filepath.ToSlash(program), "/go-build"):
		return hint(errors.New("this permctl is a temporary one of go run, and gone before any hook runs"),
			"go install ./cmd/permctl, or go build, and run that one")
	case strings.TrimSuffix(name, ".exe") != "permctl":
		return hint(fmt.Errorf("this program is called %s, and its hooks are known by the name permctl", filepath.Base(program)), "call it permctl")
	case strings.ContainsAny(program, "\"$`%!\n\r\t") || p.OS != "windows" && strings.Contains(program, `\`):
		return hint(fmt.Errorf("the path %q of permctl has a character that shells or agents read something into", program), "move permctl elsewhere")
	}
	return nil
}

// notes returns what a person should know of once permctl is installed.
func (a *Agent) notes(p Places, scope Scope, places []place, program string) []string {
	var notes []string
	if a.Next != "" && (a.Name != "codex" || scope != Managed) && (a.Name != "gemini" || scope == Project) {
		notes = append(notes, a.Next)
	}
	if scope == Project && p.Workspace != "" {
		notes = append(notes, fmt.Sprintf("The hook runs %s: whoever shares this project needs permctl there, or an own hook.", program))
	}
	if rel, err := filepath.Rel(p.Workspace, program); err == nil && p.Workspace != "" && filepath.IsLocal(rel) {
		notes = append(notes, fmt.Sprintf("%s lies in the workspace, where the agent may write: install permctl elsewhere.", program))
	}
	for _, at := range places {
		if at.last {
			notes = append(notes, "There was no agent to put the hook into, so permctl made one: start Kiro with --agent permctl, or make it the default.")
		}
	}
	entries, err := Entries(a, p)
	if err != nil {
		return notes // what cannot be read is a doctor's to find
	}
	for _, e := range entries {
		if e.Ours && !slices.ContainsFunc(places, func(at place) bool { return at.path == e.File }) {
			notes = append(notes, fmt.Sprintf("%s:%d has permctl as a hook for %s, too: each call is then decided twice.", e.File, e.Line, e.Event))
		}
	}
	return notes
}
