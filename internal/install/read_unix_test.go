//go:build unix

package install

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// endless are what can be where a file is looked for, and would be read for ever, with
// what is said of it.
var endless = map[string]struct {
	make func(path string) error
	want string
}{
	"a link to a device": {func(path string) error { return os.Symlink("/dev/zero", path) }, "is no regular file, but a link to /dev/zero, a device"},
	"a pipe":             {func(path string) error { return syscall.Mkfifo(path, 0o600) }, "is no regular file, but a named pipe"},
	"a link to a pipe": {func(path string) error {
		return errors.Join(syscall.Mkfifo(path+".pipe", 0o600), os.Symlink(path+".pipe", path))
	}, "a named pipe"},
	"a folder": {func(path string) error { return os.Mkdir(path, 0o700) }, "is no regular file, but a folder"},
	"a file that is too big": {func(path string) error {
		return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, limit+1))
	}, "is bigger than 16 MiB"},
}

// soon calls do, and fails if it does not come back.
func soon(t *testing.T, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { do(); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s does not come back", what)
	}
}

// somewhere returns places of which none is anybody's.
func somewhere(t *testing.T) Places {
	t.Helper()
	dir := t.TempDir()
	p := Places{Home: dir + "/home", State: dir + "/state", Workspace: dir + "/work", Root: dir + "/root", OS: "linux"}
	for _, dir := range []string{p.Home, p.Workspace, p.Root} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// TestNoRegularFile: whatever is where a file of any agent's is looked for, that is
// said, and nothing waits for it or reads on without an end.
func TestNoRegularFile(t *testing.T) {
	for name, tt := range endless {
		for _, a := range Agents {
			for i := range a.files(somewhere(t)) {
				p := somewhere(t)
				f := a.files(p)[i]
				path := strings.ReplaceAll(f.path, "*", "any")
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), tt.make(path)); err != nil {
					t.Fatal(err)
				}
				soon(t, name+" for "+path, func() {
					if _, err := Entries(a, p); err == nil || !strings.Contains(err.Error(), path+": ") || !strings.Contains(err.Error(), tt.want) || !hinted(err) {
						t.Errorf("%s for %s: %v, want %q and a hint", name, path, err, tt.want)
					}
					_, err := Install(a, f.scope, p, "/opt/bin/permctl")
					_, unErr := Uninstall(a, f.scope, p)
					if f.readOnly || f.last {
						return
					}
					for _, err := range []error{err, unErr} {
						if err == nil && f.unless == "" || err != nil && (!strings.Contains(err.Error(), tt.want) || !hinted(err)) {
							t.Errorf("%s for %s: %v, want %q and a hint", name, path, err, tt.want)
						}
					}
				})
			}
		}
	}
}

func hinted(err error) bool {
	var hinted interface{ Hint() string }
	return errors.As(err, &hinted) && hinted.Hint() != ""
}

// TestNoRegularRecord: the same for what permctl has written itself.
func TestNoRegularRecord(t *testing.T) {
	for name, tt := range endless {
		for _, part := range []func(store, string) string{
			func(s store, path string) string { name, _ := s.paths(path); return name },
			func(s store, path string) string { _, before := s.paths(path); return before },
			func(s store, _ string) string { return filepath.Join(s.dir, "lock") },
		} {
			p, claude := somewhere(t), Agents[0]
			path := filepath.Join(p.Home, ".claude", "settings.json")
			if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("{}"), 0o600)); err != nil {
				t.Fatal(err)
			}
			wanted := func() (*Plan, error) { return Install(claude, User, p, "/opt/bin/permctl") }
			if _, err := Run(wanted); err != nil {
				t.Fatal(err)
			}
			installed, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			kept := part(p.store(User), path)
			if name == "a file that is too big" && filepath.Base(kept) == "lock" {
				continue // nobody reads that
			}
			if err := errors.Join(os.Remove(kept), tt.make(kept)); err != nil {
				t.Fatal(err)
			}
			soon(t, name+" for "+kept, func() {
				_, err := Run(func() (*Plan, error) { return Uninstall(claude, User, p) })
				text, readErr := os.ReadFile(path)
				if err == nil || !strings.Contains(err.Error(), kept+": ") || !hinted(err) || readErr != nil || !bytes.Equal(text, installed) {
					t.Errorf("%s for %s: %v, want a hint; the file is %s, %v", name, kept, err, text, readErr)
				}
			})
		}
	}
}

// TestBusy: a permctl that does not end is not waited for.
func TestBusy(t *testing.T) {
	s := somewhere(t).store(User)
	unlock, err := s.lock(patience)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.lock(50 * time.Millisecond); err == nil || !strings.Contains(err.Error(), "another permctl") || !hinted(err) {
		t.Errorf("%v, want that there is another permctl", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if unlock, err = s.lock(patience); err == nil {
		err = unlock()
	}
	if err != nil {
		t.Error(err)
	}
}

// TestRemoveFolder: what is no folder is not removed, whatever it is by then.
func TestRemoveFolder(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Symlink(t.TempDir(), link)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, link} {
		if err := removeFolder(path); err == nil {
			t.Errorf("%s is removed", path)
		}
	}
}

// TestNoFolder: the same for a folder in which files are looked for.
func TestNoFolder(t *testing.T) {
	for name, tt := range endless {
		if name == "a folder" {
			continue
		}
		for _, a := range Agents {
			for i := range a.files(somewhere(t)) {
				p := somewhere(t)
				f := a.files(p)[i]
				folder := filepath.Dir(f.path)
				if strings.Contains(folder, "*") || folder == p.Root+"/etc" {
					continue
				}
				if err := errors.Join(os.MkdirAll(filepath.Dir(folder), 0o700), tt.make(folder)); err != nil {
					t.Fatal(err)
				}
				soon(t, name+" for "+folder, func() {
					_, entriesErr := Entries(a, p)
					_, err := Run(func() (*Plan, error) { return Install(a, f.scope, p, "/opt/bin/permctl") })
					_, unErr := Run(func() (*Plan, error) { return Uninstall(a, f.scope, p) })
					if !f.readOnly && !f.each && (entriesErr == nil || err == nil || unErr == nil) {
						t.Errorf("%s for %s: %v, %v, %v, want errors", name, folder, entriesErr, err, unErr)
					}
				})
			}
		}
	}
}
