# METADATA
# title: Workspace
# description: Reads, lists, greps and edits in the workspace, runs any command there, and asks for all other tools.
package policy.presets.workspace

# METADATA
# description: The preset's rules, the last that matches deciding.
rules := [
	{"permission": "*", "pattern": "*", "action": "ask"},
	{"permission": "read", "pattern": "*", "action": "allow"},
	{"permission": "list", "pattern": "*", "action": "allow"},
	{"permission": "grep", "pattern": "*", "action": "allow"},
	{"permission": "edit", "pattern": "*", "action": "allow"},
	{"permission": "bash", "pattern": "*", "action": "allow"},
	{"permission": "external_directory", "pattern": "*", "action": "ask"},
]
