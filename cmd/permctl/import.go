package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/foreign"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/policytest"
)

func newImport() *cobra.Command {
	var output string
	var scopes []string
	cmd := &cobra.Command{
		Use:   "import AGENT FILE...",
		Short: "Make permctl's rules of those that an agent has",
		Long: `Reads the permission rules in an agent's own files, and makes of them settings,
a preset in Rego for what settings cannot say, and a decision table of what the
agent itself would answer. Give all files that hold for the agent at once.

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
			source, err := foreign.Find(args[0])
			if err != nil {
				return err
			}
			files, err := readForeign(args[1:], scopes)
			if err != nil {
				return err
			}
			made, err := source.Import(files)
			if err != nil {
				return hintError{err, "nothing was imported: correct the file, or leave it out"}
			}
			text := archive(source.Name, made)
			stricter, err := verify(cmd.Context(), text)
			if err != nil {
				return err
			}
			for _, note := range made.Notes {
				fmt.Fprintln(cmd.ErrOrStderr(), oneLine(note.String()))
			}
			for _, note := range stricter {
				fmt.Fprintln(cmd.ErrOrStderr(), oneLine(note))
			}
			if output == "" {
				_, err = cmd.OutOrStdout().Write(txtar.Format(text))
				return err
			}
			return putImport(cmd.OutOrStdout(), text, output)
		},
	}
	cmd.Flags().StringVar(&output, "output", "", "write the files into the folder `DIR`")
	cmd.Flags().StringArrayVar(&scopes, "scope", nil, "say whose rules a file has: `FILE=SCOPE` (repeatable)")
	return cmd
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

// maxForeign is the size of the largest file that is imported.
const maxForeign = 1 << 20

// readForeign reads an agent's files, with the scopes that flags give them.
func readForeign(names, flags []string) ([]foreign.File, error) {
	scopes := map[string]foreign.Scope{}
	for _, flag := range flags {
		i := strings.LastIndexByte(flag, '=')
		if i <= 0 {
			return nil, hintError{fmt.Errorf("--scope %q: is not FILE=SCOPE", flag), "--scope settings.json=project"}
		}
		scope, err := foreign.ParseScope(flag[i+1:])
		if err != nil || scope == "" {
			return nil, hintError{fmt.Errorf("--scope %q: names no scope", flag), "the scopes are user, project, local and managed"}
		}
		scopes[flag[:i]] = scope
	}
	var files []foreign.File
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			return nil, hintError{err, "name a file with the agent's rules; permctl import --help lists them"}
		}
		text, err := io.ReadAll(io.LimitReader(file, maxForeign+1))
		_ = file.Close() // it was only read
		switch {
		case err != nil:
			return nil, hintError{err, "name a file with the agent's rules; permctl import --help lists them"}
		case len(text) > maxForeign:
			return nil, fmt.Errorf("%s: larger than %d MiB: permission rules are never that long", name, maxForeign>>20)
		}
		files = append(files, foreign.File{Name: name, Text: text, Scope: scopes[name]})
		delete(scopes, name)
	}
	for name := range scopes {
		return nil, hintError{fmt.Errorf("--scope %s: is none of the files", name), "write it as the file is written behind the agent"}
	}
	return files, nil
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

// verify decides the table by the other files. What is answered more strictly
// than the agent does is written into the table, and told; what would be
// answered less strictly is an error, and so is what does not load.
func verify(ctx context.Context, a *txtar.Archive) (notes []string, err error) {
	dir, err := os.MkdirTemp("", "permctl-import-*")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
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
			return nil, fmt.Errorf("what was imported does not load, so that nothing is written: %s: %s", c.Name, here(c.Message))
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
			return nil, fmt.Errorf("nothing is written: permctl would %s what the agent would %s: %s (%s)", is, was, call, said[i+1])
		}
		notes = append(notes, fmt.Sprintf("%s:%d: %s: permctl is stricter than the agent, which says %s: %s", table.Name, i+1, call, was, said[i+1]))
	}
	table.Data = updated
	return notes, nil
}

// putImport writes the files into dir, all or none.
func putImport(w io.Writer, a *txtar.Archive, dir string) error {
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
			return err
		}
	}
	written, err := writeFiles(a, dir)
	if err != nil {
		for _, path := range written {
			err = errors.Join(err, os.Remove(path))
		}
		return err
	}
	for _, path := range written {
		if _, err := fmt.Fprintln(w, "wrote", path); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(w, "\nRead them, then:\n  permctl test %s\n  permctl trust    (if they are a project's)\n", dir)
	return err
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
