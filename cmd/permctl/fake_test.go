package main

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client/clienttest"
)

// fakeDaemon is a program for scripts: "fakedaemon FILE [SOCKET]" serves a daemon
// with the requests in a file, some of which somebody has answered, until it is
// interrupted. Then it writes the replies that it has taken, a line each.
func fakeDaemon() {
	if err := serveFake(os.Args[1:]); err != nil {
		panic(err) // the script that waits for it says so
	}
}

func serveFake(args []string) error {
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var with struct {
		Pending  []api.Pending `json:"pending"`
		Answered []api.Outcome `json:"answered"`
		Preview  api.Preview   `json:"preview"`
	}
	if err := json.Unmarshal(text, &with); err != nil {
		return err
	}
	d := &clienttest.Daemon{Preview: with.Preview}
	for _, p := range with.Pending {
		d.Add(p)
	}
	for _, o := range with.Answered {
		d.Answer(o.RequestID, o.Reply, o.By, o.Message)
	}
	socket := filepath.Join(os.Getenv("XDG_STATE_HOME"), "permctl", api.Socket)
	if len(args) > 1 {
		socket = args[1]
	}
	if err := os.MkdirAll(filepath.Dir(socket), 0o700); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	l, err := listenPrivately(ctx, socket)
	if err != nil {
		return err
	}
	if err := d.Serve(ctx, l); err != nil {
		return err
	}
	for _, reply := range d.Replies() {
		if err := writeJSON(os.Stdout, reply); err != nil {
			return err
		}
	}
	return nil
}

// listenPrivately listens on a socket that is there only once it is private, for
// scripts wait for it.
func listenPrivately(ctx context.Context, socket string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "unix", socket+"~")
	if err != nil {
		return nil, err
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	if err := os.Chmod(socket+"~", 0o600); err != nil {
		return nil, err
	}
	return l, os.Rename(socket+"~", socket)
}

// await waits until a file is there: "await FILE".
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await FILE")
	}
	limit := time.After(20 * time.Second)
	for {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		select {
		case <-limit:
			ts.Fatalf("there is no %s", args[0])
		case <-time.After(5 * time.Millisecond):
		}
	}
}
