//go:build e2e

package e2e_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// An agent is a coding agent as a column of the matrix has it.
type agent struct {
	title string
	find  func(*testing.T) string

	// install makes permctl the agent's hook on d. The agent gives up on it after
	// patience.
	install func(t *testing.T, d *desk, patience time.Duration)

	// command is the agent, to be started on d without a person. It runs what no
	// hook stops, or if it asks, it would ask a person about that.
	command func(ctx context.Context, t *testing.T, d *desk, program string, m *model, asks bool) *exec.Cmd

	// shell, write and patch are what the agent calls a tool for, and patcher is
	// the name of the model for which it has the last, if it does not have the
	// others for that.
	shell   func(command string) toolCall
	write   func(path, text string) toolCall
	patch   func(patch string) toolCall
	patcher string
}

// agents are the columns of the matrix.
var agents = []*agent{oldClaude, claude, codex, gemini, opencode}

// oldClaude is a Claude Code that does not know what onFailure is, and claude one
// that does.
var oldClaude, claude = claudeCode(findClaude), claudeCode(findLaterClaude)

// prompt is what the person has said before going away.
const prompt = "go on"

// claudeCode is Claude Code in a version.
func claudeCode(find func(*testing.T) string) *agent {
	shell := toolOf("Bash", "command")
	return &agent{
		title: "Claude Code", find: find,
		install: func(t *testing.T, d *desk, patience time.Duration) {
			hookClaude(t, d, map[string]any{"timeout": patience.Seconds(), "onFailure": "block"}, bothEvents...)
		},
		command: func(ctx context.Context, t *testing.T, d *desk, program string, m *model, asks bool) *exec.Cmd {
			mode := choose(asks, "default", "bypassPermissions")
			d.claude = program
			cmd := d.command(ctx, m, "-p", prompt, "--output-format", "json", "--permission-mode", mode)
			cmd.Env = append(cmd.Env, "IS_SANDBOX=1") // or it does not do so for root
			return cmd
		},
		shell: shell,
		write: func(path, text string) toolCall {
			return toolCall{tool: "Write", input: map[string]any{"file_path": path, "content": text}}
		},
		patch: func(patch string) toolCall { return shell(heredoc(patch)) },
	}
}

// hookClaude makes permctl Claude Code's hook for events.
func hookClaude(t *testing.T, d *desk, options map[string]any, events ...string) {
	t.Helper()
	hooks := map[string]any{}
	for _, event := range events {
		command := map[string]any{"type": "command", "command": d.permctl, "args": []string{"hook", "claude"}}
		maps.Copy(command, options)
		hooks[event] = []any{map[string]any{"matcher": "*", "hooks": []any{command}}}
	}
	write(t, filepath.Join(d.home, ".claude", "settings.json"), asJSON(t, map[string]any{"hooks": hooks}))
}

// codex is Codex.
var codex = &agent{
	title: "Codex", find: findCodex,
	install: hookCodex,
	command: func(ctx context.Context, t *testing.T, d *desk, program string, m *model, asks bool) *exec.Cmd {
		options := []string{
			`model="gpt-5.5"`, // it has a tool for patches then
			`model_provider="scripted"`,
			fmt.Sprintf(`model_providers.scripted={name="scripted", base_url="%s/v1", wire_api="responses"}`, m.url),
		}
		args := []string{"exec", choose(asks, "--sandbox=read-only", "--dangerously-bypass-approvals-and-sandbox")}
		for _, option := range options {
			args = append(args, "-c", option)
		}
		return d.start(ctx, program, append(args, prompt)...)
	},
	shell: toolOf("exec_command", "cmd"),
	write: func(path, text string) toolCall {
		return applyPatch("*** Begin Patch\n*** Add File: " + path + "\n+" + text + "\n*** End Patch\n")
	},
	patch: applyPatch,
}

// hookCodex makes permctl Codex's hook, and says that a person has looked at it:
// Codex passes over a hook whose hash is another than the one in its settings.
func hookCodex(t *testing.T, d *desk, patience time.Duration) {
	t.Helper()
	file, hooks, seen := filepath.Join(d.home, ".codex", "hooks.json"), map[string]any{}, ""
	for event, key := range map[string]string{"PreToolUse": "pre_tool_use", "PermissionRequest": "permission_request"} {
		command := map[string]any{"type": "command", "command": quoted(d.permctl) + " hook codex", "timeout": int(patience.Seconds()), "async": false}
		matcher := map[string]any{"matcher": ".*", "hooks": []any{command}}
		hooks[event] = []any{maps.Clone(matcher)}
		matcher["event_name"] = key
		seen += fmt.Sprintf("[hooks.state.%q]\ntrusted_hash = \"sha256:%x\"\n", file+":"+key+":0:0", sha256.Sum256([]byte(asJSON(t, matcher))))
	}
	write(t, file, asJSON(t, map[string]any{"hooks": hooks}))
	write(t, filepath.Join(d.home, ".codex", "config.toml"), seen)
}

