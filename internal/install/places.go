// Package install puts permctl's hooks into the files in which coding agents
// look for them, and takes them out again.
//
// It changes the entries that are permctl's own and no other byte. A file that
// it cannot read, or that says something twice, is left as it is, and that is an
// error.
package install

import (
	"path/filepath"
	"strings"
)

// A Scope is for whom a hook is installed.
type Scope string

// The scopes.
const (
	User    Scope = "user"    // all that this user does
	Project Scope = "project" // all that anybody does in a workspace
	Managed Scope = "managed" // all that anybody does on this machine
)

// Places say where files are looked for. Nothing else is asked for it.
type Places struct {
	// Home is the user's home, and State permctl's own folder in it.
	Home, State string

	// Workspace is the root of the workspace, or empty if there is none, and
	// with it no project's files.
	Workspace string

	// Root is the folder below which the machine's files are looked for. If
	// empty, it is the file system's own root.
	Root string

	// OS is the operating system, as [runtime.GOOS] names it.
	OS string

	// Getenv returns the value of an environment variable. If nil, none is set.
	Getenv func(string) string
}

// env returns the value of an environment variable, or fallback if it is not
// set.
func (p Places) env(name, fallback string) string {
	if p.Getenv != nil {
		if value := p.Getenv(name); value != "" {
			return value
		}
	}
	return fallback
}

// home returns the path of a file in the user's home.
func (p Places) home(path string) string { return filepath.Join(p.Home, filepath.FromSlash(path)) }

// config returns the folder for configuration of programs that follow the XDG
// specification.
func (p Places) config() string { return p.env("XDG_CONFIG_HOME", p.home(".config")) }

// atHome reports whether permctl's own folders are where they are in a home.
func (p Places) atHome() bool {
	return p.config() == p.home(".config") && p.env("XDG_STATE_HOME", p.home(".local/state")) == p.home(".local/state")
}

// project returns the path of a file in the workspace, or nothing if there is no
// workspace.
func (p Places) project(path string) string {
	if p.Workspace == "" {
		return ""
	}
	return filepath.Join(p.Workspace, filepath.FromSlash(path))
}

// machine returns the path of a file for all users, by operating system.
func (p Places) machine(unix, darwin, windows string) string {
	path := unix
	switch p.OS {
	case "darwin":
		path = darwin
	case "windows":
		path = windows
	}
	if path == "" {
		return ""
	}
	if p.Root != "" {
		return filepath.Join(p.Root, filepath.FromSlash(strings.TrimPrefix(path, "C:")))
	}
	return filepath.FromSlash(path)
}
