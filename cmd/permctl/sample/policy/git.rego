# METADATA
# title: Git
# description: Keeps an agent from rewriting what others build on.
package org.git

import data.policy.lib.shell

# METADATA
# description: Pushes that rewrite the history of a shared branch.
deny contains {"reason": "rewrites a shared branch", "target": command.text} if {
	some command in input.commands
	shell.has_flag(command, "--force")
	some branch in {"main", "master"}
	shell.pushes_to(command, branch)
}
