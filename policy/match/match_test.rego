package policy.match_test

import data.policy.match
import data.policy.tests_test as fixture

test_wildcard[name] if {
	some name, [pattern, text, want] in {
		"star is any run": ["a*c", "abbc", true],
		"star is also a slash": ["src/*", "src/a/b", true],
		"star is also a newline": ["a*b", "a\nb", true],
		"star is also nothing": ["a*", "a", true],
		"question mark is one character": ["a?c", "abc", true],
		"question mark is not nothing": ["a?c", "ac", false],
		"question mark is one character of several bytes": ["a?c", "aéc", true],
		"anchored at the beginning": ["b", "ab", false],
		"anchored at the end": ["a", "ab", false],
		"letter case counts": ["A", "a", false],
		"a dot is a dot": ["a.c", "abc", false],
		"brackets are brackets": ["[ab]", "a", false],
		"a backslash is a backslash": [`a\*`, `a\b`, true],
		"last space-star may be left out": ["git status *", "git status", true],
		"last space-star is any arguments": ["git status *", "git status -s", true],
		"last space-star needs the space": ["git status *", "git statuses", false],
		"two stars are two stars": ["**", "x", true],
	}

	_matches(text, pattern) == want
}

default _matches(_, _) := false

_matches(text, pattern) if match.wildcard(text, pattern)

# What is undefined counts as false.
default _meets(_, _) := false

_meets(rule, target) if match.meets(rule, target)

test_meets[name] if {
	some name, [rule, target, want] in {
		"by a form": [{"action": "allow", "pattern": "ls *"}, {"forms": ["x", "ls -l"]}, true],
		"by a strict form if it denies": [{"action": "deny", "pattern": "ls"}, {"forms": ["x"], "strict": ["ls"]}, true],
		"by a strict form if it asks": [{"action": "ask", "pattern": "ls"}, {"forms": ["x"], "strict": ["ls"]}, true],
		"not by a strict form if it allows": [
			{"action": "allow", "pattern": "ls"}, {"forms": ["x"], "strict": ["ls"]}, false,
		],
		"everything meets what is opaque": [{"action": "allow", "pattern": "*"}, {"forms": ["x"], "opaque": true}, true],
		"two stars do not meet what is opaque": [
			{"action": "allow", "pattern": "**"}, {"forms": ["x"], "opaque": true}, false,
		],
		"a deny does not meet what is opaque": [
			{"action": "deny", "pattern": "x"}, {"forms": ["x"], "opaque": true}, false,
		],
		"an exact one by a form": [{"action": "allow", "pattern": "a*", "exact": true}, {"forms": ["a*"]}, true],
		"an exact one not by a wildcard": [{"action": "allow", "pattern": "a*", "exact": true}, {"forms": ["ab"]}, false],
		"an exact one not what is opaque": [
			{"action": "allow", "pattern": "a", "exact": true}, {"forms": ["a"], "opaque": true}, false,
		],
	}

	_meets(rule, target) == want
}

_push := {
	"forms": ["git push origin main -f"], "options": ["-f", "--force"],
	"operands": ["git", "push", "origin", "main"],
}

test_meaning[name] if {
	some name, [action, pattern, want] in {
		"option somewhere else": ["deny", "git push --force *", true],
		"option and operand": ["deny", "git push --force origin *", true],
		"an operand further on": ["deny", "git push -f main", true],
		"another option": ["deny", "git push --tags *", false],
		"both options": ["deny", "git push -f --tags *", false],
		"operands in another order": ["deny", "git push -f main origin", false],
		"operand with a star": ["deny", "git pu* -f", true],
		"star that is no prefix": ["deny", "git *x -f", false],
		"option with a star has no meaning": ["deny", "git push --for* x", false],
		"option's value is left out": ["deny", "git push --force=yes", true],
		"an allow has none": ["allow", "git push --force *", false],
		"options alone have none": ["deny", "-f *", false],
		"words alone are text": ["deny", "git push main", false],
	}

	_meets({"action": action, "pattern": pattern}, _push) == want
}

