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
	cmd.Flags().BoolVar(&commands, "commands", false, "write the commands that the call would run, and what each does")
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

// writeCommands writes the commands, each with what is known of it, and what could
// not be analysed.
func writeCommands(w io.Writer, doc *input.Document) error {
	var lines []string
	for _, c := range doc.Commands {
		indent := strings.Repeat("  ", len(c.Wrappers))
		if c.Unparsed != "" {
			lines = append(lines, fmt.Sprintf("%s(unparsed) %s: %s", indent, oneLine(c.Text), oneLine(c.Unparsed)))
		} else {
			lines = append(lines, indent+oneLine(c.Text))
		}
		for _, fact := range factsOf(c) {
			lines = append(lines, indent+"    "+oneLine(fact))
		}
	}
	for _, r := range doc.Script.Redirects {
		lines = append(lines, oneLine(fmt.Sprintf("%s %s", r.Op, r.Path)))
	}
	for _, a := range doc.Script.Assigns {
		line := oneLine(a.Source)
		if a.Hazard != "" {
			line += " " + a.Hazard
		}
		lines = append(lines, line)
	}
	for _, u := range doc.Script.Unparsed {
		line := fmt.Sprintf("(unparsed) %s: %s", oneLine(u.Text), oneLine(u.Reason))
		if !slices.ContainsFunc(lines, func(known string) bool { return strings.TrimSpace(known) == line }) {
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

// factsOf returns what is known of a command beyond its words.
func factsOf(c input.Command) []string {
	var facts []string
	if c.Dir != "" && c.Dir != "." || c.DirDynamic {
		dir := c.Dir
		if c.DirDynamic {
			dir = "a directory that only run time knows"
		}
		facts = append(facts, "in "+dir)
	}
	for _, o := range c.Operations {
		verb := map[string]string{"read": "reads", "write": "writes", "delete": "deletes"}[string(o.Effect)]
		if !o.Listed {
			verb = "names"
		}
		facts = append(facts, verb+" "+o.Path)
	}
	for _, h := range c.Hazards {
		facts = append(facts, h.Word+" "+h.Reason)
	}
	return facts
}

// oneLine returns text as it is if it can be printed in a line and does not
// steer a terminal, and else as Go writes it.
func oneLine(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return text
	}
	return strconv.Quote(text)
}
