//go:build unix

package install_test

import (
	"fmt"
	"io/fs"
	"syscall"
)

// ownerOf returns whose a file is.
func ownerOf(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", stat.Uid, stat.Gid)
}
