package settings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Limits of what a project's folder may hold, so that a strange project costs
// a message and not the memory.
const (
	maxProjectSize  = 32 << 20
	maxProjectFiles = 10_000
)

// projectDir is the folder of a project's settings and policies in its root,
// and policyDir that of the policies in it.
const (
	projectDir = ".permctl"
	policyDir  = "policy"
)

// A Project is what a project's .permctl folder held at one moment: the very
// bytes that its trust speaks of, and that are to be used.
type Project struct {
	// Root is the real path of the project's root.
	Root string

	// Files are the settings file, if there is one, and every file below
	// policy/, by their names. It is empty for a project without settings.
	Files []ProjectFile

	settings string // name of the settings file, or empty
}

// A ProjectFile is a file of a project's .permctl folder.
type ProjectFile struct {
	Name string // relative to the folder, with slashes: "policy/git.rego"
	Sum  string // SHA-256 of Data, in hexadecimal
	Data []byte
}

// ReadProject reads the .permctl folder of the project at root, which may have
// none. What is neither a file nor a folder there, symbolic links foremost, is
// an error, and so is more than one settings file.
func ReadProject(root string) (*Project, error) {
	root, err := realPath(root)
	if err != nil {
		return nil, err
	}
	project := &Project{Root: root}
	dir := filepath.Join(root, projectDir)
	switch info, err := os.Lstat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return project, nil
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, irregular(dir)
	}
	switch path, err := Find(dir); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		project.settings = filepath.Base(path)
	}
	if err := project.read(dir); err != nil {
		return nil, err
	}
	return project, nil
}

// realPath returns the absolute path of path without symbolic links.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// read reads the files of the folder dir.
func (p *Project) read(dir string) error {
	left := int64(maxProjectSize)
	walk := func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && path == filepath.Join(dir, policyDir):
			return nil // no policies
		case err != nil || entry.IsDir():
			return err
		case !entry.Type().IsRegular():
			return irregular(path)
		case len(p.Files) == maxProjectFiles:
			return fmt.Errorf("%s: more than %d files", dir, maxProjectFiles)
		}
		data, err := readAtMost(path, left)
		if err != nil {
			return err
		}
		left -= int64(len(data))
		if left < 0 {
			return fmt.Errorf("%s: larger than %d MiB in all", dir, maxProjectSize>>20)
		}
		name, err := filepath.Rel(dir, path)
		sum := sha256.Sum256(data)
		p.Files = append(p.Files, ProjectFile{Name: filepath.ToSlash(name), Sum: hex.EncodeToString(sum[:]), Data: data})
		return err
	}
	if p.settings != "" {
		if err := filepath.WalkDir(filepath.Join(dir, p.settings), walk); err != nil {
			return err
		}
	}
	if err := filepath.WalkDir(filepath.Join(dir, policyDir), walk); err != nil {
		return err
	}
	slices.SortFunc(p.Files, func(a, b ProjectFile) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// readAtMost returns the first limit bytes of the file at path, and one more
// if it has more.
func readAtMost(path string, limit int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, limit+1))
}

func irregular(path string) error {
	return fmt.Errorf("%s: neither a file nor a folder: a project's settings may hold no symbolic links", path)
}

// Settings parses the project's settings, as o says but for a project. A
// project without a settings file has empty ones.
func (p *Project) Settings(o Options) (*File, error) {
	o.Project = true
	for _, file := range p.Files {
		if file.Name == p.settings {
			path := filepath.Join(p.Root, projectDir, file.Name)
			return Parse(bytes.NewReader(file.Data), path, o)
		}
	}
	return &File{}, nil
}

// Policies returns the files below policy/.
func (p *Project) Policies() []ProjectFile {
	return slices.DeleteFunc(slices.Clone(p.Files), func(f ProjectFile) bool { return f.Name == p.settings })
}
