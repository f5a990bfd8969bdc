# METADATA
# title: Read only
# description: Reads, lists and greps inside the workspace, and asks for all else.
package policy.presets.read_only

# METADATA
# description: The preset's rules, the last that matches deciding.
rules := [
	{"permission": "*", "pattern": "*", "action": "ask"},
	{"permission": "read", "pattern": "*", "action": "allow"},
	{"permission": "list", "pattern": "*", "action": "allow"},
	{"permission": "grep", "pattern": "*", "action": "allow"},
	{"permission": "edit", "pattern": "*", "action": "ask"},
	{"permission": "bash", "pattern": "*", "action": "ask"},
	{"permission": "external_directory", "pattern": "*", "action": "ask"},
]
