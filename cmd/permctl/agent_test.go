package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
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

// talk is a program for scripts that stands for an agent, too: "talk FILE PROGRAM
// [ARGUMENT…]" runs a program, tells it the lines of a file, and prints what that
// answers. Behind each that has an id it waits for the answer, unless it begins with
// "& ", and at "pending NUMBER" as the script's command does. It ends with the
// program's status, and interrupts it if it is itself interrupted.
func talk() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status, err := converse(ctx, os.Args[1], os.Args[2:])
	stop()
	if err != nil {
		panic(err) // the script that waits for it says so
	}
	os.Exit(status) //nolint:forbidigo // it is a program
}

// messageID is where a message has its id.
var messageID = regexp.MustCompile(`"id":\d+,`)

func converse(ctx context.Context, file string, args []string) (status int, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stderr, cmd.WaitDelay = os.Stderr, 10*time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	answers := bufio.NewReader(stdout)
	for line := range bytes.Lines(text) {
		if number, ok := bytes.CutPrefix(line, []byte("pending ")); ok {
			if err := awaitPending(ctx, string(bytes.TrimSpace(number)), filepath.Join(os.Getenv("XDG_STATE_HOME"), "permctl", api.Socket)); err != nil {
				return 0, err
			}
			continue
		}
		line, unheard := bytes.CutPrefix(line, []byte("& "))
		if _, err := stdin.Write(line); err != nil {
			break // it has ended, and says why
		}
		id := messageID.Find(line)
		for heard := unheard || id == nil; !heard; {
			answer, err := answers.ReadBytes('\n')
			os.Stdout.Write(answer)
			heard = err != nil || bytes.Contains(answer, id)
		}
	}
	stdin.Close()
	if _, err := io.Copy(os.Stdout, answers); err != nil {
		return 0, err
	}
	err = cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), nil
	}
	if ctx.Err() == nil {
		return 0, err
	}
	return 0, nil // it has ended by itself
}

// pending waits until a daemon answers for which so many requests wait: "pending
// NUMBER [SOCKET]".
func pending(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: pending NUMBER [SOCKET]")
	}
	socket := filepath.Join(ts.Getenv("XDG_STATE_HOME"), "permctl", api.Socket)
	if len(args) > 1 {
		socket = ts.MkAbs(args[1])
	}
	ts.Check(awaitPending(context.Background(), args[0], socket))
}

func awaitPending(ctx context.Context, number, socket string) error {
	want, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for {
		status, err := statusOfDaemon(ctx, socket)
		if err == nil && status.Pending == want {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d requests wait, and must be %d: %w", status.Pending, want, err)
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
