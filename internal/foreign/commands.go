package foreign

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/permctl/permctl/internal/permission"
)

// commandRules are the rules that allow commands, and how a line is read for them.
type commandRules struct {
	// whole is whether a rule allows all commands.
	whole bool

	// patterns are the rules for some of them, and those of them that wildcards
	// cannot say.
	patterns []commandPattern

	// through are commands that run another and count for nothing themselves, and
	// variables those that may be set for a command that a rule allows.
	through, variables []string

	// held are the rules that ask for some commands or deny them.
	held []heldCommand
}

// A heldCommand is a rule that asks or denies, as a regular expression for a text
// from the beginning.
type heldCommand struct {
	action     permission.Action
	expression string
	from       Origin
}

// hold adds a rule that asks or denies.
func (s *commandRules) hold(action permission.Action, from Origin, expression string) {
	s.held = append(s.held, heldCommand{action, expression, from})
}

// heldPreset returns Rego for the rules that ask or deny, where an agent reads more
// of a line as a command's text than permctl does.
func (s *commandRules) heldPreset() string {
	if len(s.held) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n# The rules that ask for commands or deny them.\n_held_commands := [\n")
	for _, r := range s.held {
		comment(&b, "\t", r.from)
		fmt.Fprintf(&b, "\t{\"action\": %q, \"text\": %s, \"rule\": %s},\n", string(r.action), quoted(r.expression+`(?:\s*[0-9]*[<>].*)?$`), quoted(ruleName(r.from)))
	}
	return b.String() + heldCommandsRego
}

// A commandPattern is a rule for commands as a regular expression.
type commandPattern struct {
	expression string

	// raw is whether only the text as it stands in the script may match, for the
	// rule has quotes or the like itself.
	raw bool

	// exact is whether the preset has to allow it, for settings cannot say it.
	exact bool

	from Origin
}

var (
	identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
)

// syntactic matches a pattern that begins with what is no command's name: an option,
// a redirection, or a word of the shell itself.
var syntactic = regexp.MustCompile(`^(?:[-!#&;|<>(){}=]|\[\[|[0-9]+[<>]|(?:time|if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|coproc|in)(?:[ *:]|$))`)

// What becomes of a rule with such a pattern.
const (
	syntaxLeftOut = "is left out, and asked: that is no command, but what stands before or behind one; write a rule for the command itself"
	syntaxHeld    = "holds for every line with that in it: it is no command, but what stands before or behind one; write a rule for the command itself"
)

// wordsExpression returns the regular expression for a line that has a pattern's
// words somewhere in it.
func wordsExpression(spec string) string {
	return `(?s)(?:^|[\s;&|(){}<>!\x60])` + starred(strings.TrimSuffix(spec, " *")) + `(?:[\s;&|(){}<>\x60]|$)`
}

