package policy.floors_test

import data.policy.tests_test as fixture

test_project_that_nobody_trusts[name] if {
	some name, [layer, below, action, want] in {
		"allow does not loosen": ["project", "ask", "allow", "ask"],
		"allow does not lift a deny": ["project", "deny", "allow", "deny"],
		"ask does not lift a deny": ["project", "deny", "ask", "deny"],
		"deny tightens": ["project", "allow", "deny", "deny"],
		"ask tightens": ["project", "allow", "ask", "ask"],
		"allow of a trusted project": ["trusted", "ask", "allow", "allow"],
		"allow of a flag": ["flag", "ask", "allow", "allow"],
	}

	got := fixture.decision(fixture.edit("a"), [["global", "edit", "*", below], [layer, "edit", "a", action]])

	got.action == want
}

test_distrust_is_told if {
	got := fixture.decision(fixture.edit("a"), [["global", "edit", "*", "ask"], ["project", "edit", "a", "allow"]])

	some floor in got.floors
	floor == {
		"name": "untrusted project", "action": "ask", "target": "a",
		"reason": "the project's settings would loosen edit a, but nobody has trusted them yet (permctl trust)",
	}
}

test_nothing_is_told_of_what_tightens if {
	got := fixture.decision(fixture.edit("a"), [["global", "edit", "*", "allow"], ["project", "edit", "a", "deny"]])

	got.floors == set()
}
