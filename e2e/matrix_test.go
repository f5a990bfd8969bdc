//go:build e2e

package e2e_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A scene is what a session of the matrix is played in.
type scene struct {
	name string

	// settings are permctl's, and policy its policy in Rego, if there is one.
	settings, policy string

	// hurried is whether the agent gives up on its hook within 2 s, and asks whether
	// it would ask a person by itself.
	hurried, asks bool

	// fresh is whether nobody has told the agent to trust what is installed.
	fresh bool

	// disturb is done before the session starts, if it is not nil.
	disturb func(d *desk, t *testing.T)
}

// The scenes: permctl with rules, for calls and for patches, which may take
// another model; permctl that cannot decide; and other programs in its place.
var (
	ruled      = &scene{name: "rules", settings: settings}
	patched    = &scene{name: "patches", settings: settings}
	stuck      = &scene{name: "settings without end", disturb: (*desk).endless}
	unreadable = &scene{name: "broken settings", settings: strings.Replace(settings, ": allow", ": alow", 1)}
	failing    = &scene{name: "failing policy", settings: settings, policy: division}
	untrusted  = &scene{name: "nobody's trust", settings: settings, fresh: true}
	replaced   = &scene{name: "other programs", settings: settings, hurried: true, disturb: (*desk).replace}
	gone       = &scene{name: "no program", settings: settings, disturb: (*desk).remove}
	asking     = &scene{name: "a program that hangs, and an agent that asks", settings: settings, hurried: true, asks: true, disturb: (*desk).replace}
)

// division is a policy that fails on every call that reaches no host.
const division = `package org.release

deny contains {"reason": "one command a host"} if {
	count(input.commands) / count(input.urls) > 1
}
`

// endless makes permctl's settings a pipe into which nobody writes.
func (d *desk) endless(t *testing.T) {
	t.Helper()
	file := filepath.Join(d.home, ".config", "permctl", "settings.yaml")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Fatal(err)
	}
}

// remove takes permctl away.
func (d *desk) remove(t *testing.T) {
	t.Helper()
	if err := os.Remove(d.permctl); err != nil {
		t.Fatal(err)
	}
}

// wreck is a program that does with a call what the call has in it. Gemini CLI waits
// until a hook that is out of time has ended, too.
const wreck = `#!/bin/sh
case "$(cat)" in
*"mkdir denied-hang"*) exec sleep 12 ;;
*"mkdir denied-crash"*) exit 1 ;;
*"mkdir denied-mute"*) exit 2 ;;
*"mkdir denied-kill"*) kill -9 $$ ;;
*"mkdir denied-babble"*) echo "permctl: all is well" ;;
*"mkdir denied-halve"*) printf '{"decision":"den' ;;
*"mkdir denied-odd"*) echo '{"decision":"perhaps"}' ;;
*"mkdir denied-hush"*) ;;
*) echo "no, says the program" >&2; exit 2 ;;
esac
`

// replace puts wreck in permctl's place.
func (d *desk) replace(t *testing.T) {
	t.Helper()
	d.remove(t)
	if err := os.WriteFile(d.permctl, []byte(wreck), 0o700); err != nil {
		t.Fatal(err)
	}
}

// A row of the matrix is a call in a scene, and what is to come of it in every
// column.
type row struct {
	name  string
	scene *scene
	want  want

	// open are the columns in which the call may run, though it should not: what
	// happens there is the agent's doing, and the docs have to say it.
	open []*agent

	call func(a *agent, d *desk) step
}