// joined reports whether a pattern has in it what joins commands, so that no
// single command can match it.
func joined(spec string) bool {
	for _, operator := range []string{"&&", "||", ";", "|", " & ", "\n"} {
		if strings.Contains(spec, operator) && !strings.ContainsAny(spec, `"'\`) {
			return true
		}
	}
	return strings.HasSuffix(spec, " &")
}

// commandExpression returns the regular expression for a pattern of commands: * is
// any text, and one behind a blank at the end may be missing with it.
func commandExpression(spec string) string {
	if head, ok := strings.CutSuffix(spec, " *"); ok {
		return starred(head) + "(?: .*)?"
	}
	return starred(spec)
}

// spelled reports whether a pattern says a command in the way in which permctl
// matches commands: words without quotes and with one blank between them, and
// nothing that stands for something else.
func spelled(spec string) bool {
	return !strings.ContainsAny(spec, "\"'\\$`\t\n") && !strings.Contains(spec, "  ") && !strings.HasPrefix(spec, "~") && !assignment.MatchString(spec)
}

// sourceExpression returns the regular expression for a pattern of commands as
// they stand in a script: with variables set before, and redirections behind.
func sourceExpression(spec string) string {
	return `(?s)^(?:[A-Za-z_][A-Za-z0-9_]*=\S*\s+)*` + commandExpression(spec) + `(?:\s*[0-9]*[<>].*)?$`
}

// findingRego returns Rego that asks or denies where a text matches.
func findingRego(action permission.Action, from Origin, text, expression string, also ...string) string {
	var b strings.Builder
	comment(&b, "", from)
	fmt.Fprintf(&b, "%s contains {\"reason\": %s, \"target\": %s} if {\n", action, quoted(ruleName(from)), text)
	for _, line := range also {
		b.WriteString("\t" + line + "\n")
	}
	fmt.Fprintf(&b, "\tregex.match(%s, %s)\n}\n", quoted(expression), text)
	return b.String()
}

// preset returns Rego for the commands.
func (s *commandRules) preset() string {
	var b strings.Builder
	b.WriteString("# The rules that allow commands: a regular expression, whether it is only for the\n# text as it stands in the script, and whether settings cannot say it.\n_commands := [\n")
	for _, p := range s.patterns {
		comment(&b, "\t", p.from)
		fmt.Fprintf(&b, "\t{\n\t\t\"text\": %s, \"raw\": %v, \"exact\": %v,\n\t\t\"rule\": %s,\n\t},\n", quoted(p.expression), p.raw, p.exact, quoted(ruleName(p.from)))
	}
	fmt.Fprintf(&b, "]\n\n# Whether a rule allows every command.\n_every_command := %v\n", s.whole)
	fmt.Fprintf(&b, "\n# Commands that run another, and count for nothing themselves.\n_seen_through := %s\n", quoted(append([]string{}, s.through...)))
	fmt.Fprintf(&b, "\n# Variables that may be set for a command that is allowed.\n_free_variables := %s\n", quoted(append([]string{}, s.variables...)))
	free := "^$"
	if len(s.variables) > 0 {
		free = `^(?:(?:` + strings.Join(s.variables, "|") + `)=\S*\s+)+`
	}
	fmt.Fprintf(&b, "\n_free := %s\n", quoted(free))
	b.WriteString(commandsRego)
	return b.String() + s.heldPreset()
}

// commandsRego is how agents read a script, where permctl sees through more: what
// they do not see through, it asks for.
const commandsRego = `
allow contains {"reason": pattern.rule, "permission": "bash", "target": command.text} if {
	some command in input.commands
	some pattern in _commands
	pattern.exact
	_matches(command, pattern)
}

# A rule has to match the command as it is written, so that quotes do not move
# what its stars stand for.
_matches(command, pattern) if {
	not pattern.raw
	regex.match(pattern.text, command.text)
	regex.match(pattern.text, command.source)
}

_matches(command, pattern) if {
	pattern.raw
	regex.match(pattern.text, command.source)
}

_named(command) if {
	some pattern in _commands
	not pattern.raw
	regex.match(pattern.text, command.text)
}

_named(command) if {
	some pattern in _commands
	regex.match(pattern.text, command.source)
}

# Only lists of commands are taken apart.
ask contains {"reason": "is more than a list of commands", "target": input.script.text} if {
	_bash
	not _every_command
	rest := strings.replace_n({command.source: "" | some command in input.commands; command.source != ""}, input.script.text)
	not regex.match("^[\\s;&|]*$", rest)
}

ask contains {"reason": "is more than a list of commands", "target": command.source} if {
	not _every_command
	some command in input.commands
	regex.match("^!\\s|[$<>]\\(|\\x60", command.source)
}

ask contains {"reason": "cannot be analysed", "target": part.text} if some part in input.script.unparsed

ask contains {"reason": "no rule for bash is one for another shell", "target": input.script.text} if input.tool.shell

# Some commands that run another are seen through, and no others.
ask contains {"reason": "runs another command, and no rule allows that", "target": command.text} if {
	not _every_command
	some command in input.commands
	command.wrapper
	not _stripped(command)
	not _named(command)
}

_stripped(command) if {
	command.name in _seen_through
	command.name != "xargs"
}

_stripped(command) if {
	command.name == "xargs"
	command.name in _seen_through
	not startswith(command.args[0].text, "-")
}

# A variable that is set for a command is part of what a rule has to allow.
ask contains {"reason": "no rule allows the variable", "target": command.source} if {
	not _every_command
	some command in input.commands
	regex.match("^[A-Za-z_][A-Za-z0-9_]*\\+?=", command.source)
	some assign in command.assigns
	not assign.name in _free_variables
	not _sourced(command)
}

_sourced(command) if {
	some pattern in _commands
	regex.match(pattern.text, command.source)
}

# A program that is named by its path, or given options before its subcommand, is
# another text.
ask contains {"reason": "no rule allows it as it is written", "target": command.text} if {
	not _every_command
	some command in input.commands
	command.text != command.canonical
	not _named(command)
}

# Quotes, tabs and the like make it another text, too.
ask contains {"reason": "no rule allows it as it is written", "target": command.text} if {
	not _every_command
	some command in input.commands
	some pattern in _commands
	not pattern.raw
	regex.match(pattern.text, command.text)
	not _written(command)
}

_written(command) if {
	some pattern in _commands
	regex.match(pattern.text, command.source)
}

_written(command) if {
	some pattern in _commands
	regex.match(pattern.text, _bare(command.source))
}

# The text without redirections, and without the variables that do not count.
_bare(source) := trim_space(regex.replace(
	regex.replace(source, _free, ""),
	"\\s*[0-9]*(?:&>>|&>|>>|>\\||>&|>|<)\\s*[^\\s<>&|;'\"]+",
	"",
)) if {
	not regex.match("['\"\\\\]", source)
}

ask contains {"reason": "defines a function", "target": input.script.text} if {
	not _every_command
	count(input.script.functions) > 0
}

_bash if {
	input.tool.kind == "shell"
	not input.tool.shell
}
`

// heldCommandsRego has what permctl does not take for a part of a command: the words
// time and !, and zsh's noglob, behind which an agent looks.
const heldCommandsRego = `]

ask contains {"reason": rule.rule, "target": text} if {
	some [rule, text] in _held
	rule.action == "ask"
}

deny contains {"reason": rule.rule, "target": text} if {
	some [rule, text] in _held
	rule.action == "deny"
}

_held contains [rule, text] if {
	some rule in _held_commands
	some text in _more_texts
	regex.match(concat("", ["(?s)^", rule.text]), text)
}

_held contains [rule, text] if {
	some rule in _held_commands
	some text in _behind_noglob
	regex.match(concat("", ["(?s)^(?:.*\\s)?", rule.text]), text)
}

_more_texts contains text if {
	some part in regex.split("[;&|\\n]+", input.script.text)
	text := trim(part, " \t\r({")
	regex.match("^(?:time|!)(?:\\s|$)", text)
}

_behind_noglob contains text if {
	some command in input.commands
	command.name == "noglob"
	some text in {command.source, concat(" ", [word.text | some word in command.args])}
}
`
