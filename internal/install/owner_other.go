//go:build !unix

package install

import (
	"io/fs"
	"os"
)

// chown does nothing where a file's owner is not a number.
func chown(*os.File, fs.FileInfo) error { return nil }

// foreign is false where a file's owner is not a number.
func foreign(fs.FileInfo) bool { return false }

func isRoot() bool { return false }
