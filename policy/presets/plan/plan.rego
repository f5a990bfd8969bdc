# METADATA
# title: Plan
# description: Reads freely, writes nothing but plan files by whatever tool, and asks where that cannot be told.
# schemas:
#   - input: schema.input
package policy.presets.plan

import data.policy.lib.effects

# METADATA
# description: The preset's rules, the last that matches deciding.
rules := [
	{"permission": "*", "pattern": "*", "action": "ask"},
	{"permission": "read", "pattern": "*", "action": "allow"},
	{"permission": "list", "pattern": "*", "action": "allow"},
	{"permission": "glob", "pattern": "*", "action": "allow"},
	{"permission": "grep", "pattern": "*", "action": "allow"},
	{"permission": "edit", "pattern": "*", "action": "allow"},
	{"permission": "webfetch", "pattern": "*", "action": "allow"},
	{"permission": "websearch", "pattern": "*", "action": "allow"},
	{"permission": "todowrite", "pattern": "*", "action": "allow"},
	{"permission": "question", "pattern": "*", "action": "allow"},
	{"permission": "plan_exit", "pattern": "*", "action": "allow"},
	{"permission": "external_directory", "pattern": "*", "action": "ask"},
]

# METADATA
# description: The commands that are sure to read only.
allow contains {"reason": "only reads inside the workspace", "permission": "bash", "target": command.text} if {
	some command in input.commands
	effects.only_reads(command)
	effects.inside
}

# METADATA
# description: Whatever would be written, by an edit tool or by the shell.
deny contains {"reason": _reason(write), "target": write.target} if some write in effects.writes

# METADATA
# description: Whatever may write, for all that is known of it.
ask contains {"reason": _reason(unclear), "target": unclear.target} if some unclear in effects.unclear

_reason(effect) := sprintf("%s %s, and planning writes nothing", [effect.target, effect.reason])
