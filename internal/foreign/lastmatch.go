package foreign

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// A lastMatch is an agent's list of rules of which the last that matches decides,
// as with permctl, and differs from permctl in what it matches them with. Its
// Rego asks or denies where the agent's reading of a call is the stricter one.
type lastMatch struct {
	agent string // as people call it

	// rules are the agent's own for everybody, and agents those that come behind
	// them for single agents by their names. The settings have all but those that
	// are left to the preset.
	rules  []Rule
	agents map[string][]Rule
	left   map[Rule]bool

	// copied are the rules for everybody that stand behind an agent's own again, and
	// untold the agents of which no file speaks: nothing is told of either.
	copied map[Rule]bool
	untold []string

	// whole is whether all rules of an agent are left to the preset.
	whole bool

	// asks returns what the agent asks its rules about a call, and texts is the
	// same in Rego: rules that add to _text, a set of {permission, text, target},
	// where target is the one that permctl's settings judge.
	asks  func(input.Call) []asked
	texts string

	// normal returns a text or a pattern as the agent compares it: in Rego, that
	// is _normal in texts. If nil, it is the text itself.
	normal func(string) string
}

// An asked is one thing that an agent asks its rules about a call.
type asked struct{ permission, text string }

// answer returns what the agent itself answers to a call: the strictest of what
// it asks its rules, of each of which the last that matches decides. A call about
// which nothing is asked goes on, unless the agent does not have the tool.
func (l *lastMatch) answer(call input.Call) permission.Action {
	if hidden(slices.Concat(l.rules, l.agents[call.Agent]), input.PermissionOf(call.Tool)) {
		return permission.Deny
	}
	action := permission.Allow
	for _, a := range l.asks(call) {
		action = permission.Strictest(action, l.said(call.Agent, a))
	}
	return action
}

// hidden reports whether an agent with such rules does not have the tools of a
// permission, for the last rule that speaks of it denies all of it.
func hidden(rules []Rule, name string) bool {
	for _, r := range slices.Backward(rules) {
		if permission.Match(name, r.Permission) {
			return r.Pattern == "*" && r.Action == permission.Deny
		}
	}
	return false
}

// said returns what the last rule that matches says. Without one, it is ask.
func (l *lastMatch) said(agent string, a asked) permission.Action {
	action := permission.Ask
	for _, list := range [][]Rule{l.rules, l.agents[agent]} {
		for _, r := range list {
			pattern := atHome(r.Pattern)
			if l.normal != nil {
				pattern = l.normal(pattern)
			}
			if permission.Match(a.permission, r.Permission) && permission.Match(a.text, pattern) {
				action = r.Action
			}
		}
	}
	return action
}

// again returns rules that an agent has of its own, with those for everybody that
// may speak of the same behind them: they are tried after the agent's. Those are
// kept that the settings can have.
func (l *lastMatch) again(name string, inner, all []Rule) (rules, kept []Rule) {
	for _, r := range inner {
		r.From.File = l.agent + "'s agent " + name
		rules = append(rules, r)
	}
	kept = slices.Clone(rules)
	for _, r := range all {
		if !slices.ContainsFunc(inner, func(own Rule) bool { return meet(own.Permission, r.Permission) }) {
			continue
		}
		copied := r
		copied.From.Text += ", also behind what " + name + " has of its own"
		l.left[copied] = l.left[r]
		l.copied[copied] = true
		rules = append(rules, copied)
		if !l.left[r] {
			kept = append(kept, copied)
		}
	}
	return rules, kept
}

// setAgent has the settings of a book hold rules for an agent. Those whose order
// they cannot keep are left to the preset, which is stricter.
func (l *lastMatch) setAgent(b *book, name string, rules []Rule) {
	if len(rules) == 0 {
		return
	}
	if _, ok := sectionsOf(rules); ok {
		b.agents[name] = rules
		return
	}
	for _, r := range l.agents[name] {
		l.left[r] = true
	}
	l.whole = true
	if slices.Contains(l.untold, name) {
		return // nobody wrote anything that another order would help
	}
	from := Origin{rules[0].From.File, rules[0].From.Line, "agent " + name}
	if from.Line == 0 {
		from.Text = ""
	}
	b.note(from,
		"its rules are left to the preset, where they can deny and ask, and allow nothing that is asked of others: settings have each permission once, and cannot keep their order")
}