test_meaning_of_clustered_options if {
	rm := {"forms": ["rm x -r --force"], "options": ["-r", "-f", "--force"], "operands": ["rm", "x"]}

	_meets({"action": "deny", "pattern": "rm -rf *"}, rm)
	not _meets({"action": "deny", "pattern": "rm -rfv *"}, rm)
}

test_parts_from_data_are_used if {
	target := {"forms": ["https://a.example/x"], "authority": "https://a.example", "rest": "/x"}

	rule := {"action": "allow", "pattern": "-", "authority": "https://a.example", "rest": "/*"}

	_meets(rule, target)
	not _meets(object.union(rule, {"authority": "https://b.example"}), target)
}

test_meaning_from_data_is_used if {
	_meets({"action": "deny", "pattern": "x", "options": ["-f"], "operands": ["git", "push"]}, _push)
	not _meets({"action": "deny", "pattern": "git push -f", "options": ["-q"], "operands": ["git", "push"]}, _push)
}

test_url[name] if {
	some name, [pattern, authority, rest, want] in {
		"whole host": ["https://github.com/*", "https://github.com", "/a", true],
		"star behind the host does not lengthen it": ["https://github.com*", "https://github.com.evil.example", "/", false],
		"star behind the host is the rest": ["https://github.com*", "https://github.com", "/a?b", true],
		"no rest is the root": ["https://github.com", "https://github.com", "/", true],
		"no rest is only the root": ["https://github.com", "https://github.com", "/a", false],
		"star before the host": ["https://*.example.com/*", "https://a.example.com", "/a", true],
		"user is no host": ["https://github.com*", "https://github.com@evil.example", "/", false],
		"star for the whole host": ["https://*", "https://a.example", "/b", true],
		"star within the scheme": ["http*", "https://a.example", "/b", true],
		"star for every host, with a path": ["*/a", "https://a.example", "/a", true],
		"two stars": ["**", "https://a.example", "/a", true],
		"other scheme": ["https://*", "http://a.example", "/", false],
		"query": ["https://a.example/x?*", "https://a.example", "/x?y", true],
	}
	target := {"forms": [concat("", [authority, rest])], "authority": authority, "rest": rest}

	_meets({"action": "allow", "pattern": pattern}, target) == want
}

test_url_is_denied_as_text if {
	target := {"forms": ["https://github.com.evil.example/"], "authority": "https://github.com.evil.example", "rest": "/"}

	_meets({"action": "deny", "pattern": "https://github.com*"}, target)
}

test_last_rule_decides[name] if {
	some name, [rules, want] in {
		"none": [[], "ask"],
		"the later": [[["global", "edit", "*", "deny"], ["global", "edit", "a", "allow"]], "allow"],
		"a wider one that is later": [[["global", "edit", "a", "allow"], ["global", "edit", "*", "deny"]], "deny"],
		"a later layer": [[["flag", "edit", "*", "deny"], ["global", "edit", "a", "allow"]], "deny"],
		"of a permission with a star": [[["global", "edit", "*", "deny"], ["global", "*", "*", "allow"]], "allow"],
		"another permission": [[["global", "edit", "*", "deny"], ["global", "read", "*", "allow"]], "deny"],
	}

	fixture.decision(fixture.edit("a"), rules).action == want
}

