package input

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/workspace"
)

// redirect adds the target of a file that the shell itself opens. Writing is
// an edit in full, for no command's grant speaks of it.
func (b *builder) redirect(r bash.Redirect, cwd string) {
	permission, judges, access := "edit", AnyRule, Write
	if r.Effect == bash.Read {
		permission, judges, access = "read", NamedPermission, Read
	}
	b.file(shellFile{r.Path, r.Dynamic, r.Glob, cwd}, permission, access, judges, "redirect", -1)
}

// operations adds the targets of the files that a command names.
func (b *builder) operations(i int) {
	c := &b.doc.Commands[i]
	for _, o := range c.Operations {
		switch {
		case o.Away && o.Effect == bash.Read, o.Away && !o.Listed:
		case o.Away:
			b.opaque("edit", o.Path, i, NamedPermission)
		case !o.Listed:
			b.looks(o, c.Cwd, i)
		case o.Effect == bash.Read:
			b.file(shellFile{o.Path, o.Dynamic, o.Glob, c.Cwd}, "read", Read, NamedPermission, "operand", i)
		case o.Effect == bash.Delete:
			b.file(shellFile{o.Path, o.Dynamic, o.Glob, c.Cwd}, "edit", Delete, NamedPermission, "operand", i)
		default:
			b.file(shellFile{o.Path, o.Dynamic, o.Glob, c.Cwd}, "edit", Write, NamedPermission, "operand", i)
		}
	}
}

// looks notes an operand that merely looks like a path.
func (b *builder) looks(o bash.Operation, cwd string, i int) {
	access := Unknown
	if b.doc.Commands[i].Known {
		access = Read
	}
	paths := []string{o.Path}
	if o.Dynamic {
		paths = b.guesses(o.Path)
	}
	for _, path := range paths {
		if cwd != "" || filepath.IsAbs(path) {
			b.notePath(path, cwd, access, "operand", i)
		}
	}
}

// known returns the part of a path that is known before it is run, where that
// says where the path lies: the home directory, or an absolute beginning. It
// is empty if the path may lie anywhere.
func (b *builder) known(path string) string {
	path = strings.Trim(path, `"`)
	for _, home := range []string{"$HOME", "${HOME}", "~"} {
		if rest, ok := strings.CutPrefix(path, home); ok && (rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `"/`)) {
			path = b.env.User.Home + strings.ReplaceAll(rest, `"`, "")
		}
	}
	if !strings.HasPrefix(path, "/") {
		return ""
	}
	if i := strings.IndexAny(path, "$`*?[{\"'\\"); i >= 0 {
		path = path[:strings.LastIndexByte(path[:i+1], '/')+1]
	}
	return filepath.Clean(path)
}

// A shellFile is a file as shell text names it: what is dynamic only run time
// knows, and a glob stands for the files that it matches in cwd.
type shellFile struct {
	path          string
	dynamic, glob bool
	cwd           string
}

// file adds the target of a file that shell text names. If only run time knows
// the file, only a rule for everything decides it, but what it may be for all
// that the text says is a target too.
func (b *builder) file(f shellFile, permission string, access Access, judges Judges, origin string, command int) {
	if harmlessDevice(f.path) {
		return
	}
	if f.dynamic || f.cwd == "" && !filepath.IsAbs(f.path) {
		b.opaque(permission, f.path, command, judges)
		for _, path := range b.guesses(f.path) {
			if f.cwd != "" || filepath.IsAbs(path) {
				p := b.notePath(path, f.cwd, access, origin, command)
				b.touch(permission, p, NamedPermission, p.name())
			}
		}
		return
	}
	paths := []string{f.path}
	if f.glob {
		var ok bool
		if paths, ok = expand(f.cwd, workspace.ExpandHome(f.path, b.env.User.Home)); !ok {
			b.notePath(f.path, f.cwd, access, origin, command)
			b.expose(f.path, f.cwd, Delete, command)
			b.opaque(permission, f.path, command, judges)
			return
		}
	}
	for _, path := range paths {
		p := b.notePath(path, f.cwd, access, origin, command)
		b.touch(permission, p, judges, p.name())
	}
}

// variable is a variable in a word, and nothing that changes its value.
var variable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})`)
})

// maxGuesses is how many paths a word that only run time knows is tried as.
const maxGuesses = 20

// guesses returns the paths that a word may be that only run time knows: with
// the values that the text itself gives the variables in it, or as far as its
// beginning tells.
func (b *builder) guesses(word string) []string {
	if path := b.known(word); path != "" && path != "/" {
		return []string{path}
	}
	words := []string{strings.ReplaceAll(word, `"`, "")}
	for range 3 { // variables in a word
		var next []string
		for _, w := range words {
			at := variable().FindStringSubmatchIndex(w)
			if at == nil {
				next = append(next, w)
				continue
			}
			name := variable().FindStringSubmatch(w)
			for _, value := range b.values(cmp.Or(name[1], name[2])) {
				next = append(next, w[:at[0]]+value+w[at[1]:])
			}
		}
		if words = next; len(words) > maxGuesses {
			return nil
		}
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" || strings.ContainsAny(w, "$`") })
}

// values returns the values that the text gives a variable, as far as they are
// plain.
func (b *builder) values(name string) []string {
	var values []string
	add := func(assigns []bash.Assign) {
		for _, a := range assigns {
			if a.Name == name && !a.Dynamic {
				values = append(values, a.Value)
			}
		}
	}
	add(b.doc.Script.Assigns)
	for _, c := range b.doc.Commands {
		add(c.Assigns)
	}
	values = append(values, b.env.Variables[name])
	return slices.DeleteFunc(unique(values), func(v string) bool { return v == "" })
}

// movers are the commands that change the directory for those behind them.
var movers = []string{"cd", "chdir", "pushd"}

// whereabouts notes the directory that the command works in, or goes to, if
// that lies outside: what it reads there is not always named.
func (b *builder) whereabouts(i int) {
	c := &b.doc.Commands[i]
	dir := c.Cwd
	if slices.Contains(movers, c.Name) {
		for _, arg := range c.Args {
			if !arg.Dynamic && !strings.HasPrefix(arg.Text, "-") && !strings.HasPrefix(arg.Text, "+") {
				dir = arg.Text
			}
		}
	}
	if dir == "" || c.Cwd == "" && !filepath.IsAbs(dir) || dir == b.doc.Workspace.Root {
		return
	}
	if !b.env.Workspace.ResolveHome(c.Cwd, dir).Inside {
		b.notePath(dir, c.Cwd, Read, "directory", i)
	}
}
