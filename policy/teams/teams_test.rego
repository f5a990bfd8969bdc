package policy.teams_test

import data.policy.teams
import data.policy.tests_test as fixture

_packages := [fixture.package_of(["org", "git"])]

_found(said) := {[finding.action, finding.reason, finding.target] |
	some finding in teams.findings with data.policy.packages as _packages with data.org.git as said
}

test_findings[name] if {
	some name, [said, want] in {
		"reason and target": [{"deny": {{"reason": "no", "target": "x"}}}, {["deny", "no", "x"]}],
		"no target": [{"ask": {{"reason": "sure?"}}}, {["ask", "sure?", ""]}],
		"no reason": [{"deny": {{"target": "x"}}}, {["deny", "org.git gives no reason", "x"]}],
		"empty reason": [{"deny": {{"reason": ""}}}, {["deny", "org.git gives no reason", ""]}],
		"reason that is no text": [{"deny": {{"reason": 7}}}, {["deny", "7", ""]}],
		"target that is no text": [{"deny": {{"reason": "no", "target": 7}}}, {["deny", "no", "7"]}],
		"texts": [{"deny": {"no", "never"}}, {["deny", "no", ""], ["deny", "never", ""]}],
		"one text": [{"deny": "no"}, {["deny", "no", ""]}],
		"true": [{"deny": true}, {["deny", "org.git gives no reason", ""]}],
		"false": [{"deny": false, "ask": false, "allow": false}, set()],
		"one object": [{"deny": {"reason": "no", "target": "x"}}, {["deny", "no", "x"]}],
		"texts as keys": [{"deny": {"no": true}}, {["deny", "no", ""]}],
		"objects by their names": [{"deny": {"a": {"reason": "no"}}}, {["deny", "no", ""]}],
		"a number": [{"deny": 7}, {["deny", "org.git gives no reason", ""]}],
		"null": [{"deny": null}, {["deny", "org.git gives no reason", ""]}],
		"false among several": [{"deny": [false]}, {["deny", "org.git gives no reason", ""]}],
		"an array": [{"ask": ["sure?"]}, {["ask", "sure?", ""]}],
		"nothing": [{"deny": set(), "ask": {}, "allow": []}, set()],
		"nothing at all": [{}, set()],
		"all three": [
			{"deny": ["no"], "ask": ["sure?"], "allow": ["fine"]},
			{["deny", "no", ""], ["ask", "sure?", ""], ["allow", "fine", ""]},
		],
	}

	_found(said) == want
}

test_allow_that_is_not_clear_is_none[name] if {
	some name, said in {
		"empty target": {{"reason": "fine", "target": ""}},
		"misspelt target": {{"reason": "fine", "traget": "x"}},
		"false": [false],
		"null": [null],
		"a number": [7],
		"an array": [["ls"]],
		"no text": [""],
	}

	_found({"allow": said}) == set()
}

test_allow_may_say_more_beside_its_target if {
	_found({"allow": [{"reason": "fine", "target": "x", "ticket": 7}]}) == {["allow", "fine", "x"]}
}

test_packages_by_the_length_of_their_path if {
	packages := [
		fixture.package_of(["org", "one"]),
		fixture.package_of(["org", "two", "b"]),
		fixture.package_of(["org", "three", "b", "c"]),
		fixture.package_of(["policy", "presets", "mine"]),
	]

	got := {[finding.policy, finding.reason] |
		some finding in teams.findings with data.policy.packages as packages
			with data.org.one as {"deny": ["1"]}
			with data.org.two.b as {"deny": ["2"]}
			with data.org.three.b.c as {"deny": ["3"]}
			with data.policy.presets.mine as {"deny": ["4"]}
	}

	got == {["org.one", "1"], ["org.two.b", "2"], ["org.three.b.c", "3"], ["policy.presets.mine", "4"]}
}

_rules(said) := rules if {
	rules := teams.rules with data.policy.packages as _packages with data.org.git as said
}

test_allow_is_a_rule_for_its_target if {
	_rules({"allow": [{"reason": "fine", "permission": "bash", "target": "git status"}]}) == [{
		"permission": "bash", "pattern": "git status", "exact": true, "action": "allow", "source": "org.git",
		"layer": "managed", "order": 1, "trust": "managed", "number": 2000000000,
	}]
}

test_allow_without_a_target_is_less_than_everything if {
	[[rule.permission, rule.pattern] | some rule in _rules({"allow": ["fine"]})] == [["*", "**"]]
}

test_computed_rule_has_no_say_in_its_place if {
	written := {
		"permission": "bash", "pattern": "*", "action": "allow",
		"trust": "none", "order": 9, "layer": "flag", "source": "me", "exact": true, "number": 3000000000,
	}

	_rules({"rules": [written]}) == [{
		"permission": "bash", "pattern": "*", "action": "allow", "source": "org.git",
		"layer": "managed", "order": 1, "trust": "managed", "number": 1000000000,
	}]
}

test_rules_decide[name] if {
	some name, [document, said, want] in {
		"allowed target": [fixture.edit("a"), {"allow": [{"reason": "fine", "target": "a"}]}, "allow"],
		"another target": [fixture.edit("a"), {"allow": [{"reason": "fine", "target": "b"}]}, "ask"],
		"target is no pattern": [fixture.edit("a"), {"allow": [{"reason": "fine", "target": "*a"}]}, "ask"],
		"whole call": [fixture.edit("a"), {"allow": ["fine"]}, "allow"],
		"whole call, but not understood": [fixture.unparsed("ls \"", ["ls"]), {"allow": ["fine"]}, "ask"],
		"another permission": [
			fixture.edit("a"), {"allow": [{"reason": "fine", "permission": "bash", "target": "a"}]}, "ask",
		],
		"computed rule": [
			fixture.edit("a"), {"rules": [{"permission": "edit", "pattern": "*", "action": "allow"}]}, "allow",
		],
		"computed rule that cannot be read": [fixture.edit("a"), {"rules": [{"permission": "edit"}]}, "deny"],
		"one rule instead of several": [
			fixture.edit("a"), {"rules": {"permission": "edit", "pattern": "*", "action": "allow"}}, "deny",
		],
	}

	got := fixture.decision(document, [["default", "*", "*", "ask"]]) with data.policy.packages as _packages
		with data.org.git as said

	got.action == want
}

test_policy_of_a_project_that_nobody_trusts_only_tightens[name] if {
	some name, [said, want] in {
		"allow": [{"allow": ["fine"]}, "ask"],
		"rule that allows": [{"rules": [{"permission": "*", "pattern": "*", "action": "allow"}]}, "ask"],
		"rule that claims trust": [
			{"rules": [{"permission": "*", "pattern": "*", "action": "allow", "trust": "managed"}]}, "ask",
		],
		"deny": [{"deny": ["no"]}, "deny"],
		"floor": [{"floors": [{"permission": "*", "pattern": "*", "action": "deny"}]}, "deny"],
	}
	packages := [object.union(fixture.package_of(["org", "git"]), {"trust": "none"})]

	got := fixture.decision(fixture.edit("a"), [["default", "*", "*", "ask"]]) with data.policy.packages as packages
		with data.org.git as said

	got.action == want
}
