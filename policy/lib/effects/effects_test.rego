package policy.lib.effects_test

import data.policy.lib.effects
import data.policy.tests_test as fixture

_file := {"path": "x", "effect": "write", "listed": true}

test_writes[name] if {
	some name, [document, want] in {
		"file": [fixture.edit("a"), {["a", "would be written"]}],
		"file that is not named": [
			fixture.tool("edit", "edit", "edit", "*"), {["*", "may be any file, and would be written"]},
		],
		"file that is read": [object.union(fixture.document, {"paths": [fixture.path("a", "read")]}), set()],
		"command": [
			fixture.shell([fixture.command("git commit", {"effects": ["write"]})]),
			{["git commit", "would change something"]},
		],
		"command whose files are named": [
			fixture.shell([fixture.command("touch x", {"effects": ["write"], "operations": [_file]})]), set(),
		],
		"command that reads": [fixture.shell([fixture.command("ls", {})]), set()],
		"command that names only what it reads": [
			fixture.shell([fixture.command("find . -delete", {
				"effects": ["delete"], "operations": [{"path": ".", "effect": "read", "listed": true}],
			})]),
			{["find . -delete", "would change something"]},
		],
		"opaque target that is read": [
			object.union(fixture.document, {"requests": [
				{"permission": "read", "targets": [fixture.target("$X", {"opaque": true})]},
			]}),
			set(),
		],
	}

	got := {[effect.target, effect.reason] | some effect in effects.writes} with input as document

	got == want
}

test_unclear[name] if {
	some name, [document, want] in {
		"unknown command": [
			fixture.shell([fixture.command("frob", {"known": false})]), {["frob", "may change something"]},
		],
		"command that runs code": [
			fixture.shell([fixture.command("make", {"effects": ["run"]})]),
			{["make", "runs code that may change something"]},
		],
		"wrapper": [
			fixture.shell([fixture.command("sudo ls", {"known": false, "effects": ["run"], "wrapper": true})]), set(),
		],
		"text that cannot be analysed": [
			fixture.unparsed("ls \"", ["ls"]), {["ls \"", "cannot be analysed and may change something"]},
		],
		"MCP tool": [
			fixture.mcp("create", {}), {["mcp__github__create", "is a tool that may change something"]},
		],
		"question": [fixture.tool("question", "other", "question", "*"), set()],
	}

	got := {[effect.target, effect.reason] | some effect in effects.unclear} with input as document

	got == want
}

test_inside if {
	effects.inside with input as object.union(fixture.document, {"paths": [fixture.path("a", "read")]})
	not effects.inside with input as object.union(fixture.document, {"paths": [fixture.away("/etc/x", "read")]})
}

test_only_reads if {
	effects.only_reads(fixture.command("cat a", {})) with input as fixture.document
	not effects.only_reads(fixture.command("cat a", {"cwd": "/etc"})) with input as fixture.document
	not effects.only_reads(fixture.command("cat a", {"hazards": [{"word": "-o"}]})) with input as fixture.document
}
