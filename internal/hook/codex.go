package hook

import "github.com/permctl/permctl/internal/permission"

// Codex is OpenAI's Codex. Its payloads have Claude Code's form, and its answers
// a part of Claude Code's forms: those of the JSON Schemas in its program, where
// a field too many makes it drop the answer and go on.
var Codex = &Agent{
	Name:    "codex",
	Aliases: []string{"codex-cli"},
	decode:  codexEvents.decode,
	answer:  answerCodex,
	refuse:  func(_, reason string) Answer { return refusal(reason) },
	event:   func(payload []byte) string { return field(payload, "hook_event_name") },
}

// codexEvents are the events of Codex.
var codexEvents = events{
	agent:   "Codex",
	tools:   []string{preToolUse, permissionRequest},
	prompts: []string{userPromptSubmit},
	reports: []string{"PostToolUse"},
}

// answerCodex is [Agent.Answer] for Codex. It can be asked to block a tool, and
// not to allow one or to ask: where it is told either, it reports a failed hook
// and runs the tool. Its own dialog it can be told to answer.
func answerCodex(event Event, d permission.Decision) Answer {
	if event.Name == permissionRequest {
		if d.Action == permission.Allow && !d.Grant {
			return Answer{}
		}
		return claudeDialogAnswer(d)
	}
	switch {
	case d.Action == permission.Allow:
		return Answer{}
	case event.Name == userPromptSubmit && d.Action == permission.Ask:
		return Answer{} // who would be asked has just written it
	case event.Name == userPromptSubmit:
		return object(claudeBlock{Decision: "block", Reason: d.Reason})
	case d.Action == permission.Ask:
		return claudeToolAnswer(unasked(d))
	default:
		return claudeToolAnswer(d)
	}
}
