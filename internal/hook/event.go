package hook

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// A dialect is how an agent names its events.
type dialect struct {
	agent   string   // the agent, as people write it
	field   string   // the payload's field that names the event
	decides []string // the events on which the agent waits for a decision
	reports []string // those that report a tool's call, and wait for nothing
}

// heard returns whether the agent waits for a decision on the event called name.
// The error says that it may well do, though not as far as permctl knows: to say
// nothing would then be to allow. Calls is whether the payload has a tool's call.
func (d dialect) heard(name string, calls bool) (bool, error) {
	if name == "" {
		return false, fmt.Errorf("the payload has no %s", d.field)
	}
	if slices.Contains(d.decides, name) {
		return true, nil
	}
	for _, event := range d.decides {
		if strings.EqualFold(name, event) {
			return false, fmt.Errorf("the payload's %s is %q, and %s's is %q: is this another agent's hook?", d.field, name, d.agent, event)
		}
	}
	if calls && !slices.Contains(d.reports, name) {
		return false, fmt.Errorf("the payload's %s is %q, which is no event of %s, but it calls a tool: is this another agent's hook?", d.field, name, d.agent)
	}
	return false, nil
}

// agreed returns what a payload says in the fields called names, which mean the
// same: the value that is there. If there are two that differ, it is an error,
// for nobody knows which of them the agent follows.
func agreed[T any](names string, values ...T) (T, error) {
	var found T
	for _, value := range values {
		switch {
		case reflect.ValueOf(&value).Elem().IsZero():
		case reflect.ValueOf(&found).Elem().IsZero():
			found = value
		case !reflect.DeepEqual(found, value):
			var none T
			return none, fmt.Errorf("the payload says different things in %s", names)
		}
	}
	return found, nil
}

// decided returns the event called name with a call for the agent to wait on.
func decided(name string, call input.Call) Event {
	if call.Input == nil {
		call.Input = map[string]any{}
	}
	if call.MCP != nil {
		call.MCP.Arguments = call.Input
	}
	return Event{Name: name, Decides: true, Call: call}
}

// mcpTool returns the name that rules know a tool of an MCP server by.
func mcpTool(server, tool string) string { return "mcp__" + server + "__" + tool }

// planned returns the mode of a call for what an agent calls its mode.
func planned(mode string) string {
	if strings.EqualFold(mode, "plan") {
		return "plan"
	}
	return ""
}

// unasked returns what becomes of d where the agent cannot ask anybody: an ask
// is a deny.
func unasked(d permission.Decision) permission.Decision {
	if d.Action == permission.Ask {
		d.Action = permission.Deny
	}
	return d
}

// answerStatus is [Agent.Answer] for agents that heed the exit status alone.
func answerStatus(_ Event, d permission.Decision) Answer {
	if d.Action == permission.Allow {
		return Answer{}
	}
	return refusal(d.Reason)
}

// refuseStatus refuses any event of an agent that heeds the exit status.
func refuseStatus(_, reason string) Answer { return refusal(reason) }

// anyEvent is the event of a payload where all are refused alike.
func anyEvent([]byte) string { return "" }
