package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/permctl/permctl/internal/approvals"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/workspace"
)

// Stores are where approvals are kept, by what they count for. The two are the
// same one if [Config].Approvals names it.
type Stores struct {
	Project *approvals.Store // one project
	Global  *approvals.Store // every project
}

// of returns the store for every project, or for one.
func (s Stores) of(global bool) *approvals.Store {
	if global {
		return s.Global
	}
	return s.Project
}

// all returns the stores, lowest first and each once.
func (s Stores) all() []*approvals.Store {
	if s.Global == s.Project {
		return []*approvals.Store{s.Project}
	}
	return []*approvals.Store{s.Global, s.Project}
}

// Stores returns where the approvals are that count in the workspace with the
// root. It reads none of them.
func (c Config) Stores(root string) (Stores, error) {
	w, err := workspace.New(root, c.Dirs.Home)
	if err != nil {
		return Stores{}, err
	}
	return c.stores(w), nil
}

func (c Config) stores(w *workspace.Workspace) Stores {
	project := c.Approvals
	if project == "" {
		sum := sha256.Sum256([]byte(w.RealRoot()))
		project = filepath.Join(c.approved(), hex.EncodeToString(sum[:])+".jsonl")
	}
	stores := Stores{Project: c.store(project)}
	stores.Project.Legacy = filepath.Join(w.RealRoot(), ".senpi", "permissions-approved.jsonl")
	stores.Global = stores.Project
	if c.Approvals == "" {
		stores.Global = c.store(filepath.Join(c.approved(), "global.jsonl"))
	}
	return stores
}

// approved returns the folder of permctl's own approvals files.
func (c Config) approved() string { return filepath.Join(c.Dirs.State, "approved") }

func (c Config) store(path string) *approvals.Store {
	return &approvals.Store{Path: path, Own: path != c.Approvals, Clock: c.now}
}

// An approved is what one store has approved.
type approved struct {
	store *approvals.Store
	found []approvals.Approval
}

func (p *Project) readApprovals() error {
	p.stores = p.gate.config.stores(p.workspace)
	if path := p.gate.config.Approvals; path != "" {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			p.warnings = append(p.warnings, fmt.Sprintf("--approvals %s: no such file, so that nothing is approved", path))
		}
	}
	r := p.readStores()
	for _, problem := range r.problems {
		p.warnings = append(p.warnings, problem.Error())
	}
	p.approved.Store(r)
	return r.err
}

// readings are what the stores held, and what their files looked like before they
// were read. With an error, nothing can be decided by them.
type readings struct {
	seen     seen
	approved []approved
	problems []error // with lines
	err      error
}

// readStores reads what is approved.
func (p *Project) readStores() *readings {
	var paths []string
	for _, store := range p.stores.all() {
		paths = append(paths, store.Reads()...)
	}
	r := &readings{seen: look(paths)}
	for _, store := range p.stores.all() {
		found, wrong, err := store.Read()
		if err != nil {
			r.err = fmt.Errorf("approvals: %w", err)
			return r
		}
		r.problems = append(r.problems, wrong...)
		r.approved = append(r.approved, approved{store, found})
	}
	return r
}

// Approve saves approvals, in the project or for all of them. A zero until is for
// good. They count when [Gate.ReadApprovals] has been called. With an error that
// does not come from writing them, nothing is saved: neither if ctx ends before, nor
// if what is approved so far cannot be read.
func (p *Project) Approve(ctx context.Context, rules []permission.Rule, global bool, until time.Time) error {
	if err := p.readStores().err; err != nil {
		return err
	}
	return p.stores.of(global).Append(ctx, rules, until)
}

// Revoke takes back an approval, and reports whether there was one. It counts no
// more when [Gate.ReadApprovals] has been called.
func (p *Project) Revoke(ctx context.Context, name, pattern string, global bool) (bool, error) {
	revoked, err := p.stores.of(global).Revoke(ctx, name, pattern)
	return len(revoked) > 0, err
}

// ReadApprovals decides by what is now approved, in all projects needed so far. A
// project whose approvals cannot be read denies everything until they can.
func (g *Gate) ReadApprovals() error {
	var errs []error
	for _, p := range g.Projects() {
		errs = append(errs, p.readAgain())
	}
	return errors.Join(errs...)
}

// readAgain decides by what is now approved.
func (p *Project) readAgain() error {
	p.reading.Lock()
	defer p.reading.Unlock()
	r := p.readStores()
	p.approved.Store(r)
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.engines)
	return r.err
}

// An Approved is an approval, and whether it counts for every project.
type Approved struct {
	approvals.Approval

	Global bool
}

// Approved returns the approvals that hold, as they were last read.
func (p *Project) Approved() []Approved {
	now := p.gate.config.now()
	var list []Approved
	for _, a := range p.approved.Load().approved {
		for _, approval := range a.found {
			if !approval.Expired(now) {
				list = append(list, Approved{approval, a.store == p.stores.Global && p.stores.Global != p.stores.Project})
			}
		}
	}
	return list
}

// approvals returns the layers of the approvals that have not expired. A file
// for all projects is left out if it has none.
func (p *Project) approvals() []permission.Layer {
	now := p.gate.config.now()
	var layers []permission.Layer
	for _, a := range p.approved.Load().approved {
		layer := permission.Layer{Name: permission.LayerApprovals, Trust: permission.TrustUser, Source: a.store.Path, Rules: make([]permission.Rule, 0, len(a.found))}
		for _, approval := range a.found {
			if !approval.Expired(now) {
				layer.Rules = append(layer.Rules, approval.Rule)
			}
		}
		if len(layer.Rules) > 0 || a.store == p.stores.Project {
			layers = append(layers, layer)
		}
	}
	return layers
}

// expireLocked forgets the engines if one of their approvals has expired.
func (p *Project) expireLocked() {
	now := p.gate.config.now()
	if len(p.engines) > 0 && (p.expires.IsZero() || now.Before(p.expires)) {
		return
	}
	clear(p.engines)
	p.expires = time.Time{}
	for _, a := range p.approved.Load().approved {
		for _, approval := range a.found {
			if !approval.Until.IsZero() && !approval.Expired(now) && (p.expires.IsZero() || approval.Until.Before(p.expires)) {
				p.expires = approval.Until
			}
		}
	}
}

// Approvals returns where the project's approvals are.
func (p *Project) Approvals() Stores { return p.stores }
