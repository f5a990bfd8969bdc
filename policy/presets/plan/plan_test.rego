package policy.presets.plan_test

import data.policy.presets.plan
import data.policy.tests_test as fixture

test_rules[name] if {
	some name, [document, want] in {
		"read": [fixture.tool("read", "read", "read", "a.go"), "allow"],
		"list": [fixture.tool("ls", "list", "list", "."), "allow"],
		"glob": [fixture.tool("glob", "glob", "glob", "."), "allow"],
		"search": [fixture.tool("grep", "grep", "grep", "a"), "allow"],
		"list of things to do": [fixture.tool("todowrite", "other", "todowrite", "*"), "allow"],
		"question": [fixture.tool("question", "other", "question", "*"), "allow"],
		"outside": [fixture.tool("read", "read", "external_directory", "/etc/passwd"), "ask"],
		"MCP tool": [fixture.mcp("create_issue", {}), "ask"],
		"text that cannot be analysed": [fixture.unparsed("ls \"", ["ls"]), "ask"],
		"command": [fixture.shell([fixture.command("cat a", {})]), "ask"],
		"edit": [fixture.edit("a.go"), "allow"],
		"fetch": [fixture.tool("webfetch", "fetch", "webfetch", "https://a.example/"), "allow"],
	}

	fixture.verdict(document, fixture.written(plan.rules)) == want
}

_allowed(command, paths) := targets if {
	targets := {found.target | some found in plan.allow} with input as object.union(
		fixture.shell([command]),
		{"paths": paths},
	)
}

test_reading_commands_are_allowed if _allowed(fixture.command("cat a", {}), [fixture.path("a", "read")]) == {"cat a"}

test_reading_outside_is_not_allowed if {
	_allowed(fixture.command("cat /etc/x", {}), [fixture.away("/etc/x", "read")]) == set()
}

test_other_commands_are_not_allowed if _allowed(fixture.command("cat a", {"known": false}), []) == set()

test_allow_is_for_commands_only if {
	every found in plan.allow {
		found.permission == "bash"
	}
}

test_writing_is_denied if {
	said := plan.deny with input as fixture.edit("a.go")

	said == {{"reason": "a.go would be written, and planning writes nothing", "target": "a.go"}}
}

test_what_may_write_is_asked if {
	said := plan.ask with input as fixture.unparsed("ls \"", ["ls"])

	said == {{
		"reason": "ls \" cannot be analysed and may change something, and planning writes nothing",
		"target": "ls \"",
	}}
}

test_reading_is_neither if {
	document := fixture.shell([fixture.command("ls", {})])

	count(plan.ask) + count(plan.deny) == 0 with input as document
}
