# METADATA
# title: Effects
# description: |
#   Tells what a call would change: what is sure to write, what nobody can say
#   of, and which commands are sure to read only.
# schemas:
#   - input: schema.input
package policy.lib.effects

import data.policy.match

# METADATA
# description: What the call would write for sure, plan files left out.
# scope: document
writes contains {"target": path.path, "reason": "would be written"} if {
	some path in input.paths
	path.access in {"write", "delete"}
	not _plan_file(path)
}

writes contains {"target": target.pattern, "reason": "may be any file, and would be written"} if {
	some request in input.requests
	request.permission == "edit"
	some target in request.targets
	_nameless(target)
}

writes contains {"target": command.text, "reason": "would change something"} if {
	some command in input.commands
	some effect in command.effects
	effect in {"write", "delete"}
	not _writes_files(command)
}

# METADATA
# description: What may write, for all that is known of it.
# scope: document
unclear contains {"target": command.text, "reason": "may change something"} if {
	some command in input.commands
	not command.wrapper
	not command.known
}

unclear contains {"target": command.text, "reason": "runs code that may change something"} if {
	some command in input.commands
	"run" in command.effects
	not command.wrapper
}

unclear contains {"target": unparsed.text, "reason": "cannot be analysed and may change something"} if {
	some unparsed in input.script.unparsed
}

unclear contains {"target": input.tool.name, "reason": "is a tool that may change something"} if {
	input.tool.kind in {"other", "mcp", "eval"}
	not input.tool.permission in {"todowrite", "question", "plan_exit", "ExitPlanMode"}
}

# METADATA
# description: |
#   Whether the command is sure to do nothing but read, inside the workspace:
#   its program is known, and so is every word that could make it do more.
only_reads(command) if {
	command.known
	command.system
	command.transparent
	not command.wrapper
	not command.unparsed
	every effect in command.effects {
		effect == "read"
	}
	count(command.hazards) == 0
	count(command.assigns) == 0
	_in_workspace(command.cwd)
	every operation in command.operations {
		not operation.dynamic
	}
	every word in command.args {
		not word.dynamic
	}
}

# METADATA
# description: Whether all that the call touches lies in the workspace.
inside if {
	every path in input.paths {
		path.inside
	}
}

_in_workspace(dir) if {
	some root in {input.workspace.root, input.workspace.real}
	startswith(concat("", [dir, "/"]), concat("", [trim_suffix(root, "/"), "/"]))
}

# What is written by way of an edit has a target of its own.
_writes_files(command) if {
	some operation in command.operations
	operation.effect in {"write", "delete"}
}

_nameless(target) if target.opaque

_nameless(target) if target.forms == ["*"]

_plan_file(path) if {
	not path.error
	some pattern in data.policy.plan_files
	match.wildcard(path.real, pattern)
}
