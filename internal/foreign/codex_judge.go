package foreign

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// answer returns what Codex itself answers to a call. To run in its sandbox without
// a question is to be allowed.
func (c *codexBook) answer(call input.Call) permission.Action {
	text := func(keys ...string) string {
		for _, key := range keys {
			if s, ok := call.Input[key].(string); ok {
				return s
			}
		}
		return ""
	}
	switch name := input.PermissionOf(call.Tool); {
	case c.config.gone(call.Tool):
		return permission.Deny
	case slices.Contains(codexFree, name) && c.required.denies(sampleAbsolute(text("path", "file_path", "filePath"))):
		return permission.Deny
	case name == "bash":
		return c.shell(text("command", "cmd"))
	case c.full(), slices.Contains(codexFree, name):
		return permission.Allow
	case name == "edit":
		return c.edit(sampleAbsolute(text("path", "file_path", "filePath")))
	}
	return permission.Ask
}

// edit returns what Codex answers to a patch of a file.
func (c *codexBook) edit(file string) permission.Action {
	rest, inside := strings.CutPrefix(file, sampleRoot+"/")
	top, _, _ := strings.Cut(rest, "/")
	if !inside || slices.Contains(codexKept, top) {
		return askedOr(c.config.noSandbox)
	}
	action := permission.Ask
	for _, r := range c.base() {
		if r.Permission == "edit" && r.Pattern == "*" {
			action = r.Action
		}
	}
	return action
}

var (
	// literalText is what quotes keep the shell from reading, and codexJoins what
	// may stand between the commands that Codex tells apart.
	literalText = regexp.MustCompile(`'[^']*'|"[^"$` + "`" + `\\]*"`)
	codexJoins  = regexp.MustCompile(`&&|\|\||[;|]`)

	// shellKeywords are words with which what is no command begins or ends.
	shellKeywords = regexp.MustCompile(`(?:^|[;&|])\s*(?:` + keywords + `)(?:[\s;]|$)`)
)

const keywords = "if|then|elif|else|fi|for|do|done|while|until|case|esac|select|function|time|coproc"

// codexSpecial are characters with which a line is more than a list of commands.
const codexSpecial = "$`\\*?[]{}()<>~#!&\r\n"

// codexPlain reports whether Codex takes a line apart into commands.
func codexPlain(text string) bool {
	words := literalText.ReplaceAllString(text, "q")
	rest := codexJoins.ReplaceAllString(words, " ")
	return !shellKeywords.MatchString(words) && !strings.ContainsAny(rest, codexSpecial+`'"`)
}

// shell returns what Codex answers to a line: the strictest of what it says to the
// commands that it makes out, or to the shell that is given the line.
func (c *codexBook) shell(text string) permission.Action {
	script := bash.Parse(text, nil)
	whole := []string{"bash", "-lc", text}
	said := permission.Allow
	for _, command := range script.Commands {
		if keyword := strings.Fields(keywordBefore(text, command)); len(keyword) > 0 && len(command.Wrappers) == 0 {
			said = permission.Strictest(said, c.keyword(keyword, command))
		}
	}
	if said != permission.Allow {
		return permission.Strictest(said, c.command(whole))
	}
	if !codexPlain(text) || len(script.Unparsed)+len(script.Functions)+len(script.Assigns)+len(script.Redirects) > 0 || len(script.Commands) == 0 {
		return c.command(whole)
	}
	action := permission.Allow
	for _, command := range script.Commands {
		if len(command.Wrappers) > 0 {
			continue
		}
		if codexAssigns.MatchString(command.Source) {
			return c.command(whole)
		}
		words := []string{command.Program}
		for _, w := range command.Args {
			words = append(words, w.Text)
		}
		action = permission.Strictest(action, c.command(words))
	}
	return action
}

// keyword returns what rules say of a command with the word time before it, which
// Codex takes for a program.
func (c *codexBook) keyword(before []string, command bash.Command) permission.Action {
	words := append(before, command.Program)
	for _, w := range command.Args {
		words = append(words, w.Text)
	}
	if c.rules.matching(words) == nil {
		return permission.Allow
	}
	return c.command(words)
}

