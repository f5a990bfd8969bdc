package policy.presets.ask_test

import data.policy.presets.ask
import data.policy.tests_test as fixture

test_rules[name] if {
	some name, [document, want] in {
		"read": [fixture.tool("read", "read", "read", "a.go"), "ask"],
		"edit": [fixture.edit("a.go"), "ask"],
		"command": [fixture.shell([fixture.command("make", {"effects": ["run"]})]), "ask"],
		"text that cannot be analysed": [fixture.unparsed("ls \"", ["ls"]), "ask"],
		"outside": [fixture.tool("read", "read", "external_directory", "/etc/passwd"), "ask"],
		"MCP tool": [fixture.mcp("create_issue", {}), "ask"],
	}

	fixture.verdict(document, fixture.written(ask.rules)) == want
}
