package settings

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/permctl/permctl/internal/permission"
)

// ParsePermissionFlag returns the rules in the values of --permission, in
// order, and warnings such as those of a [File]. A value holds parts of the
// form tool=action or tool:pattern=action, with commas between them; the
// pattern goes from the first colon to the last equals sign, and a comma in it
// is written \, there. Space around anything is left out. A part of another
// form is an error that names it; then there are no rules.
func ParsePermissionFlag(values []string, o Options) (rules []permission.Rule, warnings []string, err error) {
	for _, value := range values {
		for _, part := range splitParts(value) {
			name, rule, err := o.parsePart(part)
			if err != nil {
				return nil, nil, fmt.Errorf("%s %q: %w", flagSource, part, err)
			}
			if warning := nameWarning(name, rule.Permission); warning != "" {
				warnings = append(warnings, flagSource+": "+warning)
			}
			rules = append(rules, rule)
		}
	}
	return rules, warnings, nil
}

const (
	flagSource       = "--permission"
	presetFlagSource = "--permission-preset"
)

// splitParts returns the parts of a flag's value, trimmed.
func splitParts(value string) []string {
	// No argument of a program can hold a NUL, so that it may stand for an
	// escaped comma meanwhile.
	parts := strings.Split(strings.ReplaceAll(value, `\,`, "\x00"), ",")
	for i, part := range parts {
		parts[i] = strings.TrimSpace(strings.ReplaceAll(part, "\x00", ","))
	}
	return parts
}

// parsePart returns the rule that one part of a flag's value is, and the
// permission's name as it is written there.
func (o Options) parsePart(part string) (name string, rule permission.Rule, err error) {
	const form = "want tool=action or tool:pattern=action"
	equals := strings.LastIndexByte(part, '=')
	if equals < 0 {
		return "", rule, errors.New(form + ` (a comma in a pattern is written \,)`)
	}
	name, pattern, found := strings.Cut(part[:equals], ":")
	if name == "MCP" && found { // as Cursor names the tools of MCP servers
		name, pattern, found = strings.Cut(pattern, ":")
		name = "MCP:" + name
	}
	name, pattern = strings.TrimSpace(name), strings.TrimSpace(pattern)
	switch {
	case name == "":
		return "", rule, errors.New("the tool is missing: " + form)
	case !found:
		pattern = "*"
	case pattern == "":
		return "", rule, errors.New("the pattern is missing: " + form)
	}
	action, err := permission.ParseAction(strings.TrimSpace(part[equals+1:]))
	if err != nil {
		return "", rule, err
	}
	meant, nameErr := o.meaning(name)
	pattern, homeErr := o.expand(pattern)
	return name, permission.Rule{
		Permission: meant,
		Pattern:    pattern,
		Action:     action,
		Layer:      permission.LayerFlag,
		Source:     flagSource,
	}, cmp.Or(nameErr, homeErr)
}
