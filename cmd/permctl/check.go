package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

func newCheck(f *flags) *cobra.Command {
	var asJSON, batch bool
	cmd := &cobra.Command{
		Use:   "check [TOOL [ARGUMENT]]",
		Short: "Decide a tool call, and say why",
		Long: `Decides a tool call: the one that the arguments name, or the one on standard
input, a JSON object with tool, input, cwd, session, agent, mode, interactive,
workdirs, mcp.

The exit status is 0 for allow, 3 for ask, 1 for deny, and 2 for an error. With
--batch, standard input has a call a line, a decision a line is written in the
same order, and the status is 0 unless a line could not be decided.

  permctl check bash 'git push --force origin main'
  permctl check read .env
  echo '{"tool": "bash", "input": {"command": "ls"}}' | permctl check --json`,
		Args: toolAndArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			if batch {
				if len(args) > 0 {
					return hintError{errors.New("--batch takes its calls from standard input, and no arguments"), "permctl check --batch < calls.jsonl"}
				}
				return checkBatch(cmd.Context(), f, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
			}
			call, err := readCall(cmd, args)
			if err != nil {
				return err
			}
			return check(cmd.Context(), f, call, cmd.OutOrStdout(), cmd.ErrOrStderr(), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the decision as one line of JSON")
	cmd.Flags().BoolVar(&batch, "batch", false, "decide a call a line of standard input, as JSON")
	return cmd
}

// maxCheck is how long one call may take, so that a policy without end is an
// error and not a wait.
const maxCheck = 10 * time.Second

func limited(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, maxCheck, fmt.Errorf("there was no decision within %v", maxCheck))
}

func check(ctx context.Context, f *flags, call input.Call, out, warn io.Writer, asJSON bool) error {
	g, err := f.open("")
	if err != nil {
		return err
	}
	ctx, cancel := limited(ctx)
	defer cancel()
	decision, remedy, err := decide(ctx, g, call, asJSON)
	switch {
	case err != nil && asJSON:
		return errors.Join(err, writeJSON(out, decision)) // a deny, that whoever reads it can rely on
	case err != nil:
		return err
	case asJSON:
		err = writeJSON(out, decision)
	default:
		project, projectErr := g.Project(call)
		if projectErr != nil {
			return projectErr
		}
		tell(warn, project.Warnings())
		if mean := input.Misspelt(call.Tool); mean != "" {
			tell(warn, []string{fmt.Sprintf("no tool that permctl knows is called %q%s", call.Tool, mean)})
		}
		err = explain(out, call, decision, remedy)
	}
	return end(statusOf(decision.Action), err)
}

// decide decides a call, and for a person says also what would allow it.
func decide(ctx context.Context, g *gate.Gate, call input.Call, asJSON bool) (permission.Decision, []permission.Rule, error) {
	if asJSON {
		decision, err := g.Decide(ctx, call)
		return decision, nil, err
	}
	return g.Explain(ctx, call)
}

// tell writes warnings, a line each.
func tell(w io.Writer, warnings []string) {
	for _, warning := range warnings {
		fmt.Fprintln(w, "permctl: warning:", oneLine(warning))
	}
}

// writeJSON writes v as one line of JSON.
func writeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// A badLine answers a line of a batch that could not be decided.
type badLine struct {
	Action permission.Action `json:"action"`
	Error  string            `json:"error"`
	Line   int               `json:"line"`
}

// checkBatch decides the calls in r, a line each.
func checkBatch(ctx context.Context, f *flags, r io.Reader, out, progress io.Writer) error {
	g, err := f.open("")
	if err != nil {
		return err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	bar := barFor(r, progress)
	w := bufio.NewWriter(out)
	lines, failed := bufio.NewReader(r), false
	for n := 1; ; n++ {
		text, readErr := lines.ReadString('\n')
		if readErr != nil && !errors.Is(readErr, io.EOF) {
			return errors.Join(readErr, w.Flush())
		}
		if strings.TrimSpace(text) != "" {
			if err := ctx.Err(); err != nil {
				return errors.Join(err, w.Flush())
			}
			ok, err := checkLine(ctx, g, text, n, cwd, w)
			if err != nil {
				return err
			}
			failed = failed || !ok
		}
		_ = bar.Add(len(text)) // a bar that cannot be drawn is no reason to stop
		if readErr != nil {
			break
		}
	}
	_ = bar.Finish()
	if err := w.Flush(); err != nil {
		return err
	}
	if failed {
		return end(statusFail, nil)
	}
	return nil
}

// checkLine writes the answer to a line, and reports whether it was decided.
func checkLine(ctx context.Context, g *gate.Gate, text string, n int, cwd string, w io.Writer) (bool, error) {
	call, err := input.ParseCall([]byte(text))
	if err != nil {
		return false, writeJSON(w, badLine{Action: permission.Deny, Error: err.Error(), Line: n})
	}
	if call.Cwd == "" {
		call.Cwd = cwd
	}
	ctx, cancel := limited(ctx)
	defer cancel()
	decision, err := g.Decide(ctx, call)
	if err != nil {
		return false, writeJSON(w, badLine{Action: permission.Deny, Error: err.Error(), Line: n})
	}
	return true, writeJSON(w, decision)
}

// barFor returns a bar for the bytes of r, which is drawn only on a terminal.
func barFor(r io.Reader, w io.Writer) *progressbar.ProgressBar {
	size := int64(-1)
	if file, ok := r.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
	}
	return progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(w), progressbar.OptionSetVisibility(isTerminal(w)),
		progressbar.OptionSetDescription("deciding"), progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish(),
	)
}
