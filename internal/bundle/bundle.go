// Package bundle reads policy from where it is kept: a folder of Rego modules
// and data.
//
// It reads and does not judge: whether the policy compiles is for the engine
// to say.
package bundle

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/open-policy-agent/opa/v1/util"
)

// The sizes in bytes of the largest files that are read. Rego is compiled
// before a call is decided, and that takes its time.
const (
	maxModule = 1 << 20
	maxData   = 16 << 20
)

// A Bundle is policy as it lies in a folder.
type Bundle struct {
	// Modules are the texts of the Rego modules by their paths, tests left
	// out, and Tests those of the tests, whose names end in _test.rego.
	Modules map[string]string
	Tests   map[string]string

	// Data is what the data.json and data.yaml files hold, each at the path of
	// its folder.
	Data map[string]any
}

// Read returns the bundle in fsys. The modules' paths begin with prefix, so
// that messages name files as the user knows them. A file that is too large, or
// data that is no object or meets other data, is an error that names the file.
func Read(fsys fs.FS, prefix string) (Bundle, error) {
	b := New()
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		shown := filepath.Join(prefix, filepath.FromSlash(name))
		switch {
		case err != nil:
			return err
		case entry.Type()&fs.ModeSymlink != 0 && leadsToFolder(fsys, name):
			return fmt.Errorf("%s: is a link to a folder, which is not followed: name that folder itself", shown)
		case entry.IsDir() || !belongs(strings.ToLower(name)):
			return nil
		}
		info, err := fs.Stat(fsys, name)
		if err != nil {
			return err
		}
		if err := checkSize(shown, info.Size()); err != nil {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		return b.Add(prefix, name, text)
	})
	return b, err
}

// New returns an empty bundle.
func New() Bundle {
	return Bundle{Modules: map[string]string{}, Tests: map[string]string{}, Data: map[string]any{}}
}

// Add adds the file called name, a path with slashes relative to the bundle's
// root. Files that are neither modules nor data are left out.
func (b Bundle) Add(prefix, name string, text []byte) error {
	shown := filepath.Join(prefix, filepath.FromSlash(name))
	if err := checkSize(shown, int64(len(text))); err != nil {
		return err
	}
	switch {
	case !belongs(name) && belongs(strings.ToLower(name)):
		return fmt.Errorf("%s: is not read, for its name is not in lower case", shown)
	case strings.HasSuffix(name, "_test.rego"):
		b.Tests[shown] = string(text)
	case strings.HasSuffix(name, ".rego"):
		b.Modules[shown] = string(text)
	case belongs(name):
		var value map[string]any
		if err := util.Unmarshal(text, &value); err != nil {
			return fmt.Errorf("%s: %w", shown, err)
		}
		if err := merge(b.Data, folders(name), value); err != nil {
			return fmt.Errorf("%s: %w", shown, err)
		}
	}
	return nil
}

func leadsToFolder(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && info.IsDir()
}

func checkSize(name string, size int64) error {
	limit := int64(maxData)
	if strings.HasSuffix(name, ".rego") {
		limit = maxModule
	}
	if size > limit {
		return fmt.Errorf("%s: is larger than %d MiB", name, limit>>20)
	}
	return nil
}

// belongs reports whether a file is a module or data.
func belongs(name string) bool {
	base := path.Base(name)
	return strings.HasSuffix(base, ".rego") || base == "data.json" || base == "data.yaml" || base == "data.yml"
}

func folders(name string) []string {
	dir := path.Dir(name)
	if dir == "." {
		return nil
	}
	return strings.Split(dir, "/")
}

// merge puts value into data at the path, and refuses to replace anything.
func merge(data map[string]any, at []string, value map[string]any) error {
	for _, name := range at {
		inner, ok := data[name].(map[string]any)
		if !ok {
			if _, taken := data[name]; taken {
				return fmt.Errorf("%q is there already, and holds no object", name)
			}
			inner = map[string]any{}
			data[name] = inner
		}
		data = inner
	}
	for name, v := range value {
		old, taken := data[name]
		if !taken {
			data[name] = v
			continue
		}
		oldObject, ok := old.(map[string]any)
		object, ok2 := v.(map[string]any)
		if !ok || !ok2 {
			return fmt.Errorf("%q is there already", name)
		}
		if err := merge(oldObject, nil, object); err != nil {
			return err
		}
	}
	return nil
}
