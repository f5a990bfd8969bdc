# METADATA
# title: Rules and targets
# description: |
#   Says which rule judges a target, and how: the last one that meets it. This
#   is the definition; permctl itself replaces judge and meets by functions
#   in Go that answer the same, faster.
# schemas:
#   - input: schema.input
package policy.match

import data.policy.teams

# METADATA
# description: The verdict on every target of the call's requests.
verdicts := judge(input.requests, teams.rules)

# METADATA
# description: |
#   The verdict on every target of the requests, in their order. The rules are
#   those in force (data.policy), and besides them the extra ones, each of which
#   comes at the end of the layer whose number is its order.
judge(requests, extra) := [verdict |
	some r, request in requests
	some t, target in request.targets
	met := _met(request.permission, target, extra)
	settled := _settled(target, met)
	found := _approved(_doubted(settled, request.permission, target, met, extra), met)
	verdict := {
		"request": r,
		"target": t,
		"permission": request.permission,
		"pattern": target.pattern,
		"text": target.forms[0],
		"command": target.command,
		"action": found.action,
		"rule": found.rule,
		"untrusted": found.untrusted,
	}
]

# METADATA
# description: |
#   Whether the rule meets the target: by any of its forms, and where the rule
#   denies or asks also by its stricter forms and by its meaning.
# scope: document
meets(rule, _) if rule.pattern == "*"

meets(rule, target) if {
	not target.opaque
	rule.exact
	rule.pattern in target.forms
}

meets(rule, target) if {
	_by_text(rule, target)
	some form in target.forms
	wildcard(form, rule.pattern)
}

meets(rule, target) if {
	_by_parts(rule, target)
	[authority, rest] := _parts(rule)
	wildcard(target.authority, authority)
	wildcard(target.rest, rest)
}

meets(rule, target) if {
	_by_meaning(rule, target)
	some form in target.strict
	wildcard(form, rule.pattern)
}

meets(rule, target) if {
	_by_meaning(rule, target)
	[options, operands] := _meaning(rule)
	every option in options {
		option in target.options
	}
	regex.match(_in_order(operands), concat("\u0000", array.concat(target.operands, [""])))
}

# METADATA
# description: |
#   Whether the pattern matches the whole text: * is any run of characters, ?
#   is one, and a last space-star may be left out.
# scope: document
wildcard(text, pattern) if regex.match(concat("", ["(?s)^", strings.replace_n(_any, pattern), "$"]), text)

wildcard(text, pattern) if {
	endswith(pattern, " *")
	regex.match(concat("", ["(?s)^", strings.replace_n(_any, trim_suffix(pattern, " *")), "$"]), text)
}

_by_text(rule, target) if {
	not target.opaque
	not rule.exact
	not _by_parts(rule, target)
}

# A rule that allows is matched with the parts of a URL, never with the whole.
_by_parts(rule, target) if {
	not target.opaque
	not rule.exact
	rule.action == "allow"
	target.authority
}

_by_meaning(rule, target) if {
	not target.opaque
	not rule.exact
	rule.action != "allow"
}

# The options and operands of a pattern that holds options: those of rules from
# data are there already.
_meaning(rule) := [rule.options, rule.operands] if rule.operands

_meaning(rule) := [options, operands] if {
	not rule.operands
	words := split(regex.replace(trim_space(rule.pattern), `\s+`, " "), " ")
	dashed := {word | some word in words; _dashed(word)}
	every word in dashed {
		not regex.match(`[*?]`, word)
	}
	options := {option | some word in dashed; some option in _spelled(word)}
	operands := [word | some i, word in words; not word in dashed; [i, word] != [count(words) - 1, "*"]]
	count(options) > 0
	count(operands) > 0
}

_dashed(word) if {
	regex.match(`^-.`, word)
	word != "--"
}

_spelled(word) := {split(word, "=")[0]} if startswith(word, "--")

_spelled(word) := {concat("", ["-", letter]) | some letter in split(trim_prefix(word, "-"), "")} if {
	not startswith(word, "--")
}

# The part of a pattern that has to match a URL's scheme and host, and the one
# for the rest: a star behind a host belongs to the rest.
_parts(rule) := [rule.authority, rule.rest] if rule.authority

_parts(rule) := [authority, rest] if {
	not rule.authority
	[_, start, host, tail] := regex.find_all_string_submatch_n(`(?s)^(.*?://)?([^/?#]*)(.*)$`, rule.pattern, 1)[0]
	[authority, starred] := _split(concat("", [start, host]), tail)
	rest := {true: "/", false: starred}[starred == ""]
}

_split(authority, rest) := [authority, rest] if _closed(authority, rest)

_split(authority, rest) := [concat("", [trim_right(authority, "*"), end]), concat("", ["*", rest])] if {
	not _closed(authority, rest)
	host := trim_right(authority, "*")
	end := {true: "*", false: ""}[_begins_scheme(host)]
}

_closed(authority, _) if not endswith(authority, "*")

_closed(authority, rest) if {
	trim_right(authority, "*") == ""
	rest != ""
}

default _begins_scheme(_) := false

