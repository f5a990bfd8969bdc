package install_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/install"
)

// TestAtOnce: however many install at once, the file is again what it was after one
// uninstall, and none of them fails.
func TestAtOnce(t *testing.T) {
	for _, before := range []string{"", "{\"model\": \"opus\"}\n"} {
		for round := range 25 {
			m, claude := newMachine(t), find(t, "claude")
			if before != "" {
				m.write("home/.claude/settings.json", before)
			}
			was := m.tree()
			m.atOnce(func(int) (*install.Plan, error) { return install.Install(claude, install.User, m.places, program) })
			if kept := m.kept(); len(kept) == 0 {
				t.Errorf("round %d: the record is lost", round)
			}
			m.uninstall(claude, install.User)
			if diff := cmp.Diff(was, m.tree()); diff != "" || len(m.kept()) != 0 {
				t.Errorf("round %d: uninstall leaves %v (-before +after):\n%s", round, m.kept(), diff)
			}
		}
	}
}

// TestBothAtOnce: whoever is last, the file is as after one of them, and uninstall has
// it all back.
func TestBothAtOnce(t *testing.T) {
	for round := range 25 {
		m, goose := newMachine(t), find(t, "goose") // has more than one file
		was := m.tree()
		m.atOnce(func(i int) (*install.Plan, error) {
			if i%2 == 0 {
				return install.Uninstall(goose, install.User, m.places)
			}
			return install.Install(goose, install.User, m.places, fmt.Sprintf("/opt/%d/permctl", i))
		})
		m.uninstall(goose, install.User)
		if diff := cmp.Diff(was, m.tree()); diff != "" || len(m.kept()) != 0 {
			t.Errorf("round %d: uninstall leaves %v (-before +after):\n%s", round, m.kept(), diff)
		}
	}
}

// atOnce runs plans at once, each for its number.
func (m machine) atOnce(plan func(int) (*install.Plan, error)) {
	m.Helper()
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			<-start
			if _, err := install.Run(func() (*install.Plan, error) { return plan(i) }); err != nil {
				m.Error(err)
			}
		})
	}
	close(start)
	all.Wait()
}

// TestPlansAtOnce: with plans that were made before each other's application, too, the
// record is not lost.
func TestPlansAtOnce(t *testing.T) {
	m, claude := newMachine(t), find(t, "claude")
	m.write("home/.claude/settings.json", "{}")
	was := m.tree()
	first, err := install.Install(claude, install.User, m.places, program)
	if err != nil {
		t.Fatal(err)
	}
	m.install(claude, install.User)
	if err := first.Apply(); err == nil {
		t.Error("what was planned for another file is done")
	}
	m.uninstall(claude, install.User)
	if diff := cmp.Diff(was, m.tree()); diff != "" {
		t.Errorf("uninstall leaves (-before +after):\n%s", diff)
	}
}

// TestNothingToDo: then nothing is written, not even a lock.
func TestNothingToDo(t *testing.T) {
	m := newMachine(t)
	if _, err := install.Run(func() (*install.Plan, error) { return install.Uninstall(find(t, "claude"), install.User, m.places) }); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(m.dir, "state")); err == nil {
		t.Error("there is a folder for records now")
	}
}
