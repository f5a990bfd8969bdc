//go:build e2e

package e2e_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// An agent is a coding agent as a column of the matrix has it.
type agent struct {
	title string
	find  func(*testing.T) string

	// name is permctl's for it.
	name string

	// settle, if it is not nil, does on d what a person has to before the agent
	// works there, and trust what one has to when permctl is installed.
	settle, trust func(t *testing.T, d *desk)

	// file is where permctl says, below the home, how long the agent waits for it:
	// with waits. With hurries in its place, it gives up on it soon.
	file, waits, hurries string

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
var agents = []*agent{oldClaude, claude, codex, gemini, opencode, pi}

// oldClaude is a Claude Code that does not know what onFailure is, and claude one
// that does.
var oldClaude, claude = claudeCode(findClaude), claudeCode(findLaterClaude)

// prompt is what the person has said before going away.
const prompt = "go on"

// claudeCode is Claude Code in a version.
func claudeCode(find func(*testing.T) string) *agent {
	shell := toolOf("Bash", "command")
	return &agent{
		title: "Claude Code", find: find, name: "claude",
		file: ".claude/settings.json", waits: `"timeout": 60,`, hurries: `"timeout": 2,`,
		command: func(ctx context.Context, _ *testing.T, d *desk, program string, m *model, asks bool) *exec.Cmd {
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

// codex is Codex.
var codex = &agent{
	title: "Codex", find: findCodex, name: "codex", trust: trustCodex,
	file: ".codex/hooks.json", waits: `"timeout": 60`, hurries: `"timeout": 2`,
	command: func(ctx context.Context, _ *testing.T, d *desk, program string, m *model, asks bool) *exec.Cmd {
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

// trustCodex says that a person has looked at Codex's hooks: it passes over one
// whose hash is another than that in its settings.
func trustCodex(t *testing.T, d *desk) {
	t.Helper()
	file := filepath.Join(d.home, ".codex", "hooks.json")
	text, err := os.ReadFile(file)
	var settings struct{ Hooks map[string][]map[string]any }
	if err := errors.Join(err, json.Unmarshal(text, &settings)); err != nil {
		t.Fatal(err)
	}
	var seen strings.Builder
	for event, key := range map[string]string{"PreToolUse": "pre_tool_use", "PermissionRequest": "permission_request"} {
		group := settings.Hooks[event][0]
		group["event_name"] = key
		group["hooks"].([]any)[0].(map[string]any)["async"] = false
		fmt.Fprintf(&seen, "[hooks.state.%q]\ntrusted_hash = \"sha256:%x\"\n", file+":"+key+":0:0", sha256.Sum256([]byte(asJSON(t, group))))
	}
	write(t, filepath.Join(d.home, ".codex", "config.toml"), seen.String())
}

// patchTool is Codex's tool for patches. It takes a text, and no object.
const patchTool = "apply_patch"

// applyPatch is a call of it.
func applyPatch(patch string) toolCall {
	return toolCall{tool: patchTool, input: map[string]any{"patch": patch}}
}

// gemini is Gemini CLI.
var gemini = &agent{
	title: "Gemini CLI", find: findGemini, name: "gemini",
	file: ".gemini/settings.json", waits: `"timeout": 60000`, hurries: `"timeout": 2000`,
	settle: func(t *testing.T, d *desk) {
		t.Helper()
		write(t, filepath.Join(d.home, ".gemini", "settings.json"), `{
  // What a person has here already.
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "general": {"enableAutoUpdate": false},
  "privacy": {"usageStatisticsEnabled": false}
}
`)
	},
	trust: func(t *testing.T, d *desk) {
		t.Helper()
		write(t, filepath.Join(d.home, ".gemini", "trustedFolders.json"), asJSON(t, map[string]string{d.workspace: "TRUST_FOLDER"}))
	},
	command: func(ctx context.Context, _ *testing.T, d *desk, program string, m *model, asks bool) *exec.Cmd {
		cmd := d.start(ctx, program, "-m", "gemini-2.5-flash", "-p", prompt, "--approval-mode", choose(asks, "default", "yolo"))
		cmd.Env = append(cmd.Env, "GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL="+m.url)
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
	title: "opencode", find: findOpencode, name: "opencode", patcher: "gpt-5.5",
	file: ".config/opencode/plugins/permctl.js", waits: "longest = 70_000", hurries: "longest = 2_000",
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
	cmd.Env = append(cmd.Env, "OPENCODE_CONFIG_CONTENT="+settings, "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1")

	// Where there are plugins, opencode waits until npm has installed its own package
	// beside them, unless it has been there before.
	folder := filepath.Join(d.home, ".config", "opencode")
	write(t, filepath.Join(folder, "package-lock.json"), `{"packages": {"": {"dependencies": {"@opencode-ai/plugin": "1.18.33"}}}}`)
	write(t, filepath.Join(folder, "node_modules", ".package-lock.json"), "{}")
	return cmd
}

// pi is pi. It never asks a person.
var pi = &agent{
	title: "pi", find: findPi, name: "pi",
	file: ".pi/agent/extensions/permctl.js", waits: "longest = 70_000", hurries: "longest = 2_000",
	command: func(ctx context.Context, t *testing.T, d *desk, program string, m *model, _ bool) *exec.Cmd {
		t.Helper()
		write(t, filepath.Join(d.home, ".pi", "agent", "models.json"), asJSON(t, map[string]any{"providers": map[string]any{"scripted": map[string]any{
			"baseUrl": m.url, "api": "anthropic-messages", "apiKey": "none", "models": []any{map[string]any{"id": m.name}},
		}}}))
		cmd := d.start(ctx, program, "-p", "--provider", "scripted", "--model", m.name, prompt)
		cmd.Env = append(cmd.Env, "PI_OFFLINE=1", "PI_TELEMETRY=0")
		return cmd
	},
	shell: toolOf("bash", "command"),
	write: func(path, text string) toolCall {
		return toolCall{tool: "write", input: map[string]any{"path": path, "content": text}}
	},
	patch: func(patch string) toolCall { return toolOf("bash", "command")(heredoc(patch)) },
}

// hasten has the agent give up on permctl as soon as may be.
func (a *agent) hasten(t *testing.T, d *desk) {
	t.Helper()
	file := filepath.Join(d.home, filepath.FromSlash(a.file))
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), a.waits) {
		t.Fatalf("%s does not say %s: %v\n%s", file, a.waits, err, text)
	}
	write(t, file, strings.ReplaceAll(string(text), a.waits, a.hurries))
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
