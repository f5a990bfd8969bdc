package gate

import (
	"fmt"

	"github.com/permctl/permctl/internal/permission"
)

// Remedy returns a rule, as settings have it, that would allow the first of
// the decision's targets that is not allowed, or "" if no rule would: a floor
// decided, or nobody knows what the target is.
func Remedy(d permission.Decision) string {
	for _, floor := range d.Floors {
		if floor.Action != permission.Allow {
			return ""
		}
	}
	for _, request := range d.Requests {
		for _, target := range request.Targets {
			if target.Action == permission.Allow {
				continue
			}
			pattern := target.Pattern
			if len(target.Forms) > 0 && request.Permission == "bash" {
				pattern = target.Pattern + " *"
			}
			return fmt.Sprintf("%s: {%q: allow}", request.Permission, pattern)
		}
	}
	return ""
}
