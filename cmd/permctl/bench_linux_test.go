package main

import (
	"os"
	"syscall"
)

// peakMemory returns the most memory that a process had, in MiB.
func peakMemory(state *os.ProcessState) float64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return float64(usage.Maxrss) / 1024
}
