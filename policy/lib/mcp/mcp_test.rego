package policy.lib.mcp_test

import data.policy.lib.mcp
import data.policy.tests_test as fixture

_call := fixture.mcp("create_issue", {"owner": "acme", "draft": false, "filter": {"labels": ["bug"]}, "nothing": null})

test_calls[name] if {
	some name, [document, server, tool, want] in {
		"that tool": [_call, "github", "create_issue", true],
		"a tool by a star": [_call, "github", "create_*", true],
		"a server by a star": [_call, "*", "*", true],
		"another tool": [_call, "github", "delete_*", false],
		"another server": [_call, "gitlab", "*", false],
		"no MCP call": [fixture.edit("a"), "*", "*", false],
	}

	_calls(server, tool) == want with input as document
}

default _calls(_, _) := false

_calls(server, tool) if mcp.calls(server, tool)

default _argument_in(_, _) := false

_argument_in(name, values) if mcp.argument_in(name, values)

test_argument_in[name] if {
	some name, [document, place, values, want] in {
		"one of them": [_call, "owner", {"acme", "other"}, true],
		"by a star": [_call, "owner", ["ac*"], true],
		"none of them": [_call, "owner", {"evil"}, false],
		"missing": [_call, "repo", {"*"}, false],
		"further in": [_call, ["filter", "labels", 0], {"bug"}, true],
		"further in, and missing": [_call, ["filter", "state"], {"*", null}, false],
		"false": [_call, "draft", {false}, true],
		"null": [_call, "nothing", {null}, true],
		"no text": [_call, "draft", {"*"}, false],
		"no MCP call": [fixture.edit("a"), "owner", {"*"}, false],
		"no MCP call, further in": [fixture.edit("a"), ["owner", "x"], {"*"}, false],
	}

	_argument_in(place, values) == want with input as document
}
