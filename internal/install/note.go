package install

import (
	"errors"
	"fmt"
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
	if a.misleads && scope == User && !p.atHome() {
		notes = append(notes, fmt.Sprintf("A project can tell %s to have its hooks look elsewhere for permctl's settings, which $XDG_CONFIG_HOME or $XDG_STATE_HOME names here: permctl doctor tells of it.", a.Title))
	}
	if scope == Project && p.Workspace != "" {
		notes = append(notes, fmt.Sprintf("The hook runs %s: whoever shares this project needs permctl there, or an own hook.", program),
			fmt.Sprintf("It holds for %s started in %s: from a folder below that, an agent need not look there.", a.Title, p.Workspace))
	}
	if rel, err := filepath.Rel(p.Workspace, program); err == nil && p.Workspace != "" && filepath.IsLocal(rel) {
		notes = append(notes, program+" lies in the workspace, where the agent may write: install permctl elsewhere.")
	}
	if p.OS == "windows" && a.Name != "copilot" && quoteWindows(program) != filepath.ToSlash(program) {
		notes = append(notes, program+" has a space or the like in its path, which PowerShell would not run: install permctl elsewhere, unless Git Bash is there.")
	}
	for _, at := range places {
		if at.last {
			notes = append(notes, "There was no agent to put the hook into, so permctl made one: start Kiro with --agent permctl, or make it the default.")
		}
	}
	notes = append(notes, a.switchedOff(p, scope)...)
	for _, e := range a.elsewhere(p, func(e Entry) bool {
		return slices.ContainsFunc(places, func(at place) bool { return at.path == e.File })
	}) {
		notes = append(notes, fmt.Sprintf("%s:%d has permctl as a hook, too: each call is then decided twice.", e.File, e.Line))
	}
	return notes
}

// elsewhere returns the first of permctl's entries in each file but those that here is
// true of. What cannot be read is not its business.
func (a *Agent) elsewhere(p Places, here func(Entry) bool) []Entry {
	entries, _ := Entries(a, p)
	entries = slices.DeleteFunc(entries, func(e Entry) bool { return !e.Ours || here(e) })
	return slices.CompactFunc(entries, func(a, b Entry) bool { return a.File == b.File })
}

// remains returns what a person should know of hooks that a plan does not take out.
func (a *Agent) remains(p Places, plan *Plan) []string {
	var notes []string
	for _, e := range a.elsewhere(p, func(e Entry) bool {
		return slices.ContainsFunc(plan.Changes, func(c Change) bool { return c.Path == e.File })
	}) {
		notes = append(notes, fmt.Sprintf("%s:%d still has permctl as a hook: permctl uninstall %s --%s", e.File, e.Line, e.answers(a), e.Scope))
	}
	return notes
}

// links returns what a person should know of links that lead to files that a plan
// takes a hook out of.
func (p *Plan) links() []string {
	var notes []string
	for _, c := range p.Changes {
		switch {
		case !c.file.linked:
		case c.After == nil:
			notes = append(notes, fmt.Sprintf("%s is a link, and stays: %s, to which it leads, was permctl's alone, and is removed. Remove the link, too.", c.Path, c.file.real))
		case c.old != nil && !c.old.Existed:
			notes = append(notes, fmt.Sprintf("%s is a link, and stays, as does %s, to which it leads: remove both if nobody needs them.", c.Path, c.file.real))
		}
	}
	return notes
}

// A toggle is a member of an agent's file that keeps its hooks from being run, if it
// has the value.
type toggle struct {
	path  []string
	value bool
}

// switchedOff returns what a person should know of the agent's files because no hook
// is run with them. Those of the machine are run whatever a user's file says.
func (a *Agent) switchedOff(p Places, scope Scope) []string {
	var notes []string
	for _, at := range a.files(p) {
		l, ok := at.form.(*layout)
		if !ok || at.each || scope == Managed && at.scope != Managed {
			continue
		}
		text, _, err := contents(at.path, at.path)
		if err != nil {
			continue
		}
		root, _ := jsonc.Parse(text) // if the file is to be changed, that is an error already
		for _, t := range l.off {
			if v := root.Member(t.path...); v.Kind() == jsonc.Bool && v.True() == t.value {
				notes = append(notes, fmt.Sprintf("%s:%d has %s: %v, so that %s does not run the hook until you take that out.",
					at.path, v.Line(), strings.Join(t.path, "."), t.value, a.Title))
			}
		}
	}
	return notes
}
