//go:build e2e

// Package e2e_test drives real coding agents with permctl as their hook, and a
// scripted model on the loopback interface, and looks at what happens to the
// files of the workspace and at what the model is told.
//
// Some of them wait for a person, who is at the console in Chromium.
//
// It is no part of go test ./...: it wants npm, or agents that are already
// there (in the directory AGENTS), and builds permctl (or takes PERMCTL).
package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"
)

// settings are the rules of the sessions. What they do not name is left to
// Claude Code.
const settings = `# The user's settings in permctl's end-to-end test.
permission:
  bash:
    "mkdir allowed": allow
    "mkdir denied": deny
    "mkdir asked": ask
    "mkdir denied-*": deny
    "apply_patch": allow
  edit:
    "notes/allowed*": allow
    "notes/denied*": deny
    "notes/asked*": ask
`

// source returns where settings has the rule with pattern: as FILE:LINE.
func source(pattern string) string {
	before, _, _ := strings.Cut(settings, `"`+pattern+`"`)
	return fmt.Sprintf("settings.yaml:%d", strings.Count(before, "\n")+1)
}

// A want is what is to come of a call.
type want struct {
	rule string // what the rules say of it

	// runs is whether the call is to run, and told what the model is to be told
	// in any case.
	runs bool
	told string
}

// What is to come of calls: granted runs without a question, refused and asked
// do not run and name the rule with pattern to the model, answered runs because
// a person says so, and unnamed does not run because Claude Code would ask.
var (
	granted  = want{rule: "allow", runs: true}
	answered = want{rule: "ask", runs: true}
	unnamed  = want{rule: "none"}
)

func refused(pattern string) want { return want{rule: "deny", told: source(pattern)} }
func asked(pattern string) want   { return want{rule: "ask", told: source(pattern)} }

// A step is a call of the model, and what is to come of it.
type step struct {
	call toolCall
	want want

	// made is the file or directory that the call makes, and text what is in
	// the file then. If made is empty, the call makes nothing.
	made, text string
}

// bash is a step whose call makes a directory.
func bash(name string, w want) step {
	call := toolCall{tool: "Bash", input: map[string]any{"command": "mkdir " + name, "description": "Make a directory"}}
	return step{call: call, want: w, made: name}
}

// create is a step whose call writes a new file.
func (d *desk) create(name string, w want) step {
	call := toolCall{tool: "Write", input: map[string]any{"file_path": filepath.Join(d.workspace, name), "content": "new\n"}}
	return step{call: call, want: w, made: name, text: "new"}
}

// read is a step whose call reads a file, which Claude Code demands before an
// edit. No rule speaks of it, and Claude Code allows it.
func (d *desk) read(name string) step {
	call := toolCall{tool: "Read", input: map[string]any{"file_path": filepath.Join(d.workspace, name)}}
	return step{call: call, want: want{rule: "none", runs: true, told: "old"}}
}

// change is a step whose call changes a file.
func (d *desk) change(name string, w want) step {
	call := toolCall{tool: "Edit", input: map[string]any{"file_path": filepath.Join(d.workspace, name), "old_string": "old", "new_string": "changed"}}
	return step{call: call, want: w, made: name, text: "changed"}
}

// files are in the workspace when a session starts.
var files = map[string]string{"notes/allowed.md": "old\n", "notes/denied.md": "old\n", "notes/asked.md": "old\n"}

func TestClaude(t *testing.T) {
	rig := rig{claude: findClaude(t), permctl: buildPermctl(t)}
	fmt.Fprintln(t.Output(), "Claude Code", output(t, exec.CommandContext(t.Context(), rig.claude, "--version")))

	t.Run("nobody to ask", rig.nobody)
	t.Run("person says yes", rig.yes)
	t.Run("person says no", rig.no)
	t.Run("dialogs only", rig.dialogs)
	t.Run("broken settings", rig.broken)
}

// nobody: what is allowed runs without a prompt, and nothing else does.
func (r rig) nobody(t *testing.T) {
	d := r.claudeDesk(t, settings)
	steps := []step{
		bash("allowed", granted),
		bash("denied", refused("mkdir denied")),
		bash("asked", asked("mkdir asked")),
		bash("unnamed", unnamed),
		d.create("notes/allowed-new.md", granted),
		d.create("notes/denied-new.md", refused("notes/denied*")),
		d.create("notes/asked-new.md", asked("notes/asked*")),
		d.read("notes/allowed.md"),
		d.change("notes/allowed.md", granted),
		d.read("notes/denied.md"),
		d.change("notes/denied.md", refused("notes/denied*")),
		d.read("notes/asked.md"),
		d.change("notes/asked.md", asked("notes/asked*")),
	}
	m := newModel(t, script(steps))
	d.runAlone(t, m)
	d.review(t, m, steps)
}

// yes: a person is asked where a rule asks, and only there, and is told which.
func (r rig) yes(t *testing.T) {
	d := r.claudeDesk(t, settings)
	steps := []step{
		bash("allowed", granted),
		bash("denied", refused("mkdir denied")),
		bash("asked", answered),
		d.create("notes/asked-new.md", answered),
		d.read("notes/asked.md"),
		d.change("notes/asked.md", answered),
	}
	m := newModel(t, script(steps))
	questions := d.runWithPerson(t, m, func(question) string { return "allow" })
	d.review(t, m, steps)
	d.wantQuestions(t, questions, source("mkdir asked"), source("notes/asked*"), source("notes/asked*"))
}

