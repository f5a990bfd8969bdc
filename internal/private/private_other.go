//go:build !unix

package private

import "io/fs"

// NoFollow is no flag here: a symbolic link is found by [Check] alone.
const NoFollow = 0

// ownedByUser is true: where modes and owners say nothing, the access control
// of the user's profile folder has to do.
func ownedByUser(fs.FileInfo) bool { return true }

func writableByOthers(fs.FileInfo) bool { return false }

func openToOthers(fs.FileInfo) bool { return false }

// SyncDir does nothing where a folder cannot be written to the disk by itself.
func SyncDir(string) error { return nil }
