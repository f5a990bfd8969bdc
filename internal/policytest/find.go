package policytest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/open-policy-agent/opa/v1/util"
)

// maxFile is the size of the largest file that is read.
const maxFile = 16 << 20

// Files are what is found under the paths to test.
type files struct {
	tests   map[string]string // texts of Rego tests, by file
	modules map[string]string // texts of policies
	data    map[string]any
	tables  []string
}

// find looks through the paths. What is wrong with them is told in the report.
func (r *runner) find() files {
	found := files{tests: map[string]string{}, modules: map[string]string{}, data: map[string]any{}}
	for _, path := range r.options.paths() {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			r.broken(path, 0, fmt.Errorf("no such file or folder: %w", err))
		case info.IsDir():
			r.walk(&found, path)
		case !found.take(r, path, filepath.Dir(path)):
			r.broken(path, 0, fmt.Errorf("%s is no test: tests are *_test.rego and *.txt files, and policies *.rego, data.json and data.yaml", path))
		}
	}
	slices.Sort(found.tables)
	found.tables = slices.Compact(found.tables)
	return found
}

// walk takes the files of a folder.
func (r *runner) walk(found *files, root string) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			r.broken(path, 0, err)
			return nil
		case d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") && d.Name() != ".permctl":
			return fs.SkipDir
		case !d.IsDir():
			found.take(r, path, root)
		}
		return nil
	})
	if err != nil {
		r.broken(root, 0, err)
	}
}

// take adds one file, found under root, and reports whether it is of a kind
// that tests are made of.
func (f *files) take(r *runner, path, root string) bool {
	path = filepath.ToSlash(filepath.Clean(path))
	name := filepath.Base(path)
	switch {
	case strings.HasSuffix(name, ".txt"):
		f.tables = append(f.tables, path)
	case strings.HasSuffix(name, ".rego"):
		text, err := readFile(path)
		switch {
		case err != nil:
			r.broken(path, 0, err)
		case strings.HasSuffix(name, "_test.rego"):
			f.tests[path] = string(text)
		default:
			f.modules[path] = string(text)
		}
	case name == "data.json" || name == "data.yaml" || name == "data.yml":
		if err := f.takeData(path, root); err != nil {
			r.broken(path, 0, err)
		}
	default:
		return false
	}
	return true
}

// takeData puts a data file where its folder lies below root, as in a bundle.
func (f *files) takeData(path, root string) error {
	text, err := readFile(path)
	if err != nil {
		return err
	}
	var value map[string]any
	if err := util.Unmarshal(text, &value); err != nil {
		return fmt.Errorf("data must be an object: %w", err)
	}
	folder, err := filepath.Rel(root, filepath.Dir(path))
	if err != nil {
		return err
	}
	at := f.data
	if folder != "." {
		for _, name := range strings.Split(filepath.ToSlash(folder), "/") {
			inner, ok := at[name].(map[string]any)
			if !ok {
				inner = map[string]any{}
				at[name] = inner
			}
			at = inner
		}
	}
	for name, v := range value {
		if _, ok := at[name]; ok {
			return fmt.Errorf("%q is in another data file too", name)
		}
		at[name] = v
	}
	return nil
}

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s is larger than %d MiB", path, maxFile>>20)
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
