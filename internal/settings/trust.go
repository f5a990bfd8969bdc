package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/permctl/permctl/internal/private"
)

// A TrustStatus says whether a project's own settings and policies count in
// full. Only with [Trusted] do they.
type TrustStatus string

// The trusts of projects.
const (
	Trusted   TrustStatus = "trusted"   // by a person, and not changed since
	Changed   TrustStatus = "changed"   // trusted once, but the files are others now
	Untrusted TrustStatus = "untrusted" // never trusted, or not any more
	Nothing   TrustStatus = "nothing"   // there are no settings to trust
)

// A TrustStore knows the projects that a person has trusted. It is a folder
// with a file a project. Nothing but permctl trust should write there: whoever
// does can make any project trusted.
type TrustStore struct {
	// Dir is the folder, which need not exist: "trusted" in [Dirs].State.
	Dir string
}

// A Pin is the content of one file that a project is trusted with.
type Pin struct {
	Name string `json:"name"` // as in [ProjectFile]
	Sum  string `json:"sha256"`
}

// A trustRecord is a trusted project, as the store's files hold it.
type trustRecord struct {
	Root string `json:"root"`
	Pins []Pin  `json:"files"`
}

// Status returns whether p is trusted as it is. If it is [Changed], the
// changes name the files that differ and how: "changed settings.yaml". With an
// error, it is [Untrusted].
func (s TrustStore) Status(p *Project) (status TrustStatus, changes []string, err error) {
	if len(p.Files) == 0 {
		return Nothing, nil, nil
	}
	record, err := s.load(p.Root)
	pins := p.Pins()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Untrusted, nil, nil
	case err != nil:
		return Untrusted, nil, err
	case slices.Equal(record.Pins, pins):
		return Trusted, nil, nil
	default:
		return Changed, differences(record.Pins, pins), nil
	}
}

// Trust makes p, as it is, trusted. A project without files is an error.
func (s TrustStore) Trust(p *Project) error {
	if len(p.Files) == 0 {
		return fmt.Errorf("%s has no settings or policies: there is nothing to trust", filepath.Join(p.Root, projectDir))
	}
	if err := private.MakeDir(s.Dir); err != nil {
		return err
	}
	text, err := json.MarshalIndent(trustRecord{Root: p.Root, Pins: p.Pins()}, "", "  ")
	if err != nil {
		return err
	}
	return private.Replace(s.path(p.Root), append(text, '\n'))
}

// Revoke makes the project at root untrusted. If it was not trusted before,
// the error is an [fs.ErrNotExist].
func (s TrustStore) Revoke(root string) error {
	root, err := realPath(root)
	if err != nil {
		return err
	}
	err = private.Check(s.Dir, fs.ModeDir)
	if err == nil {
		err = os.Remove(s.path(root))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is not trusted: %w", root, fs.ErrNotExist)
	}
	return err
}

// Pins returns what trusting p would pin.
func (p *Project) Pins() []Pin {
	pins := make([]Pin, len(p.Files))
	for i, file := range p.Files {
		pins[i] = Pin{Name: file.Name, Sum: file.Sum}
	}
	return pins
}

// path returns the store's file for the project with the real path root.
func (s TrustStore) path(root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(s.Dir, hex.EncodeToString(sum[:]))
}

// load returns the record of the project with the real path root.
func (s TrustStore) load(root string) (record trustRecord, err error) {
	path := s.path(root)
	if err := private.Check(s.Dir, fs.ModeDir); err != nil {
		return record, err
	}
	if err := private.Check(path, 0); err != nil {
		return record, err
	}
	text, err := readAtMost(path, maxProjectSize)
	if err != nil {
		return record, err
	}
	if err := json.Unmarshal(text, &record); err != nil {
		return trustRecord{}, fmt.Errorf("%s: %w", path, err)
	}
	if record.Root != root {
		return trustRecord{}, fmt.Errorf("%s: is for %s, not for %s", path, record.Root, root)
	}
	return record, nil
}

// differences names the files that are not the same in both lists.
func differences(before, now []Pin) []string {
	var changes []string
	sums := make(map[string]string, len(before))
	for _, pin := range before {
		sums[pin.Name] = pin.Sum
	}
	for _, pin := range now {
		switch sum, ok := sums[pin.Name]; {
		case !ok:
			changes = append(changes, "added "+pin.Name)
		case sum != pin.Sum:
			changes = append(changes, "changed "+pin.Name)
		}
		delete(sums, pin.Name)
	}
	for name := range sums {
		changes = append(changes, "removed "+name)
	}
	slices.Sort(changes)
	return changes
}
