package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/doctor"
	"github.com/permctl/permctl/internal/hook"
)

func newDoctor(f *flags) *cobra.Command {
	var asJSON, prove bool
	cmd := &cobra.Command{
		Use:   "doctor [AGENT…]",
		Short: "Say which agents on this machine permctl guards, and which not",
		Long: `Looks at each agent that is on this machine, or at those that are named, and says
whether permctl is in the way of its calls: whether the agent finds permctl's hook
and trusts it, whether it waits long enough, which permctl it starts, and which
settings leave hooks out. Then it runs the hook's own command as the agent would,
with a call that permctl denies whatever the rules, and reads the answer as the
agent does. That call is never run, and no file is changed; a daemon notes it, as it
does all calls. A hook of a project is run only if it starts this very permctl.

With --prove, it also says what the agent does if permctl is not there, hangs, ends
with an error or says nonsense: stand-ins take its place in the command, and the
answers are read as the agent reads them. The agent itself is not started, except
for its version.

The exit status is 1 if one of the agents is not guarded, or one that is named is not
here. It is 0 if all are guarded, and if there are none.

  permctl doctor
  permctl doctor claude --prove`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return installNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			machine, err := f.machine()
			if err != nil {
				return err
			}
			report, err := examined(cmd.Context(), func() (*doctor.Report, error) { return machine.Examine(cmd.Context(), args, prove) })
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if asJSON {
				err = report.Write(w)
			} else {
				err = writeReport(w, report)
			}
			if err == nil && !report.Guarded {
				return end(statusDeny, nil)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write all that was found as one JSON object")
	cmd.Flags().BoolVar(&prove, "prove", false, "also try what each agent does if permctl fails")
	return cmd
}

// parting is how long an examination that is to end may take for that, with the
// programs that it has started.
const parting = 5 * time.Second

// examined returns what examine does. When ctx ends, examine has to end as well: what
// it waits for in the file system it is not told about, and is left behind.
func examined(ctx context.Context, examine func() (*doctor.Report, error)) (*doctor.Report, error) {
	var report *doctor.Report
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		report, err = examine()
	}()
	select {
	case <-done:
		return report, err
	case <-ctx.Done():
	}
	select {
	case <-done:
	case <-time.After(parting):
	}
	return nil, fmt.Errorf("nothing is known of the agents: %w", context.Cause(ctx))
}

// machine returns this one, as the agents see it when they are started here, or in
// the folder of --workspace. Unlike permctl install, they look for a project's
// files in folders that are none, too.
func (f *flags) machine() (doctor.Machine, error) {
	places, err := f.places()
	if err != nil {
		return doctor.Machine{}, err
	}
	if places.Workspace, err = f.root(); err != nil {
		return doctor.Machine{}, err
	}
	cwd := places.Workspace
	if f.workspace == "" {
		if cwd, err = os.Getwd(); err != nil {
			return doctor.Machine{}, err
		}
	}
	program, err := ownPath()
	if err != nil {
		return doctor.Machine{}, err
	}
	return doctor.Machine{
		Places: places, Program: program, Version: versionLine(), Wait: defaultWait, Cwd: cwd, Environ: os.Environ(),
		LookPath: exec.LookPath, Run: doctor.Run,
	}, nil
}

// writeReport writes what was found for a person.
func writeReport(w io.Writer, report *doctor.Report) error {
	guarded := 0
	for _, agent := range report.Agents {
		if agent.Guarded {
			guarded++
		}
		writeAgent(w, agent)
	}
	if len(report.Agents) == 0 {
		_, err := fmt.Fprintln(w, "no agent that permctl knows is on this machine")
		return err
	}
	_, err := fmt.Fprintf(w, "%d of %d guarded\n", guarded, len(report.Agents))
	return err
}

// writeAgent writes what was found of an agent.
func writeAgent(w io.Writer, a doctor.Agent) {
	verdict := "guarded"
	if !a.Guarded {
		verdict = "NOT GUARDED"
	}
	fmt.Fprintf(w, "%s: %s\n", a.Title, verdict)
	if a.Program != "" {
		fmt.Fprintf(w, "  program  %s\n", oneLine(strings.TrimSpace(a.Program+"  "+a.Version)))
	}
	for _, h := range a.Hooks {
		fmt.Fprintf(w, "  hook     %s\n", oneLine(fmt.Sprintf("%s in %s:%d (%s)%s", h.Event, h.File, h.Line, h.Scope, called(h))))
	}
	for _, found := range a.Findings {
		where := ""
		if found.File != "" {
			where = found.File + ": "
		}
		if found.Line > 0 {
			where = fmt.Sprintf("%s:%d: ", found.File, found.Line)
		}
		fmt.Fprintf(w, "  %-8s %s\n", found.Severity, oneLine(where+found.Text))
		if found.Hint != "" {
			fmt.Fprintf(w, "           hint: %s\n", oneLine(found.Hint))
		}
	}
	writeTrials(w, a.Trials)
	fmt.Fprintln(w)
}

// called says what the dry call has shown of a hook.
func called(h doctor.Hook) string {
	switch {
	case !h.Counts:
		return ": does not guard, see below"
	case h.Proven:
		return ": a dry call was denied"
	case h.Call == "":
		return ": not tried, as no call of its kind is always denied"
	default:
		return ": a dry call was " + string(h.Call)
	}
}

// cases say for a person how the hook's program ends in a trial.
var cases = map[doctor.Case]string{
	doctor.Answers: "answers",
	doctor.Missed:  "is not there",
	doctor.Hangs:   "hangs",
	doctor.Fails:   "ends with status 1",
	doctor.Quiet:   "… and says nothing",
	doctor.Killed:  "is killed",
	doctor.Text:    "says no JSON",
	doctor.Silent:  "says nothing",
	doctor.JSON:    "says other JSON",
}

// effects say for a person what becomes of a call.
var effects = map[hook.Effect]string{
	hook.Blocked:   "blocked",
	hook.Asks:      "the agent asks",
	hook.Granted:   "runs, unasked",
	hook.Undecided: "goes on as without a hook",
}

// writeTrials writes a table of what becomes of a call, by how permctl ends and
// by the event.
func writeTrials(w io.Writer, trials []doctor.Trial) {
	var events []string
	said := map[doctor.Case]map[string]string{}
	var order []doctor.Case
	for _, t := range trials {
		if !slices.Contains(events, t.Event) {
			events = append(events, t.Event)
		}
		if said[t.Case] == nil {
			said[t.Case] = map[string]string{}
			order = append(order, t.Case)
		}
		effect := effects[t.Effect]
		if before := said[t.Case][t.Event]; before != "" && before != effect {
			effect = before + " or " + effect
		}
		if said[t.Case][t.Event] = effect; t.Seconds > 0 {
			said[t.Case][t.Event] += fmt.Sprintf(" (after %gs here)", t.Seconds)
		}
	}
	if len(trials) == 0 {
		return
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "  if permctl …\t%s\n", strings.Join(events, "\t"))
	for _, name := range order {
		fmt.Fprintf(table, "  %s", cases[name])
		for _, event := range events {
			fmt.Fprintf(table, "\t%s", said[name][event])
		}
		fmt.Fprintln(table)
	}
	_ = table.Flush() // a writer that fails fails again
}
