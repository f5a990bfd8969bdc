package hook_test

import (
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/hook"
)

// The outcomes of hooks that break, and what becomes of the call then.
var (
	gone   = hook.Outcome{Missing: true}
	late   = hook.Outcome{TimedOut: true, Answer: exits(2, "", "too late to count")}
	silent = hook.Outcome{}
	crash  = exited(1, "", "panic")
	shell  = exited(127, "", "sh: permctl: not found")
	hello  = exited(0, "hello", "")
	open1  = exited(0, `{"hello":`, "")
	no     = exited(2, "", "no")
	noWhy  = exited(2, "", "")
)

func exits(status int, stdout, stderr string) hook.Answer {
	return hook.Answer{Stdout: []byte(stdout), Stderr: stderr, Status: status}
}

func exited(status int, stdout, stderr string) hook.Outcome {
	return hook.Outcome{Answer: exits(status, stdout, stderr)}
}

// says is an answer on standard output.
func says(stdout string) hook.Outcome { return exited(0, stdout, "") }

// broken are the outcomes that every agent is tried with.
var broken = []hook.Outcome{gone, late, silent, crash, shell, hello, open1, no, noWhy}

// TestBroken has what each agent does when its hook breaks, without the setting
// that fails closed and with it: B for blocked, A for asks, U for undecided.
func TestBroken(t *testing.T) {
	letters := map[hook.Effect]string{hook.Blocked: "B", hook.Asks: "A", hook.Granted: "G", hook.Undecided: "U"}
	for _, tt := range []struct {
		agent      *hook.Agent
		event      string
		open, shut string // as broken, and with the setting
	}{
		{hook.Claude, "PreToolUse", "UUUUUUUBB", "BBUBBUUBB"},
		{hook.Claude, "PermissionRequest", "AAAAAAAAA", "AAAAAAAAA"},
		{hook.Claude, "UserPromptSubmit", "UUUUUUUBB", "BBUBBUUBB"},
		{hook.Claude, "PreSkillShellCommand", "UUUUUUUBB", "BBUBBUUBB"},
		{hook.Claude, "PostToolUse", "UUUUUUUUU", "UUUUUUUUU"},
		{hook.Codex, "PreToolUse", "UUUUUUUBU", "UUUUUUUBU"},
		{hook.Codex, "PermissionRequest", "AAAAAAABA", "AAAAAAABA"},
		{hook.Codex, "UserPromptSubmit", "UUUUUUUBU", "UUUUUUUBU"},
		{hook.Gemini, "BeforeTool", "UUUUBUUBU", "UUUUBUUBU"}, // a shell's own words are a no
		{hook.Cursor, "preToolUse", "UUUUUUUBB", "BBBBBBBBB"},
		{hook.Cursor, "beforeShellExecution", "UUUUUUUBB", "BBBBBBBBB"},
		{hook.Cursor, "beforeSubmitPrompt", "UUUUUUUBB", "BBBBBBBBB"},
		{hook.Copilot, "preToolUse", "BUUBBUUBB", "BUUBBUUBB"},
		{hook.Copilot, "PermissionRequest", "AAAAAAABB", "AAAAAAABB"},
		{hook.VSCode, "PreToolUse", "UUUUUUUBB", "UUUUUUUBB"},
		{hook.OpenCode, "tool.execute.before", "BBBBBBBBB", "BBBBBBBBB"},
		{hook.Senpi, "PreToolUse", "UUUUUUUBB", "UUUUUUUBB"},
		{hook.Pi, "tool_call", "BBUBBBBBB", "BBUBBBBBB"},
		{hook.Factory, "PreToolUse", "UUUUUUUBB", "UUUUUUUBB"},
		{hook.Kiro, "preToolUse", "UUUUUUUBB", "UUUUUUUBB"},
		{hook.Windsurf, "pre_run_command", "UUUUUUUBB", "UUUUUUUBB"},
		{hook.Cline, "tool_call", "UUUUUUUUU", "UUUUUUUUU"},
		{hook.Goose, "PreToolUse", "UUUUUUUBB", "BBUBBBBBB"},
		{hook.ACP, "session/request_permission", "AAABBAABB", "AAABBAABB"},
	} {
		payload := open(t, tt.agent).payload(t, tt.event)
		for failClosed, want := range map[bool]string{false: tt.open, true: tt.shut} {
			var got strings.Builder
			for _, outcome := range broken {
				got.WriteString(letters[tt.agent.Reads(payload, outcome, failClosed)])
			}
			if got.String() != want {
				t.Errorf("%s %s, with the setting: %t: %s, want %s", tt.agent.Name, tt.event, failClosed, got.String(), want)
			}
			if has := tt.agent.FailClosed() != ""; !has && tt.open != tt.shut {
				t.Errorf("%s has no such setting", tt.agent.Name)
			}
		}
	}
}

