package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

func newHook(f *flags) *cobra.Command {
	var deadline time.Duration
	cmd := &cobra.Command{
		Use:   "hook AGENT",
		Short: "Answer an agent's hook",
		Long: `Reads the payload that an agent gives its hook on standard input, decides the
call in it, and answers in the agent's own dialect. Whatever fails is a refusal.

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
			if deadline <= 0 {
				return hintError{fmt.Errorf("--deadline %s: is no time to decide in", deadline), "give it a time like 5s, or leave it out"}
			}
			answer := hook.Run(cmd.Context(), agent, cmd.InOrStdin(), f.decide, deadline)
			if _, err := cmd.OutOrStdout().Write(answer.Stdout); err != nil {
				return err // the agent takes status 2 for a refusal too
			}
			if answer.Stderr != "" {
				fmt.Fprint(cmd.ErrOrStderr(), answer.Stderr)
			}
			return end(answer.Status, nil)
		},
	}
	cmd.Flags().DurationVar(&deadline, "deadline", hook.DefaultDeadline, "refuse what is not decided after `TIME`")
	return cmd
}

// decide opens the gate and decides one call. The workspace is that of the
// project the agent was started in, and not of wherever it has gone since.
func (f *flags) decide(ctx context.Context, call input.Call) (permission.Decision, error) {
	start, err := os.Getenv("CLAUDE_PROJECT_DIR"), error(nil)
	if start == "" && !filepath.IsAbs(call.Cwd) {
		start, err = os.Getwd() // agents start their hooks where they work
	}
	if err != nil {
		return permission.Decision{}, err
	}
	g, err := f.open(start)
	if err != nil {
		return permission.Decision{}, err
	}
	return g.Decide(ctx, call)
}
