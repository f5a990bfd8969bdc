//go:build stock

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// TestStock holds that stock OPA, with the shipped policy, "permctl rules
// --data" and what "permctl parse" prints, decides as "permctl check" does.
func TestStock(t *testing.T) {
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "permctl")
	execute(t, ".", nil, "go", "build", "-o", program, ".")
	version := strings.TrimSpace(string(execute(t, ".", nil, "go", "list", "-m", "-f", "{{.Version}}", "github.com/open-policy-agent/opa")))
	calls := readCalls(t)
	for _, tt := range []struct{ name, settings, policy string }{
		{"no settings", "", ""},
		{"careful", "permissionPreset: careful\npermission:\n  bash:\n    \"git *\": allow\n    \"git push *\": ask\n    \"git push --force *\": deny\n    \"rm -rf *\": deny\n", ""},
		{"rules and policy", "permission:\n  \"*\": ask\n  bash: allow\n  read: {\"*\": allow, \"*.env\": deny}\n  webfetch: {\"*\": deny, \"https://github.com*\": allow}\n",
			"package org.team\ndeny contains {\"reason\": \"no force\", \"target\": c.text} if {\n\tsome c in input.commands\n\t\"--force\" in c.options\n}\nask contains \"outside\" if {\n\tsome p in input.paths\n\tnot p.inside\n}\nfloors := [{\"permission\": \"edit\", \"pattern\": \"*.go\", \"action\": \"ask\", \"reason\": \"reviewed\"}]\n"},
		{"plan", "permissionPreset: plan\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home, work := t.TempDir(), t.TempDir()
			put(t, filepath.Join(home, ".config", "permctl", "settings.yaml"), tt.settings)
			data := []string{"-d", filepath.Join(root, "policy"), "-d", filepath.Join(home, "data.json")}
			if tt.policy != "" {
				put(t, filepath.Join(home, ".config", "permctl", "policy", "team.rego"), tt.policy)
				data = append(data, "-d", filepath.Join(home, ".config", "permctl", "policy"))
			}
			env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
			own := func(stdin []byte, args ...string) []byte { return executeIn(t, work, env, stdin, program, args...) }
			put(t, filepath.Join(home, "data.json"), string(own(nil, "rules", "--data")))

			var documents []json.RawMessage
			var lines bytes.Buffer
			for _, call := range calls {
				call.Cwd = work
				line, err := json.Marshal(call)
				if err != nil {
					t.Fatal(err)
				}
				documents = append(documents, own(line, "parse"))
				fmt.Fprintf(&lines, "%s\n", line)
			}
			want := actions(t, own(lines.Bytes(), "check", "--batch"))
			in, err := json.Marshal(documents)
			if err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(home, "input.json"), string(in))
			args := append([]string{"run", "github.com/open-policy-agent/opa@" + version, "eval", "--strict-builtin-errors", "-f", "raw", "-i", filepath.Join(home, "input.json")}, data...)
			out := execute(t, ".", nil, "go", append(args, "[action | some doc in input; action := data.policy.decision.action with input as doc]")...)
			var got []permission.Action
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			counts := map[permission.Action]int{}
			for i, call := range calls {
				counts[want[i]]++
				if i >= len(got) || got[i] != want[i] {
					t.Errorf("%s %v: stock OPA says %v, permctl %s", call.Tool, call.Input, got[min(i, len(got)-1)], want[i])
				}
			}
			t.Logf("%d calls decided alike: %v", len(calls), counts)
		})
	}
}

func readCalls(t *testing.T) []input.Call {
	text, err := os.ReadFile("testdata/calls.txt")
	if err != nil {
		t.Fatal(err)
	}
	var calls []input.Call
	for line := range strings.Lines(string(text)) {
		tool, argument, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		call, err := input.FromArgument(tool, argument)
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, call)
	}
	return calls
}

func actions(t *testing.T, lines []byte) []permission.Action {
	var made []permission.Action
	for line := range bytes.Lines(lines) {
		var d permission.Decision
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		made = append(made, d.Action)
	}
	return made
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func execute(t *testing.T, dir string, env []string, name string, args ...string) []byte {
	t.Helper()
	return executeIn(t, dir, env, nil, name, args...)
}

func executeIn(t *testing.T, dir string, env []string, stdin []byte, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, env, bytes.NewReader(stdin)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, problems.Bytes())
	}
	return out
}
