package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/install"
	"github.com/permctl/permctl/internal/shim"
)

// call makes the dry call: the hook is run as the agent would, with a call that
// permctl denies whatever the rules, and its answer is read as the agent does.
func (p *patient) call(ctx context.Context, o *own) {
	payload, err := p.canary(o.Event)
	switch {
	case err != nil:
		p.blame(o, err.Error(), "")
		return
	case payload == nil:
		return
	}
	var told tale
	if p.habit.plugin {
		told = p.tellPlugin(ctx, o, payload)
	} else {
		told = p.tell(ctx, o, o.argv, payload, o.patience())
	}
	o.plugged, o.Call, o.Proven = told.plugin, told.effect, told.effect == hook.Blocked && denied(told.said...)
	switch {
	case told.effect != hook.Blocked:
		p.blame(o, fmt.Sprintf("a call that permctl denies %s: the hook %s", consequence(told.effect), told.how), "see what it says: "+p.shown(o))
	case !o.Proven && o.Counts:
		p.blame(o, "the hook blocks the dry call, but not because permctl has decided so: it "+told.how, "put right what it says")
	}
}

// shown returns what a person can run instead of a hook.
func (p *patient) shown(o *own) string {
	return "echo '{}' | " + joined([]string{o.Program, "hook", p.dialect.Name})
}

// consequence says what an effect means for a call.
func consequence(e hook.Effect) string {
	switch e {
	case hook.Blocked:
		return "is blocked"
	case hook.Asks:
		return "is the agent's own prompt's to decide"
	case hook.Granted:
		return "would run, and nobody would be asked"
	default:
		return "would go on as without a hook"
	}
}

// A tale is what came of running a hook.
type tale struct {
	effect hook.Effect
	said   []string // all that it wrote
	how    string   // it ended, for people: "did not end within 5s"
	plugin bool     // whether the agent's plugin was run
}

// patience returns how long the agent waits for a hook, or as long as doctor does.
func (o *own) patience() time.Duration {
	wait := time.Duration(o.Seconds * float64(time.Second))
	if wait <= 0 || wait > callTime {
		return callTime
	}
	return wait
}

// tell runs a hook's command, and tells what the agent does then.
func (p *patient) tell(ctx context.Context, o *own, argv []string, payload []byte, wait time.Duration) tale {
	outcome := p.m.Run(ctx, Process{Argv: argv, Dir: o.dir, Env: p.environ(), Stdin: payload, Time: wait})
	return tale{
		effect: p.dialect.Reads(payload, outcome, o.FailClosed),
		said:   []string{string(outcome.Stdout), outcome.Stderr},
		how:    ending(outcome, wait),
	}
}

// ending says how a program has ended.
func ending(o hook.Outcome, wait time.Duration) string {
	switch {
	case o.Missing:
		return "could not be started"
	case o.TimedOut:
		return fmt.Sprintf("did not end within %v", wait)
	}
	said := firstLine(o.Stderr)
	if said == "" {
		said = firstLine(string(o.Stdout))
	}
	if said == "" {
		return fmt.Sprintf("ended with status %d and said nothing", o.Status)
	}
	return fmt.Sprintf("ended with status %d and said: %s", o.Status, short(said))
}

// short returns the start of a text, if it is long.
func short(text string) string {
	const most = 300
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// environ returns the environment in which the agent starts its hook.
func (p *patient) environ() []string {
	var env []string
	for _, variable := range p.m.Environ {
		// doctor may have been started by an agent itself.
		if !strings.HasPrefix(variable, "CLAUDE_PROJECT_DIR=") {
			env = append(env, variable)
		}
	}
	for _, name := range p.habit.variables {
		env = append(env, name+"="+p.root())
	}
	return env
}

// driver runs a plugin in node as its agent would, and says what came of a call.
const driver = `import { pathToFileURL } from "node:url"
const [agent, file, text] = process.argv.slice(2)
const call = JSON.parse(text)
const say = (effect, reason) => process.stdout.write(JSON.stringify({ effect, reason: String(reason ?? "") }))
const plugin = await import(pathToFileURL(file))
if (agent === "opencode") {
  const hooks = await plugin.Permctl({ directory: call.directory, worktree: call.worktree })
  try {
    await hooks["tool.execute.before"](call.input, call.output)
    say("undecided")
  } catch (error) {
    say("blocked", error.message)
  }
} else {
  let handler
  plugin.default({ on: (event, f) => { if (event === "tool_call") handler = f } })
  const said = await handler(call.event, { cwd: call.cwd })
  said?.block ? say("blocked", said.reason) : say("undecided")
}
`

// tellPlugin makes the dry call by the plugin itself, which is as permctl writes it,
// if there is a node to run it. Otherwise it runs the program alone.
func (p *patient) tellPlugin(ctx context.Context, o *own, payload []byte) tale {
	text, err := shim.Text(p.Name, o.entry.Program)
	if err == nil {
		if told, ok := p.load(ctx, o, text, payload, callTime); ok {
			return told
		}
	}
	return p.tell(ctx, o, []string{o.Program, "hook", p.dialect.Name}, payload, callTime)
}

// load runs a plugin's text in node. It returns false if that cannot be done.
func (p *patient) load(ctx context.Context, o *own, text, payload []byte, wait time.Duration) (tale, bool) {
	node, err := p.m.LookPath("node")
	if err != nil {
		return tale{}, false
	}
	dir, err := os.MkdirTemp("", "permctl-doctor-")
	if err != nil {
		return tale{}, false
	}
	defer os.RemoveAll(dir)
	plugin, run := filepath.Join(dir, "plugin.mjs"), filepath.Join(dir, "driver.mjs")
	if os.WriteFile(plugin, text, 0o600) != nil || os.WriteFile(run, []byte(driver), 0o600) != nil {
		return tale{}, false
	}
	outcome := p.m.Run(ctx, Process{
		Argv: []string{node, run, p.Name, plugin, string(payload)}, Dir: o.dir, Env: p.environ(), Time: wait,
	})
	var said struct {
		Effect hook.Effect `json:"effect"`
		Reason string      `json:"reason"`
	}
	if outcome.TimedOut || json.Unmarshal(outcome.Stdout, &said) != nil || said.Effect == "" {
		return tale{}, false
	}
	return tale{effect: said.Effect, said: []string{said.Reason}, how: "said: " + short(firstLine(said.Reason)), plugin: true}, true
}

// cursorDir is the folder in which Cursor runs a hook.
func cursorDir(p *patient, e install.Entry) string {
	if e.Scope == install.User {
		return filepath.Dir(e.File)
	}
	return p.m.Places.Workspace
}
