package settings_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/settings"
)

// config is that of a user and a project who each say all that they can.
func config(t *testing.T) settings.Config {
	t.Helper()
	global := parse(t, `
permissionPreset: workspace
permission: {bash: ask}
agents: {build: {permission: {bash: allow}}, review: {readOnly: true}}
approvals: {beat: deny}
arity: {make: 2, frob: 2}
commands: {frob: {}}
planFiles: [plans/*]
`)
	o := options
	o.Project = true
	project, err := settings.Parse(strings.NewReader(`
permissionPreset: ask
permission: {edit: ask}
agents: {build: {permission: {edit: allow}, readOnly: true}, review: {readOnly: false}}
arity: {frob: 1, grub: 1}
commands: {frob: {}, grub: {}}
planFiles: [notes.md]
`), "p.yaml", o)
	if err != nil {
		t.Fatal(err)
	}
	flags, _, err := settings.ParsePermissionFlag([]string{"read=deny"}, options)
	if err != nil {
		t.Fatal(err)
	}
	return settings.Config{Global: global, Project: project, Agent: "build", Preset: "read-only", Flags: flags}
}

func TestLayers(t *testing.T) {
	c := config(t)
	rules := func(layer permission.LayerName, source, name string, action permission.Action) []permission.Rule {
		return []permission.Rule{{Permission: name, Pattern: "*", Action: action, Layer: layer, Source: source}}
	}
	want := []permission.Layer{
		{Name: "default", Trust: "user", Preset: "full-access", Source: "default"},
		{Name: "global-preset", Trust: "user", Preset: "workspace", Source: "s.yaml:2"},
		{Name: "global", Trust: "user", Source: "s.yaml", Rules: rules("global", "s.yaml:3", "bash", "ask")},
		{Name: "project-preset", Trust: "none", Preset: "ask", Source: "p.yaml:2"},
		{Name: "project", Trust: "none", Source: "p.yaml", Rules: rules("project", "p.yaml:3", "edit", "ask")},
		{Name: "agent", Trust: "user", Source: "s.yaml", Rules: rules("agent", "s.yaml:4", "bash", "allow")},
		{Name: "agent", Trust: "none", Source: "p.yaml", Rules: rules("agent", "p.yaml:4", "edit", "allow")},
		{Name: "flag-preset", Trust: "user", Preset: "read-only", Source: "--permission-preset"},
		{Name: "flag", Trust: "user", Source: "--permission", Rules: rules("flag", "--permission", "read", "deny")},
	}
	if diff := cmp.Diff(want, c.Layers()); diff != "" {
		t.Errorf("layers (-want +got):\n%s", diff)
	}

	c.ProjectTrusted = true
	for _, i := range []int{3, 4, 6} {
		want[i].Trust = permission.TrustProject
	}
	if diff := cmp.Diff(want, c.Layers()); diff != "" {
		t.Errorf("layers of a trusted project (-want +got):\n%s", diff)
	}

	c.Agent = "other"
	if diff := cmp.Diff(append(want[:5:5], want[7:]...), c.Layers()); diff != "" {
		t.Errorf("layers of another agent (-want +got):\n%s", diff)
	}

	if diff := cmp.Diff(want[:1], settings.Config{}.Layers()); diff != "" {
		t.Errorf("layers of no settings (-want +got):\n%s", diff)
	}
}

// TestUntrusted shows that what allows more counts only of a trusted project,
// and what allows less always.
func TestUntrusted(t *testing.T) {
	c := config(t)
	for _, tt := range []struct {
		trusted   bool
		planFiles []string
		arity     map[string]int
		commands  []string
	}{
		{false, []string{"/w/plans/*"}, map[string]int{"make": 2, "frob": 2}, []string{"frob"}},
		{true, []string{"/w/plans/*", "/w/notes.md"}, map[string]int{"make": 2, "frob": 2, "grub": 1}, []string{"frob", "grub"}},
	} {
		c.ProjectTrusted = tt.trusted
		if diff := cmp.Diff(tt.planFiles, c.PlanFiles("/w", "/home/u")); diff != "" {
			t.Errorf("trusted %v: plan files (-want +got):\n%s", tt.trusted, diff)
		}
		if diff := cmp.Diff(tt.arity, c.Tables().Arity); diff != "" {
			t.Errorf("trusted %v: arity (-want +got):\n%s", tt.trusted, diff)
		}
		var commands []string
		for name := range c.Tables().Commands {
			commands = append(commands, name)
		}
		less := func(a, b string) bool { return a < b }
		if diff := cmp.Diff(tt.commands, commands, cmpopts.SortSlices(less)); diff != "" {
			t.Errorf("trusted %v: commands (-want +got):\n%s", tt.trusted, diff)
		}
		for agent, want := range map[string]bool{"build": true, "review": true, "other": false, "": false} {
			c.Agent = agent
			if got := c.ReadOnly(); got != want {
				t.Errorf("trusted %v: agent %q is read-only: %v, want %v", tt.trusted, agent, got, want)
			}
		}
	}
	if diff := cmp.Diff(c.Global.Commands["frob"], c.Tables().Commands["frob"]); diff != "" {
		t.Error("a project speaks over the user on a command")
	}
	if !c.ApprovalsBeatDeny() || (settings.Config{}).ApprovalsBeatDeny() {
		t.Error("approvals beat a deny if and only if the global settings say so: want true and false")
	}
}

func TestConfigWarnings(t *testing.T) {
	c := settings.Config{Global: parse(t, "permission: {write: ask}"), Project: parse(t, "permission: {\n ls: ask}")}
	want := []string{
		`s.yaml:1: "write" is read as "edit", the permission that the tool shares: write that`,
		`s.yaml:2: "ls" is read as "list", the permission that the tool shares: write that`,
	}
	if diff := cmp.Diff(want, c.Warnings()); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}
