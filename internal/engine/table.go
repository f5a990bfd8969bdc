package engine

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/permctl/permctl/internal/permission"
)

// A table is the rules in force, ready to be searched. It does not change.
type table struct {
	rules     *index
	approvals *index

	// loose is true if there are rules of a project that nobody trusts, and
	// beatDeny if approvals satisfy also a deny.
	loose    bool
	beatDeny bool

	functions map[string]*topdown.Builtin // over the rules, for Rego
}

// newTable returns the table of the layers, lowest first.
func newTable(layers []permission.Layer, beatDeny bool) *table {
	t := &table{beatDeny: beatDeny}
	var rules, approvals []rule
	for _, layer := range layers {
		order := slices.Index(permission.Layers, layer.Name)
		for _, r := range layer.Rules {
			if layer.Name == permission.LayerApprovals {
				approvals = append(approvals, newRule(r, layer.Trust, order, len(approvals)))
				continue
			}
			t.loose = t.loose || layer.Trust == permission.TrustNone
			rules = append(rules, newRule(r, layer.Trust, order, len(rules)))
		}
	}
	t.rules, t.approvals = newIndex(rules), newIndex(approvals)
	t.functions = t.builtins()
	return t
}
