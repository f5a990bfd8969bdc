package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// sample is what init writes.
//
//go:embed sample
var sample embed.FS

func newInit(f *flags) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write sample settings, a policy and its tests for this project",
		Long: `Writes .permctl/settings.yaml with comments, a sample policy and its tests into
this project. Nothing that is there is overwritten.

  permctl init
  permctl test .permctl`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := f.root()
			if err != nil {
				return err
			}
			return initProject(cmd.OutOrStdout(), filepath.Join(nearer(root), ".permctl"))
		},
	}
}

// nearer returns the path of a folder relative to this one, if it is in it.
func nearer(path string) string {
	cwd, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(cwd, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// initProject writes the sample into dir, whole or not at all.
func initProject(w io.Writer, dir string) error {
	files, err := fs.Sub(sample, "sample")
	if err != nil {
		return err
	}
	switch _, err := os.Lstat(dir); {
	case err == nil:
		return hintError{fmt.Errorf("%s is there already, and is left as it is", dir), "remove it first, or edit it"}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := os.CopyFS(dir, files); err != nil {
		return err
	}
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		_, err = fmt.Fprintln(w, "wrote", filepath.Join(dir, filepath.FromSlash(name)))
		return err
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\nEdit them, then:\n  permctl test %s\n  permctl trust\n", dir)
	return err
}
