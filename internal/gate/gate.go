// Package gate is the whole way of a decision: a tool call goes in, settings,
// policies and approvals are found, and the decision on the call comes out.
//
// It joins the other packages and judges nothing itself. With an error, the
// decision is always a deny.
package gate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/permctl/permctl/internal/bundle"
	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/settings"
	"github.com/permctl/permctl/internal/workspace"
)

// A Config says where a gate finds what it decides by. The zero value of each
// field is what a user expects who says nothing.
type Config struct {
	// Dirs are the user's folders. They must be set.
	Dirs settings.Dirs

	// Start is the directory whose workspace counts. If empty, it is each
	// call's own.
	Start string

	// Workspace is the workspace's root. If empty, it is the nearest ancestor
	// of Start with .permctl or .git, or Start itself.
	Workspace string

	// GlobalSettings and ProjectSettings are settings files to be read instead
	// of those at the usual places. A project's file that is named here is
	// trusted.
	GlobalSettings, ProjectSettings string

	// TrustProject makes a project's own settings and policies count in full,
	// so that a project can be tested before it is trusted.
	TrustProject bool

	// Policies are folders of policy beside the usual ones.
	Policies []string

	// Approvals is the approvals file. If empty, the project's own one counts,
	// and the one for all projects.
	Approvals string

	// Preset and Permission are the values of the flags.
	Preset     string
	Permission []string

	// NonInteractive is true if there is nobody to ask.
	NonInteractive bool

	// Port is the loopback port of the daemon, which no agent may reach. If zero,
	// it is what a daemon has noted in Dirs.State, if one has.
	Port int

	// Socket is the daemon's socket, if that is not the usual one.
	Socket string

	// Guards are files beside permctl's own that no agent may change, and
	// Variables what may lead shell text to them.
	Guards    []input.Guard
	Variables map[string]string

	// User and Host are who runs the agent, and where.
	User input.User
	Host input.Host

	// Clock tells the time. If nil, it is [time.Now].
	Clock func() time.Time
}

func (c Config) now() time.Time {
	if c.Clock == nil {
		return time.Now()
	}
	return c.Clock()
}

// A Gate decides calls. What it has read once it keeps: a change of settings
// is seen by the next gate. It is safe for concurrent use.
type Gate struct {
	config  Config
	global  *settings.File
	sources []engine.Source // the user's
	flags   []permission.Rule

	// variables are those by which shell text may name them.
	variables map[string]string
	warnings  []string

	found *projects
}

// projects are those that have been needed, by the directory that they were found
// from.
type projects struct {
	mu     sync.Mutex // guards what follows
	of     map[string]*Project
	broken map[string]trouble // those that a later reading could not read
	own    seen               // what the user's own files looked like
}

// A trouble is a project that has been in use and cannot be read any more.
type trouble struct {
	project *Project // as far as it was read
	err     error
}

// Open reads what does not depend on the call. Its errors name the file and
// line, or the flag.
func Open(config Config) (*Gate, error) {
	if config.Port == 0 {
		config.Port = notedPort(config.Dirs.State)
	}
	g := &Gate{config: config, variables: config.variables()}
	g.found = &projects{of: map[string]*Project{}, broken: map[string]trouble{}, own: look(config.reads())}
	if err := g.readPolicies(); err != nil {
		return nil, err
	}
	var err error
	if g.global, err = g.readGlobal(); err != nil {
		return nil, err
	}
	if config.Preset != "" {
		if err := settings.CheckPreset(config.Preset, g.presets()); err != nil {
			return nil, fmt.Errorf("--permission-preset: %w", err)
		}
	}
	g.flags, g.warnings, err = settings.ParsePermissionFlag(config.Permission, g.options())
	return g, err
}

// From returns the gate for calls whose workspace is that of a directory, wherever
// they run. It shares all that has been read. Without a directory it is the gate
// itself.
func (g *Gate) From(start string) *Gate {
	if start == "" {
		return g
	}
	from := *g
	from.config.Start = start
	return &from
}

func (g *Gate) options() settings.Options {
	return settings.Options{Home: g.config.Dirs.Home, Presets: g.presets(), PermissionOf: input.PermissionOf}
}

