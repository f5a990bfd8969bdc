package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/foreign"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/policytest"
	"github.com/permctl/permctl/internal/settings"
)

func newImport() *cobra.Command {
	var output string
	var scopes []string
	cmd := &cobra.Command{
		Use:   "import AGENT FILE...",
		Short: "Make permctl's rules of those that an agent has",
		Long: `Reads the permission rules in an agent's own files, and makes of them settings,
a preset in Rego for what settings cannot say, and a decision table of what the
agent itself would answer. Give those files at once that hold for the same: yours
for all projects go to ~/.config/permctl, and a project's to its .permctl.

Nothing becomes looser. A rule that cannot be carried over as it is becomes
stricter, and standard error says so, with its file and line, what became of it,
and what to do. The table has been decided by permctl before it is written: where
permctl is stricter than the agent, it says what permctl answers, and so does a
note.

Without --output, all files are written to standard output, each below its name.
With it, they are put into the folder, which is .permctl or ~/.config/permctl, and
nothing that is there is overwritten. The agents, and their files:

` + foreignAgents() + `
Some agents read a rule by where it is written. That is told by the file's path,
or by --scope FILE=SCOPE: user, project, local (the user's own for one project)
or managed.

  permctl import claude ~/.claude/settings.json .claude/settings.json
  permctl import claude --output .permctl .claude/settings.json
  permctl test .permctl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return hintError{errors.New("import takes the name of an agent and its files"), "permctl import claude ~/.claude/settings.json"}
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return foreignNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			stays(100)
			source, err := foreign.Find(args[0])
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("output") && output == "" {
				return hintError{errors.New("--output is empty"), "name a folder: --output .permctl"}
			}
			dirs, err := settings.NewDirs(os.Getenv)
			if err != nil {
				dirs = settings.Dirs{} // no file is then known to be the user's
			}
			files, err := readForeign(args[1:], scopes, dirs.Home)
			if err != nil {
				return err
			}
			scope := importScope(output, dirs.Config)
			made, err := makeImport(cmd.Context(), source, scope, files)
			if err != nil {
				return err
			}
			for _, note := range made.Notes {
				fmt.Fprintln(cmd.ErrOrStderr(), oneLine(note.String()))
			}
			for _, note := range made.stricter {
				fmt.Fprintln(cmd.ErrOrStderr(), oneLine(note))
			}
			if output == "" {
				_, err = cmd.OutOrStdout().Write(txtar.Format(made.text))
				return err
			}
			return putImport(cmd.OutOrStdout(), made.text, output, scope)
		},
	}
	cmd.Flags().StringVar(&output, "output", "", "write the files into the folder `DIR`")
	cmd.Flags().StringArrayVar(&scopes, "scope", nil, "say whose rules a file has: `FILE=SCOPE` (repeatable)")
	return cmd
}

// importScope returns whose settings a folder has: a project's, the user's, whose
// folder is config, or "".
func importScope(dir, config string) foreign.Scope {
	path, err := filepath.Abs(dir)
	switch {
	case dir == "" || err != nil:
		return ""
	case filepath.Base(path) == ".permctl":
		return foreign.Project
	case path == config:
		return foreign.User
	}
	at, err := os.Stat(path)
	if err != nil {
		return ""
	}
	if own, err := os.Stat(config); err == nil && os.SameFile(at, own) {
		return foreign.User
	}
	return ""
}

// A madeImport is an import, its files, and where permctl is stricter than the agent.
type madeImport struct {
	*foreign.Import

	text     *txtar.Archive
	stricter []string
}

// makeImport makes an import and verifies it, until ctx ends.
func makeImport(ctx context.Context, source *foreign.Source, scope foreign.Scope, files []foreign.File) (made madeImport, err error) {
	dir, err := os.MkdirTemp("", "permctl-import-*")
	if err != nil {
		return made, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	type result struct {
		made madeImport
		err  error
	}
	done := make(chan result, 1)
	go func() {
		imported, err := source.ImportTo(scope, files)
		if err != nil {
			done <- result{err: hintError{err, "nothing was imported: correct the file, or leave it out"}}
			return
		}
		r := result{made: madeImport{Import: imported, text: archive(source.Name, imported)}}
		r.made.stricter, r.err = verify(ctx, r.made.text, dir)
		done <- r
	}()
	select {
	case r := <-done:
		return r.made, r.err
	case <-ctx.Done():
		return made, errors.New("ended before it was done: nothing is written")
	}
}

func foreignNames() []string {
	var names []string
	for _, s := range foreign.Sources {
		names = append(names, s.Name)
	}
	return names
}

// foreignAgents are the agents and their files, a line each.
func foreignAgents() string {
	var b strings.Builder
	for _, s := range foreign.Sources {
		fmt.Fprintf(&b, "  %-9s %s\n", s.Name, strings.ReplaceAll(s.Files, "\n", "\n            "))
	}
	return b.String()
}

// archive returns the files of an import by their names in the folder.
func archive(agent string, made *foreign.Import) *txtar.Archive {
	a := &txtar.Archive{Files: []txtar.File{{Name: "settings.yaml", Data: []byte(made.Settings)}}}
	if made.Policy != "" {
		name := strings.ReplaceAll(made.Preset, "-", "_") + ".rego"
		a.Files = append(a.Files, txtar.File{Name: "policy/presets/" + name, Data: []byte(made.Policy)})
	}
	a.Files = append(a.Files, txtar.File{Name: "imported_" + agent + ".txt", Data: []byte(made.Table)})
	return a
}

// verify decides the table by the other files, in an empty folder. What is answered more strictly
// than the agent does is written into the table, and told; what would be
// answered less strictly is an error, and so is what does not load.
func verify(ctx context.Context, a *txtar.Archive, dir string) (notes []string, err error) {
	if _, err := writeFiles(a, dir); err != nil {
		return nil, err
	}
	report, err := policytest.Run(ctx, policytest.Options{Paths: []string{dir}})
	if err != nil {
		return nil, err
	}
	here := func(message string) string { return strings.ReplaceAll(message, dir+string(filepath.Separator), "") }
	said := map[int]string{}
	for _, c := range report.Cases {
		switch c.Status {
		case policytest.Pass, policytest.Skip:
		case policytest.Fail:
			said[c.Line] = here(c.Message)
		default:
			return nil, refused(a, c.Line, fmt.Errorf("what was imported does not load, so that nothing is written: %s: %s", c.Name, here(c.Message)))
		}
	}
	if len(said) == 0 {
		return nil, nil
	}
	if _, err := policytest.Run(ctx, policytest.Options{Paths: []string{dir}, Update: true}); err != nil {
		return nil, err
	}
	table := &a.Files[len(a.Files)-1]
	updated, err := os.ReadFile(filepath.Join(dir, table.Name))
	if err != nil {
		return nil, err
	}
	before, after := strings.Split(string(table.Data), "\n"), strings.Split(string(updated), "\n")
	for i, line := range before {
		if i >= len(after) || after[i] == line {
			continue
		}
		was, call, _ := strings.Cut(line, " ")
		is, _, _ := strings.Cut(after[i], " ")
		call = strings.TrimSpace(call)
		if permission.Strictest(permission.Action(was), permission.Action(is)) != permission.Action(is) {
			return nil, refused(a, i+1, fmt.Errorf("nothing is written: permctl would %s what the agent would %s: %s (%s)", is, was, call, said[i+1]))
		}
		notes = append(notes, fmt.Sprintf("%s:%d: %s: permctl is stricter than the agent, which says %s: %s", table.Name, i+1, call, was, said[i+1]))
	}
	table.Data = updated
	return notes, nil
}

// refused returns an error about a line of the table, with the rule that it is for
// and what to do.
func refused(a *txtar.Archive, line int, err error) error {
	lines := strings.Split(string(a.Files[len(a.Files)-1].Data), "\n")
	for _, above := range slices.Backward(lines[:min(max(line-1, 0), len(lines))]) {
		rule, comment := strings.CutPrefix(above, "# ")
		if !comment {
			continue
		}
		if !strings.Contains(rule, ":") {
			break // what no rule speaks of
		}
		return hintError{fmt.Errorf("%s: %w", rule, err), "take this rule out of a copy of the file, import that, and write the rule into permctl's settings by hand"}
	}
	return hintError{err, "take rules out of a copy of the file until it can be imported, and write those into permctl's settings by hand"}
}

// putImport writes the files into dir, which has the settings of a scope, all or
// none.
func putImport(w io.Writer, a *txtar.Archive, dir string, scope foreign.Scope) error {
	taken := []string{"settings.yaml", "settings.yml", "settings.json"}
	for _, f := range a.Files {
		taken = append(taken, f.Name)
	}
	for _, name := range taken {
		path := filepath.Join(dir, filepath.FromSlash(name))
		switch _, err := os.Lstat(path); {
		case err == nil:
			return hintError{fmt.Errorf("%s is there already, and is left as it is", path), "give another folder, and put the rules together by hand: what is to decide stands last"}
		case !errors.Is(err, fs.ErrNotExist):
			return unwritten(dir, err)
		}
	}
	written, err := writeFiles(a, dir)
	if err != nil {
		for _, path := range written {
			err = errors.Join(err, os.Remove(path))
		}
		return unwritten(dir, err)
	}
	for _, path := range written {
		if _, err := fmt.Fprintln(w, "wrote", path); err != nil {
			return err
		}
	}
	trust := ""
	if scope == foreign.Project {
		trust = "  permctl trust\n"
	}
	_, err = fmt.Fprintf(w, "\nRead them, then:\n  permctl test %s\n%s", dir, trust)
	return err
}

// unwritten returns the error of writing into a folder with what to do.
func unwritten(dir string, err error) error {
	return hintError{fmt.Errorf("nothing is written into %s: %w", dir, err), "give --output a folder that you may write to"}
}

// writeFiles writes the files below dir, none of which may be there, and returns
// the paths of those that it has made.
func writeFiles(a *txtar.Archive, dir string) (written []string, err error) {
	for _, f := range a.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			return written, err
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return written, err
		}
		written = append(written, path)
		_, err = file.Write(f.Data)
		if err := errors.Join(err, file.Close()); err != nil {
			return written, err
		}
	}
	return written, nil
}
