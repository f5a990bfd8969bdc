package install

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/workspace"
)

// belongsTo returns what a write to a path would change of what guards the agent.
func belongsTo(t *testing.T, path string, guards []input.Guard) string {
	t.Helper()
	w, err := workspace.New("/work", "/home/ann")
	if err != nil {
		t.Fatal(err)
	}
	document, err := input.New(input.Call{Tool: "write", Input: map[string]any{"path": path, "content": "x"}}, input.Env{Workspace: w, Guards: guards})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range document.Paths {
		if p.Protected != "" {
			return p.Protected
		}
	}
	return ""
}

// TestPlacesAreGuarded: an agent writes no file in which an agent looks for hooks,
// by this package's own table, and for any operating system.
func TestPlacesAreGuarded(t *testing.T) {
	for os, root := range map[string]string{"linux": "", "darwin": "", "windows": "/c:"} {
		places := Places{Home: "/home/ann", State: "/home/ann/.local/state/permctl", Workspace: "/work", Root: root, OS: os}
		seen := 0
		for _, a := range Agents {
			for _, f := range a.files(places) {
				path := strings.ReplaceAll(f.path, "*", "any")
				if belongsTo(t, path, nil) == "" {
					t.Errorf("on %s, anybody may write %s, in which %s looks for hooks", os, path, a.Title)
				}
				seen++
			}
		}
		if seen < 40 {
			t.Errorf("on %s there are %d places", os, seen)
		}
		if path := places.store(Managed).dir; belongsTo(t, path+"/x.before", nil) == "" {
			t.Errorf("on %s, anybody may write what uninstall takes for what files were: %s", os, path)
		}
	}
}

// TestGuards: what a variable moves is guarded where it is then.
func TestGuards(t *testing.T) {
	places := Places{Home: "/home/ann", Workspace: "/work", OS: "linux"}
	for _, g := range Guards(places) {
		if !g.IfThere {
			t.Errorf("without a variable, %s counts for what it lies in even if it is not there", g.Path)
		}
	}
	for _, name := range variables {
		places.Getenv = func(asked string) string {
			if asked == name {
				return "/srv/moved"
			}
			return ""
		}
		var moved []string
		guards := Guards(places)
		for _, a := range Agents {
			for _, f := range a.files(places) {
				if strings.HasPrefix(f.path, "/srv/moved") {
					moved = append(moved, f.path)
				}
				if path := strings.ReplaceAll(f.path, "*", "any"); belongsTo(t, path, guards) == "" {
					t.Errorf("with %s, anybody may write %s", name, path)
				}
			}
		}
		if len(moved) == 0 {
			t.Errorf("%s moves nothing", name)
		}
		if belongsTo(t, "/srv/moved-not/settings.json", guards) != "" {
			t.Errorf("with %s, its neighbours are guarded, too: %v", name, guards)
		}
	}
	if diff := cmp.Diff(map[string]string{"CODEX_HOME": "/srv/x"}, Variables(func(name string) string {
		return map[string]string{"CODEX_HOME": "/srv/x", "COPILOT_HOME": "relative", "OTHER": "/y"}[name]
	})); diff != "" {
		t.Error(diff)
	}
}

// TestEveryVariable: each variable that moves a place is one of those that are
// guarded.
func TestEveryVariable(t *testing.T) {
	asked := map[string]bool{}
	places := Places{Home: "/home/ann", Workspace: "/work", OS: "linux", Getenv: func(name string) string {
		asked[name] = true
		return ""
	}}
	for _, a := range Agents {
		a.files(places)
	}
	delete(asked, "XDG_CONFIG_HOME") // opencode's folder in it is guarded wherever it is
	for name := range asked {
		if !slices.Contains(variables, name) {
			t.Errorf("%s moves places, and is not among the variables", name)
		}
	}
	places.Getenv = func(name string) string { return map[string]string{"XDG_CONFIG_HOME": "/srv/config"}[name] }
	for _, a := range Agents {
		for _, f := range a.files(places) {
			if strings.HasPrefix(f.path, "/srv/config") && belongsTo(t, filepath.Join(filepath.Dir(f.path), "evil.js"), nil) == "" {
				t.Errorf("anybody may write beside %s", f.path)
			}
		}
	}
}
