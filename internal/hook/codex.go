package hook

import (
	"encoding/json"

	"github.com/permctl/permctl/internal/permission"
)

// Codex is OpenAI's Codex. Its payloads have Claude Code's form, and its answers
// a part of Claude Code's forms: those of the JSON Schemas in its program, where
// a field too many makes it drop the answer and go on.
var Codex = &Agent{
	Name:    "codex",
	Aliases: []string{"codex-cli"},
	dialect: codexDialect,
	decode:  codexDialect.decodeClaude,
	answer:  answerCodex,
	hearing: hearing{reads: readsCodex},
	marks:   []mark{"hook_event_name turn_id model !generation_id !cursor_version"},
}

// codexDialect is how Codex names its events.
var codexDialect = dialect{
	agent:   "Codex",
	field:   "hook_event_name",
	tools:   []string{preToolUse},
	dialogs: []string{permissionRequest},
	prompts: []string{userPromptSubmit},
	reports: []string{"PostToolUse"},
}

// answerCodex is [Agent.Answer] for Codex. It can be asked to block a tool, and
// not to allow one or to ask: where it is told either, it reports a failed hook
// and runs the tool. Its own dialog it can be told to answer.
func answerCodex(event Event, d permission.Decision) Answer {
	switch {
	case d.Action == permission.Allow && (!d.Grant || event.Name != permissionRequest):
		return Answer{}
	case event.Name == permissionRequest:
		return claudeDialogAnswer(d)
	case event.Name == userPromptSubmit && d.Action == permission.Ask:
		return Answer{} // who would be asked has just written it
	case event.Name == userPromptSubmit:
		return object(claudeBlock{Decision: "block", Reason: d.Reason})
	}
	return claudeToolAnswer(unasked(d))
}

// A codexSaid is what Codex reads of an answer, and nothing else may be in it.
type codexSaid struct {
	Continue       *bool      `json:"continue"`
	StopReason     *string    `json:"stopReason"`
	SuppressOutput bool       `json:"suppressOutput"`
	SystemMessage  *string    `json:"systemMessage"`
	Decision       string     `json:"decision"`
	Reason         string     `json:"reason"`
	Hook           *codexHook `json:"hookSpecificOutput"`
}

// A codexHook is the part of an answer that is for one event.
type codexHook struct {
	HookEventName            string          `json:"hookEventName"`
	PermissionDecision       string          `json:"permissionDecision"`
	PermissionDecisionReason string          `json:"permissionDecisionReason"`
	AdditionalContext        *string         `json:"additionalContext"`
	UpdatedInput             json.RawMessage `json:"updatedInput"`
	Decision                 *codexDecision  `json:"decision"`
}

// A codexDecision is the button that an answer presses.
type codexDecision struct {
	Behavior string `json:"behavior"`
	Message  string `json:"message"`
}

// readsCodex is how Codex reads an answer. It runs the tool where it is told what
// it does not know, an allow and an ask among that.
func readsCodex(event Event, a Answer) (Effect, bool) {
	if a.Status == 2 && !a.mute() {
		return Blocked, false
	}
	var said codexSaid
	if a.Status != 0 || a.silent() || !a.strict(&said) {
		return Undecided, a.Status != 0 || !a.silent()
	}
	hook := said.Hook
	switch {
	case hook != nil && hook.HookEventName != event.Name:
	case said.Decision == "block" && said.Reason != "" && event.Name != permissionRequest:
		return Blocked, false
	case hook == nil:
	case event.Name == preToolUse && hook.PermissionDecision == "deny" && hook.PermissionDecisionReason != "":
		return Blocked, false
	case event.Name == permissionRequest && hook.Decision != nil:
		effect, known := words[hook.Decision.Behavior]
		if known && effect != Asks {
			return effect, false
		}
	}
	return Undecided, false
}
