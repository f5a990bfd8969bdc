package main

import "syscall"

// ownSession lets a process go on when the console that started it is closed.
func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