_begins_scheme(host) if endswith(host, "://")

_begins_scheme(host) if {
	some scheme in {"https://", "http://"}
	startswith(scheme, host)
}

# The rules that meet the target and may judge it.
_met(permission, target, extra) := {rule |
	some rule in _candidates(permission, target, extra)
	_judges(rule, permission, target.judges)
	meets(rule, target)
}

_candidates(permission, target, extra) := {rule |
	some n in _listed(permission, target)
	rule := data.policy.rules[n]
} | {rule |
	some rule in extra
	wildcard(permission, rule.permission)
}

# The numbers of the rules that the index lists for the target: those whose
# pattern begins as one of its forms does, and those that name its program.
_listed(permission, target) := {n |
	some index in _indexes(permission)
	some text in array.concat(target.forms, object.get(target, "strict", []))
	some length in index.lengths
	some n in index.prefixes[substring(text, 0, length)]
} | {n |
	some index in _indexes(permission)
	some name in {"*", object.get(target, ["operands", 0], "*")}
	some n in index.programs[name]
}

_indexes(permission) := [data.policy.index[name] |
	some name in array.concat([permission], data.policy.wildcards)
	wildcard(permission, name)
]

_judges(_, _, "any")

_judges(rule, permission, "permission") if rule.permission == permission

_judges(rule, _, "tool") if trim(rule.permission, "*") != ""

_judges(rule, _, "pattern") if trim(rule.pattern, "*") != ""

_judges(rule, _, "restriction") if {
	trim(rule.pattern, "*") != ""
	rule.action != "allow"
}

# What the last rule says, or what it would say without the rules of a project
# that nobody trusts, whichever is stricter. If both allow, it is the latter that
# does: an allow that nobody trusts is no grant.
_settled(target, met) := object.union(_trusting(said, trusted), {"untrusted": false}) if {
	said := _said(target, {rule | some rule in met; rule.layer != "approvals"})
	trusted := _said(target, {rule | some rule in met; rule.layer != "approvals"; rule.trust != "none"})
	_strictness[said.action] >= _strictness[trusted.action]
} else := object.union(
	_said(target, {rule | some rule in met; rule.layer != "approvals"; rule.trust != "none"}),
	{"untrusted": true},
)

_trusting(said, trusted) := trusted if said.action == "allow"

_trusting(said, _) := said if said.action != "allow"

_said(target, rules) := {"action": last.action, "rule": _shown(last)} if {
	last := max({[rule.order, rule.number, rule] | some rule in rules})[2]
} else := {"action": "allow", "rule": null} if {
	target.judges in {"permission", "tool", "pattern", "restriction"} # only some rules speak of it
} else := {"action": "ask", "rule": null}

# What a command is known to do to a file that nobody can name is asked for, if
# a later rule denies or asks for some files.
_doubted(settled, permission, target, met, extra) := {"action": "ask", "rule": _shown(last), "untrusted": false} if {
	settled.action == "allow"
	target.opaque
	target.judges == "permission"
	last := max({[rule.order, rule.number, rule] | some rule in _restrictions(permission, extra)})[2]
	every rule in met {
		_approves_or_precedes(rule, last)
	}
} else := settled

_approves_or_precedes(rule, _) if rule.layer == "approvals"

_approves_or_precedes(rule, last) if [rule.order, rule.number] < [last.order, last.number]

_restrictions(permission, extra) := {rule |
	some n in data.policy.index[permission].restrictions
	rule := data.policy.rules[n]
} | {rule |
	some rule in extra
	rule.permission == permission
	rule.action != "allow"
	rule.pattern != "*"
}

# An approval satisfies an ask, and a deny only where the user's settings say so.
_approved(settled, met) := {"action": "allow", "rule": _shown(last), "untrusted": false} if {
	settled.action in _approvable
	last := max({[rule.number, rule] | some rule in met; rule.layer == "approvals"})[1]
} else := settled

_approvable := {"ask", "deny"} if data.policy.approvals.beat == "deny"

else := {"ask"}

_shown(rule) := {
	"permission": rule.permission,
	"pattern": rule.pattern,
	"action": rule.action,
	"layer": rule.layer,
	"source": rule.source,
}

_strictness := {"allow": 0, "ask": 1, "deny": 2}

# A pattern for words that end in NUL: the first word, then each of the others
# somewhere behind the one before it.
_in_order(words) := concat("", ["(?s)^", concat("(?:.*\u0000)?", [_word(word) | some word in words])])

_word(word) := concat("", [strings.replace_n(object.union(_any, _within_word), word), "\u0000"])

_within_word := {"*": "[^\u0000]*", "?": "[^\u0000]"}

# What stands in a regular expression for the characters of a pattern.
_any := {
	"*": ".*",
	"?": ".",
	`\`: `\\`,
	".": `\.`,
	"+": `\+`,
	"(": `\(`,
	")": `\)`,
	"[": `\[`,
	"]": `\]`,
	"{": `\{`,
	"}": `\}`,
	"^": `\^`,
	"$": `\$`,
	"|": `\|`,
}
