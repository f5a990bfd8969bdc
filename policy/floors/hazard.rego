package policy.floors

import data.policy.match

floors contains {"name": "hazard", "action": "ask", "reason": reason, "target": command.text} if {
	some verdict in match.verdicts
	_narrow(verdict)
	command := input.commands[verdict.command]
	some hazard in command.hazards
	not _named(hazard, verdict.rule, command)
	reason := sprintf("%s %s, which the rule for %s does not cover", [hazard.word, hazard.reason, verdict.pattern])
}

# A hazard of a command that only runs others, and of which no rule speaks, is
# about all that is allowed.
floors contains {"name": "hazard", "action": "ask", "reason": reason, "target": command.text} if {
	some i in _unspoken
	command := input.commands[i]
	some hazard in command.hazards
	some rule in _narrow_rules
	not _named(hazard, rule, command)
	reason := sprintf("%s %s, which the rule for %s does not cover", [hazard.word, hazard.reason, rule.pattern])
}

floors contains {"name": "hazard", "action": "ask", "reason": reason, "target": assign.source} if {
	some assign in input.script.assigns
	assign.hazard != ""
	some rule in _narrow_rules
	reason := sprintf("%s %s, which the rule for %s does not cover", [assign.source, assign.hazard, rule.pattern])
}

# A rule that names the option or the file is meant for it: "python -c *",
# "source venv/bin/activate".
_named(hazard, rule, _) if {
	some i, word in split(rule.pattern, " ")
	i > 0
	trim(word, "*") != ""
	word == hazard.word
}

# An option of one letter may be named in a cluster: "perl -ne *".
_named(hazard, rule, _) if {
	regex.match(`^-[A-Za-z]$`, hazard.word)
	some word in split(rule.pattern, " ")
	regex.match(`^-[A-Za-z0-9]+$`, word)
	contains(word, trim_prefix(hazard.word, "-"))
}

# A file that is written may be named by a pattern: "tee build/*".
_named(hazard, rule, _) if {
	hazard.kind == "redirect"
	some i, word in split(rule.pattern, " ")
	i > 0
	trim(word, "*") != ""
	match.wildcard(hazard.word, word)
}

# Code that is an operand is named with the subcommand: "deno eval *".
_named(hazard, rule, command) if {
	hazard.kind == "code"
	hazard.word == command.name
	contains(command.prefix, " ")
	startswith(rule.pattern, concat("", [command.prefix, " "]))
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
