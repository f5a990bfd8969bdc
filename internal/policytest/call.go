package policytest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/workspace"
)

// mainArguments are the fields in which tools of a kind have what they are
// about, by the kind.
var mainArguments = map[string]string{
	"shell": "command", "read": "file_path", "edit": "file_path", "patch": "input", "grep": "path", "list": "path",
	"glob": "path", "fetch": "url", "search": "query", "task": "subagent_type", "skill": "name", "eval": "code",
}

// callOf returns the call of a tool with its main argument, or with a whole
// input if that is a JSON object and the tool has no language of its own. The
// tool json stands for a whole call.
func callOf(tool, argument string) (input.Call, error) {
	if tool == "json" {
		return input.ParseCall([]byte(argument))
	}
	call := input.Call{Tool: tool, Input: map[string]any{}}
	kind, err := kindOf(tool)
	field := mainArguments[kind]
	switch {
	case err != nil || argument == "":
		return call, err
	case strings.HasPrefix(argument, "{") && field != "command" && field != "code":
		if err := json.Unmarshal([]byte(argument), &call.Input); err != nil {
			return call, fmt.Errorf("the input of %s is no JSON object: %w", tool, err)
		}
	case field == "":
		return call, fmt.Errorf("%s has no main argument: give its input as a JSON object, or nothing", tool)
	default:
		call.Input[field] = argument
		if kind == "shell" {
			call.Input["input"] = argument // the tool that types into a running shell
		}
	}
	return call, nil
}

// kindOf returns what the tool does.
func kindOf(tool string) (string, error) {
	w, err := workspace.New("/", "")
	if err != nil {
		return "", err
	}
	doc, err := input.New(input.Call{Tool: tool}, input.Env{Workspace: w})
	if err != nil {
		return "", err
	}
	return doc.Tool.Kind, nil
}
