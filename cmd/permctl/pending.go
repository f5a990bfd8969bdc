package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
	"github.com/permctl/permctl/internal/inbox"
	"github.com/permctl/permctl/internal/screen"
)

func newPending(_ *flags) *cobra.Command {
	var asJSON, watch bool
	var session string
	cmd := &cobra.Command{
		Use:   "pending",
		Short: "List what waits for a person",
		Long: `Lists the tool calls that wait for a person's answer: id, age, session,
workspace, the call, and what decides that it has to be asked for. They are
answered by permctl reply, or in permctl inbox, which shows them in full.

With --watch, it goes on with what comes and what is answered, and whoever
watches on a terminal counts as a person who can answer.

  permctl pending
  permctl pending --json --session s1
  permctl pending --watch`,
		Args: noArguments,
	}
	socket := socketFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if flag := cmd.Flag("session"); flag.Changed && session == "" {
			return hintError{errors.New("--session is empty"), "give it a value, or leave it out"}
		}
		c, err := dial(*socket)
		if err != nil {
			return err
		}
		defer c.Close()
		w := cmd.OutOrStdout()
		if watch {
			stays(100)
			out := watcher{client: c, session: session, json: asJSON, w: w, warn: cmd.ErrOrStderr()}
			return out.run(cmd.Context(), !isTerminal(w))
		}
		ctx, cancel := requesting(cmd.Context())
		defer cancel()
		found, err := c.Pending(ctx, session)
		if err != nil {
			return forPerson(err)
		}
		if asJSON {
			return writeJSON(w, found)
		}
		return writePending(w, found, time.Now())
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON: an array, or with --watch an event a line")
	cmd.Flags().BoolVar(&watch, "watch", false, "go on with what comes, until interrupted")
	cmd.Flags().StringVar(&session, "session", "", "only those of the session `ID`")
	return cmd
}

// The widest that columns of the table are on a terminal.
const (
	maxSession   = 12
	maxWorkspace = 24
	maxTitle     = 48
)

// writePending writes a table of requests. On a terminal its columns have limits,
// and a row is a line.
func writePending(w io.Writer, found []api.Pending, now time.Time) error {
	if len(found) == 0 {
		_, err := fmt.Fprintln(w, "nothing waits for an answer")
		return err
	}
	rows := [][]string{{"ID", "AGE", "SESSION", "WORKSPACE", "CALL", "DECIDES"}}
	for _, p := range found {
		rows = append(rows, row(p, now))
	}
	columns := width(w)
	limits := []int{0, 0, maxSession, maxWorkspace, maxTitle, 0}
	if columns == 0 {
		limits = make([]int, len(limits))
	}
	widths := make([]int, len(limits))
	for _, cells := range rows {
		for i, cell := range cells {
			if widths[i] = max(widths[i], screen.Width(cell)); limits[i] > 0 {
				widths[i] = min(widths[i], limits[i])
			}
		}
	}
	var b strings.Builder
	for _, cells := range rows {
		var line strings.Builder
		for i, cell := range cells[:len(cells)-1] {
			line.WriteString(screen.Pad(cell, widths[i]) + "  ")
		}
		line.WriteString(cells[len(cells)-1])
		b.WriteString(strings.TrimRight(screen.Line(line.String(), columns), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func row(p api.Pending, now time.Time) []string {
	title := p.Title
	if title == "" {
		title = p.Metadata.Tool
	}
	return []string{p.ID, inbox.Age(now.Sub(p.Asked)), p.SessionID, p.Workspace, title, strings.Join(inbox.Reasons(p.Decision), "; ")}
}

// width returns how many columns the terminal w has, or 0 if it is none.
func width(w io.Writer) int {
	file, ok := w.(*os.File)
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// A watcher writes what waits, what comes, and what is answered.
type watcher struct {
	client  *client.Client
	session string // all if empty
	json    bool
	w, warn io.Writer

	// known are the requests that were written and wait.
	known map[string]api.Pending
}

func (o *watcher) run(ctx context.Context, observe bool) error {
	o.known = map[string]api.Pending{}
	lost := ""
	for event, err := range o.client.Events(ctx, observe) {
		switch {
		case err != nil && lost != err.Error():
			lost = err.Error()
			fmt.Fprintln(o.warn, "permctl: warning:", oneLine(forPerson(err).Error())+"; trying again")
		case err != nil:
		default:
			if event.Kind == client.EventConnected && lost != "" {
				lost = ""
				fmt.Fprintln(o.warn, "permctl: connected")
			}
			if err := o.event(ctx, event); err != nil {
				return err
			}
		}
	}
	return nil // it was interrupted, which is how a watch ends
}

func (o *watcher) event(ctx context.Context, event api.Event) error {
	switch event.Kind {
	case client.EventConnected, api.EventReset:
		return o.list(ctx)
	case api.EventAsked:
		var p api.Pending
		if err := json.Unmarshal(event.Data, &p); err != nil {
			return err
		}
		return o.asked(p)
	case api.EventReplied:
		var outcome api.Outcome
		if err := json.Unmarshal(event.Data, &outcome); err != nil {
			return err
		}
		return o.replied(outcome)
	}
	return nil
}

// list writes what waits and is not known, and forgets what does not wait. A
// daemon that is gone again is no error: its events will say so.
func (o *watcher) list(ctx context.Context) error {
	ctx, cancel := requesting(ctx)
	defer cancel()
	found, err := o.client.Pending(ctx, o.session)
	if err != nil {
		fmt.Fprintln(o.warn, "permctl: warning:", oneLine(forPerson(err).Error()))
		return nil
	}
	for id, p := range o.known {
		if !slices.ContainsFunc(found, func(p api.Pending) bool { return p.ID == id }) {
			if err := o.replied(api.Outcome{RequestID: id, SessionID: p.SessionID}); err != nil {
				return err
			}
		}
	}
	for _, p := range found {
		if err := o.asked(p); err != nil {
			return err
		}
	}
	return nil
}

func (o *watcher) asked(p api.Pending) error {
	if _, known := o.known[p.ID]; known || o.session != "" && o.session != p.SessionID {
		return nil
	}
	o.known[p.ID] = p
	if o.json {
		return writeJSON(o.w, told{api.EventAsked, p})
	}
	_, err := fmt.Fprintln(o.w, screen.Line(strings.Join(row(p, time.Now()), "  "), width(o.w)))
	return err
}

func (o *watcher) replied(outcome api.Outcome) error {
	if _, known := o.known[outcome.RequestID]; !known {
		return nil
	}
	delete(o.known, outcome.RequestID)
	if o.json {
		return writeJSON(o.w, told{api.EventReplied, outcome})
	}
	_, err := fmt.Fprintln(o.w, screen.Line(outcome.RequestID+"  "+inbox.How(outcome), width(o.w)))
	return err
}

// A told is an event as --watch --json writes it.
type told struct {
	Event string `json:"event"`
	Data  any    `json:"data"`
}
