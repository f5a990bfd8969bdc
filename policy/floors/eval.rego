package policy.floors

import data.policy.match

floors contains {"name": "eval", "action": verdict.action, "reason": reason, "target": "*"} if {
	_evaluates
	some verdict in match.judge(_powers, [])
	verdict.action != "allow"
	reason := sprintf("code that runs inside the agent can do what %s is for, which is not allowed freely", [verdict.permission])
}

floors contains {"name": "eval", "action": "ask", "reason": reason, "target": "*"} if {
	_evaluates
	some restriction in data.policy.restrictions
	reason := sprintf("code that runs inside the agent could get round %s", [restriction])
}

_evaluates if {
	some request in input.requests
	request.permission == "eval"
}

# What code can do without any tool: only a rule for everything speaks of it.
_powers := [{"permission": permission, "targets": [target]} |
	some permission in ["bash", "edit", "write"]
	target := {"pattern": "*", "forms": ["*"], "judges": "any", "opaque": true, "command": -1}
]
