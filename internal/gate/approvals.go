package gate

import (
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
	for _, store := range p.stores.all() {
		found, problems, err := store.Read()
		if err != nil {
			return fmt.Errorf("approvals: %w", err)
		}
		for _, problem := range problems {
			p.warnings = append(p.warnings, problem.Error())
		}
		p.approved = append(p.approved, approved{store, found})
	}
	return nil
}

// approvals returns the layers of the approvals that have not expired. A file
// for all projects is left out if it has none.
func (p *Project) approvals() []permission.Layer {
	now := p.gate.config.now()
	var layers []permission.Layer
	for _, a := range p.approved {
		layer := permission.Layer{Name: permission.LayerApprovals, Trust: permission.TrustUser, Source: a.store.Path}
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
	for _, a := range p.approved {
		for _, approval := range a.found {
			if !approval.Until.IsZero() && !approval.Expired(now) && (p.expires.IsZero() || approval.Until.Before(p.expires)) {
				p.expires = approval.Until
			}
		}
	}
}

// Approvals returns where the project's approvals are.
func (p *Project) Approvals() Stores { return p.stores }