// no: what a person forbids does not run.
func (r rig) no(t *testing.T) {
	d := r.claudeDesk(t, settings)
	steps := []step{bash("asked", want{rule: "ask", told: "the person says no"})}
	m := newModel(t, script(steps))
	questions := d.runWithPerson(t, m, func(question) string { return "deny" })
	d.review(t, m, steps)
	d.wantQuestions(t, questions, source("mkdir asked"))
}

// dialogs: where permctl hears only of the dialogs that Claude Code is about to
// show, it closes those that a rule decides, and leaves the others to a person.
func (r rig) dialogs(t *testing.T) {
	d := r.claudeDesk(t, settings)
	d.dialogsOnly(t)
	steps := []step{
		bash("allowed", granted),
		bash("denied", refused("mkdir denied")),
		bash("asked", answered),
		d.create("notes/allowed-new.md", granted),
		d.create("notes/denied-new.md", refused("notes/denied*")),
	}
	m := newModel(t, script(steps))
	d.runWithPerson(t, m, func(q question) string {
		if q.Input["command"] == "mkdir asked" {
			return "allow"
		}
		return ""
	})
	d.review(t, m, steps)
}

// broken: with settings that cannot be read, nothing runs, and the model is
// told where they are wrong, whichever event permctl hears of.
func (r rig) broken(t *testing.T) {
	for _, dialogs := range []bool{false, true} {
		d := r.claudeDesk(t, strings.Replace(settings, ": allow", ": alow", 1))
		if dialogs {
			d.dialogsOnly(t)
		}
		steps := []step{
			bash("allowed", refused("mkdir allowed")),
			d.create("notes/allowed-new.md", want{rule: "deny", told: `"alow"`}),
		}
		m := newModel(t, script(steps))
		d.runWithPerson(t, m, func(question) string { return "" })
		d.review(t, m, steps)
	}
}

// dialogsOnly takes permctl away as the hook for calls, as a person may, and leaves
// it the one for dialogs.
func (d *desk) dialogsOnly(t *testing.T) {
	t.Helper()
	file := filepath.Join(d.home, ".claude", "settings.json")
	text, err := os.ReadFile(file)
	var installed struct {
		Hooks map[string]any `json:"hooks"`
	}
	if err := errors.Join(err, json.Unmarshal(text, &installed)); err != nil {
		t.Fatal(err)
	}
	const dialog = "PermissionRequest"
	if len(installed.Hooks) < 2 || installed.Hooks[dialog] == nil {
		t.Fatalf("the hooks are %v, want one for %s among others", installed.Hooks, dialog)
	}
	installed.Hooks = map[string]any{dialog: installed.Hooks[dialog]}
	write(t, file, asJSON(t, installed))
}

// script returns the calls of steps.
func script(steps []step) []toolCall {
	var calls []toolCall
	for _, s := range steps {
		calls = append(calls, s.call)
	}
	return calls
}

// review compares what happened with what steps want, and prints a table of it.
func (d *desk) review(t *testing.T, m *model, steps []step) {
	t.Helper()
	table := tabwriter.NewWriter(t.Output(), 0, 0, 2, ' ', 0)
	defer table.Flush()
	fmt.Fprintln(table, "TOOL\tON\tRULE\tHAPPENED\tTHE MODEL WAS TOLD")
	for i, s := range steps {
		told, called := m.result(i)
		ran := d.ran(s)
		if s.made == "" {
			ran = called && strings.Contains(told, s.want.told)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", s.call.tool, d.subject(s.call), s.want.rule, outcome(ran), d.short(told))
		if !called {
			t.Errorf("%s %s: the model was told nothing", s.call.tool, d.subject(s.call))
		}
		if ran != s.want.runs || !strings.Contains(told, s.want.told) {
			t.Errorf("%s %s %s, and the model was told %q, want %s, and %q",
				s.call.tool, d.subject(s.call), outcome(ran), told, outcome(s.want.runs), s.want.told)
		}
	}
}

// ran reports whether what the step's call makes is there.
func (d *desk) ran(s step) bool {
	path := filepath.Join(d.workspace, s.made)
	if s.text == "" {
		_, err := os.Stat(path)
		return err == nil
	}
	text, err := os.ReadFile(path)
	return err == nil && strings.Contains(string(text), s.text)
}

// outcome says what became of a call.
func outcome(ran bool) string {
	if ran {
		return "ran"
	}
	return "did not run"
}

// subject returns what call is about, as a person would say it.
func (d *desk) subject(call toolCall) string {
	for _, key := range []string{"command", "file_path"} {
		if text, ok := call.input[key].(string); ok {
			return d.short(text)
		}
	}
	return ""
}

// short returns the first line of text, without the parts of paths that are
// another in each run.
func (d *desk) short(text string) string {
	text = strings.NewReplacer(d.workspace+string(filepath.Separator), "", d.workspace, ".", d.home, "~", d.permctl, "permctl").Replace(text)
	line, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if rest != "" {
		line += " …"
	}
	return line
}

// wantQuestions compares the reasons of questions with the texts that have to
// be in them, one each.
func (d *desk) wantQuestions(t *testing.T, questions []question, texts ...string) {
	t.Helper()
	for _, q := range questions {
		fmt.Fprintf(t.Output(), "the person was asked about %s: %s\n", q.Tool, d.short(q.Reason))
	}
	if len(questions) != len(texts) {
		t.Errorf("the person was asked %d times, want %d", len(questions), len(texts))
		return
	}
	for i, q := range questions {
		if !strings.Contains(q.Reason, texts[i]) {
			t.Errorf("question %d gives the reason %q, want %q in it", i, q.Reason, texts[i])
		}
	}
}
