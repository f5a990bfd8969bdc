package policy.floors

floors contains {"name": "self-protection", "action": "ask", "reason": reason, "target": path.path} if {
	some path in input.paths
	path.protected != ""
	path.access != "read"
	reason := sprintf("%s is part of %s, which guard this agent", [path.path, path.protected])
}

floors contains {"name": "self-protection", "action": "deny", "reason": reason, "target": command.text} if {
	some command in input.commands
	command.operands[0] == "permctl"
	some word in _own_words
	word in command.operands
	not "--status" in command.options
	reason := sprintf("permctl %s is for a person to run, and not for an agent", [word])
}

floors contains {"name": "self-protection", "action": "deny", "reason": reason, "target": unparsed.text} if {
	some unparsed in input.script.unparsed
	some name in unparsed.words
	regex.match(`(^|[/\\])permctl$`, name)
	some word in _own_words
	word in unparsed.words
	reason := sprintf("permctl %s is for a person to run, and not for an agent", [word])
}

_own_words := {"reply", "trust", "approvals"}
