package install

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/jsonc"
	"github.com/permctl/permctl/internal/private"
)

// A record is what is known of a file that permctl has put a hook into: enough to
// make it what it was.
type record struct {
	Path  string `json:"path"`
	Agent string `json:"agent"`
	Scope Scope  `json:"scope"`

	// Existed is whether there was a file, and Before the hash of what was in
	// it, which lies beside the record. After is the hash of what permctl left.
	Existed bool   `json:"existed"`
	Before  string `json:"before"`
	After   string `json:"after"`

	// Members are the members that permctl made in the file's object, as
	// "hooks" and "hooks.PreToolUse", and Folders the folders that it made for
	// the file, each behind what it is in.
	Members []string `json:"members"`
	Folders []string `json:"folders"`

	before []byte // nil if there was no file
}

// A store is the folder in which the records are.
type store struct{ dir string }

// store returns where the records of a scope are. Those of the machine are not in
// anybody's home, for another user may be the one who takes the hook out.
func (p Places) store(scope Scope) store {
	state := p.State
	if scope == Managed {
		state = p.machine("/var/lib/permctl", "/Library/Application Support/permctl", "C:/ProgramData/permctl")
	}
	return store{filepath.Join(state, "installed")}
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// paths returns the files of the record of the file at path, and of what was in
// it.
func (s store) paths(path string) (record, before string) {
	name := filepath.Join(s.dir, hash([]byte(path))[:16])
	return name + ".json", name + ".before"
}

// load returns the record of the file at path, or nil if there is none. One of which
// the text is damaged counts for none. One that cannot be read is an error.
func (s store) load(path string) (*record, error) {
	name, before := s.paths(path)
	text, _, err := contents(name, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, denied(err)
	}
	var r record
	sound := json.Unmarshal(text, &r) == nil && r.Path == path
	if sound && r.Existed {
		r.before, _, err = contents(before, before)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, denied(err)
		}
		sound = err == nil && hash(r.before) == r.Before
	}
	if !sound {
		return nil, nil
	}
	return &r, nil
}

// save saves a record. It is on the disk when it returns.
func (s store) save(r *record) error {
	if err := private.MakeDir(s.dir); err != nil {
		return denied(err)
	}
	name, before := s.paths(r.Path)
	if r.Existed {
		if err := private.Replace(before, r.before); err != nil {
			return denied(err)
		}
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return denied(private.Replace(name, append(text, '\n')))
}

// forget removes the record of the file at path.
func (s store) forget(path string) error {
	name, before := s.paths(path)
	for _, gone := range []string{name, before} {
		if err := os.Remove(gone); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return denied(err)
		}
	}
	return nil
}

// added returns the members that the text after has and the text before does not,
// of the object and of its hooks, each behind what it is in.
func added(before, after []byte) []string {
	was, _ := jsonc.Parse(before) // what does not parse has none
	is, err := jsonc.Parse(after)
	if err != nil {
		return nil
	}
	var found []string
	for name := range is.Members() {
		if was.Member(name.Text()).Kind() == jsonc.None {
			found = append(found, name.Text())
		}
	}
	for event := range is.Member("hooks").Members() {
		if was.Member("hooks", event.Text()).Kind() == jsonc.None {
			found = append(found, hooksPrefix+event.Text())
		}
	}
	return found
}

const hooksPrefix = "hooks."

// prune returns a text without the members in names that nobody has put anything
// into since, or nil if nothing is left of it.
func prune(text []byte, names []string) ([]byte, error) {
	for _, name := range slices.Backward(names) {
		var err error
		text, err = edit(text, func(root jsonc.Value) ([]byte, error) {
			if event, inHooks := strings.CutPrefix(name, hooksPrefix); inHooks {
				return dropped(root.Member("hooks"), event, text)
			}
			return dropped(root, name, text)
		})
		if err != nil {
			return nil, err
		}
	}
	return text, nil
}

// dropped returns a text without the member of object, if that is empty or is a
// plain value and the object has no hooks.
func dropped(object jsonc.Value, name string, text []byte) ([]byte, error) {
	switch member := object.Member(name); member.Kind() {
	case jsonc.None:
		return text, nil
	case jsonc.Object, jsonc.Array:
		if !empty(member) {
			return text, nil
		}
	default:
		if object.Member("hooks").Kind() != jsonc.None {
			return text, nil
		}
	}
	return object.RemoveMember(name)
}

// empty reports whether there is nothing in an object or a list.
func empty(v jsonc.Value) bool {
	for range v.Members() {
		return false
	}
	for range v.Elements() {
		return false
	}
	return true
}

// backup returns where the file at path is kept as it was.
func (s store) backup(path string) string {
	_, before := s.paths(path)
	return before
}
