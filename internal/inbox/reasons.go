package inbox

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/permission"
)

// Reasons returns why a person is asked, a line each: the rules and floors that
// keep the call from being allowed. They are made of strangers' text, which is
// yet to be made harmless.
func Reasons(d permission.Decision) []string {
	var reasons []string
	for _, r := range d.Requests {
		for _, t := range r.Targets {
			if t.Action == permission.Allow {
				continue
			}
			what := r.Permission + " " + t.Pattern
			if t.Rule == nil {
				reasons = append(reasons, what+": no rule speaks of it")
				continue
			}
			reasons = append(reasons, fmt.Sprintf("%s: by %s: {%q: %s} in %s (%s)", what, t.Rule.Permission, t.Rule.Pattern, t.Rule.Action, t.Rule.Source, t.Rule.Layer))
		}
	}
	for _, floor := range d.Floors {
		name := floor.Name
		if !strings.HasPrefix(name, "policy ") {
			name = fmt.Sprintf("floor %q", name)
		}
		reasons = append(reasons, floor.About()+": by the "+name)
	}
	if len(reasons) == 0 && d.Reason != "" {
		reasons = append(reasons, d.Reason)
	}
	return reasons
}

// field returns the name of the field of the call's input that holds its shell
// text, or "".
func field(p api.Pending) string {
	for _, key := range slices.Sorted(maps.Keys(p.Metadata.Input)) {
		if value, ok := p.Metadata.Input[key].(string); ok && p.Text != "" && value == p.Text {
			return key
		}
	}
	return ""
}