// presets returns the names of the shipped presets and of those that the
// user's policies add.
func (g *Gate) presets() []string { return engine.PresetsOf(g.sources) }

// readGlobal returns the user's settings, or nil if there are none.
func (g *Gate) readGlobal() (*settings.File, error) {
	path := g.config.GlobalSettings
	if path == "" {
		found, err := settings.Find(g.config.Dirs.Config)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		path = found
	}
	return settings.Read(path, g.options())
}

// readPolicies reads the user's own policy folder, which need not exist, and
// those that flags name, which must.
func (g *Gate) readPolicies() error {
	own := filepath.Join(g.config.Dirs.Config, "policy")
	if _, err := os.Lstat(own); !errors.Is(err, fs.ErrNotExist) {
		if err := g.readPolicy(own); err != nil {
			return err
		}
	}
	for _, dir := range g.config.Policies {
		info, err := os.Stat(dir)
		if err != nil {
			return fmt.Errorf("--policy: %w", err)
		}
		if !info.IsDir() {
			return fmt.Errorf("--policy %s: is no folder: name the folder that the .rego files are in", dir)
		}
		known := len(g.sources)
		if err := g.readPolicy(dir); err != nil {
			return err
		}
		if len(g.sources) == known {
			return fmt.Errorf("--policy %s: there is no policy in it: neither a .rego file nor data.json or data.yaml", dir)
		}
	}
	return nil
}

func (g *Gate) readPolicy(dir string) error {
	if _, err := os.ReadDir(dir); err != nil {
		return err // which names the folder
	}
	b, err := bundle.Read(os.DirFS(dir), dir)
	if err != nil {
		return err
	}
	if len(b.Modules) > 0 || len(b.Data) > 0 {
		g.sources = append(g.sources, engine.Source{Name: dir, Trust: permission.TrustUser, Modules: b.Modules, Data: b.Data})
	}
	return nil
}

// Decide returns the decision on the call. Without a person, what would be
// asked is denied. With an error the decision is always [permission.Deny].
func (g *Gate) Decide(ctx context.Context, call input.Call) (permission.Decision, error) {
	j, err := g.Judge(ctx, call)
	if err != nil || j.Action != permission.Ask || g.Interactive(call) {
		return j.Decision, err
	}
	return j.Nobody(ctx), nil
}

// Explain is Decide, and returns also the rules with which just this call would
// be allowed: that has been tried. There are none if no rule for it helps, or if
// what it is about holds a character that a rule would take for a wildcard.
func (g *Gate) Explain(ctx context.Context, call input.Call) (permission.Decision, []permission.Rule, error) {
	j, err := g.Judge(ctx, call)
	if err != nil || j.Action == permission.Allow {
		return j.Decision, nil, err
	}
	rules := j.Remedy(ctx)
	if j.Action == permission.Ask && !g.Interactive(call) {
		return nobody(j.Decision, rules), rules, nil
	}
	return j.Decision, rules, nil
}

// A Judgement is what the rules and policies say of a call, whether there is
// somebody to ask or not.
type Judgement struct {
	permission.Decision

	// Document is what the call is about, or nil if that cannot be told.
	Document *input.Document

	// Project is the call's, or nil if it cannot be read.
	Project *Project

	policy *engine.Engine
}

// Judge returns what the rules and policies say of the call, with approvals
// beside those of the files. With an error, the decision is always a deny.
func (g *Gate) Judge(ctx context.Context, call input.Call, approved ...permission.Rule) (Judgement, error) {
	var j Judgement
	err := g.judge(ctx, &j, call, approved)
	if err != nil {
		j.Decision = engine.Failed(j.Document, err)
	}
	return j, err
}

func (g *Gate) judge(ctx context.Context, j *Judgement, call input.Call, approved []permission.Rule) (err error) {
	if j.Project, err = g.Project(call); err != nil {
		return err
	}
	if j.Document, err = j.Project.Document(call); err != nil {
		return err
	}
	if j.policy, err = j.Project.Engine(call.Agent); err != nil {
		return err
	}
	if j.Decision, err = j.policy.Eval(ctx, j.Document); err != nil || j.Action != permission.Ask || len(approved) == 0 {
		return err
	}
	if j.policy, err = j.policy.Approving(approved); err != nil {
		return err
	}
	j.Decision, err = j.policy.Eval(ctx, j.Document)
	return err
}

