package foreign

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/permctl/permctl/internal/permission"
)

// A codexConfig is what config.toml says of what no rule is for.
type codexConfig struct {
	approval, sandbox codexSetting

	// noRules and noSandbox are whether a person is not asked for what a rule says
	// prompt of, or what the sandbox does not allow: it is denied then.
	noRules, noSandbox bool

	tools []codexTools
}

// A codexSetting is a word in config.toml. If empty, no file says it.
type codexSetting struct {
	word string
	from Origin
}

var (
	codexApprovals = []string{"untrusted", "on-failure", "on-request", "never"}
	codexSandboxes = []string{"read-only", "workspace-write", "danger-full-access"}
)

// A tomlFile is a file in TOML with the lines of its keys.
type tomlFile struct {
	name  string
	root  map[string]any
	lines map[string]int // of dotted keys
}

// parseTOML reads TOML. Its error has the line.
func parseTOML(f File) (*tomlFile, error) {
	t := &tomlFile{f.Name, map[string]any{}, map[string]int{}}
	if err := toml.Unmarshal(f.Text, &t.root); err != nil {
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, _ := at.Position()
			return nil, fmt.Errorf("%s:%d: %s", f.Name, line, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	var p unstable.Parser
	p.Reset(f.Text)
	lines := tomlLines{text: f.Text, line: 1}
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		key, line := tomlKey(&p, e, &lines)
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = key
			t.lines[strings.Join(key, ".")] = line
		case unstable.KeyValue:
			t.lines[strings.Join(slices.Concat(table, key), ".")] = line
		default:
		}
	}
	return t, nil
}

func (t *tomlFile) errorf(key, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", t.name, t.line(key), fmt.Sprintf(format, args...))
}

// tableIn returns a table in another, or nil.
func tableIn(in map[string]any, key string) map[string]any {
	found, _ := in[key].(map[string]any)
	return found
}

// read reads a configuration file over what earlier ones say.
func (c *codexConfig) read(f File, b *book) error {
	t, err := parseTOML(f)
	if err != nil {
		return err
	}
	for _, key := range []string{"rule", "safety_checker", "rules", "permission", "allowed_approval_policies", "allowed_sandbox_modes"} {
		if _, there := t.root[key]; there {
			return t.errorf(key, "config.toml has no %s: it is read from requirements.toml, and rules from *.rules; give another agent's file to permctl import with that agent", key)
		}
	}
	if err := c.settings(t, t.root, ""); err != nil {
		return err
	}
	if name, ok := t.root["profile"].(string); ok {
		profile := tableIn(tableIn(t.root, "profiles"), name)
		if err := c.settings(t, profile, "profiles."+name+"."); err != nil {
			return err
		}
	}
	return c.elsewhere(t, b)
}

// line returns the line of a key, of the first key in a table, or of what a key
// is in.
func (t *tomlFile) line(key string) int {
	line := t.lines[key]
	for name, at := range t.lines {
		if strings.HasPrefix(name, key+".") && (line == 0 || at < line) {
			line = at
		}
	}
	if dot := strings.LastIndexByte(key, '.'); line == 0 && dot > 0 {
		return t.line(key[:dot])
	}
	return line
}

// settings reads the policies in a table.
func (c *codexConfig) settings(t *tomlFile, in map[string]any, prefix string) error {
	if in["sandbox_mode"] != nil {
		key := prefix + "sandbox_mode"
		word, _ := in["sandbox_mode"].(string)
		if !slices.Contains(codexSandboxes, word) {
			return t.errorf(key, "%s must be read-only, workspace-write or danger-full-access%s", key, permission.DidYouMean(word, codexSandboxes...))
		}
		c.sandbox = codexSetting{word, Origin{t.name, t.line(key), fmt.Sprintf("sandbox_mode = %q", word)}}
	}
	key := prefix + "approval_policy"
	switch policy := in["approval_policy"].(type) {
	case nil:
		return nil
	case string:
		if !slices.Contains(codexApprovals, policy) {
			return t.errorf(key, "%s must be untrusted, on-request or never%s", key, permission.DidYouMean(policy, codexApprovals...))
		}
		c.approval = codexSetting{policy, Origin{t.name, t.line(key), fmt.Sprintf("approval_policy = %q", policy)}}
		c.noRules, c.noSandbox = policy == "never", policy == "never"
		return nil
	case map[string]any:
		granular, ok := policy["granular"].(map[string]any)
		if !ok || len(policy) != 1 {
			return t.errorf(key, "%s must be a word, or { granular = { … } }", key)
		}
		c.approval = codexSetting{"granular", Origin{t.name, t.line(key), "approval_policy = granular"}}
		asksRules, _ := granular["rules"].(bool)
		asksSandbox, _ := granular["sandbox_approval"].(bool)
		c.noRules, c.noSandbox = !asksRules, !asksSandbox
		return nil
	}
	return t.errorf(key, "%s must be untrusted, on-request or never", key)
}

// requirements reads the rules in a requirements file, which only make
// others stricter.
func (c *codexBook) requirements(f File, b *book) error {
	t, err := parseTOML(f)
	if err != nil {
		return err
	}
	if err := c.required.read(t, b); err != nil {
		return err
	}
	rules, _ := tableIn(t.root, "rules")["prefix_rules"].([]any)
	if t.root["rules"] != nil && len(rules) == 0 {
		return t.errorf("rules.prefix_rules", "rules must have prefix_rules, with a rule at least")
	}
	for i, item := range rules {
		rule, _ := item.(map[string]any)
		r := codexRule{from: Origin{f.Name, t.line("rules.prefix_rules"), fmt.Sprintf("rule %d of rules.prefix_rules", i+1)}}
		decision, _ := rule["decision"].(string)
		r.why, _ = rule["justification"].(string)
		if r.action, err = codexDecision(decision, "forbidden"); err != nil || r.action == permission.Allow {
			return t.errorf("rules.prefix_rules", "rule %d must have the decision prompt or forbidden, for requirements allow nothing", i+1)
		}
		tokens, _ := rule["pattern"].([]any)
		for _, token := range tokens {
			words := requiredWords(token)
			if len(words) == 0 {
				return t.errorf("rules.prefix_rules", "rule %d must have a pattern of { token = … } and { any_of = […] }", i+1)
			}
			r.pattern = append(r.pattern, words)
		}
		if len(r.pattern) == 0 {
			return t.errorf("rules.prefix_rules", "rule %d must have a pattern of { token = … } and { any_of = […] }", i+1)
		}
		c.rules.prefixes = append(c.rules.prefixes, r)
	}
	return nil
}

// requiredWords returns the alternatives that a token of a requirement has, or
// nothing if it is none.
func requiredWords(v any) []string {
	token, _ := v.(map[string]any)
	if word, ok := token["token"].(string); ok && word != "" && len(token) == 1 {
		return []string{word}
	}
	var words []string
	list, _ := token["any_of"].([]any)
	for _, item := range list {
		word, _ := item.(string)
		if word == "" || len(token) != 1 {
			return nil
		}
		words = append(words, word)
	}
	return words
}

// codexKind returns what kind of file a name is for: rules, config or
// requirements.
func codexKind(name string) (string, error) {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	switch {
	case path.Ext(base) == ".rules":
		return "rules", nil
	case strings.Contains(base, "requirements") && path.Ext(base) == ".toml":
		return "requirements", nil
	case path.Ext(base) == ".toml":
		return "config", nil
	}
	return "", fmt.Errorf("%s: is no file of Codex's with permissions: give *.rules, config.toml or requirements.toml", name)
}
