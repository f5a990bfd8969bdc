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
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
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
	if err == nil {
		return statusAllow
	}
	if ending, ok := errors.AsType[statusError](err); ok {
		if ending.err != nil {
			report(ending.err)
		}
		return ending.status
	}
	report(err)
	return statusFail
}

// maxReport is the size in bytes of the longest error that is told whole.
const maxReport = 8 << 10

// printable returns the text of an error so that what it quotes, as a line of a
// stranger's policy, neither steers a terminal nor fills it.
func printable(text string) string {
	if len(text) > maxReport {
		text = text[:maxReport] + " …"
	}
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return utf8.RuneError
		}
		return r
	}, text)
}

// report tells a person of an error, and what to do about it.
func report(err error) {
	fmt.Fprintln(os.Stderr, "permctl:", printable(err.Error()))
	var hint interface{ Hint() string }
	if errors.As(err, &hint) {
		fmt.Fprintln(os.Stderr, "permctl: hint:", hint.Hint())
	}
}
