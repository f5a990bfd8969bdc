package policy.floors

import data.policy.lib.effects

floors contains {"name": "mode", "action": "deny", "reason": reason, "target": writes.target} if {
	_plans
	some writes in effects.writes
	reason := sprintf("%s %s, and nothing is written %s", [writes.target, writes.reason, _when])
}

floors contains {"name": "mode", "action": "ask", "reason": reason, "target": unclear.target} if {
	_plans
	some unclear in effects.unclear
	reason := sprintf("%s %s, and nothing is written %s", [unclear.target, unclear.reason, _when])
}

default _when := "in plan mode"

_when := sprintf("by %s, which is read-only", [input.call.agent]) if input.call.mode != "plan"

_plans if input.call.mode == "plan"

_plans if data.policy.agents[input.call.agent].read_only
