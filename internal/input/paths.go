package input

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/patch"
	"github.com/permctl/permctl/internal/workspace"
)

// listKeys are fields in which tools have several paths.
var listKeys = []string{"files", "paths", "include", "file_paths", "operations", "edits", "image_paths", "replacements"}

// viewers are tools that show a file where their command says so, and change it
// otherwise.
var viewers = []string{"strreplaceeditor", "strreplacebasededittool", "texteditor", "developertexteditor"}

// files adds the targets of a tool that is given paths.
func (b *builder) files(access Access) {
	permission := b.kind.permission
	if command, _ := b.call.Input["command"].(string); command == "view" && slices.Contains(viewers, plain(b.call.Tool)) {
		access, permission = Read, "read"
		b.doc.Tool.Permission = permission
	}
	paths, odd := b.call.named(b.kind.keys...)
	for _, f := range b.call.fields(listKeys...) {
		inner, ok := stringsIn(f.value, b.kind.keys)
		if !ok && plain(f.name) != "edits" {
			odd = append(odd, f.String())
		}
		paths = append(paths, inner...)
		for _, name := range inner {
			if plain(f.name) == "include" && b.kind.name == "read" {
				b.found(name)
			}
		}
	}
	for _, path := range unique(paths) {
		if b.kind.remote && strings.Contains(path, ":/") {
			b.remote(path)
			continue
		}
		b.path(permission, path, access, "tool")
		if b.kind.name == "grep" {
			b.reads(path)
		}
	}
	for _, text := range odd {
		b.opaque(permission, "(unparsed) "+text, -1, AnyRule)
	}
	switch b.kind.name {
	case "edit":
		b.patchBeside()
	case "grep":
		b.globs(paths)
	}
	b.patterns(len(paths) > 0)
}

// found adds the targets of the files that a reader finds by a wildcard, in which
// neither letter case nor the kind of slash counts.
func (b *builder) found(pattern string) {
	files, ok := search(b.cwd, strings.ReplaceAll(pattern, "\\", "/"))
	if !ok {
		b.opaque("read", "(unparsed) "+pattern, -1, AnyRule)
	}
	for _, file := range files {
		b.path("read", file, Read, "tool")
	}
}

// patchBeside adds the targets of a patch in a call that names files, too.
func (b *builder) patchBeside() {
	for _, f := range b.call.fields(append([]string{"patch_content"}, patchKeys...)...) {
		if text, _ := f.value.(string); patch.Is(text) {
			files, err := patch.ApplyPatch(text)
			b.patched(files, err, b.workdirs(), -1, AnyRule)
		}
	}
}

// globs adds the targets of the files that a search narrows itself to by their
// names, in each of the paths.
func (b *builder) globs(paths []string) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	names, _ := b.call.named("glob", "glob_pattern", "include", "include_pattern", "file_pattern")
	for _, name := range names {
		if strings.HasPrefix(name, "!") { // what is left out
			continue
		}
		for _, path := range paths {
			dir := b.env.Workspace.ResolveHome(b.cwd, path).Abs
			if strings.Trim(name, "*/") == "" {
				continue // all of them, as without it
			}
			for _, file := range append(b.globbed(name, dir), name) {
				b.reads(absoluteIn(dir, file))
			}
		}
	}
}

// reads adds the targets of a file that the tool reads besides what it is for.
func (b *builder) reads(path string) {
	p := b.notePath(path, b.cwd, Read, "tool", -1)
	for _, p := range append(b.misread(p, b.cwd), p) {
		b.touch("read", p, NamedPermission, p.name())
	}
}

// remote adds the targets of a tool for files that is given a URL: that of the
// tool, and that of the fetch. What names a file in the way of URLs is for a rule
// for everything.
func (b *builder) remote(text string) {
	if scheme, _, _ := strings.Cut(text, ":"); !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		b.opaque(b.kind.permission, "(unparsed) "+text, -1, AnyRule)
		return
	}
	b.plainTarget(b.kind.permission, text, text)
	b.url("webfetch", text)
}

