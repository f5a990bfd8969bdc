package doctor_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/doctor"
	"github.com/permctl/permctl/internal/hook"
)

// found has a value in every field.
var found = doctor.Report{
	Permctl: "/usr/local/bin/permctl", Version: "permctl v0.2.0", Workspace: "/home/ann/shop", Guarded: false,
	Agents: []doctor.Agent{{
		Name: "claude", Title: "Claude Code", Here: true, Program: "/usr/bin/claude", Folder: "/home/ann/.claude", Version: "2.1.332 (Claude Code)",
		Guarded: false, Missing: []string{"PermissionRequest"},
		Hooks: []doctor.Hook{{
			Event: "PreToolUse", File: "/home/ann/.claude/settings.json", Line: 12, Scope: "user",
			Command: "/usr/local/bin/permctl hook claude || exit 2", Program: "/usr/local/bin/permctl", Seconds: 60, FailClosed: true,
			Trust: doctor.Trusted, Counts: true, Call: hook.Blocked, Proven: true,
		}},
		Findings: []doctor.Finding{{
			Severity: doctor.Problem, Text: "a < b & c", File: "/home/ann/shop/.claude/settings.json", Line: 3, Hint: "take it out",
		}},
		Trials: []doctor.Trial{{Event: "PreToolUse", Case: doctor.Hangs, Effect: hook.Undecided, Seconds: 0.5, Plugin: true}},
	}, {
		Name: "codex", Title: "Codex", Missing: []string{}, Hooks: []doctor.Hook{}, Findings: []doctor.Finding{}, Trials: []doctor.Trial{},
	}},
}

func TestWrite(t *testing.T) {
	var got strings.Builder
	if err := found.Write(&got); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "report.json")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for name, v := range map[string]any{
		"Report": found, "Agent": found.Agents[0], "Hook": found.Agents[0].Hooks[0], "Finding": found.Agents[0].Findings[0], "Trial": found.Agents[0].Trials[0],
	} {
		fields := reflect.ValueOf(v)
		for i := range fields.NumField() {
			field := fields.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			if tag := field.Tag.Get("json"); !strings.Contains(string(want), `"`+tag+`": `) {
				t.Errorf("%s.%s has the tag %q, which is not in %s", name, field.Name, tag, golden)
			}
			if fields.Field(i).IsZero() && field.Name != "Guarded" {
				t.Errorf("%s.%s has no value in the test", name, field.Name)
			}
		}
	}
}
