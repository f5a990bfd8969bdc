package hook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/input"
)

// A dialect is how an agent names its events.
type dialect struct {
	agent   string   // the agent, as people write it
	field   string   // the payload's field that names the event
	tools   []string // the events on which it waits for a decision on a tool's call
	dialogs []string // those on which it else asks a person
	prompts []string // those on which it waits for a decision on a person's prompt
	reports []string // those that report a tool's call, and wait for nothing
}

// The events of Claude Code on which it waits for a decision. Other agents have
// taken the names over.
const (
	preToolUse           = "PreToolUse"
	permissionRequest    = "PermissionRequest"
	userPromptSubmit     = "UserPromptSubmit"
	preSkillShellCommand = "PreSkillShellCommand"
)

// promptTool is the tool that a person's prompt counts as a call of.
const promptTool = "prompt"

// waits reports whether the agent waits for a decision on the event called name.
func (d dialect) waits(name string) bool {
	return slices.Contains(slices.Concat(d.tools, d.dialogs, d.prompts), name)
}

// heard returns whether the agent waits for a decision on the event called name.
// The error says that it may well do, though not as far as permctl knows: to say
// nothing would then be to allow. Calls is whether the payload has a tool's call.
func (d dialect) heard(name string, calls bool) (bool, error) {
	if name == "" {
		return false, fmt.Errorf("the payload has no %s", d.field)
	}
	if d.waits(name) {
		return true, nil
	}
	for _, event := range slices.Concat(d.tools, d.dialogs, d.prompts) {
		if strings.EqualFold(name, event) {
			return false, fmt.Errorf("the payload's %s is %q, and %s's is %q: is this another agent's hook?", d.field, name, d.agent, event)
		}
	}
	if calls && !slices.Contains(d.reports, name) {
		return false, fmt.Errorf("the payload's %s is %q, which is no event of %s, but it calls a tool: is this another agent's hook?", d.field, name, d.agent)
	}
	return false, nil
}

// event returns the event called name with the call that make returns, if the
// agent waits for a decision on it. Calls is as for heard.
func (d dialect) event(name string, calls bool, make func() (input.Call, error)) (Event, error) {
	decides, err := d.heard(name, calls)
	if err != nil || !decides {
		return Event{Name: name}, err
	}
	call, err := make()
	if err != nil {
		return Event{}, err
	}
	if call.Input == nil {
		call.Input = map[string]any{}
	}
	if call.MCP != nil {
		call.MCP.Arguments = call.Input
	}
	return Event{Name: name, Decides: true, Call: call}, nil
}

// missing is the error of a payload of the event that does not have what it has
// to.
func missing(event, what string) error { return fmt.Errorf("the %s payload has no %s", event, what) }

// mcpTool returns the name that rules know a tool of an MCP server by.
func mcpTool(server, tool string) string { return "mcp__" + server + "__" + tool }
