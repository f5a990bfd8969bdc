//go:build e2e

package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
)

// prompting returns a session in which Claude Code asks an MCP server, which is
// program, where it would else ask a person.
func (d *desk) prompting(ctx context.Context, t *testing.T, m *model, program string) *exec.Cmd {
	t.Helper()
	config, err := json.Marshal(object{"mcpServers": object{"permctl": object{"command": program, "args": []string{"mcp"}}}})
	if err != nil {
		t.Fatal(err)
	}
	cmd := d.command(ctx, m, "-p", "go on", "--output-format", "json",
		"--permission-prompt-tool", "mcp__permctl__approve", "--strict-mcp-config", "--mcp-config", string(config))
	cmd.Env = append(cmd.Env, "MCP_TIMEOUT=3000", "MCP_TOOL_TIMEOUT=8000")
	return cmd
}

// runPrompting runs such a session, which need not end well, and returns what it
// prints.
func (d *desk) runPrompting(t *testing.T, m *model, program string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), sessionTime)
	defer cancel()
	text, err := d.prompting(ctx, t, m, program).CombinedOutput()
	return fmt.Sprintf("%s (%v)", text, err)
}

// TestPrompts has the real Claude Code ask permctl mcp for permission.
func TestPrompts(t *testing.T) {
	rig := rig{claude: findClaude(t), permctl: buildPermctl(t)}
	fmt.Fprintln(t.Output(), "Claude Code", output(t, exec.CommandContext(t.Context(), rig.claude, "--version")))
	t.Run("rules", rig.promptRules)
	t.Run("person", rig.promptPerson)
	t.Run("broken", rig.promptBroken)
	t.Run("without a server", rig.promptNobody)
}

// promptRules: what a rule allows runs, and nothing else does of what Claude Code
// asks about. What it does not ask about runs.
func (r rig) promptRules(t *testing.T) {
	d := r.newDesk(t, settings)
	steps := []step{
		bash("allowed", granted),
		bash("denied", refused("mkdir denied")),
		bash("asked", asked("mkdir asked")),
		bash("unnamed", want{rule: "none", told: "no rule allows it"}),
		d.create("notes/allowed-new.md", granted),
		d.create("notes/denied-new.md", refused("notes/denied*")),
		d.create("notes/asked-new.md", asked("notes/asked*")),
		d.read("notes/allowed.md"),
		d.change("notes/allowed.md", granted),
		d.read("notes/denied.md"),
		d.change("notes/denied.md", refused("notes/denied*")),
	}
	m := newModel(t, script(steps))
	said := d.runPrompting(t, m, r.permctl)
	d.review(t, m, steps)
	if t.Failed() {
		t.Log(said)
	}
}

// promptPerson: what a person allows with permctl reply runs, and what nobody allows
// does not.
func (r rig) promptPerson(t *testing.T) {
	d := r.newDesk(t, settings)
	d.attend(t)
	steps := []step{
		bash("asked", answered),
		d.create("notes/asked-new.md", want{rule: "ask", told: "write it yourself"}),
		bash("denied", refused("mkdir denied")),
	}
	m := newModel(t, script(steps))
	ctx, cancel := context.WithTimeout(t.Context(), sessionTime)
	defer cancel()
	cmd := d.prompting(ctx, t, m, r.permctl)
	ended := make(chan string, 1)
	go func() {
		text, err := cmd.CombinedOutput()
		ended <- fmt.Sprintf("%s (%v)", text, err)
	}()
	d.replies(ctx, t, "mkdir asked", "once")
	d.replies(ctx, t, "asked-new.md", "reject", "-m", "write it yourself")
	said := <-ended
	d.review(t, m, steps)
	if t.Failed() {
		t.Log(said)
	}
}

// attend starts a daemon that has a person to ask.
func (d *desk) attend(t *testing.T) {
	t.Helper()
	run := func(args ...string) {
		cmd := exec.CommandContext(context.WithoutCancel(t.Context()), d.permctl, args...)
		cmd.Dir, cmd.Env = d.home, d.environment()
		output(t, cmd)
	}
	run("serve", "--background", "--attended")
	t.Cleanup(func() { run("stop") })
}

