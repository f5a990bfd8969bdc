package foreign

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/permctl/permctl/internal/permission"
)

// A section is a permission in settings, and its rules.
type section struct {
	permission string
	rules      []Rule
}

// sectionsOf returns rules as settings have them, each permission once and each
// pattern of it once. It is not ok if the order of the rules cannot be kept so.
func sectionsOf(rules []Rule) (sections []section, ok bool) {
	for _, r := range rules {
		i := slices.IndexFunc(sections, func(s section) bool { return s.permission == r.Permission })
		if i < 0 {
			sections = append(sections, section{r.Permission, []Rule{r}})
			continue
		}
		for _, later := range sections[i+1:] {
			says := func(earlier Rule) bool { return earlier.Action != r.Action }
			if meet(later.permission, r.Permission) && slices.ContainsFunc(later.rules, says) {
				return nil, false
			}
		}
		s := &sections[i]
		// A pattern that comes again decides at its last place only.
		s.rules = slices.DeleteFunc(s.rules, func(earlier Rule) bool { return earlier.Pattern == r.Pattern })
		s.rules = append(s.rules, r)
	}
	return sections, true
}

// meet reports whether some tool's permission may match both.
func meet(a, b string) bool {
	if strings.ContainsAny(a, "*?") && strings.ContainsAny(b, "*?") {
		return true
	}
	return permission.Match(a, b) || permission.Match(b, a)
}

// settings returns a settings file. Each rule has what it was made of above it.
func settings(agent, preset string, sections []section) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Imported by permctl import %s. The last rule that matches decides.\n", agent)
	if preset != "" {
		fmt.Fprintf(&b, "# What wildcards cannot say is in policy/presets/%s.rego.\n", strings.ReplaceAll(preset, "-", "_"))
		fmt.Fprintf(&b, "permissionPreset: %s\n", preset)
	}
	if len(sections) == 0 {
		return b.String()
	}
	b.WriteString("permission:\n")
	permissions(&b, "  ", sections)
	return b.String()
}

// permissions writes what stands below "permission:".
func permissions(b *strings.Builder, indent string, sections []section) {
	for _, s := range sections {
		if len(s.rules) == 1 && s.rules[0].Pattern == "*" {
			comment(b, indent, s.rules[0].From)
			fmt.Fprintf(b, "%s%s: %s\n", indent, quoted(s.permission), s.rules[0].Action)
			continue
		}
		fmt.Fprintf(b, "%s%s:\n", indent, quoted(s.permission))
		for i, r := range s.rules {
			if i == 0 || s.rules[i-1].From != r.From {
				comment(b, indent+"  ", r.From)
			}
			fmt.Fprintf(b, "%s  %s: %s\n", indent, quoted(r.Pattern), r.Action)
		}
	}
}

// agentSettings returns the part of a settings file for single agents. Rules
// whose order cannot be kept become a deny of everything.
func agentSettings(agents map[string][]Rule) string {
	if len(agents) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("agents:\n")
	for _, name := range slices.Sorted(maps.Keys(agents)) {
		sections, ok := sectionsOf(agents[name])
		if !ok {
			sections = []section{{"*", []Rule{{"*", "*", permission.Deny, agents[name][0].From}}}}
		}
		fmt.Fprintf(&b, "  %s:\n    permission:\n", quoted(name))
		permissions(&b, "      ", sections)
	}
	return b.String()
}

// policy returns the preset: its fixed rules, and what else it says.
func policy(name, agent string, fixed []Rule, rest string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# METADATA
# title: Imported from %s
# description: What wildcards cannot say of the rules that permctl import %s has read.
# schemas:
#   - input: schema.input
package policy.presets.%s

# METADATA
# description: The preset's rules, the last that matches deciding.
rules := [
`, agent, agent, name)
	for i, r := range fixed {
		if i == 0 || fixed[i-1].From != r.From {
			comment(&b, "\t", r.From)
		}
		fmt.Fprintf(&b, "\t{\"permission\": %s, \"pattern\": %s, \"action\": %q},\n", quoted(r.Permission), regoPattern(r.Pattern), string(r.Action))
	}
	b.WriteString("]\n")
	if rest != "" {
		b.WriteString("\n" + strings.Trim(rest, "\n") + "\n")
	}
	return b.String()
}

// regoPattern returns a pattern as Rego has it. Only settings know what ~ is.
func regoPattern(pattern string) string {
	if rest, ok := homeless(pattern); ok {
		return fmt.Sprintf(`concat("", [input.user.home, %s])`, quoted(rest))
	}
	return quoted(pattern)
}

// comment writes where something is from, on one line whatever is in it.
func comment(b *strings.Builder, indent string, from Origin) {
	if from == (Origin{}) {
		return
	}
	fmt.Fprintf(b, "%s# %s\n", indent, oneLine(from.String()))
}

// oneLine returns text without what would end a line or steer a terminal.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// quoted returns a text, or anything that JSON can hold, as JSON has it, which
// YAML and Rego read too.
func quoted(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return `""` // nothing that was read from a text fails to be written
	}
	return strings.TrimSuffix(b.String(), "\n")
}
