package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/bundle"
	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/settings"
	"github.com/permctl/permctl/internal/workspace"
)

// A Project is a workspace with its settings, policies and approvals, as they
// were when they were first needed. It is safe for concurrent use.
type Project struct {
	gate      *Gate
	workspace *workspace.Workspace
	file      *settings.File
	trusted   bool
	trust     settings.TrustStatus
	sources   []engine.Source
	stores    Stores
	files     atomic.Pointer[seen]     // what the project's own looked like when they were read
	approved  atomic.Pointer[readings] // what the stores held when they were last read
	tables    *bash.Tables
	guards    []input.Guard
	warnings  []string

	reading sync.Mutex // held by one reading of the stores at a time

	mu       sync.Mutex                // guards what follows
	engines  map[string]*engine.Engine // by agent
	compiled *engine.Engine            // one of them, or one before; nil if there was none
	expires  time.Time                 // when the first approval of the engines does; zero if none
}

// readProject reads a project. With an error it is what could be read of it, or
// nil.
func (g *Gate) readProject(root string) (*Project, error) {
	w, err := workspace.New(root, g.config.Dirs.Home)
	if err != nil {
		return nil, err
	}
	p := &Project{gate: g, workspace: w, guards: g.config.guards(w), engines: map[string]*engine.Engine{}}
	p.look()
	if err := p.readSettings(); err != nil {
		return p, err
	}
	if err := p.readApprovals(); err != nil {
		return p, err
	}
	p.tables = p.Settings("").Tables()
	return p, nil
}

// look notes what the project's own files look like, before they are read.
func (p *Project) look() {
	paths := []string{filepath.Join(p.workspace.RealRoot(), ".permctl")}
	if path := p.gate.config.ProjectSettings; path != "" {
		paths = append(paths, path)
	}
	s := look(paths)
	p.files.Store(&s)
}

// seen returns what the project's files and approvals looked like.
func (p *Project) seen() []seen {
	all := []seen{*p.files.Load()}
	if r := p.approved.Load(); r != nil {
		all = append(all, r.seen)
	}
	return all
}

// readSettings reads the project's own settings and policies, of which the
// parts that allow count only if a person has trusted just these files.
func (p *Project) readSettings() error {
	snapshot, err := p.snapshot()
	if err != nil {
		return err
	}
	store := settings.TrustStore{Dir: filepath.Join(p.gate.config.Dirs.State, "trusted")}
	status, changes, err := store.Status(snapshot)
	if err != nil {
		p.warnings = append(p.warnings, fmt.Sprintf("the project counts as untrusted: %v", err))
	}
	if len(changes) > 0 {
		p.warnings = append(p.warnings, "the project's settings are not those that were trusted: "+strings.Join(changes, ", "))
	}
	p.trust, p.trusted = status, status == settings.Trusted || p.gate.config.TrustProject
	if err := p.readOwnPolicies(snapshot); err != nil {
		return err
	}
	options := p.gate.options()
	options.Project, options.Presets = true, engine.PresetsOf(slices.Concat(p.gate.sources, p.sources))
	if path := p.gate.config.ProjectSettings; path != "" {
		p.trusted = true
		p.file, err = settings.Read(path, options)
		return err
	}
	p.file, err = snapshot.Settings(options)
	return err
}

// snapshot returns the project's own files. A folder that is not there, as a
// call may name one, holds none.
func (p *Project) snapshot() (*settings.Project, error) {
	root := p.workspace.RealRoot()
	if _, err := os.Lstat(root); errors.Is(err, fs.ErrNotExist) {
		return &settings.Project{Root: root}, nil
	}
	return settings.ReadProject(root)
}

func (p *Project) readOwnPolicies(snapshot *settings.Project) error {
	b := bundle.New()
	for _, f := range snapshot.Policies() {
		if err := b.Add(filepath.Join(p.workspace.Root(), ".permctl", "policy"), strings.TrimPrefix(f.Name, "policy/"), f.Data); err != nil {
			return err
		}
	}
	trust := permission.TrustNone
	if p.trusted {
		trust = permission.TrustProject
	}
	if len(b.Modules) > 0 || len(b.Data) > 0 {
		p.sources = append(p.sources, engine.Source{Name: "the project's policy", Trust: trust, Modules: b.Modules, Data: b.Data})
	}
	return nil
}

// Settings returns the settings and flags that count for the agent.
func (p *Project) Settings(agent string) settings.Config {
	return settings.Config{
		Global: p.gate.global, Project: p.file, ProjectTrusted: p.trusted, Agent: agent,
		Preset: p.gate.config.Preset, Flags: p.gate.flags,
	}
}

// Document returns the document of a call.
func (p *Project) Document(call input.Call) (*input.Document, error) {
	config := p.gate.config
	return input.New(call, input.Env{
		Workspace: p.workspace, User: config.User, Host: config.Host, Now: config.now(), Tables: p.tables,
		Variables: p.gate.variables, Guards: p.guards, Port: config.Port, Socket: config.Socket,
	})
}

// Engine returns the engine that decides the agent's calls. An empty agent is
// one without settings of its own.
func (p *Project) Engine(agent string) (*engine.Engine, error) {
	if !p.Settings(agent).OfAgent() {
		agent = ""
	}
	if err := p.approved.Load().err; err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expireLocked()
	if e, ok := p.engines[agent]; ok {
		return e, nil
	}
	var e *engine.Engine
	var err error
	config := p.Config(agent)
	if p.compiled != nil {
		e, err = p.compiled.With(config.Layers, config.ReadOnlyAgents)
	} else {
		e, err = engine.New(config)
	}
	if err != nil {
		return nil, err
	}
	p.engines[agent], p.compiled = e, e
	return e, nil
}

// Config returns what decides the agent's calls.
func (p *Project) Config(agent string) engine.Config {
	config := p.Settings(agent)
	readOnly := []string{}
	if config.ReadOnly() {
		readOnly = append(readOnly, agent)
	}
	return engine.Config{
		Layers:            append(config.Layers(), p.approvals()...),
		Sources:           slices.Concat(p.gate.sources, p.sources),
		ReadOnlyAgents:    readOnly,
		ApprovalsBeatDeny: config.ApprovalsBeatDeny(),
		PlanFiles:         config.PlanFiles(p.workspace.RealRoot(), p.gate.config.Dirs.Home),
		Tables:            p.tables.Document,
		Added:             p.tables,
	}
}

// Root returns the root of the project's workspace.
func (p *Project) Root() string { return p.workspace.Root() }

// Trust returns whether a person has trusted the project's own settings.
func (p *Project) Trust() settings.TrustStatus { return p.trust }

// Warnings are what is not wrong with settings and approvals but hardly meant.
func (p *Project) Warnings() []string {
	return slices.Concat(p.gate.warnings, p.Settings("").Warnings(), p.warnings)
}
