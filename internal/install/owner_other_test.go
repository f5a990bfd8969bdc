//go:build !unix

package install_test

import "io/fs"

// ownerOf returns nothing where a file's owner is not a number.
func ownerOf(fs.FileInfo) string { return "" }
