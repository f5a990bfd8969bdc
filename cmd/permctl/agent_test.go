package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
)

// agent is a program for scripts that stands for an agent: "agent PROGRAM
// [ARGUMENT…]" runs a program, and ends with its status.
func agent() {
	cmd := exec.CommandContext(context.Background(), os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(exit.ExitCode()) //nolint:forbidigo // it is a program
	}
	if err != nil {
		panic(err) // the script that waits for it says so
	}
}

// pending waits until a daemon answers for which so many requests wait: "pending
// NUMBER [SOCKET]".
func pending(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: pending NUMBER [SOCKET]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	socket := filepath.Join(ts.Getenv("XDG_STATE_HOME"), "permctl", api.Socket)
	if len(args) > 1 {
		socket = ts.MkAbs(args[1])
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for {
		status, err := statusOfDaemon(ctx, socket)
		if err == nil && status.Pending == want {
			return
		}
		select {
		case <-ctx.Done():
			ts.Fatalf("%d requests wait, and must be %d: %v", status.Pending, want, err)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func statusOfDaemon(ctx context.Context, socket string) (api.Status, error) {
	c, err := client.Dial(socket)
	if err != nil {
		return api.Status{}, err
	}
	defer c.Close()
	return c.Status(ctx)
}

// endDaemons ends the daemons that a script has left behind below a folder.
func endDaemons(dir string) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type() != fs.ModeSocket {
			return nil //nolint:nilerr // there is none
		}
		status, err := statusOfDaemon(ctx, path)
		if err != nil || status.PID == os.Getpid() {
			return nil //nolint:nilerr // it has ended
		}
		if daemon, err := os.FindProcess(status.PID); err == nil {
			_ = daemon.Kill() // it may have ended
		}
		return nil
	})
}
