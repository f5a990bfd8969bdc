package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/approvals"
)

func newApprovals(f *flags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "approvals",
		Short: "Show and take back what was approved for good",
		Long: `What a person has approved for good is a line of a file: one for this project,
and one for every project (--global). It satisfies what the rules ask for, and
neither a deny nor a floor.

  permctl approvals list
  permctl approvals revoke bash 'git push *'`,
		Args: knownCommand,
		RunE: showHelp,
	}
	cmd.AddCommand(
		newApprovalsList(f), newApprovalsRevoke(f), newApprovalsCompact(f), newApprovalsImport(f), newApprovalsPath(f), newApprovalsVerify(f),
	)
	return cmd
}

// A scope is what a file of approvals counts for.
type scope struct {
	name  string // project, global, or file for one that a flag names
	store *approvals.Store
}

// scopes returns the files of approvals that count here, or just the one for
// every project.
func (f *flags) scopes(global bool) ([]scope, error) {
	if global && f.approvals != "" {
		return nil, hintError{errors.New("--approvals names a file that counts instead of the global one"), "leave out --global or --approvals"}
	}
	config, err := f.config("")
	if err != nil {
		return nil, err
	}
	root, err := f.root()
	if err != nil {
		return nil, err
	}
	stores, err := config.Stores(root)
	switch {
	case err != nil:
		return nil, err
	case stores.Global == stores.Project:
		return []scope{{"file", stores.Project}}, nil
	case global:
		return []scope{{"global", stores.Global}}, nil
	default:
		return []scope{{"global", stores.Global}, {"project", stores.Project}}, nil
	}
}

// scope returns the file of approvals that a command changes.
func (f *flags) scope(global bool) (scope, error) {
	found, err := f.scopes(global)
	if err != nil {
		return scope{}, err
	}
	return found[len(found)-1], nil
}

// A shownApproval is an approval as commands write it.
type shownApproval struct {
	Permission string     `json:"permission"`
	Pattern    string     `json:"pattern"`
	Scope      string     `json:"scope"`
	Until      *time.Time `json:"until,omitempty"`
	Expired    bool       `json:"expired"`
	Source     string     `json:"source"`
}

func (s scope) show(found []approvals.Approval) []shownApproval {
	shown := []shownApproval{}
	for _, a := range found {
		one := shownApproval{Permission: a.Permission, Pattern: a.Pattern, Scope: s.name, Expired: a.Expired(time.Now()), Source: a.Source}
		if !a.Until.IsZero() {
			one.Until = &a.Until
		}
		shown = append(shown, one)
	}
	return shown
}

// expiry says until when an approval holds.
func (a shownApproval) expiry() string {
	switch {
	case a.Until == nil:
		return "for ever"
	case a.Expired:
		return "expired " + a.Until.Local().Format(time.DateTime)
	default:
		return "until " + a.Until.Local().Format(time.DateTime)
	}
}

// writeApprovals writes approvals in columns, each behind the word.
func writeApprovals(w io.Writer, word string, shown []shownApproval) error {
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, a := range shown {
		_, err := fmt.Fprintf(table, "%s%s\t%s\t%s\t%s\t%s\n", word, oneLine(a.Permission), quotedPattern(a.Pattern), a.Scope, a.expiry(), oneLine(a.Source))
		if err != nil {
			return err
		}
	}
	return table.Flush()
}

