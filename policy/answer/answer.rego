# METADATA
# title: The answer and its reason
# description: |
#   Makes one answer of verdicts and floors, and says in a sentence what
#   decided. This is the definition; permctl itself replaces of by a function
#   in Go that says the same.
package policy.answer

# METADATA
# description: |
#   The strictest of the verdicts and floors. Whatever is not sure to be allowed
#   or asked is denied: also a call without verdicts, and an action that does
#   not exist. A call that nothing but the default preset allows is no grant.
of(verdicts, floors) := {"action": action, "grant": count(granted) > 0, "reason": said} if {
	actions := {verdict.action | some verdict in verdicts} | {floor.action | some floor in floors}
	action := object.get({{"allow"}: "allow", {"ask"}: "ask", {"allow", "ask"}: "ask"}, actions, "deny")
	layers := {verdict.rule.layer | some verdict in verdicts}
	granted := [layer | some layer in layers; action == "allow"; not "default" in layers]
	said := sentence(action, verdicts, floors)
}

# METADATA
# description: |
#   What decided on the action: the first rule for some things only, or else the
#   first one that a person could change, or the first floor.
sentence(action, verdicts, floors) := said[0] if {
	decisive := [verdict | some verdict in verdicts; verdict.action == action; _speaks(verdict)]
	said := array.concat(
		array.concat(
			[_by_rule(verdict) | some verdict in decisive; _specific(verdict)],
			[_by_rule(verdict) | some verdict in decisive; not _specific(verdict)],
		),
		[_by_floor(floor) | some floor in floors; floor.action == action],
	)
	count(said) > 0
} else := "the call has nothing that could be judged"

# A target that is allowed because no rule speaks of it explains nothing.
_speaks(verdict) if verdict.action != "allow"

_speaks(verdict) if verdict.rule != null

_specific(verdict) if trim(verdict.rule.pattern, "*") != ""

_by_rule(verdict) := sprintf("%s %s: no rule speaks of it", [verdict.permission, verdict.text]) if {
	verdict.rule == null
}

_by_rule(verdict) := sprintf("%s %s: %s by rule %s: {%q: %s} (%s)", [
	verdict.permission, verdict.text, _done[verdict.rule.action],
	verdict.rule.permission, verdict.rule.pattern, verdict.rule.action, verdict.rule.source,
]) if verdict.rule != null

_done := {"allow": "allowed", "ask": "asked", "deny": "denied"}

# What the floor is about comes first, where the reason does not name it.
_by_floor(floor) := sprintf("%s (floor: %s)", [floor.reason, floor.name]) if _told(floor)

_by_floor(floor) := sprintf("%s: %s (floor: %s)", [floor.target, floor.reason, floor.name]) if not _told(floor)

_told(floor) if floor.target in {"", "*"}

_told(floor) if contains(floor.reason, floor.target)
