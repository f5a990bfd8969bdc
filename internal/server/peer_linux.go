package server

import (
	"bytes"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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
type process struct {
	parent, session, terminal int
	started                   uint64 // in ticks after the system
}

// processOf returns a process, or zeros for one that is gone.
func processOf(pid int) (p process) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return process{}
	}
	// the name, in brackets, may hold anything: what follows is behind the last one
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	const parent, session, terminal, started = 1, 3, 4, 19
	if len(fields) <= started {
		return process{}
	}
	var errs [4]error
	p.parent, errs[0] = strconv.Atoi(fields[parent])
	p.session, errs[1] = strconv.Atoi(fields[session])
	p.terminal, errs[2] = strconv.Atoi(fields[terminal])
	p.started, errs[3] = strconv.ParseUint(fields[started], 10, 64)
	if errors.Join(errs[:]...) != nil {
		return process{}
	}
	return p
}

// belongs reports whether a process is one of the agents or was started by one,
// and not by a person at a terminal that the agent's program, such as a
// multiplexer, has opened.
func belongs(pid int, agents []origin) bool {
	own := processOf(pid)
	if own == (process{}) {
		return true // it has gone: whose it was cannot be told any more
	}
	const most = 64 // generations
	for range most {
		p := processOf(pid)
		if slices.Contains(agents, origin{pid, p.started}) {
			return own.terminal == 0 || own.session == p.session
		}
		if pid = p.parent; pid < 1 {
			return false
		}
	}
	return false
}

// wrappers are the programs between an agent and its hook.
var wrappers = []string{"sh", "bash", "dash", "zsh", "ash", "ksh", "env", "timeout", "permctl"}

// agentAbove returns the nearest process above a hook that is no shell.
func agentAbove(pid int) origin {
	const most = 8 // generations
	for range most {
		if pid = processOf(pid).parent; pid < 1 {
			return origin{}
		}
		name, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "comm"))
		if err != nil {
			return origin{}
		}
		switch called := string(bytes.TrimSpace(name)); {
		case pid == 1 && slices.Contains(inits, called):
			return origin{} // the hook has no parent any more
		case !slices.Contains(wrappers, called):
			return origin{pid, processOf(pid).started}
		}
	}
	return origin{}
}

// inits are the programs that are the first process of a system, or of a container
// in which the agent is not.
var inits = []string{"systemd", "init", "tini", "dumb-init", "docker-init", "catatonit", "s6-svscan", "runit", "launchd", "busybox"}
