package policy.presets.full_access_test

import data.policy.presets.full_access
import data.policy.tests_test as fixture

test_rules[name] if {
	some name, [document, want] in {
		"read": [fixture.tool("read", "read", "read", "a.go"), "allow"],
		"edit": [fixture.edit("a.go"), "allow"],
		"command": [fixture.shell([fixture.command("make", {"effects": ["run"]})]), "allow"],
		"text that cannot be analysed": [fixture.unparsed("ls \"", ["ls"]), "allow"],
		"outside": [fixture.tool("read", "read", "external_directory", "/etc/passwd"), "allow"],
		"MCP tool": [fixture.mcp("create_issue", {}), "allow"],
	}

	fixture.verdict(document, fixture.written(full_access.rules)) == want
}
