//go:build !unix

package regular

// noWait is nothing where pipes have no place among the files.
const noWait = 0
