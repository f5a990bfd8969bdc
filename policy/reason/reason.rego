# METADATA
# title: The reason
# description: |
#   Says in a sentence what decided. This is the definition; permctl itself
#   replaces it by a function in Go that says the same.
package policy.reason

# METADATA
# description: |
#   What decided on the action: the first rule that a person could change, or
#   else the first floor.
sentence(action, verdicts, floors) := said[0] if {
	said := array.concat(
		[_by_rule(verdict) | some verdict in verdicts; verdict.action == action; _speaks(verdict)],
		[sprintf("%s (floor: %s)", [floor.reason, floor.name]) | some floor in floors; floor.action == action],
	)
	count(said) > 0
} else := "the call has nothing that could be judged"

# A target that is allowed because no rule speaks of it explains nothing.
_speaks(verdict) if verdict.action != "allow"

_speaks(verdict) if verdict.rule != null

_by_rule(verdict) := sprintf("%s %s: no rule speaks of it", [verdict.permission, verdict.pattern]) if {
	verdict.rule == null
}

_by_rule(verdict) := sprintf("%s %s: %s by rule %s: {%q: %s} (%s)", [
	verdict.permission, verdict.pattern, _done[verdict.rule.action],
	verdict.rule.permission, verdict.rule.pattern, verdict.rule.action, verdict.rule.source,
]) if verdict.rule != null

_done := {"allow": "allowed", "ask": "asked", "deny": "denied"}
