// Package workspace tells where a path is: inside the workspace or not, links
// resolved.
//
// It reads links and nothing else of the file system, and believes the stricter
// answer wherever programs differ in how they read a path.
package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxLen bounds the length of a path, in bytes. No system accepts a longer one.
const maxLen = 32 << 10

// A Workspace is a folder that paths are judged against. It is safe for
// concurrent use. It remembers where its root leads, and nothing else: a link
// changed inside it is seen by the next call.
type Workspace struct {
	root string // absolute and clean
	real string // root with links resolved
	home string

	whole bool // the root is that of the file system, which is no workspace
}

// A Path tells where one path leads.
type Path struct {
	// Abs is the path made absolute and clean by its text alone.
	Abs string

	// Real is where the path leads with its links resolved. What does not
	// exist is resolved through its nearest existing parent, and a link to
	// what does not exist leads there. A link in /proc, which leads elsewhere
	// for each process, is not followed: what is behind it is outside. With
	// Err, it is as far as it could be resolved.
	Real string

	// Rel is Abs relative to the root, or else Real relative to the root's
	// real path, with slashes, and "." for the root itself. It is empty if the
	// path is outside in both ways; that it is not empty does not make the
	// path inside.
	Rel string

	// Also are other names of the same file by which a rule may mean it: Real
	// relative to the root, and where a ".." follows a link, what a program
	// would reach that reads the ".." in the other way.
	Also []string

	// Inside reports whether the path is in the workspace both by its text and
	// through its links, in every way to read it. With Err it is false.
	Inside bool

	// Err says why the path could not be resolved, if it could not: it loops,
	// it cannot be a path, or a folder on the way may not be read.
	Err string
}

// New returns the workspace with an absolute root. The root need not exist. If
// it is that of the file system, nothing is inside. An
// empty home means that none is known.
func New(root, home string) (*Workspace, error) {
	if !filepath.IsAbs(root) {
		return nil, fmt.Errorf("workspace root %q is not absolute", root)
	}
	if err := check(root); err != nil {
		return nil, fmt.Errorf("workspace root %q: %w", root, err)
	}
	w := &Workspace{root: filepath.Clean(root), home: home}
	end, err := w.walk(w.root)
	if err != nil {
		return nil, fmt.Errorf("workspace root: %w", err)
	}
	w.real = end.path
	w.whole = filepath.Dir(w.real) == w.real
	return w, nil
}

// Find returns the nearest folder, from dir upwards, that holds .permctl or
// .git; if none does, dir, cleaned.
func Find(dir string) string {
	dir = filepath.Clean(dir)
	for at := dir; ; {
		if IsRoot(at) {
			return at
		}
		up := filepath.Dir(at)
		if up == at {
			return dir
		}
		at = up
	}
}

// IsRoot reports whether a folder holds .permctl or .git.
func IsRoot(dir string) bool {
	return slices.ContainsFunc([]string{".permctl", ".git"}, func(mark string) bool {
		_, err := os.Lstat(filepath.Join(dir, mark))
		return err == nil
	})
}

// ExpandHome returns path with ~, ~/, $HOME or $HOME/ at its start replaced by
// home. Any other path, and any path if home is empty, is returned as it is.
func ExpandHome(path, home string) string {
	if home == "" {
		return path
	}
	for _, name := range []string{"~", "$HOME"} {
		rest, ok := strings.CutPrefix(path, name)
		switch {
		case !ok:
		case rest == "":
			return home
		case os.IsPathSeparator(rest[0]):
			return strings.TrimRight(home, string(filepath.Separator)) + rest
		}
	}
	return path
}

// Root returns the root as it was given, clean.
func (w *Workspace) Root() string { return w.root }

// RealRoot returns the root with links resolved, as it was in [New].
func (w *Workspace) RealRoot() string { return w.real }

// ResolveHome is [Workspace.Resolve] for a path in which ~ and $HOME stand for
// the home directory, as [ExpandHome] has it.
func (w *Workspace) ResolveHome(cwd, path string) Path {
	return w.Resolve(cwd, ExpandHome(path, w.home))
}

// Resolve tells where path leads from the directory cwd. It expands nothing: ~
// is a file's name. A cwd that is relative or empty counts from the root, and
// an empty path is cwd itself.
func (w *Workspace) Resolve(cwd, path string) Path {
	full := w.absolute(cwd, path)
	p := Path{Abs: filepath.Clean(full)}
	p.Real = p.Abs
	rel, named := w.rel(p.Abs)
	p.Rel = rel
	if err := check(full); err != nil {
		p.Err = err.Error()
		return p
	}
	end, err := w.walk(full)
	p.Real = end.path
	if err != nil {
		p.Err = err.Error()
		return p
	}
	rel, led := within(w.real, end.path)
	if !named && led {
		p.Rel = filepath.ToSlash(rel)
	}
	p.Inside = named && led && !end.opaque && !w.whole
	if led {
		p.also(filepath.ToSlash(rel))
	}
	if GoesBack(full) {
		w.otherwise(&p)
	}
	return p
}

// otherwise judges p once more, with each ".." taken back by the text of the
// path, as programs do that clean a path before they open it.
func (w *Workspace) otherwise(p *Path) {
	end, err := w.walk(p.Abs)
	if err != nil {
		p.Inside, p.Err = false, err.Error()
		return
	}
	if end.path == p.Real {
		return
	}
	rel, led := within(w.real, end.path)
	if led {
		p.also(filepath.ToSlash(rel))
	}
	if p.Inside && !led {
		p.Real, end.path = end.path, p.Real
	}
	p.also(end.path)
	p.Inside = p.Inside && led && !end.opaque
}

// also adds a name to p, unless it has it.
func (p *Path) also(name string) {
	if name != p.Rel && name != p.Abs && name != p.Real && !slices.Contains(p.Also, name) {
		p.Also = append(p.Also, name)
	}
}

// rel returns the slash path of abs relative to the root, under either of the
// root's names.
func (w *Workspace) rel(abs string) (string, bool) {
	rel, ok := within(w.root, abs)
	if !ok {
		rel, ok = within(w.real, abs)
	}
	return filepath.ToSlash(rel), ok
}

// absolute joins without cleaning, so that a ".." after a link keeps its place.
func (w *Workspace) absolute(cwd, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	if !filepath.IsAbs(cwd) {
		cwd = w.root + string(filepath.Separator) + cwd
	}
	if path != "" && os.IsPathSeparator(path[0]) { // Windows: rooted, without a drive
		return filepath.VolumeName(cwd) + path
	}
	return cwd + string(filepath.Separator) + path
}

// within returns path relative to base, both clean, if it is base or below it.
func within(base, path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, base)
	switch {
	case !ok:
		return "", false
	case rest == "":
		return ".", true
	case os.IsPathSeparator(base[len(base)-1]): // a root of the file system
		return rest, true
	case os.IsPathSeparator(rest[0]):
		return rest[1:], true
	}
	return "", false
}

// check reports what no system takes for a path.
func check(path string) error {
	switch {
	case strings.IndexByte(path, 0) >= 0:
		return errors.New("a NUL byte in the path")
	case len(path) > maxLen:
		return errors.New("the path is too long")
	}
	return nil
}

// GoesBack reports whether a component of path is "..".
func GoesBack(path string) bool {
	if !strings.Contains(path, "..") {
		return false
	}
	for rest := path; rest != ""; {
		var part string
		part, rest = cut(rest)
		if part == ".." {
			return true
		}
	}
	return false
}
