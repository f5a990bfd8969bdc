package foreign

import (
	"fmt"
	"strings"
)

// geminiPreset returns Rego that decides as the rules do.
func geminiPreset(rules []geminiRule) string {
	var b strings.Builder
	b.WriteString("# Gemini CLI's rules, the highest priority first: the first that matches decides.\n# What is not sure only asks or denies, and hides nothing below it.\n_rules := [")
	var last Origin
	for _, r := range rules {
		if r.from != last {
			b.WriteString("\n")
			comment(&b, "\t", r.from)
		}
		last = r.from
		reason := ruleName(r.from)
		if r.message != "" {
			reason = r.message
		}
		interactive := ""
		if r.interactive != nil {
			interactive = fmt.Sprintf(`, "interactive": %v`, *r.interactive)
		}
		fmt.Fprintf(&b, "\t{\n\t\t\"action\": %q, \"priority\": %d, \"sure\": %v, \"redirects\": %v%s,\n\t\t\"names\": %s, \"server\": %s,\n", string(r.action), r.priority, r.sure, r.redirects, interactive, quoted(r.names), quoted(r.server))
		if r.except != "" {
			fmt.Fprintf(&b, "\t\t\"except\": %s,\n", quoted(r.except))
		}
		if r.patterned {
			fmt.Fprintf(&b, "\t\t\"args\": %s,\n", quoted(r.args))
		}
		fmt.Fprintf(&b, "\t\t\"reason\": %s,\n\t},\n", quoted(reason))
	}
	b.WriteString("]\n")
	b.WriteString(strings.NewReplacer("BUILD_FILES", quoted(geminiBuildFiles), "SAFE", regoSet(geminiSafeNames), "FIND", regoSet(geminiFind)).Replace(geminiRego))
	return b.String()
}

