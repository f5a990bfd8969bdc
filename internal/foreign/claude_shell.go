package foreign

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/permctl/permctl/internal/permission"
)

// A claudeShell gathers the rules that allow commands.
type claudeShell struct {
	// whole is whether a rule allows all commands.
	whole bool

	// patterns are the rules for some of them, and those of them that wildcards
	// cannot say.
	patterns []shellPattern
}

// A shellPattern is a rule for commands as a regular expression.
type shellPattern struct {
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

// bash translates Bash(…).
func (t *claudeTranslation) bash(r claudeRule) {
	spec := r.spec
	if head, ok := strings.CutSuffix(spec, ":*"); ok {
		spec = head + " *"
	}
	switch starsOnly := strings.Trim(spec, "* ") == ""; {
	case starsOnly && r.action == permission.Allow:
		t.book.note(r.from, "is left out: write Bash to allow every command")
	case starsOnly:
		t.add(r, "bash", "*")
	case joined(spec) && r.action == permission.Allow:
		t.dead(r, "each command of a line is matched by itself; write a rule for each of them")
	case joined(spec):
		t.book.note(r.from, "holds for a line that is just so: Claude Code matches each command by itself, and would not consult it; write a rule for each of them")
		t.parts = append(t.parts, t.finding(r, "input.script.text", `(?s)^\s*`+commandExpression(spec)+`\s*$`))
	case r.action == permission.Allow:
		p := shellPattern{"(?s)^" + commandExpression(spec) + "$", !spelled(spec), true, r.from}
		if star := strings.IndexByte(spec, '*'); !p.raw && !strings.Contains(spec, "?") && (star < 0 || star == len(spec)-1) {
			p.exact = false
			t.add(r, "bash", spec)
		}
		t.shell.patterns = append(t.shell.patterns, p)
	case spelled(spec):
		t.add(r, "bash", spec)
	default:
		expression := `(?s)^(?:[A-Za-z_][A-Za-z0-9_]*=\S*\s+)*` + commandExpression(spec) + `(?:\s*[0-9]*[<>].*)?$`
		t.parts = append(t.parts, t.finding(r, "command.source", expression, "some command in input.commands"))
	}
}

// otherShell translates PowerShell(…) and Monitor(…).
func (t *claudeTranslation) otherShell(r claudeRule) {
	switch {
	case r.tool == "Monitor":
		t.dead(r, "write Bash(%s), which holds for Monitor too", r.spec)
	case r.action == permission.Allow:
		t.book.note(r.from, "is left out, and its calls are asked: permctl does not read PowerShell")
	default:
		t.book.note(r.from, "holds wherever a text for PowerShell has the words, for permctl does not read it; an alias such as gci is not seen, and asked like all PowerShell")
		spec := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(r.spec, "*"), ":"), " ")
		t.parts = append(t.parts, t.finding(r, "input.script.text", "(?is)"+starred(spec), `input.tool.shell == "powershell"`))
	}
}

// finding returns Rego that asks or denies where a text matches.
func (t *claudeTranslation) finding(r claudeRule, text, expression string, also ...string) string {
	var b strings.Builder
	comment(&b, "", r.from)
	fmt.Fprintf(&b, "%s contains {\"reason\": %s, \"target\": %s} if {\n", t.action(r), quoted(ruleName(r.from)), text)
	for _, line := range also {
		b.WriteString("\t" + line + "\n")
	}
	fmt.Fprintf(&b, "\tregex.match(%s, %s)\n}\n", quoted(expression), text)
	return b.String()
}

// cd translates Cd(…) into rules for every change of directory.
func (t *claudeTranslation) cd(r claudeRule) {
	if r.action == permission.Allow {
		t.book.note(r.from, "is left out, and every cd and pushd is asked: with such a rule, Claude Code allows no other folder")
		r.action = permission.Ask
	} else if !r.bare {
		t.book.note(r.from, "holds for every cd and pushd, to whatever folder")
	}
	t.add(r, "bash", "cd *")
	t.add(r, "bash", "pushd *")
}

// preset returns Rego for the commands.
func (s *claudeShell) preset() string {
	var b strings.Builder
	b.WriteString("# The rules that allow commands: a regular expression, whether it is only for the\n# text as it stands in the script, and whether settings cannot say it.\n_commands := [\n")
	for _, p := range s.patterns {
		comment(&b, "\t", p.from)
		fmt.Fprintf(&b, "\t{\n\t\t\"text\": %s, \"raw\": %v, \"exact\": %v,\n\t\t\"rule\": %s,\n\t},\n", quoted(p.expression), p.raw, p.exact, quoted(ruleName(p.from)))
	}
	fmt.Fprintf(&b, "]\n\n# Whether a rule allows every command.\n_every_command := %v\n", s.whole)
	b.WriteString(claudeShellRego)
	return b.String()
}

