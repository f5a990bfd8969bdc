// Command permctl stands between a coding agent and its tools, and answers
// every tool call with allow, deny or ask.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

func main() { os.Exit(run()) }

func run() int {
	// A process that decides one call ends before its garbage matters.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(48 << 20)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends what does not heed the first
	err := newRoot().ExecuteContext(ctx)
	var status statusError
	switch {
	case err == nil:
		return statusAllow
	case errors.As(err, &status):
		return int(status)
	default:
		report(err)
		return statusFail
	}
}

// report tells a person of an error, and what to do about it.
func report(err error) {
	fmt.Fprintln(os.Stderr, "permctl:", err)
	var hint interface{ Hint() string }
	if errors.As(err, &hint) {
		fmt.Fprintln(os.Stderr, "permctl: hint:", hint.Hint())
	}
}
