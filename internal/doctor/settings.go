package doctor

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/install"
	"github.com/permctl/permctl/internal/jsonc"
)

// A source is a file of an agent's settings, and what is in it.
type source struct {
	path  string
	scope install.Scope
	root  jsonc.Value
}

// sources returns those of files that there are, in the order given: those that
// count before others first.
func (p *patient) sources(scope install.Scope, paths ...string) []source {
	var found []source
	for _, path := range paths {
		if root := p.json(path); root.Kind() != jsonc.None {
			found = append(found, source{path, scope, root})
		}
	}
	return found
}

// each returns the paths of files that match, the last in the alphabet first. Only the
// last element is a pattern: what the folders above are called is not for permctl to
// say.
func each(pattern string) []string {
	if pattern == "" {
		return nil
	}
	folder, last := filepath.Split(pattern)
	found, err := fs.Glob(os.DirFS(folder), last)
	if err != nil {
		return nil // the pattern is in this package
	}
	for i, name := range found {
		found[i] = filepath.Join(folder, name)
	}
	slices.Reverse(found)
	return found
}

// first returns the value of a setting in the first source that has it.
func first(sources []source, path ...string) (source, jsonc.Value) {
	for _, s := range sources {
		if v := s.root.Member(path...); v.Kind() != jsonc.None {
			return s, v
		}
	}
	return source{}, jsonc.Value{}
}

// switchOff notes a setting by which the agent leaves out the hooks that are not
// spared.
func (p *patient) switchOff(f Finding, spared func(*own) bool) {
	f.Severity, f.off = Note, true
	for _, o := range p.ours {
		if spared == nil || !spared(o) {
			o.Counts = false
		}
	}
	for _, event := range p.agent.Events {
		if !p.isExtra(event) && !slices.ContainsFunc(p.ours, func(o *own) bool { return o.Counts && sameEvent(o.Event, event) }) {
			f.Severity = Problem
		}
	}
	p.find(f)
}

// managed reports whether a hook is that of the whole machine.
func managed(o *own) bool { return o.entry.Scope == install.Managed }

// variable notes an environment variable by which the agent leaves out hooks.
func (p *patient) variable(name, text string) {
	if p.setting(name) {
		p.switchOff(Finding{Text: name + " is set: " + text, Hint: "unset " + name}, nil)
	}
}

// A handler is a hook as it stands in a file, of agents that have the form of
// Claude Code's settings.
type handler struct {
	event         string
	group, number int
	matcher       jsonc.Value
	value         jsonc.Value
}

// handlersIn returns the hooks in a file.
func handlersIn(root jsonc.Value) iter.Seq[handler] {
	return func(yield func(handler) bool) {
		for event, groups := range root.Member("hooks").Members() {
			for i, group := range groups.Elements() {
				for j, v := range group.Member("hooks").Elements() {
					if !yield(handler{event.Text(), i, j, group.Member("matcher"), v}) {
						return
					}
				}
			}
		}
	}
}

// handlers returns how a hook of permctl's stands in its file: more than once if
// it is on one line there with one that is the same.
func (p *patient) handlers(o *own) []handler {
	var found []handler
	for h := range handlersIn(p.json(o.entry.File)) {
		if h.event == o.entry.Event && h.value.Line() == o.entry.Line && strings.HasPrefix(o.Command, joinedCommand(h.value)) {
			found = append(found, h)
		}
	}
	return found
}

// joinedCommand returns how the command of a handler begins.
func joinedCommand(v jsonc.Value) string {
	command := v.Member("command").Text()
	if v.Member("args").Kind() == jsonc.Array {
		return quoted(command)
	}
	return command
}
