package policy.floors

import data.policy.match

floors contains {"name": "hazard", "action": "ask", "reason": reason, "target": command.text} if {
	some i, command in input.commands
	some hazard in command.hazards
	some verdict in match.verdicts
	_narrow(verdict)
	_concerns(verdict, i)
	not _named(hazard, verdict.rule)
	reason := sprintf("%s %s, which the rule for %s does not cover", [hazard.word, hazard.reason, verdict.pattern])
}

floors contains {"name": "hazard", "action": "ask", "reason": reason, "target": assign.source} if {
	some assign in input.script.assigns
	assign.hazard != ""
	some verdict in match.verdicts
	_narrow(verdict)
	reason := sprintf("%s %s, which the rule for %s does not cover", [assign.source, assign.hazard, verdict.pattern])
}

# A rule that names the option is meant for it: "python -c *".
_named(hazard, rule) if {
	startswith(hazard.word, "-")
	hazard.word in split(rule.pattern, " ")
}

# An allow of a command by a rule for anything less than everything.
_narrow(verdict) if {
	verdict.action == "allow"
	verdict.permission == "bash"
	verdict.command >= 0
	verdict.rule.pattern != "*"
}

# A hazard is about the command's own verdict, or about all of them if the
# command only runs others and no rule speaks of it.
_concerns(verdict, i) if verdict.command == i

_concerns(_, i) if {
	some other in match.verdicts
	other.command == i
	other.permission == "bash"
	other.rule == null
}
