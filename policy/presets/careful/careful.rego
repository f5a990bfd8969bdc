# METADATA
# title: Careful
# description: Runs what is known only to read, in the workspace or of the machine's state, and asks for all else.
# schemas:
#   - input: schema.input
package policy.presets.careful

import data.policy.lib.effects

# METADATA
# description: The preset's rules, the last that matches deciding.
rules := [
	{"permission": "*", "pattern": "*", "action": "ask"},
	{"permission": "read", "pattern": "*", "action": "allow"},
	{"permission": "list", "pattern": "*", "action": "allow"},
	{"permission": "glob", "pattern": "*", "action": "allow"},
	{"permission": "grep", "pattern": "*", "action": "allow"},
	{"permission": "todowrite", "pattern": "*", "action": "allow"},
	{"permission": "question", "pattern": "*", "action": "allow"},
	{"permission": "external_directory", "pattern": "*", "action": "ask"},
]

# METADATA
# description: The commands that are sure to read only.
allow contains {"reason": "only reads inside the workspace", "permission": "bash", "target": command.text} if {
	some command in input.commands
	effects.only_reads(command)
	effects.inside
}
