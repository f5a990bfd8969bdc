// Package engine decides by the policy in force: a document goes in, a
// decision comes out.
//
// What is allowed is said in Rego (see policy/); this package compiles it,
// hands it the rules, and answers the functions that Rego would be slow at.
// With an error the decision is always a deny.
package engine

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/metrics"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// A Config is what an engine decides by. The zero value has no rules and no
// policies of its own, so that it asks for everything.
type Config struct {
	// Layers are the rules, lowest first. Those of a layer that is a preset
	// are taken from the preset's policy.
	Layers []permission.Layer

	// Sources are policies beside the shipped ones, and their data.
	Sources []Source

	// ReadOnlyAgents are the agents for whom everything that writes is denied.
	ReadOnlyAgents []string

	// ApprovalsBeatDeny lets approvals satisfy also what rules deny.
	ApprovalsBeatDeny bool

	// PlanFiles are patterns for the real paths of files that may be written
	// in plan mode.
	PlanFiles []string

	// Floors are rules that only tighten, each with its reason.
	Floors []Floor

	// Tables returns what policies can read of the tables of programs:
	// data.policy.commands and so on. If nil, there are none.
	Tables func() map[string]any

	// Added is what settings add to those tables. It is part of what
	// [permission.Decision.Revision] names, and not used otherwise.
	Added any
}

// A Floor is a rule of the organisation that only tightens.
type Floor struct {
	Permission string            `json:"permission"`
	Pattern    string            `json:"pattern"`
	Action     permission.Action `json:"action"`
	Reason     string            `json:"reason"`
}

// An Engine evaluates one policy. It does not change, and is safe for
// concurrent use.
type Engine struct {
	modules *modules
	table   *table
	layers  []permission.Layer
	store   storage.Store
	static  map[string]any // data.policy, but for the rules
	config  Config

	// revision names the rules and policies by a hash of them.
	revision string
}

// ErrUndefined reports a policy that came to no decision.
var ErrUndefined = errors.New("the policy came to no decision")

// New returns an engine for the policy. The error is a [*PolicyError] if a
// policy does not compile or reads what a document does not have.
func New(config Config) (*Engine, error) {
	internOnce()
	m, err := newModules(config)
	if err != nil {
		return nil, err
	}
	return newEngine(m, config)
}

// With returns an engine for the same policies, with other rules and read-only
// agents. The two share what is compiled.
func (e *Engine) With(layers []permission.Layer, readOnlyAgents []string) (*Engine, error) {
	config := e.config
	config.Layers, config.ReadOnlyAgents = layers, readOnlyAgents
	if slices.ContainsFunc(layers, func(l permission.Layer) bool { return l.Preset != "" && e.modules.presets[l.Preset] == nil }) {
		return New(config)
	}
	return newEngine(e.modules, config)
}

// Above returns an engine with rules above all others but approvals, as flags
// are.
func (e *Engine) Above(rules []permission.Rule) (*Engine, error) {
	layers := slices.Clone(e.config.Layers)
	at := slices.IndexFunc(layers, func(l permission.Layer) bool { return l.Name == permission.LayerApprovals })
	if at < 0 {
		at = len(layers)
	}
	layer := permission.Layer{Name: permission.LayerFlag, Trust: permission.TrustUser, Rules: rules}
	return e.With(slices.Insert(layers, at, layer), e.config.ReadOnlyAgents)
}

// Approving returns an engine with more approvals than the file's.
func (e *Engine) Approving(rules []permission.Rule) (*Engine, error) {
	layers := slices.Clone(e.config.Layers)
	at := slices.IndexFunc(layers, func(l permission.Layer) bool { return l.Name == permission.LayerApprovals })
	if at < 0 {
		layers, at = append(layers, permission.Layer{Name: permission.LayerApprovals, Trust: permission.TrustUser}), len(layers)
	}
	layers[at].Rules = slices.Concat(layers[at].Rules, rules)
	return e.With(layers, e.config.ReadOnlyAgents)
}

func newEngine(m *modules, config Config) (*Engine, error) {
	e := &Engine{modules: m, config: config}
	var err error
	if e.layers, err = m.layers(config.Layers); err != nil {
		return nil, err
	}
	if err := e.prepare(); err != nil {
		return nil, err
	}
	return e, nil
}