// rows are the matrix.
var rows = []row{
	{"a command that a rule allows", ruled, granted, nil, runs("allowed")},
	{"a command that a rule denies", ruled, refused("mkdir denied"), nil, runs("denied")},
	{"a command that a rule asks for, and nobody is there", ruled, asked("mkdir asked"), nil, runs("asked")},
	{"a file that a rule allows", ruled, granted, nil, writes("notes/allowed-new.md")},
	{"a file that a rule denies", ruled, refused("notes/denied*"), nil, writes("notes/denied-new.md")},
	{"a patch that rules allow", patched, granted, nil, patches("notes/allowed-patch.md", "*** Add File: notes/allowed-patch.md\n+new\n")},
	{"a patch with a file that a rule denies", patched, refused("notes/denied*"), nil, patches(
		"notes/allowed-too.md", "*** Add File: notes/allowed-too.md\n+new\n*** Update File: notes/denied.md\n@@\n-old\n+new\n")},
	{"a patch that moves a file to where a rule denies it", patched, refused("notes/denied*"), nil, patches(
		"notes/denied-moved.md", "*** Update File: notes/allowed.md\n*** Move to: notes/denied-moved.md\n@@\n-old\n+new\n")},
	{"permctl hangs, past its own deadline", stuck, want{told: "no decision within 5s"}, nil, runs("allowed")},
	{"permctl's settings do not parse", unreadable, refused("mkdir allowed"), nil, runs("allowed")},
	{"a policy fails", failing, want{told: "divide by zero"}, nil, runs("allowed")},
	{"a command that a rule denies, before a person has trusted the hook", untrusted, want{}, []*agent{codex}, runs("denied")},
	{"the hook ends with 2, and says why", replaced, want{told: "no, says the program"}, nil, runs("denied-refuse")},
	{"the hook ends with 2, and says nothing", replaced, want{}, []*agent{codex, gemini}, runs("denied-mute")},
	{"the hook ends with 1, and says nothing", replaced, want{}, []*agent{codex, gemini}, runs("denied-crash")},
	{"the hook is killed", replaced, want{}, nil, runs("denied-kill")},
	{"the hook's program is gone", gone, want{}, nil, runs("denied-gone")},
	{"the hook hangs, past the agent's time-out", replaced, want{}, []*agent{oldClaude, codex, gemini}, runs("denied-hang")},
	{"the hook hangs, and the agent asks by itself", asking, want{}, nil, runs("denied-hang")},
	{"the hook prints what is no JSON, and ends with 0", replaced, want{}, []*agent{oldClaude, claude, codex, gemini}, runs("denied-babble")},
	{"the hook prints an object that is no answer, and ends with 0", replaced, want{}, []*agent{oldClaude, codex, gemini}, runs("denied-odd")},
	{"the hook prints half an object, and ends with 0", replaced, want{}, []*agent{oldClaude, claude, codex, gemini}, runs("denied-halve")},
	{"the hook prints nothing, and ends with 0", replaced, want{}, []*agent{oldClaude, claude, codex, gemini}, runs("denied-hush")},
}

// runs is a call that makes a directory.
func runs(name string) func(*agent, *desk) step {
	return func(a *agent, _ *desk) step { return step{call: a.shell("mkdir " + name), made: name} }
}

// writes is a call that writes a new file.
func writes(name string) func(*agent, *desk) step {
	return func(a *agent, d *desk) step {
		return step{call: a.write(filepath.Join(d.workspace, name), "new"), made: name, text: "new"}
	}
}

// patches is a call that applies a patch by which there is a file.
func patches(made, hunks string) func(*agent, *desk) step {
	return func(a *agent, _ *desk) step {
		return step{call: a.patch("*** Begin Patch\n" + hunks + "*** End Patch\n"), made: made, text: "new"}
	}
}

