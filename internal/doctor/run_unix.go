//go:build unix

package doctor

import (
	"os"
	"syscall"
)

// ownGroup gives a program a process group of its own.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// endGroup ends a program that has one, and what is left of its group.
func endGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL) // it fails if nothing is left
}

// statusOf returns the exit status of a program, as shells say it.
func statusOf(s *os.ProcessState) int {
	if wait, ok := s.Sys().(syscall.WaitStatus); ok && wait.Signaled() {
		return 128 + int(wait.Signal())
	}
	return s.ExitCode()
}
