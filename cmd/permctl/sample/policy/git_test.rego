package org.git_test

import data.org.git

test_deny[name] if {
	some name, [operands, options, want] in {
		"a forced push to main is denied": [["git", "push", "origin", "main"], ["--force", "-f"], 1],
		"a forced push to a branch of one's own is not": [["git", "push", "origin", "mine"], ["--force", "-f"], 0],
		"a plain push to main is not": [["git", "push", "origin", "main"], [], 0],
	}
	command := {"text": concat(" ", operands), "operands": operands, "options": options}
	found := git.deny with input as {"commands": [command]}

	count(found) == want
}
