//go:build e2e

package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
)

// waitingSettings are the rules of sessions in which a person has to be asked.
const waitingSettings = `permission:
  bash:
    "*": ask
    "mv *": allow
    "./helper *": allow
    "./peek *": allow
`

// An office is where an agent works under the eyes of a person, who has the
// console in the browser.
type office struct {
	*desk
	*tab
}

// An opener opens an address in a tab of its own.
type opener func(t *testing.T, address string) *tab

// newOpener starts the browser.
func newOpener(t *testing.T) opener {
	t.Helper()
	ctx := browser(t)
	return func(t *testing.T, address string) *tab {
		t.Helper()
		return show(ctx, t, nil, address, 3*time.Minute)
	}
}

// serve starts a daemon, and opens its console.
func (d *desk) serve(t *testing.T, open opener) *office {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), d.permctl, "serve", "--listen", "127.0.0.1:0")
	cmd.Dir, cmd.Env, cmd.Stderr = d.home, d.environment(), t.Output()
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 15 * time.Second
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // it is told to end when the test does
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatalf("the daemon does not start: %q, %v", line, err)
	}
	c, err := client.Dial(filepath.Join(d.home, ".local", "state", "permctl", api.Socket))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	console, err := c.Console(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tb := open(t, console)
	tb.wait(`document.querySelector("#state").textContent === "live"`)
	return &office{d, tb}
}

// card waits until the console shows a command, and returns the selector of its
// card and its id.
func (o *office) card(command string) (selector, id string) {
	o.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll(".card")].find((card) => card.querySelector("pre").textContent === %q)`, command)
	o.waitFor(find+" !== undefined", time.Minute)
	id = o.eval(find + ".dataset.id").(string)
	return card(id), id
}

// once allows a command once, always for good, and reject not at all.
func (o *office) once(command string) {
	o.Helper()
	selector, _ := o.card(command)
	o.click(selector + " button.once")
}

func (o *office) always(command, pattern string) {
	o.Helper()
	selector, _ := o.card(command)
	o.click(selector + " button.always")
	if got := o.text(selector + " .offers"); !strings.Contains(got, pattern) {
		o.Errorf("of %s, always offers %s, want %s", command, got, pattern)
	}
	o.click(selector + " .offers button.once")
}

func (o *office) reject(command, message string) {
	o.Helper()
	selector, _ := o.card(command)
	o.run(chromedp.SendKeys(chromedp.CSS(selector+" input"), message))
	o.click(selector + " button.reject")
}

// replies answers a command by permctl reply, as from a terminal of the person's.
func (o *office) replies(command string) {
	o.Helper()
	_, id := o.card(command)
	cmd := exec.CommandContext(o.ctx, o.permctl, "reply", id, "once")
	cmd.Dir, cmd.Env = o.home, o.environment()
	if said := output(o.T, cmd); !strings.HasPrefix(said, id+": once") {
		o.Errorf("permctl reply says %s", said)
	}
	o.wait(fmt.Sprintf(`document.querySelector("#log").innerText.includes(%q)`, "permctl reply"))
}

// A starter returns a session of an agent that talks to a model, to be started.
type starter func(ctx context.Context, m *model) *exec.Cmd

// work runs a session while the person does something, and reviews it.
func (o *office) work(start starter, steps []step, person func()) {
	o.Helper()
	m := newModel(o.T, script(steps))
	ctx, cancel := context.WithTimeout(o.ctx, sessionTime)
	defer cancel()
	cmd := start(ctx, m)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		o.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	o.Cleanup(func() {
		if o.Failed() {
			fmt.Fprintf(o.Output(), "the agent says:\n%s\n", &out)
		}
	})
	person()
	if err := <-ended; err != nil {
		o.Errorf("%s: %v", cmd, err)
	}
	o.review(o.T, m, steps)
}

// wantDecisions compares what the daemon has decided of a command, oldest first:
// each is the answer, and what a person replied.
func (o *office) wantDecisions(command string, want ...string) {
	o.Helper()
	c, err := client.Dial(filepath.Join(o.home, ".local", "state", "permctl", api.Socket))
	if err != nil {
		o.Fatal(err)
	}
	defer c.Close()
	records, err := c.Decisions(o.ctx, api.RecordQuery{Text: command, Limit: 100})
	if err != nil {
		o.Fatal(err)
	}
	var got []string
	for _, r := range slices.Backward(records) {
		word := api.Word("")
		if r.Reply != nil {
			word = r.Reply.Reply
		}
		if r.Title == command {
			got = append(got, strings.TrimSpace(string(r.Action)+" "+string(word)))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		o.Errorf("what is decided of %s (-want +got):\n%s", command, diff)
	}
}

// shellStep is a step that makes a file or directory.
func shellStep(tool, command, made string, w want) step {
	return step{call: toolCall{tool: tool, input: map[string]any{"command": command, "description": "Do it"}}, want: w, made: made}
}

// TestApproval has people approve what real agents ask for.
func TestApproval(t *testing.T) {
	open := newOpener(t)
	permctl := buildPermctl(t)
	t.Run("Claude Code", func(t *testing.T) {
		rig := rig{claude: findClaude(t), permctl: permctl}
		fmt.Fprintln(t.Output(), "Claude Code", output(t, exec.CommandContext(t.Context(), rig.claude, "--version")))
		o := rig.claudeDesk(t, waitingSettings).serve(t, open)
		start := func(ctx context.Context, m *model) *exec.Cmd {
			return o.command(ctx, m, "-p", "go on", "--output-format", "json")
		}
		o.approves(start, "Bash")
		o.guards(start)
	})
	t.Run("opencode", func(t *testing.T) {
		program := findOpencode(t)
		fmt.Fprintln(t.Output(), "opencode", output(t, exec.CommandContext(t.Context(), program, "--version")))
		o := rig{permctl: permctl}.newDesk(t, waitingSettings).serve(t, open)
		o.install(t, "opencode")
		o.approves(func(ctx context.Context, m *model) *exec.Cmd { return o.opencode(ctx, t, program, m, "allow") }, "bash")
	})
}

// approves has a person answer in all ways.
func (o *office) approves(start starter, tool string) {
	steps := []step{
		shellStep(tool, "mkdir once", "once", answered),
		shellStep(tool, "touch always", "first", answered),
		shellStep(tool, "mv always first", "first", granted),
		shellStep(tool, "touch always", "always", granted),
		shellStep(tool, "mkdir rejected", "rejected", want{rule: "ask", told: "make it below build"}),
		shellStep(tool, "mkdir replied", "replied", answered),
		shellStep(tool, "./peek", "peeked", granted),
	}
	o.script("peek", "#!/bin/sh\npermctl status --console > peeked 2>&1\nexit 0\n")
	o.work(start, steps, func() {
		o.once("mkdir once")
		o.always("touch always", "touch *")
		o.reject("mkdir rejected", "make it below build")
		o.replies("mkdir replied")
	})
	o.wantDecisions("mkdir once", "allow once")
	o.wantDecisions("touch always", "allow always", "allow")
	o.wantDecisions("mkdir rejected", "deny reject")
	o.wantDecisions("mkdir replied", "allow once")
	if got := o.awaitFile("peeked"); !strings.Contains(got, "no agent answers") {
		o.Errorf("a script of the agent's that wants the console's address is told: %s", got)
	}
}

// script writes a program into the workspace, of which the rules know the name
// alone.
func (o *office) script(name, text string) {
	o.Helper()
	if err := os.WriteFile(filepath.Join(o.workspace, name), []byte(text), 0o700); err != nil {
		o.Fatal(err)
	}
}

// helper is a script that waits for what its agent asks, and tries to allow it.
const helper = `#!/bin/sh
for i in $(seq 600); do
	permctl reply - once > said 2>&1
	grep -q 'nothing waits' said || break
	sleep 0.1
