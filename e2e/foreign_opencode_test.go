//go:build e2e

package e2e_test

import (
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/permission"
)

// openCodeUser and openCodeProject are merged by opencode, the user's first.
const (
	openCodeUser = `{
	"tools": {"websearch": false, "todowrite": true},
	"permission": {
		"bash": {"*": "allow", "echo *": "deny", "cat *": "ask"},
		"edit": {"*": "allow", "7": "deny", "*.lock": "deny"},
		"webfetch": "allow",
		"todowrite": "deny",
		"glob": {"*": "allow", "*.pem": "deny"}
	}
}`
	openCodeProject = `{
	// Merged into the user's: what is there keeps its place.
	"tools": {"webfetch": false, "write": true},
	"permission": {
		"bash": {
			"*": "ask", // before the user's echo and cat
			"git status *": "allow",
			"git log*": "allow",
			"git tag": "allow",
			"git push *": "deny",
			"git push --dry-run *": "ask",
			"npm *": "deny",
			"npm run ?est": "ask",
			"printf *": "allow",
			"echo ok*": "allow",
			"* --version": "allow",
			"time git tag *": "allow",
			"time printf no*": "deny",
			"*DROP TABLE*": "deny",
		},
		"edit": {"src/*": "ask", "src/free/*": "allow", "*.md": "deny"},
		"read": {"*secret*": "deny", "docs/*": "ask", "docs/index.md": "allow", "*.env": "deny"},
		"grep": {"*": "allow", "*password*": "deny"},
		"external_directory": {"/srv/*": "deny", "HOME/shared/*": "allow"},
	}
}`
)

// openCodeCall is a call of a tool of opencode's, whose only argument that matters
// is text.
func openCodeCall(tool, text string) toolCall {
	in := map[string]any{}
	switch tool {
	case "bash":
		in["command"], in["description"] = text, "Do it"
	case "read":
		in["filePath"] = text
	case "write":
		in["filePath"], in["content"] = text, "x"
	case "webfetch":
		in["url"], in["format"] = text, "text"
	case "todowrite":
		in["todos"] = []any{}
	default:
		in["pattern"] = text
	}
	return toolCall{tool: tool, input: in}
}

