package install_test

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/permctl/permctl/internal/install"
	"github.com/permctl/permctl/internal/shim"
)

var update = flag.Bool("update", false, "rewrite what the files in testdata are after the installation")

// program is the permctl that is installed.
const program = "/opt/bin/permctl"

// A machine is a person's home, a workspace, and the machine's own files, in
// the folders home, work and root.
type machine struct {
	testing.TB
	dir    string
	places install.Places
}

func newMachine(t testing.TB) machine {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"home", "work", "root"} {
		if err := os.Mkdir(at(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return machine{t, dir, install.Places{Home: at("home"), State: at("state"), Workspace: at("work"), Root: at("root"), OS: "linux"}}
}

// write writes a file of the machine, with the folders that it lies in.
func (m machine) write(name, text string) string {
	m.Helper()
	path := filepath.Join(m.dir, filepath.FromSlash(name))
	write(m, path, text)
	return path
}

// install installs permctl and returns what was done.
func (m machine) install(a *install.Agent, scope install.Scope) *install.Plan {
	m.Helper()
	plan, err := install.Install(a, scope, m.places, program)
	return m.apply(plan, err)
}

// uninstall takes permctl out and returns what was done.
func (m machine) uninstall(a *install.Agent, scope install.Scope) *install.Plan {
	m.Helper()
	plan, err := install.Uninstall(a, scope, m.places)
	return m.apply(plan, err)
}

func (m machine) apply(plan *install.Plan, err error) *install.Plan {
	m.Helper()
	if err == nil {
		err = plan.Apply()
	}
	if err != nil {
		m.Fatal(err)
	}
	return plan
}

// records are the folders in which permctl keeps what files were.
var records = []string{"state", "root/var"}

// tree returns what is on the machine: each file's mode and text, and each folder.
func (m machine) tree() map[string]string {
	m.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(m.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(m.dir, path)
		if name = filepath.ToSlash(name); slices.Contains(records, name) {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() {
			found[name+"/"] = ""
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(path)
			found[name] = fmt.Sprintf("%v %s", info.Mode(), to)
			return err
		}
		text, err := os.ReadFile(path)
		found[name] = fmt.Sprintf("%v %s", info.Mode(), text)
		return err
	})
	if err != nil {
		m.Fatal(err)
	}
	return found
}

// kept returns the files that permctl keeps of what files were. Its lock is none.
func (m machine) kept() []string {
	var found []string
	for _, folder := range records {
		_ = filepath.WalkDir(filepath.Join(m.dir, folder), func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && entry.Name() != "lock" {
				found = append(found, path)
			}
			return nil // one that is not there has none
		})
	}
	return found
}

// everyScope calls do for each scope of each agent.
func everyScope(t *testing.T, do func(*testing.T, *install.Agent, install.Scope)) {
	for _, a := range install.Agents {
		for _, scope := range a.Scopes(install.Places{Home: "/home/ann", OS: "linux"}) {
			t.Run(a.Name+"/"+string(scope), func(t *testing.T) { do(t, a, scope) })
		}
	}
}

// TestGolden installs permctl for each scope of each agent into files as people
// have them. The files of testdata have what is before, and what is after it.
func TestGolden(t *testing.T) {
	everyScope(t, func(t *testing.T, a *install.Agent, scope install.Scope) {
		paths, err := filepath.Glob(filepath.Join("testdata", a.Name, string(scope)+"*.txtar"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no files for it in testdata, %v", err)
		}
		for _, path := range paths {
			testGolden(t, a, scope, path)
		}
	})
}

func testGolden(t *testing.T, a *install.Agent, scope install.Scope, path string) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, want := newMachine(t), map[string]string{}
	hadOurs := false
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool {
		name, after := strings.CutPrefix(f.Name, "after/")
		if after {
			want[name] = string(f.Data)
			return true
		}
		written := m.write(strings.TrimPrefix(f.Name, "before/"), string(f.Data))
		if err := os.Chmod(written, 0o640); err != nil {
			t.Fatal(err)
		}
		hadOurs = hadOurs || bytes.Contains(f.Data, []byte("permctl hook")) || bytes.Contains(f.Data, []byte("Written by permctl"))
		return false
	})
	before := m.tree()
	plan := m.install(a, scope)
	got := m.changed(a, before)
	if *update {
		for _, name := range sorted(got) {
			archive.Files = append(archive.Files, txtar.File{Name: "after/" + name, Data: []byte(got[name])})
		}
		if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
			t.Fatal(err)
		}
		want = got
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
	for name, was := range before {
		if is := m.tree()[name]; strings.SplitN(was, " ", 2)[0] != strings.SplitN(is, " ", 2)[0] {
			t.Errorf("%s: %s had the mode %.10s, and has %.10s", path, name, was, is)
		}
	}
	if len(plan.Changes) == 0 {
		t.Errorf("%s: nothing was changed", path)
	}
	if again := m.install(a, scope); len(again.Changes) != 0 || len(again.Same) != len(plan.Changes)+len(plan.Same) {
		t.Errorf("%s: the second installation changes %v", path, again.Changes)
	}
	m.uninstall(a, scope)
	if diff := cmp.Diff(before, m.tree()); diff != "" && !hadOurs {
		t.Errorf("%s: after install and uninstall (-before +after):\n%s", path, diff)
	}
	if entries, err := install.Entries(a, m.places); err != nil || slices.ContainsFunc(entries, func(e install.Entry) bool { return e.Ours && e.Scope == scope }) {
		t.Errorf("%s: uninstall leaves %+v, %v", path, entries, err)
	}
	if kept := m.kept(); len(kept) != 0 {
		t.Errorf("%s: uninstall leaves %v", path, kept)
	}
}

// changed returns the texts of the files that are not as before. A plugin is named,
// and not shown.
func (m machine) changed(a *install.Agent, before map[string]string) map[string]string {
	m.Helper()
	plugin, _ := shim.Text(a.Name, program)
	got := map[string]string{}
	for name, is := range m.tree() {
		if was, there := before[name]; was == is && there || strings.HasSuffix(name, "/") {
			continue
		}
		_, text, _ := strings.Cut(is, " ")
		if text == string(plugin) {
			text = "the plugin that starts " + program + "\n"
		}
		got[name] = strings.ReplaceAll(text, m.places.Home, "/home/ann")
	}
	return got
}

func sorted(texts map[string]string) []string {
	var names []string
	for name := range texts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
