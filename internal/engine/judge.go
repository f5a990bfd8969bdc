package engine

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/permission"
)

// A target is a target of a request, as the judge reads it out of a document.
type target struct {
	forms, strict, options, operands []string

	authority, rest string
	judges          string
	opaque          bool
}

// A verdict is what the rules say of a target: the action, and the rule that
// says it, or nil if none speaks of the target.
type verdict struct {
	action    permission.Action
	rule      *rule
	untrusted bool
}

// extras are rules that come besides those in force, for one call.
type extras struct {
	open  []rule
	exact map[string][]rule // those that meet just one text, by it

	// loose is true if one is of a project that nobody trusts.
	loose bool
}

func (x *extras) add(r rule) {
	x.loose = x.loose || !trustedRule(&r)
	if !r.Exact || r.Pattern == "*" {
		x.open = append(x.open, r)
		return
	}
	if x.exact == nil {
		x.exact = map[string][]rule{}
	}
	x.exact[r.Pattern] = append(x.exact[r.Pattern], r)
}

// about returns the rules that may meet the target.
func (x *extras) about(t *target) iter.Seq[*rule] {
	return func(yield func(*rule) bool) {
		for i := range x.open {
			if !yield(&x.open[i]) {
				return
			}
		}
		for _, form := range t.forms {
			rules := x.exact[form]
			for i := range rules {
				if !yield(&rules[i]) {
					return
				}
			}
		}
	}
}

// judge says what the rules in force and the extra ones say of a target. Its
// definition is judge in policy/match/match.rego.
func (t *table) judge(name string, target *target, extra *extras) verdict {
	all := t.said(name, target, extra, everyRule)
	if t.loose || extra.loose {
		trusted := t.said(name, target, extra, trustedRule)
		switch {
		case permission.Strictest(all.action, trusted.action) != all.action:
			all, all.untrusted = trusted, true
		case all.action == permission.Allow:
			all = trusted // an allow that nobody trusts is no grant
		}
	}
	if all.action == permission.Allow {
		return t.doubt(name, target, extra, all)
	}
	if all.action == permission.Deny && !t.beatDeny {
		return all
	}
	return t.approve(name, target, all)
}

// doubt returns the verdict on a target that is allowed, or an ask: what a
// command is known to do to a file that nobody can name is asked for, if a
// later rule denies or asks for some files.
func (t *table) doubt(name string, target *target, extra *extras, all verdict) verdict {
	if !target.opaque || target.judges != "permission" {
		return all
	}
	last := t.rules.restriction(name)
	for r := range extra.about(target) {
		if r.Permission == name && restricts(r) && (last == nil || later(r, last)) {
			last = r
		}
	}
	if last == nil || all.rule != nil && !later(last, all.rule) {
		return all
	}
	return t.approve(name, target, verdict{action: permission.Ask, rule: last})
}

// restricts reports whether a rule denies or asks for some things only.
func restricts(r *rule) bool { return r.Action != permission.Allow && r.Pattern != "*" }

// approve returns the verdict, or an allow if an approval satisfies it.
func (t *table) approve(name string, target *target, all verdict) verdict {
	if r := t.approvals.last(name, target, everyRule); r != nil {
		return verdict{action: permission.Allow, rule: r}
	}
	return all
}

func everyRule(*rule) bool     { return true }
func trustedRule(r *rule) bool { return r.Trust != permission.TrustNone }

// said returns what the last rule that passes says.
func (t *table) said(name string, target *target, extra *extras, pass func(*rule) bool) verdict {
	last := t.rules.last(name, target, pass)
	for r := range extra.about(target) {
		if (last == nil || later(r, last)) && pass(r) && permission.Match(name, r.Permission) && judges(r, name, target) && meets(r, target) {
			last = r
		}
	}
	switch {
	case last != nil:
		return verdict{action: last.Action, rule: last}
	case slices.Contains([]string{"permission", "tool", "pattern", "restriction"}, target.judges):
		return verdict{action: permission.Allow} // only some rules speak of it
	default:
		return verdict{action: permission.Ask}
	}
}

func later(a, b *rule) bool {
	return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Number, b.Number)) > 0
}

// judges reports whether the rule is one of those that may judge the target.
func judges(r *rule, name string, t *target) bool {
	switch t.judges {
	case "any":
		return true
	case "permission":
		return r.Permission == name
	case "tool":
		return strings.Trim(r.Permission, "*") != ""
	case "pattern":
		return strings.Trim(r.Pattern, "*") != ""
	case "restriction":
		return strings.Trim(r.Pattern, "*") != "" && r.Action != permission.Allow
	default:
		return false
	}
}

// meets reports whether the rule meets the target. Its definition is meets in
// policy/match/match.rego.
func meets(r *rule, t *target) bool {
	matches := func(text string) bool { return permission.Match(text, r.Pattern) }
	switch {
	case r.Pattern == "*":
		return true
	case t.opaque:
		return false
	case r.Exact:
		return slices.Contains(t.forms, r.Pattern)
	case r.Action == permission.Allow && t.authority != "":
		return permission.Match(t.authority, r.Authority) && permission.Match(t.rest, r.Rest)
	case r.Action == permission.Allow:
		return slices.ContainsFunc(t.forms, matches)
	default:
		return slices.ContainsFunc(t.forms, matches) || slices.ContainsFunc(t.strict, matches) || means(r, t)
	}
}

// means reports whether the command has all the options of the rule's pattern,
// wherever they stand, and its other words in their order.
func means(r *rule, t *target) bool {
	if len(r.Operands) == 0 || len(t.operands) == 0 || !permission.Match(t.operands[0], r.Operands[0]) {
		return false
	}
	for _, option := range r.Options {
		if !slices.Contains(t.options, option) {
			return false
		}
	}
	rest := t.operands[1:]
	for _, word := range r.Operands[1:] {
		i := slices.IndexFunc(rest, func(text string) bool { return permission.Match(text, word) })
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}