var codexAssigns = regexp.MustCompile(`^\s*[A-Za-z_][A-Za-z0-9_]*\+?=`)

// command returns what Codex answers to one command.
func (c *codexBook) command(words []string) permission.Action {
	found := c.rules.matching(words)
	if found == nil {
		return c.unnamed(words)
	}
	action := permission.Allow
	for _, r := range found {
		if r.action == permission.Ask {
			r.action = askedOr(c.config.noRules)
		}
		action = permission.Strictest(action, r.action)
	}
	return action
}

// unnamed returns what Codex answers to a command that no rule matches.
func (c *codexBook) unnamed(words []string) permission.Action {
	switch approval := c.config.approval.word; {
	case codexReads(words):
		return permission.Allow
	case codexDangerous(words):
		return askedOr(c.config.noSandbox)
	case approval == "" || approval == "untrusted":
		return permission.Ask
	}
	return permission.Allow
}

// codexReaders are the programs, and the subcommands of git, that Codex runs
// without a question: no more of them than are sure.
var (
	codexReaders    = []string{"cat", "cd", "echo", "grep", "head", "ls", "pwd", "stat", "tail", "true", "uname", "wc", "which", "whoami"}
	codexGitReaders = []string{"status", "log", "diff", "show"}
)

func codexReads(words []string) bool {
	return slices.Contains(codexReaders, words[0]) || words[0] == "git" && len(words) > 1 && slices.Contains(codexGitReaders, words[1])
}

// codexDangerous reports whether Codex asks for a command even where it asks for no
// other.
func codexDangerous(words []string) bool {
	if words[0] == "sudo" && len(words) > 1 {
		return codexDangerous(words[1:])
	}
	if len(words) < 2 {
		return false
	}
	return words[0] == "rm" && (words[1] == "-f" || words[1] == "-rf") || path.Base(words[0]) == "git" && (words[1] == "reset" || words[1] == "rm")
}

// rego returns the preset's part.
func (c *codexBook) rego() string {
	var b strings.Builder
	b.WriteString("# The rules, with the alternatives for each of the first words. Of those that match,\n# the strictest decides.\n_rules := [\n")
	for _, r := range c.rules.prefixes {
		if r.action == permission.Ask {
			r.action = askedOr(c.config.noRules)
		}
		comment(&b, "\t", r.from)
		fmt.Fprintf(&b, "\t{\"action\": %q, \"pattern\": %s, \"why\": %s},\n", string(r.action), quoted(r.pattern), quoted(r.ruleWhy()))
	}
	fmt.Fprintf(&b, "]\n\n# Where the programs of these names are.\n_programs := %s\n", quoted(c.rules.programs))
	fmt.Fprintf(&b, "\n# Whether commands that no rule names are allowed, and what becomes of dangerous ones.\n_full := %v\n\n_dangerous := %q\n", c.full(), string(askedOr(c.config.noSandbox)))
	fmt.Fprintf(&b, "\n_readers := {%s}\n\n_git_readers := {%s}\n", listed(codexReaders), listed(codexGitReaders))
	b.WriteString(codexRego + strings.ReplaceAll(keywordsRego, "AGENT", "Codex"))
	return b.String()
}

// listed returns texts as the members of a set.
func listed(texts []string) string {
	members := make([]string, len(texts))
	for i, text := range texts {
		members[i] = quoted(text)
	}
	return strings.Join(members, ", ")
}

