package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/permctl/permctl/internal/input"
)

// readCall returns the call that the arguments name, or that is on standard
// input if there are none, in this directory unless it says otherwise.
func readCall(cmd *cobra.Command, args []string) (input.Call, error) {
	call, err := namedCall(cmd, args)
	if err != nil {
		return input.Call{}, err
	}
	if call.Cwd == "" {
		call.Cwd, err = os.Getwd()
	}
	return call, err
}

func namedCall(cmd *cobra.Command, args []string) (input.Call, error) {
	switch {
	case len(args) > 0 && strings.HasPrefix(strings.TrimSpace(args[0]), "{"):
		return input.Call{}, hintError{errors.New("a call as JSON is read from standard input, and not from the arguments"), "echo '…' | permctl " + cmd.Name()}
	case len(args) == 2:
		return input.FromArgument(args[0], args[1])
	case len(args) == 1 && input.Needs(args[0]) != "":
		return input.Call{}, hintError{fmt.Errorf("%s needs a %s", oneLine(args[0]), input.Needs(args[0])), "name it behind the tool, as in permctl " + cmd.Name() + " bash 'git status'"}
	case len(args) == 1:
		return input.FromArgument(args[0], "")
	case isTerminal(cmd.InOrStdin()):
		return input.Call{}, hintError{errors.New("no call: name a tool, or give a call as JSON on standard input"), "try permctl " + cmd.Name() + " bash 'git status'"}
	}
	call, err := input.ReadCall(cmd.InOrStdin())
	if err != nil {
		return input.Call{}, hintError{err, `a call is like {"tool": "bash", "input": {"command": "git status"}, "cwd": "/path"}`}
	}
	return call, nil
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// paint returns a function that colours text for the writer, if that is a
// terminal and the user has not asked for plain text.
func paint(w io.Writer) func(code, text string) string {
	if !isTerminal(w) || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return func(_, text string) string { return text }
	}
	return func(code, text string) string { return "\x1b[" + code + "m" + text + "\x1b[0m" }
}