// claudeShellRego is how Claude Code reads a script, where permctl sees through
// more: what it does not see through, it asks for.
const claudeShellRego = `
allow contains {"reason": pattern.rule, "permission": "bash", "target": command.text} if {
	some command in input.commands
	some pattern in _commands
	pattern.exact
	_matches(command, pattern)
}

# What only reads runs freely.
allow contains {"reason": "only reads inside the workspace", "permission": "bash", "target": command.text} if {
	some command in input.commands
	command.program in _readers
	regex.match("^[a-z]+(?:\\s|$)", command.source)
	not _wrapped
	data.policy.lib.effects.only_reads(command)
	data.policy.lib.effects.inside
}

allow contains {"reason": "only reads the repository", "permission": "bash", "target": command.text} if {
	some command in input.commands
	command.program == "git"
	command.prefix in {"git status", "git log", "git diff", "git show"}
	regex.match("^git\\s+[a-z]+(?:\\s|$)", command.source)
	not _moves
	not _wrapped
	data.policy.lib.effects.only_reads(command)
	data.policy.lib.effects.inside
}

_readers := {"ls", "cat", "echo", "pwd", "head", "tail", "grep", "find", "wc", "which", "diff", "stat", "du", "cd"}

_wrapped if {
	some command in input.commands
	command.wrapper
}

_moves if {
	some command in input.commands
	command.name in {"cd", "pushd"}
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

# Claude Code takes only lists of commands apart.
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

ask contains {"reason": "is longer than 10000 characters", "target": "*"} if count(input.script.text) > 10000

ask contains {"reason": "cannot be analysed", "target": part.text} if some part in input.script.unparsed

ask contains {"reason": "no rule for bash is one for another shell", "target": input.script.text} if input.tool.shell

# It sees through some commands that run another, and through no others.
ask contains {"reason": "runs another command, and no rule allows that", "target": command.text} if {
	not _every_command
	some command in input.commands
	command.wrapper
	not _stripped(command)
	not _named(command)
}

_stripped(command) if command.name in {"timeout", "time", "nice", "nohup", "stdbuf", "command", "builtin"}

_stripped(command) if {
	command.name == "xargs"
	not startswith(command.args[0].text, "-")
}

# Some are never allowed by the beginning of their text.
ask contains {"reason": "no rule for a part of its text allows it", "target": command.text} if {
	not _every_command
	some command in input.commands
	_unlimited(command)
}

_unlimited(command) if command.name in {"watch", "setsid", "ionice", "flock"}

_unlimited(command) if {
	command.name == "find"
	some word in command.args
	word.text in {"-exec", "-execdir", "-ok", "-okdir", "-delete"}
}

# A variable that is set for a command is part of what a rule has to allow.
ask contains {"reason": "no rule allows the variable", "target": command.source} if {
	not _every_command
	some command in input.commands
	regex.match("^[A-Za-z_][A-Za-z0-9_]*\\+?=", command.source)
	some assign in command.assigns
	assign.name != "NODE_ENV"
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
	some text in {command.source, _bare(command.source)}
	regex.match(pattern.text, text)
}

# The text without redirections, and without the variables that do not count.
_bare(source) := trim_space(regex.replace(
	regex.replace(source, "^(?:NODE_ENV=\\S*\\s+)+", ""),
	"\\s*[0-9]*(?:&>>|&>|>>|>\\||>&|>|<)\\s*[^\\s<>&|;'\"]+",
	"",
)) if {
	not regex.match("['\"\\\\]", source)
}

ask contains {"reason": "defines a function", "target": input.script.text} if {
	not _every_command
	count(input.script.functions) > 0
}

# What removes the workspace, or what it lies in, is asked for whatever allows it.
ask contains {"reason": "removes a folder that much depends on", "target": command.text} if {
	some command in input.commands
	command.name in {"rm", "rmdir"}
	some operation in command.operations
	operation.dynamic
}

ask contains {"reason": "removes a folder that much depends on", "target": path.path} if {
	some path in input.paths
	path.access == "delete"
	some place in {path.absolute, path.real}
	some kept in {input.workspace.root, input.workspace.real, input.call.cwd, input.user.home}
	startswith(concat("", [kept, "/"]), concat("", [trim_suffix(place, "/"), "/"]))
}

ask contains {"reason": "removes a folder that much depends on", "target": path.path} if {
	some path in input.paths
	path.access == "delete"
	regex.match("^/[^/]*$", path.absolute)
}

_bash if {
	input.tool.kind == "shell"
	not input.tool.shell
}
`

// claudeProtected are the files that Claude Code writes only if a person says so.
const claudeProtected = `
# What steers tools is written only if a person says so.
ask contains {"reason": "is a file that steers tools", "target": path.path} if {
	some path in input.paths
	path.access in {"write", "delete"}
	some place in {path.absolute, path.real}
	regex.match(_steering, place)
	not regex.match("/\\.claude/worktrees(?:/|$)", place)
}

_steering := concat("", [
	"(?i)/(?:\\.git|\\.config/git|\\.vscode|\\.idea|\\.husky|\\.cargo|\\.devcontainer|\\.yarn|\\.mvn|\\.claude)(?:/|$)|",
	"/(?:\\.gitconfig|\\.gitmodules|\\.envrc|\\.npmrc|\\.yarnrc(?:\\.yml)?|\\.pnp\\.[^/]*|bunfig\\.toml|\\.bazel[^/]*|",
	"\\.pre-commit-config\\.yaml|lefthook\\.[^/]*|gradle-wrapper\\.properties|maven-wrapper\\.properties|",
	"\\.devcontainer\\.json|\\.ripgreprc|pyrightconfig\\.json|\\.mcp\\.json|\\.claude\\.json|",
	"\\.(?:bash|zsh|k)(?:rc|env)|\\.bash_(?:profile|login|logout|aliases)|\\.z(?:profile|login|logout)|\\.profile)$",
])
`
