//go:build e2e

package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/doctor"
	"github.com/permctl/permctl/internal/hook"
)

// breakdowns are the ways in which permctl's place is taken in the trials of permctl
// doctor --prove, and what a shell does then.
var breakdowns = []struct {
	name   doctor.Case
	script string
}{
	{doctor.Hangs, "exec sleep 12"},
	{doctor.Fails, "echo 'it fails' >&2; exit 1"},
	{doctor.Quiet, "exit 1"},
	{doctor.Killed, "kill -KILL $$"},
	{doctor.Text, "echo 'all is well'"},
	{doctor.Silent, ":"},
	{doctor.JSON, `echo '{"permctl": "stand-in"}'`},
}

// TestDoctor holds what permctl doctor --prove says that an agent does when permctl
// fails to what the agent does. It runs what no hook stops.
func TestDoctor(t *testing.T) {
	permctl := buildPermctl(t)
	for _, a := range agents {
		program := a.find(t)
		t.Run(newColumn(t, a, program).head, func(t *testing.T) {
			t.Parallel()
			d := a.sit(t, permctl, ruled)
			trials := d.trials(t, a, program)
			a.hasten(t, d)
			if a.trust != nil {
				a.trust(t, d)
			}
			d.breakDown(t)
			var steps []step
			for _, b := range breakdowns {
				steps = append(steps, runs(mishap(b.name))(a, d))
			}
			a.work(t, d, program, steps)
			for i, b := range breakdowns {
				compareTrial(t, trials, b.name, d.ran(steps[i]))
			}
			d.remove(t)
			gone := runs(mishap(doctor.Missed))(a, d)
			a.work(t, d, program, []step{gone})
			compareTrial(t, trials, doctor.Missed, d.ran(gone))
		})
	}
}

// mishap is the name of the folder that a call makes, if it runs.
func mishap(c doctor.Case) string { return "denied-" + string(c) }

// trials returns what permctl doctor --prove says of an agent that it finds guarded,
// by how permctl ends.
func (d *desk) trials(t *testing.T, a *agent, program string) map[doctor.Case]hook.Effect {
	t.Helper()
	cmd := d.start(t.Context(), d.permctl, "doctor", a.name, "--prove", "--json")
	for i, variable := range cmd.Env {
		if path, ok := strings.CutPrefix(variable, "PATH="); ok {
			cmd.Env[i] = "PATH=" + filepath.Dir(program) + string(filepath.ListSeparator) + path
		}
	}
	text, err := cmd.Output()
	var report doctor.Report
	if err != nil || json.Unmarshal(text, &report) != nil || !report.Guarded || len(report.Agents) != 1 {
		t.Fatalf("%s: %v\n%s", cmd, err, text)
	}
	found := report.Agents[0]
	if found.Program != program || found.Version == "" || len(found.Hooks) == 0 || !found.Hooks[0].Proven {
		t.Errorf("%s says\n%s", cmd, text)
	}
	said := map[doctor.Case]hook.Effect{}
	for _, trial := range found.Trials {
		if trial.Event == found.Hooks[0].Event {
			said[trial.Case] = trial.Effect
		}
	}
	return said
}

// breakDown puts a program in permctl's place that ends as the call in it says.
func (d *desk) breakDown(t *testing.T) {
	t.Helper()
	var script strings.Builder
	script.WriteString("#!/bin/sh\ncase \"$(cat)\" in\n")
	for _, b := range breakdowns {
		fmt.Fprintf(&script, "*%q*) %s ;;\n", "mkdir "+mishap(b.name), b.script)
	}
	script.WriteString("*) echo 'this call is not in the script' >&2; exit 2 ;;\nesac\n")
	d.remove(t)
	if err := os.WriteFile(d.permctl, []byte(script.String()), 0o700); err != nil {
		t.Fatal(err)
	}
}

// work has the agent make the calls of steps, and sees that the model heard of each.
func (a *agent) work(t *testing.T, d *desk, program string, steps []step) {
	t.Helper()
	m := newModel(t, script(steps))
	ctx, cancel := context.WithTimeout(t.Context(), sessionTime)
	defer cancel()
	said, err := a.command(ctx, t, d, program, m, false).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", a.title, err, said)
	}
	for n := range steps {
		if _, called := m.result(n); !called {
			t.Fatalf("the model was told nothing of call %d\n%s", n, said)
		}
	}
}

// compareTrial compares what was said of a call with what became of it.
func compareTrial(t *testing.T, said map[doctor.Case]hook.Effect, c doctor.Case, ran bool) {
	t.Helper()
	effect, tried := said[c]
	if passes := effect == hook.Undecided || effect == hook.Granted; !tried || passes != ran {
		t.Errorf("permctl %s: doctor says %q, and the call %s", c, effect, outcome(ran))
	}
}
