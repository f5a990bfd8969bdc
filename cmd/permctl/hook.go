package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

func newHook(f *flags) *cobra.Command {
	var w waiting
	var event string
	var ownPrompt bool
	cmd := &cobra.Command{
		Use:   "hook AGENT",
		Short: "Answer an agent's hook",
		Long: `Reads the payload that an agent gives its hook on standard input, decides the
call in it, and answers in the agent's own dialect. Whatever fails is a refusal.

If a daemon runs (permctl serve), what has to be asked for waits there for a
person, as long as --wait says. Keep that below the time that the agent gives its
hooks. If nobody answers, or nobody listens, it is the agent's own prompt that
asks. What rules allow or deny, no daemon changes. Where an agent has no prompt of
its own, an ask is a deny.

permctl install AGENT makes it an agent's hook. The agents:

` + agentList() + `
An agent that runs the hooks in another's settings, as Cursor and Copilot do with
Claude Code's, is told from its payload, and answered in its own dialect.

  permctl hook claude < payload.json
  permctl hook --wait 20s --permission-preset careful codex`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return hintError{fmt.Errorf("hook takes the name of one agent, and not %d words", len(args)), "permctl hook claude"}
			}
			return nil
		},
		ValidArgs: agentNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			agent, err := agentOf(args[0], event, ownPrompt)
			if err != nil {
				return err
			}
			if f.home != "" && !filepath.IsAbs(f.home) {
				return hintError{fmt.Errorf("--home %s: is no absolute path", f.home), "give the whole path of your home, as in --home /home/ann"}
			}
			if agent.Patience > 0 && !cmd.Flags().Changed("wait") {
				w.person = min(w.person, max(agent.Patience-w.deadline-maxBegin-maxEnd, 0))
			}
			if err := w.check(); err != nil {
				return err
			}
			decide := func(ctx context.Context, call input.Call) (hook.Verdict, error) {
				return f.decide(ctx, agent, call, *w.socket, w.person)
			}
			answer := hook.Run(cmd.Context(), agent, cmd.InOrStdin(), decide, w.limits())
			if _, err := cmd.OutOrStdout().Write(answer.Stdout); err != nil {
				return err // the agent takes status 2 for a refusal too
			}
			if answer.Stderr != "" {
				fmt.Fprint(cmd.ErrOrStderr(), answer.Stderr)
			}
			f.settle()
			return end(answer.Status, nil)
		},
	}
	w.add(cmd)
	cmd.Flags().StringVar(&f.home, "home", "", "your settings and approvals are in the home `DIR`, whatever $HOME and $XDG_CONFIG_HOME say")
	cmd.Flags().BoolVar(&ownPrompt, "own-prompt", false, "for gemini: ask in its own prompt, although that lifts what its own policy denies")
	cmd.Flags().StringVar(&event, "event", "", "for copilot: the `EVENT`, preToolUse or permissionRequest, that payloads are of which do not name it")
	return cmd
}

// A waiting is where and how long an answer to an agent is waited for.
type waiting struct {
	socket   *string       // the daemon's
	person   time.Duration // for a person
	deadline time.Duration // for what rules decide
}

func (w *waiting) add(cmd *cobra.Command) {
	w.socket = socketFlag(cmd)
	cmd.Flags().DurationVar(&w.person, "wait", defaultWait, "wait `TIME` for a person, if a daemon runs that somebody listens to; 0 is not to wait")
	cmd.Flags().DurationVar(&w.deadline, "deadline", hook.DefaultDeadline, "refuse what is not decided after `TIME`")
}

func (w *waiting) check() error {
	if w.person < 0 {
		return hintError{fmt.Errorf("--wait %s: is no time to wait", w.person), "give it a time like 50s, or 0 for not at all"}
	}
	if w.deadline <= 0 {
		return hintError{fmt.Errorf("--deadline %s: is no time to decide in", w.deadline), "give it a time like 5s, or leave it out"}
	}
	return nil
}

func (w *waiting) limits() hook.Limits {
	return hook.Limits{Deadline: w.deadline, Wait: w.person + maxEnd}
}

// agentOf returns the agent called name: with payloads that do not name their event
// taken for those of event, and an ask in its own prompt, if that is wanted and can
// be had.
func agentOf(name, event string, ownPrompt bool) (*hook.Agent, error) {
	agent, err := hook.Find(name)
	if err != nil {
		return nil, err
	}
	if event != "" {
		if agent, err = agent.As(event); err != nil {
			return nil, hintError{fmt.Errorf("--event: %w", err), "leave the flag out"}
		}
	}
	if !ownPrompt {
		return agent, nil
	}
	asking, err := agent.OwnPrompt()
	if err != nil {
		return nil, hintError{fmt.Errorf("--own-prompt: %w", err), "leave the flag out"}
	}
	return asking, nil
}

// agentNames returns what the hook can be for, without other names of the same.
func agentNames() []string {
	var names []string
	for _, agent := range append(slices.Clone(hook.Agents), hook.Auto) {
		names = append(names, agent.Name)
	}
	return names
}

// agentList returns a line for each of agentNames.
func agentList() string {
	var list strings.Builder
	for _, agent := range hook.Agents {
		fmt.Fprintf(&list, "  %-10s %s", agent.Name, agent.Title())
		if len(agent.Aliases) > 0 {
			fmt.Fprintf(&list, " (or %s)", strings.Join(agent.Aliases, ", "))
		}
		list.WriteString("\n")
	}
	fmt.Fprintf(&list, "  %-10s whichever of them the payload tells that it is from\n", hook.Auto.Name)
	return list.String()
}