// TestForeignOpencode compares permctl, with opencode's rules imported, with what
// the real opencode lets a session do by the same files.
func TestForeignOpencode(t *testing.T) {
	program := findOpencode(t)
	d := rig{permctl: buildPermctl(t)}.newDesk(t, "")
	user, project := filepath.Join(d.home, ".config", "opencode", "opencode.json"), filepath.Join(d.workspace, "opencode.jsonc")
	write(t, user, openCodeUser)
	write(t, project, strings.ReplaceAll(openCodeProject, "HOME", d.home))
	for _, name := range []string{"a.go", ".env", "prod.env", ".env.example", "docs/a.md", "docs/index.md", "sub/secret.txt", "src/a.go"} {
		write(t, filepath.Join(d.workspace, name), "x\n")
	}
	for _, name := range []string{"shared/a.txt", "other/a.txt"} {
		write(t, filepath.Join(d.home, name), "x\n")
	}
	i := d.imports(t, "opencode", user, project)
	rows := []struct {
		tool, text string

		// stricter is what permctl says where that is stricter.
		stricter permission.Action
	}{
		{tool: "bash", text: "git status"},
		{tool: "bash", text: "git stash list"},
		{tool: "bash", text: "git log --oneline"},
		{tool: "bash", text: "git tag"},
		{tool: "bash", text: "git tag -l"},
		{tool: "bash", text: "git push"},
		{tool: "bash", text: "git push --dry-run nowhere"},
		{tool: "bash", text: "npm run test"},
		{tool: "bash", text: "npm run tests"},
		{tool: "bash", text: "true"},
		{tool: "bash", text: "git --version"},
		{tool: "bash", text: "printf x"},
		{tool: "bash", text: "echo no"},
		{tool: "bash", text: "echo ok then"},
		{tool: "bash", text: "cat a.go"},
		{tool: "bash", text: "printf x && git status"},
		{tool: "bash", text: "printf x && true"},
		{tool: "bash", text: "true; git push"},
		{tool: "bash", text: "printf x | git status"},
		{tool: "bash", text: "printf $(git push)"},
		{tool: "bash", text: "FOO=1 git status"},
		{tool: "bash", text: "timeout 5 git status"},
		{tool: "bash", text: "git -C . status"},
		{tool: "bash", text: "git  status"},
		{tool: "bash", text: `git "status"`},
		{tool: "bash", text: "command git status"},
		{tool: "bash", text: "sh -c 'git status'"},
		{tool: "bash", text: "cd src && printf x"},
		{tool: "bash", text: "printf x > out.txt"},
		{tool: "bash", text: "time git status"},
		{tool: "bash", text: "time git tag -l", stricter: permission.Ask}, // permctl has a rule for what time runs, too
		{tool: "bash", text: "time printf no"},
		{tool: "bash", text: "time -p printf no"},
		{tool: "bash", text: "printf x && time printf no"},
		{tool: "bash", text: "! time printf no"},
		{tool: "bash", text: "time (printf no)"},
		{tool: "bash", text: "printf x <<EOF\nDROP TABLE x\nEOF"},
		{tool: "bash", text: "printf x <<EOF\ny\nEOF"},
		{tool: "bash", text: "printf x <<EOF | git status\nDROP TABLE x\nEOF"},
		{tool: "bash", text: "printf x <<EOF\ny\nEOF\ngit status"},
		{tool: "read", text: "a.go"},
		{tool: "read", text: ".env"},
		{tool: "read", text: "prod.env"},
		{tool: "read", text: ".env.example"},
		{tool: "read", text: "docs/a.md"},
		{tool: "read", text: "docs/index.md"},
		{tool: "read", text: "sub/secret.txt"},
		{tool: "read", text: "HOME/shared/a.txt"},
		{tool: "read", text: "HOME/other/a.txt"},
		{tool: "read", text: "/srv/a.txt"},
		{tool: "write", text: "b.go"},
		{tool: "write", text: "7"},
		{tool: "write", text: "go.lock"},
		{tool: "write", text: "src/b.go"},
		{tool: "write", text: "src/free/b.go"},
		{tool: "write", text: "src/free/b.md"},
		{tool: "grep", text: "func"},
		{tool: "grep", text: "the password"},
		{tool: "glob", text: "**/*.go"},
		{tool: "glob", text: "**/*.pem"},
		{tool: "webfetch", text: "http://127.0.0.1:9/"},
	}
	script := make([]toolCall, len(rows))
	for n, r := range rows {
		text := r.text
		if r.tool != "bash" {
			text = strings.ReplaceAll(text, "HOME", d.home)
			if r.tool == "read" || r.tool == "write" {
				text = d.absolute(text)
			}
		}
		script[n] = openCodeCall(r.tool, text)
	}
	m := newModel(t, script)
	d.runOpencode(t, program, m)
	for n, said := range i.decide(t, script) {
		r := rows[n]
		told, ran := m.result(n)
		if !ran {
			t.Fatalf("%s %s: opencode did not come so far", r.tool, r.text)
		}
		want := openCodeSaid(told)
		if r.stricter != "" {
			if permission.Strictest(want, r.stricter) == want {
				t.Errorf("%s %s: opencode says %s, which %s is not stricter than", r.tool, r.text, want, r.stricter)
			}
			want = r.stricter
		}
		if said.Action != want {
			t.Errorf("%s %s: permctl says %s (%s), want %s: %.200s", r.tool, r.text, said.Action, said.Reason, want, told)
		}
	}
	t.Logf("%d calls", len(rows))
}

func (d *desk) absolute(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(d.workspace, name)
}

// openCodeSaid returns what opencode has decided, by what it tells the model.
func openCodeSaid(told string) permission.Action {
	switch {
	case strings.Contains(told, "specified a rule which prevents you"), strings.Contains(told, "unavailable tool"):
		return permission.Deny
	case strings.Contains(told, "rejected permission"):
		return permission.Ask
	}
	return permission.Allow
}

// runOpencode runs a session of opencode with a model and nobody to ask. It goes on
// when it is refused something.
func (d *desk) runOpencode(t *testing.T, program string, m *model) {
	t.Helper()
	settings, err := json.Marshal(map[string]any{
		"model": "scripted/m", "small_model": "scripted/m", "experimental": map[string]any{"continue_loop_on_deny": true},
		"provider": map[string]any{"scripted": map[string]any{
			"npm": "@ai-sdk/anthropic", "models": map[string]any{"m": map[string]any{}},
			"options": map[string]any{"baseURL": m.url + "/v1", "apiKey": "none"},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "run", "go on", "--print-logs")
	cmd.Dir, cmd.WaitDelay = d.workspace, 5*time.Second
	cmd.Env = append(d.environment(), "XDG_DATA_HOME="+filepath.Join(d.home, ".local", "share"), "XDG_CACHE_HOME="+filepath.Join(d.home, ".cache"),
		"OPENCODE_CONFIG_CONTENT="+string(settings), "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "npm_config_fetch_retries=0")
	output(t, cmd)
}
