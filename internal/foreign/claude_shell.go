package foreign

import (
	"strings"

	"github.com/permctl/permctl/internal/permission"
)

// bash translates Bash(…).
func (t *claudeTranslation) bash(r claudeRule) {
	spec := r.spec
	if head, ok := strings.CutSuffix(spec, ":*"); ok {
		spec = head + " *"
	}
	starsOnly := strings.Trim(spec, "* ") == ""
	if r.action != permission.Allow && !starsOnly && !joined(spec) {
		t.shell.hold(t.action(r), r.from, commandExpression(spec))
	}
	switch {
	case starsOnly && r.action == permission.Allow:
		t.book.note(r.from, "is left out: write Bash to allow every command")
	case starsOnly:
		t.add(r, "bash", "*")
	case syntactic.MatchString(spec) && r.action == permission.Allow:
		t.book.note(r.from, syntaxLeftOut)
	case syntactic.MatchString(spec):
		t.book.note(r.from, syntaxHeld)
		t.parts = append(t.parts, t.finding(r, "input.script.text", wordsExpression(spec)))
	case joined(spec) && r.action == permission.Allow:
		t.dead(r, "each command of a line is matched by itself; write a rule for each of them")
	case joined(spec):
		t.book.note(r.from, "holds for a line that is just so: Claude Code matches each command by itself, and would not consult it; write a rule for each of them")
		t.parts = append(t.parts, t.finding(r, "input.script.text", `(?s)^\s*`+commandExpression(spec)+`\s*$`))
	case r.action == permission.Allow:
		p := commandPattern{"(?s)^" + commandExpression(spec) + "$", !spelled(spec), true, r.from}
		if star := strings.IndexByte(spec, '*'); !p.raw && !strings.Contains(spec, "?") && (star < 0 || star == len(spec)-1) {
			p.exact = false
			t.add(r, "bash", spec)
		}
		t.shell.patterns = append(t.shell.patterns, p)
	case spelled(spec):
		t.add(r, "bash", spec)
	default:
		t.parts = append(t.parts, t.finding(r, "command.source", sourceExpression(spec), "some command in input.commands"))
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
	return findingRego(t.action(r), r.from, text, expression, also...)
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

// claudeShellRego is what Claude Code does besides, where it reads a script.
const claudeShellRego = `
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

ask contains {"reason": "is longer than 10000 characters", "target": "*"} if count(input.script.text) > 10000

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

# What removes the workspace, or what it lies in, is asked for whatever allows it.
ask contains {"reason": "may remove a folder that much depends on", "target": command.text} if {
	some command in input.commands
	command.name == "noglob"
	some word in command.args
	word.text in {"rm", "rmdir"}
}

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
`

// claudeProtected are the files that Claude Code writes only if a person says so.
const claudeProtected = `
# What steers tools is written only if a person says so. A worktree below .claude is
# a folder like others.
ask contains {"reason": "is a file that steers tools", "target": path.path} if {
	some path in input.paths
	path.access in {"write", "delete"}
	some place in {path.absolute, path.real}
	regex.match(_steering, regex.replace(place, "/\\.claude/worktrees(?:/|$)", "/"))
}

_steering := concat("", [
	"(?i)/(?:\\.git|\\.config/git|\\.vscode|\\.idea|\\.husky|\\.cargo|\\.devcontainer|\\.yarn|\\.mvn|\\.claude)(?:/|$)|",
	"/(?:\\.gitconfig|\\.gitmodules|\\.envrc|\\.npmrc|\\.yarnrc(?:\\.yml)?|\\.pnp\\.[^/]*|bunfig\\.toml|\\.bazel[^/]*|",
	"\\.pre-commit-config\\.yaml|lefthook\\.[^/]*|gradle-wrapper\\.properties|maven-wrapper\\.properties|",
	"\\.devcontainer\\.json|\\.ripgreprc|pyrightconfig\\.json|\\.mcp\\.json|\\.claude\\.json|",
	"\\.(?:bash|zsh|ksh)(?:rc|env)|\\.bash_(?:profile|login|logout|aliases)|\\.z(?:profile|login|logout)|\\.profile)$",
])
`
