package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

func newAsk(f *flags) *cobra.Command {
	var asJSON bool
	var wait time.Duration
	cmd := &cobra.Command{
		Use:   "ask [TOOL [ARGUMENT]]",
		Short: "Decide a call, and wait for a person",
		Long: `Decides a tool call like permctl check. If a person has to say, it is put to the
daemon (permctl serve), and waits for the reply, for scripts and for agents that
have no hook of their own.

The exit status is 0 if the call may happen, 1 if not, and 2 for an error, which
is a no too.

  permctl ask bash 'git push origin main' && git push origin main
  echo '{"tool": "bash", "input": {"command": "ls"}}' | permctl ask --json`,
		Args: toolAndArgument,
	}
	socket := socketFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if wait < time.Second || wait > time.Hour {
			return hintError{fmt.Errorf("--wait %s: is no time to wait", wait), "give it a time between 1s and 1h"}
		}
		call, err := readCall(cmd, args)
		if err != nil {
			return err
		}
		answer, err := f.ask(cmd.Context(), call, *socket, wait)
		if err != nil {
			answer.Status, answer.Reason = api.Denied, err.Error()
			answer.Decision = permission.Decision{Action: permission.Deny, Reason: answer.Reason}
		}
		if asJSON {
			err = errors.Join(err, writeJSON(cmd.OutOrStdout(), answer))
		}
		if err != nil {
			return forPerson(err)
		}
		if !asJSON {
			sayAnswer(cmd.OutOrStdout(), answer)
		}
		return end(statusOfAnswer(answer), nil)
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the answer as one line of JSON")
	cmd.Flags().DurationVar(&wait, "wait", defaultWait, "wait `TIME` for a person")
	return cmd
}

// ask decides a call, and asks the daemon what is to be asked. With an error, the
// answer is none.
func (f *flags) ask(ctx context.Context, call input.Call, socket string, wait time.Duration) (api.Answer, error) {
	var none api.Answer
	config, err := f.config("")
	if err != nil {
		return none, err
	}
	switch d, err := decideSoon(ctx, config, call); {
	case err != nil:
		return none, err
	case d.Action == permission.Allow:
		record(ctx, config, call, socket)
		return api.Answer{Status: api.Allowed, Decision: d}, nil
	case d.Action != permission.Ask:
		record(ctx, config, call, socket)
		return api.Answer{Status: api.Denied, Decision: d, Reason: d.Reason}, nil
	}
	c, err := sameDaemon(config, socket)
	if err != nil {
		return none, noDaemonToAsk(err)
	}
	defer c.Close()
	const patience = 15 * time.Second // beyond the person's time
	ctx, cancel := context.WithTimeoutCause(ctx, wait+patience, errors.New("the daemon has not answered in time"))
	defer cancel()
	answer, err := c.Ask(ctx, api.AskRequest{CheckRequest: api.CheckRequest{Call: call, Config: config.Key()}, Wait: int(wait / time.Second), Hook: true})
	return answer, noDaemonToAsk(err)
}

// decideSoon is decideHere within the time that a call may take.
func decideSoon(ctx context.Context, config gate.Config, call input.Call) (permission.Decision, error) {
	ctx, cancel := limited(ctx)
	defer cancel()
	return decideHere(ctx, config, call)
}

// noDaemonToAsk returns an error that says what it means that no daemon runs.
func noDaemonToAsk(err error) error {
	if errors.Is(err, client.ErrNotRunning) {
		return hintError{errors.New("no daemon runs, so that nobody can be asked"), "start one with permctl serve, or use permctl check"}
	}
	return err
}

func statusOfAnswer(a api.Answer) int {
	if a.Status == api.Allowed {
		return statusAllow
	}
	return statusDeny
}

// sayAnswer writes an answer for a person.
func sayAnswer(w io.Writer, a api.Answer) {
	fmt.Fprintf(w, "%s  %s\n", a.Status, oneLine(cmp.Or(a.Reason, a.Decision.Reason)))
	if a.Reply != nil {
		fmt.Fprintf(w, "  %s by %s\n", a.Reply.Reply, oneLine(a.Reply.By))
	}
}