// replies waits until a call waits that is about a text, and answers it by permctl
// reply.
func (d *desk) replies(ctx context.Context, t *testing.T, about string, reply ...string) {
	t.Helper()
	c, err := client.Dial(filepath.Join(d.home, ".local", "state", "permctl", api.Socket))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for {
		waiting, err := c.Pending(ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		if len(waiting) == 0 {
			select {
			case <-ctx.Done():
				t.Fatalf("nothing waits about %s", about)
			case <-time.After(20 * time.Millisecond):
			}
			continue
		}
		if !strings.Contains(waiting[0].Title, about) {
			t.Fatalf("what waits is %s, want %s", waiting[0].Title, about)
		}
		cmd := exec.CommandContext(ctx, d.permctl, append([]string{"reply", waiting[0].ID}, reply...)...)
		cmd.Dir, cmd.Env = d.home, d.environment()
		output(t, cmd)
		return
	}
}

// promptBroken: with settings or a policy that cannot be read, nothing runs, and the
// model is told where they are wrong.
func (r rig) promptBroken(t *testing.T) {
	d := r.newDesk(t, strings.Replace(settings, ": allow", ": alow", 1))
	steps := []step{
		bash("allowed", refused("mkdir allowed")),
		d.create("notes/allowed-new.md", want{rule: "deny", told: `"alow"`}),
	}
	m := newModel(t, script(steps))
	d.runPrompting(t, m, r.permctl)
	d.review(t, m, steps)

	d = r.newDesk(t, settings)
	write(t, filepath.Join(d.home, ".config", "permctl", "policy", "broken.rego"), "package org.broken\n\ndeny contains x\n")
	steps = []step{bash("allowed", want{rule: "deny", told: "broken.rego"})}
	m = newModel(t, script(steps))
	d.runPrompting(t, m, r.permctl)
	d.review(t, m, steps)
}

// greets returns a server that says what it has, and does something at each call.
func greets(calls string) string { return strings.Replace(greeting, "THIS", calls, 1) }

const greeting = `while read -r line; do
	id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
	case $line in
	*'"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"permctl","version":"1"}}}' ;;
	*'"tools/list"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"tools":[{"name":"approve","inputSchema":{"type":"object"}}]}}' ;;
	*'"tools/call"'*) THIS ;;
	esac
done`

// promptNobody: without a server that answers, nothing runs that Claude Code asks
// about. One that allows all shows that the others might have been heard.
func (r rig) promptNobody(t *testing.T) {
	answer := func(result string) string {
		return `echo '{"jsonrpc":"2.0","id":'$id',` + result + `}'`
	}
	for name, tt := range map[string]struct{ program, says string }{
		"allows all":        {pretend(t, greets(answer(`"result":{"content":[{"type":"text","text":"{\"behavior\":\"allow\",\"updatedInput\":{\"command\":\"mkdir allowed\"}}"}]}`))), ""},
		"is gone":           {filepath.Join(t.TempDir(), "permctl"), "not found"},
		"ends":              {pretend(t, "exit 1"), "not found"},
		"hangs":             {pretend(t, "exec sleep 600"), "not found"},
		"says rubbish":      {pretend(t, "echo allow; exec cat"), "not found"},
		"ends at a call":    {pretend(t, greets("exit 1")), "Connection closed"},
		"crashes at a call": {pretend(t, greets("kill -SEGV $$")), "Connection closed"},
		"hangs at a call":   {pretend(t, greets("exec sleep 600")), "timed out"},
		"answers rubbish":   {pretend(t, greets(answer(`"result":{"content":[{"type":"text","text":"allow"}]}`))), "Error calling tool|invalid permission result"},
		"answers nothing":   {pretend(t, greets(answer(`"result":{"content":[]}`))), "invalid result"},
		"answers an error":  {pretend(t, greets(answer(`"error":{"code":-32603,"message":"allow"}`))), "Error calling tool"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := r.newDesk(t, settings)
			one := bash("allowed", want{runs: tt.says == ""})
			m := newModel(t, script([]step{one}))
			said := d.runPrompting(t, m, tt.program)
			told, _ := m.result(0)
			if ran := d.ran(one); ran != one.want.runs || !regexp.MustCompile(tt.says).MatchString(said+told) {
				t.Errorf("the call %s; Claude Code says %s, and the model is told %s", outcome(ran), said, told)
			}
			fmt.Fprintf(t.Output(), "a server that %s: the call %s, and the model is told %s\n", name, outcome(d.ran(one)), d.short(told))
		})
	}
}
