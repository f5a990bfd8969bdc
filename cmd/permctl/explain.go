package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// colours are the codes in which actions are shown.
var colours = map[permission.Action]string{permission.Allow: "32", permission.Ask: "33", permission.Deny: "31"}

// explain writes the decision for a person: the action and the reason, then
// what met which rule or floor, then the rules that would change it.
func explain(w io.Writer, call input.Call, d permission.Decision, remedy []permission.Rule) error {
	colour := paint(w)
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", colour("1;"+colours[d.Action], string(d.Action)), oneLine(d.Reason))
	for _, r := range d.Requests {
		for _, t := range r.Targets {
			if t.Rule == nil && t.Action == permission.Allow {
				continue // no rule speaks of it, and none need
			}
			fmt.Fprintf(&b, "  %s  %s %s\n", colour(colours[t.Action], fmt.Sprintf("%-5s", t.Action)), oneLine(r.Permission), oneLine(shown(r.Permission, t)))
			if t.Rule != nil {
				fmt.Fprintf(&b, "         by %s: {%q: %s} in %s (%s)\n", oneLine(t.Rule.Permission), t.Rule.Pattern, t.Rule.Action, oneLine(t.Rule.Source), t.Rule.Layer)
			} else {
				fmt.Fprintf(&b, "         no rule speaks of it\n")
			}
		}
	}
	for _, floor := range d.Floors {
		fmt.Fprintf(&b, "  %s  %s\n         by the %s\n", colour(colours[floor.Action], fmt.Sprintf("%-5s", floor.Action)), oneLine(floor.About()), oneLine(author(floor)))
	}
	b.WriteString(change(call, d, remedy))
	_, err := io.WriteString(w, b.String())
	return err
}

// shown returns a target as a person reads it: the whole command rather than
// its name.
func shown(name string, t permission.Target) string {
	if len(t.Forms) > 0 && name == "bash" {
		return t.Forms[0]
	}
	return t.Pattern
}

// author names the floor, or the policy whose finding it is.
func author(floor permission.Floor) string {
	if strings.HasPrefix(floor.Name, "policy ") {
		return floor.Name
	}
	return fmt.Sprintf("floor %q", floor.Name)
}

// change says what would change the decision.
func change(call input.Call, d permission.Decision, remedy []permission.Rule) string {
	if d.Action == permission.Allow {
		return ""
	}
	if slices.ContainsFunc(d.Floors, func(f permission.Floor) bool { return f.Name == "untrusted project" }) {
		return "\nTo allow it, read the project's settings and trust them (permctl trust), or allow it in your own.\n"
	}
	if len(remedy) > 0 {
		where, flags := place(d)
		if flags {
			return fmt.Sprintf("\nTo allow it, add behind the flags that decide now:\n  %s\n", strings.Join(asFlags(remedy), " "))
		}
		return fmt.Sprintf("\nTo allow it, add to %s, below what decides now, or into the list of that permission:\n  %s\n", where, strings.Join(gate.Written(remedy), "\n  "))
	}
	if slices.ContainsFunc(d.Floors, func(f permission.Floor) bool { return f.Name != "hazard" }) {
		return "\nNo rule can allow it: a floor can only be lifted where it was set.\n"
	}
	return fmt.Sprintf("\nOnly a rule for everything (%s: {\"*\": allow}) can allow it.\n", input.PermissionOf(call.Tool))
}

// asFlags returns rules as flags, quoted for a shell.
func asFlags(rules []permission.Rule) []string {
	var made []string
	for _, r := range rules {
		text := strings.ReplaceAll(fmt.Sprintf("%s:%s=%s", r.Permission, r.Pattern, r.Action), ",", `\,`)
		made = append(made, "--permission '"+strings.ReplaceAll(text, "'", `'\''`)+"'")
	}
	return made
}

// place names the lowest settings in which a rule is above all that keep the
// call from being allowed, or says that only flags are.
func place(d permission.Decision) (where string, flags bool) {
	highest := 0
	for _, r := range d.Requests {
		for _, t := range r.Targets {
			if t.Action != permission.Allow && t.Rule != nil {
				highest = max(highest, slices.Index(permission.Layers, t.Rule.Layer))
			}
		}
	}
	switch layer := permission.Layers[highest]; layer {
	case permission.LayerFlagPreset, permission.LayerFlag:
		return "", true
	case permission.LayerAgent:
		return "the agent's permission section of settings", false
	case permission.LayerProjectPreset, permission.LayerProject:
		return "the permission section of the project's settings", false
	default:
		return "the permission section of settings", false
	}
}
