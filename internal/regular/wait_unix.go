//go:build unix

package regular

import "syscall"

// noWait is with what a file is opened that may be none, so that nobody waits for
// who writes to a pipe.
const noWait = syscall.O_NONBLOCK | syscall.O_NOCTTY
