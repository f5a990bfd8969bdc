package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/regular"
	"github.com/permctl/permctl/internal/shim"
)

// hanging is how long a hook that hangs is waited for. The agents wait longer,
// and what they do then does not depend on how long.
const hanging = 500 * time.Millisecond

// standIns are what takes permctl's place in the trials: what a shell is told to
// do. With nothing, there is no program.
var standIns = []struct {
	name   Case
	script string
}{
	{Missed, ""},
	{Hangs, "exec sleep 3600"},
	{Fails, "cat > /dev/null; echo 'the stand-in fails' >&2; exit 1"},
	{Quiet, "cat > /dev/null; exit 1"},
	{Killed, "cat > /dev/null; kill -KILL $$"},
	{Text, "cat > /dev/null; echo 'all is well'"},
	{Silent, "cat > /dev/null"},
	{JSON, `cat > /dev/null; echo '{"permctl": "stand-in"}'`},
}

// prove tries what the agent does if permctl fails, by each of its hooks that a
// dry call was made with. None of the agent's files is touched.
func (p *patient) prove(ctx context.Context) {
	dir, err := os.MkdirTemp("", "permctl-doctor-")
	if err == nil {
		defer os.RemoveAll(dir)
		err = p.makeStandIns(ctx, dir)
	}
	if err != nil {
		p.find(Finding{Severity: Warning, Text: fmt.Sprintf("nothing was proven: the stand-ins for permctl cannot be run: %v", err), Hint: "set TMPDIR to a folder in which programs can be run"})
		return
	}
	done := map[string]bool{}
	for _, o := range p.ours {
		payload, err := p.canary(o.Event)
		how := fmt.Sprint(o.Event, o.FailClosed, o.Command, o.dir)
		if err != nil || payload == nil || o.Call == "" || done[how] {
			continue
		}
		done[how] = true
		p.Trials = append(p.Trials, Trial{Event: o.Event, Case: Answers, Effect: o.Call, Plugin: o.plugged})
		for _, s := range standIns {
			trial, err := p.try(ctx, o, s.name, filepath.Join(dir, string(s.name), "permctl"), payload)
			if err != nil {
				p.warn(o, fmt.Sprintf("what comes of it if permctl %s was not tried: %v", s.name, err), "permctl doctor --prove "+p.Name)
				continue
			}
			p.Trials = append(p.Trials, trial)
		}
	}
	if p.habit.plugin && len(p.Trials) > 0 && !p.Trials[len(p.Trials)-1].Plugin {
		p.find(Finding{
			Severity: Note, Text: "the plugin itself was not run, and the trials say what it does by how permctl has ended",
			Hint: "put node on PATH",
		})
	}
}

// runnable is the mode of a stand-in, which nobody else may change.
var runnable fs.FileMode = 0o700

// makeStandIns writes the stand-ins, each into a folder of its own in dir, and
// sees whether they can be run.
func (p *patient) makeStandIns(ctx context.Context, dir string) error {
	for _, s := range standIns {
		folder := filepath.Join(dir, string(s.name))
		if err := os.Mkdir(folder, 0o700); err != nil {
			return err
		}
		if s.script == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, "permctl"), []byte("#!/bin/sh\n"+s.script+"\n"), runnable); err != nil {
			return err
		}
	}
	silent := Process{Argv: []string{filepath.Join(dir, string(Silent), "permctl")}, Dir: dir, Env: p.m.Environ, Time: versionTime}
	if outcome := p.m.Run(ctx, silent); outcome.Missing || outcome.TimedOut || outcome.Status != 0 {
		return fmt.Errorf("one %s", ending(outcome, versionTime))
	}
	return nil
}

// try runs a hook with a stand-in as its program.
func (p *patient) try(ctx context.Context, o *own, name Case, standIn string, payload []byte) (Trial, error) {
	trial, wait := Trial{Event: o.Event, Case: name}, o.patience()
	if name == Hangs {
		wait, trial.Seconds = hanging, hanging.Seconds()
	}
	if p.habit.plugin {
		trial.Effect, trial.Plugin = p.tryPlugin(ctx, o, standIn, payload, wait)
		return trial, nil
	}
	argv, err := p.replaced(o, standIn)
	if err != nil {
		return trial, err
	}
	trial.Effect = p.tell(ctx, o, argv, payload, wait).effect
	return trial, nil
}

// replaced returns how the agent would start the hook if a stand-in were its
// program.
func (p *patient) replaced(o *own, standIn string) ([]string, error) {
	command := quoted(standIn) + arguments(o.entry.Shell)
	switch {
	case o.entry.Argv != nil:
		return append([]string{standIn}, o.entry.Argv[1:]...), nil
	case !p.habit.program:
		return append(p.shell(), command), nil
	}
	text, _, err := regular.Read(o.entry.File, maxFile)
	if err != nil {
		return nil, err
	}
	return []string{"bash", "-c", strings.Replace(string(text), o.entry.Shell, command, 1)}, nil
}

// patienceLine is the line of permctl's plugins that says how long they wait.
const patienceLine = "const longest = 70_000"

// tryPlugin runs the plugin with a stand-in, and reports whether it was the
// plugin that was run.
func (p *patient) tryPlugin(ctx context.Context, o *own, standIn string, payload []byte, wait time.Duration) (hook.Effect, bool) {
	text, err := shim.Text(p.Name, standIn)
	if err == nil {
		text := strings.Replace(string(text), patienceLine, fmt.Sprintf("const longest = %d", wait.Milliseconds()), 1)
		if told, ok := p.load(ctx, o, []byte(text), payload, callTime+wait); ok {
			return told.effect, true
		}
	}
	return p.tell(ctx, o, []string{standIn, "hook", p.dialect.Name}, payload, wait).effect, false
}
