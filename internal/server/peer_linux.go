package server

import (
	"bytes"
	"fmt"
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

// A process is what the system says of one.
type process struct{ parent, session, terminal int }

// processOf returns a process, or zeros for one that is gone.
func processOf(pid int) (p process) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat")) //nolint:gosec // it is a number
	if err != nil {
		return process{}
	}
	// the name, in brackets, may hold anything: what follows is behind the last one
	text = text[bytes.LastIndexByte(text, ')')+1:]
	var state string
	var group int
	if _, err := fmt.Sscan(string(text), &state, &p.parent, &group, &p.session, &p.terminal); err != nil {
		return process{}
	}
	return p
}

// belongs reports whether a process was started by the agent, and not by a person
// at a terminal that the agent's program, such as a multiplexer, has opened.
func belongs(pid, agent int) bool {
	own, theirs := processOf(pid), processOf(agent)
	if own.terminal != 0 && own.session != theirs.session {
		return false
	}
	const most = 64 // generations
	for range most {
		if pid == agent {
			return true
		}
		if pid = processOf(pid).parent; pid <= 1 {
			return false
		}
	}
	return false
}

// wrappers are the programs between an agent and its hook.
var wrappers = []string{"sh", "bash", "dash", "zsh", "ash", "ksh", "env", "timeout", "permctl"}

// agentAbove returns the nearest process above a hook that is no shell.
func agentAbove(pid int) int {
	const most = 8 // generations
	for range most {
		if pid = processOf(pid).parent; pid <= 1 {
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
