package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
	var deadline, wait time.Duration
	var socket *string
	cmd := &cobra.Command{
		Use:   "hook AGENT",
		Short: "Answer an agent's hook",
		Long: `Reads the payload that an agent gives its hook on standard input, decides the
call in it, and answers in the agent's own dialect. Whatever fails is a refusal.

If a daemon runs (permctl serve), it decides, the same way, and what has to be
asked for waits there for a person, as long as --wait says. Keep that below the
time that the agent gives its hooks. If nobody answers, or nobody listens, it is
the agent's own prompt that asks.

The agents: claude (Claude Code: PreToolUse, PermissionRequest, and more). In
its settings:

  {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [
    {"type": "command", "command": "permctl hook claude"}]}]}}`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return hintError{fmt.Errorf("hook takes the name of one agent, and not %d words", len(args)), "permctl hook claude"}
			}
			return nil
		},
		ValidArgs: []string{hook.Claude.Name},
		RunE: func(cmd *cobra.Command, args []string) error {
			agent, err := hook.Find(args[0])
			if err != nil {
				return err
			}
			if wait < 0 {
				return hintError{fmt.Errorf("--wait %s: is no time to wait", wait), "give it a time like 50s, or 0 for not at all"}
			}
			if deadline <= 0 {
				return hintError{fmt.Errorf("--deadline %s: is no time to decide in", deadline), "give it a time like 5s, or leave it out"}
			}
			decide := func(ctx context.Context, call input.Call) (hook.Verdict, error) {
				return f.decide(ctx, call, *socket, wait)
			}
			answer := hook.Run(cmd.Context(), agent, cmd.InOrStdin(), decide, hook.Limits{Deadline: deadline, Wait: wait})
			if _, err := cmd.OutOrStdout().Write(answer.Stdout); err != nil {
				return err // the agent takes status 2 for a refusal too
			}
			if answer.Stderr != "" {
				fmt.Fprint(cmd.ErrOrStderr(), answer.Stderr)
			}
			return end(answer.Status, nil)
		},
	}
	socket = socketFlag(cmd)
	cmd.Flags().DurationVar(&wait, "wait", defaultWait, "wait `TIME` for a person, if a daemon runs that somebody listens to; 0 is not to wait")
	cmd.Flags().DurationVar(&deadline, "deadline", hook.DefaultDeadline, "refuse what is not decided after `TIME`")
	return cmd
}

// decide decides a call: the daemon does if one runs that decides by the same
// settings, which can ask a person too, and else this process. The workspace is
// that of the project the agent was started in, and not of wherever it has gone
// since.
func (f *flags) decide(ctx context.Context, call input.Call, socket string, wait time.Duration) (hook.Verdict, error) {
	start, err := os.Getenv("CLAUDE_PROJECT_DIR"), error(nil)
	if start == "" && !filepath.IsAbs(call.Cwd) {
		start, err = os.Getwd() // agents start their hooks where they work
	}
	if err != nil {
		return hook.Verdict{}, err
	}
	config, err := f.config(start)
	if err != nil {
		return hook.Verdict{}, err
	}
	if verdict, ok := decideByDaemon(ctx, config, call, socket, wait); ok {
		return verdict, nil
	}
	g, err := gate.Open(config)
	if err != nil {
		return hook.Verdict{}, err
	}
	decision, err := g.Decide(ctx, call)
	return hook.Verdict{Decision: decision}, err
}

// maxDaemon is how long a daemon may take to decide, before this process does.
const maxDaemon = 2 * time.Second

// decideByDaemon has a call decided by the daemon. It is not ok if none runs, or if
// it does not answer or would decide otherwise.
func decideByDaemon(ctx context.Context, config gate.Config, call input.Call, socket string, wait time.Duration) (hook.Verdict, bool) {
	path, err := socketOf(config.Dirs, socket)
	if err != nil {
		return hook.Verdict{}, false
	}
	c, err := client.DialSame(path)
	if err != nil {
		return hook.Verdict{}, false
	}
	short, cancel := context.WithTimeout(ctx, maxDaemon)
	defer cancel()
	request := api.CheckRequest{Call: call, Start: config.Start, Config: config.Key()}
	if wait < time.Second {
		d, err := c.Check(short, request)
		return hook.Verdict{Decision: d}, err == nil
	}
	answer, err := c.AskDetached(short, api.AskRequest{CheckRequest: request, Wait: int(wait / time.Second), Hook: true})
	if err != nil {
		return hook.Verdict{}, false
	}
	if answer.Status != api.Waiting {
		return hook.Verdict{Decision: answer.Decision}, true
	}
	return hook.Verdict{Decision: answer.Decision, Await: func(ctx context.Context) (permission.Decision, error) {
		return awaitPerson(ctx, c, answer.ID)
	}}, true
}

// awaitPerson polls until a person has answered. If none does in time, that is an
// error.
func awaitPerson(ctx context.Context, c *client.Client, id string) (permission.Decision, error) {
	const poll, patience = 20 * time.Second, 10 * time.Second
	for {
		short, cancel := context.WithTimeout(ctx, poll+patience)
		answer, err := c.Poll(short, id, poll)
		cancel()
		if err == nil && answer.Unattended {
			err = errors.New(answer.Reason)
		}
		if err != nil || answer.Status != api.Waiting {
			return answer.Decision, err
		}
	}
}
