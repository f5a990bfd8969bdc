package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/settings"
)

func newTrust(f *flags) *cobra.Command {
	var status, revoke bool
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "Trust this project's own settings and policies as they are",
		Long: `A project's own settings and policies (its .permctl folder) can only tighten
what is allowed, until a person trusts them. The trust holds for the files as
they are: once one changes, they have to be trusted again.

  permctl trust --status
  permctl trust
  permctl trust --revoke`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			project, store, err := f.project()
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			switch {
			case status:
				return writeTrust(w, project, store)
			case revoke:
				err := store.Revoke(project.Root)
				if errors.Is(err, fs.ErrNotExist) {
					return fmt.Errorf("%s is not trusted, so there is nothing to revoke", project.Root)
				}
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(w, "no longer trusted: %s\n", oneLine(project.Root))
				return err
			}
			if err := f.loads(project); err != nil {
				return fmt.Errorf("nothing is trusted: %w", err)
			}
			return trust(w, project, store)
		},
	}
	cmd.Flags().BoolVar(&status, "status", false, "say whether the project is trusted, and what has changed")
	cmd.Flags().BoolVar(&revoke, "revoke", false, "take the trust back")
	cmd.MarkFlagsMutuallyExclusive("status", "revoke")
	return cmd
}

// project returns the project of this directory, and who is trusted.
func (f *flags) project() (*settings.Project, settings.TrustStore, error) {
	config, err := f.config("")
	if err != nil {
		return nil, settings.TrustStore{}, err
	}
	root, err := f.root()
	if err != nil {
		return nil, settings.TrustStore{}, err
	}
	project, err := settings.ReadProject(root)
	return project, settings.TrustStore{Dir: filepath.Join(config.Dirs.State, "trusted")}, err
}

// loads reports why calls in the project could not be decided if it were trusted:
// what is wrong with its settings or policies, or with those that others bring.
func (f *flags) loads(project *settings.Project) error {
	config, err := f.config(project.Root)
	if err != nil {
		return err
	}
	config.Workspace, config.ProjectSettings, config.TrustProject = project.Root, "", true
	g, err := gate.Open(config)
	if err != nil {
		return err
	}
	trusted, err := g.Project(input.Call{Cwd: project.Root})
	if err != nil {
		return err
	}
	_, err = trusted.Engine("")
	return err
}

// writeTrust says whether the project is trusted. The status is that of a
// denied call if its files do not count in full.
func writeTrust(w io.Writer, project *settings.Project, store settings.TrustStore) error {
	status, changes, err := store.Status(project)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s: %s\n", status, oneLine(project.Root)); err != nil {
		return err
	}
	for _, change := range changes {
		if _, err := fmt.Fprintf(w, "  %s\n", oneLine(change)); err != nil {
			return err
		}
	}
	if status == settings.Changed || status == settings.Untrusted {
		return end(statusDeny, nil)
	}
	return nil
}

func trust(w io.Writer, project *settings.Project, store settings.TrustStore) error {
	if len(project.Files) == 0 {
		return hintError{fmt.Errorf("%s has no settings of its own to trust", project.Root), "permctl init writes some"}
	}
	if err := store.Trust(project); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "trusted: %s, with\n", oneLine(project.Root))
	for _, pin := range project.Pins() {
		_, lineErr := fmt.Fprintf(w, "  %s  %.12s\n", oneLine(filepath.Join(".permctl", pin.Name)), pin.Sum)
		err = errors.Join(err, lineErr)
	}
	return err
}
