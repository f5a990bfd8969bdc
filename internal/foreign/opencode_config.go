package foreign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/jsonc"
	"github.com/permctl/permctl/internal/permission"
)

// An openCodeConfig is what several files say. opencode puts all switches of tools
// before all permissions, and for an agent what mode says behind the rest.
type openCodeConfig struct {
	tools, permission openCodeMap
	agents, modes     map[string]*openCodeMap
}

// merged returns the rules for everybody and those for single agents.
func (c *openCodeConfig) merged() (all []Rule, agents map[string][]Rule) {
	m := c.tools.switches()
	m.merge(&c.permission)
	for name, mode := range c.modes {
		if c.agents[name] == nil {
			c.agents[name] = &openCodeMap{}
		}
		c.agents[name].merge(mode)
	}
	agents = map[string][]Rule{}
	for name, m := range c.agents {
		agents[name] = m.rules()
	}
	return m.rules(), agents
}

// empty reports whether no rule was read.
func (c *openCodeConfig) empty() bool {
	all, agents := c.merged()
	for _, rules := range agents {
		all = slices.Concat(all, rules)
	}
	return len(all) == 0
}

// An openCodeMap is a map of permissions, each with patterns, in opencode's order.
type openCodeMap struct{ entries []openCodeEntry }

type openCodeEntry struct {
	name  string
	plain bool // an action, and no map of patterns
	rules []Rule
}

// put merges the entry into the map.
func (m *openCodeMap) put(e openCodeEntry) {
	i := slices.IndexFunc(m.entries, func(have openCodeEntry) bool { return have.name == e.name })
	switch {
	case i < 0:
		m.entries = append(m.entries, e)
	case m.entries[i].plain || e.plain:
		m.entries[i] = e
	default:
		for _, r := range e.rules {
			have := m.entries[i].rules
			if j := slices.IndexFunc(have, func(h Rule) bool { return h.Pattern == r.Pattern }); j >= 0 {
				have[j] = r
				continue
			}
			m.entries[i].rules = append(have, r)
		}
	}
}

// merge merges another map into the map.
func (m *openCodeMap) merge(other *openCodeMap) {
	for _, e := range other.entries {
		m.put(e)
	}
}

// rules returns the map's rules in the order in which they are tried. JavaScript
// puts keys that are whole numbers before all others.
func (m *openCodeMap) rules() []Rule {
	entries := slices.Clone(m.entries)
	slices.SortStableFunc(entries, func(a, b openCodeEntry) int { return compareKeys(a.name, b.name) })
	var rules []Rule
	for _, e := range entries {
		sorted := slices.Clone(e.rules)
		slices.SortStableFunc(sorted, func(a, b Rule) int { return compareKeys(a.Pattern, b.Pattern) })
		rules = append(rules, sorted...)
	}
	return rules
}

// compareKeys orders the keys of an object in JavaScript that are not in the
// order of the text.
func compareKeys(a, b string) int {
	na, oka := wholeNumber(a)
	nb, okb := wholeNumber(b)
	switch {
	case oka && okb:
		return int(na - nb)
	case oka:
		return -1
	case okb:
		return 1
	}
	return 0
}

