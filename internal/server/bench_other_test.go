//go:build !unix

package server_test

import (
	"testing"
	"time"
)

// processorTime is not known here.
func processorTime(testing.TB) time.Duration { return 0 }
