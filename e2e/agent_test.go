//go:build e2e

package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// findClaude, findLaterClaude, findCodex, findGemini, findOpencode and findPi return
// the paths of the agents' programs: of these versions, where AGENTS has no others.
func findClaude(t *testing.T) string {
	return findAgent(t, "claude", "@anthropic-ai/claude-code@2.1.197", "")
}

func findLaterClaude(t *testing.T) string {
	return findAgent(t, "claude", "@anthropic-ai/claude-code@2.1.332", "@anthropic-ai/claude-code/install.cjs")
}

func findCodex(t *testing.T) string { return findAgent(t, "codex", "@openai/codex@0.171.0", "") }

func findGemini(t *testing.T) string { return findAgent(t, "gemini", "@google/gemini-cli@0.61.0", "") }

func findOpencode(t *testing.T) string {
	return findAgent(t, "opencode", "opencode-ai@1.18.33", "opencode-ai/postinstall.mjs")
}

func findPi(t *testing.T) string {
	return findAgent(t, "pi", "@mariozechner/pi-coding-agent@0.73.1", "")
}

// findAgent returns the path of an agent's program: below the directory in
// AGENTS, or else installed from npm.
func findAgent(t *testing.T, name, npm, script string) string {
	t.Helper()
	dir := os.Getenv("AGENTS")
	if dir == "" {
		dir = install(t, npm, ".bin/"+name, script)
	}
	for _, sub := range []string{"", "bin", filepath.Join("node_modules", ".bin")} {
		program := filepath.Join(dir, sub, name)
		if _, err := os.Stat(program); err == nil {
			return program
		}
	}
	t.Fatalf("no %s in %s, its bin or its node_modules/.bin", name, dir)
	return ""
}

// install returns the directory into which npm has put a package of a version, and
// with it a file below its node_modules: a cache that later runs use again. An
// install script is run too, for npm may not.
func install(t *testing.T, npm, file, script string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "permctl-e2e", filepath.Base(npm))
	if _, err := os.Stat(filepath.Join(dir, "node_modules", filepath.FromSlash(file))); err == nil {
		return dir
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	making := dir + "~" // until it is whole
	output(t, exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--prefix", making, npm))
	if script != "" {
		output(t, exec.CommandContext(ctx, "node", filepath.Join(making, "node_modules", filepath.FromSlash(script))))
	}
	if err := os.Rename(making, dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// buildPermctl returns the path of the permctl to test: the one in PERMCTL, or
// else one that is built from this checkout.
func buildPermctl(t *testing.T) string {
	t.Helper()
	if program := os.Getenv("PERMCTL"); program != "" {
		return program
	}
	program := filepath.Join(t.TempDir(), "permctl")
	output(t, exec.CommandContext(t.Context(), "go", "build", "-o", program, "../cmd/permctl"))
	return program
}

// output runs cmd, and returns what it prints. If it fails, so does t.
func output(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, text)
	}
	return strings.TrimSpace(string(text))
}

// A rig is what the sessions are made with: the paths of the two programs.
type rig struct{ claude, permctl string }

// A desk is where a session of the agent takes place: a home of its own, and
// a workspace that is a git repository.
type desk struct {
	rig

	home, workspace string
}

// newDesk returns a desk with settings as the user's settings of permctl, and with
// files in the workspace. Permctl is no agent's hook there.
func (r rig) newDesk(t *testing.T, settings string) *desk {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{rig: r, home: filepath.Join(dir, "home"), workspace: filepath.Join(dir, "work")}
	write(t, filepath.Join(d.home, ".config", "permctl", "settings.yaml"), settings)
	for name, text := range files {
		write(t, filepath.Join(d.workspace, name), text)
	}
	output(t, exec.CommandContext(t.Context(), "git", "init", "-q", d.workspace))
	return d
}

// install makes permctl the hook of an agent for all that the desk's user does.
func (d *desk) install(t *testing.T, agent string) {
	t.Helper()
	output(t, d.start(t.Context(), d.permctl, "install", agent))
}

// claudeDesk returns a desk on which permctl is Claude Code's hook.
func (r rig) claudeDesk(t *testing.T, settings string) *desk {
	t.Helper()
	d := r.newDesk(t, settings)
	d.install(t, "claude")
	return d
}

// write writes a file, and the directories above it.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// command returns Claude Code with args, to be started in the workspace.
func (d *desk) command(ctx context.Context, m *model, args ...string) *exec.Cmd {
	cmd := d.start(ctx, d.claude, args...)
	cmd.Env = append(cmd.Env,
		"ANTHROPIC_BASE_URL="+m.url,
		"ANTHROPIC_API_KEY=none",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_AUTOUPDATER=1",
	)
	return cmd
}

// start returns a program with args, to be started in the workspace.
func (d *desk) start(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = d.workspace, d.environment(), 5*time.Second
	return cmd
}

// environment returns that of all programs of the desk. They can reach the model,
// and nothing else: all other traffic goes to a proxy on the loopback interface
// that is not there.
func (d *desk) environment() []string {
	return []string{
		"PATH=" + filepath.Dir(d.permctl) + string(filepath.ListSeparator) + os.Getenv("PATH"),
		"PWD=" + d.workspace,
		"HOME=" + d.home,
		"XDG_CONFIG_HOME=" + filepath.Join(d.home, ".config"),
		"XDG_STATE_HOME=" + filepath.Join(d.home, ".local", "state"),
		"XDG_DATA_HOME=" + filepath.Join(d.home, ".local", "share"),
		"XDG_CACHE_HOME=" + filepath.Join(d.home, ".cache"),
		"HTTPS_PROXY=http://127.0.0.1:9",
		"HTTP_PROXY=http://127.0.0.1:9",
		"NO_PROXY=127.0.0.1",
	}
}

// sessionTime is how long a session may take before it is ended.
const sessionTime = 2 * time.Minute

// runAlone runs a session without a person.
func (d *desk) runAlone(t *testing.T, m *model) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), sessionTime)
	defer cancel()
	output(t, d.command(ctx, m, "-p", "go on", "--output-format", "json"))
}

