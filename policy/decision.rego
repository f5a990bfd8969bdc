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
import data.policy.teams

# METADATA
# description: The answer to the call in the input document, and what is behind it.
# entrypoint: true
decision := {
	"action": _action,
	"grant": _grant,
	"reason": _reason,
	"verdicts": match.verdicts,
	"floors": floors.floors,
	"findings": teams.findings,
	"revision": data.policy.revision,
}

default _action := "deny"

_action := "allow" if _actions == {"allow"}

_action := "ask" if _actions in [{"ask"}, {"allow", "ask"}]

_actions := {verdict.action | some verdict in match.verdicts} | {floor.action | some floor in floors.floors}

default _grant := false

_grant if {
	_action == "allow"
	not _by_default
	some verdict in match.verdicts
	verdict.rule != null
}

_by_default if {
	some verdict in match.verdicts
	verdict.rule.layer == "default"
}

# What is said first is what a person can change: a rule, then a floor.
_reason := _said[0] if {
	count(_said) > 0
} else := "the call asks for nothing that could be judged"

_said := array.concat(
	[_rule_reason(verdict) | some verdict in match.verdicts; verdict.action == _action; _speaks(verdict)],
	[sprintf("%s (floor: %s)", [floor.reason, floor.name]) | some floor in floors.floors; floor.action == _action],
)

# A target that is allowed because no rule speaks of it explains nothing.
_speaks(verdict) if verdict.action != "allow"

_speaks(verdict) if verdict.rule != null

_rule_reason(verdict) := sprintf("%s %s: no rule speaks of it", [verdict.permission, verdict.pattern]) if verdict.rule == null

_rule_reason(verdict) := sprintf("%s %s: %s by rule %s %q (%s)", [
	verdict.permission, verdict.pattern, _done[verdict.rule.action],
	verdict.rule.permission, verdict.rule.pattern, verdict.rule.source,
]) if verdict.rule != null

_done := {"allow": "allowed", "ask": "asked", "deny": "denied"}
