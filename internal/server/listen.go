package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
	"golang.org/x/net/netutil"

	"github.com/permctl/permctl/internal/private"
)

// ErrRunning reports that a daemon has the socket already.
var ErrRunning = errors.New("a daemon runs already")

// A Socket is a Unix socket that only the user can reach, and that no other daemon
// takes as long as it is open.
type Socket struct {
	net.Listener

	lock *flock.Flock
}

// ListenSocket opens the socket at path, in a folder that it makes if need be. The
// socket of a daemon that is gone is replaced. The error is [ErrRunning], or
// [private.ErrNotOwn] if the folder is not the user's alone.
func ListenSocket(ctx context.Context, path string) (*Socket, error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := private.Check(dir, fs.ModeDir); err != nil {
		return nil, fmt.Errorf("the socket's folder: %w", err)
	}
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	switch held, err := lock.TryLock(); {
	case err != nil:
		return nil, err
	case !held:
		return nil, ErrRunning
	}
	l, err := bind(ctx, path)
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return &Socket{l, lock}, nil
}

// Held reports whether a daemon has the socket at path, or has not yet given it back.
func Held(path string) bool {
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	free, err := lock.TryRLock()
	return err != nil || !free || lock.Unlock() != nil
}

// bind listens at path. The lock is held.
func bind(ctx context.Context, path string) (net.Listener, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case info.Mode().Type() != fs.ModeSocket:
		return nil, fmt.Errorf("%s: is no socket, and stays: move it away", path)
	default:
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// Close closes the socket and lets another daemon have it.
func (s *Socket) Close() error {
	err := s.Listener.Close()
	if errors.Is(err, net.ErrClosed) {
		err = nil // whoever served has closed it
	}
	return errors.Join(err, s.lock.Unlock())
}

// maxConnections is how many connections there may be to the port at once: who has
// no token can open some, too.
const maxConnections = 512

// ListenPort opens a port of the loopback interface. Addresses of other interfaces
// are refused.
func ListenPort(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%q is no address: use one like 127.0.0.1:7717, or 127.0.0.1:0 for any port", address)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("%q is not on this machine alone: use 127.0.0.1, [::1] or localhost", host)
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return netutil.LimitListener(l, maxConnections), nil
}
