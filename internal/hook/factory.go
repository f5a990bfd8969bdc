package hook

import "github.com/permctl/permctl/internal/permission"

// Factory is Factory's Droid. Its payload and its answers are those of
// docs.factory.ai/reference/hooks-reference: Claude Code's, with modes and tools
// of its own.
var Factory = &Agent{
	Name:    "factory",
	Aliases: []string{"droid", "factory-droid"},
	decode:  func(payload []byte) (Event, error) { return decodeToolUse(payload, "Factory Droid") },
	answer:  answerFactory,
	refuse:  refuseAny,
	event:   hookEventName,
}

// answerFactory is [Agent.Answer] for Factory Droid.
func answerFactory(_ Event, d permission.Decision) Answer {
	if d.Action == permission.Allow && !d.Grant {
		return Answer{} // Droid's own levels and questions go on
	}
	return claudeToolAnswer(d)
}
