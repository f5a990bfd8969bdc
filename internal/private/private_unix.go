//go:build unix

package private

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// NoFollow is the flag with which a symbolic link is not opened.
const NoFollow = syscall.O_NOFOLLOW

// ownedByUser reports whether the file belongs to the user.
func ownedByUser(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

func writableByOthers(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }

func openToOthers(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }

// SyncDir returns when the names in a folder are on the disk.
func SyncDir(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
