package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/permission"
)

// Remedy returns the rules, one a permission and as settings have them, that
// together would allow what of the decision is not allowed. There are none if
// no rule would: a floor decided, or nobody knows what a target is.
func Remedy(d permission.Decision) []string {
	for _, floor := range d.Floors {
		if floor.Action != permission.Allow {
			return nil
		}
	}
	var rules []string
	for _, request := range d.Requests {
		var entries []string
		for _, target := range request.Targets {
			if target.Action == permission.Allow {
				continue
			}
			if strings.HasPrefix(target.Pattern, "(unparsed) ") {
				return nil
			}
			pattern := remedy(request.Permission, target)
			if entry := fmt.Sprintf("%q: allow", pattern); !slices.Contains(entries, entry) {
				entries = append(entries, entry)
			}
		}
		if len(entries) > 0 {
			rules = append(rules, fmt.Sprintf("%s: {%s}", request.Permission, strings.Join(entries, ", ")))
		}
	}
	return rules
}

// remedy returns the pattern that would allow the target: all uses of a
// command where nothing narrower speaks of it, and else just this one.
func remedy(name string, target permission.Target) string {
	switch {
	case name != "bash" || target.Pattern == "*":
		return target.Pattern
	case target.Rule != nil && target.Rule.Pattern != "*" && len(target.Forms) > 0:
		return target.Forms[0]
	default:
		return target.Pattern + " *"
	}
}