// patterns notes where the wildcards of a search lead, and makes the search a
// target if it names no path.
func (b *builder) patterns(located bool) {
	if b.kind.name != "grep" && b.kind.name != "glob" && b.kind.name != "list" {
		return
	}
	queries, _ := b.call.named("pattern", "query", "regex", "glob", "glob_pattern", "include", "exclude")
	for _, query := range queries {
		if filepath.IsAbs(query) || strings.HasPrefix(query, "~") || workspace.GoesBack(query) {
			start, _, _ := strings.Cut(query, "*")
			b.notePath(cmp.Or(start, "."), b.cwd, Read, "directory", -1)
		}
	}
	if located || b.kind.name != "grep" {
		return
	}
	for _, query := range queries {
		b.plainTarget("grep", query)
	}
	b.notePath(".", b.cwd, Read, "tool", -1)
}

// path adds a target for a path that the tool itself names, and the path. In
// another reading it is a target for rules that deny or ask.
func (b *builder) path(permission, path string, access Access, origin string) {
	p := b.notePath(path, b.cwd, access, origin, -1)
	b.touch(permission, p, AnyRule, p.always(permission))
	for _, other := range b.misread(p, b.cwd) {
		b.request(permission).add(other.target(Restriction))
	}
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
	if !b.noted[p.Path] {
		b.noted[p.Path] = true
		b.doc.Paths = append(b.doc.Paths, p.Path)
	}
	return p
}

// misread returns where else a tool may go that is given the path, and notes that:
// tools put right what models write.
func (b *builder) misread(p *located, cwd string) []*located {
	var others []*located
	for _, reading := range readings(p.Path.Path) {
		if found := b.env.Workspace.ResolveHome(cwd, reading); found.Abs != p.Absolute {
			others = append(others, b.notePath(reading, cwd, p.Access, p.Origin, p.Command))
		}
	}
	return others
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
	if workspace.GoesBack(written) {
		t.Strict = append(t.Strict, written)
	} else {
		forms = append(forms, strings.TrimPrefix(written, "./"))
	}
	t.Forms = unique(slices.DeleteFunc(forms, func(s string) bool { return s == "" }))
	t.Strict = append(t.Strict, p.also...)
	if info, err := os.Stat(p.Real); p.Access != Read || err == nil && info.IsDir() {
		for _, name := range []string{p.Relative, p.Absolute} {
			if name != "" {
				t.Strict = append(t.Strict, name+"/") // a folder, with what is in it
			}
		}
	}
	return t
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
	number, ok := strings.CutPrefix(path, "/dev/fd/")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// patchTool adds the targets of a patch that the tool is given, in whatever field.
// A text that holds both kinds of patches is read as both.
func (b *builder) patchTool() {
	texts, odd := b.call.named(b.kind.keys...)
	for _, l := range b.call.leaves() {
		if patch.Is(l.text) {
			texts = append(texts, l.text)
		}
	}
	dirs := b.workdirs()
	for _, text := range unique(texts) {
		files, err := patch.ApplyPatch(text)
		if patch.IsUnified(text) {
			var more []patch.File
			if more, err = patch.Unified(text, -1); patch.Is(text) {
				err = errBothPatches
			}
			files = append(files, more...)
		}
		b.patched(files, err, dirs, -1, AnyRule)
	}
	for _, text := range odd {
		b.opaque("edit", "(unparsed) "+text, -1, AnyRule)
	}
	if len(texts) == 0 {
		b.kind.keys = pathKeys
		b.files(Write)
	}
}

var errBothPatches = errors.New("the text holds two kinds of patches")

// patched adds the targets of a patch's files in each of the directories. If the patch could not be read
// to its end, there is one more, which only a rule for everything allows.
func (b *builder) patched(files []patch.File, err error, dirs []string, command int, judges Judges) {
	for _, f := range files {
		access := Write
		if f.Op == patch.Delete {
			access = Delete
		}
		for _, dir := range dirs {
			p := b.notePath(f.Path, dir, access, "patch", command)
			b.touch("edit", p, judges, p.name())
			for _, other := range b.misread(p, dir) {
				b.request("edit").add(other.target(Restriction))
			}
		}
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