// atHome returns a pattern with the home directory for what stands for it.
func atHome(pattern string) string {
	if rest, ok := homeless(pattern); ok {
		return sampleHome + rest
	}
	return pattern
}

// homeless returns a pattern without what stands for the home directory before
// it, and whether there is that.
func homeless(pattern string) (string, bool) {
	if rest, ok := strings.CutPrefix(pattern, "$HOME"); ok {
		return rest, true
	}
	if rest, ok := strings.CutPrefix(pattern, "~"); ok && (rest == "" || rest[0] == '/') {
		return rest, true
	}
	return pattern, false
}

// finish adds to a book what comes of the rules: the preset, samples, and what the
// agent itself answers.
func (l *lastMatch) finish(b *book) {
	if l.whole || l.telling() {
		b.preset = l.rego()
	}
	b.samples = l.samples()
	b.answer = l.answer
}

// rego returns the preset's part.
func (l *lastMatch) rego() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The rules as %s has them, the last that matches deciding. The settings have\n# all of them but those that are left out.\n", l.agent)
	b.WriteString("_rules := array.concat(_everybodys, object.get(_agents, input.call.agent, []))\n\n_everybodys := [")
	l.regoList(&b, "\t", l.rules)
	b.WriteString("]\n\n_agents := {")
	for _, agent := range slices.Sorted(maps.Keys(l.agents)) {
		fmt.Fprintf(&b, "\n\t%s: [", quoted(agent))
		l.regoList(&b, "\t\t", l.agents[agent])
		b.WriteString("\t],")
	}
	b.WriteString("\n}\n")
	b.WriteString(strings.ReplaceAll(heldRego, "AGENT", l.agent) + l.texts)
	return b.String()
}

// regoList writes rules, a line each.
func (l *lastMatch) regoList(b *strings.Builder, indent string, rules []Rule) {
	for _, r := range rules {
		left := ""
		if l.left[r] {
			left = `, "left": true`
		}
		fmt.Fprintf(b, "\n%s{\"permission\": %s, \"pattern\": %s, \"action\": %s%s},", indent, quoted(r.Permission), regoPattern(r.Pattern), quoted(r.Action), left)
	}
	b.WriteString("\n")
}

// heldRego compares what an agent's rules say of its own text of a thing with
// what the settings say of permctl's.
const heldRego = `
# Where AGENT reads a call in another way than permctl, its own reading is a
# floor if it is the stricter one.
ask contains {"reason": reason, "target": held.text} if {
	some held in _held
	held.action == "ask"
	reason := sprintf("by its own rules, AGENT asks for %s %s", [held.permission, held.text])
}

deny contains {"reason": reason, "target": held.text} if {
	some held in _held
	held.action == "deny"
	reason := sprintf("by its own rules, AGENT denies %s %s", [held.permission, held.text])
}

_held contains {"permission": found.permission, "text": found.text, "action": action} if {
	some found in _text
	action := _said(found.permission, found.text)
	_strictness[action] > _strictness[_says(found.permission, found.target)]
}

# What AGENT's own rules say of a text.
_said(permission, text) := _last([rule.action |
	some rule in _rules
	data.policy.match.wildcard(permission, rule.permission)
	data.policy.match.wildcard(text, _normal(rule.pattern))
], "ask")

# What the settings say of a target.
_says(permission, target) := _last([rule.action |
	some rule in _rules
	not rule.left
	data.policy.match.wildcard(permission, rule.permission)
	_judges(rule, target)
	data.policy.match.meets(rule, target)
], {true: "ask", false: "allow"}[target.judges == "any"])

_judges(_, target) if target.judges == "any"

_judges(rule, target) if {
	target.judges != "any"
	trim(rule.pattern, "*") != ""
}

_last(actions, _) := actions[count(actions) - 1] if count(actions) > 0

_last([], none) := none

_strictness := {"allow": 0, "ask": 1, "deny": 2}
`