// geminiRego is how Gemini CLI decides by its rules. Of a text that nobody knows,
// null, no rule with an expression is sure to match, and each that asks or denies
// may.
const geminiRego = `
allow contains {"reason": said.reason, "permission": request.permission, "target": target.forms[0]} if {
	not _shell
	said := _said(_text(input.call.input))
	said.action == "allow"
	not _more
	some request in input.requests
	request.permission != "external_directory"
	some target in request.targets
}

# A command line has to be allowed as a whole, and so has each command in it.
allow contains {"reason": _line.reason, "permission": request.permission, "target": target.forms[0]} if {
	_line_allowed
	some request in input.requests
	some target in request.targets
	target.command >= 0
	count(input.commands[target.command].wrappers) == 0
	not target.command in _held
}

allow contains {"reason": _line.reason, "permission": request.permission, "target": target.forms[0]} if {
	_line_allowed
	count(_held) == 0
	some request in input.requests
	some target in request.targets
}

deny contains {"reason": _line.reason, "target": input.tool.name} if _line.action == "deny"

deny contains {"reason": said.reason, "target": input.commands[i].source} if {
	some i, texts in _texts
	some said in texts
	said.action == "deny"
}

_shell if input.tool.name in {"run_shell_command", "ShellTool"}

# What the rules say of the whole call.
_line := _said(_text(input.call.input))

_line_allowed if {
	_shell
	_acted == "allow"
	count(input.commands) > 0
	count(input.script.unparsed) == 0
	not _more
	not _open
	not regex.match("\\[\\[|\\(\\(|@P[}]", input.call.input.command)
	not _redirected(_line, input.call.input.command)
}

# A test that is not closed, Gemini CLI cannot parse.
_open if {
	some command in input.commands
	startswith(command.program, "[")
	not _closed(command)
}

_closed(command) if {
	command.program == "["
	command.args[count(command.args) - 1].text == "]"
}

# A rule for all commands, or none, leaves some things to what the line is.
default _acted := "ask"

_acted := _line.action if {
	_line.patterned
} else := "ask" if {
	_leaves
} else := "ask" if {
	_dangerous
} else := "allow" if {
	_line.action == "ask"
	_line.clear
	_safe
} else := _line.action

# What a rule does not let be redirected is asked for. Where quotes hide what is in
# them for sure, that does not count.
_redirected(said, text) if {
	not said.redirects
	regex.match("[<>]", _unquoted(text))
}

_unquoted(text) := text if {
	regex.match("[\\\\$\u0060#]", text)
} else := regex.replace(text, "'[^']*'|\"[^\"]*\"", "")

# What the rules say of the commands in the line, by their numbers, and of what
# they have another shell run.
_texts[i] contains _part(text) if {
	some i, command in input.commands
	_seen(command)
	some text in {command.source, _cut(command.source)}
	text != input.call.input.command
}

_texts[i] contains _part(_within(command)) if {
	some i, command in input.commands
	count(command.wrappers) == 0
	regex.match(_wrapper, command.source)
}

_texts[i] contains _said(null) if {
	some i, command in input.commands
	count(command.wrappers) > 0
	regex.match(_wrapper, command.source)
}

_held contains i if {
	some i, texts in _texts
	some said in texts
	said.action != "allow"
}

# Gemini CLI looks into what shells run, and into nothing else that runs another.
_seen(command) if {
	every wrapper in command.wrappers {
		wrapper in {"sh", "bash", "zsh"}
	}
}

_part(text) := _said(null) if text == null

_part(text) := object.union(said, {"action": action}) if {
	text != null
	said := _said(_text(object.union({"command": text}, {"dir_path": dir | dir := input.call.input.dir_path})))
	action := _strictest({said.action} | {"ask" | _redirected(said, text)})
}

_cut(source) := trim_space(regex.replace(source, "(?s)^([^<>'\"\\\\$\u0060#]*?)\\s*[0-9&]*[<>].*$", "$1"))

_wrapper := concat("", [
	"(?i)^\\s*(?:(?:\\S+/)?(?:sh|bash|zsh)\\s+-c|cmd[.]exe\\s+/c|",
	"(?:powershell|pwsh)(?:[.]exe)?\\s+(?:-NoProfile\\s+)?-Command)\\s+",
])

# What another shell is given, if that is plain.
_within(command) := trim(text, "'\"") if {
	text := trim_space(regex.replace(command.source, _wrapper, ""))
	regex.match("^(?:'[^'\"]+'|\"[^'\"\\\\$\u0060]+\"|[^'\"\\\\$\u0060]+)$", text)
	regex.match("(?i)(?:sh|bash|zsh)\\s+-c", command.source)
	not regex.match(_wrapper, trim(text, "'\""))
} else := null

_leaves if regex.match("^/|[.][.]|[~$\u0060]", input.call.input.dir_path)

_words := [word |
	some command in input.commands
	count(command.wrappers) == 0
	some word in array.concat([command.program], [arg.text | some arg in command.args])
]

_behind_sudo := array.slice(_words, min([i | some i, word in _words; word != "sudo"]), count(_words))

_dangerous if {
	_behind_sudo[0] == "ln"
	some word in _behind_sudo
	regex.match("^(?:--symbolic$|-[^-]*s)", word)
}

_dangerous if {
	_behind_sudo[0] == "rm"
	_behind_sudo[1] in {"-f", "-rf", "-fr"}
}

_dangerous if {
	_behind_sudo[0] == "find"
	some word in _behind_sudo
	word in FIND
}

_dangerous if {
	_behind_sudo[0] == "git"
	some word in array.slice(_behind_sudo, 1, count(_behind_sudo))
	regex.match("^(?:-c|--config-env(?:=|$)|--output(?:=|$)|--exec(?:=|$)|--ext-diff$|--textconv$|--paginate$)", word)
}

_dangerous if {
	array.slice(_behind_sudo, 0, 2) == ["git", "branch"]
	some word in array.slice(_behind_sudo, 2, count(_behind_sudo))
	not regex.match(_branches, word)
}

_dangerous if {
	_behind_sudo[0] == "base64"
	some word in _behind_sudo
	regex.match("^(?:-o|--output(?:=|$))", word)
}

_dangerous if {
	_behind_sudo[0] == "rg"
	some word in _behind_sudo
	regex.match("^(?:(?:--pre|--hostname-bin)(?:=|$)|--search-zip(?:=|$)|-z(?:=|$))", word)
}

_branches := "^(?:--list|-l|--show-current|-a|--all|-r|--remotes|-v|-vv|--verbose|--format=.*)$"

# A single command of plain words that only reads in the workspace runs without a
# rule.
_safe if {
	count(input.commands) == 1
	some command in input.commands
	command.source == input.call.input.command
	regex.match("^[A-Za-z0-9_./:=,@%+ -]+$", command.source)
	not "dir_path" in object.keys(input.call.input)
	not _dangerous
	data.policy.lib.effects.only_reads(command)
	data.policy.lib.effects.inside
	every word in command.args {
		_stays(word.text)
	}
	_reads(command)
}

_stays(word) if {
	not regex.match("[.][.]|^/|=/", word)
}

_stays(word) if {
	not regex.match("[.][.]|=", word)
	startswith(word, concat("", [input.workspace.root, "/"]))
}

_reads(command) if {
	command.program in (SAFE | {"find", "base64"}) - {"cd"}
}

_reads(command) if {
	command.program == "cd"
	some word in command.args
	not startswith(word.text, "-")
}

_reads(command) if {
	command.program == "git"
	command.args[0].text in {"status", "log", "diff", "show", "branch"}
}

_reads(command) if regex.match("^sed +-n +[0-9]+(?:,[0-9]+)?p(?: +[^ ]+)?$", command.source)

# What asks for more than rules speak of.
_more if "additional_permissions" in object.keys(input.call.input)

_more if {
	_edits
	some key in ["file_path", "path", "filePath", "file"]
	name := input.call.input[key]
	is_string(name)
	_build_file(name)
}

_more if {
	_edits
	some path in input.paths
	some name in {path.absolute, path.real}
	_build_file(name)
}

_edits if regex.match(
	"(?i)(?:^|[^a-z0-9])(?:write|edit|replace|patch|update|create|append|save)(?:[^a-z0-9]|$)",
	input.tool.name,
)

_build_file(name) if regex.match(BUILD_FILES, regex.replace(replace(trim_space(name), "\\", "/"), "(?s)^.*/", ""))

# What the rules say of what the tool is given.
_said(text) := {
	"action": action,
	"reason": reasons[0],
	"patterned": "args" in object.keys(first),
	"redirects": first.redirects,
	"clear": count(above) == 0,
} if {
	matching := _matching(text)
	end := min([i | some i, found in matching; found.sure])
	first := matching[end]
	above := array.slice(matching, 0, end)
	action := _strictest({found.action | some found in above} | {first.action})
	reasons := [found.reason | some found in array.concat(above, [first]); found.action == action]
}

_strictest(actions) := "deny" if {
	"deny" in actions
} else := "ask" if {
	"ask" in actions
} else := "allow"

# The rules that match, or may: what is not sure hides nothing.
_matching(text) := array.concat([found | some rule in _for_tool; some found in _found(rule, text)], [{
	"action": "ask", "reason": "no rule speaks of it", "redirects": false, "sure": true,
}])

_found(rule, text) := [object.union(rule, {"sure": true})] if {
	rule.sure
	_surely(rule, text)
} else := [object.union(rule, {"sure": false})] if {
	rule.action != "allow"
	_perhaps(rule, text)
} else := []

_surely(rule, _) if not "args" in object.keys(rule)

_surely(rule, text) if {
	text != null
	not _beyond(text)
	regex.match(rule.args, text)
}

_perhaps(rule, _) if object.get(rule, "args", "") == ""

_perhaps(_, null)

_perhaps(_, text) if _beyond(text)

_perhaps(rule, text) if regex.match(rule.args, text)

# JavaScript counts what is in these characters in another way.
_beyond(text) if regex.match("[\\x{10000}-\\x{10ffff}]", text)

_for_tool := [rule |
	some rule in _rules
	_on_server(rule)
	object.get(rule, "interactive", _somebody) == _somebody
	_named(rule)
	not _excepted(rule)
]

_excepted(rule) if {
	some name in _names
	regex.match(rule.except, name)
}

_on_server(rule) if rule.server == ""

_on_server(rule) if {
	rule.server == "*"
	_server != ""
}

_on_server(rule) if {
	rule.server != "*"
	rule.server == _server
}

_named(rule) if {
	some name in _names
	regex.match(rule.names, name)
}

_somebody := object.get(input.call, "interactive", true)

default _server := ""

_server := input.call.mcp.server if {
	input.call.mcp.server != ""
} else := regex.find_all_string_submatch_n("^mcp_([^_]+)_.", input.tool.name, 1)[0][1]

_names contains input.tool.name

_names contains {"grep_search": "search_file_content", "search_file_content": "grep_search"}[input.tool.name]

_names contains input.call.input.agent_name if {
	input.tool.name == "invoke_agent"
	is_string(input.call.input.agent_name)
}

_names contains concat("", ["mcp_", _server, "_", input.tool.name]) if {
	_server != ""
	not startswith(input.tool.name, "mcp_")
}

# What a tool is given as JavaScript writes it in JSON, with each field at the top
# between zero characters.
_text(args) := concat("", ["{", concat(",", pairs), "}"]) if {
	pairs := [concat("", ["\u0000", _json(name), ":", _json(value), "\u0000"]) | some name, value in args]
}

_json(value) := strings.replace_n(
	{
		"\\\\": "\\\\", "\\u003c": "<", "\\u003e": ">", "\\u0026": "&",
		"\\u2028": "\u2028", "\\u2029": "\u2029",
	},
	json.marshal(value),
)
`

// regoSet returns texts as a set.
func regoSet(texts []string) string {
	return "{" + strings.Trim(quoted(texts), "[]") + "}"
}
