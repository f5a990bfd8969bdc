package settings_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/settings"
)

// newProject returns the root of a project with settings and two policies.
func newProject(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	write(t, root, ".permctl/settings.yaml", "permission: {bash: allow}\n")
	write(t, root, ".permctl/policy/git.rego", "package org.git\n")
	write(t, root, ".permctl/policy/data/hosts.json", "[]\n")
	write(t, root, ".permctl/notes.md", "not pinned\n")
	return root
}

func readProject(t *testing.T, root string) *settings.Project {
	t.Helper()
	project, err := settings.ReadProject(root)
	if err != nil {
		t.Fatal(err)
	}
	return project
}

// names are those of a project's files.
func names(files []settings.ProjectFile) string {
	var all []string
	for _, file := range files {
		all = append(all, file.Name)
	}
	return strings.Join(all, " ")
}

func TestReadProject(t *testing.T) {
	root := newProject(t)
	project := readProject(t, root)
	if got, want := names(project.Files), "policy/data/hosts.json policy/git.rego settings.yaml"; got != want {
		t.Errorf("files: %s, want %s", got, want)
	}
	if got, want := names(project.Policies()), "policy/data/hosts.json policy/git.rego"; got != want {
		t.Errorf("policies: %s, want %s", got, want)
	}

	// What is used is what was read, whatever is in the folder by now.
	write(t, root, ".permctl/settings.yaml", "permission: deny\n")
	file, err := project.Settings(options)
	if err != nil {
		t.Fatal(err)
	}
	rule := file.Rules[0]
	if want := filepath.Join(project.Root, ".permctl", "settings.yaml") + ":1"; rule.Action != "allow" || rule.Layer != "project" || rule.Source != want {
		t.Errorf("rule: %+v, want the one that was read, of %s", rule, want)
	}
}

func TestReadProjectWithout(t *testing.T) {
	for _, folder := range []string{"src", ".permctl", ".permctl/policy"} {
		root := t.TempDir()
		if err := os.MkdirAll(filepath.Join(root, folder), 0o700); err != nil {
			t.Fatal(err)
		}
		project := readProject(t, root)
		file, err := project.Settings(options)
		if len(project.Files) != 0 || err != nil || len(file.Rules) != 0 {
			t.Errorf("with %s alone: %+v, %+v, %v, want nothing", folder, project, file, err)
		}
		store := settings.TrustStore{Dir: filepath.Join(t.TempDir(), "trusted")}
		if status, _, err := store.Status(project); status != settings.Nothing || err != nil {
			t.Errorf("with %s alone: %s, %v, want nothing to trust", folder, status, err)
		}
		if err := store.Trust(project); err == nil || !strings.HasSuffix(err.Error(), "there is nothing to trust") {
			t.Errorf("trusting %s alone: %v", folder, err)
		}
	}
}

func TestReadProjectRefuses(t *testing.T) {
	for name, spoil := range map[string]func(dir string) error{
		"a linked folder": func(dir string) error {
			return errors.Join(os.Rename(dir, dir+".real"), os.Symlink(dir+".real", dir))
		},
		"linked settings": func(dir string) error {
			path := filepath.Join(dir, "settings.yaml")
			return errors.Join(os.Rename(path, path+".real"), os.Symlink(path+".real", path))
		},
		"linked policies": func(dir string) error {
			path := filepath.Join(dir, "policy")
			return errors.Join(os.Rename(path, path+".real"), os.Symlink(path+".real", path))
		},
		"a linked policy": func(dir string) error {
			return os.Symlink("/etc/passwd", filepath.Join(dir, "policy", "x.rego"))
		},
		"two settings files": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "settings.json"), []byte("{}"), 0o600)
		},
		"a file instead": func(dir string) error {
			return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600))
		},
		"too much": func(dir string) error {
			path := filepath.Join(dir, "policy", "data.json")
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 33<<20))
		},
	} {
		root := newProject(t)
		if err := spoil(filepath.Join(root, ".permctl")); err != nil {
			t.Fatal(err)
		}
		if project, err := settings.ReadProject(root); err == nil {
			t.Errorf("%s: read as %s", name, names(project.Files))
		} else if !strings.Contains(err.Error(), ".permctl") {
			t.Errorf("%s: %v, which names no path", name, err)
		}
	}
}

func TestTrust(t *testing.T) {
	root := newProject(t)
	store := settings.TrustStore{Dir: filepath.Join(t.TempDir(), "permctl", "trusted")}
	expect := func(want settings.TrustStatus, wantChanges ...string) {
		t.Helper()
		status, changes, err := store.Status(readProject(t, root))
		if status != want || err != nil || !cmp.Equal(wantChanges, changes) {
			t.Errorf("status: %s, %q, %v, want %s, %q", status, changes, err, want, wantChanges)
		}
	}
	trust := func() {
		t.Helper()
		if err := store.Trust(readProject(t, root)); err != nil {
			t.Fatal(err)
		}
	}

	expect(settings.Untrusted)
	trust()
	expect(settings.Trusted)

	// Only what is pinned counts, and all of it.
	write(t, root, ".permctl/notes.md", "changed\n")
	expect(settings.Trusted)
	write(t, root, ".permctl/settings.yaml", "permission: allow\n")
	write(t, root, ".permctl/policy/more.rego", "package org.more\n")
	if err := os.Remove(filepath.Join(root, ".permctl/policy/git.rego")); err != nil {
		t.Fatal(err)
	}
	expect(settings.Changed, "added policy/more.rego", "changed settings.yaml", "removed policy/git.rego")
	trust()
	expect(settings.Trusted)
	if err := os.Rename(filepath.Join(root, ".permctl/policy/more.rego"), filepath.Join(root, ".permctl/policy/less.rego")); err != nil {
		t.Fatal(err)
	}
	expect(settings.Changed, "added policy/less.rego", "removed policy/more.rego")

	if err := store.Revoke(root); err != nil {
		t.Fatal(err)
	}
	expect(settings.Untrusted)
	if err := store.Revoke(root); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("revoking twice: %v, want fs.ErrNotExist", err)
	}
}

