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

// remedy returns the rules with which the call in the document would be allowed
// by the engine that has decided on it.
func remedy(ctx context.Context, policy *engine.Engine, doc *input.Document, d permission.Decision) []permission.Rule {
	rules := allowing(d)
	if len(rules) == 0 {
		return nil
	}
	with, err := policy.Above(rules)
	if err != nil {
		return nil
	}
	if tried, err := with.Eval(ctx, doc); err != nil || tried.Action != permission.Allow {
		return nil
	}
	return rules
}

// allowing returns rules that speak of all that is not allowed.
func allowing(d permission.Decision) []permission.Rule {
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
			if strings.HasPrefix(pattern, "(unparsed) ") {
				return nil
			}
			if strings.ContainsAny(literal, "*?") {
				if request.Permission != "bash" || strings.ContainsAny(target.Pattern, "*?") {
					return nil
				}
				pattern = target.Pattern + " *" // no pattern means just this text
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
