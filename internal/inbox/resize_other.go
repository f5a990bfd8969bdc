//go:build !unix

package inbox

import "os"

// resizes returns a channel that says nothing: the size is looked at with every
// tick.
func resizes() (<-chan os.Signal, func()) { return nil, func() {} }
