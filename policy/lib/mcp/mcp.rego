# METADATA
# title: MCP calls
# description: |
#   Tells which tool of which MCP server is called, and with what. An argument
#   that is missing is in no set of values, so that "not argument_in" denies it.
# schemas:
#   - input: schema.input
package policy.lib.mcp

import data.policy.match

# METADATA
# description: Whether the call is one of the server's tool; both may have wildcards.
calls(server, tool) if {
	match.wildcard(input.mcp.server, server)
	match.wildcard(input.mcp.tool, tool)
}

# METADATA
# description: |
#   Whether the argument is one of the values. It is named by its place, such as
#   "owner" or ["filter", "owner"]; texts among the values may have wildcards.
# scope: document
argument_in(name, values) if {
	value := _argument(name)
	value in values
}

argument_in(name, values) if {
	value := _argument(name)
	is_string(value)
	some pattern in values
	is_string(pattern)
	match.wildcard(value, pattern)
}

_argument(name) := input.mcp.arguments[name] if is_string(name)

_argument(place) := object.get(input.mcp.arguments, place, null) if {
	is_array(place)
	object.get(input.mcp.arguments, place, {"missing"}) != {"missing"}
}
