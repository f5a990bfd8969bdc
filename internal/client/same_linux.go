package client

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// listener returns the process that has had the socket at the other end listen.
func listener(conn net.Conn) (pid int, known bool) {
	socket, ok := conn.(*net.UnixConn)
	if !ok {
		return 0, false
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0, false
	}
	var peer *unix.Ucred
	var credErr error
	if err := raw.Control(func(fd uintptr) { peer, credErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); err != nil || credErr != nil {
		return 0, false
	}
	return int(peer.Pid), true
}

// sameProgram returns an error if another program than this one listens at the other
// end. One that has been killed may still take connections for a while.
func sameProgram(conn net.Conn) error {
	pid, known := listener(conn)
	if !known {
		return ErrOther
	}
	theirs, err := os.Stat(filepath.Join("/proc", strconv.Itoa(pid), "exe"))
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotRunning
	}
	own, ownErr := os.Stat("/proc/self/exe")
	if err != nil || ownErr != nil || !os.SameFile(own, theirs) {
		return ErrOther
	}
	return nil
}