// TestMatrix drives every agent through every row.
func TestMatrix(t *testing.T) {
	permctl := buildPermctl(t)
	patcher := "#!/bin/sh\nexec " + quoted(findCodex(t)) + ` --codex-run-as-apply-patch "$(cat)"` + "\n"
	var all matrix
	t.Run("sessions", func(t *testing.T) {
		for _, a := range agents {
			program := a.find(t)
			column := newColumn(t, a, program)
			all = append(all, column)
			for _, s := range a.scenes() {
				t.Run(column.head+"/"+s.name, func(t *testing.T) {
					t.Parallel()
					d := a.sit(t, permctl, s)
					if err := os.WriteFile(filepath.Join(filepath.Dir(d.permctl), "apply_patch"), []byte(patcher), 0o700); err != nil {
						t.Fatal(err)
					}
					a.play(t, d, s, program, column.cells)
				})
			}
		}
	})
	fmt.Fprint(t.Output(), all.markdown())
	if all.whole() {
		all.compare(t)
	}
}

// scenes returns those that the agent plays.
func (a *agent) scenes() []*scene {
	var all []*scene
	for _, r := range rows {
		if s := r.sceneOf(a); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// sceneOf returns the row's scene for an agent. One that wants nobody's trust has
// none in any of them.
func (r row) sceneOf(a *agent) *scene {
	if r.scene == untrusted && a.trust == nil {
		return ruled
	}
	return r.scene
}

// sit returns a desk on which the agent has permctl as its hook, in a scene.
func (a *agent) sit(t *testing.T, permctl string, s *scene) *desk {
	t.Helper()
	own := filepath.Join(t.TempDir(), "permctl") // not every session's
	text, err := os.ReadFile(permctl)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, text, 0o700); err != nil {
		t.Fatal(err)
	}
	d := rig{permctl: own}.newDesk(t, s.settings)
	if s.policy != "" {
		write(t, filepath.Join(d.home, ".config", "permctl", "policy", "org.rego"), s.policy)
	}
	if a.settle != nil {
		a.settle(t, d)
	}
	d.install(t, a.name)
	if s.hurried {
		a.hasten(t, d)
	}
	if a.trust != nil && !s.fresh {
		a.trust(t, d)
	}
	if s.disturb != nil {
		s.disturb(d, t)
	}
	return d
}

// play has the agent play a scene, and fills the cells of its rows.
func (a *agent) play(t *testing.T, d *desk, s *scene, program string, column []cell) {
	t.Helper()
	var steps []step
	var places []int
	for i, r := range rows {
		if r.sceneOf(a) == s {
			steps = append(steps, r.call(a, d))
			places = append(places, i)
		}
	}
	m := newModel(t, script(steps))
	if s == patched && a.patcher != "" {
		m.name = a.patcher
	}
	ctx, cancel := context.WithTimeout(t.Context(), sessionTime)
	defer cancel()
	said, err := a.command(ctx, t, d, program, m, s.asks).CombinedOutput()
	if err != nil && !s.fresh {
		t.Errorf("%s: %v", a.title, err)
	}
	for n, i := range places {
		told, called := m.result(n)
		switch {
		case called:
		case s.fresh && err != nil:
			told, called = unstarted, true
		case s.asks && m.lacked(steps[n].call.tool):
			told, called = withheld, true
		}
		column[i] = cell{d.ran(steps[n]), d.short(told)} // no other session's place
		if !called {
			t.Errorf("%s: the model was told nothing", rows[i].name)
		}
		a.review(t, rows[i], column[i], told)
	}
	if t.Failed() {
		fmt.Fprintf(t.Output(), "the agent says:\n%s\n", said)
	}
}

// What stands for the words to a model that an agent has called no tool for: in a
// folder that nobody trusts it may not start at all, and where nobody can answer, it
// may keep its tools to itself.
const (
	unstarted = "the agent does not start"
	withheld  = "the model is not given the tool"
)

// review compares what came of a row's call with what had to.
func (a *agent) review(t *testing.T, r row, got cell, told string) {
	t.Helper()
	if got.ran && slices.Contains(r.open, a) {
		return
	}
	if got.ran != r.want.runs || !strings.Contains(told, r.want.told) {
		t.Errorf("%s: it %s, and the model was told %q, want that it %s, and %q", r.name, outcome(got.ran), told, outcome(r.want.runs), r.want.told)
	}
}
