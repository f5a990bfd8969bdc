package foreign

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/permission"
)

// hostPattern is a pattern for hosts that all readers take in the same way.
var hostPattern = regexp.MustCompile(`^[A-Za-z0-9*._-]+$`)

// hostExpression returns the regular expression for hosts, in lower case: a first
// *. is one or more names below, and any other star is for a part of one.
func hostExpression(pattern string) (expression string, ok bool) {
	pattern = strings.TrimSuffix(strings.ToLower(pattern), ".")
	if !hostPattern.MatchString(pattern) {
		return "", false
	}
	if pattern == "*" {
		return "^.*$", true
	}
	start := "^"
	if rest, ok := strings.CutPrefix(pattern, "*."); ok {
		start, pattern = `^(?:[^.]+\.)+`, rest
	}
	return start + strings.ReplaceAll(starred(pattern), ".*", "[^.]*") + "$", true
}

// webFetch translates WebFetch(domain:…).
func (t *claudeTranslation) webFetch(r claudeRule) {
	host, ok := strings.CutPrefix(r.spec, "domain:")
	expression, plain := hostExpression(strings.TrimSpace(host))
	switch {
	case !ok:
		t.dead(r, "write WebFetch(domain:HOST)")
		return
	case plain && strings.TrimSpace(host) == "*":
		t.add(r, "webfetch", "*")
		return
	case !plain && r.action == permission.Allow:
		t.dead(r, "no host is called so; write WebFetch(domain:example.com)")
		return
	case !plain:
		t.book.note(r.from, "holds for every address: no host is called so; write WebFetch(domain:example.com), and a name in other letters as it is asked for, xn--…")
		t.parts = append(t.parts, t.finding(r, "input.tool.name", "^.*$", `input.tool.kind == "fetch"`))
		return
	}
	var b strings.Builder
	comment(&b, "", r.from)
	target := `"target": url.url`
	if r.action == permission.Allow {
		target = `"permission": "webfetch", ` + target
	}
	fmt.Fprintf(&b, `%s contains {"reason": %s, %s} if {
	input.tool.kind == "fetch"
	some url in input.urls
	not url.error
	regex.match(%s, url.host)
}
`, t.action(r), quoted(ruleName(r.from)), target, quoted(expression))
	if r.action != permission.Allow {
		b.WriteString(`
ask contains {"reason": "no one can tell the host, and some are asked for or denied", "target": url.url} if {
	input.tool.kind == "fetch"
	some url in input.urls
	url.error
}
`)
	}
	t.parts = append(t.parts, b.String())
}

// agent translates Agent(…).
func (t *claudeTranslation) agent(r claudeRule) {
	if r.action == permission.Allow && strings.ContainsAny(r.spec, "*?") {
		t.book.note(r.from, "is left out, for permctl's rules read * and ? in it; Claude Code asks for no agent that no rule speaks of")
		return
	}
	t.add(r, "task", r.spec)
	if r.action == permission.Allow || r.spec != "general-purpose" {
		return
	}
	// An agent that is not named is this one.
	var b strings.Builder
	comment(&b, "", r.from)
	fmt.Fprintf(&b, `%s contains {"reason": %s, "target": input.tool.name} if {
	input.tool.kind == "task"
	object.get(input.call.input, "subagent_type", "") in {"", null}
}
`, t.action(r), quoted(ruleName(r.from)))
	t.parts = append(t.parts, b.String())
}

// skill translates Skill(name) and Skill(name *).
func (t *claudeTranslation) skill(r claudeRule) {
	name, rest, more := strings.Cut(r.spec, " ")
	if prefix, ok := strings.CutSuffix(r.spec, ":*"); ok {
		name, rest, more = prefix, "*", true
	}
	switch {
	case r.action != permission.Allow:
		if more && rest != "*" {
			t.book.note(r.from, "holds for the skill whatever it is given")
		}
		t.add(r, "skill", name)
	case strings.ContainsAny(name, "*?") || more && rest != "*":
		t.book.note(r.from, "is left out, and asked: write Skill(NAME) or Skill(NAME *)")
	case more:
		t.add(r, "skill", name)
	default:
		var b strings.Builder
		comment(&b, "", r.from)
		fmt.Fprintf(&b, `allow contains {"reason": %s, "permission": "skill", "target": %s} if {
	input.tool.kind == "skill"
	object.get(input.call.input, "args", "") in {"", null}
}
`, quoted(ruleName(r.from)), quoted(name))
		t.parts = append(t.parts, b.String())
	}
}

// plainFolder returns the regular expression for a folder and all that is in it,
// behind where its path begins.
func plainFolder(name string) string {
	if name == "" {
		return ".*$"
	}
	return regexp.QuoteMeta(name) + "(?:/.*)?$"
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
