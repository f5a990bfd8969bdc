package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/permctl/permctl/internal/private"
)

// A file is what is at a path: a file, through symbolic links, or nothing.
type file struct {
	path string      // as it was asked for
	real string      // where it is, or would be
	info fs.FileInfo // nil if there is nothing
	text []byte      // nil if there is nothing
}

// readFile returns what is at path. What is there and no regular file is an error,
// and so is a link to nowhere.
func readFile(path string) (file, error) {
	f := file{path: path, real: path}
	if !filepath.IsAbs(path) {
		return f, hint(fmt.Errorf("%s: is no absolute path", path), "set the variable that names it to one")
	}
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	f.real, err = filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, hint(fmt.Errorf("%s: is a link to what is not there", path), "make the file that it points to, or remove it")
	}
	if err != nil {
		return f, err
	}
	f.info, err = os.Stat(f.real)
	if err != nil {
		return f, err
	}
	if !f.info.Mode().IsRegular() {
		return f, hint(fmt.Errorf("%s: is no regular file", path), "move it elsewhere first")
	}
	f.text, err = os.ReadFile(f.real)
	if f.text == nil && err == nil {
		f.text = []byte{}
	}
	return f, err
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
	if err != nil {
		return denied(err)
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
		return hint(fmt.Errorf("%s: belongs to another user: %w", f.path, err), "run permctl as the user whose it is")
	}
	return made.Chmod(f.info.Mode().Perm())
}

// remove removes the file, unless it has changed since it was read.
func (f file) remove() error {
	if err := f.unchanged(); err != nil {
		return err
	}
	if err := os.Remove(f.path); err != nil {
		return denied(err)
	}
	return private.SyncDir(filepath.Dir(f.path))
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

// readOnly returns an error if the file's own mode forbids to change it.
func (f file) readOnly() error {
	if f.info == nil || f.info.Mode().Perm()&0o200 != 0 {
		return nil
	}
	return hint(fmt.Errorf("%s: is read-only (mode %v)", f.path, f.info.Mode().Perm()), "if it may be changed: chmod u+w "+quote(f.path))
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
