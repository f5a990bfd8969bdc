package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
	"github.com/permctl/permctl/internal/inbox"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/screen"
)

// An answering is what permctl reply is told to do.
type answering struct {
	id       string
	word     api.Word
	message  string
	patterns []string
	scope    api.Scope
	lasting  time.Duration
	yes      bool
	json     bool
}

func newReply(_ *flags) *cobra.Command {
	var a answering
	var scope string
	cmd := &cobra.Command{
		Use:   "reply ID once|always|reject",
		Short: "Answer a tool call that waits for a person",
		Long: `Answers a tool call that permctl pending lists. The id may be the end of one, of
four characters or more, if no other has it. A beginning has to be longer, for ids
begin with the time: all but the last six characters. If only one call waits, its
id may be -, and the call is shown.

once lets this one call pass. always lets it pass, and saves the patterns that
are offered as approvals, or those of them that --pattern names: what they would
match is shown first, and has to be confirmed. reject denies it, with a message
that the agent is told, and rejects what else its session waits for.

The exit status is 0 if it is answered, 1 if nothing waits by that id or somebody
else was first, and 2 for anything else.

  permctl reply - once
  permctl reply 7FQ2 always --pattern 'git push *' --scope session
  permctl reply 7FQ2 reject -m 'push to a branch of your own'`,
	}
	socket := socketFlag(cmd)
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) != 2 {
			return hintError{fmt.Errorf("reply takes an id and a reply, and not %d words", len(args)), "permctl reply - once, or see permctl pending for the ids"}
		}
		a.id, a.word, a.scope = args[0], api.Word(args[1]), api.Scope(scope)
		return a.check(cmd)
	}
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) != 1 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return texts(api.Words), cobra.ShellCompDirectiveNoFileComp
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, err := dial(*socket)
		if err != nil {
			return err
		}
		defer c.Close()
		return a.answer(cmd.Context(), c, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	cmd.Flags().StringVarP(&a.message, "message", "m", "", "with reject: the `TEXT` that the agent is told")
	cmd.Flags().StringArrayVar(&a.patterns, "pattern", nil, "with always: save only this one of the offered `PATTERN`s (repeatable)")
	cmd.Flags().StringVar(&scope, "scope", "", "with always: `WHERE` it holds, which is session, project (the default) or global")
	cmd.Flags().DurationVar(&a.lasting, "for", 0, "with always: the `TIME` for which it holds, such as 24h (default: for good)")
	cmd.Flags().BoolVar(&a.yes, "yes", false, "with always: do not ask for confirmation")
	cmd.Flags().BoolVar(&a.json, "json", false, "write the daemon's answer as one line of JSON")
	return cmd
}

// texts returns a list of words as a list of strings.
func texts[T ~string](words []T) []string {
	var list []string
	for _, word := range words {
		list = append(list, string(word))
	}
	return list
}

// check refuses what cannot be meant, before anything is asked of the daemon.
func (a *answering) check(cmd *cobra.Command) error {
	if !slices.Contains(api.Words, a.word) {
		err := fmt.Errorf("unknown reply %s%s: use once, always or reject", oneLine(string(a.word)), permission.DidYouMean(string(a.word), texts(api.Words)...))
		return hintError{err, "the id comes first: permctl reply ID " + string(api.Once)}
	}
	if a.id == "" {
		return hintError{errors.New("the id is empty"), "see permctl pending, or give - if only one call waits"}
	}
	for _, flag := range []struct {
		name string
		word api.Word
	}{{"message", api.Reject}, {"pattern", api.Always}, {"scope", api.Always}, {"for", api.Always}, {"yes", api.Always}} {
		if cmd.Flag(flag.name).Changed && a.word != flag.word {
			return hintError{fmt.Errorf("--%s goes with %s only, and not with %s", flag.name, flag.word, a.word), "see permctl reply --help"}
		}
	}
	switch {
	case cmd.Flag("message").Changed && strings.TrimSpace(a.message) == "":
		return hintError{errors.New("--message is empty"), "say what the agent is to do instead, or leave it out"}
	case cmd.Flag("scope").Changed && !slices.Contains(api.Scopes, a.scope):
		err := fmt.Errorf("unknown scope %s%s", oneLine(string(a.scope)), permission.DidYouMean(string(a.scope), texts(api.Scopes)...))
		return hintError{err, "use session, project or global"}
	case cmd.Flag("for").Changed && a.lasting <= 0:
		return hintError{fmt.Errorf("--for %v: is no time for which an approval can hold", a.lasting), "give it a time like 24h, or leave it out"}
	}
	return nil
}

