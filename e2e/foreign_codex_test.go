//go:build e2e

package e2e_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/permission"
)

// An importing is permctl with the rules of an agent in force.
type importing struct {
	*desk

	dir string // of what was imported
}

// imports has permctl import an agent's files, and test what comes of it.
func (d *desk) imports(t *testing.T, agent string, files ...string) *importing {
	t.Helper()
	i := &importing{d, filepath.Join(d.home, "imported")}
	t.Log(i.run(t, nil, append([]string{"import", agent, "--output", i.dir}, files...)...))
	i.run(t, nil, "test", i.dir)
	return i
}

func (i *importing) run(t *testing.T, stdin []byte, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), i.permctl, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = i.workspace, i.environment(), bytes.NewReader(stdin)
	return output(t, cmd)
}

// A decision is what permctl says of a call.
type decision struct {
	Action permission.Action
	Reason string
}

// decide returns permctl's decisions on calls.
func (i *importing) decide(t *testing.T, calls []toolCall) []decision {
	t.Helper()
	var lines bytes.Buffer
	for _, c := range calls {
		text, err := json.Marshal(map[string]any{"tool": c.tool, "input": c.input, "cwd": i.workspace})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(text, '\n'))
	}
	out := i.run(t, lines.Bytes(), "check", "--batch", "--json", "--global-settings", filepath.Join(i.dir, "settings.yaml"), "--policy", filepath.Join(i.dir, "policy"))
	said := strings.Split(out, "\n")
	if len(said) != len(calls) {
		t.Fatalf("%d calls and %d decisions: %s", len(calls), len(said), out)
	}
	made := make([]decision, len(calls))
	for n, line := range said {
		if err := json.Unmarshal([]byte(line), &made[n]); err != nil || made[n].Action == "" {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return made
}

const codexRules = `prefix_rule(pattern = ["git", ["status", "log"]], match = ["git status -s"], not_match = ["git push"])
prefix_rule(pattern = ["git", ["push", "fetch"]], decision = "prompt", justification = "talks to the server")
prefix_rule(pattern = ["git", "push", "--force"], decision = "forbidden")
prefix_rule(pattern = ["git", "push", "--dry-run"])
[prefix_rule(pattern = ["go", tool]) for tool in ["test", "vet"]]
prefix_rule(pattern = ["npm", "run", ["build", "lint"]])
prefix_rule(pattern = ["npm"], decision = "prompt")
prefix_rule(pattern = ["pnpm", ["run", "exec"], "lint"])
prefix_rule(pattern = ["make"])
prefix_rule(pattern = ["make", "deploy"], decision = "forbidden", justification = "only from CI")
prefix_rule(pattern = ["say", "a b"])
prefix_rule(pattern = ["say", "a*"])
prefix_rule(pattern = ["say", "-n", ""], decision = "forbidden")
prefix_rule(pattern = ["/opt/tool", "run"])
prefix_rule(pattern = ["kubectl", "get"])
prefix_rule(pattern = ["kubectl", ["delete", "drain"]], decision = "forbidden")
prefix_rule(pattern = [["rm", "rmdir"]], decision = "prompt")
prefix_rule(pattern = ["curl"], decision = "forbidden")
prefix_rule(pattern = ["timeout", "60", "go", "test"])
prefix_rule(pattern = ["sudo"], decision = "prompt")
host_executable(name = "git", paths = ["/usr/bin/git", "/usr/local/bin/git"])
network_rule(host = "api.example.com", protocol = "https", decision = "allow")
`

// TestForeignCodex compares permctl, with Codex's rules imported, with what codex
// execpolicy check says by the same file.
func TestForeignCodex(t *testing.T) {
	codex := findAgent(t, "codex", "@openai/codex@0.171.0", "")
	d := rig{permctl: buildPermctl(t)}.newDesk(t, "")
	rules := filepath.Join(d.home, "default.rules")
	write(t, rules, codexRules)
	i := d.imports(t, "codex", rules)
	rows := []struct {
		command string

		// stricter is what permctl says where that is stricter, and reads is whether
		// it is allowed though no rule names it, for it only reads.
		stricter permission.Action
		reads    bool
	}{
		{command: "git status"},
		{command: "git status -s src"},
		{command: "git log --oneline"},
		{command: "git log 'a b'"},
		{command: "git stash"},
		{command: "git"},
		{command: "git 'status -s'"},
		{command: "git statuses"},
		{command: "git -C sub status"},
		{command: "git push"},
		{command: "git fetch --all"},
		{command: "git push origin main"},
		{command: "git push --force"},
		{command: "git push --force origin"},
		{command: "git push --forceful"},
		{command: "git push origin --force", stricter: permission.Deny}, // wherever the option stands
		{command: "git push --dry-run origin"},
		{command: "go test ./..."},
		{command: "go vet ./..."},
		{command: "go build ./..."},
		{command: "go"},
		{command: "npm run build"},
		{command: "npm run lint"},
		{command: "npm install"},
		{command: "npm"},
		{command: "pnpm run lint"},
		{command: "pnpm exec lint --fix", stricter: permission.Ask}, // permctl sees what it runs
		{command: "pnpm run build"},
		{command: "make"},
		{command: "make build"},
		{command: "make deploy"},
		{command: "make deploy now"},
		{command: "make build deploy"},
		{command: "say 'a b'"},
		{command: "say a b"},
		{command: "say 'a*'"},
		{command: "say ab"},
		{command: "say -n ''"},
		{command: "say -n"},
		{command: "/opt/tool run x", stricter: permission.Ask}, // it lies outside
		{command: "tool run x"},
		{command: "/opt/tool stop"},
		{command: "kubectl get pods"},
		{command: "kubectl delete pod x"},
		{command: "kubectl describe pod x"},
		{command: "rm x"},
		{command: "rmdir x"},
		{command: "rmx"},
		{command: "curl https://example.com/"},
		{command: "curly"},
		{command: "timeout 60 go test ./..."},
		{command: "timeout 5 go test ./..."},
		{command: "sudo git status"},
		{command: "sudo make deploy", stricter: permission.Deny}, // permctl sees what it runs
		{command: "/usr/bin/git status"},
		{command: "/usr/local/bin/git push --force"},
		{command: "/usr/bin/curl x"},
		{command: "/usr/bin/go test", stricter: permission.Ask}, // no file says that go is there
		{command: "bash -lc 'git status'"},
		{command: "sh -c 'curl x'", stricter: permission.Deny},
		{command: "ls -la", reads: true},
		{command: "cat a.go", reads: true},
		{command: "python3 x.py"},
		{command: "git status && go test ./..."},
		{command: "git status && make deploy"},
		{command: "go test ./... | tee log"},
		{command: "make || npm install"},
		{command: "git status; curl x; make"},
	}
	calls := make([]toolCall, len(rows))
	for n, r := range rows {
		calls[n] = toolCall{tool: "bash", input: map[string]any{"command": r.command}}
	}
	asked := 0
	for n, said := range i.decide(t, calls) {
		r, named := rows[n], true
		want := permission.Allow
		for _, part := range regexp.MustCompile(` (?:&&|\|\||\|) |; `).Split(r.command, -1) {
			action := i.codexSays(t, codex, rules, part)
			if action == "" {
				named, action = false, permission.Ask
			}
			want = permission.Strictest(want, action)
			asked++
		}
		if r.stricter != "" {
			if permission.Strictest(want, r.stricter) == want {
				t.Errorf("%s: Codex says %s, which %s is not stricter than", r.command, want, r.stricter)
			}
			want = r.stricter
		}
		if r.reads && !named {
			want = permission.Allow
		}
		if said.Action != want {
			t.Errorf("%s: permctl says %s (%s), want %s", r.command, said.Action, said.Reason, want)
		}
	}
	t.Logf("%d lines, %d commands", len(rows), asked)
}

// codexSays returns what Codex says of a command, or "" if no rule names it.
func (i *importing) codexSays(t *testing.T, codex, rules, command string) permission.Action {
	t.Helper()
	args := []string{"execpolicy", "check", "--resolve-host-executables", "--rules", rules, "--"}
	for _, word := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(command, -1) {
		args = append(args, strings.Trim(word, "'"))
	}
	cmd := exec.CommandContext(t.Context(), codex, args...)
	cmd.Dir, cmd.Env = i.workspace, i.environment()
	text, err := cmd.Output() // and a warning on standard error
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	var said struct{ Decision string }
	if err := json.Unmarshal(text, &said); err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	actions := map[string]permission.Action{"": "", "allow": permission.Allow, "prompt": permission.Ask, "forbidden": permission.Deny}
	action, known := actions[said.Decision]
	if !known {
		t.Fatalf("%s: Codex says %q", command, said.Decision)
	}
	return action
}