// projectDir returns the folder of the project that the agent was started in, or "" if
// it does not say. What other agents say, in one of which it may have been started,
// does not count.
func projectDir(agent *hook.Agent) string {
	if agent != hook.Auto {
		return os.Getenv(agent.Project)
	}
	for _, agent := range hook.Agents {
		if dir := os.Getenv(agent.Project); dir != "" {
			return dir
		}
	}
	return ""
}

// decide decides a call. What is allowed or denied here stays so; only of what is
// to be asked for a daemon has a say. The workspace is that of the project the
// agent was started in, if it says so, and else of the call's directory.
func (f *flags) decide(ctx context.Context, agent *hook.Agent, call input.Call, socket string, wait time.Duration) (hook.Verdict, error) {
	config, err := f.configFor(agent, call, socket)
	if err != nil {
		return hook.Verdict{}, err
	}
	decision, err := decideHere(ctx, config, call)
	switch {
	case err != nil:
		return hook.Verdict{}, err
	case decision.Action != permission.Ask || wait < time.Second:
		record(ctx, config, call, socket)
		return hook.Verdict{Decision: decision}, nil
	}
	f.asking.Add(1)
	return hook.Verdict{Decision: decision, Await: func(ctx context.Context) (permission.Decision, error) {
		defer f.asking.Done()
		return awaitPerson(ctx, config, call, socket, wait)
	}}, nil
}

// settle waits until what a person was asked and nobody waits for any more has been
// withdrawn, but not for long: the agent has its answer, or has gone.
func (f *flags) settle() {
	settled := make(chan struct{})
	go func() {
		f.asking.Wait()
		close(settled)
	}()
	select {
	case <-settled:
	case <-time.After(maxEnd):
	}
}

// configFor returns what the agent's call is decided by.
func (f *flags) configFor(agent *hook.Agent, call input.Call, socket string) (gate.Config, error) {
	start, err := projectDir(agent), error(nil)
	if start == "" && !filepath.IsAbs(call.Cwd) {
		start, err = os.Getwd() // agents start their hooks where they work
	}
	if err != nil {
		return gate.Config{}, err
	}
	config, err := f.config(start)
	if err != nil {
		return gate.Config{}, err
	}
	config.Socket, err = socketOf(config.Dirs, socket)
	return config, err
}

// decideHere decides a call by what the files say now.
func decideHere(ctx context.Context, config gate.Config, call input.Call) (permission.Decision, error) {
	g, err := gate.Open(config)
	if err != nil {
		return permission.Decision{Action: permission.Deny, Reason: err.Error()}, err
	}
	return g.Decide(ctx, call)
}

// The times that a daemon has.
const (
	maxRecord = 50 * time.Millisecond // to note what was decided without it
	maxBegin  = 2 * time.Second       // to say that a call waits
	maxEnd    = time.Second           // for the hook to end after its wait
	longer    = 2                     // seconds that the daemon waits longer than the hook does
)

// sameDaemon returns a client of the daemon, for what it is told or asked about
// calls.
func sameDaemon(config gate.Config, socket string) (*client.Client, error) {
	path, err := socketOf(config.Dirs, socket)
	if err != nil {
		return nil, err
	}
	return client.DialSame(path)
}

// record has the daemon note a call that was decided here, for people to look at.
// What it answers, or that it does not, changes nothing.
func record(ctx context.Context, config gate.Config, call input.Call, socket string) {
	c, err := sameDaemon(config, socket)
	if err != nil {
		return
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(ctx, maxRecord)
	defer cancel()
	_, _ = c.Check(ctx, api.CheckRequest{Call: call, Start: config.Start, Config: config.Key()})
}

// errNobody reports that no person has answered.
var errNobody = errors.New("no person has answered")

// awaitPerson puts a call that is to be asked for to the daemon, and returns what
// is decided there. If that is nothing, it is an error.
func awaitPerson(ctx context.Context, config gate.Config, call input.Call, socket string, wait time.Duration) (permission.Decision, error) {
	answer, err := askDaemon(ctx, config, call, socket, wait)
	rejected := answer.Reply != nil && answer.Reply.Reply == api.Reject
	switch action := answer.Decision.Action; {
	case err != nil:
		return permission.Decision{}, err
	case answer.Status == api.Allowed && action == permission.Allow && !rejected,
		answer.Status == api.Denied && action == permission.Deny && rejected:
		return answer.Decision, nil
	case answer.Status == api.Denied && action == permission.Deny && !answer.Unattended:
		// It stops, or the rules have changed: they are asked, and not it.
		if again, err := decideHere(ctx, config, call); err == nil && again.Action == permission.Deny {
			return again, nil
		}
	}
	return permission.Decision{}, errNobody
}

// askDaemon puts a call to the daemon, and polls until there is an answer. If there
// is none in time, the call is withdrawn.
func askDaemon(ctx context.Context, config gate.Config, call input.Call, socket string, wait time.Duration) (api.Answer, error) {
	c, err := sameDaemon(config, socket)
	if err != nil {
		return api.Answer{}, err
	}
	defer c.Close()
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	begin, cancel := context.WithTimeout(waiting, maxBegin)
	defer cancel()
	answer, err := c.AskDetached(begin, api.AskRequest{
		CheckRequest: api.CheckRequest{Call: call, Start: config.Start, Config: config.Key()},
		Wait:         int(min(wait, time.Hour-longer*time.Second)/time.Second) + longer, Hook: true,
	})
	const poll, patience = 20 * time.Second, 10 * time.Second
	for id := answer.ID; err == nil && answer.Status == api.Waiting; {
		short, cancel := context.WithTimeout(waiting, poll+patience)
		answer, err = c.Poll(short, id, poll)
		if cancel(); waiting.Err() != nil {
			end, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxEnd/2)
			defer cancel()
			return answer, errors.Join(errNobody, c.Withdraw(end, id))
		}
	}
	return answer, err
}
