// Package private opens and replaces files that are the user's own, and refuses
// those, and sockets, that somebody else can have put there.
package private

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNotOwn reports a file that somebody else may have put there.
var ErrNotOwn = errors.New("refused, as anybody could have put it there")

// Check returns an error unless path is of the type want (zero is a regular
// file), itself and not through a symbolic link, and only its owner, the user,
// can write it. The error is an [fs.ErrNotExist] if there is nothing, or
// [ErrNotOwn].
func Check(path string, want fs.FileMode) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	return check(path, info, want)
}

func check(path string, info fs.FileInfo, want fs.FileMode) error {
	switch {
	case info.Mode().Type() != want:
		return fmt.Errorf("%s: is %s: %w", path, describe(info.Mode()), ErrNotOwn)
	case !ownedByUser(info):
		return fmt.Errorf("%s: belongs to another user: %w", path, ErrNotOwn)
	case writableByOthers(info):
		return fmt.Errorf("%s: others may write it (chmod go-w): %w", path, ErrNotOwn)
	}
	return nil
}

// CheckSocket returns an error unless path is a socket that only the user can
// open and that lies in a folder which only the user can write, so that nobody
// else can be listening. The errors are those of [Check].
func CheckSocket(path string) error {
	if err := Check(filepath.Dir(path), fs.ModeDir); err != nil {
		return err
	}
	return Check(path, fs.ModeSocket)
}

// CheckMode returns an error if others than the user may read path, or list the
// folder that it is. A symbolic link has no mode of its own.
func CheckMode(path string) error {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink != 0 || !openToOthers(info) {
		return err
	}
	return fmt.Errorf("%s: others may read it (mode %v)", path, info.Mode().Perm())
}

// Open opens a file of the user's own, or with [os.O_CREATE] makes one that
// nobody else can read. Its errors are those of [Check].
func Open(path string, flag int) (*os.File, error) {
	if err := Check(path, 0); err != nil && (flag&os.O_CREATE == 0 || !errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	file, err := os.OpenFile(path, flag|NoFollow, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = check(path, info, 0) // it may be another by now
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// MakeDir makes a folder that nobody else can read, and those that it lies in,
// unless it is there. The error is [ErrNotOwn] if it is there and not the user's
// own.
func MakeDir(dir string) error {
	missing := ""
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		missing = at
	}
	if missing == "" {
		return Check(dir, fs.ModeDir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if err := SyncDir(filepath.Dir(at)); err != nil {
			return err
		}
		if at == missing {
			return Check(dir, fs.ModeDir)
		}
	}
}

// Replace replaces the file at path as a whole, with a file that only the user
// can read. When it returns, the new one is on the disk. With an error, the
// old one may still be there, or already the new one.
func Replace(path string, text []byte) error {
	dir := filepath.Dir(path)
	file, err := os.CreateTemp(dir, ".new-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return SyncDir(dir)
}

func describe(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a file"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	default:
		return "a special file"
	}
}
