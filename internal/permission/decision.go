package permission

import "strings"

// A Decision is the answer to a tool call, with the verdict on each thing that
// the call touches and the rule or floor behind it. The zero value is no
// answer: its action counts as [Deny].
type Decision struct {
	Action Action `json:"action"`

	// Grant is true if the call is allowed by rules that somebody wrote, so
	// that an agent may leave out a question of its own. An allowed call that
	// is no grant passes only because nothing but the default preset speaks of
	// it.
	Grant bool `json:"grant"`

	// Reason is a sentence that names what decided.
	Reason string `json:"reason"`

	Requests []Request `json:"requests"`
	Floors   []Floor   `json:"floors"`
	Findings []Finding `json:"findings"`

	// Revision identifies the policy and the rules that decided.
	Revision string `json:"revision"`
}

// A Request is one permission that a call needs.
type Request struct {
	Permission string `json:"permission"`

	// Patterns are what the call touches, as a person reads it.
	Patterns []string `json:"patterns"`

	// Always are the patterns that an answer of "always" would save.
	Always []string `json:"always"`

	Targets []Target `json:"targets"`
}

// A Target is one pattern of a request, with the verdict on it.
type Target struct {
	Pattern string `json:"pattern"`

	// Forms are the spellings by which a rule may match the target.
	Forms []string `json:"forms"`

	Action Action `json:"action"`

	// Derived is true if the target was inferred from a command's operands.
	Derived bool `json:"derived"`

	// Rule is the rule that decided, or nil if none matched.
	Rule *Rule `json:"rule"`
}

// A Floor is a least strictness that no rule can go below, where one met a
// call.
type Floor struct {
	Name   string `json:"name"`
	Action Action `json:"action"`
	Reason string `json:"reason"`
	Target string `json:"target,omitempty"`
}

// About says what the floor is about and why, as its reason does or not.
func (f Floor) About() string {
	if f.Target == "" || f.Target == "*" || strings.Contains(f.Reason, f.Target) {
		return f.Reason
	}
	return f.Target + ": " + f.Reason
}

// A Finding is what a Rego policy says of a call.
type Finding struct {
	Policy string `json:"policy"`
	Action Action `json:"action"`
	Reason string `json:"reason"`
	Target string `json:"target,omitempty"`
}
