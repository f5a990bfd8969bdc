# METADATA
# title: Floors
# description: |
#   Says how strict the answer to a call has to be at least, whatever rules and
#   approvals say. Each floor has a name, an action, a reason, and the target
#   that it is about. A file holds one floor; permctl may leave out those that
#   cannot be met for want of what they speak of.
# schemas:
#   - input: schema.input
package policy.floors

import data.policy.match

# METADATA
# description: The floors that the call meets.
# scope: document
floors contains floor if {
	some verdict in match.verdicts
	verdict.untrusted
	floor := {
		"name": "untrusted project",
		"action": verdict.action,
		"reason": sprintf("the project's settings would loosen %s %s, but nobody has trusted them yet (permctl trust)", [
			verdict.permission, verdict.pattern,
		]),
		"target": verdict.pattern,
	}
}
