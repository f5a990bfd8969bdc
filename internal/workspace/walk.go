package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxLinks bounds the links followed on the way to a file, as Linux does.
const maxLinks = 40

// An end is where a walk got to.
type end struct {
	path string // absolute and clean

	// opaque tells that the path goes on through a link that leads elsewhere
	// for each process, so that path is not where it ends.
	opaque bool
}

// walk goes along full, an absolute path that need not be clean, as the kernel
// does: ".." is the parent of the folder that was reached. From the first
// component on that does not exist, there are no more links to follow.
// With an error, the path is as far as it got, and the rest as it was written.
func (w *Workspace) walk(full string) (end, error) {
	at, rest := w.start(full)
	missing, links := 0, 0 // missing counts the components below what exists
	for rest != "" {
		var part string
		part, rest = cut(rest)
		switch part {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			missing = max(missing-1, 0)
			continue
		}
		next := join(at, part)
		if missing > 0 {
			at = next
			missing++
			continue
		}
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			at = next
			missing++
			continue
		case err != nil:
			return end{path: filepath.Join(next, rest)}, err
		case info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) == 0: // a Windows junction is irregular
			at = next
			continue
		}
		if strings.HasPrefix(next, "/proc/") {
			return end{path: filepath.Join(next, rest), opaque: true}, nil
		}
		if links++; links > maxLinks {
			return end{path: filepath.Join(next, rest)}, fmt.Errorf("too many links at %s", next)
		}
		target, err := os.Readlink(next)
		if err != nil {
			return end{path: filepath.Join(next, rest)}, err
		}
		if filepath.IsAbs(target) {
			at, target = volume(target)
		}
		rest = target + string(filepath.Separator) + rest
	}
	return end{path: at}, nil
}

// start returns where the walk along full begins, and what is left to walk.
// Below the root it begins at the root's real path, which is known.
func (w *Workspace) start(full string) (at, rest string) {
	if w.real != "" {
		for _, root := range []string{w.root, w.real} {
			rest, ok := strings.CutPrefix(full, root)
			if ok && (rest == "" || os.IsPathSeparator(rest[0]) || os.IsPathSeparator(root[len(root)-1])) {
				return w.real, rest
			}
		}
	}
	return volume(full)
}

// volume splits an absolute path into the root of its file system and the rest.
func volume(path string) (root, rest string) {
	name := filepath.VolumeName(path)
	return name + string(filepath.Separator), path[len(name):]
}

// cut splits path after its first component.
func cut(path string) (part, rest string) {
	for i := range len(path) {
		if os.IsPathSeparator(path[i]) {
			return path[:i], path[i+1:]
		}
	}
	return path, ""
}

// join appends one component to a clean path.
func join(dir, part string) string {
	if os.IsPathSeparator(dir[len(dir)-1]) {
		return dir + part
	}
	return dir + string(filepath.Separator) + part
}
