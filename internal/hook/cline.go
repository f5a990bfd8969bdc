package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Cline is Cline. It reads the answer and leaves the exit status aside, so that
// each refusal is an answer too; and there is no way to have a person asked.
var Cline = &Agent{
	Name:     "cline",
	Patience: 30 * time.Second,
	dialect:  clineDialect,
	decode:   decodeCline,
	answer:   answerCline,
	refuse:   func(_ Event, reason string) Answer { return clineCancel(reason) },
	hearing:  hearing{reads: readsCline},
	marks:    []mark{"clineVersion", "hookName taskId"},
}

// clineDialect is how Cline names its events.
var clineDialect = dialect{
	agent:   "Cline",
	field:   "hookName",
	tools:   []string{"tool_call", preToolUse}, // of its command line, and of VS Code
	reports: []string{"tool_result", "PostToolUse"},
}

// A clinePayload is what permctl reads of Cline's payloads. The command line
// has both forms of the call, VS Code the second alone.
type clinePayload struct {
	HookName       string   `json:"hookName"`
	TaskID         string   `json:"taskId"`
	WorkspaceRoots []string `json:"workspaceRoots"`
	ToolCall       struct {
		Name  string         `json:"name"`
		Input map[string]any `json:"input"`
	} `json:"tool_call"`
	PreToolUse struct {
		ToolName   string         `json:"toolName"`
		Parameters map[string]any `json:"parameters"`
	} `json:"preToolUse"`
}

// decodeCline is [Agent.Decode] for Cline.
func decodeCline(payload []byte) (Event, error) {
	var p clinePayload
	if err := input.Decode(payload, &p); err != nil {
		return Event{}, err
	}
	tool, err := agreed("tool_call.name and preToolUse.toolName", p.ToolCall.Name, p.PreToolUse.ToolName)
	if err != nil {
		return Event{}, err
	}
	calls := tool != "" || p.ToolCall.Input != nil || p.PreToolUse.Parameters != nil
	return clineDialect.event(p.HookName, calls, func() (input.Call, error) { return p.call(tool) })
}

// call returns the call of a payload that makes one, of the tool.
func (p clinePayload) call(tool string) (input.Call, error) {
	if tool == "" {
		return input.Call{}, missing(p.HookName, "preToolUse.toolName")
	}
	call := input.Call{Tool: tool, Session: p.TaskID}
	if len(p.WorkspaceRoots) > 0 {
		call.Cwd = p.WorkspaceRoots[0]
	}
	var err error
	if call.Input, err = p.given(); err != nil {
		return input.Call{}, err
	}
	switch tool {
	case "run_commands":
		clineCommands(call.Input)
	case "use_mcp_tool":
		if call.MCP, err = clineMCP(call.Input); err != nil {
			return input.Call{}, err
		}
		call.Tool, call.Input = mcpTool(call.MCP.Server, call.MCP.Tool), call.MCP.Arguments
	}
	return call, nil
}

// given returns the input of the payload's tool.
func (p clinePayload) given() (map[string]any, error) {
	if p.ToolCall.Input == nil {
		return clineParsed(p.PreToolUse.Parameters)
	}
	for name, value := range p.PreToolUse.Parameters {
		real, there := p.ToolCall.Input[name]
		if text, isText := real.(string); !there || isText && text != value {
			return nil, fmt.Errorf("the payload says different things of %q in tool_call.input and preToolUse.parameters", name)
		}
	}
	return p.ToolCall.Input, nil
}

// clineStructured are the parameters that are no texts.
var clineStructured = []string{"commands", "files", "file_paths", "paths", "requests", "queries", "arguments"}

