package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
	"github.com/permctl/permctl/internal/settings"
)

// socketFlag adds the flag that says where the daemon's socket is.
func socketFlag(cmd *cobra.Command) *string {
	return cmd.Flags().String("socket", "", "the daemon's socket `PATH` (default: $XDG_STATE_HOME/permctl/"+api.Socket+")")
}

// dial returns a client of the daemon at a socket, or at the usual one if it is
// empty. Its errors are for a person.
func dial(socket string) (*client.Client, error) {
	dirs, err := settings.NewDirs(os.Getenv)
	if err != nil {
		return nil, err
	}
	path, err := socketOf(dirs, socket)
	if err != nil {
		return nil, err
	}
	c, err := client.Dial(path)
	return c, forPerson(err)
}

// socketOf returns the path of a socket, or of the usual one if it is empty.
func socketOf(dirs settings.Dirs, socket string) (string, error) {
	if socket == "" {
		return filepath.Join(dirs.State, api.Socket), nil
	}
	return absolute(socket)
}

// defaultWait is how long a person has to answer, if nobody says otherwise. Agents
// give their hooks a minute or more.
const defaultWait = 50 * time.Second

// maxRequest is how long the daemon may take for an answer.
const maxRequest = 10 * time.Second

func requesting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, maxRequest, hintError{fmt.Errorf("the daemon has not answered within %v", maxRequest), "see permctl status"})
}

// forPerson returns a client's error with what to do about it.
func forPerson(err error) error {
	if errors.Is(err, client.ErrNotRunning) {
		return hintError{fmt.Errorf("%w: nothing can be pending", client.ErrNotRunning), "start one with permctl serve"}
	}
	if errors.Is(err, client.ErrTooLarge) {
		return hintError{err, "permctl pending --session ID lists those of one session, and permctl reply takes a whole id"}
	}
	if said, ok := errors.AsType[*client.Error](err); ok && said.Hint != "" {
		return hintError{err, oneLine(said.Hint)}
	}
	return err
}

// stays undoes what is set for a process that decides one call and ends: from then
// on, garbage is collected when there is so much percent of what is in use.
func stays(percent int) {
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(math.MaxInt64)
}