func wholeNumber(key string) (n int64, ok bool) {
	if key == "" || len(key) > 9 || key != "0" && key[0] == '0' {
		return 0, false
	}
	for _, c := range key {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// An openCodeReader reads one file.
type openCodeReader struct{ file string }

func (r openCodeReader) errorf(v jsonc.Value, format string, args ...any) error {
	return fmt.Errorf("%s:%d: "+format, append([]any{r.file, v.Line()}, args...)...)
}

// parse reads a file, which has to be an object.
func (r openCodeReader) parse(text []byte) (jsonc.Value, error) {
	root, err := jsonc.Parse(text)
	if err != nil {
		return root, fmt.Errorf("%s: %w", r.file, err)
	}
	if err := r.object(root, "the file"); err != nil {
		return root, err
	}
	return root, nil
}

// object refuses what is there and no object.
func (r openCodeReader) object(v jsonc.Value, name string) error {
	if kind := v.Kind(); kind != jsonc.Object && kind != jsonc.None {
		return r.errorf(v, "%s must be an object, and is %s", name, kind)
	}
	return nil
}

// anothers are keys below which other agents have their rules.
var anothers = []string{"permissions", "allow", "deny", "ask", "allowedTools", "disallowedTools", "excludeTools", "coreTools", "terminalAllowlist", "mcpAllowlist"}

// misspelt refuses keys that look like those that hold rules and are not: nothing
// below them would be read.
func (r openCodeReader) misspelt(v jsonc.Value, agent string, known, rules []string) error {
	for key := range v.Members() {
		name := key.Text()
		if slices.Contains(known, name) || slices.Contains(rules, name) {
			continue
		}
		meant := permission.DidYouMean(name, rules...)
		if meant != "" || slices.Contains(anothers, name) {
			return r.errorf(key, "%s has no rules below %s%s: they stand below %s", agent, name, meant, strings.Join(rules, ", "))
		}
	}
	return nil
}

// The keys of opencode's configuration, and those of an agent in it, that hold no
// rules.
var (
	openCodeKeys = []string{
		"$schema", "autoshare", "autoupdate", "command", "compaction", "default_agent", "disabled_providers", "enabled_providers", "enterprise",
		"experimental", "formatter", "instructions", "keybinds", "layout", "logLevel", "lsp", "mcp", "model", "plugin", "provider", "server", "share",
		"shell", "skills", "small_model", "snapshot", "theme", "tui", "username", "watcher",
	}
	openCodeAgentKeys = []string{
		"color", "description", "disable", "hidden", "maxSteps", "mode", "model", "name", "options", "prompt", "steps", "temperature", "top_p", "variant",
	}
)

// config reads the whole file into what was read before.
func (r openCodeReader) config(root jsonc.Value, c *openCodeConfig) error {
	if later := root.Member("permissions"); later.Kind() == jsonc.Array {
		return r.errorf(later, "permissions is the list of opencode 2, which is not read: write it as permission: {…}")
	}
	if err := r.misspelt(root, "opencode", openCodeKeys, []string{"permission", "agent", "mode", "tools"}); err != nil {
		return err
	}
	if err := r.tools(root.Member("tools"), &c.tools); err != nil {
		return err
	}
	if err := r.permission(root.Member("permission"), &c.permission); err != nil {
		return err
	}
	if err := r.agents(root.Member("mode"), "mode", c.modes); err != nil {
		return err
	}
	return r.agents(root.Member("agent"), "agent", c.agents)
}

// agents reads the rules for single agents. Within a file, an agent's permissions
// replace its switches of the same tools.
func (r openCodeReader) agents(v jsonc.Value, key string, into map[string]*openCodeMap) error {
	if err := r.object(v, key); err != nil {
		return err
	}
	for name, agent := range v.Members() {
		if err := r.object(agent, key+"."+name.Text()); err != nil {
			return err
		}
		if err := r.misspelt(agent, "an agent of opencode", openCodeAgentKeys, []string{"permission", "tools"}); err != nil {
			return err
		}
		var tools, m openCodeMap
		if err := r.tools(agent.Member("tools"), &tools); err != nil {
			return err
		}
		m.merge(tools.switches())
		if err := r.permission(agent.Member("permission"), &m); err != nil {
			return err
		}
		if into[name.Text()] == nil {
			into[name.Text()] = &openCodeMap{}
		}
		into[name.Text()].merge(&m)
	}
	return nil
}

// tools reads the old switches of single tools, under the tools' own names.
func (r openCodeReader) tools(v jsonc.Value, into *openCodeMap) error {
	if err := r.object(v, "tools"); err != nil {
		return err
	}
	for name, on := range v.Members() {
		if on.Kind() != jsonc.Bool {
			return r.errorf(on, "tools.%s must be true or false", name.Text())
		}
		action := permission.Deny
		if on.True() {
			action = permission.Allow
		}
		from := Origin{r.file, name.Line(), "tools: " + name.String() + ": " + on.String()}
		into.put(openCodeEntry{name.Text(), true, []Rule{{name.Text(), "*", action, from}}})
	}
	return nil
}

// switches returns the permissions that switches of tools stand for.
func (m *openCodeMap) switches() *openCodeMap {
	var made openCodeMap
	for _, r := range m.rules() {
		if r.Permission == "write" || r.Permission == "patch" {
			r.Permission = "edit"
		}
		made.put(openCodeEntry{r.Permission, true, []Rule{r}})
	}
	return &made
}

// permission reads an action for all, or a map of permissions.
func (r openCodeReader) permission(v jsonc.Value, into *openCodeMap) error {
	switch v.Kind() {
	case jsonc.None:
		return nil
	case jsonc.String:
		action, err := r.action(v)
		into.put(openCodeEntry{"*", true, []Rule{{"*", "*", action, Origin{r.file, v.Line(), "permission: " + v.String()}}}})
		return err
	case jsonc.Object:
	default:
		return r.errorf(v, "permission must be an action or a map, and is %s", v.Kind())
	}
	for key, value := range v.Members() {
		e := openCodeEntry{name: key.Text(), plain: value.Kind() != jsonc.Object}
		if e.plain {
			action, err := r.action(value)
			if err != nil {
				return err
			}
			e.rules = []Rule{{e.name, "*", action, Origin{r.file, key.Line(), key.String() + ": " + value.String()}}}
		}
		for pattern, value := range value.Members() {
			action, err := r.action(value)
			if err != nil {
				return err
			}
			e.rules = append(e.rules, Rule{e.name, pattern.Text(), action, Origin{r.file, pattern.Line(), pattern.String() + ": " + value.String()}})
		}
		into.put(e)
	}
	return nil
}

func (r openCodeReader) action(v jsonc.Value) (permission.Action, error) {
	action, err := permission.ParseAction(v.Text())
	if err != nil {
		return permission.Deny, r.errorf(v, "%w", err)
	}
	return action, nil
}
