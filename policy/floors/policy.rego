package policy.floors

import data.policy.match
import data.policy.teams

floors contains {"name": "policy", "action": finding.action, "reason": finding.reason, "target": finding.target} if {
	some finding in teams.findings
	finding.action != "allow"
}

floors contains {"name": "managed", "action": floor.action, "reason": floor.reason, "target": target.pattern} if {
	some floor in array.concat(data.policy.managed.floors, teams.floors)
	some request in input.requests
	match.wildcard(request.permission, floor.permission)
	some target in request.targets
	match.meets(floor, target)
}