// telling reports whether a rule says more than an action for all of a
// permission, or is about paths outside, so that it matters what it is matched with.
func (l *lastMatch) telling() bool {
	telling := func(r Rule) bool {
		return r.From.Line > 0 && (strings.Trim(r.Pattern, "*") != "" || permission.Match("external_directory", r.Permission))
	}
	for _, list := range l.agents {
		if slices.ContainsFunc(list, telling) {
			return true
		}
	}
	return slices.ContainsFunc(l.rules, telling)
}

// matchesNothing says why the agent itself never matches anything with a rule, or
// returns "".
func matchesNothing(agent string, r Rule) string {
	switch meant := input.PermissionOf(r.Permission); {
	case r.Pattern == "":
		return "is left out: an empty pattern matches nothing"
	case r.Permission == "" || strings.ContainsFunc(r.Permission, func(c rune) bool { return c <= ' ' || strings.ContainsRune(`():"`, c) }):
		return "is left out, as it matches nothing: write the permission, and the pattern below it"
	case !strings.ContainsAny(r.Permission, "*?") && meant != r.Permission:
		return fmt.Sprintf("is left out, as %s has no permission %q: write %q", agent, r.Permission, meant)
	}
	return ""
}

// unknown notes the permissions of rules that are nearly one that agents have, each
// once. They may be a tool's name.
func unknown(b *book, agent string, rules []Rule) {
	known := []string{
		"read", "edit", "write", "patch", "glob", "grep", "list", "bash", "task", "external_directory", "lsp", "skill", "todowrite", "todoread",
		"question", "webfetch", "websearch", "doom_loop",
	}
	told := map[string]bool{}
	for _, r := range rules {
		meant := permission.DidYouMean(r.Permission, known...)
		if meant == "" || told[r.Permission] || input.KnownPermission(r.Permission) || strings.ContainsAny(r.Permission, "*?_-") || matchesNothing(agent, r) != "" {
			continue
		}
		told[r.Permission] = true
		b.note(r.From, "holds for a tool called %s only, which %s does not have of its own%s", r.Permission, agent, meant)
	}
}

// samples returns calls that the rules speak of, and what the agent answers.
func (l *lastMatch) samples() []Sample {
	var made sampler
	for _, agent := range slices.Concat([]string{""}, slices.Sorted(maps.Keys(l.agents))) {
		rules := l.agents[agent]
		if agent == "" {
			rules = l.rules
		}
		for _, r := range rules {
			if l.copied[r] || len(made.samples) >= samplesOf(len(l.rules)) {
				continue // what is copied was asked for everybody already
			}
			for _, text := range meant(r.Pattern) {
				call, ok := sampleCall(r.Permission, text)
				if !ok {
					continue
				}
				call.Agent = agent
				made.add(func(call input.Call) Sample { return Sample{call, l.answer(call), r.From.String()} }, call)
			}
		}
	}
	return made.samples
}

// meant returns texts that a pattern is about, and one that it just misses.
func meant(pattern string) []string {
	bare := strings.TrimSuffix(pattern, " *")
	fill := strings.NewReplacer("*", "x", "?", "y")
	texts := []string{fill.Replace(bare), fill.Replace(pattern)}
	if bare == pattern && strings.Trim(pattern, "*") != "" {
		texts = append(texts, fill.Replace(pattern)+"z")
	}
	return texts
}

// sampleCall returns a call of a tool that a permission is for, with what the
// rules are about.
func sampleCall(name, text string) (input.Call, bool) {
	call := func(tool, key string) (input.Call, bool) {
		return input.Call{Tool: tool, Input: map[string]any{key: text}}, text != ""
	}
	switch name {
	case "bash":
		return call("bash", "command")
	case "read", "edit", "external_directory":
		tool := name
		if name == "external_directory" {
			tool, text = "read", strings.TrimSuffix(text, "/x")+"/x"
		}
		return call(tool, "filePath")
	case "webfetch":
		return call(name, "url")
	case "websearch":
		return call(name, "query")
	case "task":
		return call(name, "subagent_type")
	case "skill":
		return call(name, "name")
	}
	if strings.ContainsAny(name, "*?") || input.PermissionOf(name) != name || input.KnownPermission(name) && !strings.Contains(name, "_") {
		return input.Call{}, false
	}
	return input.Call{Tool: name, Input: map[string]any{}}, true
}
