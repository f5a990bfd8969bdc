package doctor

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/permctl/permctl/internal/jsonc"
	"github.com/permctl/permctl/internal/regular"
)

// maxFile is the size in bytes of the longest file that is read.
const maxFile = 16 << 20

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// exists reports whether something is at a path, or may be.
func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// json returns what is in a file of JSON. No file is no value; one that cannot be
// read is a finding.
func (p *patient) json(path string) jsonc.Value {
	if path == "" {
		return jsonc.Value{}
	}
	text, _, err := regular.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return jsonc.Value{}
	}
	var v jsonc.Value
	if err == nil {
		v, err = jsonc.Parse(text)
	}
	if err != nil {
		p.unreadable(path, err)
	}
	return v
}

// What an error says first of where something is wrong: in which file, and on which
// line if that can be told, or the latter alone.
var (
	inFile = regexp.MustCompile(`(?s)^(.+?)(?::(\d+)(?::\d+)?)?: (.*)$`)
	onLine = regexp.MustCompile(`(?s)^()line (\d+)(?:, column \d+)?: (.*)$`)
)

// unreadable notes a file of settings that permctl cannot read, once. If path is
// empty, it is in the error.
func (p *patient) unreadable(path string, err error) {
	found, text := Finding{Severity: Problem, Hint: "put the file right"}, err.Error()
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		path, text = failed.Path, failed.Err.Error()
	}
	pattern := onLine
	if path == "" {
		pattern = inFile
	}
	if parts := pattern.FindStringSubmatch(text); parts != nil {
		path, text = cmp.Or(parts[1], path), parts[3]
		found.Line, _ = strconv.Atoi(parts[2]) // digits, and no line if there are too many
	}
	found.File, found.Text = path, "cannot be read, and what the agent makes of it nobody knows: "+text
	if !slices.ContainsFunc(p.Findings, func(f Finding) bool { return f.File == path && strings.HasPrefix(f.Text, "cannot be read") }) {
		p.find(found)
	}
}

// at notes a finding about a value in a file.
func (p *patient) at(path string, v jsonc.Value, s Severity, text, hint string) {
	p.find(Finding{Severity: s, Text: text, File: path, Line: v.Line(), Hint: hint})
}

// machine returns the path of a file for all users, by operating system.
func (p *patient) machine(unix, darwin, windows string) string {
	path := unix
	switch p.m.Places.OS {
	case "darwin":
		path = darwin
	case "windows":
		path = windows
	}
	switch {
	case path == "":
		return ""
	case p.m.Places.Root != "":
		return filepath.Join(p.m.Places.Root, filepath.FromSlash(strings.TrimPrefix(path, "C:")))
	}
	return filepath.FromSlash(path)
}

// home returns the path of a file in the user's home.
func (p *patient) home(path string) string {
	return filepath.Join(p.m.Places.Home, filepath.FromSlash(path))
}

// folder returns the folder that a variable names, or one in the user's home.
func (p *patient) folder(variable, path string) string {
	if value := getenv(p.m.Places, variable); value != "" {
		return value
	}
	return p.home(path)
}

// setting returns whether an environment variable is set to what counts as yes.
func (p *patient) setting(name string) bool {
	switch strings.ToLower(getenv(p.m.Places, name)) {
	case "1", "true", "yes", "on":
		return true
	}
	return false
}