// answer replies to the request, and says what came of it.
func (a *answering) answer(ctx context.Context, c *client.Client, in io.Reader, out, warn io.Writer) error {
	p, waits, err := a.find(ctx, c)
	if err != nil {
		return outcome(err)
	}
	if a.id == "-" {
		fmt.Fprintf(warn, "permctl: what waits is %s: %s\n", screen.Line(p.ID, 0), screen.Line(p.Title, 0))
	}
	reply := api.Reply{Reply: a.word, Message: a.message, Scope: a.scope, For: api.Duration(a.lasting), By: "permctl reply"}
	if a.word == api.Always && waits {
		if reply.Offers, err = a.chosen(p); err != nil {
			return err
		}
		shown := out
		if a.json {
			shown = warn
		}
		if err := a.show(ctx, c, shown, p, reply.Offers); err != nil {
			return outcome(err)
		}
		if err := a.confirm(ctx, in, warn); err != nil {
			return err
		}
	}
	limit, cancel := requesting(ctx)
	defer cancel()
	replied, err := c.Reply(limit, p.ID, reply)
	switch {
	case err != nil:
		return outcome(err)
	case a.json:
		return writeJSON(out, replied)
	}
	return tellReplied(out, p, replied)
}

// outcome returns the error that ends the program: with the status of a denied
// call if there is nothing to answer any more.
func outcome(err error) error {
	said, ok := errors.AsType[*client.Error](err)
	if ok && (said.Status == http.StatusNotFound || said.Status == http.StatusConflict) {
		if said.Hint == "" {
			err = hintError{err, "see permctl pending"}
		}
		return end(statusDeny, forPerson(err))
	}
	return forPerson(err)
}

// find returns the request that the id means, and whether it waits. Of one that
// does not, or that is too large to be shown, only the whole id is known: the daemon
// can say what came of it.
func (a *answering) find(ctx context.Context, c *client.Client) (p api.Pending, waits bool, err error) {
	ctx, cancel := requesting(ctx)
	defer cancel()
	if strings.HasPrefix(a.id, "per_") {
		switch p, err := c.Get(ctx, a.id); {
		case err == nil:
			return p, true, nil
		case errors.Is(err, client.ErrTooLarge) && a.word == api.Always:
			return p, false, hintError{errors.New("the call is too large to show what an always would save"), "answer once or reject"}
		case len(a.id) >= wholeID && (isMissing(err) || errors.Is(err, client.ErrTooLarge)):
			return api.Pending{ID: a.id}, false, nil
		case !isMissing(err):
			return p, false, err
		}
	}
	all, err := c.Pending(ctx, "")
	if err != nil {
		return p, false, err
	}
	var found []api.Pending
	for _, one := range all {
		if a.id == "-" || shortens(a.id, one.ID) {
			found = append(found, one)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], true, nil
	case len(found) > 1 && a.id == "-":
		return p, false, hintError{fmt.Errorf("- means the one call that waits, and there are %d", len(found)), "name one of " + listed(found)}
	case len(found) > 1:
		return p, false, hintError{fmt.Errorf("the id %s means %d calls that wait", oneLine(a.id), len(found)), "name one of " + listed(found)}
	case a.id == "-":
		return p, false, &client.Error{Status: http.StatusNotFound, Message: "nothing waits for an answer"}
	}
	return p, false, &client.Error{
		Status: http.StatusNotFound, Message: "nothing waits for an answer by the id " + oneLine(a.id),
		Hint: fmt.Sprintf("see permctl pending; an id can be shortened to its last %d characters", leastShort),
	}
}

// isMissing reports whether the daemon says that there is no such request.
func isMissing(err error) bool {
	said, ok := errors.AsType[*client.Error](err)
	return ok && said.Status == http.StatusNotFound
}

// An id is per_, the time, and what chance has made. Of the latter, a shortened one
// has to have so many characters: what agents ask for later begins the same.
const (
	timeID     = len("per_") + 14
	wholeID    = timeID + 10
	leastShort = 4
)

// shortens reports whether short is an end or a beginning of an id, and long
// enough not to be that of another by the way.
func shortens(short, id string) bool {
	if len(short) >= leastShort && strings.HasSuffix(id, short) {
		return true
	}
	whole := "per_" + strings.TrimPrefix(short, "per_")
	return len(whole) >= timeID+leastShort && strings.HasPrefix(id, whole)
}

// maxListed is how many ids a hint names.
const maxListed = 5

