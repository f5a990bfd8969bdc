package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/policytest"
)

func newTest(f *flags) *cobra.Command {
	var options policytest.Options
	var verbose, asJSON bool
	var junit string
	cmd := &cobra.Command{
		Use:   "test [PATH...]",
		Short: "Run the tests of policies: Rego tests and decision tables",
		Long: `Runs the Rego tests (*_test.rego) and decision tables (*.txt) in files and
folders, with the engine that decides calls, and with the settings and policies
that are in force here; the project's own count as if they were trusted.

A decision table has a call a line: the action, the tool, and its argument.

  # A script is as strict as its strictest command.
  ask   bash  ls && make
  deny  bash  git push --force origin main

The exit status is 0 if all is well, 1 if a test fails or there is none, and 2
if something cannot be read.

  permctl test .permctl
  permctl test --run git -v policy/ more/calls.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			options.Paths = args
			report, err := runTests(cmd.Context(), f, options)
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if asJSON {
				err = report.JSON(w)
			} else {
				err = report.Text(w, verbose, isTerminal(w) && os.Getenv("NO_COLOR") == "")
			}
			return errors.Join(err, writeJUnit(junit, report), testStatus(report))
		},
	}
	cmd.Flags().StringVar(&options.Run, "run", "", "run only what matches the regular `EXPRESSION`")
	cmd.Flags().BoolVar(&options.Update, "update", false, "rewrite the tables to what is answered now")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "list also what passes, and what tests print")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the report as JSON")
	cmd.Flags().StringVar(&junit, "junit", "", "write the report as JUnit's XML to `FILE`")
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
	config.TrustProject = true
	g, err := gate.Open(config)
	if err != nil {
		return nil, err
	}
	project, err := g.Project(input.Call{Cwd: cwd})
	if err != nil {
		return nil, err
	}
	options.Config = project.Config("")
	return policytest.Run(ctx, options)
}

func testStatus(r *policytest.Report) error {
	switch r.Status() {
	case policytest.Pass, policytest.Skip:
		return nil
	case policytest.Fail:
		return statusError(statusDeny)
	default:
		return statusError(statusFail)
	}
}

// writeJUnit writes the report to a file, if one is named.
func writeJUnit(path string, r *policytest.Report) (err error) {
	if path == "" {
		return nil
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return r.JUnit(file)
}
