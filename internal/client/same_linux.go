package client

import (
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

// sameProgram reports whether the program at the other end is the file that runs
// here.
func sameProgram(conn net.Conn) bool {
	pid, known := listener(conn)
	if !known {
		return false
	}
	theirs, err := os.Stat(filepath.Join("/proc", strconv.Itoa(pid), "exe"))
	if err != nil {
		return false
	}
	own, err := os.Stat("/proc/self/exe")
	return err == nil && os.SameFile(own, theirs)
}
