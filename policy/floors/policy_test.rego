package policy.floors_test

import data.policy.tests_test as fixture

test_findings_are_floors[name] if {
	some name, [said, want] in {
		"deny": [{"deny": [{"reason": "no", "target": "a"}]}, "deny"],
		"ask": [{"ask": [{"reason": "sure?"}]}, "ask"],
		"allow does not loosen": [{"allow": [{"reason": "fine"}]}, "ask"],
		"nothing": [{}, "ask"],
	}
	rules := [["global", "edit", "*", "ask"]]

	got := fixture.decision(fixture.edit("a"), rules) with data.policy.packages as [fixture.package_of(["org", "git"])]
		with data.org.git as said

	got.action == want
}

test_approval_does_not_satisfy_a_finding if {
	rules := array.concat(_open, [["approvals", "edit", "a", "allow"]])

	got := fixture.decision(fixture.edit("a"), rules) with data.policy.packages as [fixture.package_of(["org", "git"])]
		with data.org.git as {"ask": ["sure?"]}

	got.action == "ask"
	got.reason == "sure? (floor: policy org.git)"
}

test_managed_floor[name] if {
	some name, [document, floor, want] in {
		"met": [fixture.edit("a.env"), ["edit", "*.env", "deny"], "deny"],
		"met by a permission with a star": [fixture.mcp("create", {}), ["mcp_*", "*", "ask"], "ask"],
		"of another permission": [fixture.edit("a.env"), ["read", "*.env", "deny"], "allow"],
		"of another pattern": [fixture.edit("a.go"), ["edit", "*.env", "deny"], "allow"],
		"met by meaning": [
			fixture.shell([fixture.command("git push origin main -f", {"options": ["-f", "--force"]})]),
			["bash", "git push --force *", "deny"],
			"deny",
		],
		"of what cannot be analysed": [fixture.unparsed("ls \"", ["ls"]), ["bash", "git push *", "deny"], "ask"],
	}
	[permission, pattern, action] := floor

	got := fixture.decision(document, _open) with data.policy.managed.floors as [
		{"permission": permission, "pattern": pattern, "action": action, "reason": "so it is"},
	]

	got.action == want
}

test_floor_of_a_policy_cannot_be_overruled if {
	rules := [["flag", "edit", "*", "allow"], ["approvals", "edit", "*", "allow"]]

	got := fixture.decision(fixture.edit("a"), rules) with data.policy.packages as [fixture.package_of(["org", "git"])]
		with data.org.git as {"floors": [{"permission": "edit", "pattern": "*", "action": "deny"}]}

	got.action == "deny"
	got.reason == `a: org.git lets nobody below deny for edit "*" (floor: managed)`
}

test_floor_that_cannot_be_read_denies[name] if {
	some name, floor in {
		"without an action": {"permission": "bash", "pattern": "x"},
		"without a pattern": {"permission": "bash", "action": "ask"},
		"with a number": {"permission": 1, "pattern": "x", "action": "ask"},
		"that allows": {"permission": "bash", "pattern": "x", "action": "allow"},
		"with an unknown action": {"permission": "bash", "pattern": "x", "action": "warn"},
		"that is a text": "no pushes",
	}

	got := fixture.decision(fixture.edit("a"), _open) with data.policy.packages as [fixture.package_of(["org", "git"])]
		with data.org.git as {"floors": [floor]}

	got.action == "deny"
	contains(got.reason, "org.git has a rule that cannot be read")
}

test_allow_is_no_floor if {
	got := fixture.decision(fixture.edit("a"), _open) with data.policy.packages as [fixture.package_of(["org", "git"])]
		with data.org.git as {"allow": ["fine"]}

	got.floors == set()
}