// clineParsed returns parameters, which are texts, with the structured ones as
// what they are JSON of.
func clineParsed(parameters map[string]any) (map[string]any, error) {
	for _, name := range clineStructured {
		text, _ := parameters[name].(string)
		if start := strings.TrimSpace(text); !strings.HasPrefix(start, "[") && !strings.HasPrefix(start, "{") || !json.Valid([]byte(text)) {
			continue // a lone command or path
		}
		var value any
		if err := input.Decode([]byte(text), &value); err != nil {
			return nil, fmt.Errorf("the parameter %s: %w", name, err)
		}
		parameters[name] = value
	}
	return parameters, nil
}

// clineCommands writes commands that are given as a program and its arguments as
// the shell text that means the same.
func clineCommands(given map[string]any) {
	commands, isList := given["commands"].([]any)
	if !isList && given["commands"] != nil {
		commands = []any{given["commands"]}
	}
	if args, there := given["args"]; there { // a lone one, without a list around it
		commands = append(commands, map[string]any{"command": given["command"], "args": args})
	}
	for i, command := range commands {
		if object, ok := command.(map[string]any); ok {
			commands[i] = clineCommand(object)
		}
	}
	if commands != nil {
		given["commands"] = commands
	}
}

// clineWord is a word that reads the same with a shell and without one.
var clineWord = regexp.MustCompile(`^[\w./:@%+,-][\w./:@%+,=-]*$`)

// clineCommand returns the text of a command, or the command as it is, which no rule
// for a command allows, if it has anything else than a program and its arguments.
func clineCommand(command map[string]any) any {
	program, _ := command["command"].(string)
	args, isList := command["args"].([]any)
	if program == "" || len(command) > 2 || len(command) == 2 && !isList {
		return command
	}
	if len(args) == 0 {
		return program
	}
	words := make([]string, 0, len(args)+1)
	for _, word := range append([]any{program}, args...) {
		text, ok := word.(string)
		if !ok {
			return command
		}
		if !clineWord.MatchString(text) || len(words) == 0 && strings.Contains(text, "=") { // which would set a variable
			text = "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		}
		words = append(words, text)
	}
	return strings.Join(words, " ")
}

// clineMCP returns the MCP tool that a call of use_mcp_tool is for.
func clineMCP(given map[string]any) (*input.MCP, error) {
	server, _ := given["server_name"].(string)
	tool, _ := given["tool_name"].(string)
	arguments, isObject := given["arguments"].(map[string]any)
	switch {
	case server == "" || tool == "":
		return nil, errors.New("the call of use_mcp_tool has no server_name, or no tool_name")
	case !isObject && given["arguments"] != nil && given["arguments"] != "":
		return nil, fmt.Errorf("the arguments of the call of %s are no object", tool)
	}
	return &input.MCP{Server: server, Tool: tool, Arguments: arguments}, nil
}

// A clineAnswer is what Cline reads.
type clineAnswer struct {
	Cancel       bool   `json:"cancel"`
	ErrorMessage string `json:"errorMessage,omitempty"`
}

// clineCancel returns the answer that refuses a call.
func clineCancel(reason string) Answer {
	return object(clineAnswer{Cancel: true, ErrorMessage: reason})
}

// answerCline is [Agent.Answer] for Cline.
func answerCline(_ Event, d permission.Decision) Answer {
	if d.Action == permission.Allow {
		return object(clineAnswer{})
	}
	return clineCancel(d.Reason)
}

// clineControl begins the line that Cline's command line takes for the answer, if
// there is one.
const clineControl = "HOOK_CONTROL\t"

// readsCline is how Cline reads an answer: whatever it cannot read, and every exit
// status, lets the call go on.
func readsCline(_ Event, a Answer) (Effect, bool) {
	if at := bytes.LastIndex(a.Stdout, []byte(clineControl)); at >= 0 {
		a.Stdout = a.Stdout[at+len(clineControl):]
	}
	var said clineAnswer
	switch isObject := a.object(&said); {
	case isObject && said.Cancel:
		return Blocked, false
	case isObject:
		return Undecided, false
	}
	return Undecided, true
}
