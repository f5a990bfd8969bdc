package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/permctl/permctl/internal/permission"
)

// settings returns data.policy, but for the rules and their index, which
// permctl itself has no need of in Rego.
func (e *Engine) settings() map[string]any {
	agents := map[string]any{}
	for _, name := range e.config.ReadOnlyAgents {
		agents[name] = map[string]any{"read_only": true}
	}
	approvals := map[string]any{"beat": "ask"}
	if e.config.ApprovalsBeatDeny {
		approvals["beat"] = "deny"
	}
	data := map[string]any{
		"packages":     asAny(e.modules.packages(e.layers)),
		"managed":      map[string]any{"floors": asAny(e.config.Floors)},
		"agents":       agents,
		"approvals":    approvals,
		"plan_files":   asAny(e.config.PlanFiles),
		"restrictions": asAny(restrictions(e.table.rules.rules)),
	}
	return data
}

// tables returns what is known of programs, in the shape that a store holds.
func (e *Engine) tables() map[string]any {
	made := map[string]any{}
	if e.config.Tables == nil {
		return made
	}
	for name, table := range e.config.Tables() {
		made[name] = asAny(table)
	}
	return made
}

// Data returns the document that, with the shipped policy and that of the
// sources, makes any OPA decide as the engine does: the rules in force and
// their index, approvals, settings and tables.
func (e *Engine) Data() map[string]any {
	policy := e.tables()
	maps.Copy(policy, e.static)
	rules := append([]rule{}, e.table.rules.rules...)
	for _, r := range e.table.approvals.rules {
		r.Number += len(e.table.rules.rules)
		rules = append(rules, r)
	}
	shelves, wildcards := newIndex(rules).document()
	policy["rules"], policy["index"], policy["wildcards"] = rules, shelves, wildcards
	policy["layers"] = e.layers
	data := maps.Clone(e.modules.data)
	data["policy"] = policy
	return data
}

// hash returns a hash of the rules, settings and policies in force.
func (e *Engine) hash() (string, error) {
	h := sha256.New()
	c := e.config
	err := json.NewEncoder(h).Encode([]any{e.layers, c.Floors, c.ReadOnlyAgents, c.PlanFiles, c.ApprovalsBeatDeny, c.Added, e.modules.data})
	for _, m := range e.modules.sources {
		fmt.Fprintf(h, "%s\x00%s\x00", m.path, m.text)
	}
	return hex.EncodeToString(h.Sum(nil))[:12], err
}

// restrictions names the rules in force that deny or ask for something: those
// above the last trusted rule for everything, and that one.
func restrictions(rules []rule) []string {
	found := []string{}
	for i := len(rules) - 1; i >= 0 && len(found) < 3; i-- {
		r := rules[i]
		if r.Action != permission.Allow {
			found = append(found, fmt.Sprintf("the rule %s %q: %s (%s)", r.Permission, r.Pattern, r.Action, r.Source))
		}
		if r.Permission == "*" && r.Pattern == "*" && r.Trust != permission.TrustNone {
			break
		}
	}
	return found
}

// asAny returns v in the shape that a store holds. Nil slices are empty.
func asAny(v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	var made any
	if err := json.Unmarshal(text, &made); err != nil {
		return nil
	}
	if made == nil {
		return []any{}
	}
	return made
}
