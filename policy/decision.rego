# METADATA
# title: The decision
# description: |
#   Joins the verdicts of the rules, the findings of policies and the floors
#   into one answer to a tool call. It is a function of the input document and
#   of data.policy, where the rules in force are.
# schemas:
#   - input: schema.input
package policy

import data.policy.answer
import data.policy.floors
import data.policy.match
import data.policy.teams

# METADATA
# description: The answer to the call in the input document, and what is behind it.
# entrypoint: true
decision := {
	"action": said.action,
	"grant": said.grant,
	"reason": said.reason,
	"verdicts": match.verdicts,
	"floors": floors.floors,
	"findings": teams.findings,
} if {
	said := answer.of(match.verdicts, floors.floors)
}
