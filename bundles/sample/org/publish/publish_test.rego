package org.publish_test

import data.org.publish

test_deny[name] if {
	some name, [program, operands, want] in {
		"a program that publishes": ["npm", ["publish"], 1],
		"with more words": ["npm", ["publish", "dist"], 1],
		"another subcommand": ["npm", ["run", "publish"], 0],
		"another program": ["echo", ["npm", "publish"], 0],
	}
	got := publish.deny with input.commands as [{"name": program, "text": "x", "operands": operands}]

	count(got) == want
}

test_ask[name] if {
	some name, [words, want] in {
		"both words": [["npm", "publish"], 1],
		"one word": [["publish"], 0],
	}
	got := publish.ask with input.script.unparsed as [{"text": "$X", "words": words}]

	count(got) == want
}
