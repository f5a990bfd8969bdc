// Package private tells whether a file or a socket is the user's own, so that
// nobody else can have put it there.
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
	switch {
	case err != nil:
		return err
	case info.Mode().Type() != want:
		return fmt.Errorf("%s: is %s: %w", path, describe(info.Mode()), ErrNotOwn)
	case !ownedByUser(info):
		return fmt.Errorf("%s: belongs to another user, or others may write it: %w", path, ErrNotOwn)
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
