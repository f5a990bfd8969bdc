package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/settings"
)

func newRules(f *flags) *cobra.Command {
	var tools []string
	var data, asJSON bool
	var agent string
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List the rules in force, and those that can never decide",
		Long: `Lists the rules in force by layer, lowest first: of the rules that match, the
last one decides. A rule that can never decide is marked, with the reason.

With --tools, it lists which of the tools are denied whatever their input, so
that an agent need not offer them. With --data, it writes the document that,
with the shipped policy, makes any OPA decide as permctl does.

  permctl rules
  permctl rules --tools bash,edit,webfetch
  permctl rules --data > data.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			project, policy, err := inForce(f, agent)
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			tell(cmd.ErrOrStderr(), unknownAgent(project, agent))
			switch {
			case cmd.Flags().Changed("tools"):
				return writeHidden(w, cmd.ErrOrStderr(), policy, tools, asJSON)
			case data:
				return writeIndented(w, policy.Data())
			case asJSON:
				return writeIndented(w, policy.Layers())
			}
			tell(cmd.ErrOrStderr(), project.Warnings())
			return errors.Join(writeRules(w, project, policy), writePolicies(w, project.Config(agent).Sources))
		},
	}
	cmd.Flags().StringSliceVar(&tools, "tools", nil, "say which of `TOOLS`, separated by commas, are denied whatever their input")
	cmd.Flags().BoolVar(&data, "data", false, "write the rules, approvals and tables as OPA's data document")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.Flags().StringVar(&agent, "agent", "", "the rules for the agent `NAME`")
	cmd.MarkFlagsMutuallyExclusive("tools", "data")
	return cmd
}

// inForce returns the project of this directory, and what decides the agent's
// calls in it.
func inForce(f *flags, agent string) (*gate.Project, *engine.Engine, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	g, err := f.open(cwd)
	if err != nil {
		return nil, nil, err
	}
	project, err := g.Project(input.Call{Cwd: cwd})
	if err != nil {
		return nil, nil, err
	}
	policy, err := project.Engine(agent)
	return project, policy, err
}

func writeIndented(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// unknownAgent is a warning if no settings speak of the agent: its rules are then
// those of any agent.
func unknownAgent(project *gate.Project, agent string) []string {
	known := project.Settings(agent).Agents()
	if agent == "" || slices.Contains(known, agent) {
		return nil
	}
	return []string{fmt.Sprintf("no settings speak of an agent %q%s: the rules are those of any agent", agent, permission.DidYouMean(agent, known...))}
}

// writeHidden writes which of the tools are hidden. That none is, and which names
// are most likely misspelt, it tells a person.
func writeHidden(w, warn io.Writer, policy *engine.Engine, tools []string, asJSON bool) error {
	if len(tools) == 0 {
		return hintError{errors.New("--tools names no tool"), "give it names separated by commas: --tools bash,edit"}
	}
	hidden := []string{}
	for _, tool := range tools {
		if mean := input.Misspelt(tool); mean != "" {
			tell(warn, []string{fmt.Sprintf("no tool that permctl knows is called %q%s", tool, mean)})
		}
		if policy.Hidden(input.PermissionOf(tool)) {
			hidden = append(hidden, tool)
		}
	}
	if asJSON {
		return writeIndented(w, map[string][]string{"hidden": hidden})
	}
	if len(hidden) == 0 {
		fmt.Fprintln(warn, "permctl: none of the tools is denied whatever its input")
	}
	for _, tool := range hidden {
		if _, err := fmt.Fprintln(w, tool); err != nil {
			return err
		}
	}
	return nil
}

// writeRules writes the rules by layer, and marks those that never decide.
func writeRules(w io.Writer, project *gate.Project, policy *engine.Engine) error {
	colour := paint(w)
	var b strings.Builder
	fmt.Fprintf(&b, "workspace %s\n", oneLine(project.Root()))
	layers := policy.Layers()
	for i, layer := range layers {
		if len(layer.Rules) == 0 && layer.Preset == "" {
			continue
		}
		fmt.Fprintf(&b, "\n%s%s\n", colour("1", string(layer.Name)), aboutLayer(project, layer))
		var rows strings.Builder
		table := tabwriter.NewWriter(&rows, 0, 8, 2, ' ', 0)
		for j, r := range layer.Rules {
			later := append([]permission.Rule{}, layer.Rules[j+1:]...)
			for _, l := range layers[i+1:] {
				if l.Trust != permission.TrustNone || layer.Trust == permission.TrustNone {
					later = append(later, l.Rules...)
				}
			}
			fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%s\n", r.Action, oneLine(r.Permission), quotedPattern(r.Pattern), oneLine(r.Source), oneLine(idle(r, layer, later)))
		}
		if err := table.Flush(); err != nil {
			return err
		}
		for row := range strings.Lines(rows.String()) {
			b.WriteString(strings.TrimRight(row, " \n") + "\n") // a row without a mark ends in blanks
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writePolicies writes the files of the Rego policies in force, and who stands
// behind them.
func writePolicies(w io.Writer, sources []engine.Source) error {
	if len(sources) == 0 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n", paint(w)("1", "policies"))
	for _, source := range sources {
		about := string(source.Trust)
		if source.Trust == permission.TrustNone {
			about = "untrusted: it can only tighten"
		}
		for _, file := range slices.Sorted(maps.Keys(source.Modules)) {
			fmt.Fprintf(&b, "  %s (%s)\n", oneLine(file), about)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func aboutLayer(project *gate.Project, layer permission.Layer) string {
	about := ""
	if layer.Preset != "" {
		about = ": " + layer.Preset
	}
	if layer.Source != "" && layer.Preset == "" {
		about += " (" + layer.Source + ")"
	}
	if layer.Trust == permission.TrustNone {
		about += ", untrusted: it can only tighten"
		if project.Trust() == settings.Changed {
			about += ", for its files have changed"
		}
	}
	return about
}

// quotedPattern returns a pattern so that blanks at its ends can be seen.
func quotedPattern(pattern string) string {
	if strings.TrimSpace(pattern) != pattern || pattern == "" {
		return fmt.Sprintf("%q", pattern)
	}
	return oneLine(pattern)
}

// idle says why a rule can never decide, or is empty.
func idle(r permission.Rule, layer permission.Layer, later []permission.Rule) string {
	if layer.Name == permission.LayerApprovals {
		later = nil
	}
	if why := permission.Unmatchable(r.Permission, r.Pattern); why != "" {
		return "never decides: " + why
	}
	if !input.KnownPermission(r.Permission) {
		return "never decides, as far as is known: no known tool needs " + r.Permission
	}
	if by := permission.ShadowedBy(r, later); by != nil {
		return fmt.Sprintf("never decides: %s: {%q: %s} comes later (%s)", by.Permission, by.Pattern, by.Action, by.Source)
	}
	return ""
}
