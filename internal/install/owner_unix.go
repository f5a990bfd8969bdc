//go:build unix

package install

import (
	"io/fs"
	"os"
	"syscall"
)

// chown gives a file the owner and group of the one that info is of.
func chown(made *os.File, info fs.FileInfo) error {
	want, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	now, err := made.Stat()
	if err != nil {
		return err
	}
	if got, ok := now.Sys().(*syscall.Stat_t); ok && got.Uid == want.Uid && got.Gid == want.Gid {
		return nil
	}
	return made.Chown(int(want.Uid), int(want.Gid))
}
