package policytest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/permctl/permctl/internal/bundle"
)

// maxFile is the size of the largest file that is read.
const maxFile = 16 << 20

// Files are what is found under the paths to test.
type files struct {
	bundle.Bundle // the Rego tests, and the policies under test

	tables []string
	read   []string
}

// find looks through the paths. What is wrong with them is told in the report.
func (r *runner) find() *files {
	found := &files{Bundle: bundle.New()}
	for _, path := range r.options.paths() {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			r.broken(path, err)
		case info.IsDir():
			r.walk(found, path)
		case kindOf(path) == noFile:
			r.broken(path, errors.New("it is no test: tests are *_test.rego and *.txt files, and policies *.rego, data.json and data.yaml"))
		default:
			r.take(found, path, rootOf(filepath.Dir(path), path))
			r.beside(found, path)
		}
	}
	return found
}

// A fileKind says what a file is for.
type fileKind int

const (
	noFile fileKind = iota
	tableFile
	testFile
	policyFile
)

func kindOf(path string) fileKind {
	name := filepath.Base(path)
	switch {
	case strings.HasSuffix(name, ".txt"):
		return tableFile
	case strings.HasSuffix(name, "_test.rego"):
		return testFile
	case strings.HasSuffix(name, ".rego"), name == "data.json", name == "data.yaml", name == "data.yml":
		return policyFile
	default:
		return noFile
	}
}

// beside takes the policies and data that lie beside a file.
func (r *runner) beside(found *files, file string) {
	dir := filepath.Dir(file)
	entries, err := os.ReadDir(dir)
	if err != nil {
		r.broken(file, err)
		return
	}
	for _, entry := range entries {
		if kindOf(entry.Name()) == policyFile {
			r.take(found, filepath.Join(dir, entry.Name()), rootOf(dir, file))
		}
	}
}

// walk takes the files of a folder.
func (r *runner) walk(found *files, root string) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			r.broken(path, err)
		case d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") && d.Name() != ".permctl":
			return fs.SkipDir
		case !d.IsDir() && (kindOf(path) != tableFile || isTable(path)):
			r.take(found, path, rootOf(root, path))
		}
		return nil
	})
	if err != nil {
		r.broken(root, err)
	}
}

// aRow is a line that only a table has.
var aRow = regexp.MustCompile(`(?m)^(allow|ask|deny)[ \t]`)

// isTable reports whether a file that nobody named is a table, and no other
// text. What cannot be read is for take to tell of.
func isTable(path string) bool {
	text, err := readFile(path)
	return err != nil || aRow.Match(text)
}

// rootOf returns the folder that is the root of the data documents of a file
// found under root: the project's policy folder, if it is in one.
func rootOf(root, path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return root
	}
	own := filepath.Join(string(filepath.Separator), ".permctl", "policy") + string(filepath.Separator)
	i := strings.LastIndex(abs, own)
	if i < 0 {
		return root
	}
	policies := abs[:i+len(own)-1]
	if filepath.IsAbs(path) {
		return policies
	}
	up, err := filepath.Rel(filepath.Dir(abs), policies)
	if err != nil {
		return root
	}
	return filepath.Join(filepath.Dir(path), up)
}

// take takes one file, found under root, if it is of use and not yet taken.
func (r *runner) take(found *files, path, root string) {
	path = filepath.Clean(path)
	if kindOf(path) == noFile || slices.Contains(found.read, path) {
		return
	}
	found.read = append(found.read, path)
	if kindOf(path) == tableFile {
		found.tables = append(found.tables, path)
		return
	}
	text, err := readFile(path)
	if err != nil {
		r.broken(path, err)
		return
	}
	name, err := filepath.Rel(root, path)
	if err == nil {
		err = found.Add(root, filepath.ToSlash(name), text)
	}
	if err != nil {
		r.broken(path, err)
	}
}

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("it is larger than %d MiB", maxFile>>20)
	}
	return os.ReadFile(path)
}

// splitPosition returns the file and line of "file:line", or all of it as a
// file.
func splitPosition(position string) (file string, line int) {
	if i := strings.LastIndexByte(position, ':'); i >= 0 {
		if n, err := strconv.Atoi(position[i+1:]); err == nil {
			return position[:i], n
		}
	}
	return position, 0
}