func listed(found []api.Pending) string {
	var ids []string
	for _, p := range found {
		ids = append(ids, oneLine(p.ID))
	}
	if len(ids) > maxListed {
		return strings.Join(ids[:maxListed], ", ") + ", …"
	}
	return strings.Join(ids, ", ")
}

// chosen returns the offers that are to be saved.
func (a *answering) chosen(p api.Pending) ([]api.Offer, error) {
	if len(p.Offers) == 0 {
		return nil, hintError{errors.New("there is no always for this call: nothing that could be saved would allow it"), "answer once or reject"}
	}
	if len(a.patterns) == 0 {
		return p.Offers, nil
	}
	var patterns []string
	for _, offer := range p.Offers {
		patterns = append(patterns, oneLine(offer.Pattern))
	}
	var chosen []api.Offer
	for _, pattern := range a.patterns {
		before := len(chosen)
		for _, offer := range p.Offers {
			if offer.Pattern == pattern && !slices.ContainsFunc(chosen, offer.Same) {
				chosen = append(chosen, offer)
			}
		}
		if len(chosen) == before && !slices.ContainsFunc(chosen, func(o api.Offer) bool { return o.Pattern == pattern }) {
			err := fmt.Errorf("%q is not offered for this call%s", pattern, permission.DidYouMean(pattern, patterns...))
			return nil, hintError{err, "offered are: " + strings.Join(patterns, ", ")}
		}
	}
	return chosen, nil
}

// show says what an "always" would save, and what that would match.
func (a *answering) show(ctx context.Context, c *client.Client, w io.Writer, p api.Pending, offers []api.Offer) error {
	ctx, cancel := requesting(ctx)
	defer cancel()
	var b strings.Builder
	fmt.Fprintf(&b, "always lets pass: %s\nand saves for %s:\n", screen.Line(p.Title, 0), holds(a.scope, a.lasting))
	for _, offer := range offers {
		fmt.Fprintf(&b, "  %s  %s\n", screen.Line(offer.Permission, 0), screen.Line(offer.Pattern, 0))
		preview, err := c.Preview(ctx, p.ID, offer)
		if err != nil {
			return err
		}
		if len(preview.Examples) == 0 {
			preview.Examples = offer.Examples
		}
		for _, line := range inbox.Matches(preview, time.Now()) {
			fmt.Fprintf(&b, "      %s\n", screen.Line(line, 0))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// holds says where and for how long an approval holds.
func holds(scope api.Scope, lasting time.Duration) string {
	where := map[api.Scope]string{api.Session: "this session", api.Global: "all projects"}[scope]
	if where == "" {
		where = "this project"
	}
	if lasting > 0 {
		return where + " and " + lasting.String()
	}
	return where
}

// confirm asks a person whether it is to be saved.
func (a *answering) confirm(ctx context.Context, in io.Reader, w io.Writer) error {
	switch {
	case a.yes, !isTerminal(in) && len(a.patterns) > 0:
		return nil
	case !isTerminal(in):
		return hintError{errors.New("always needs a person's confirmation, and standard input is no terminal"), "confirm with --yes, or name what to save with --pattern"}
	}
	fmt.Fprint(w, "Save it? [y/N] ")
	answers := make(chan string, 1)
	go func() { // what it reads nobody else could; it ends with the process if the person says nothing
		line, err := bufio.NewReader(in).ReadString('\n')
		if err != nil {
			line = ""
		}
		answers <- line
	}()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case line := <-answers:
		if word := strings.ToLower(strings.TrimSpace(line)); word == "y" || word == "yes" {
			return nil
		}
		return errors.New("nothing is answered: it was not confirmed")
	}
}

// tellReplied says what came of a reply.
func tellReplied(w io.Writer, p api.Pending, replied api.Replied) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", screen.Line(replied.ID, 0), screen.Line(string(replied.Reply), 0))
	if p.Title != "" {
		fmt.Fprintf(&b, ": %s", screen.Line(p.Title, 0))
	}
	b.WriteString("\n")
	for _, offer := range replied.Saved {
		fmt.Fprintf(&b, "  saved %s  %s\n", screen.Line(offer.Permission, 0), screen.Line(offer.Pattern, 0))
	}
	for _, id := range replied.Released {
		fmt.Fprintf(&b, "  lets pass also %s\n", screen.Line(id, 0))
	}
	for _, id := range replied.Rejected {
		fmt.Fprintf(&b, "  rejects also %s\n", screen.Line(id, 0))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
