package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
	"github.com/permctl/permctl/internal/server"
)

// running returns the daemon that runs, and how it fares. Without one, the program
// ends with the status of a no.
func running(ctx context.Context, socket string) (*client.Client, api.Status, error) {
	c, err := dial(socket)
	var status api.Status
	if err == nil {
		status, err = c.Status(ctx)
	}
	if errors.Is(err, client.ErrNotRunning) {
		return nil, status, end(statusDeny, hintError{client.ErrNotRunning, "start one with permctl serve"})
	}
	if err != nil {
		return nil, status, end(statusDeny, forPerson(err))
	}
	return c, status, nil
}

func newStatus(_ *flags) *cobra.Command {
	var asJSON, address bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say whether the daemon runs, and how it fares",
		Long: `Says whether a daemon runs, what waits, who listens, and whether the last change
of the settings could be read. The exit status is 0 if it runs and is ready, and
1 else.

  permctl status
  permctl status --console`,
		Args: noArguments,
	}
	socket := socketFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if asJSON && address {
			return hintError{errors.New("--json and --console do not go together"), "the console's address is a line of its own"}
		}
		ctx, cancel := requesting(cmd.Context())
		defer cancel()
		c, status, err := running(ctx, *socket)
		if err != nil {
			return err
		}
		if address {
			return writeConsole(ctx, c, cmd.OutOrStdout())
		}
		if asJSON {
			err = writeJSON(cmd.OutOrStdout(), status)
		} else {
			writeStatus(cmd.OutOrStdout(), status)
		}
		if err == nil && status.Problem != "" {
			return end(statusDeny, nil)
		}
		return err
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the status as one line of JSON")
	cmd.Flags().BoolVar(&address, "console", false, "write the console's address, with the token that opens it")
	return cmd
}

// writeConsole writes the console's address.
func writeConsole(ctx context.Context, c *client.Client, w io.Writer) error {
	address, err := c.Console(ctx)
	switch {
	case err != nil:
		return end(statusDeny, forPerson(err))
	case address == "":
		return hintError{errors.New("the daemon has no console: it listens on the socket alone"), "start it with permctl serve --listen 127.0.0.1:0"}
	}
	_, err = fmt.Fprintln(w, address)
	return err
}

// writeStatus writes a status for a person.
func writeStatus(w io.Writer, s api.Status) {
	fmt.Fprintf(w, "%s runs as process %d since %s\n", oneLine(s.Version), s.PID, s.Started.Local().Format(time.DateTime))
	fmt.Fprintf(w, "  socket     %s\n", oneLine(s.Socket))
	if s.Address != "" {
		fmt.Fprintf(w, "  console    http://%s/ (permctl status --console has the whole address)\n", oneLine(s.Address))
	}
	who := fmt.Sprintf("%d listen", s.Listeners)
	switch {
	case s.Attended:
		who += ", and somebody is there anyway (--attended)"
	case s.Listeners == 0:
		who = "nobody listens, so that agents' own prompts ask"
	}
	fmt.Fprintf(w, "  people     %s\n", who)
	fmt.Fprintf(w, "  pending    %d\n", s.Pending)
	fmt.Fprintf(w, "  settings   read again %d times\n", s.Reloads)
	if s.Problem != "" {
		fmt.Fprintf(w, "  problem    %s\n", oneLine(s.Problem))
	}
}

func newStop(_ *flags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "stop",
		Short: "Stop the daemon",
		Long: `Stops the daemon. What waits for a person is denied, with that as its reason.

  permctl stop`,
		Args: noArguments,
	}
	socket := socketFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		ctx, cancel := requesting(cmd.Context())
		defer cancel()
		c, status, err := running(ctx, *socket)
		if err != nil {
			return err
		}
		pid, err := processOf(ctx, c, status)
		if err != nil {
			return err
		}
		process, err := os.FindProcess(pid)
		if err != nil {
			return err
		}
		if err := process.Signal(syscall.SIGTERM); err != nil {
			return err
		}
		try := time.NewTicker(20 * time.Millisecond)
		defer try.Stop()
		for {
			if _, err := c.Status(ctx); errors.Is(err, client.ErrNotRunning) && !server.Held(status.Socket) {
				fmt.Fprintf(cmd.OutOrStdout(), "process %d has stopped\n", pid)
				return nil
			}
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-try.C:
			}
		}
	}
	return cmd
}

// processOf returns the daemon's process: what the daemon says, where the system
// says nothing else.
func processOf(ctx context.Context, c *client.Client, status api.Status) (int, error) {
	pid, known, err := c.PID(ctx)
	switch {
	case err != nil:
		return 0, forPerson(err)
	case known && pid != status.PID:
		return 0, hintError{fmt.Errorf("the daemon says that it is process %d, and its socket is that of process %d", status.PID, pid), "nothing is stopped: see which of them it is"}
	}
	return status.PID, nil
}
