package policy.floors_test

import data.policy.tests_test as fixture

_planning(document) := object.union(document, {"call": object.union(document.call, {"mode": "plan"})})

test_plan_mode[name] if {
	some name, [document, want] in {
		"edit": [fixture.edit("a.go"), "deny"],
		"edit of a file that is not named": [fixture.tool("edit", "edit", "edit", "*"), "deny"],
		"read": [fixture.tool("read", "read", "read", "a.go"), "allow"],
		"command that reads": [fixture.shell([fixture.command("ls", {})]), "allow"],
		"command that writes": [fixture.shell([fixture.command("git commit", {"effects": ["write"]})]), "deny"],
		"command that nobody knows": [fixture.shell([fixture.command("frob", {"known": false})]), "ask"],
		"command that runs code": [fixture.shell([fixture.command("make", {"effects": ["run"]})]), "ask"],
		"text that cannot be analysed": [fixture.unparsed("ls \"", ["ls"]), "ask"],
		"MCP tool": [fixture.mcp("create_issue", {}), "ask"],
		"list of things to do": [fixture.tool("todowrite", "other", "todowrite", "*"), "allow"],
	}

	fixture.decision(_planning(document), _open).action == want
}

test_plan_mode_denies_files_that_run_time_knows[name] if {
	some name, judges in {"by a redirection": "any", "by an operand": "permission"}
	plain := fixture.shell([fixture.command("rm -- $X", {
		"dynamic": true, "effects": ["delete"],
		"operations": [{"path": "$X", "effect": "delete", "dynamic": true, "listed": true}],
	})])
	opaque := {"permission": "edit", "patterns": ["$X"], "always": [], "targets": [
		fixture.target("$X", {"judges": judges, "opaque": true, "command": 0}),
	]}
	document := object.union(plain, {"requests": array.concat(plain.requests, [opaque])})

	fixture.decision(_planning(document), _open).action == "deny"
}

test_plan_files_may_be_written[name] if {
	some name, [fields, want] in {
		"in their place": [{}, "allow"],
		"elsewhere": [{"real": "/elsewhere/plan.md"}, "deny"],
		"where nobody can tell": [{"error": "a loop of links"}, "deny"],
	}
	document := object.union(fixture.edit("plans/plan.md"), {"paths": [
		object.union(fixture.path("plans/plan.md", "write"), fields),
	]})

	got := fixture.decision(_planning(document), _open) with data.policy.plan_files as ["/real/w/plans/*.md"]

	got.action == want
}

test_read_only_agent[name] if {
	some name, [agent, want] in {"that agent": ["explore", "deny"], "another": ["build", "allow"]}
	document := json.patch(fixture.edit("a"), [{"op": "replace", "path": "/call/agent", "value": agent}])

	got := fixture.decision(document, _open) with data.policy.agents as {"explore": {"read_only": true}}

	got.action == want
}
