package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/permctl/permctl/internal/private"
)

// A file is what is at a path: a file, through symbolic links, or nothing.
type file struct {
	path string      // as it was asked for
	real string      // where it is, or would be
	info fs.FileInfo // nil if there is nothing
	text []byte      // nil if there is nothing

	// linked is true if the path itself is a link.
	linked bool
}

// readFile returns what is at path. What is there and no regular file is an error,
// and so is a link to nowhere.
func readFile(path string) (file, error) {
	f := file{path: path, real: path}
	if !filepath.IsAbs(path) {
		return f, hint(fmt.Errorf("%s: is no absolute path", path), "set the variable that names it to one")
	}
	var err error
	if f.real, err = realPath(path); err != nil {
		return f, err
	}
	if link, err := os.Lstat(path); err == nil {
		f.linked = link.Mode()&fs.ModeSymlink != 0
	}
	f.text, f.info, err = contents(path, f.real)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	return f, err
}

// realPath returns where the file at path is, or would be.
func realPath(path string) (string, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) && filepath.Dir(path) != path {
		dir, err := realPath(filepath.Dir(path))
		return filepath.Join(dir, filepath.Base(path)), err
	}
	if err != nil {
		return "", denied(err)
	}
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", hint(fmt.Errorf("%s: is a link to what is not there", path), "make the file that it points to, or remove it")
	}
	return real, err
}

// A mode is what new files and folders may be used for, before the umask.
type mode struct{ file, folder fs.FileMode }

// replace makes text what is in the file, all at once. A new file and the folders
// that it lies in are made with mode; one that is there keeps mode and owner. If
// it has changed since it was read, that is an error, and it stays.
func (f file) replace(text []byte, mode mode) error {
	if err := f.unchanged(); err != nil {
		return err
	}
	dir := filepath.Dir(f.real)
	if err := os.MkdirAll(dir, mode.folder); err != nil {
		return denied(err)
	}
	made, err := os.CreateTemp(dir, ".permctl-*")
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return denied(fmt.Errorf("%s cannot be written: %w", f.path, failed.Err)) // and not the other one
	}
	if err != nil {
		return err
	}
	_, err = made.Write(text)
	if err == nil {
		err = f.adopt(made, mode.file)
	}
	err = errors.Join(err, made.Sync(), made.Close())
	if err == nil {
		err = f.unchanged()
	}
	if err == nil {
		err = os.Rename(made.Name(), f.real)
	}
	if err != nil {
		return errors.Join(err, os.Remove(made.Name()))
	}
	return private.SyncDir(dir)
}

// adopt gives a file that is to replace f its mode and owner, or mode if there is
// none.
func (f file) adopt(made *os.File, mode fs.FileMode) error {
	if f.info == nil {
		return made.Chmod(mode)
	}
	if err := chown(made, f.info); err != nil {
		return hint(fmt.Errorf("%s: belongs to a group that you are not in: %w", f.path, err), "run permctl as a user who is, or chgrp the file")
	}
	return made.Chmod(f.info.Mode().Perm())
}

// remove removes the file, unless it has changed since it was read. A link to it is
// not permctl's, and stays.
func (f file) remove() error {
	if err := f.unchanged(); err != nil {
		return err
	}
	if err := os.Remove(f.real); err != nil {
		return denied(err)
	}
	return private.SyncDir(filepath.Dir(f.real))
}

// removeEmpty removes those of folders, each behind what it is in, that are folders
// that the file lies in, and empty. That permctl made them, only a record says.
func (f file) removeEmpty(folders []string) {
	for _, folder := range slices.Backward(folders) {
		if info, err := os.Lstat(folder); err == nil && info.IsDir() && f.liesIn(folder) {
			_ = removeFolder(folder) // one that has something in it stays
		}
	}
}

// liesIn reports whether a folder is one that the file lies in, by its path.
func (f file) liesIn(folder string) bool {
	within := func(path string) bool {
		rel, err := filepath.Rel(folder, path)
		return err == nil && rel != "." && filepath.IsLocal(rel)
	}
	return folder == filepath.Clean(folder) && (within(f.path) || within(f.real))
}

// unchanged returns an error if the file is not as it was read.
func (f file) unchanged() error {
	now, err := readFile(f.path)
	if err != nil {
		return err
	}
	if (now.text == nil) != (f.text == nil) || !bytes.Equal(now.text, f.text) || now.real != f.real {
		return hint(fmt.Errorf("%s: has been changed by somebody else just now", f.path), "run the command again")
	}
	return nil
}

// check returns an error if the file of a scope is not one to be changed: it is
// read-only or somebody else's, or a project leads elsewhere with it.
func (f file) check(scope Scope, p Places) error {
	if scope == Project {
		root, err := filepath.EvalSymlinks(p.Workspace)
		if err != nil {
			return err
		}
		if rel, err := filepath.Rel(root, f.real); err != nil || !filepath.IsLocal(rel) {
			return hint(fmt.Errorf("%s: is really %s, which is not in the project", f.path, f.real), "make it a file of the project's own, or use --user")
		}
	}
	const asOwner = "run permctl as the user whose it is"
	switch {
	case f.info == nil && scope == User && isRoot() && f.inForeignFolder():
		return hint(fmt.Errorf("%s: would be root's, in a folder of another user, who could not read it", f.path), asOwner)
	case f.info == nil:
		return nil
	case f.info.Mode().Perm()&0o200 == 0:
		return hint(fmt.Errorf("%s: is read-only (mode %v)", f.path, f.info.Mode().Perm()), "if it may be changed: chmod u+w "+quote(f.path))
	case foreign(f.info) && (scope == Managed || !isRoot()):
		return hint(fmt.Errorf("%s: belongs to another user", f.path), asOwner)
	}
	return nil
}

// inForeignFolder reports whether the innermost folder that is there, of those that
// the file would lie in, is another user's.
func (f file) inForeignFolder() bool {
	dir := filepath.Dir(f.real)
	if missing := f.missing(); len(missing) > 0 {
		dir = filepath.Dir(missing[0])
	}
	info, err := os.Stat(dir)
	return err == nil && foreign(info)
}

// missing returns the folders that the file would lie in and that are not there,
// the outermost first.
func (f file) missing() []string {
	var found []string
	for dir := filepath.Dir(f.real); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return found
		}
		found = append([]string{dir}, found...)
	}
}

// denied returns err, and what to do if it is that this user may not.
func denied(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return hint(err, "run permctl as a user who may write there, or choose another scope")
	}
	return err
}
