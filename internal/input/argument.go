package input

import (
	"encoding/json"
	"fmt"
	"strings"
)

// FromArgument returns the call of a tool with the one thing that a person
// would name: a command, a path, a URL, a patch. An argument that is a JSON
// object is the tool's whole input.
func FromArgument(tool, argument string) (Call, error) {
	call := Call{Tool: tool, Input: map[string]any{}}
	if strings.HasPrefix(strings.TrimSpace(argument), "{") && json.Valid([]byte(argument)) {
		if err := Decode([]byte(argument), &call.Input); err != nil {
			return Call{}, fmt.Errorf("the tool's input: %w", err)
		}
		return call, nil
	}
	k := kindOf(tool)
	switch {
	case argument == "" || argument == "*" && (k.name == "other" || k.name == "mcp"):
	case k.name == "grep" || k.name == "glob":
		call.Input["pattern"] = argument
	case k.name == "eval":
		call.Input["code"] = argument
	case len(k.keys) > 0:
		call.Input[k.keys[0]] = argument
	default:
		call.Input["argument"] = argument
	}
	return call, nil
}
