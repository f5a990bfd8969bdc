# METADATA
# title: Publishing
# description: Packages are published by CI, and not by an agent.
package org.publish

# METADATA
# description: Commands that publish a package, wherever their options stand.
deny contains {"reason": reason, "target": command.text} if {
	some command in input.commands
	name := concat(" ", [command.name, command.operands[0]])
	name in data.org.publish.commands
	reason := sprintf("%s is for CI to run, from a tag", [name])
}

# METADATA
# description: What cannot be analysed, where it speaks of publishing.
ask contains {"reason": "may publish a package", "target": unparsed.text} if {
	some unparsed in input.script.unparsed
	some name in data.org.publish.commands
	every word in split(name, " ") {
		word in unparsed.words
	}
}
