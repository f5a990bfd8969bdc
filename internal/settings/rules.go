package settings

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/permctl/permctl/internal/permission"
)

// rules reads a permission setting: an action, or a map of permission to
// action or to a map of pattern to action.
func (d *decoder) rules(key, n *yaml.Node, layer permission.LayerName) []permission.Rule {
	if n.Kind == yaml.ScalarNode {
		return d.rule(nil, key, n, permission.Rule{Permission: "*", Pattern: "*", Layer: layer})
	}
	rules := make([]permission.Rule, 0, len(n.Content)/2)
	for name, value := range d.entries(n, "permission") {
		rule := permission.Rule{Pattern: "*", Layer: layer}
		meant, err := d.options.meaning(name.Value)
		if err != nil {
			d.errorf(name, "%w", err)
		} else {
			d.warn(name, meant)
		}
		rule.Permission = meant
		switch value.Kind {
		case yaml.ScalarNode:
			rules = d.rule(rules, name, value, rule)
		case yaml.MappingNode:
			rules = d.patterns(rules, name, value, rule)
		default:
			d.errorf(value, "%s must be an action or a map of patterns to actions, but is %s", name.Value, shape(value))
		}
	}
	return rules
}

// patterns adds the rules of a map of patterns to actions.
func (d *decoder) patterns(rules []permission.Rule, name, n *yaml.Node, rule permission.Rule) []permission.Rule {
	if len(n.Content) == 0 {
		d.errorf(name, "%s has no patterns, and so protects nothing: give it an action or patterns, or leave it out", name.Value)
	}
	for pattern, action := range pairs(n) {
		if pattern.Value == "" {
			d.errorf(pattern, `an empty pattern matches nothing: write "*" for everything`)
		}
		rule.Pattern = d.expand(pattern)
		rules = d.rule(rules, pattern, action, rule)
	}
	return rules
}

// rule adds rule, with the action that n is and the source of key.
func (d *decoder) rule(rules []permission.Rule, key, n *yaml.Node, rule permission.Rule) []permission.Rule {
	switch {
	case n.Kind != yaml.ScalarNode:
		d.errorf(n, "%q must be an action, but is %s: use allow, ask or deny", key.Value, shape(n))
		return rules
	case n.Tag == "!!null":
		d.errorf(key, "%q has no action: use allow, ask or deny", key.Value)
		return rules
	}
	action, err := permission.ParseAction(n.Value)
	if err != nil {
		d.errorf(n, "%w", err)
	}
	rule.Action, rule.Source = action, d.source(key)
	return append(rules, rule)
}

// expand returns the pattern that n is, with the home directory in it.
func (d *decoder) expand(n *yaml.Node) string {
	pattern, err := d.options.expand(n.Value)
	if err != nil {
		d.errorf(n, "%w", err)
	}
	return pattern
}

// expand is [ExpandHome], and an error where there is no home to expand: such a
// pattern would match nothing, and so protect nothing.
func (o Options) expand(pattern string) (string, error) {
	if o.Home == "" && ExpandHome(pattern, "/") != pattern {
		return pattern, fmt.Errorf("%q needs the home directory, which is not known: set $HOME", pattern)
	}
	return ExpandHome(pattern, o.Home), nil
}

// ExpandHome returns pattern with home for a ~ or $HOME that it begins with,
// if that is all of it or a slash follows. With an empty home it returns
// pattern as it is, lest "~/*" become "/*".
func ExpandHome(pattern, home string) string {
	if home == "" {
		return pattern
	}
	for _, name := range []string{"~", "$HOME"} {
		rest, ok := strings.CutPrefix(pattern, name)
		switch {
		case !ok:
		case rest == "":
			return home
		case rest[0] == '/':
			return strings.TrimRight(home, "/") + rest
		}
	}
	return pattern
}

// CheckPreset returns an error unless name is one of known. It names those, and
// the one that was probably meant.
func CheckPreset(name string, known []string) error {
	if slices.Contains(known, name) {
		return nil
	}
	return fmt.Errorf("unknown preset %q%s: there are %s", name, permission.DidYouMean(name, known...), strings.Join(known, ", "))
}
