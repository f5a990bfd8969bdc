package input

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/patch"
)

// files adds the targets of a tool that is given paths.
func (b *builder) files(access Access) {
	if b.kind.name == "edit" && b.call.text("command") == "view" {
		access, b.kind = Read, readKind // one tool of an agent does both
	}
	named := b.pathArguments()
	if len(named) == 0 {
		if b.kind.name == "grep" {
			if query := b.call.text("pattern", "query", "regex"); query != "" {
				b.plainTarget("grep", query)
				b.notePath(".", b.cwd, Read, "tool", -1)
			}
		}
		return
	}
	for _, path := range named {
		b.path(b.kind.permission, path, access, "tool")
	}
}

// pathArguments returns the paths that the tool is given: in a field of its
// own, in a list, or in a list of objects.
func (b *builder) pathArguments() []string {
	if text := b.call.text(b.kind.keys...); text != "" {
		return []string{text}
	}
	var found []string
	for _, key := range []string{"files", "paths", "include", "file_paths", "operations", "edits"} {
		list, ok := b.call.Input[key].([]any)
		if !ok {
			continue
		}
		for _, item := range list {
			switch item := item.(type) {
			case string:
				found = append(found, item)
			case map[string]any:
				if text := (Call{Input: item}).text(b.kind.keys...); text != "" {
					found = append(found, text)
				}
			}
		}
	}
	return found
}

// path adds a target for a path that the tool itself names, and the path.
func (b *builder) path(permission, path string, access Access, origin string) {
	p := b.notePath(path, b.cwd, access, origin, -1)
	b.touch(permission, p, AnyRule, p.always(permission))
}

// always returns what an "always" for the path would save.
func (p *located) always(permission string) string {
	if permission == "grep" {
		return "*"
	}
	return p.name()
}

// A located is a path with all its spellings.
type located struct {
	Path
	also []string
}

// notePath resolves a path and adds it to the document, once for what is done
// to it.
func (b *builder) notePath(path, cwd string, access Access, origin string, command int) *located {
	found := b.env.Workspace.ResolveHome(cwd, path)
	p := &located{
		Path: Path{
			Path: path, Absolute: found.Abs, Real: found.Real, Relative: found.Rel, Inside: found.Inside,
			Access: access, Origin: origin, Error: found.Err, Command: command,
		},
		also: found.Also,
	}
	if rel, err := filepath.Rel(b.env.Workspace.Root(), p.Absolute); p.Error != "" && err == nil && filepath.IsLocal(rel) {
		p.also = append(p.also, filepath.ToSlash(rel)) // what nobody could resolve is still called so
	}
	p.Protected = b.protected(&p.Path)
	if !slices.Contains(b.doc.Paths, p.Path) {
		b.doc.Paths = append(b.doc.Paths, p.Path)
	}
	return p
}

// name returns the path as a person reads it: relative to the workspace, or
// absolute where it is outside.
func (p *located) name() string {
	if p.Inside && p.Relative != "" {
		return p.Relative
	}
	return outside(p.Path)
}

// target returns the target of the path. As the agent wrote it, a path counts
// for rules that allow only if it has no way back in it.
func (p *located) target(judges Judges) Target {
	t := Target{Pattern: p.name(), Judges: judges, Command: p.Command}
	if p.Error != "" {
		t.Forms, t.Strict, t.Opaque = []string{p.Path.Path}, []string{p.Absolute}, true
		return t
	}
	forms := []string{p.Relative, p.Absolute, p.Real}
	written := filepath.ToSlash(p.Path.Path)
	if goesBack(written) {
		t.Strict = append(t.Strict, written)
	} else {
		forms = append(forms, strings.TrimPrefix(written, "./"))
	}
	t.Forms = unique(slices.DeleteFunc(forms, func(s string) bool { return s == "" }))
	t.Strict = append(t.Strict, p.also...)
	return t
}

func goesBack(path string) bool {
	return slices.Contains(strings.Split(path, "/"), "..")
}

// external adds the request for the paths that lie outside the workspace.
func (b *builder) external() {
	for _, p := range b.doc.Paths {
		if p.Inside || harmlessDevice(p.Absolute) {
			continue
		}
		l := &located{Path: p}
		t := l.target(AnyRule)
		t.Pattern, t.Command = outside(p), -1
		b.request("external_directory").add(t, around(p))
		if p.Error != "" {
			b.request("external_directory").add(l.byName())
		}
	}
}

// touch adds the target of a path, and what an "always" for it would save. A
// path that could not be resolved has another by its name, for the rules that
// deny or ask: whoever runs a command as another user may reach it.
func (b *builder) touch(permission string, p *located, judges Judges, always string) {
	b.request(permission).add(p.target(judges), always)
	if p.Error != "" {
		b.request(permission).add(p.byName())
	}
}

// byName returns the target that is the path by its text alone.
func (p *located) byName() Target {
	return Target{Pattern: p.name(), Forms: unique(append([]string{p.Absolute, p.Path.Path}, p.also...)), Judges: Restriction, Command: p.Command}
}

// around returns what an "always" for a path outside would save: its
// directory, but never the root of the file system.
func around(p Path) string {
	dir := filepath.Dir(outside(p))
	if p.Origin == "directory" {
		dir = outside(p)
	}
	if filepath.Dir(dir) == dir {
		return outside(p)
	}
	return filepath.Join(dir, "*")
}

// outside returns where a path outside lies: for one that a link in the
// workspace leads to, where that is.
func outside(p Path) string {
	if p.Relative != "" && p.Real != "" {
		return p.Real
	}
	return p.Absolute
}

// harmlessDevice reports whether a path is a device that holds nothing.
func harmlessDevice(path string) bool {
	switch path {
	case "/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty":
		return true
	}
	return strings.HasPrefix(path, "/dev/fd/")
}

// patchTool adds the targets of a patch that the tool is given.
func (b *builder) patchTool() {
	text := b.call.text(b.kind.keys...)
	if text == "" {
		b.files(Write)
		return
	}
	files, err := patch.ApplyPatch(text)
	if err != nil && patch.IsUnified(text) {
		files, err = patch.Unified(text, -1)
	}
	b.patched(files, err, b.workdir(), -1, AnyRule)
}

// patched adds the targets of a patch's files. If the patch could not be read
// to its end, there is one more, which only a rule for everything allows.
func (b *builder) patched(files []patch.File, err error, cwd string, command int, judges Judges) {
	for _, f := range files {
		access := Write
		if f.Op == patch.Delete {
			access = Delete
		}
		p := b.notePath(f.Path, cwd, access, "patch", command)
		b.touch("edit", p, judges, p.name())
	}
	b.doc.Patch = append(b.doc.Patch, files...)
	if err != nil {
		b.opaque("edit", "(unparsed) "+err.Error(), command, judges)
	}
}

// opaque adds a target of which nobody can say what it is.
func (b *builder) opaque(permission, text string, command int, judges Judges) {
	b.request(permission).add(Target{Pattern: text, Forms: []string{text}, Opaque: true, Judges: judges, Command: command})
}