// TestClaudeRubbish has what Claude Code 2.1.332 was seen to do with answers that are
// none, where its hook shall fail closed.
func TestClaudeRubbish(t *testing.T) {
	for stdout, want := range map[string]hook.Effect{
		`{"decision":"perhaps"}`: hook.Blocked,
		" {\"decision\":}\n":     hook.Blocked,
		`{"hookSpecificOutput":{"hookEventName":"Other","permissionDecision":"deny"}}`: hook.Blocked,
		`{"decision":"den`: hook.Undecided,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"`: hook.Undecided,
		`[]`:         hook.Undecided,
		`allow}`:     hook.Undecided,
		`all's well`: hook.Undecided,
		``:           hook.Undecided,
	} {
		payload := open(t, hook.Claude).payload(t, "PreToolUse")
		if got := hook.Claude.Reads(payload, says(stdout), true); got != want {
			t.Errorf("Claude Code takes %q for %s, want %s", stdout, got, want)
		}
	}
}

// TestReads has what each agent makes of answers, those among them that permctl
// does not give.
func TestReads(t *testing.T) {
	const tool, dialog = "PreToolUse", "PermissionRequest"
	for _, tt := range []struct {
		agent   *hook.Agent
		event   string
		outcome hook.Outcome
		want    hook.Effect
	}{
		{hook.Claude, tool, says(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`), hook.Granted},
		{hook.Claude, tool, says(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}`), hook.Asks},
		{hook.Claude, tool, says(` {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`), hook.Blocked},
		{hook.Claude, tool, says(`x {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`), hook.Undecided},
		{hook.Claude, tool, says(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"no"}}`), hook.Undecided},
		{hook.Claude, tool, exited(7, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`, ""), hook.Blocked},
		{hook.Claude, tool, exited(2, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`, ""), hook.Blocked},
		{hook.Claude, tool, exited(2, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny"}}}`, "no"), hook.Undecided},
		{hook.Claude, tool, says(`{"decision":"approve"}`), hook.Granted},
		{hook.Claude, tool, says(`{"decision":"block","reason":"no"}`), hook.Blocked},
		{hook.Claude, tool, says(`{"continue":false}`), hook.Blocked},
		{hook.Claude, tool, says(`{"continue":true}`), hook.Undecided},
		{hook.Claude, dialog, says(`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`), hook.Granted},
		{hook.Claude, dialog, exited(2, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny"}}}`, ""), hook.Blocked},
		{hook.Claude, dialog, says(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`), hook.Asks},
		{hook.Claude, "PreSkillShellCommand", says(`{"decision":"block","reason":"no"}`), hook.Undecided},
		{hook.Codex, tool, says(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`), hook.Blocked},
		{hook.Codex, tool, says(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`), hook.Undecided},
		{hook.Codex, tool, says(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"},"more":1}`), hook.Undecided},
		{hook.Codex, tool, says(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"?"}}`), hook.Undecided},
		{hook.Codex, tool, says(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`), hook.Undecided},
		{hook.Codex, tool, says(`{"decision":"block","reason":"no"}`), hook.Blocked},
		{hook.Codex, dialog, says(`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`), hook.Granted},
		{hook.Codex, dialog, says(`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"ask"}}}`), hook.Asks},
		{hook.Gemini, "BeforeTool", says(`{"decision":"deny"}`), hook.Blocked},
		{hook.Gemini, "BeforeTool", exited(1, "", `{"decision":"block"}`), hook.Blocked},
		{hook.Gemini, "BeforeTool", says(`{"decision":"ask"}`), hook.Asks},
		{hook.Gemini, "BeforeTool", says(`{"decision":"allow"}`), hook.Undecided},
		{hook.Gemini, "BeforeTool", exited(2, "{}", "no"), hook.Undecided},
		{hook.Gemini, "BeforeTool", exited(2, "", `"no"`), hook.Undecided},
		{hook.Gemini, "BeforeTool", says(`{"continue":false}`), hook.Blocked},
		{hook.Cursor, "preToolUse", says(`{"permission":"allow"}`), hook.Granted},
		{hook.Cursor, "preToolUse", says(`{"permission":"ask"}`), hook.Undecided},
		{hook.Cursor, "beforeShellExecution", says(`{"permission":"ask"}`), hook.Asks},
		{hook.Cursor, "beforeReadFile", says(`{"permission":"deny"}`), hook.Blocked},
		{hook.Cursor, "subagentStart", says(`{"permission":"ask"}`), hook.Blocked},
		{hook.Cursor, "beforeSubmitPrompt", says(`{"permission":"deny"}`), hook.Undecided},
		{hook.Cursor, "beforeSubmitPrompt", says(`{"continue":false}`), hook.Blocked},
		{hook.Copilot, "preToolUse", says("{\"type\":\"progress\"}\n{\"permissionDecision\":\"deny\"}\n"), hook.Blocked},
		{hook.Copilot, "preToolUse", exited(3, `{"permissionDecision":"allow"}`, ""), hook.Blocked},
		{hook.Copilot, "preToolUse", says(`{"permissionDecision":"allow"}`), hook.Granted},
		{hook.Copilot, "preToolUse", says(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`), hook.Undecided},
		{hook.Copilot, dialog, says(`{"behavior":"deny"}`), hook.Blocked},
		{hook.Copilot, dialog, says(`{"permissionDecision":"deny"}`), hook.Asks},
		{hook.VSCode, tool, says(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`), hook.Blocked},
		{hook.VSCode, tool, says(`{"permissionDecision":"deny"}`), hook.Undecided},
		{hook.OpenCode, "tool.execute.before", says(`{"decision":"pass"}`), hook.Undecided},
		{hook.OpenCode, "tool.execute.before", says(`{"decision":"ask"}`), hook.Blocked},
		{hook.OpenCode, "tool.execute.before", says(`{"decision":"perhaps"}`), hook.Blocked},
		{hook.Senpi, tool, says(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}`), hook.Blocked},
		{hook.Senpi, tool, exited(1, `{"decision":"block"}`, ""), hook.Blocked},
		{hook.Pi, "tool_call", says(`{"block":true}`), hook.Blocked},
		{hook.Factory, tool, says(`{"continue":false,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`), hook.Blocked},
		{hook.Factory, tool, exited(1, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`, ""), hook.Undecided},
		{hook.Kiro, "preToolUse", says(`{"decision":"deny"}`), hook.Undecided},
		{hook.Cline, "tool_call", exited(9, `{"cancel":true}`, ""), hook.Blocked},
		{hook.Cline, "tool_call", says("x\nHOOK_CONTROL\t{\"cancel\":true}\n"), hook.Blocked},
		{hook.Cline, "tool_call", says(`{"cancel":false}`), hook.Undecided},
		{hook.Goose, tool, exited(1, `{"decision":"block"}`, ""), hook.Blocked},
		{hook.Goose, tool, says(`{"decision":"allow"}`), hook.Undecided},
		{hook.ACP, "session/request_permission", says(`{"id":5,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}`), hook.Granted},
		{hook.ACP, "session/request_permission", says(`{"id":5,"result":{"outcome":{"outcome":"selected","optionId":"n"}}}`), hook.Blocked},
		{hook.ACP, "session/request_permission", says(`{"id":5,"result":{"outcome":{"outcome":"cancelled"}}}`), hook.Blocked},
		{hook.ACP, "session/request_permission", says(`{"id":5,"error":{"code":-1,"message":"no"}}`), hook.Blocked},
		{hook.ACP, "session/request_permission", says(`{"id":6,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}`), hook.Asks},
	} {
		if got := tt.agent.Reads(open(t, tt.agent).payload(t, tt.event), tt.outcome, false); got != tt.want {
			t.Errorf("%s %s takes %s %+v for %s, want %s", tt.agent.Name, tt.event, tt.outcome.Stdout, tt.outcome, got, tt.want)
		}
	}
}
