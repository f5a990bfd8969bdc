// Package permission holds the words that the rest of permctl speaks: actions,
// rules, layers, requests and decisions, and the wildcard that joins a rule to
// what it speaks of.
//
// It decides nothing: what a rule means for a call is the policy's to say.
package permission

import "fmt"

// An Action is an answer to a tool call. The zero value is no answer; wherever
// an action is compared, whatever is not a known answer counts as [Deny].
type Action string

// The answers, from the loosest to the strictest.
const (
	Allow Action = "allow" // the call may go on
	Ask   Action = "ask"   // a person has to say
	Deny  Action = "deny"  // the call must not happen
)

// Actions are the known answers, in the order in which messages list them.
var Actions = []Action{Allow, Ask, Deny}

// ParseAction returns the action named s. The error names the known ones, and
// the one that s was probably meant to be.
func ParseAction(s string) (Action, error) {
	switch a := Action(s); a {
	case Allow, Ask, Deny:
		return a, nil
	}
	return Deny, fmt.Errorf("unknown action %q%s: use allow, ask or deny", s, DidYouMean(s, "allow", "ask", "deny"))
}

// Strictest returns the strictest of actions. Anything that is not a known
// answer counts as [Deny], and no action at all is [Ask].
func Strictest(actions ...Action) Action {
	if len(actions) == 0 {
		return Ask
	}
	strictest := Allow
	for _, a := range actions {
		switch a {
		case Allow:
		case Ask:
			if strictest == Allow {
				strictest = Ask
			}
		default:
			return Deny
		}
	}
	return strictest
}
