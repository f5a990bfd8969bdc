//go:build unix

package install

import (
	"io/fs"
	"os"
	"syscall"
)

// removeFolder removes a folder, and nothing else, if it is empty.
func removeFolder(path string) error { return syscall.Rmdir(path) }

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

// foreign reports whether what info is of belongs to another user.
func foreign(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) != os.Geteuid()
}

// isRoot reports whether this user may do everything.
func isRoot() bool { return os.Geteuid() == 0 }