func newApprovalsList(f *flags) *cobra.Command {
	var global, asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List what was approved for good, and until when",
		Long: `Lists what was approved for this project and for every project: the permission,
the pattern, what it counts for, until when, and where it stands. What has
expired is listed until the file is compacted.

  permctl approvals list
  permctl approvals list --global --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			scopes, err := f.scopes(global)
			if err != nil {
				return err
			}
			return listApprovals(cmd.OutOrStdout(), cmd.ErrOrStderr(), scopes, asJSON)
		},
	}
	cmd.Flags().BoolVar(&global, "global", false, "only what counts for every project")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

func listApprovals(w, warn io.Writer, scopes []scope, asJSON bool) error {
	shown := []shownApproval{}
	for _, s := range scopes {
		found, problems, err := s.store.Read()
		if err != nil {
			return err
		}
		tell(warn, messages(problems))
		shown = append(shown, s.show(found)...)
	}
	if asJSON {
		return writeIndented(w, shown)
	}
	if len(shown) == 0 {
		fmt.Fprintln(warn, "permctl: nothing is approved for good")
	}
	return writeApprovals(w, "", shown)
}

// messages returns what errors say. It is never nil, so that it is a list in JSON.
func messages(errs []error) []string {
	said := make([]string, len(errs))
	for i, err := range errs {
		said[i] = err.Error()
	}
	return said
}

func newApprovalsPath(f *flags) *cobra.Command {
	var global, asJSON bool
	cmd := &cobra.Command{
		Use:   "path",
		Short: "Print where this project's approvals are",
		Long: `Prints the path of the file of this project's approvals, or of those for every
project, whether it is there or not. With --json, it prints both.

  permctl approvals path
  permctl approvals path --global`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			scopes, err := f.scopes(global)
			if err != nil {
				return err
			}
			if asJSON {
				paths := map[string]string{}
				for _, s := range scopes {
					paths[s.name] = s.store.Path
				}
				return writeIndented(cmd.OutOrStdout(), paths)
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), scopes[len(scopes)-1].store.Path)
			return err
		},
	}
	cmd.Flags().BoolVar(&global, "global", false, "the file for every project")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

func newApprovalsVerify(f *flags) *cobra.Command {
	var global, asJSON bool
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check the files of approvals, and change nothing",
		Long: `Checks each line, the expiries, and who may read and write the files. The exit
status is 1 if there is a problem. Approvals that are there twice or have expired
are counted, and are none.

  permctl approvals verify`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			scopes, err := f.scopes(global)
			if err != nil {
				return err
			}
			return verifyApprovals(cmd.OutOrStdout(), scopes, asJSON)
		},
	}
	cmd.Flags().BoolVar(&global, "global", false, "only the file for every project")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// A shownReport is a report on a file of approvals as verify writes it.
type shownReport struct {
	Path       string   `json:"path"`
	Scope      string   `json:"scope"`
	Approvals  int      `json:"approvals"`
	Duplicates int      `json:"duplicates"`
	Expired    int      `json:"expired"`
	Problems   []string `json:"problems"`
}

func verifyApprovals(w io.Writer, scopes []scope, asJSON bool) error {
	var reports []shownReport
	for _, s := range scopes {
		r, err := s.store.Verify()
		if err != nil {
			return err
		}
		reports = append(reports, shownReport{s.store.Path, s.name, r.Valid, len(r.Duplicates), len(r.Expired), messages(r.Problems)})
	}
	var err error
	if asJSON {
		err = writeIndented(w, reports)
	} else {
		err = writeReports(w, reports)
	}
	if err == nil && slices.ContainsFunc(reports, func(r shownReport) bool { return len(r.Problems) > 0 }) {
		return end(statusDeny, nil)
	}
	return err
}

func writeReports(w io.Writer, reports []shownReport) error {
	var b strings.Builder
	for _, r := range reports {
		fmt.Fprintf(&b, "%s: %s\n  approvals %d, duplicates %d, expired %d, problems %d\n", r.Scope, oneLine(r.Path), r.Approvals, r.Duplicates, r.Expired, len(r.Problems))
		for _, problem := range r.Problems {
			fmt.Fprintf(&b, "  %s\n", oneLine(problem))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// completeApprovals completes a permission, and then a pattern of it.
func (f *flags) completeApprovals(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	global, err := cmd.Flags().GetBool("global")
	if err != nil || len(args) > 1 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	s, err := f.scope(global)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	found, _, err := s.store.Read()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var offered []cobra.Completion
	for _, a := range found {
		switch {
		case strings.ContainsAny(a.Permission+a.Pattern, "\n\t"): // which ends what the shell is told
		case len(args) == 0:
			offered = append(offered, a.Permission)
		case a.Permission == args[0]:
			offered = append(offered, a.Pattern)
		}
	}
	slices.Sort(offered)
	return slices.Compact(offered), cobra.ShellCompDirectiveNoFileComp
}

// sameFile reports whether two paths name one file, itself and not through a
// link.
func sameFile(a, b string) bool {
	one, err := os.Lstat(a)
	if err != nil {
		return false
	}
	other, err := os.Lstat(b)
	return err == nil && os.SameFile(one, other)
}
