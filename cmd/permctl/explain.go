package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// colours are the codes in which actions are shown.
var colours = map[permission.Action]string{permission.Allow: "32", permission.Ask: "33", permission.Deny: "31"}

// explain writes the decision for a person: the action and the reason, then
// what met which rule or floor, then what would change it.
func explain(w io.Writer, call input.Call, d permission.Decision) error {
	colour := paint(w)
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", colour("1;"+colours[d.Action], string(d.Action)), d.Reason)
	for _, r := range d.Requests {
		for _, t := range r.Targets {
			if t.Rule == nil && t.Action == permission.Allow {
				continue // no rule speaks of it, and none need
			}
			fmt.Fprintf(&b, "  %s  %s %s\n", colour(colours[t.Action], fmt.Sprintf("%-5s", t.Action)), r.Permission, shown(t))
			if t.Rule != nil {
				fmt.Fprintf(&b, "         by %s: {%q: %s} in %s (%s)\n", t.Rule.Permission, t.Rule.Pattern, t.Rule.Action, t.Rule.Source, t.Rule.Layer)
			} else {
				fmt.Fprintf(&b, "         no rule speaks of it\n")
			}
		}
	}
	for _, floor := range d.Floors {
		fmt.Fprintf(&b, "  %s  %s\n         by the floor %q\n", colour(colours[floor.Action], fmt.Sprintf("%-5s", floor.Action)), floor.Reason, floor.Name)
	}
	b.WriteString(change(call, d))
	_, err := io.WriteString(w, b.String())
	return err
}

// shown returns a target as a person reads it: the whole command rather than
// its name.
func shown(t permission.Target) string {
	if len(t.Forms) > 0 && strings.HasPrefix(t.Forms[0], t.Pattern) {
		return t.Forms[0]
	}
	return t.Pattern
}

// change says what would change the decision.
func change(call input.Call, d permission.Decision) string {
	if d.Action == permission.Allow {
		return ""
	}
	if rule := gate.Remedy(d); rule != "" {
		return fmt.Sprintf("\nTo allow it, add to the permission section of settings, below what decides now:\n  %s\n", rule)
	}
	if len(d.Floors) > 0 {
		return "\nNo rule can allow it: a floor can only be lifted where it was set.\n"
	}
	return fmt.Sprintf("\nOnly a rule for everything (%s: {\"*\": allow}) can allow it.\n", input.PermissionOf(call.Tool))
}
