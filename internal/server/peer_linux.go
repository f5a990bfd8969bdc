package server

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// credentials returns who is at the other end of a connection.
func credentials(c *net.UnixConn) (p peer, known bool, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return peer{}, false, err
	}
	var cred *unix.Ucred
	var credErr error
	err = raw.Control(func(fd uintptr) {
		cred, credErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	if err != nil || credErr != nil {
		return peer{}, false, cmpErr(err, credErr)
	}
	return peer{int(cred.Uid), int(cred.Pid)}, true, nil
}

func cmpErr(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// parentOf returns the parent of a process, or 0.
func parentOf(pid int) int {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0
	}
	// the name, in brackets, may hold anything: what follows is behind the last one
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 2 {
		return 0
	}
	parent, err := strconv.Atoi(string(fields[1]))
	if err != nil {
		return 0
	}
	return parent
}

// wrappers are the programs between an agent and its hook.
var wrappers = []string{"sh", "bash", "dash", "zsh", "ash", "ksh", "env", "timeout", "permctl"}

// agentAbove returns the nearest process above a hook that is no shell.
func agentAbove(pid int) int {
	const most = 8 // generations
	for range most {
		if pid = parentOf(pid); pid <= 1 {
			return 0
		}
		name, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "comm"))
		if err != nil {
			return 0
		}
		if !slices.Contains(wrappers, string(bytes.TrimSpace(name))) {
			return pid
		}
	}
	return 0
}
