package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/install"
	"github.com/permctl/permctl/internal/regular"
	"github.com/permctl/permctl/internal/shim"
)

// inspect looks at a hook of permctl's by itself.
func (p *patient) inspect(ctx context.Context, o *own) {
	if o.entry.Flaw != "" {
		hint := p.reinstall(o)
		if onLine.MatchString(o.entry.Flaw) {
			hint = "put the file right" // it is not this hook that is wrong
		}
		p.blame(o, "the hook does not guard: "+o.entry.Flaw, hint)
	} else if !p.habit.plugin {
		p.inspectTime(o)
	}
	if p.habit.plugin {
		p.inspectPlugin(o)
	}
	if closed := p.dialect.FailClosed(); closed != "" && p.heeds() && !o.FailClosed && !p.isExtra(o.Event) {
		p.warn(o, fmt.Sprintf("the hook has no %s: if permctl fails, the call goes on without it", closed), p.reinstall(o))
	}
	p.inspectFlags(o)
	p.inspectProgram(ctx, o)
}

// harmless are the flags of a hook by which it is not more easily allowed.
var harmless = []string{"wait", "deadline", "event", "own-prompt", "non-interactive"}

// inspectFlags looks at what a hook's own flags make of permctl's answers. A
// project's hook with more of them than need be is not run.
func (p *patient) inspectFlags(o *own) {
	for _, flag := range o.entry.Flags() {
		if slices.Contains(harmless, flag.Name) || flag.Name == "home" && flag.Value == p.m.Places.Home {
			continue
		}
		text := fmt.Sprintf("the hook's own --%s %s has a say in what permctl answers, beside your settings", flag.Name, flag.Value)
		if o.entry.Scope == install.Project {
			o.callable = false
			p.blame(o, text, p.reinstall(o))
			continue
		}
		p.warn(o, text, "take it out, unless you want it so")
	}
}

// heeds reports whether the agent heeds the setting that makes it refuse a call
// when its hook fails, as far as it has one.
func (p *patient) heeds() bool { return p.habit.closes == nil || p.habit.closes(p.Version) }

// inspectTime looks at how long the agent waits.
func (p *patient) inspectTime(o *own) {
	wait := time.Duration(o.Seconds * float64(time.Second))
	deadline := option(o.line(), "--deadline", hook.DefaultDeadline)
	person := option(o.line(), "--wait", p.m.Wait)
	switch {
	case wait == 0:
	case wait <= deadline:
		p.blame(o, fmt.Sprintf("the agent waits %v, and permctl may take %v to decide: the call goes on before that", wait, deadline),
			p.reinstall(o))
	case wait <= deadline+person:
		p.warn(o, fmt.Sprintf("the agent waits %v, and permctl %v for a person: the call may go on before anybody has answered", wait, person),
			fmt.Sprintf("have the command end earlier: --wait %v", max(0, (wait-deadline-2*time.Second).Truncate(time.Second))))
	}
}

// inspectPlugin looks at whether the plugin is as this permctl would write it.
func (p *patient) inspectPlugin(o *own) {
	text, _, err := regular.Read(o.entry.File, maxFile)
	want, wantErr := shim.Text(p.Name, o.entry.Program)
	switch {
	case err != nil || wantErr != nil:
		o.callable = false
		p.blame(o, fmt.Sprintf("the plugin cannot be compared: %v", errors.Join(err, wantErr)), p.reinstall(o))
	case string(text) != string(want):
		o.callable = false
		p.blame(o, "the plugin is not what this permctl would write, and what it does nobody knows: somebody has changed it, or another version of permctl wrote it", p.reinstall(o))
	}
}

// inspectProgram looks at the permctl that a hook starts.
func (p *patient) inspectProgram(ctx context.Context, o *own) {
	program := o.entry.Program
	switch {
	case program == "":
		o.callable = false
		p.blame(o, "the hook starts no permctl", p.reinstall(o))
		return
	case filepath.Base(program) == program:
		found, err := p.m.LookPath(program)
		if err != nil {
			o.callable = false
			p.blame(o, fmt.Sprintf("the hook's program %s is not on PATH", program), p.reinstall(o))
			return
		}
		p.warn(o, fmt.Sprintf("the hook starts whatever %s is on the agent's PATH, which is %s here", program, found), p.reinstall(o))
		program = found
	case !filepath.IsAbs(program):
		o.callable = false
		p.blame(o, fmt.Sprintf("where %s is depends on the folder that the agent works in", program), p.reinstall(o))
		return
	}
	o.Program = program
	if reason := notRunnable(program); reason != "" {
		p.blame(o, fmt.Sprintf("the hook's program %s %s", program, reason), p.reinstall(o))
		return
	}
	if sameFile(program, p.m.Program) {
		return
	}
	if o.entry.Scope == install.Project {
		o.callable = false
		p.blame(o, fmt.Sprintf("the hook is the project's, and starts %s, which is another program than this one and was therefore not run", program),
			"look at what that is: "+p.reinstall(o)+" has it start this permctl")
		return
	}
	p.compare(ctx, o, program)
}

// compare finds out which version another permctl is.
func (p *patient) compare(ctx context.Context, o *own, program string) {
	outcome := p.m.Run(ctx, Process{Argv: []string{program, "version"}, Dir: p.m.Cwd, Env: p.m.Environ, Time: versionTime})
	switch said := firstLine(string(outcome.Stdout)); {
	case outcome.Missing || outcome.TimedOut || outcome.Status != 0 || !strings.HasPrefix(said, "permctl "):
		p.warn(o, fmt.Sprintf("the hook's program %s does not say that it is a permctl", program), p.reinstall(o))
	case said != p.m.Version:
		p.warn(o, fmt.Sprintf("the hook's program %s is %s, and this one is %s", program, said, p.m.Version), p.reinstall(o)+" has it start this one")
	}
}

// notRunnable says why a program cannot be started, or nothing.
func notRunnable(program string) string {
	info, err := os.Stat(program)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "does not exist"
	case err != nil:
		return "cannot be looked at: " + err.Error()
	case info.IsDir():
		return "is a folder"
	}
	if _, err := exec.LookPath(program); err != nil && runtime.GOOS != "windows" {
		return "is not executable"
	}
	return ""
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