// TestTrustFollowsRoot shows that trust is for the place, by whatever path it
// is reached, and that a copy of the project does not have it.
func TestTrustFollowsRoot(t *testing.T) {
	root := newProject(t)
	store := settings.TrustStore{Dir: t.TempDir()}
	if err := os.Chmod(store.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := store.Trust(readProject(t, root)); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	if status, _, err := store.Status(readProject(t, link)); status != settings.Trusted || err != nil {
		t.Errorf("through a link: %s, %v, want trusted", status, err)
	}
	if status, _, err := store.Status(readProject(t, newProject(t))); status != settings.Untrusted || err != nil {
		t.Errorf("a copy: %s, %v, want untrusted", status, err)
	}
}

func TestTrustStoreModes(t *testing.T) {
	root := newProject(t)
	store := settings.TrustStore{Dir: filepath.Join(t.TempDir(), "trusted")}
	if err := store.Trust(readProject(t, root)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fs.FileMode{store.Dir: fs.ModeDir | 0o700, recordOf(t, store, root): 0o600} {
		if info, err := os.Lstat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v, want mode %v", path, info.Mode(), err, want)
		}
	}
}

// TestRevokeBroken shows that what makes trust fail does not keep a person from
// taking it back.
func TestRevokeBroken(t *testing.T) {
	root := newProject(t)
	store := settings.TrustStore{Dir: filepath.Join(t.TempDir(), "trusted")}
	if err := store.Trust(readProject(t, root)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(recordOf(t, store, root), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := store.Revoke(root); err != nil {
		t.Error(err)
	}
	if status, _, err := store.Status(readProject(t, root)); status != settings.Untrusted || err != nil {
		t.Errorf("after the revocation: %s, %v, want untrusted", status, err)
	}
}

// recordOf returns the store's file for the project at root, whose name is a
// contract.
func recordOf(t *testing.T, store settings.TrustStore, root string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(real))
	return filepath.Join(store.Dir, hex.EncodeToString(sum[:]))
}

// TestTrustStoreRefuses shows that a store which somebody else could have
// written makes nothing trusted.
func TestTrustStoreRefuses(t *testing.T) {
	for name, spoil := range map[string]func(dir, record string) error{
		"a linked store": func(dir, _ string) error {
			return errors.Join(os.Rename(dir, dir+".real"), os.Symlink(dir+".real", dir))
		},
		"a linked record": func(_, record string) error {
			return errors.Join(os.Rename(record, record+".real"), os.Symlink(record+".real", record))
		},
		"a store that others may write": func(dir, _ string) error { return os.Chmod(dir, 0o777) },
		"a record that others may write": func(_, record string) error {
			return os.Chmod(record, 0o666)
		},
		"a folder as record": func(_, record string) error {
			return errors.Join(os.Remove(record), os.Mkdir(record, 0o700))
		},
		"a broken record": func(_, record string) error { return os.WriteFile(record, []byte("{"), 0o600) },
		"the record of another project": func(_, record string) error {
			text, err := os.ReadFile(record)
			text = []byte(strings.Replace(string(text), `"root": "/`, `"root": "/other/`, 1))
			return errors.Join(err, os.WriteFile(record, text, 0o600))
		},
	} {
		root := newProject(t)
		store := settings.TrustStore{Dir: filepath.Join(t.TempDir(), "trusted")}
		if err := store.Trust(readProject(t, root)); err != nil {
			t.Fatal(err)
		}
		if err := spoil(store.Dir, recordOf(t, store, root)); err != nil {
			t.Fatal(err)
		}
		if status, _, err := store.Status(readProject(t, root)); status != settings.Untrusted || err == nil {
			t.Errorf("%s: %s, %v, want untrusted and an error", name, status, err)
		}
	}
}

// BenchmarkReadProject reads a project and looks its trust up, as every call
// does.
func BenchmarkReadProject(b *testing.B) {
	root := b.TempDir()
	for name, text := range map[string]string{"settings.yaml": "permission: {bash: allow}\n", "policy/git.rego": "package org.git\n"} {
		path := filepath.Join(root, ".permctl", name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			b.Fatal(err)
		}
	}
	store := settings.TrustStore{Dir: filepath.Join(b.TempDir(), "trusted")}
	project, err := settings.ReadProject(root)
	if err := errors.Join(err, store.Trust(project)); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		project, err := settings.ReadProject(root)
		if err != nil {
			b.Fatal(err)
		}
		if status, _, err := store.Status(project); status != settings.Trusted || err != nil {
			b.Fatal(status, err)
		}
	}
}
