//go:build unix

package main

import "syscall"

// ownSession lets a process go on when the terminal that started it is closed.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
