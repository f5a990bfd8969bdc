package gate_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

func (w *world) open(t *testing.T) *gate.Gate {
	t.Helper()
	g, err := gate.Open(w.config)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// action decides a command in a directory. With an error it is a deny.
func action(t *testing.T, g *gate.Gate, dir, command string) permission.Action {
	t.Helper()
	d, _ := g.Decide(t.Context(), input.Call{Tool: "bash", Input: map[string]any{"command": command}, Cwd: dir})
	return d.Action
}

// TestChangesWhileRead writes settings at any moment of a reading. Either they
// count, or they have changed.
func TestChangesWhileRead(t *testing.T) {
	w := newWorld(t)
	g := w.open(t)
	for i := range 60 {
		want := []permission.Action{permission.Allow, permission.Deny}[i%2]
		written := make(chan struct{})
		go func() {
			defer close(written)
			<-time.After(time.Duration(i) * 20 * time.Microsecond)
			path := filepath.Join(w.home, "config", "settings.yaml")
			text := fmt.Sprintf("permission:\n  bash: %s\n", want)
			if i%4 < 2 {
				path = filepath.Join(w.root, ".permctl", "settings.yaml")
				text = "permission:\n  bash: {\"make x\": deny}\n" + strings.Repeat("#", i)
			}
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
				t.Error(err)
			}
		}()
		action(t, g, w.root, "make")
		next, err := g.Reopen()
		if err == nil {
			g = next
		}
		<-written
		if !g.Changed() && i%4 >= 2 {
			if got := action(t, g, w.root, "make"); got != want {
				t.Fatalf("round %d: %s, want %s, and nothing is said to have changed", i, got, want)
			}
		}
		for g.Changed() {
			if g, err = g.Reopen(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := action(t, g, w.root, "make x"); got != permission.Deny {
		t.Errorf("make x: %s, want what the project denies", got)
	}
}

// TestFirstCall holds that a first call from another project takes no note of what
// has changed elsewhere.
func TestFirstCall(t *testing.T) {
	w := newWorld(t)
	w.write(t, "other/.git/HEAD", "")
	g := w.open(t)
	action(t, g, w.root, "make")
	if g.Changed() {
		t.Fatal("something has changed")
	}
	for _, name := range []string{"config/settings.yaml", "project/.permctl/settings.yaml", "state/approved/global.jsonl"} {
		w.write(t, name, "")
		action(t, g, filepath.Join(w.home, "other"), "make")
		if !g.Changed() {
			t.Errorf("%s has not changed", name)
		}
		next, err := g.Reopen()
		if err != nil {
			t.Fatal(err)
		}
		g = next
	}
}

// TestBrokenProject holds that a project which cannot be read keeps nobody from
// anything, and denies.
func TestBrokenProject(t *testing.T) {
	w := newWorld(t)
	w.write(t, "other/.git/HEAD", "")
	other := filepath.Join(w.home, "other")
	w.write(t, "config/settings.yaml", "permission:\n  bash: allow\n")
	g := w.open(t)
	if a, b := action(t, g, w.root, "make"), action(t, g, other, "make"); a != permission.Allow || b != permission.Allow {
		t.Fatalf("%s and %s, want two allows", a, b)
	}
	for name, text := range map[string]string{
		".permctl/settings.yaml": "permission: [\n", ".permctl/policy/p.rego": "package org.p\n\ndeny contains\n",
	} {
		w.write(t, "project/"+name, text)
		w.write(t, "config/settings.yaml", "permission:\n  bash: {\"*\": allow, \"make *\": deny}\n")
		next, err := g.Reopen()
		if err != nil {
			t.Fatal(err)
		}
		if problems := next.Problems(); len(problems) != 1 || !strings.Contains(problems[0].Error(), w.root) {
			t.Errorf("%s: the problems are %v", name, problems)
		}
		if got := action(t, next, w.root, "ls"); got != permission.Deny {
			t.Errorf("%s: the project says %s", name, got)
		}
		if got := action(t, next, other, "make x"); got != permission.Deny {
			t.Errorf("%s: the other project says %s to what the new settings deny", name, got)
		}
		if next.Changed() {
			t.Errorf("%s: it is read again and again", name)
		}
		if err := os.RemoveAll(filepath.Join(w.root, ".permctl")); err != nil {
			t.Fatal(err)
		}
		if !next.Changed() {
			t.Errorf("%s: that it is good again does not show", name)
		}
		if g, err = next.Reopen(); err != nil || len(g.Problems()) > 0 {
			t.Errorf("%s: the problems are %v, %v", name, g.Problems(), err)
		}
		if got := action(t, g, w.root, "ls"); got != permission.Allow {
			t.Errorf("%s: when it is good again: %s", name, got)
		}
	}
}

// TestBrokenUser holds that the last good settings of the user stay whole, and
// that what is revoked counts nevertheless.
func TestBrokenUser(t *testing.T) {
	w := newWorld(t)
	w.config.Permission = []string{"bash=ask"}
	store := w.stores(t).Global
	if err := store.Append(t.Context(), approved("make *"), time.Time{}); err != nil {
		t.Fatal(err)
	}
	g := w.open(t)
	if got := action(t, g, w.root, "make"); got != permission.Allow {
		t.Fatalf("what is approved: %s", got)
	}
	for name, text := range map[string]string{"config/settings.yaml": "permission: [\n", "config/policy/p.rego": "package org.p\n\ndeny contains x if y\n"} {
		w.write(t, name, text)
		if _, err := g.Reopen(); err == nil {
			t.Errorf("%s is read", name)
		}
		if g.Changed() {
			t.Errorf("%s is read again and again", name)
		}
		if err := os.Remove(filepath.Join(w.home, name)); err != nil {
			t.Fatal(err)
		}
		if !g.Changed() {
			t.Errorf("%s: that it is good again does not show", name)
		}
	}
	if _, err := store.Revoke(t.Context(), "bash", "make *"); err != nil {
		t.Fatal(err)
	}
	if err := g.ReadApprovals(); err != nil {
		t.Fatal(err)
	}
	if got := action(t, g, w.root, "make"); got != permission.Ask {
		t.Errorf("what is revoked: %s", got)
	}
}

// TestUnreadableApprovals holds that nothing is approved, and nothing saved, while
// one of the files cannot be read.
func TestUnreadableApprovals(t *testing.T) {
	w := newWorld(t)
	w.config.Permission = []string{"bash=ask"}
	g := w.open(t)
	action(t, g, w.root, "make")
	p, err := g.Project(input.Call{Cwd: w.root})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Approve(t.Context(), approved("make *"), false, time.Time{}); err != nil {
		t.Fatal(err)
	}
	stores := w.stores(t)
	if err := os.Symlink("/dev/null", stores.Global.Path); err != nil {
		t.Skip(err)
	}
	if err := p.Approve(t.Context(), approved("ls *"), false, time.Time{}); err == nil {
		t.Error("an approval is saved that cannot be read again")
	}
	if text, err := os.ReadFile(stores.Project.Path); err != nil || strings.Contains(string(text), "ls *") {
		t.Errorf("the file has %s, %v", text, err)
	}
	if err := g.ReadApprovals(); err == nil {
		t.Error("it is read")
	}
	if got := action(t, g, w.root, "make"); got != permission.Deny || len(g.Problems()) != 1 {
		t.Errorf("%s, with the problems %v", got, g.Problems())
	}
	if err := os.Remove(stores.Global.Path); err != nil {
		t.Fatal(err)
	}
	if !g.Changed() {
		t.Error("that they are good again does not show")
	}
	if err := g.ReadApprovals(); err != nil {
		t.Fatal(err)
	}
	if got := action(t, g, w.root, "make"); got != permission.Allow || len(g.Problems()) != 0 {
		t.Errorf("%s, with the problems %v", got, g.Problems())
	}
}

// TestPlaces has where changes matter.
func TestPlaces(t *testing.T) {
	w := newWorld(t)
	w.write(t, "dotfiles/mine.yaml", "")
	w.write(t, "config/policy/a/p.rego", "package org.p\n")
	if err := os.Symlink(filepath.Join(w.home, "dotfiles", "mine.yaml"), filepath.Join(w.home, "config", "settings.yaml")); err != nil {
		t.Skip(err)
	}
	g := w.open(t)
	action(t, g, w.root, "ls")
	places := g.Places()
	for name, want := range map[string]bool{
		"dotfiles/mine.yaml": true, "dotfiles/other": false, "config/settings.yaml": true, "config/policy/a/b/c.rego": true,
		"project/.permctl": true, "project/.permctl/policy/p.rego": true, "project/main.go": false, "project/.git": false,
		"state": true, "state/approved": true, "state/approved/global.jsonl": true, "state/approved/other.jsonl": false,
	} {
		if got := places.Matters(filepath.Join(w.home, name)); got != want {
			t.Errorf("%s matters: %t, want %t", name, got, want)
		}
	}
	for _, name := range []string{"dotfiles", "config", "config/policy/a", "project"} {
		if !slices.Contains(places.Folders, filepath.Join(w.home, name)) {
			t.Errorf("%s is not watched: %v", name, places.Folders)
		}
	}
}

// TestNotePort holds that a daemon forgets only its own port.
func TestNotePort(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	first, err := gate.NotePort(state, "127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	second, err := gate.NotePort(state, "127.0.0.1:2")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(state, "permctl.address")
	first()
	if text, err := os.ReadFile(path); err != nil || string(text) != "127.0.0.1:2\n" {
		t.Errorf("when the first ends, %q is noted, %v", text, err)
	}
	second()
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("when both have ended, there is a note: %v", err)
	}
}
