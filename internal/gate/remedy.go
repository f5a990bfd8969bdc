package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Remedy returns rules with which just this call would be allowed: it has been
// tried. There are none if no rule for it helps, or if what it is about holds a
// character that a rule would take for a wildcard.
func (g *Gate) Remedy(ctx context.Context, call input.Call, d permission.Decision) []permission.Rule {
	if d.Action == permission.Allow {
		return nil
	}
	rules := remedy(d)
	if len(rules) == 0 || !g.allowedWith(ctx, call, rules) {
		return nil
	}
	return rules
}

// remedy returns rules that speak of all that is not allowed.
func remedy(d permission.Decision) []permission.Rule {
	var rules []permission.Rule
	for _, request := range d.Requests {
		for _, target := range request.Targets {
			if target.Action == permission.Allow && !hazardous(d, target) {
				continue
			}
			pattern := exact(request.Permission, target)
			literal := pattern
			if request.Permission == "external_directory" {
				literal = strings.TrimSuffix(pattern, "/*") // a folder
			}
			if strings.ContainsAny(literal, "*?") || strings.HasPrefix(pattern, "(unparsed) ") {
				return nil
			}
			rule := permission.Rule{Permission: request.Permission, Pattern: pattern, Action: permission.Allow}
			if !slices.Contains(rules, rule) {
				rules = append(rules, rule)
			}
		}
	}
	return rules
}

// hazardous reports whether a floor speaks of an allowed target.
func hazardous(d permission.Decision, target permission.Target) bool {
	return slices.ContainsFunc(d.Floors, func(f permission.Floor) bool { return slices.Contains(target.Forms, f.Target) })
}

// exact returns the pattern for just the target.
func exact(name string, target permission.Target) string {
	if (name == "bash" || name == "webfetch") && len(target.Forms) > 0 {
		return target.Forms[0]
	}
	return target.Pattern
}

// allowedWith reports whether the call is allowed with the rules above those
// in force.
func (g *Gate) allowedWith(ctx context.Context, call input.Call, rules []permission.Rule) bool {
	project, err := g.Project(call)
	if err != nil {
		return false
	}
	doc, err := project.Document(call)
	if err != nil {
		return false
	}
	config := project.Config(call.Agent)
	last := len(config.Layers) - 1 // the approvals
	config.Layers = slices.Insert(slices.Clone(config.Layers), last, permission.Layer{Name: permission.LayerFlag, Trust: permission.TrustUser, Rules: rules})
	e, err := engine.New(config)
	if err != nil {
		return false
	}
	d, err := e.Eval(ctx, doc)
	return err == nil && d.Action == permission.Allow
}

// Written returns rules as settings have them, one text a permission.
func Written(rules []permission.Rule) []string {
	var texts []string
	for i, rule := range rules {
		if slices.ContainsFunc(rules[:i], func(r permission.Rule) bool { return r.Permission == rule.Permission }) {
			continue
		}
		var entries []string
		for _, r := range rules {
			if r.Permission == rule.Permission {
				entries = append(entries, fmt.Sprintf("%q: allow", r.Pattern))
			}
		}
		texts = append(texts, fmt.Sprintf("%s: {%s}", rule.Permission, strings.Join(entries, ", ")))
	}
	return texts
}
