package policy.presets.workspace_test

import data.policy.presets.workspace
import data.policy.tests_test as fixture

test_rules[name] if {
	some name, [document, want] in {
		"read": [fixture.tool("read", "read", "read", "a.go"), "allow"],
		"list": [fixture.tool("ls", "list", "list", "."), "allow"],
		"search": [fixture.tool("grep", "grep", "grep", "a"), "allow"],
		"edit": [fixture.edit("a.go"), "allow"],
		"command": [fixture.shell([fixture.command("make", {"effects": ["run"]})]), "allow"],
		"text that cannot be analysed": [fixture.unparsed("ls \"", ["ls"]), "allow"],
		"outside": [fixture.tool("read", "read", "external_directory", "/etc/passwd"), "ask"],
		"fetch": [fixture.tool("webfetch", "fetch", "webfetch", "https://a.example/"), "ask"],
		"MCP tool": [fixture.mcp("create_issue", {}), "ask"],
		"task": [fixture.tool("task", "task", "task", "explore"), "ask"],
	}

	fixture.verdict(document, fixture.written(workspace.rules)) == want
}
