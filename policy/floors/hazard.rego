package policy.floors

import data.policy.match

floors contains {"name": "hazard", "action": "ask", "reason": reason, "target": command.text} if {
	some verdict in match.verdicts
	_narrow(verdict)
	command := input.commands[verdict.command]
	some hazard in command.hazards
	not _named(hazard, verdict.rule)
	reason := sprintf("%s %s, which the rule for %s does not cover", [hazard.word, hazard.reason, verdict.pattern])
}

# A hazard of a command that only runs others, and of which no rule speaks, is
# about all that is allowed.
floors contains {"name": "hazard", "action": "ask", "reason": reason, "target": command.text} if {
	some i in _unspoken
	command := input.commands[i]
	some hazard in command.hazards
	some rule in _narrow_rules
	not _named(hazard, rule)
	reason := sprintf("%s %s, which the rule for %s does not cover", [hazard.word, hazard.reason, rule.pattern])
}

floors contains {"name": "hazard", "action": "ask", "reason": reason, "target": assign.source} if {
	some assign in input.script.assigns
	assign.hazard != ""
	some rule in _narrow_rules
	reason := sprintf("%s %s, which the rule for %s does not cover", [assign.source, assign.hazard, rule.pattern])
}

# A rule that names the option is meant for it: "python -c *".
_named(hazard, rule) if {
	startswith(hazard.word, "-")
	hazard.word in split(rule.pattern, " ")
}

# So is one that names the file: "tee build/*".
_named(hazard, rule) if {
	hazard.kind == "redirect"
	some i, word in split(rule.pattern, " ")
	i > 0
	trim(word, "*") != ""
	match.wildcard(hazard.word, word)
}

# An allow of a command by a rule for anything less than everything.
_narrow(verdict) if {
	verdict.action == "allow"
	verdict.permission == "bash"
	verdict.command >= 0
	verdict.rule.pattern != "*"
}

_narrow_rules contains verdict.rule if {
	some verdict in match.verdicts
	_narrow(verdict)
}

_unspoken contains verdict.command if {
	some verdict in match.verdicts
	verdict.permission == "bash"
	not verdict.command in _spoken
}

_spoken contains verdict.command if {
	some verdict in match.verdicts
	verdict.permission == "bash"
	verdict.rule != null
}
