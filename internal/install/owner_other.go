//go:build !unix

package install

import (
	"io/fs"
	"os"
)

// removeFolder removes a folder if it is empty.
func removeFolder(path string) error { return os.Remove(path) }

// chown does nothing where a file's owner is not a number.
func chown(*os.File, fs.FileInfo) error { return nil }

// foreign is false where a file's owner is not a number.
func foreign(fs.FileInfo) bool { return false }

func isRoot() bool { return false }