// prepare compiles what can be compiled before the first call, works out the
// rules, and fills the store.
func (e *Engine) prepare() error {
	if len(e.modules.sources) > 0 {
		if _, err := e.modules.program(allParts); err != nil {
			return err
		}
	}
	if err := e.addRules(); err != nil {
		return err
	}
	for i := range e.layers {
		layer := &e.layers[i]
		layer.Rules = append([]permission.Rule{}, layer.Rules...) // the caller's stay as they are
		for j := range layer.Rules {
			layer.Rules[j].Layer = layer.Name
		}
	}
	e.table = newTable(e.layers, e.config.ApprovalsBeatDeny)
	var err error
	if e.revision, err = e.hash(); err != nil {
		return err
	}
	e.static = e.settings()
	data := maps.Clone(e.modules.data)
	data["policy"] = e.static
	if len(e.modules.sources) > 0 {
		maps.Copy(e.static, e.tables())
	}
	e.store = inmem.NewFromObjectWithOpts(data, inmem.OptRoundTripOnWrite(false), inmem.OptReturnASTValuesOnRead(true))
	return nil
}

// Eval returns the decision on the call in the document. With an error the
// decision is always [permission.Deny], with the error as its reason. The
// error is a [*PolicyError] if a policy failed, [ErrUndefined] if there is no
// decision, or the context's.
func (e *Engine) Eval(ctx context.Context, doc *input.Document) (permission.Decision, error) {
	d, err := e.eval(ctx, doc)
	if err != nil {
		return Failed(doc, err), err
	}
	return d, nil
}

// Failed returns the deny that answers a call about which err is all there is
// to say. The document may be nil.
func Failed(doc *input.Document, err error) permission.Decision {
	d := permission.Decision{
		Action: permission.Deny, Reason: "denied because of an error: " + err.Error(),
		Requests: []permission.Request{}, Floors: []permission.Floor{}, Findings: []permission.Finding{},
	}
	if doc != nil {
		d.Requests = requestsOf(doc)
		for _, r := range d.Requests {
			for i := range r.Targets {
				r.Targets[i].Action = permission.Deny
			}
		}
	}
	return d
}

func (e *Engine) eval(ctx context.Context, doc *input.Document) (permission.Decision, error) {
	return e.evalParts(ctx, doc, e.needed(doc))
}

// evalParts decides with the given parts of the policy. More than are needed
// change nothing.
func (e *Engine) evalParts(ctx context.Context, doc *input.Document, p parts) (permission.Decision, error) {
	compiled, err := e.modules.program(p)
	if err != nil {
		return permission.Decision{}, err
	}
	in, err := valueOf(doc, p.fields())
	if err != nil {
		return permission.Decision{}, err
	}
	answer, err := e.query(ctx, compiled, in)
	switch {
	case ctx.Err() != nil:
		return permission.Decision{}, context.Cause(ctx)
	case err != nil:
		return permission.Decision{}, failure(err)
	case answer == nil:
		return permission.Decision{}, ErrUndefined
	}
	d, err := readDecision(answer.Value, doc)
	d.Revision = e.revision
	return d, err
}

// query evaluates the compiled query, and returns the value that it binds, or
// nil if it is undefined.
func (e *Engine) query(ctx context.Context, p program, in *ast.Term) (*ast.Term, error) {
	txn, err := e.store.NewTransaction(ctx)
	if err != nil {
		return nil, err
	}
	defer e.store.Abort(ctx, txn)
	cancel := topdown.NewCancel()
	defer context.AfterFunc(ctx, cancel.Cancel)()

	var answer *ast.Term
	err = topdown.NewQuery(p.query).
		WithCompiler(p.compiler).
		WithStore(e.store).
		WithTransaction(txn).
		WithInput(in).
		WithMetrics(metrics.NoOp()).
		WithBuiltins(e.table.functions).
		WithStrictBuiltinErrors(true).
		WithCancel(cancel).
		Iter(ctx, func(result topdown.QueryResult) error {
			for _, term := range result {
				answer = term
			}
			return nil
		})
	return answer, err
}

// Hidden reports whether the rules deny every call of a tool that needs the
// permission, whatever its input: also without those of a project that nobody
// trusts, which cannot take it back.
func (e *Engine) Hidden(name string) bool {
	var all, trusted []permission.Rule
	for _, layer := range e.layers {
		if layer.Name == permission.LayerApprovals && !e.config.ApprovalsBeatDeny {
			continue
		}
		all = append(all, layer.Rules...)
		if layer.Trust != permission.TrustNone {
			trusted = append(trusted, layer.Rules...)
		}
	}
	return permission.Hidden(all, name) || permission.Hidden(trusted, name)
}

// Layers returns the layers of rules in force, those of presets filled in. No
// list of rules is nil, and each rule names its layer.
func (e *Engine) Layers() []permission.Layer { return e.layers }
