package hook

import (
	"errors"
	"fmt"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// VSCode is the agent in Visual Studio Code. Its payload is that of Claude
// Code's PreToolUse, its tools are its own, and as it reads Copilot's hooks, too,
// its answers are Copilot's.
var VSCode = &Agent{
	Name:    "vscode",
	Aliases: []string{"vs-code"},
	decode:  func(payload []byte) (Event, error) { return decodeToolUse(payload, "VS Code") },
	answer:  answerVSCode,
	refuse:  refuseAny,
	event:   hookEventName,
}

// answerVSCode is [Agent.Answer] for VS Code.
func answerVSCode(_ Event, d permission.Decision) Answer {
	if d.Action == permission.Allow && !d.Grant {
		return Answer{} // VS Code's own rules and questions go on
	}
	return copilotToolAnswer(d)
}

// decodeToolUse is [Agent.Decode] for the agent if it has the PreToolUse of
// Claude Code, and no other event on which it waits for a decision.
func decodeToolUse(payload []byte, agent string) (Event, error) {
	var p claudePayload
	if err := input.Decode(payload, &p); err != nil {
		return Event{}, err
	}
	event := Event{Name: p.HookEventName}
	switch {
	case p.HookEventName == "":
		return Event{}, errors.New("the payload has no hook_event_name")
	case p.HookEventName != preToolUse:
		return event, events{agent: agent, tools: []string{preToolUse}, reports: claudeEvents.reports}.unheard(p.HookEventName, p.ToolName != "")
	case p.ToolName == "":
		return Event{}, fmt.Errorf("the %s payload has no tool_name", preToolUse)
	}
	event.Decides = true
	event.Call = p.call()
	return event, nil
}
