package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/policytest"
	"github.com/permctl/permctl/internal/settings"
)

func newTest(f *flags) *cobra.Command {
	var options policytest.Options
	var verbose, asJSON bool
	var junit string
	cmd := &cobra.Command{
		Use:   "test [PATH...]",
		Short: "Run the tests of policies: Rego tests and decision tables",
		Long: `Runs the Rego tests (*_test.rego) and decision tables (*.txt) in files and
folders, with the engine that decides calls: those named, or .permctl, or else
this folder. So that the answers are the same on every machine, the user's own
settings, policies and approvals do not count, but for those that flags name;
the project's count as if they were trusted.

A decision table has a call a line: the action, the tool, and its argument.

  # A script is as strict as its strictest command.
  ask   bash  ls && make
  deny  bash  git push --force origin main  => rewrites history

The text after => must be part of the reason. A row is decided by what the
lines above it say:

` + policytest.Directives() + `
The exit status is 0 if all is well, 1 if a test fails or there is none, and 2
if something cannot be read.

  permctl test
  permctl test --run git -v policy/ more/calls.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			options.Paths = args
			report, err := runTests(cmd.Context(), f, options)
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			switch {
			case junit == "-":
				err = report.JUnit(w)
			case asJSON:
				err = report.JSON(w)
			default:
				err = report.Text(w, verbose, isTerminal(w) && os.Getenv("NO_COLOR") == "")
			}
			if junit != "" && junit != "-" {
				err = errors.Join(err, writeJUnit(junit, report))
			}
			return end(testStatus(report), err)
		},
	}
	cmd.Flags().StringVar(&options.Run, "run", "", "run only what matches the regular `EXPRESSION`")
	cmd.Flags().BoolVar(&options.Update, "update", false, "rewrite the tables to what is answered now")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "list also what passes, and what tests print")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the report as JSON")
	cmd.Flags().StringVar(&junit, "junit", "", "write the report as JUnit's XML to `FILE`, or instead of the report if it is -")
	return cmd
}

func runTests(ctx context.Context, f *flags, options policytest.Options) (*policytest.Report, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	config, err := f.config(cwd)
	if err != nil {
		return nil, err
	}
	nowhere, err := os.MkdirTemp("", "permctl-test-*")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(nowhere) }() // an empty folder that stays does no harm
	config.Dirs = settings.Dirs{Home: policytest.Home, Config: filepath.Join(nowhere, "config"), State: filepath.Join(nowhere, "state")}
	config.TrustProject = true
	g, err := gate.Open(config)
	if err != nil {
		return nil, err
	}
	project, err := g.Project(input.Call{Cwd: cwd})
	if err != nil {
		return nil, err
	}
	options.Config, options.Settings = project.Config(""), project.Settings("")
	return policytest.Run(ctx, options)
}

func testStatus(r *policytest.Report) int {
	switch r.Status() {
	case policytest.Pass, policytest.Skip:
		return statusAllow
	case policytest.Fail:
		return statusDeny
	default:
		return statusFail
	}
}

// writeJUnit writes the report to a file.
func writeJUnit(path string, r *policytest.Report) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return r.JUnit(file)
}