// A question is what Claude Code asks a person.
type question struct {
	Tool   string         `json:"tool_name"`
	Input  map[string]any `json:"input"`
	Reason string         `json:"decision_reason"`
}

// A person answers questions: "allow", "deny", or "" for one who has not looked
// up yet.
type person func(question) string

// runWithPerson runs a session with a person, and returns the questions.
func (d *desk) runWithPerson(t *testing.T, m *model, p person) []question {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), sessionTime)
	defer cancel()
	cmd := d.command(ctx, m, "-p", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json", "--permission-prompt-tool", "stdio")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	questions, err := converse(stdin, stdout, p)
	if err := errors.Join(err, cmd.Wait()); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, &stderr)
	}
	return questions
}

// converse has the agent go on, and answers its questions until it is done.
func converse(stdin io.WriteCloser, stdout io.Reader, p person) ([]question, error) {
	defer stdin.Close()
	send := json.NewEncoder(stdin)
	err := send.Encode(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": "go on"}})
	if err != nil {
		return nil, err
	}
	var questions []question
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var line struct {
			Type    string   `json:"type"`
			ID      string   `json:"request_id"`
			Request question `json:"request"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return questions, err
		}
		switch line.Type {
		case "result":
			return questions, nil
		case "control_request":
			questions = append(questions, line.Request)
			answer := map[string]any{"behavior": p(line.Request)}
			switch answer["behavior"] {
			case "":
				continue
			case "allow":
				answer["updatedInput"] = line.Request.Input
			case "deny":
				answer["message"] = "the person says no"
			}
			err := send.Encode(map[string]any{"type": "control_response", "response": map[string]any{
				"subtype": "success", "request_id": line.ID, "response": answer,
			}})
			if err != nil {
				return questions, err
			}
		}
	}
	return questions, errors.Join(lines.Err(), io.ErrUnexpectedEOF)
}
