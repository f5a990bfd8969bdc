# METADATA
# title: The decision
# description: |
#   Joins the verdicts of the rules, the findings of policies and the floors
#   into one answer to a tool call. It is a function of the input document and
#   of data.policy, where the rules in force are.
# schemas:
#   - input: schema.input
package policy

import data.policy.floors
import data.policy.match
import data.policy.reason
import data.policy.teams

# METADATA
# description: The answer to the call in the input document, and what is behind it.
# entrypoint: true
decision := {
	"action": _action,
	"grant": _grant,
	"reason": reason.sentence(_action, match.verdicts, floors.floors),
	"verdicts": match.verdicts,
	"floors": floors.floors,
	"findings": teams.findings,
}

# Whatever is not sure to be allowed or asked is denied: also a call without
# verdicts, and an action that does not exist.
default _action := "deny"

_action := "allow" if _actions == {"allow"}

_action := "ask" if _actions in {{"ask"}, {"allow", "ask"}}

_actions := {verdict.action | some verdict in match.verdicts} | {floor.action | some floor in floors.floors}

# A call that nothing but the default preset allows is no grant.
default _grant := false

_grant if {
	_action == "allow"
	layers := {verdict.rule.layer | some verdict in match.verdicts}
	count(layers) > 0
	not "default" in layers
}
