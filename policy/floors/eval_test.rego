package policy.floors_test

import data.policy.tests_test as fixture

_open := [["global", "*", "*", "allow"]]

_eval := fixture.tool("eval", "eval", "eval", "*")

test_eval[name] if {
	some name, [rules, want] in {
		"everything allowed": [_open, "allow"],
		"bash asked": [array.concat(_open, [["global", "bash", "*", "ask"]]), "ask"],
		"edit denied": [array.concat(_open, [["global", "edit", "*", "deny"]]), "deny"],
		"write denied": [array.concat(_open, [["global", "write", "*", "deny"]]), "deny"],
		"bash allowed for one command only": [[["global", "eval", "*", "allow"], ["global", "bash", "ls", "allow"]], "ask"],
		"eval itself denied": [array.concat(_open, [["global", "eval", "*", "deny"]]), "deny"],
	}

	fixture.decision(_eval, rules).action == want
}

test_eval_is_asked_where_something_is_restricted if {
	got := fixture.decision(_eval, _open) with data.policy.restrictions as ["the rule read \"*.env\": deny (a:1)"]

	got.action == "ask"
	got.reason == "code that runs inside the agent could get round the rule read \"*.env\": deny (a:1) (floor: eval)"
}

test_eval_is_asked_where_a_floor_is_set if {
	got := fixture.decision(_eval, _open) with data.policy.managed.floors as [
		{"permission": "edit", "pattern": "*.env", "action": "deny", "reason": "secret"},
	]

	got.action == "ask"
}

test_eval_is_asked_where_a_policy_may_restrict if {
	got := fixture.decision(_eval, _open) with data.policy.packages as [fixture.package_of(["org", "git"])]

	got.action == "ask"
	contains(got.reason, "the policy org.git")
}

test_eval_that_is_free_meets_no_floor if fixture.decision(_eval, _open).floors == set()

test_eval_floor_leaves_other_tools_alone if {
	got := fixture.decision(fixture.edit("a"), _open) with data.policy.restrictions as ["some rule"]

	got.action == "allow"
}

test_eval_floor_counts_computed_rules if {
	got := fixture.decision(_eval, _open) with data.policy.packages as [fixture.package_of(["org", "hours"])]
		with data.org.hours as {"rules": [{"permission": "bash", "pattern": "*", "action": "deny"}]}
		with data.policy.match.judge as _judged

	some floor in got.floors
	floor.name == "eval"
	floor.action == "deny"
}

# Rules of a policy stand below the global ones: here they are the only ones.
_judged(_, extra) := [{"permission": rule.permission, "action": rule.action, "rule": null, "untrusted": false} |
	some rule in extra
]
