package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/input"
)

func newParse(f *flags) *cobra.Command {
	var commands bool
	cmd := &cobra.Command{
		Use:   "parse [TOOL [ARGUMENT]]",
		Short: "Show what a tool call would do",
		Long: `Writes the input document of a tool call, by which policy decides: the requests
it makes, the commands it would run, the paths, URLs and patches. The call is
the one that the arguments name, or the one on standard input, as for check.

  permctl parse bash 'cd src && git push'
  permctl parse --commands bash 'sudo sh -c "rm -rf /"'`,
		Args: toolAndArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			call, err := readCall(cmd, args)
			if err != nil {
				return err
			}
			return parse(f, call, cmd.OutOrStdout(), commands)
		},
	}
	cmd.Flags().BoolVar(&commands, "commands", false, "write one line a command that the call would run")
	return cmd
}

func parse(f *flags, call input.Call, w io.Writer, commands bool) error {
	g, err := f.open("")
	if err != nil {
		return err
	}
	project, err := g.Project(call)
	if err != nil {
		return err
	}
	doc, err := project.Document(call)
	if err != nil {
		return err
	}
	if commands {
		return writeCommands(w, doc)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(doc)
}

// writeCommands writes the commands, and what could not be analysed.
func writeCommands(w io.Writer, doc *input.Document) error {
	var lines []string
	for _, c := range doc.Commands {
		line := oneLine(c.Text)
		if c.Unparsed != "" {
			line = "(unparsed) " + line + ": " + oneLine(c.Unparsed)
		}
		lines = append(lines, line)
	}
	for _, u := range doc.Script.Unparsed {
		line := fmt.Sprintf("(unparsed) %s: %s", oneLine(u.Text), oneLine(u.Reason))
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// oneLine returns text as it is if it can be printed in a line and does not
// steer a terminal, and else as Go writes it.
func oneLine(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return text
	}
	return strconv.Quote(text)
}