// applyPatch is a call of Codex's tool for patches.
func applyPatch(patch string) toolCall { return toolCall{tool: "apply_patch", text: patch} }

// gemini is Gemini CLI.
var gemini = &agent{
	title: "Gemini CLI", find: findGemini,
	install: func(t *testing.T, d *desk, patience time.Duration) {
		t.Helper()
		command := map[string]any{"name": "permctl", "type": "command", "command": quoted(d.permctl) + " hook gemini", "timeout": patience.Milliseconds()}
		write(t, filepath.Join(d.home, ".gemini", "settings.json"), asJSON(t, map[string]any{
			"security": map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}},
			"general":  map[string]any{"enableAutoUpdate": false}, "privacy": map[string]any{"usageStatisticsEnabled": false},
			"hooks": map[string]any{"BeforeTool": []any{map[string]any{"matcher": ".*", "hooks": []any{command}}}},
		}))
	},
	command: func(ctx context.Context, t *testing.T, d *desk, program string, m *model, asks bool) *exec.Cmd {
		cmd := d.start(ctx, program, "-m", "gemini-2.5-flash", "-p", prompt, "--approval-mode", choose(asks, "default", "yolo"))
		cmd.Env = append(cmd.Env, "GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL="+m.url, "GEMINI_CLI_TRUST_WORKSPACE=true")
		return cmd
	},
	shell: toolOf("run_shell_command", "command"),
	write: func(path, text string) toolCall {
		return toolCall{tool: "write_file", input: map[string]any{"file_path": path, "content": text}}
	},
	patch: func(patch string) toolCall { return toolOf("run_shell_command", "command")(heredoc(patch)) },
}

// opencode is opencode. It has one tool for patches or two for edits, by the name
// of the model.
var opencode = &agent{
	title: "opencode", find: findOpencode, patcher: "gpt-5.5",
	install: func(t *testing.T, d *desk, patience time.Duration) {
		t.Helper()
		plugin, err := os.ReadFile(filepath.Join("testdata", "opencode-hook.js"))
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("const program = %q, patience = %d\n%s", d.permctl, patience.Milliseconds(), plugin)
		write(t, filepath.Join(d.home, ".config", "opencode", "plugins", "permctl.js"), text)
	},
	command: func(ctx context.Context, t *testing.T, d *desk, program string, m *model, asks bool) *exec.Cmd {
		return d.opencode(ctx, t, program, m, choose(asks, "ask", "allow"))
	},
	shell: toolOf("bash", "command"),
	write: func(path, text string) toolCall {
		return toolCall{tool: "write", input: map[string]any{"filePath": path, "content": text}}
	},
	patch: func(patch string) toolCall {
		return toolCall{tool: "apply_patch", input: map[string]any{"patchText": patch}}
	},
}

// opencode returns opencode, to be started in the workspace, with settings for the
// model and what it does by itself with a call.
func (d *desk) opencode(ctx context.Context, t *testing.T, program string, m *model, permission string) *exec.Cmd {
	t.Helper()
	settings := asJSON(t, map[string]any{
		"permission": permission, "model": "scripted/" + m.name, "small_model": "scripted/" + m.name,
		"provider": map[string]any{"scripted": map[string]any{
			"npm": "@ai-sdk/anthropic", "models": map[string]any{m.name: map[string]any{}},
			"options": map[string]any{"baseURL": m.url + "/v1", "apiKey": "none"},
		}},
	})
	cmd := d.start(ctx, program, "run", prompt, "--print-logs")
	cmd.Env = append(cmd.Env, "OPENCODE_CONFIG_CONTENT="+settings, "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1",
		"npm_config_fetch_retries=0") // it would have npm install types for the plugin, and wait for it
	return cmd
}

// toolOf returns a tool that takes a command in a field.
func toolOf(tool, field string) func(command string) toolCall {
	return func(command string) toolCall {
		return toolCall{tool: tool, input: map[string]any{field: command, "description": "Do it"}}
	}
}

// choose returns one of two words.
func choose(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// heredoc is a patch as a shell command.
func heredoc(patch string) string { return "apply_patch <<'EOF'\n" + patch + "EOF" }

// quoted returns a path as a word for a shell.
func quoted(path string) string { return `"` + path + `"` }

// asJSON returns v as JSON on one line, with its keys in order.
func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