// Remedy returns the rules with which just this call would be allowed: that has
// been tried. There are none if no rule for it helps.
func (j Judgement) Remedy(ctx context.Context) []permission.Rule {
	return remedy(ctx, j.policy, j.Document, j.Decision)
}

// Nobody returns the deny for an ask that nobody can answer.
func (j Judgement) Nobody(ctx context.Context) permission.Decision {
	return nobody(j.Decision, j.Remedy(ctx))
}

// Interactive reports whether there may be a person to ask about the call.
func (g *Gate) Interactive(call input.Call) bool {
	if call.Interactive != nil && !*call.Interactive {
		return false
	}
	return !g.config.NonInteractive
}

// nobody returns the deny for an ask that nobody can answer.
func nobody(d permission.Decision, remedy []permission.Rule) permission.Decision {
	d.Action = permission.Deny
	d.Reason = "a person has to say, and there is none: " + d.Reason
	if len(remedy) > 0 {
		d.Reason += "; with " + strings.Join(Written(remedy), " and ") + " in settings it would be allowed"
	}
	return d
}

// Project returns the project of the call: its workspace, and what is decided
// by in it.
func (g *Gate) Project(call input.Call) (*Project, error) {
	start, err := g.start(call.Cwd)
	if err != nil {
		return nil, err
	}
	p, err := g.project(start)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// project returns the project of a directory. With an error it is what could be
// read of it, or nil.
func (g *Gate) project(start string) (*Project, error) {
	g.found.mu.Lock()
	defer g.found.mu.Unlock()
	if p, ok := g.found.of[start]; ok {
		return p, nil
	}
	root := start
	if g.config.Workspace == "" {
		root = workspace.Find(start)
	}
	p, ok := g.found.of[root]
	if !ok {
		var err error
		if p, err = g.readProject(root); err != nil {
			return p, err
		}
	}
	g.found.of[start], g.found.of[root] = p, p
	return p, nil
}

// start returns the directory from which the workspace of a call in cwd is
// looked for, or the workspace itself if it is given.
func (g *Gate) start(cwd string) (string, error) {
	start := cmp.Or(g.config.Workspace, g.config.Start, cwd)
	if !filepath.IsAbs(start) {
		return "", fmt.Errorf("the directory %q is not absolute: give the call its cwd", start)
	}
	return filepath.Clean(start), nil
}

// variables returns the environment variables that lead to what is guarded.
func (c Config) variables() map[string]string {
	found := map[string]string{
		"HOME": c.Dirs.Home, "XDG_CONFIG_HOME": filepath.Dir(c.Dirs.Config), "XDG_STATE_HOME": filepath.Dir(c.Dirs.State),
	}
	maps.Copy(found, c.Variables)
	return found
}

// guards returns permctl's own files and folders, and those of the configuration, as
// they are named and as they really are.
func (c Config) guards(w *workspace.Workspace) []input.Guard {
	guards := []input.Guard{
		{Path: c.Dirs.Config, What: "permctl's settings"},
		{Path: c.GlobalSettings, What: "permctl's settings"},
		{Path: c.ProjectSettings, What: "permctl's settings"},
		{Path: c.Dirs.State, What: "permctl's approvals"},
	}
	if c.Approvals != "" {
		for _, path := range c.store(c.Approvals).Files() {
			guards = append(guards, input.Guard{Path: path, What: "permctl's approvals"})
		}
	}
	for _, dir := range append([]string{filepath.Join(c.Dirs.Config, "policy")}, c.Policies...) {
		guards = append(guards, input.Guard{Path: dir, What: "permctl's policies"})
	}
	guards = append(guards, c.Guards...)
	guards = slices.DeleteFunc(guards, func(g input.Guard) bool { return g.Path == "" })
	for _, g := range guards {
		if real := w.Resolve(w.Root(), g.Path).Real; real != "" && real != g.Path {
			guards = append(guards, input.Guard{Path: real, What: g.What})
		}
	}
	return guards
}
