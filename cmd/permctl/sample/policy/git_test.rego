package org.git_test

import data.org.git

test_deny[name] if {
	some name, [operands, options, want] in {
		"a forced push to main is denied": [["push", "origin", "main"], ["-f", "--force"], 1],
		"a forced push to a branch of one's own is not": [["push", "origin", "mine"], ["-f", "--force"], 0],
		"a plain push to main is not": [["push", "origin", "main"], [], 0],
	}
	command := {"name": "git", "text": "git push", "operands": operands, "options": options, "known": true, "dynamic": false}
	found := git.deny with input.commands as [command]

	count(found) == want
}