test_judges[name] if {
	some name, [judges, rule, want] in {
		"permission named": ["permission", ["edit", "*", "deny"], "deny"],
		"permission with a star": ["permission", ["*", "*", "deny"], "allow"],
		"tool named": ["tool", ["edit", "*", "deny"], "deny"],
		"tool with a star": ["tool", ["e*", "*", "deny"], "deny"],
		"tool of stars": ["tool", ["*", "*", "deny"], "allow"],
		"pattern of a kind": ["pattern", ["edit", "a", "deny"], "deny"],
		"pattern of stars": ["pattern", ["edit", "*", "deny"], "allow"],
		"restriction": ["restriction", ["edit", "a", "deny"], "deny"],
		"restriction of stars": ["restriction", ["*", "**", "deny"], "allow"],
		"any": ["any", ["*", "*", "deny"], "deny"],
		"any without a rule": ["any", ["read", "*", "allow"], "ask"],
	}
	document := json.patch(fixture.edit("a"), [{"op": "replace", "path": "/requests/0/targets/0/judges", "value": judges}])
	[permission, pattern, action] := rule

	fixture.decision(document, [["global", permission, pattern, action]]).action == want
}

test_allow_that_nobody_trusts_is_no_grant[name] if {
	some name, [rules, layer] in {
		"above the default": [[["default", "*", "*", "allow"], ["project", "edit", "a", "allow"]], "default"],
		"above one's own": [[["global", "edit", "*", "allow"], ["project", "edit", "a", "allow"]], "global"],
	}
	untrusted := [object.union(rule, {"trust": trust}) |
		some rule in fixture.rules(rules)
		trust := {true: "none", false: rule.trust}[rule.layer == "project"]
	]

	got := match.judge(fixture.edit("a").requests, []) with data.policy.rules as untrusted
		with data.policy.index as fixture.index(untrusted)
		with data.policy.wildcards as ["*"]

	got[0].action == "allow"
	got[0].rule.layer == layer
}

test_approvals[name] if {
	some name, [action, beat, want] in {
		"satisfy an ask": ["ask", "ask", "allow"],
		"leave a deny": ["deny", "ask", "deny"],
		"beat a deny if told so": ["deny", "deny", "allow"],
		"satisfy an ask also then": ["ask", "deny", "allow"],
	}
	rules := [["global", "edit", "*", action], ["approvals", "edit", "a", "allow"]]

	got := fixture.decision(fixture.edit("a"), rules) with data.policy.approvals.beat as beat

	got.action == want
}

test_approval_of_something_else if {
	rules := [["global", "edit", "*", "ask"], ["approvals", "edit", "b", "allow"]]

	fixture.decision(fixture.edit("a"), rules).action == "ask"
}

test_approval_is_shown if {
	rules := [["global", "edit", "*", "ask"], ["approvals", "edit", "a", "allow"]]

	fixture.decision(fixture.edit("a"), rules).verdicts == [{
		"action": "allow", "command": -1, "pattern": "a", "text": "a", "permission": "edit", "request": 0, "target": 0,
		"rule": {"permission": "edit", "pattern": "a", "action": "allow", "layer": "approvals", "source": "settings:1"},
		"untrusted": false,
	}]
}

test_extra_rules_stand_at_the_end_of_their_layer[name] if {
	some name, [order, want] in {"below": [1, "deny"], "same": [3, "allow"], "above": [5, "allow"]}
	rules := fixture.rules([["global", "edit", "*", "deny"]])
	extra := {
		"permission": "edit", "pattern": "a", "action": "allow", "layer": "x", "source": "x",
		"order": order, "number": 1000000000, "trust": "managed",
	}

	got := match.judge(fixture.edit("a").requests, [extra]) with data.policy.rules as rules
		with data.policy.index as fixture.index(rules)
		with data.policy.wildcards as []

	got[0].action == want
}

test_index_is_followed if {
	rules := fixture.rules([["global", "bash", "git push *", "deny"], ["global", "bash", "rm -f *", "deny"]])
	index := {"bash": {"lengths": [8], "prefixes": {"git push": [0]}, "programs": {"rm": [1]}}}
	document := fixture.shell([fixture.command("git push", {}), fixture.command("rm x -f", {"options": ["-f"]})])

	got := match.judge(document.requests, []) with data.policy.rules as rules
		with data.policy.index as index
		with data.policy.wildcards as []

	[verdict.action | some verdict in got] == ["deny", "deny"]
}
