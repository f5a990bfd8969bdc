//go:build unix

package gate

import (
	"io/fs"
	"syscall"
)

// inodeOf returns what a file that replaces another does not share with it.
func inodeOf(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ino
	}
	return 0
}
