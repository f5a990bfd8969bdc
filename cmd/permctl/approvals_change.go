package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/approvals"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/settings"
)

func newApprovalsRevoke(f *flags) *cobra.Command {
	var global, all, yes, asJSON bool
	cmd := &cobra.Command{
		Use:   "revoke PERMISSION PATTERN",
		Short: "Take back what was approved for good",
		Long: `Removes the approval of just this permission and pattern, as permctl approvals
list shows them. The exit status is 1 if there is none.

  permctl approvals revoke bash 'git push *'
  permctl approvals revoke --global webfetch 'https://example.com/*'
  permctl approvals revoke --all --yes`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case all && len(args) > 0:
				return hintError{errors.New("--all revokes everything, and takes no permission or pattern"), "leave out one of the two"}
			case yes && !all:
				return hintError{errors.New("--yes is for --all only"), "leave it out: one approval is revoked without it"}
			case !all && len(args) != 2:
				return hintError{
					fmt.Errorf("revoke takes a permission and a pattern, and not %d words", len(args)),
					"quote the pattern, as in permctl approvals revoke bash 'git push *'; permctl approvals list shows what there is",
				}
			}
			return nil
		},
		ValidArgsFunction: f.completeApprovals,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.scope(global)
			if err != nil {
				return err
			}
			if all {
				return revokeAll(cmd.Context(), cmd.OutOrStdout(), s, yes, asJSON)
			}
			revoked, err := s.store.Revoke(cmd.Context(), args[0], args[1])
			if err != nil {
				return explainExpiry(err)
			}
			if err := writeRevoked(cmd.OutOrStdout(), s, revoked, asJSON); err != nil || len(revoked) > 0 {
				return err
			}
			return end(statusDeny, f.noneToRevoke(s, args[0], args[1]))
		},
	}
	cmd.Flags().BoolVar(&global, "global", false, "what was approved for every project")
	cmd.Flags().BoolVar(&all, "all", false, "everything in the file, with --yes")
	cmd.Flags().BoolVar(&yes, "yes", false, "yes, everything")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

func writeRevoked(w io.Writer, s scope, revoked []approvals.Approval, asJSON bool) error {
	if asJSON {
		return writeIndented(w, s.show(revoked))
	}
	return writeApprovals(w, "revoked: ", s.show(revoked))
}

func revokeAll(ctx context.Context, w io.Writer, s scope, yes, asJSON bool) error {
	if !yes {
		return hintError{fmt.Errorf("this would revoke everything in %s", s.store.Path), "add --yes if that is meant; permctl approvals list shows it"}
	}
	revoked, err := s.store.RevokeAll(ctx)
	if err != nil {
		return err
	}
	if err := writeRevoked(w, s, revoked, asJSON); err != nil || len(revoked) > 0 {
		return err
	}
	return end(statusDeny, fmt.Errorf("%s has no approvals", s.store.Path))
}

// noneToRevoke says that there is no such approval, and which is meant.
func (f *flags) noneToRevoke(s scope, name, pattern string) error {
	var names, patterns []string
	scopes, err := f.scopes(false)
	if err != nil {
		return err
	}
	for _, other := range append(scopes, s) {
		found, _, err := other.store.Read()
		if err != nil {
			continue // the file itself is read already, and the other only helps
		}
		for _, a := range found {
			switch here := other.store.Path == s.store.Path; {
			case here && a.Permission == name:
				patterns = append(patterns, a.Pattern)
			case here:
				names = append(names, a.Permission)
			case a.Permission == name && a.Pattern == pattern:
				return hintError{fmt.Errorf("%s %q is not approved in %s", name, pattern, s.store.Path), elsewhere[other.name]}
			}
		}
	}
	mean := permission.DidYouMean(name, names...)
	if len(patterns) > 0 {
		mean = permission.DidYouMean(pattern, patterns...)
	}
	return hintError{fmt.Errorf("%s %q is not approved%s", name, pattern, mean), "permctl approvals list shows what there is"}
}

// elsewhere says how an approval in another scope is revoked.
var elsewhere = map[string]string{
	"global":  "it is approved for every project: add --global",
	"project": "it is approved for this project: leave out --global",
}

// explainExpiry adds what to do about expiries that cannot be read.
func explainExpiry(err error) error {
	if errors.Is(err, approvals.ErrExpiry) {
		return hintError{err, "mend that file, or revoke all that is approved beside it: revoke --all --yes"}
	}
	return err
}

func newApprovalsCompact(f *flags) *cobra.Command {
	var global, asJSON bool
	cmd := &cobra.Command{
		Use:   "compact",
		Short: "Rewrite the file of approvals without what does not count",
		Long: `Rewrites the file of this project's approvals. Of equal ones the last stays, what
has expired goes, and so do lines that are no approvals. What is gone is shown.

  permctl approvals compact`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := f.scope(global)
			if err != nil {
				return err
			}
			done, err := s.store.Compact(cmd.Context())
			if err != nil {
				return explainExpiry(err)
			}
			return writeCompaction(cmd.OutOrStdout(), s, done, asJSON)
		},
	}
	cmd.Flags().BoolVar(&global, "global", false, "the file for every project")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// A shownCompaction is what compact writes as JSON.
