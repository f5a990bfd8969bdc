package policy.tests_test

# presets are the shipped ones: asking data for them would run their tests.
presets := {"ask", "careful", "full_access", "plan", "read_only", "workspace"}

_loose := {"full_access"}

test_presets_state_rules[name] if {
	some name in presets
	count(data.policy.presets[name].rules) > 0
}

test_presets_answer_an_unknown_tool[name] if {
	some name in presets

	got := decision(tool("frobnicate", "other", "frobnicate", "*"), preset(name))

	got.action == {true: "allow", false: "ask"}[name in _loose]
}

test_presets_ask_for_what_cannot_be_analysed[name] if {
	some name in ((presets - _loose) - {"workspace"})

	decision(unparsed("ls \"", ["ls"]), preset(name)).action == "ask"
}

test_presets_ask_for_code_in_the_agent[name] if {
	some name in (presets - _loose)

	decision(tool("eval", "eval", "eval", "*"), preset(name)).action == "ask"
}

test_presets_ask_outside_the_workspace[name] if {
	some name in (presets - _loose)

	decision(tool("read", "read", "external_directory", "/etc/passwd"), preset(name)).action == "ask"
}

test_presets_keep_a_deny_below_them_only_if_loose[name] if {
	some name in presets
	denied := [["default", "*", "*", "deny"]]

	got := decision(tool("frobnicate", "other", "frobnicate", "*"), array.concat(denied, preset(name)))

	got.action != "deny"
}

test_call_without_requests_is_denied if decision(document, preset("full_access")).action == "deny"

test_request_without_targets_is_denied if {
	empty := object.union(document, {"requests": [{"permission": "bash", "patterns": [], "always": [], "targets": []}]})

	decision(empty, preset("full_access")).action == "deny"
}

test_unknown_action_of_a_rule_is_denied if {
	decision(edit("a"), [["global", "edit", "*", "maybe"]]).action == "deny"
}

test_unknown_action_of_a_floor_is_denied if {
	got := data.policy.decision.action with input as edit("a")
		with data.policy.floors.floors as {{"name": "x", "action": "perhaps", "reason": "y", "target": "a"}}
		with data.policy.match.verdicts as [{"action": "allow", "rule": null}]
	got == "deny"
}

test_strictest_target_decides[name] if {
	some name, [second, want] in {
		"allow and allow": ["allow", "allow"],
		"allow and ask": ["ask", "ask"],
		"allow and deny": ["deny", "deny"],
	}
	document := shell([command("ls", {}), command("make", {})])

	got := decision(document, [["global", "bash", "ls", "allow"], ["global", "bash", "make", second]])

	got.action == want
}

test_strictest_floor_decides if {
	got := decision(edit("a"), preset("full_access")) with data.policy.managed.floors as [
		{"permission": "edit", "pattern": "*", "action": "ask", "reason": "slow"},
		{"permission": "edit", "pattern": "a", "action": "deny", "reason": "never"},
	]

	got.action == "deny"
	got.reason == "a: never (floor: managed)"
}

test_grant[name] if {
	some name, [rules, want] in {
		"nothing but the default allows": [[["default", "*", "*", "allow"]], false],
		"a rule that somebody wrote allows": [[["global", "edit", "*", "allow"]], true],
		"an ask is no grant": [[["global", "edit", "*", "ask"]], false],
	}

	decision(edit("a"), rules).grant == want
}
