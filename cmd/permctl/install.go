package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/install"
	"github.com/permctl/permctl/internal/settings"
	"github.com/permctl/permctl/internal/workspace"
)

func newInstall(f *flags) *cobra.Command {
	var scope *scopeFlags
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "install AGENT",
		Short: "Put permctl's hook into an agent's configuration",
		Long: `Writes the hook that has permctl asked before each call of a tool into the file in
which the agent looks for it: your own (--user, which is the default), this
project's (--project), or this machine's (--managed). What else is in the file
stays byte for byte, and permctl's hook comes behind others. What the file was like
is kept, for permctl uninstall. To install again changes nothing, but the path of
permctl if that has moved.

The agents: ` + strings.Join(installNames(), ", ") + `.

  permctl install claude --dry-run
  permctl install claude
  permctl install cursor --project`,
		Args:      oneAgent,
		ValidArgs: installNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			agent, err := install.Find(args[0])
			if err != nil {
				return err
			}
			places, err := f.places()
			if err != nil {
				return err
			}
			program, err := ownPath()
			if err != nil {
				return err
			}
			wanted := func() (*install.Plan, error) { return install.Install(agent, scope.scope(), places, program) }
			return carryOut(cmd, dryRun, wanted, func(plan *install.Plan) error { return writeInstalled(cmd.OutOrStdout(), agent, plan) })
		},
	}
	scope = addScopes(cmd)
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "print the changes as a diff, and write nothing")
	return cmd
}

func newUninstall(f *flags) *cobra.Command {
	var scope *scopeFlags
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "uninstall AGENT",
		Short: "Take permctl's hook out of an agent's configuration",
		Long: `Takes out of an agent's files what permctl install has put in. A file that has not
changed since is again what it was, byte for byte, and gone if there was none. If
others have changed it, their changes stay.

  permctl uninstall claude --dry-run
  permctl uninstall claude`,
		Args:      oneAgent,
		ValidArgs: installNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			agent, err := install.Find(args[0])
			if err != nil {
				return err
			}
			places, err := f.places()
			if err != nil {
				return err
			}
			wanted := func() (*install.Plan, error) { return install.Uninstall(agent, scope.scope(), places) }
			return carryOut(cmd, dryRun, wanted, func(plan *install.Plan) error { return writeUninstalled(cmd.OutOrStdout(), plan) })
		},
	}
	scope = addScopes(cmd)
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "print the changes as a diff, and write nothing")
	return cmd
}

// carryOut does what is wanted and tells of it, or only shows it.
func carryOut(cmd *cobra.Command, dryRun bool, wanted func() (*install.Plan, error), tell func(*install.Plan) error) error {
	if dryRun {
		plan, err := wanted()
		if err != nil {
			return err
		}
		return errors.Join(writeDiffs(cmd.OutOrStdout(), plan), writeLines(cmd.ErrOrStderr(), append(sameLines(plan), plan.Notes...)))
	}
	plan, err := install.Run(wanted)
	if err != nil {
		return err
	}
	return tell(plan)
}

// scopeFlags are the flags that name a scope.
type scopeFlags struct{ user, project, managed bool }

func addScopes(cmd *cobra.Command) *scopeFlags {
	s := &scopeFlags{}
	cmd.Flags().BoolVar(&s.user, "user", false, "for all that you do (the default)")
	cmd.Flags().BoolVar(&s.project, "project", false, "for all that anybody does in this project")
	cmd.Flags().BoolVar(&s.managed, "managed", false, "for all that anybody does on this machine")
	cmd.PreRunE = oneScope
	return s
}

// oneScope refuses flags that name more than one scope.
func oneScope(cmd *cobra.Command, args []string) error {
	var given []string
	for _, scope := range []install.Scope{install.User, install.Project, install.Managed} {
		if cmd.Flags().Changed(string(scope)) {
			given = append(given, "--"+string(scope))
		}
	}
	if len(given) < 2 {
		return nil
	}
	return hintError{
		fmt.Errorf("%s are given together, and a hook is %sed for one of them at a time", strings.Join(given, " and "), cmd.Name()),
		fmt.Sprintf("%s %s %s, and then again with the other", cmd.CommandPath(), strings.Join(args, " "), given[0]),
	}
}

func (s *scopeFlags) scope() install.Scope {
	switch {
	case s.project:
		return install.Project
	case s.managed:
		return install.Managed
	}
	return install.User
}

// installNames returns the names of the agents that have files for hooks.
func installNames() []string {
	var names []string
	for _, agent := range install.Agents {
		names = append(names, agent.Name)
	}
	return names
}

// oneAgent refuses anything but the name of one agent.
func oneAgent(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return hintError{fmt.Errorf("%s takes the name of one agent, and not %d words", cmd.Name(), len(args)), cmd.CommandPath() + " claude"}
}

// places returns where agents look for their files, here and now.
func (f *flags) places() (install.Places, error) {
	dirs, err := settings.NewDirs(os.Getenv)
	if err != nil {
		return install.Places{}, err
	}
	root, err := f.root()
	if err != nil {
		return install.Places{}, err
	}
	if f.workspace == "" && !workspace.IsRoot(root) {
		root = ""
	}
	return install.Places{Home: dirs.Home, State: dirs.State, Workspace: root, OS: runtime.GOOS, Getenv: os.Getenv}, nil
}

// ownPath returns the path of this program: as the PATH has it, if that is this
// one, for a link there outlives what it points to now.
func ownPath() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	if named, err := exec.LookPath(filepath.Base(os.Args[0])); err == nil {
		if abs, err := filepath.Abs(named); err == nil && leadsTo(abs, path) {
			return abs, nil
		}
	}
	return path, nil
}

// leadsTo reports whether two paths name one file, be it through links.
func leadsTo(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// writeDiffs writes what a plan would change.
func writeDiffs(w io.Writer, plan *install.Plan) error {
	for _, change := range plan.Changes {
		if _, err := w.Write(change.Diff()); err != nil {
			return err
		}
	}
	return nil
}

// sameLines says of which files nothing is to be changed.
func sameLines(plan *install.Plan) []string {
	var lines []string
	for _, path := range plan.Same {
		lines = append(lines, path+" has permctl's hook already, and is left as it is")
	}
	return lines
}

func writeInstalled(w io.Writer, agent *install.Agent, plan *install.Plan) error {
	lines := sameLines(plan)
	for _, change := range plan.Changes {
		lines = append(lines, "wrote "+change.Path)
		if change.Backup != "" {
			lines = append(lines, "  as it was: "+change.Backup)
		}
	}
	lines = append(lines, plan.Notes...)
	lines = append(lines, fmt.Sprintf("To see whether %s runs it: permctl doctor %s", agent.Title, agent.Name))
	return writeLines(w, lines)
}

func writeUninstalled(w io.Writer, plan *install.Plan) error {
	lines := []string{}
	for _, change := range plan.Changes {
		if change.After == nil {
			lines = append(lines, "removed "+change.Path)
		} else {
			lines = append(lines, "wrote "+change.Path+", without permctl's hook")
		}
	}
	if len(lines) == 0 {
		lines = append(lines, "there is no hook of permctl's to take out")
	}
	return writeLines(w, append(lines, plan.Notes...))
}

func writeLines(w io.Writer, lines []string) error {
	var all error
	for _, line := range lines {
		_, err := fmt.Fprintln(w, oneLine(line))
		all = errors.Join(all, err)
	}
	return all
}