type shownCompaction struct {
	Path       string          `json:"path"`
	Kept       int             `json:"kept"`
	Duplicates []shownApproval `json:"duplicates"`
	Expired    []shownApproval `json:"expired"`
	Dropped    []shownDropped  `json:"dropped"`
}

type shownDropped struct {
	Problem string `json:"problem"`
	Text    string `json:"text"`
}

func writeCompaction(w io.Writer, s scope, done approvals.Compaction, asJSON bool) error {
	shown := shownCompaction{s.store.Path, done.Kept, s.show(done.Duplicates), s.show(done.Expired), []shownDropped{}}
	for _, dropped := range done.Dropped {
		shown.Dropped = append(shown.Dropped, shownDropped{dropped.Problem.Error(), dropped.Text})
	}
	if asJSON {
		return writeIndented(w, shown)
	}
	err := errors.Join(writeApprovals(w, "duplicate: ", shown.Duplicates), writeApprovals(w, "expired: ", shown.Expired))
	for _, dropped := range shown.Dropped {
		_, lineErr := fmt.Fprintf(w, "dropped: %s\n  %s\n", oneLine(dropped.Problem), oneLine(shorten(dropped.Text)))
		err = errors.Join(err, lineErr)
	}
	_, lastErr := fmt.Fprintf(w, "kept: %d in %s\n", shown.Kept, oneLine(shown.Path))
	return errors.Join(err, lastErr)
}

// shorten returns as much of a text as a person needs to know it again.
func shorten(text string) string {
	const enough = 200
	if len(text) <= enough {
		return text
	}
	return strings.ToValidUTF8(text[:enough], "") + " …"
}

func newApprovalsImport(f *flags) *cobra.Command {
	var global, asJSON bool
	cmd := &cobra.Command{
		Use:   "import [FILE]",
		Short: "Take over what was approved with senpi",
		Long: `Approves for this project what a file of senpi's has, line by line. Without FILE
it is the project's own .senpi/permissions-approved.jsonl, which is removed once
all of it is taken over. The project has to be trusted, for its files may come
from anybody. The exit status is 1 if a line is no approval.

  permctl approvals import
  permctl approvals import ~/.senpi/agent/permissions/approved/HASH.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return hintError{fmt.Errorf("import takes one file, and not %d", len(args)), "import them one after the other"}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.scope(global)
			if err != nil {
				return err
			}
			from, err := f.importable(s, global, args)
			if err != nil {
				return err
			}
			done, err := s.store.Import(cmd.Context(), from)
			if errors.Is(err, fs.ErrNotExist) {
				return hintError{fmt.Errorf("there is nothing to import: %s is not there", from), "name a file: permctl approvals import FILE"}
			}
			if err != nil {
				return explainExpiry(err)
			}
			tell(cmd.ErrOrStderr(), messages(done.Problems))
			if err := writeImport(cmd.OutOrStdout(), s, from, done, asJSON); err != nil || len(done.Problems) == 0 {
				return err
			}
			return end(statusDeny, nil)
		},
	}
	cmd.Flags().BoolVar(&global, "global", false, "approve it for every project")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// importable returns the file to import from. What is for a project or comes
// with it is imported only if a person has trusted the project.
func (f *flags) importable(s scope, global bool, args []string) (string, error) {
	from := s.store.Legacy
	if len(args) > 0 {
		abs, err := absolute(args[0])
		if err != nil {
			return "", err
		}
		if from = abs; sameFile(abs, s.store.Legacy) {
			from = s.store.Legacy
		}
	}
	if from == "" {
		return "", hintError{errors.New("there is no file to import for every project"), "name one: permctl approvals import --global FILE"}
	}
	project, store, err := f.project()
	if err != nil {
		return "", err
	}
	if global && !within(project.Root, from) {
		return from, nil
	}
	status, _, err := store.Status(project)
	switch {
	case err != nil:
		return "", err
	case status == settings.Nothing:
		return "", hintError{fmt.Errorf("%s is not trusted, so nothing of it is imported", project.Root), "permctl init writes settings for it, and permctl trust then trusts it"}
	case status != settings.Trusted:
		return "", hintError{fmt.Errorf("%s is not trusted, so nothing of it is imported", project.Root), "read its settings and trust them: permctl trust"}
	}
	return from, nil
}

// within reports whether a file lies in a folder, whose path is the real one.
func within(dir, file string) bool {
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		real = file
	}
	rel, err := filepath.Rel(dir, real)
	return err != nil || filepath.IsLocal(rel)
}

func writeImport(w io.Writer, s scope, from string, done approvals.Import, asJSON bool) error {
	var found []approvals.Approval
	for _, rule := range done.Rules {
		found = append(found, approvals.Approval{Rule: rule})
	}
	if asJSON {
		return writeIndented(w, map[string]any{
			"from": from, "path": s.store.Path, "imported": s.show(found), "problems": messages(done.Problems), "removed": done.Removed,
		})
	}
	err := writeApprovals(w, "imported: ", s.show(found))
	about := "is left as it is"
	if done.Removed {
		about = "is removed"
	}
	_, lastErr := fmt.Fprintf(w, "%s %s\n", oneLine(from), about)
	return errors.Join(err, lastErr)
}