const codexRego = `
deny contains {"reason": _rules[i].why, "target": command.text} if {
	some command in input.commands
	some i in _found(command)
	_rules[i].action == "deny"
}

ask contains {"reason": _rules[i].why, "target": command.text} if {
	some command in input.commands
	some i in _found(command)
	_rules[i].action == "ask"
}

# Codex takes the word time for a program.
deny contains {"reason": _rules[i].why, "target": command.text} if {
	some command in input.commands
	some i in _matching(_timed(command))
	_rules[i].action == "deny"
}

ask contains {"reason": _rules[i].why, "target": command.text} if {
	some command in input.commands
	some i in _matching(_timed(command))
	_rules[i].action == "ask"
}

_timed(command) := array.concat(regex.find_n("[^\\s\\\\]+", _keyword(command), -1), _words(command)) if {
	count(command.wrappers) == 0
}

# What only reads runs freely.
allow contains {"reason": "only reads inside the workspace", "permission": "bash", "target": command.text} if {
	some command in input.commands
	_reads(command)
}

# Codex matches words, where permctl's patterns match text.
ask contains {"reason": "no rule allows it as it is written", "target": command.text} if {
	not _full
	some command in input.commands
	count(command.wrappers) == 0
	not _allowed(command)
}

# It takes apart only lists of commands without anything that a shell expands.
ask contains {"reason": "is more than a list of plain commands", "target": input.script.text} if {
	not _full
	input.tool.kind == "shell"
	not _plain
}

ask contains {"reason": "removes what cannot be brought back", "target": command.text} if {
	_dangerous == "ask"
	some command in input.commands
	_removes(command)
}

deny contains {"reason": "removes what cannot be brought back, and nobody may be asked", "target": command.text} if {
	_dangerous == "deny"
	some command in input.commands
	_removes(command)
}

_removes(command) if {
	_unnamed(command)
	command.name == "rm"
	some option in {"-f", "--force"}
	option in command.options
}

_removes(command) if {
	_unnamed(command)
	command.name == "git"
	command.operands[0] in {"reset", "rm"}
}

# A rule for a command says nothing of one that another runs.
_unnamed(command) if count(_found(command)) == 0

_unnamed(command) if count(command.wrappers) > 0

_found(command) := exact if {
	exact := _matching(_words(command))
	count(exact) > 0
} else := {i |
	some i in _matching(_named(command))
	_granted(command, _rules[i])
}

# A rule for a program of this name allows one by its path only if a file says that
# it is there.
_granted(command, _) if command.program in _programs[command.name]

_granted(_, rule) if rule.action != "allow"

_named(command) := array.concat([command.name], [word.text | some word in command.args]) if {
	startswith(command.program, "/")
	command.program in object.get(_programs, command.name, [command.program])
} else := _words(command)

_words(command) := array.concat([command.program], [word.text | some word in command.args])

_matching(words) := {i |
	some i, rule in _rules
	every j, alternatives in rule.pattern {
		words[j] in alternatives
	}
}

_allowed(command) if {
	found := _found(command)
	count(found) > 0
	every i in found {
		_rules[i].action == "allow"
	}
}

_allowed(command) if _reads(command)

_reads(command) if {
	count(_found(command)) == 0
	command.program in _readers
	data.policy.lib.effects.only_reads(command)
	data.policy.lib.effects.inside
}

_reads(command) if {
	count(_found(command)) == 0
	command.program == "git"
	command.args[0].text in _git_readers
	data.policy.lib.effects.only_reads(command)
	data.policy.lib.effects.inside
}

_plain if {
	not input.tool.shell
	count(input.script.unparsed) == 0
	count(input.script.functions) == 0
	count(input.script.assigns) == 0
	count(input.script.redirects) == 0
	every command in input.commands {
		not regex.match("^\\s*[A-Za-z_][A-Za-z0-9_]*\\+?=", command.source)
	}
	words := regex.replace(input.script.text, "'[^']*'|\"[^\"$` + "`" + `\\\\]*\"", "q")
	not regex.match("(?:^|[;&|])\\s*(?:` + keywords + `)(?:[\\s;]|$)", words)
	rest := regex.replace(words, "&&|\\|\\||[;|]", " ")
	not regex.match("[$` + "`" + `\\\\*?\\[\\]{}()<>~#!&\r\n'\"]", rest)
}
`
