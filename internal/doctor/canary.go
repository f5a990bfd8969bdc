package doctor

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// canaryCommand is what the dry call says that the agent is about to run. Nobody
// runs it. Whatever the rules, permctl denies it, for it would let an agent
// answer its own questions; and if it did run, it would answer none.
const canaryCommand = "permctl reply per_doctor reject"

// canaryReasons are what is in the reason that permctl gives: one of its floors
// has denied it, or a rule of the user's that is as strict.
var canaryReasons = []string{"(floor: ", canaryCommand + ": denied by rule "}

// A canary is the call that is never to be allowed.
type canary struct {
	command string
	cwd     string
}

// The values in payloads that only have to be there.
const (
	session  = "permctl-doctor"
	dateText = "2026-01-01T00:00:00.000Z"
	dateMS   = 1767225600000
)

// canary returns the payload for an event, or nothing if none of its calls is
// always denied.
func (p *patient) canary(event string) ([]byte, error) {
	v := p.habit.payload(event, canary{canaryCommand, p.m.Cwd})
	if v == nil {
		return nil, nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("the dry call for %s: %w", p.Name, err)
	}
	return text, nil
}

// An object is one of JSON.
type object = map[string]any

// pascal returns what agents send that have taken over the form of Claude Code.
func pascal(event, tool string, c canary, more object) object {
	payload := object{
		"hook_event_name": event, "session_id": session, "cwd": c.cwd, "tool_name": tool, "tool_input": object{"command": c.command},
	}
	maps.Copy(payload, more)
	return payload
}

func claudeCall(event string, c canary) any {
	return pascal(event, "Bash", c, object{"transcript_path": "", "permission_mode": "default", "tool_use_id": session})
}

func codexCall(event string, c canary) any {
	payload := pascal(event, "Bash", c, object{
		"turn_id": session, "transcript_path": nil, "model": session, "permission_mode": "default",
	})
	if event == "PreToolUse" {
		payload["tool_use_id"] = session
	}
	return payload
}

func geminiCall(event string, c canary) any {
	return pascal(event, "run_shell_command", c, object{"transcript_path": "", "timestamp": dateText})
}

func cursorCall(event string, c canary) any {
	payload := object{
		"conversation_id": session, "generation_id": session, "model": session, "hook_event_name": event, "cursor_version": session,
		"workspace_roots": []string{c.cwd}, "user_email": nil, "transcript_path": nil, "cwd": c.cwd,
	}
	switch event {
	case "preToolUse":
		payload["tool_name"], payload["tool_use_id"] = "Shell", session
		payload["tool_input"] = object{"command": c.command, "working_directory": c.cwd}
	case "beforeShellExecution":
		payload["command"], payload["sandbox"] = c.command, false
	default:
		return nil
	}
	return payload
}

// copilotCall spells the payload as Copilot does, which depends on how the event
// is spelled.
func copilotCall(event string, c canary) any {
	if event == "PreToolUse" || event == "PermissionRequest" {
		return pascal(event, "Bash", c, object{"timestamp": dateText})
	}
	args, err := json.Marshal(object{"command": c.command})
	if err != nil {
		return nil
	}
	return object{"sessionId": session, "timestamp": dateMS, "cwd": c.cwd, "toolName": "bash", "toolArgs": string(args)}
}

func vscodeCall(event string, c canary) any {
	return pascal(event, "run_in_terminal", c, object{"timestamp": dateText, "tool_use_id": session, "transcript_path": ""})
}

func openCodeCall(event string, c canary) any {
	return object{
		"hook": event, "input": object{"tool": "bash", "sessionID": session, "callID": session},
		"output": object{"args": object{"command": c.command}}, "directory": c.cwd, "worktree": c.cwd,
	}
}

func piCall(event string, c canary) any {
	return object{
		"hook": event, "cwd": c.cwd, "session": session, "explicit": true,
		"event": object{"type": event, "toolName": "bash", "toolCallId": session, "input": object{"command": c.command}},
	}
}

func factoryCall(event string, c canary) any {
	return pascal(event, "Execute", c, object{"transcript_path": "", "permission_mode": "auto-low"})
}

func kiroCall(event string, c canary) any {
	payload := pascal(event, "execute_bash", c, nil)
	delete(payload, "session_id")
	return payload
}

func windsurfCall(event string, c canary) any {
	if event != "pre_run_command" {
		return nil
	}
	return object{
		"agent_action_name": event, "trajectory_id": session, "execution_id": session, "timestamp": dateText,
		"tool_info": object{"command_line": c.command, "cwd": c.cwd},
	}
}

func clineCall(event string, c canary) any {
	return object{
		"clineVersion": "3.66.0", "hookName": event, "timestamp": dateText, "taskId": session, "workspaceRoots": []string{c.cwd}, "userId": session,
		"preToolUse": object{"toolName": "execute_command", "parameters": object{"command": c.command, "requires_approval": "false"}},
	}
}

func gooseCall(event string, c canary) any {
	return object{
		"event": event, "session_id": session, "matcher_context": "developer__shell", "tool_name": "developer__shell",
		"tool_input": object{"command": c.command}, "working_dir": c.cwd, "tool_call_id": session,
	}
}

// denied reports whether an answer is permctl's to the canary, and not that of a
// permctl that cannot decide, or of anything else.
func denied(texts ...string) bool {
	return slices.ContainsFunc(canaryReasons, func(reason string) bool { return strings.Contains(strings.Join(texts, "\n"), reason) })
}
