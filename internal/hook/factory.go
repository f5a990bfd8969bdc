package hook

import "github.com/permctl/permctl/internal/permission"

// Factory is Factory's Droid. Its payload and its answers are those of
// docs.factory.ai/reference/hooks-reference: Claude Code's, with modes and tools
// of its own.
var Factory = &Agent{
	Name:    "factory",
	Aliases: []string{"droid", "factory-droid"},
	Project: "FACTORY_PROJECT_DIR",
	dialect: factoryDialect,
	decode:  factoryDialect.decodeClaude,
	answer:  answerFactory,
	hearing: hearing{reads: readsClaudeLike},
	marks:   []mark{"hook_event_name session_id permission_mode=off|spec|auto-low|auto-medium|auto-high"},
}

// factoryDialect is how Factory Droid names its events.
var factoryDialect = dialect{
	agent:   "Factory Droid",
	field:   "hook_event_name",
	tools:   []string{preToolUse},
	reports: claudeDialect.reports,
}

// answerFactory is [Agent.Answer] for Factory Droid.
func answerFactory(_ Event, d permission.Decision) Answer {
	if d.Action == permission.Allow && !d.Grant {
		return Answer{} // Droid's own levels and questions go on
	}
	return claudeToolAnswer(d)
}
