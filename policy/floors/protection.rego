package policy.floors

floors contains {"name": "self-protection", "action": "ask", "reason": reason, "target": path.path} if {
	some path in input.paths
	path.protected != ""
	path.access != "read"
	reason := sprintf("%s is part of %s, which guard this agent", [path.path, path.protected])
}

floors contains {"name": "self-protection", "action": "ask", "reason": reason, "target": command.text} if {
	some command in input.commands
	startswith(lower(command.name), "permctl")
	"init" in command.operands
	not _shows(command)
	reason := sprintf("%s writes permctl's settings, which guard this agent", [command.text])
}

floors contains {"name": "self-protection", "action": "deny", "reason": reason, "target": command.text} if {
	some command in input.commands
	startswith(lower(command.name), "permctl")
	some word in _own_words
	word in command.operands
	not _only_shows(word, command)
	reason := sprintf("permctl %s is for a person to run, and not for an agent", [word])
}

floors contains {"name": "self-protection", "action": "deny", "reason": reason, "target": command.text} if {
	some command in input.commands
	startswith(lower(command.name), "permctl")
	_uncertain(command)
	reason := "what permctl would be told only run time knows, and some of it is for a person to run"
}

floors contains {"name": "self-protection", "action": "deny", "reason": reason, "target": command.text} if {
	some command in input.commands
	_runs_what_it_names(command)
	first := min([i | some i, name in command.operands; regex.match(`(?i)(^|/)permctl(\.exe)?$`, name)])
	some j, word in command.operands
	j > first
	word in _own_words
	reason := sprintf("permctl %s is for a person to run, and not for an agent", [word])
}

floors contains {"name": "self-protection", "action": "deny", "reason": reason, "target": unparsed.text} if {
	_speaks_of_permctl
	some unparsed in input.script.unparsed
	some word in _own_words
	word in unparsed.words
	reason := sprintf("permctl %s is for a person to run, and not for an agent", [word])
}

_speaks_of_permctl if contains(lower(input.script.text), "permctl")

floors contains {"name": "self-protection", "action": "deny", "reason": reason} if {
	some way in input.daemon
	reason := sprintf("it would reach permctl's daemon (%s), which takes a person's replies", [way])
}

floors contains {"name": "self-protection", "action": "ask", "reason": reason, "target": command.text} if {
	some command in input.commands
	command.name in {"kill", "pkill", "killall", "killall5", "skill", "taskkill"}
	_speaks_of_permctl
	reason := sprintf("%s may end permctl, which guards this agent", [command.text])
}

# Of a subcommand that only shows things, the words behind it do not matter.
_uncertain(command) if {
	some word in command.args
	_open(word)
	not _shows(command)
}

_shows(command) if command.operands[0] in {"check", "parse", "rules", "test", "version", "help", "completion"}

_open(word) if word.dynamic

_open(word) if word.glob

_runs_what_it_names(command) if "run" in command.effects

_runs_what_it_names(command) if not command.known

_own_words := {"reply", "trust", "approvals", "inbox", "serve", "stop", "status", "pending", "install", "uninstall"}

_only_shows("trust", command) if "--status" in command.options

_only_shows("status", command) if not "--console" in command.options

_only_shows("pending", command) if not "--watch" in command.options

_only_shows("approvals", command) if {
	some shown in {"list", "path", "verify"}
	shown in command.operands
	every change in {"revoke", "compact", "import"} {
		not change in command.operands
	}
}
