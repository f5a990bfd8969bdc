package policy.floors

import data.policy.match
import data.policy.teams

floors contains {"name": name, "action": finding.action, "reason": finding.reason, "target": finding.target} if {
	some finding in teams.findings
	finding.action != "allow"
	name := concat(" ", ["policy", finding.policy])
}

floors contains {"name": "managed", "action": floor.action, "reason": floor.reason, "target": target.pattern} if {
	some floor in teams.floors
	some target in _targets(floor)
	match.meets(floor, target)
}

floors contains {"name": "managed", "action": "ask", "reason": reason, "target": target.pattern} if {
	some floor in teams.floors
	floor.action != "allow"
	some target in _targets(floor)
	target.opaque
	reason := sprintf("nobody can say whether this is %s: %s", [floor.pattern, floor.reason])
}

_targets(floor) := [target |
	some request in input.requests
	match.wildcard(request.permission, floor.permission)
	some target in request.targets
]
