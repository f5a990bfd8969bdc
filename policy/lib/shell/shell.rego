# METADATA
# title: Shell commands
# description: |
#   Tells what a command of input.commands is and does. Where only run time
#   knows, may_have_flag, may_do and dynamic are true, so that a policy can ask.
# schemas:
#   - input: schema.input
package policy.lib.shell

import data.policy.lib.effects
import data.policy.match

# METADATA
# description: |
#   Whether the command is the named one, such as "git push", wherever its
#   options stand and whatever it was wrapped in. Words may have wildcards.
runs(command, name) if {
	words := split(name, " ")
	said := array.concat([command.name], command.operands)
	count(said) >= count(words)
	every i, word in words {
		match.wildcard(said[i], word)
	}
}

# METADATA
# description: Whether a word of the command that is no option matches the pattern.
names(command, pattern) if {
	some word in command.operands
	match.wildcard(word, pattern)
}

# METADATA
# description: |
#   Whether the command is given the option, in any spelling that is known to
#   mean it: "--force" is met by -f, by -rf, by an abbreviation, and by the +main
#   of a git push.
# scope: document
has_flag(command, flag) if flag in command.options

has_flag(command, flag) if flag in command.implies

has_flag(command, flag) if {
	not command.known
	some option in command.options
	regex.match(`^--.`, option)
	startswith(flag, option)
}

# METADATA
# description: Whether the command has the option, or a word that may turn out to be it.
# scope: document
may_have_flag(command, flag) if has_flag(command, flag)

may_have_flag(command, _) if dynamic(command)

# METADATA
# description: |
#   What the command gives an option as its value. The option's spellings are
#   given together: {"-o", "--output"}. A value that only run time knows stands
#   as it is in the source.
option_values(command, spellings) := {value |
	some i, word in command.args
	some spelling in spellings
	value := _value(command.args, i, word.text, spelling)
}

# METADATA
# description: Whether a word of the command is known only at run time, or all of it.
# scope: document
dynamic(command) if command.dynamic

dynamic(command) if command.unparsed

# METADATA
# description: Whether the command was found inside the named one, such as sudo.
through(command, wrapper) if wrapper in command.wrappers

# METADATA
# description: |
#   Whether the command is known to have the effect: read, write, delete, run
#   or network.
does(command, effect) if effect in command.effects

# METADATA
# description: Whether the command has the effect, or nobody knows all that it does.
# scope: document
may_do(command, effect) if does(command, effect)

may_do(command, _) if {
	not command.known
	not command.wrapper
}

may_do(command, _) if "run" in command.effects

# METADATA
# description: |
#   Whether the command is a git push that may go to the branch: it names it, as
#   source or destination, or names none, or all, or one that run time knows.
# scope: document
pushes_to(command, branch) if {
	runs(command, "git push")
	some word in command.operands
	destination := regex.replace(word, `^\+?(.*:)?(refs/heads/|heads/)?`, "")
	destination in {branch, "HEAD", "@", ""}
}

pushes_to(command, _) if {
	runs(command, "git push")
	some word in command.operands
	contains(word, "*")
}

pushes_to(command, _) if {
	runs(command, "git push")
	count(command.operands) < 3
}

pushes_to(command, _) if {
	runs(command, "git push")
	some all in {"--all", "--branches", "--mirror"}
	may_have_flag(command, all)
}

# METADATA
# description: |
#   The parts of the shell text of which nobody can say what they would run or
#   do: a policy that denies commands may ask for these.
unclear := effects.unclear

_value(_, _, text, spelling) := trim_prefix(text, concat("", [spelling, "="])) if {
	startswith(text, concat("", [spelling, "="]))
}

_value(args, i, text, spelling) := args[i + 1].text if text == spelling

_value(_, _, text, spelling) := substring(text, 2, -1) if {
	regex.match(`^-[^-]$`, spelling)
	startswith(text, spelling)
	not startswith(text, concat("", [spelling, "="]))
	text != spelling
}
