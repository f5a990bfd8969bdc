package policy.presets.read_only_test

import data.policy.presets.read_only
import data.policy.tests_test as fixture

test_rules[name] if {
	some name, [document, want] in {
		"read": [fixture.tool("read", "read", "read", "a.go"), "allow"],
		"list": [fixture.tool("ls", "list", "list", "."), "allow"],
		"search": [fixture.tool("grep", "grep", "grep", "a"), "allow"],
		"edit": [fixture.edit("a.go"), "ask"],
		"command": [fixture.shell([fixture.command("cat a", {})]), "ask"],
		"outside": [fixture.tool("read", "read", "external_directory", "/etc/passwd"), "ask"],
		"fetch": [fixture.tool("webfetch", "fetch", "webfetch", "https://a.example/"), "ask"],
		"MCP tool": [fixture.mcp("create_issue", {}), "ask"],
	}

	fixture.verdict(document, fixture.written(read_only.rules)) == want
}
