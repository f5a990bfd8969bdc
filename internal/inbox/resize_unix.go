//go:build unix

package inbox

import (
	"os"
	"os/signal"
	"syscall"
)

// resizes returns a channel that says when the terminal has another size.
func resizes() (<-chan os.Signal, func()) {
	changed := make(chan os.Signal, 1)
	signal.Notify(changed, syscall.SIGWINCH)
	return changed, func() { signal.Stop(changed) }
}
