package install_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/install"
)

// move moves what is at a path of the machine elsewhere, and has a link lead to it.
func (m machine) move(from, to string) {
	m.Helper()
	from, to = filepath.Join(m.dir, from), filepath.Join(m.dir, to)
	if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.Rename(from, to)); err != nil {
		m.Fatal(err)
	}
	if err := os.Symlink(to, from); err != nil {
		m.Skip(err) // not everybody may, on Windows
	}
}

// isLink fails unless there is still a link.
func (m machine) isLink(path string) {
	m.Helper()
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		m.Errorf("the link %s is gone: %v", path, err)
	}
}

// TestFileMovedSince: a file that is moved after the installation, with a link to where
// it is now, loses its hook there, and the link stays.
func TestFileMovedSince(t *testing.T) {
	everyScope(t, func(t *testing.T, a *install.Agent, scope install.Scope) {
		for _, twice := range []bool{false, true} {
			m := newMachine(t)
			var moved []string
			for i, change := range m.install(a, scope).Changes {
				rel, err := filepath.Rel(m.dir, change.Path)
				if err != nil {
					t.Fatal(err)
				}
				to := filepath.Join("elsewhere", string(rune('a'+i)))
				if scope == install.Project {
					to = filepath.Join("work", to) // outside of it, it is refused
				}
				m.move(rel, to)
				moved = append(moved, change.Path)
			}
			if twice {
				again, err := install.Install(a, scope, m.places, "/usr/bin/permctl")
				m.apply(again, err)
			}
			notes := m.uninstall(a, scope).Notes
			for _, path := range moved {
				m.isLink(path)
			}
			if entries, err := install.Entries(a, m.places); err != nil || len(entries) != 0 {
				t.Errorf("the agent still finds %+v, %v", entries, err)
			}
			for name, text := range m.tree() {
				if strings.Contains(text, "/permctl hook") || strings.Contains(text, "/bin/permctl") {
					t.Errorf("%s still is %s", name, text)
				}
			}
			if !slices.ContainsFunc(notes, func(note string) bool { return strings.Contains(note, " is a link, and stays") }) || len(m.kept()) != 0 {
				t.Errorf("it says %q; kept are %v", notes, m.kept())
			}
		}
	})
}

// TestFileMovedAndChanged: what others have in the file then is still there.
func TestFileMovedAndChanged(t *testing.T) {
	m, claude := newMachine(t), find(t, "claude")
	m.install(claude, install.User)
	m.move("home/.claude/settings.json", "home/dot/s.json")
	path := filepath.Join(m.dir, "home/dot/s.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, strings.Replace(string(text), "{", "{\n  \"model\": \"opus\",", 1))
	m.uninstall(claude, install.User)
	m.isLink(filepath.Join(m.dir, "home/.claude/settings.json"))
	if text, err := os.ReadFile(path); err != nil || string(text) != "{\n  \"model\": \"opus\"\n}\n" {
		t.Errorf("it is %q, %v", text, err)
	}
}

// TestFolderMovedSince: a link that has come for a folder that permctl made is its
// user's.
func TestFolderMovedSince(t *testing.T) {
	for _, others := range []bool{true, false} {
		m, claude := newMachine(t), find(t, "claude")
		m.install(claude, install.User)
		m.move("home/.claude", "home/dot/claude")
		if others {
			m.write("home/dot/claude/CLAUDE.md", "mine")
		}
		m.uninstall(claude, install.User)
		m.isLink(filepath.Join(m.dir, "home/.claude"))
		tree := m.tree()
		if _, there := tree["home/dot/claude/"]; !there || strings.Contains(tree["home/dot/claude/settings.json"], "permctl") || others && tree["home/dot/claude/CLAUDE.md"] == "" {
			t.Errorf("uninstall leaves %v", tree)
		}
	}
}

// TestForgedFolders: no record makes uninstall remove what is no empty folder that the
// file lies in.
func TestForgedFolders(t *testing.T) {
	for _, gone := range []bool{false, true} {
		m, claude := newMachine(t), find(t, "claude")
		m.install(claude, install.User)
		victims := []string{m.write("home/victim.txt", "mine"), filepath.Join(m.dir, "home", "empty"), filepath.Join(m.dir, "home", "linked")}
		if err := os.Mkdir(victims[1], 0o700); err != nil {
			t.Fatal(err)
		}
		m.link("empty", "home/linked")
		for _, folder := range []string{"root/sub", "root/.claude"} { // seen through a link, beside the file's own
			if err := os.Mkdir(filepath.Join(m.dir, folder), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		m.link("../root/sub", "home/away")
		victims = append(victims, m.dir+"/home/away/../.claude", m.dir+"/home/linked/../empty", m.dir+"/home/.claude/../empty", victims[1]+"/", "empty", "")
		m.forge(func(record map[string]any) {
			made := record["folders"].([]any)
			for _, victim := range victims {
				made = append(made, victim)
			}
			record["folders"] = made
		})
		if gone {
			if err := os.Remove(filepath.Join(m.dir, "home/.claude/settings.json")); err != nil {
				t.Fatal(err)
			}
		}
		m.uninstall(claude, install.User)
		want := []string{"./", "home/", "home/away", "home/empty/", "home/linked", "home/victim.txt", "root/", "root/.claude/", "root/sub/", "work/"}
		left := m.names()
		if diff := cmp.Diff(want, left); diff != "" {
			t.Errorf("uninstall leaves (-want +got):\n%s", diff)
		}
	}
}

// forge changes the records.
func (m machine) forge(change func(map[string]any)) {
	m.Helper()
	for _, kept := range m.kept() {
		if filepath.Ext(kept) != ".json" {
			continue
		}
		text, err := os.ReadFile(kept)
		var record map[string]any
		if err == nil {
			err = json.Unmarshal(text, &record)
		}
		if err != nil {
			m.Fatal(err)
		}
		change(record)
		if text, err = json.Marshal(record); err != nil {
			m.Fatal(err)
		}
		write(m, kept, string(text))
	}
}

// names returns what there is on the machine.
func (m machine) names() []string {
	m.Helper()
	var found []string
	err := filepath.WalkDir(m.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(m.dir, path)
		if name = filepath.ToSlash(name); slices.Contains(records, name) {
			return fs.SkipDir
		}
		if entry.IsDir() {
			name += "/"
		}
		found = append(found, name)
		return err
	})
	if err != nil {
		m.Fatal(err)
	}
	slices.Sort(found)
	return found
}
