package gate_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// stores returns where the world's approvals are.
func (w *world) stores(t *testing.T) gate.Stores {
	t.Helper()
	stores, err := w.config.Stores(w.root)
	if err != nil {
		t.Fatal(err)
	}
	return stores
}

// approved returns rules that allow a command.
func approved(pattern string) []permission.Rule {
	return []permission.Rule{{Permission: "bash", Pattern: pattern, Action: permission.Allow}}
}

func TestScopes(t *testing.T) {
	w := newWorld(t)
	w.config.Permission = []string{"bash=ask"}
	stores := w.stores(t)
	for _, err := range []error{
		stores.Global.Append(t.Context(), approved("git *"), time.Time{}),
		stores.Global.Append(t.Context(), approved("make *"), time.Time{}),
		stores.Project.Append(t.Context(), approved("make *"), time.Time{}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	w.says(t, "bash", "git push", permission.Allow, "global.jsonl:1")
	w.says(t, "bash", "make", permission.Allow, filepath.Base(stores.Project.Path)+":1")
	w.says(t, "bash", "npm ci", permission.Ask, "--permission")

	other := *w
	other.root = filepath.Join(w.home, "other")
	w.write(t, "other/.git/HEAD", "")
	other.says(t, "bash", "make", permission.Allow, "global.jsonl:2")

	w.write(t, "mine.jsonl", `{"permission":"bash","pattern":"npm *","action":"allow"}`)
	w.config.Approvals = filepath.Join(w.home, "mine.jsonl")
	w.says(t, "bash", "npm ci", permission.Allow, "mine.jsonl:1")
	w.says(t, "bash", "git push", permission.Ask, "--permission")
	if stores := w.stores(t); stores.Global != stores.Project || stores.Global.Path != w.config.Approvals {
		t.Errorf("with --approvals, the stores are %+v", stores)
	}
}

// TestExpiry asserts that an approval stops to count when its time has come,
// also for a gate that has read it before.
func TestExpiry(t *testing.T) {
	now := noon
	w := newWorld(t)
	w.config.Permission = []string{"bash=ask"}
	w.config.Clock = func() time.Time { return now }
	store := w.stores(t).Project
	for pattern, until := range map[string]time.Time{"a": noon.Add(time.Hour), "b": noon.Add(2 * time.Hour), "c": {}} {
		if err := store.Append(t.Context(), approved(pattern), until); err != nil {
			t.Fatal(err)
		}
	}
	g, err := gate.Open(w.config)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		after time.Duration
		want  string // those of a, b and c that are allowed
	}{{0, "abc"}, {time.Hour - 1, "abc"}, {time.Hour, "bc"}, {2 * time.Hour, "c"}, {48 * time.Hour, "c"}} {
		now = noon.Add(tt.after)
		var got strings.Builder
		for _, command := range []string{"a", "b", "c"} {
			call, err := input.FromArgument("bash", command)
			if err != nil {
				t.Fatal(err)
			}
			call.Cwd = w.root
			d, err := g.Decide(t.Context(), call)
			if err != nil {
				t.Fatal(err)
			}
			if d.Action == permission.Allow {
				got.WriteString(command)
			}
		}
		if got.String() != tt.want {
			t.Errorf("after %v, %q are allowed, want %q", tt.after, got.String(), tt.want)
		}
	}
	project, err := g.Project(input.Call{Cwd: w.root})
	if err != nil {
		t.Fatal(err)
	}
	if got := project.Approvals(); got.Project.Path != store.Path || got.Global == got.Project {
		t.Errorf("Approvals() = %+v, want the stores of the project", got)
	}
}

// TestApprovalsAreGuarded asserts that an agent cannot write what belongs to
// approvals without being asked, also beside a file that a flag names.
func TestApprovalsAreGuarded(t *testing.T) {
	w := newWorld(t)
	w.config.Approvals = filepath.Join(w.home, "mine.jsonl")
	stores := w.stores(t)
	for _, path := range append(stores.Project.Files(), filepath.Join(w.config.Dirs.State, "approved", "global.jsonl")) {
		w.says(t, "write", path, permission.Ask, "permctl's approvals")
	}
}
