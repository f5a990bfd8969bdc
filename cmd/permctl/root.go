package main

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/install"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/settings"
	"github.com/permctl/permctl/internal/workspace"
)

// newRoot returns the program's command, with all its subcommands.
func newRoot() *cobra.Command {
	var f flags
	root := &cobra.Command{
		Use:   "permctl",
		Short: "Decide what a coding agent may do",
		Long: `permctl stands between a coding agent and its tools. It answers every tool
call with allow, deny or ask: by rules, by presets, and by policy in Rego.

  permctl install claude
  permctl doctor
  permctl check bash 'git push --force origin main'`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          knownCommand,
		RunE:          showHelp,
		Version:       versionLine(),

		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return noEmptyFlag(cmd) },
	}
	root.SetVersionTemplate("{{.Version}}\n")
	f.add(root)
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Begin:", []*cobra.Command{newInstall(&f), newUninstall(&f), newDoctor(&f), newInit(&f), newImport()}},
		{"Rules and decisions:", []*cobra.Command{newCheck(&f), newParse(&f), newRules(&f), newTest(&f), newTrust(&f), newApprovals(&f)}},
		{"Ask a person:", []*cobra.Command{
			newServe(&f), newStatus(&f), newStop(&f), newInbox(&f), newPending(&f), newReply(&f), newAsk(&f),
		}},
		{"What agents start:", []*cobra.Command{newHook(&f), newMCP(&f)}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, cmd := range group.commands {
			cmd.GroupID = group.title
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(newVersion())
	addHelp(root)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		hint := "see " + cmd.CommandPath() + " --help"
		if cmd.Name() == "check" || cmd.Name() == "parse" {
			hint += "; options of a command are part of its text: quote it"
		}
		return hintError{err, hint}
	})
	return root
}

// addHelp completes the commands that cobra itself adds.
func addHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Example = "  permctl help check"
			cmd.Args = func(_ *cobra.Command, args []string) error {
				if found, _, err := root.Find(args); err == nil && found != root {
					return nil
				}
				return knownCommand(root, args)
			}
		case "completion":
			cmd.Example = "  permctl completion bash > /etc/bash_completion.d/permctl"
			cmd.Args, cmd.RunE = knownCommand, showHelp
		}
	}
}

func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// knownCommand refuses a word that is no subcommand's name.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	return hintError{fmt.Errorf("unknown command %q%s", args[0], permission.DidYouMean(args[0], names...)), "see " + cmd.CommandPath() + " --help"}
}

// noEmptyFlag refuses a flag that is given without a value, as by a variable
// that is not set: to leave it out could loosen what it was to tighten.
func noEmptyFlag(cmd *cobra.Command) error {
	for _, name := range []string{"workspace", "global-settings", "project-settings", "approvals", "permission-preset", "socket", "listen", "home"} {
		if flag := cmd.Flag(name); flag != nil && flag.Changed && flag.Value.String() == "" {
			return hintError{fmt.Errorf("--%s is empty", name), "give it a value, or leave it out"}
		}
	}
	return nil
}

// noArguments refuses arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return hintError{fmt.Errorf("%s takes no argument, and not %q", cmd.Name(), args[0]), "see " + cmd.CommandPath() + " --help"}
}

// toolAndArgument refuses more arguments than a tool and what it is given.
func toolAndArgument(cmd *cobra.Command, args []string) error {
	if len(args) <= 2 {
		return nil
	}
	quoted := fmt.Sprintf("%s %s '%s'", cmd.CommandPath(), args[0], strings.Join(args[1:], " "))
	return hintError{fmt.Errorf("%s takes a tool and one argument, and not %d words", cmd.Name(), len(args)), "quote the argument: " + quoted}
}

// flags are those that all subcommands have.
type flags struct {
	workspace       string
	globalSettings  string
	projectSettings string
	policies        []string
	approvals       string
	nonInteractive  bool
	preset          string
	permission      []string
	home            string // of hook alone

	asking sync.WaitGroup // hooks that wait for a person
}

