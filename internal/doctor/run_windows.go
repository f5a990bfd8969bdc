package doctor

import (
	"os"
	"syscall"
)

// ownGroup gives a program a process group of its own.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// endGroup ends a program. What it has started goes on.
func endGroup(p *os.Process) {
	_ = p.Kill() // it fails if it has ended
}

// statusOf returns the exit status of a program.
func statusOf(s *os.ProcessState) int { return s.ExitCode() }
