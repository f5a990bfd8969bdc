package policy.floors

import data.policy.match
import data.policy.teams

floors contains {"name": "eval", "action": verdict.action, "reason": reason, "target": "*"} if {
	_evaluates
	some verdict in match.judge(_powers, teams.rules)
	verdict.action != "allow"
	reason := sprintf("code that runs inside the agent can do what %s is for, which is not allowed freely", [
		verdict.permission,
	])
}

floors contains {"name": "eval", "action": "ask", "reason": reason, "target": "*"} if {
	_evaluates
	some restriction in _restrictions
	reason := sprintf("code that runs inside the agent could get round %s", [restriction])
}

_evaluates if {
	some request in input.requests
	request.permission == "eval"
}

# What restricts other calls: rules, floors, and whatever policies say of them.
_restrictions contains restriction if some restriction in data.policy.restrictions

_restrictions contains sprintf("the floor %s %q", [floor.permission, floor.pattern]) if some floor in teams.floors

_restrictions contains sprintf("the policy %s", [pkg.name]) if some pkg in data.policy.packages

# What code can do without any tool: only a rule for everything speaks of it.
_powers := [{"permission": permission, "targets": [target]} |
	some permission in ["bash", "edit", "write"]
	target := {"pattern": "*", "forms": ["*"], "judges": "any", "opaque": true, "command": -1}
]
