// Package doctor looks at the coding agents on a machine, and finds out whether
// permctl is really in their way.
//
// It reads what the agents would read, and runs their hook's command as they
// would, with a call that permctl always denies. It changes nothing, and what it
// cannot know it says.
package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/install"
)

// A Machine is where the agents are looked for. Each field has to be set.
type Machine struct {
	// Places are where the agents' files lie.
	Places install.Places

	// Program is the path of this permctl, and Version what it says of itself.
	Program, Version string

	// Wait is how long the hook waits for a person unless its command says
	// otherwise.
	Wait time.Duration

	// Cwd is the folder in which the agents would be started, and Environ their
	// environment, as in [os.Environ].
	Cwd     string
	Environ []string

	// LookPath is as in [os/exec].
	LookPath func(name string) (string, error)

	// Run runs a program to its end, or to the end of its time.
	Run func(ctx context.Context, p Process) hook.Outcome
}

// ErrNoStandIns reports that the trials cannot be made on this operating system.
var ErrNoStandIns = errors.New("the stand-ins for permctl are shell scripts, which this system does not run")

// Examine looks at the agents called names, or if there are none at all that are
// on the machine. If prove is true, it also tries what they do if their hook
// fails in several ways, with stand-ins in a folder of their own. The error is
// one of [install.Find], or [ErrNoStandIns].
func (m Machine) Examine(ctx context.Context, names []string, prove bool) (*Report, error) {
	if prove && runtime.GOOS == "windows" {
		return nil, ErrNoStandIns
	}
	agents := install.Agents
	if len(names) > 0 {
		agents = nil
	}
	for _, name := range names {
		agent, err := install.Find(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(agents, agent) {
			agents = append(agents, agent)
		}
	}
	report := &Report{Permctl: m.Program, Version: m.Version, Workspace: m.Places.Workspace, Guarded: true, Agents: []Agent{}}
	for _, agent := range agents {
		p, err := m.patient(agent)
		if err != nil {
			return nil, err
		}
		p.identify(ctx)
		switch {
		case p.Here:
			p.examine(ctx)
			if prove {
				p.prove(ctx)
			}
		case len(names) == 0:
			continue
		default:
			p.find(Finding{
				Severity: Problem, Text: fmt.Sprintf("it is not here: neither is its program (%s) on PATH, nor is there a folder of its settings", p.habit.programs[0]),
				Hint: "permctl doctor, without a name, looks at the agents that are here",
			})
		}
		p.conclude()
		report.Guarded = report.Guarded && p.Guarded
		report.Agents = append(report.Agents, *p.Agent)
	}
	return report, ctx.Err()
}

// A patient is an agent that is being looked at.
type patient struct {
	*Agent

	m       Machine
	agent   *install.Agent
	dialect *hook.Agent
	habit   habit

	entries []install.Entry // all hooks that the agent finds
	ours    []*own
}

// An own is a hook of permctl's.
type own struct {
	*Hook

	entry install.Entry

	// argv is how the agent starts it, or nil for a plugin, and dir where.
	argv []string
	dir  string

	// callable is whether the dry call may run it, and plugged whether that has run
	// the plugin.
	callable, plugged bool
}

// line returns the command in which permctl is started.
func (o *own) line() string { return cmp.Or(o.entry.Shell, joined(o.entry.Argv)) }

func (m Machine) patient(agent *install.Agent) (*patient, error) {
	habit, known := habits[agent.Name]
	if !known {
		return nil, fmt.Errorf("doctor knows nothing of %s", agent.Name)
	}
	dialect, err := hook.Find(cmp.Or(habit.speaks, agent.Name))
	if err != nil {
		return nil, err
	}
	return &patient{
		Agent: &Agent{
			Name: agent.Name, Title: agent.Title,
			Missing: []string{}, Hooks: []Hook{}, Findings: []Finding{}, Trials: []Trial{},
		},
		m: m, agent: agent, dialect: dialect, habit: habit,
	}, nil
}

// find notes a finding, unless it has been noted already.
func (p *patient) find(f Finding) {
	same := func(other Finding) bool { return other.File == f.File && other.Line == f.Line && other.Text == f.Text }
	if !slices.ContainsFunc(p.Findings, same) {
		p.Findings = append(p.Findings, f)
	}
}

// blame notes what keeps a hook from being heeded.
func (p *patient) blame(o *own, text, hint string) {
	o.Counts = false
	p.find(Finding{Severity: Problem, Text: text, File: o.entry.File, Line: o.entry.Line, Hint: hint, hook: o.Hook})
}

// warn notes what is not so good about a hook.
func (p *patient) warn(o *own, text, hint string) {
	p.find(Finding{Severity: Warning, Text: text, File: o.entry.File, Line: o.entry.Line, Hint: hint, hook: o.Hook})
}

// install is the hint that a new hook would help.
func (p *patient) install() string { return "permctl install " + p.Name }

// reinstall is the hint that a hook would be put right if it were installed again.
func (p *patient) reinstall(o *own) string {
	if o.entry.Scope == install.User || !slices.Contains(p.agent.Scopes(p.m.Places), o.entry.Scope) {
		return p.install()
	}
	return p.install() + " --" + string(o.entry.Scope)
}

// The times that programs other than hooks have.
const (
	versionTime = 30 * time.Second
	callTime    = 30 * time.Second // at most, whatever the agent would wait
)

// identify finds out whether the agent is here, and its version.
func (p *patient) identify(ctx context.Context) {
	for _, name := range p.habit.programs {
		if path, err := p.m.LookPath(name); err == nil {
			p.Program = path
			break
		}
	}
	for _, folder := range p.habit.folders(p.m.Places) {
		if isFolder(folder) {
			p.Folder = folder
			break
		}
	}
	if p.Program == "" && p.Folder == "" {
		p.Folder = p.hooked()
	}
	p.Here = p.Program != "" || p.Folder != ""
	if p.Program == "" {
		return
	}
	outcome, err := p.askVersion(ctx)
	switch text := cmp.Or(firstLine(string(outcome.Stdout)), firstLine(outcome.Stderr)); {
	case err != nil:
		p.find(Finding{Severity: Note, Text: fmt.Sprintf("its version is not known: %v", err), Hint: "set TMPDIR to a folder that can be written to"})
	case outcome.TimedOut:
		p.find(Finding{Severity: Note, Text: fmt.Sprintf("%s --version did not end within %v", p.Program, versionTime)})
	case outcome.Missing || outcome.Status != 0 || text == "":
		p.find(Finding{Severity: Note, Text: p.Program + " --version does not say its version"})
	case slices.ContainsFunc(p.habit.namesakes, func(start string) bool { return strings.HasPrefix(text, start) }):
		p.Program, p.Here = "", p.Folder != ""
	default:
		p.Version = text
	}
}

// hooked returns the folder of a file in which permctl is the agent's hook, as in a
// project for an agent that is elsewhere, or "" if there is none.
func (p *patient) hooked() string {
	entries, _ := install.Entries(p.agent, p.m.Places) // examine tells of errors, if the agent is here
	for _, e := range entries {
		if e.Ours {
			return filepath.Dir(e.File)
		}
	}
	return ""
}

// askVersion runs the agent's program for its version. Some programs make files in
// the user's home even then, and look for a newer version of themselves: so they
// get an empty home, and a proxy that is not there.
func (p *patient) askVersion(ctx context.Context) (hook.Outcome, error) {
	dir, err := os.MkdirTemp("", "permctl-doctor-")
	if err != nil {
		return hook.Outcome{}, err
	}
	defer os.RemoveAll(dir)
	const nowhere = "http://127.0.0.1:9"
	env := []string{"HTTPS_PROXY=" + nowhere, "HTTP_PROXY=" + nowhere, "ALL_PROXY=" + nowhere}
	for _, name := range []string{"HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"} {
		env = append(env, name+"="+dir)
	}
	for _, variable := range p.m.Environ {
		name, _, _ := strings.Cut(variable, "=")
		if !slices.Contains(homeVariables, name) && !slices.ContainsFunc(env, func(own string) bool { return strings.HasPrefix(own, name+"=") }) {
			env = append(env, variable)
		}
	}
	return p.m.Run(ctx, Process{Argv: []string{p.Program, "--version"}, Dir: dir, Env: env, Time: versionTime}), nil
}

// examine looks at the agent's files, and makes the dry calls.
func (p *patient) examine(ctx context.Context) {
	if p.Program == "" {
		p.find(Finding{
			Severity: Note, Text: fmt.Sprintf("its program (%s) is not on PATH, but its folder %s is there", p.habit.programs[0], p.Folder),
			Hint: "if the agent is gone, remove the folder, or name the agents that permctl doctor is to look at",
		})
	}
	p.entries = p.read()
	if p.habit.entries != nil {
		p.entries = append(p.entries, p.habit.entries(p)...)
	}
	for i, e := range p.entries {
		if p.habit.commands != nil {
			e = p.taken(e)
			p.entries[i] = e
		}
		if o := p.own(e); o != nil {
			p.ours = append(p.ours, o)
			p.inspect(ctx, o)
			p.inspectReach(o)
			p.inspectVariables(o)
		}
	}
	if p.habit.check != nil {
		p.habit.check(p)
	}
	for _, o := range p.ours {
		if o.callable {
			p.call(ctx, o)
		}
	}
	p.strangers()
}

// own returns a hook if it is permctl's.
func (p *patient) own(e install.Entry) *own {
	o := &own{entry: e, dir: p.m.Cwd, callable: true, Hook: &Hook{
		Event: e.Event, File: e.File, Line: e.Line, Scope: string(e.Scope), Program: e.Program,
		Seconds: cmp.Or(e.Timeout, p.habit.timeout).Seconds(), Counts: true,
	}}
	switch {
	case !e.Ours:
		return nil
	case p.habit.plugin:
	case p.habit.program:
		o.argv, o.Command = []string{e.File}, e.File
	case e.Argv != nil:
		o.argv, o.Command = e.Argv, joined(e.Argv)
	default:
		o.argv, o.Command = append(p.shell(), e.Shell), e.Shell
	}
	o.FailClosed = p.heeds() && e.FailClosed
	if p.habit.dir != nil {
		o.dir = cmp.Or(p.habit.dir(p, e), p.m.Cwd)
	}
	return o
}

// strangers notes the hooks of others that come beside permctl's, and may change
// a call that it has judged.
func (p *patient) strangers() {
	for _, e := range p.entries {
		known := func(o *own) bool { return o.entry.File == e.File && o.entry.Line == e.Line && o.entry.Event == e.Event }
		f := Finding{
			Severity: Note, Text: "a hook of somebody else on " + e.Event + ": it may change a call after permctl has judged it",
			File: e.File, Line: e.Line, Hint: "look at what it does",
		}
		if len(p.ours) > 0 && p.habit.rewrites && !slices.ContainsFunc(p.ours, known) {
			p.find(f)
		}
	}
}

// conclude says whether the agent is guarded. What is wrong with one hook is no
// more than a warning if another stands in for it.
func (p *patient) conclude() {
	counts := func(event string) bool {
		return slices.ContainsFunc(p.ours, func(o *own) bool { return o.Counts && sameEvent(o.Event, event) })
	}
	for _, event := range p.agent.Events {
		if counts(event) {
			continue
		}
		p.Missing = append(p.Missing, event)
		if p.Here && !p.blamed(event) {
			p.absent(event)
		}
	}
	for i, f := range p.Findings {
		if f.hook != nil && f.Severity == Problem && (counts(f.hook.Event) || p.isExtra(f.hook.Event)) {
			p.Findings[i].Severity = Warning
		}
	}
	slices.SortStableFunc(p.Findings, func(a, b Finding) int { return cmp.Compare(a.Severity.rank(), b.Severity.rank()) })
	p.Guarded = p.Here && !slices.ContainsFunc(p.Findings, func(f Finding) bool { return f.Severity == Problem })
	for _, o := range p.ours {
		p.Hooks = append(p.Hooks, *o.Hook)
	}
}

// blamed reports whether it is known why no hook on event counts.
func (p *patient) blamed(event string) bool {
	return slices.ContainsFunc(p.Findings, func(f Finding) bool {
		return f.Severity == Problem && (f.off || f.hook != nil && sameEvent(f.hook.Event, event))
	})
}

// isExtra reports whether a hook on event makes no call safer than another does.
func (p *patient) isExtra(event string) bool {
	return slices.ContainsFunc(p.habit.extra, func(extra string) bool { return sameEvent(extra, event) })
}

// absent notes that there is no hook on event.
func (p *patient) absent(event string) {
	f := Finding{Severity: Problem, Text: "permctl has no hook on " + event, Hint: p.install()}
	if p.isExtra(event) {
		f.Severity = Warning
	}
	p.find(f)
}

// sameEvent reports whether two names are of one event, which some agents spell
// in two ways.
func sameEvent(a, b string) bool { return strings.EqualFold(a, b) }

func (s Severity) rank() int { return slices.Index([]Severity{Problem, Warning, Note}, s) }

// errorsIn returns the errors that err joins.
func errorsIn(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// below returns a path in a folder, or nothing if there is no folder.
func below(folder string, path ...string) string {
	if folder == "" {
		return ""
	}
	return filepath.Join(append([]string{folder}, path...)...)
}
