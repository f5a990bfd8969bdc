package inbox

import (
	"fmt"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/permission"
)

// Reasons returns why a person is asked, a line each: the rules and floors that
// keep the call from being allowed. They are made of strangers' text, which is
// yet to be made harmless.
func Reasons(d permission.Decision) []string {
	var reasons []string
	for _, r := range d.Requests {
		for _, t := range r.Targets {
			if t.Action == permission.Allow {
				continue
			}
			what := r.Permission + " " + t.Pattern
			if t.Rule == nil {
				reasons = append(reasons, what+": no rule speaks of it")
				continue
			}
			reasons = append(reasons, fmt.Sprintf("%s: by %s: {%q: %s} in %s (%s)", what, t.Rule.Permission, t.Rule.Pattern, t.Rule.Action, t.Rule.Source, t.Rule.Layer))
		}
	}
	for _, floor := range d.Floors {
		name := floor.Name
		if !strings.HasPrefix(name, "policy ") {
			name = fmt.Sprintf("floor %q", name)
		}
		reasons = append(reasons, floor.About()+": by the "+name)
	}
	if len(reasons) == 0 && d.Reason != "" {
		reasons = append(reasons, d.Reason)
	}
	return reasons
}

// textKeys are the fields in which agents put shell text, as
// [github.com/permctl/permctl/internal/input] reads them.
var textKeys = []string{"command", "cmd", "command_line", "commandLine", "script", "code", "tmux_command", "input", "chars", "text"}

// text returns the field of the call's input that holds its shell text, and the
// text itself, or two empty strings if the commands cannot be of any.
func text(p api.Pending) (key, value string) {
	if len(p.Commands) == 0 && p.Permission != "bash" {
		return "", ""
	}
	for _, key := range textKeys {
		if value, ok := p.Metadata.Input[key].(string); ok && value != "" {
			return key, value
		}
	}
	return "", ""
}

// decides reports whether one of the reasons to ask is about a command.
func decides(c api.Command, d permission.Decision) bool {
	if c.Unparsed != "" {
		return true
	}
	for _, r := range d.Requests {
		if slices.ContainsFunc(r.Targets, func(t permission.Target) bool { return t.Action != permission.Allow && about(r.Permission, t, c) }) {
			return true
		}
	}
	return slices.ContainsFunc(d.Floors, func(f permission.Floor) bool {
		return f.Target != "" && (f.Target == c.Text || f.Target == c.Prefix || names(c, f.Target))
	})
}

// about reports whether a target is of a command: the command itself, or a file
// that it names.
func about(name string, t permission.Target, c api.Command) bool {
	if name != "bash" {
		return names(c, t.Pattern) || slices.ContainsFunc(t.Forms, func(form string) bool { return names(c, form) })
	}
	return slices.Contains(t.Forms, c.Text) || len(t.Forms) == 0 && (t.Pattern == c.Prefix || t.Pattern == c.Text)
}

func names(c api.Command, path string) bool {
	return slices.ContainsFunc(c.Files, func(f api.File) bool { return f.Path == path })
}
