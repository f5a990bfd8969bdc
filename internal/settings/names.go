package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/permctl/permctl/internal/permission"
)

// known are the permissions that tools of known agents need, beside those that
// are named like an MCP server's tool.
var known = []string{
	"bash", "read", "edit", "grep", "glob", "list", "webfetch", "websearch", "task", "skill", "eval",
	"external_directory", "todowrite", "todoread", "question", "lsp", "doom_loop", "plan_enter", "plan_exit",
	"workflow", "bash_output", "bash_resize", "kill_bash", "codesearch", "batch",
}

// permission returns the permission that settings mean by name, and a warning
// if that is another, or one that nothing is known to need. What looks like
// protection and is none is an error.
func (o Options) permission(name string) (meant, warning string, err error) {
	if slices.Contains(known, name) {
		return name, "", nil
	}
	switch tool, ok := quotedRule(name); {
	case name == "":
		return name, "", errors.New(`an empty permission matches nothing: write "*" for all`)
	case strings.TrimSpace(name) != name:
		return name, "", fmt.Errorf("permission %q has a space at an end: write %q", name, strings.TrimSpace(name))
	case ok:
		return name, "", fmt.Errorf("unknown permission %q: write the pattern below the permission, as in %s: {\"git status *\": allow}",
			name, strings.ToLower(tool))
	case strings.ContainsAny(name, "*?"):
		return name, o.wildcardWarning(name), nil
	}
	shared := name
	if o.PermissionOf != nil {
		shared = o.PermissionOf(name)
	}
	upper := strings.ContainsFunc(name, unicode.IsUpper)
	switch i := slices.IndexFunc(known, func(k string) bool { return plain(k) == plain(name) }); {
	case upper && shared != name:
		return name, "", fmt.Errorf("unknown permission %q (did you mean %q?): permissions are written in lower case", name, shared)
	case upper && i >= 0:
		return name, "", fmt.Errorf("unknown permission %q (did you mean %q?): permissions are written in lower case", name, known[i])
	case shared != name:
		return shared, fmt.Sprintf("%q is read as %q, the permission that the tool shares: write that", name, shared), nil
	}
	return name, unknownWarning(name), nil
}

// wildcardWarning warns of a name with wildcards that would match what is
// known if it were in lower case.
func (Options) wildcardWarning(name string) string {
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
	if strings.HasPrefix(name, "mcp_") {
		return ""
	}
	mean := permission.DidYouMean(name, known...)
	parts := strings.ContainsFunc(name[1:], func(r rune) bool { return !unicode.IsLower(r) })
	if mean == "" && parts {
		return ""
	}
	return fmt.Sprintf("no tool that permctl knows needs the permission %q%s", name, mean)
}

// quotedRule returns the tool of a name that is a whole rule as other agents
// write them, "Bash(git status:*)".
func quotedRule(name string) (tool string, ok bool) {
	tool, _, found := strings.Cut(name, "(")
	return tool, found && strings.HasSuffix(name, ")")
}

// plain returns name in lower case and without separators.
func plain(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
}