func (f *flags) add(cmd *cobra.Command) {
	set := cmd.PersistentFlags()
	set.StringVar(&f.workspace, "workspace", "", "the workspace's root `DIR` (default: the nearest folder upwards with .permctl or .git)")
	set.StringVar(&f.globalSettings, "global-settings", "", "read the user's settings from `FILE`")
	set.StringVar(&f.projectSettings, "project-settings", "", "read the project's settings from `FILE`, and trust it")
	set.StringArrayVar(&f.policies, "policy", nil, "read Rego policies also from `DIR` (repeatable)")
	set.StringVar(&f.approvals, "approvals", "", "read approvals from `FILE`")
	set.BoolVar(&f.nonInteractive, "non-interactive", false, "there is no person to ask: what would be asked is denied")
	set.StringVar(&f.preset, "permission-preset", "", "use the preset `NAME` above all settings")
	_ = cmd.RegisterFlagCompletionFunc("permission-preset", completePresets) // fails only for a flag that is not there
	set.StringArrayVar(&f.permission, "permission", nil, "add rules above all settings: `tool=action` or tool:pattern=action, separated by commas")
}

func completePresets(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return engine.Presets(), cobra.ShellCompDirectiveNoFileComp
}

// open returns the gate that the flags ask for. If start is empty, the
// workspace is that of each call.
func (f *flags) open(start string) (*gate.Gate, error) {
	config, err := f.config(start)
	if err != nil {
		return nil, err
	}
	return gate.Open(config)
}

// getenv returns the value of an environment variable: for a hook that was told where
// the home is, none that says otherwise.
func (f *flags) getenv(name string) string {
	switch {
	case f.home == "":
	case name == "HOME":
		return f.home
	case name == "XDG_CONFIG_HOME" || name == "XDG_STATE_HOME":
		return ""
	}
	return os.Getenv(name)
}

func (f *flags) config(start string) (gate.Config, error) {
	dirs, err := settings.NewDirs(f.getenv)
	if err != nil {
		return gate.Config{}, err
	}
	config := gate.Config{
		Dirs: dirs, Start: start, Preset: f.preset, Permission: f.permission, NonInteractive: f.nonInteractive,
		User: userOf(dirs), Host: hostOf(),
		Guards:    append(ownGuard(), install.Guards(install.Places{Home: dirs.Home, OS: runtime.GOOS, Getenv: os.Getenv})...),
		Variables: install.Variables(os.Getenv),
	}
	for _, path := range []struct {
		from string
		to   *string
	}{
		{f.workspace, &config.Workspace},
		{f.globalSettings, &config.GlobalSettings},
		{f.projectSettings, &config.ProjectSettings},
		{f.approvals, &config.Approvals},
	} {
		if *path.to, err = absolute(path.from); err != nil {
			return gate.Config{}, err
		}
	}
	for _, dir := range f.policies {
		abs, err := absolute(dir)
		if err != nil {
			return gate.Config{}, err
		}
		config.Policies = append(config.Policies, abs)
	}
	for _, file := range []struct{ flag, given, path string }{
		{"--global-settings", f.globalSettings, config.GlobalSettings},
		{"--project-settings", f.projectSettings, config.ProjectSettings},
	} {
		if file.path == "" {
			continue
		}
		if _, err := os.Stat(file.path); errors.Is(err, os.ErrNotExist) {
			return gate.Config{}, hintError{fmt.Errorf("%s %s: no such file", file.flag, file.given), "name a file of settings, or leave the flag out"}
		}
	}
	if config.Workspace != "" {
		if info, err := os.Stat(config.Workspace); err != nil || !info.IsDir() {
			return gate.Config{}, hintError{fmt.Errorf("--workspace %s: is no folder", f.workspace), "name the folder in which the agent works"}
		}
	}
	return config, nil
}

// ownGuard returns this program, which an agent could else replace by one that
// allows everything. It is where it really is, so that a daemon and a hook that were
// started by other names agree.
func ownGuard() []input.Guard {
	path, err := os.Executable()
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return nil
	}
	return []input.Guard{{Path: path, What: "permctl itself", Program: true}}
}

// root returns the root of the workspace of this directory.
func (f *flags) root() (string, error) {
	config, err := f.config("")
	if err != nil || config.Workspace != "" {
		return config.Workspace, err
	}
	cwd, err := os.Getwd()
	return workspace.Find(cwd), err
}

// absolute returns path made absolute, and an empty one as it is.
func absolute(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	return filepath.Abs(path)
}

func userOf(dirs settings.Dirs) input.User {
	name := os.Getenv("USER")
	if name == "" {
		if u, err := user.Current(); err == nil {
			name = u.Username
		}
	}
	return input.User{Name: name, Home: dirs.Home}
}

func hostOf() input.Host {
	name, err := os.Hostname()
	if err != nil {
		name = "" // a policy that names hosts then meets none
	}
	return input.Host{Name: name, OS: runtime.GOOS}
}