done
id=$(permctl pending --json | grep -o 'per_[0-9A-Za-z]*' | head -n 1)
for path in "v1/pending/$id/reply" "permission/$id/reply"; do
	curl -sS --unix-socket "$XDG_STATE_HOME/permctl/permctl.sock" -H 'Content-Type: application/json' \
		-d '{"reply": "once"}' "http://permctl/$path" >> said 2>&1
done
mv said helped
`

// guards has the agent try to answer its own asks.
func (o *office) guards(start starter) {
	o.script("helper", helper)
	background := shellStep("Bash", "./helper", "helper", granted)
	background.call.input["run_in_background"] = true
	steps := []step{
		shellStep("Bash", "permctl reply - once; mkdir self", "self", want{rule: "deny", told: "is for a person to run"}),
		shellStep("Bash", "curl --unix-socket ~/.local/state/permctl/permctl.sock http://x/v1/pending; mkdir self", "self", want{rule: "deny", told: "permctl's daemon"}),
		background,
		shellStep("Bash", "mkdir helped-itself", "helped-itself", want{rule: "ask", told: "no"}),
	}
	o.work(start, steps, func() {
		o.card("mkdir helped-itself")
		said := o.awaitFile("helped")
		if got := strings.Count(said, "no agent answers"); got != 3 {
			o.Errorf("the helper is told:\n%s", said)
		}
		o.reject("mkdir helped-itself", "no")
	})
}

// awaitFile waits for a file in the workspace, and returns what is in it.
func (o *office) awaitFile(name string) string {
	o.Helper()
	limit := time.After(30 * time.Second)
	for {
		text, err := os.ReadFile(filepath.Join(o.workspace, name))
		if err == nil {
			return string(text)
		}
		select {
		case <-limit:
			o.Fatal(err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
