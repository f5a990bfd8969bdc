package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/permctl/permctl/internal/client"
	"github.com/permctl/permctl/internal/console"
	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/private"
	"github.com/permctl/permctl/internal/server"
)

func newServe(f *flags) *cobra.Command {
	var listen string
	var attended, background bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the daemon: ask a person, take replies, decide",
		Long: `Keeps the calls that a person has to decide, for hooks and other programs, and
takes the replies: by permctl inbox, by permctl reply, or on a page in the browser
(--listen). Hooks decide by themselves, the same way, and put to the daemon only
what has to be asked for. Settings, policies and approvals are read again when
they change.

  permctl serve --listen 127.0.0.1:0
  permctl serve --background && permctl inbox

A call is only put to a person if somebody listens: the page, permctl inbox or
permctl pending --watch. With --attended it always is.`,
		Args: noArguments,
	}
	socket := socketFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		config, err := f.config("")
		if err != nil {
			return err
		}
		path, err := socketOf(config.Dirs, *socket)
		if err != nil {
			return err
		}
		if background {
			return serveInBackground(cmd, path)
		}
		stays(400) // what is in use is little, and checks make much of it
		return serve(cmd.Context(), daemon{config, path, listen, attended}, cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	cmd.Flags().StringVar(&listen, "listen", "", "listen also on the loopback `ADDRESS`, such as 127.0.0.1:0, and print the console's")
	cmd.Flags().BoolVar(&attended, "attended", false, "there is a person to ask even while nobody listens")
	cmd.Flags().BoolVar(&background, "background", false, "go on in the background, and return once it answers")
	return cmd
}

// A daemon is what one is started with.
type daemon struct {
	gate     gate.Config
	socket   string
	listen   string
	attended bool
}

// serve runs a daemon until it is told to stop.
func serve(ctx context.Context, d daemon, out, log io.Writer) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	d.gate.Socket = d.socket
	socket, err := server.ListenSocket(ctx, d.socket)
	if errors.Is(err, server.ErrRunning) {
		return hintError{fmt.Errorf("%w at %s", err, d.socket), "see permctl status, or stop it with permctl stop"}
	}
	if err != nil {
		return err
	}
	defer socket.Close()
	port, forget, err := d.port(ctx)
	if err != nil {
		return err
	}
	defer forget()
	s, err := server.New(server.Config{
		Gate: d.gate, Attended: d.attended, Console: console.Handler(), Version: versionLine(), Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	if err != nil {
		return err
	}
	said := func() {
		fmt.Fprintf(out, "permctl decides at %s\n", d.socket)
		if url := s.ConsoleURL(); url != "" {
			fmt.Fprintf(out, "console: %s\n", forWriter(url, out))
		}
	}
	return s.Serve(ctx, socket.Listener, port, said) // the lock is held until nothing is left to tidy up
}

// port opens the loopback port, if there is to be one, and notes it for those who
// decide without the daemon. The function forgets that again.
func (d *daemon) port(ctx context.Context) (port net.Listener, forget func(), err error) {
	if d.listen == "" {
		return nil, func() {}, nil
	}
	if port, err = server.ListenPort(ctx, d.listen); err != nil {
		return nil, nil, fmt.Errorf("--listen: %w", err)
	}
	if address, ok := port.Addr().(*net.TCPAddr); ok {
		d.gate.Port = address.Port
	}
	if forget, err = gate.NotePort(d.gate.Dirs.State, port.Addr().String()); err != nil {
		return nil, nil, errors.Join(err, port.Close())
	}
	return port, forget, nil
}

// forWriter returns the console's address as it may be written: with the token only
// for a person at a terminal, for what is not written there, others keep and read.
func forWriter(url string, w io.Writer) string {
	if isTerminal(w) {
		return url
	}
	bare, _, _ := strings.Cut(url, "#")
	return bare + " (permctl status --console shows the whole address)"
}

// serveInBackground starts a daemon with the same flags, and returns when it
// answers.
func serveInBackground(parent *cobra.Command, socket string) error {
	ctx := parent.Context()
	if c, err := client.Dial(socket); err == nil {
		short, cancel := requesting(ctx)
		defer cancel()
		if status, err := c.Status(short); err == nil {
			return hintError{fmt.Errorf("%w, as process %d", server.ErrRunning, status.PID), "stop it with permctl stop"}
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := openLog(filepath.Dir(socket))
	if err != nil {
		return err
	}
	defer log.Close()
	from, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	cmd := exec.Command(self, append([]string{parent.Name()}, foreground(parent.Flags())...)...) //nolint:gosec,noctx // itself, and it outlives this process
	cmd.Stderr = log
	cmd.SysProcAttr = ownSession()
	if err := cmd.Start(); err != nil {
		return err
	}
	return awaitDaemon(ctx, cmd, socket, logged{log.Name(), from}, parent.OutOrStdout())
}

// openLog opens the log of a daemon in the background, in a folder that is made if
// need be. What other daemons have written stays: one of them may still run.
func openLog(dir string) (*os.File, error) {
	if err := private.MakeDir(dir); err != nil {
		return nil, fmt.Errorf("the socket's folder: %w", err)
	}
	return private.Open(filepath.Join(dir, "serve.log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND)
}

// foreground returns the flags that were given, as arguments, without the one that
// sends it to the background.
func foreground(given *pflag.FlagSet) []string {
	var args []string
	given.Visit(func(flag *pflag.Flag) {
		switch list, isList := flag.Value.(pflag.SliceValue); {
		case flag.Name == "background":
		case isList:
			for _, value := range list.GetSlice() {
				args = append(args, "--"+flag.Name+"="+value)
			}
		default:
			args = append(args, "--"+flag.Name+"="+flag.Value.String())
		}
	})
	return args
}

// A logged is what one daemon writes into the log.
type logged struct {
	path string
	from int64 // where it begins
}

// awaitDaemon waits until a daemon that was started answers, or ends.
func awaitDaemon(ctx context.Context, cmd *exec.Cmd, socket string, log logged, out io.Writer) error {
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	ctx, cancel := requesting(ctx)
	defer cancel()
	try := time.NewTicker(50 * time.Millisecond)
	defer try.Stop()
	for {
		select {
		case err := <-ended:
			return hintError{fmt.Errorf("the daemon has ended at once: %w", cmp.Or(log.complaint(), err)), "its log is " + log.path}
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-try.C:
		}
		c, err := client.Dial(socket)
		if err != nil {
			continue
		}
		if status, err := c.Status(ctx); err == nil && status.PID == cmd.Process.Pid {
			fmt.Fprintf(out, "permctl decides at %s, as process %d; its log is %s\n", socket, status.PID, log.path)
			return nil
		}
	}
}

// complaint returns the error that the daemon has written into its log, or nil.
func (l logged) complaint() error {
	file, err := os.Open(l.path)
	if err != nil {
		return nil
	}
	defer file.Close()
	const most = 64 << 10
	text, err := io.ReadAll(io.NewSectionReader(file, l.from, most))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		if said, ok := strings.CutPrefix(line, "permctl: "); ok {
			return errors.New(strings.TrimSpace(said))
		}
	}
	return nil
}
