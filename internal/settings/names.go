package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/permctl/permctl/internal/permission"
)

// known are the permissions that permctl asks for, whatever the agent calls
// its tool.
var known = []string{
	"bash", "read", "edit", "grep", "glob", "list", "webfetch", "websearch", "task", "skill", "eval",
	"external_directory", "todowrite", "question",
}

// others are tools of agents that are permissions of their own names. Agents
// differ in their spelling, so that each spelling is as good as this.
var others = []string{
	"bash_output", "bash_resize", "batch", "codesearch", "doom_loop", "kill_bash", "lsp", "plan_enter",
	"plan_exit", "todoread", "workflow",
}

// meaning returns the permission that settings mean by name: another if name is
// a tool that shares it. What looks like protection and is none is an error.
func (o Options) meaning(name string) (string, error) {
	if slices.Contains(known, name) {
		return name, nil
	}
	switch tool, ok := quotedRule(name); {
	case name == "":
		return name, errors.New(`an empty permission matches nothing: write "*" for all`)
	case strings.TrimSpace(name) != name:
		return name, fmt.Errorf("permission %q has a space at an end: write %q", name, strings.TrimSpace(name))
	case ok:
		return name, fmt.Errorf("unknown permission %q: write the pattern below the permission, as in %s: {\"git status *\": allow}",
			name, strings.ToLower(tool))
	case flagRule(name):
		tool, pattern, _ := strings.Cut(name, ":")
		return name, fmt.Errorf("unknown permission %q: write the pattern below the permission: %s: {%q: …}", name, tool, pattern)
	case strings.ContainsAny(name, "*?"):
		return name, nil
	}
	meant := name
	if o.PermissionOf != nil {
		meant = o.PermissionOf(name)
	}
	if !strings.ContainsFunc(name, unicode.IsUpper) {
		return meant, nil
	}
	if i := indexPlain(known, name); i >= 0 && meant == name {
		meant = known[i]
	}
	if meant != name {
		return name, fmt.Errorf("unknown permission %q (did you mean %q?): permissions are written in lower case", name, meant)
	}
	return name, nil
}

// nameWarning returns what is to be said of name, which was read as meant: that
// this is another, or that nothing is known to need it. It is empty if all is
// well.
func nameWarning(name, meant string) string {
	switch {
	case meant != name:
		return fmt.Sprintf("%q is read as %q, the permission that the tool shares: write that", name, meant)
	case slices.Contains(known, name):
		return ""
	case strings.ContainsAny(name, "*?"):
		return wildcardWarning(name)
	default:
		return unknownWarning(name)
	}
}

// wildcardWarning warns of a name with wildcards that would match what is
// known if it were in lower case.
func wildcardWarning(name string) string {
	lower := strings.ToLower(name)
	matches := func(pattern string) bool {
		return slices.ContainsFunc(known, func(k string) bool { return permission.Match(k, pattern) })
	}
	if lower != name && matches(lower) && !matches(name) {
		return fmt.Sprintf("%q matches no permission that permctl knows (did you mean %q?)", name, lower)
	}
	return ""
}

// unknownWarning warns of a name that is near a known one, or that is a plain
// word: an MCP server's or a plugin's tool has a name of several parts.
func unknownWarning(name string) string {
	if strings.HasPrefix(name, "mcp_") || indexPlain(others, name) >= 0 {
		return ""
	}
	mean := permission.DidYouMean(name, known...)
	parts := strings.ContainsFunc(name[1:], func(r rune) bool { return !unicode.IsLower(r) })
	if mean == "" && parts {
		return ""
	}
	return fmt.Sprintf("no tool that permctl knows needs the permission %q%s", name, mean)
}

// flagRule reports whether a name is a permission and a pattern, as
// --permission takes them.
func flagRule(name string) bool {
	before, _, found := strings.Cut(name, ":")
	return found && slices.Contains(known, before)
}

// quotedRule returns the tool of a name that is a whole rule as other agents
// write them, "Bash(git status:*)".
func quotedRule(name string) (tool string, ok bool) {
	tool, _, found := strings.Cut(name, "(")
	return tool, found && strings.HasSuffix(name, ")")
}

// indexPlain returns the index of the name in names that is name but for letter
// case and separators, or -1.
func indexPlain(names []string, name string) int {
	plain := func(s string) string {
		return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(s))
	}
	name = plain(name)
	return slices.IndexFunc(names, func(other string) bool { return plain(other) == name })
}
