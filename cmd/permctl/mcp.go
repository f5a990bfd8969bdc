package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/mcp"
	"github.com/permctl/permctl/internal/permission"
)

func newMCP(f *flags) *cobra.Command {
	var w waiting
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Answer Claude Code's permission prompts, as an MCP server",
		Long: `Speaks the Model Context Protocol on standard input and output, with one tool,
approve. Claude Code calls it where it would ask a person, which it cannot with -p:

  claude mcp add permctl -- permctl mcp
  claude -p --permission-prompt-tool mcp__permctl__approve 'do it'

What a rule allows is allowed. What has to be asked for waits in the daemon for a
person (permctl serve), as long as --wait says, and is denied if nobody answers. So
is what no rule speaks of, and only the default preset allows: Claude Code's own
rules wanted a person to see it. Claude Code is told which rule would allow it.

The tool only answers. It is no guard: what Claude Code allows by itself does not
come here, and of its mode, and of the folder that it has gone to since, it tells
nothing. That is what permctl hook claude is for, and both go together.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := w.check(); err != nil {
				return err
			}
			dir, err := os.Getwd() // Claude Code starts its servers where it works
			if err != nil {
				return err
			}
			stays(100)
			own, _ := versions()
			session := "mcp-" + rand.Text() // it does not say which it is
			decide := func(ctx context.Context, call input.Call) (hook.Verdict, error) {
				call.Cwd, call.Session = dir, session
				return f.prompted(ctx, call, *w.socket, w.person)
			}
			defer f.settle()
			err = mcp.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), own, func(ctx context.Context, event []byte) ([]byte, error) {
				answer := hook.Run(ctx, hook.Claude, bytes.NewReader(event), decide, w.limits())
				if answer.Status != 0 {
					return nil, errors.New(strings.TrimSpace(answer.Stderr))
				}
				return answer.Stdout, nil
			})
			if err != nil {
				return hintError{
					fmt.Errorf("standard input is not the Model Context Protocol: %w", err), "Claude Code starts this: claude mcp add permctl -- permctl mcp",
				}
			}
			return nil
		},
	}
	w.add(cmd)
	return cmd
}

// prompted decides a call that Claude Code would ask a person about. It is a hook's
// decision, but for two that leave the rest to the agent: there is no more that
// could come. An ask that no person answers is a deny, and so is a call that only
// the default preset allows.
func (f *flags) prompted(ctx context.Context, call input.Call, socket string, wait time.Duration) (hook.Verdict, error) {
	verdict, err := f.decide(ctx, hook.Claude, call, socket, wait)
	switch {
	case err != nil:
		return hook.Verdict{}, err
	case verdict.Action == permission.Allow && !verdict.Grant:
		verdict.Decision = unruled(verdict.Decision)
	case verdict.Action == permission.Ask:
		config, err := f.configFor(hook.Claude, call, socket)
		if err != nil {
			return hook.Verdict{}, err
		}
		config.NonInteractive = true
		if verdict.Decision, err = decideHere(ctx, config, call); err != nil {
			return hook.Verdict{}, err
		}
	}
	return verdict, nil
}

// unruled returns the deny for a call that only the default preset allows.
func unruled(d permission.Decision) permission.Decision {
	var rules []permission.Rule
	for _, request := range d.Requests {
		for _, pattern := range request.Always {
			rules = append(rules, permission.Rule{Permission: request.Permission, Pattern: pattern, Action: permission.Allow})
		}
	}
	d.Action = permission.Deny
	d.Reason = "a person has to say, and there is none: no rule allows it, and Claude Code does not, either"
	if len(rules) > 0 {
		d.Reason += "; a rule in settings would be " + strings.Join(gate.Written(rules), " and ")
	}
	return d
}
