// Package settings reads settings files and flags into layers of rules, each
// rule with its file and line.
//
// It also knows where settings are, and whether a person has trusted those of
// a project. It decides nothing: what an untrusted project's rules may still
// do is the policy's to say.
package settings

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/permission"
)

// maxSize is the size of the largest settings file that is read.
const maxSize = 1 << 20

// A File is what a settings file says. The zero value is an empty file's.
type File struct {
	// Path is the file's, as it was given.
	Path string

	// Preset is the file's permissionPreset, or empty if it has none, and
	// PresetSource its file and line.
	Preset       string
	PresetSource string

	// Rules are the file's permission, in the order in which they are written.
	Rules []permission.Rule

	// Agents are what the file says of single agents, by their names.
	Agents map[string]Agent

	// ApprovalsBeatDeny is true if an approval may satisfy an explicit deny:
	// "approvals: {beat: deny}", in global settings only.
	ApprovalsBeatDeny bool

	// Arity is how many words make a command's name, by the words that it
	// begins with, joined by one space.
	Arity map[string]int

	// Commands are what the file says of programs, by their names.
	Commands map[string]bash.Row

	// PlanFiles are patterns of the files that may be written in plan mode.
	PlanFiles []string

	// Warnings are what is not wrong but hardly meant, each a sentence that
	// begins with file and line.
	Warnings []string
}

// An Agent is what settings say of one agent.
type Agent struct {
	Rules []permission.Rule

	// ReadOnly is true if the agent must not write, whatever its rules.
	ReadOnly bool
}

// Options are what reading settings depends on beside their text.
type Options struct {
	// Home is the home directory that ~ and $HOME stand for. If empty, a
	// pattern that begins with one of them is an error.
	Home string

	// Presets are the names of the presets that there are.
	Presets []string

	// PermissionOf returns the permission that calls of a tool need. If nil,
	// it is the tool's own name for every tool.
	PermissionOf func(tool string) string

	// Project is true for a project's settings, whose rules are of the
	// project's layer, and which may not hold what only a user may say.
	Project bool
}

// Read is [Parse] for the file at path. If there is none, the error is an
// [fs.ErrNotExist].
func Read(path string, o Options) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Parse(file, path, o)
}

// Parse reads settings from r: JSON if path ends in .json, else YAML. The path
// is what messages and the rules' sources name. An empty text is empty
// settings. The error joins one for each thing that is wrong, each with file
// and line; there is no file with an error.
func Parse(r io.Reader, path string, o Options) (*File, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxSize {
		return nil, fmt.Errorf("%s: larger than %d MiB: settings are never that long", path, maxSize>>20)
	}
	file := &File{Path: path}
	if len(bytes.TrimSpace(text)) == 0 {
		return file, nil
	}
	read := readYAML
	if filepath.Ext(path) == ".json" {
		read = readJSON
	}
	root, err := read(text, path)
	switch {
	case err != nil:
		return nil, err
	case root == nil:
		return file, nil
	}
	d := decoder{file: file, options: o}
	d.check(root, 0)
	if len(d.errs) == 0 {
		d.settings(root)
	}
	return d.done()
}
