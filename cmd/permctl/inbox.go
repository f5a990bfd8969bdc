package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/inbox"
)

func newInbox(_ *flags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "inbox",
		Short: "Answer what waits for a person, live in the terminal",
		Long: `Shows the tool calls that wait for a person as they come, and takes an answer a
key: o once, a always (with what it would save, and what that would match), r
reject, m reject with a message that the agent is told. Of the chosen call it
shows all of it, with the part marked that has to be asked for, what each command
does, and the rule or floor behind. ? says what other keys do, and q leaves.

  permctl inbox`,
		Args: noArguments,
	}
	socket := socketFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		in, inOK := cmd.InOrStdin().(*os.File)
		out, outOK := cmd.OutOrStdout().(*os.File)
		if !inOK || !outOK || !isTerminal(in) || !isTerminal(out) || os.Getenv("TERM") == "dumb" {
			return hintError{inbox.ErrNoTerminal, "without one, use permctl pending and permctl reply"}
		}
		c, err := dial(*socket)
		if err != nil {
			return err
		}
		defer c.Close()
		ctx, cancel := requesting(cmd.Context())
		_, err = c.Status(ctx)
		if cancel(); err != nil {
			return forPerson(err)
		}
		stays(100)
		err = inbox.Run(cmd.Context(), inbox.Config{Client: c, In: in, Out: out, Colour: os.Getenv("NO_COLOR") == ""})
		if errors.Is(err, inbox.ErrNoTerminal) {
			return hintError{err, "without one, use permctl pending and permctl reply"}
		}
		return err
	}
	return cmd
}
