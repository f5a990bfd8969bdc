package permission

import (
	"fmt"
	"slices"
	"strings"
)

// Hidden reports whether the rules, lowest first, deny the permission whatever
// its pattern, so that an agent need not offer the tools that need it.
func Hidden(rules []Rule, name string) bool {
	for _, rule := range slices.Backward(rules) {
		if r := rule; Match(name, r.Permission) {
			return r.Pattern == "*" && r.Action == Deny
		}
	}
	return false
}

// ShadowedBy returns the first of the later rules that decides whatever r
// could decide, or nil.
func ShadowedBy(r Rule, later []Rule) *Rule {
	for i := range later {
		l := &later[i]
		if covers(l.Permission, r.Permission) && covers(l.Pattern, r.Pattern) && (l.Pattern == "*" || l.Action != Allow || r.Action == Allow) {
			return l
		}
	}
	return nil
}

// covers reports whether whatever the narrow pattern matches, the wide one
// matches too. It may miss that, but never says so wrongly: a star in narrow
// is tried as nothing and as characters that only a star can take.
func covers(wide, narrow string) bool {
	if strings.Contains(narrow, "?") {
		return strings.Trim(wide, "*") == "" && wide != "" || wide == narrow
	}
	for _, stand := range []string{"", "\x01\x02", "\x01 \x02/\x03"} {
		if !Match(strings.ReplaceAll(narrow, "*", stand), wide) {
			return false
		}
	}
	return true
}

// Unmatchable says why a pattern of a permission can match nothing, as a
// phrase, or returns "".
func Unmatchable(name, pattern string) string {
	switch {
	case pattern == "":
		return "an empty pattern matches nothing"
	case strings.TrimSpace(pattern) != pattern && !strings.HasSuffix(pattern, " *"):
		return "nothing that is matched begins or ends with a blank"
	}
	switch name {
	case "bash":
		return unmatchableCommand(pattern)
	case "read", "edit", "list", "external_directory":
		return unmatchablePath(pattern)
	case "webfetch":
		if !strings.Contains(pattern, "://") && !strings.HasPrefix(pattern, "*") && !strings.HasPrefix(pattern, "http") {
			return "a URL begins with its scheme: https://" + pattern
		}
	}
	return ""
}

func unmatchableCommand(pattern string) string {
	first, _, _ := strings.Cut(pattern, " ")
	switch {
	case strings.Contains(pattern, " && "), strings.Contains(pattern, " || "), strings.Contains(pattern, " | "), strings.Contains(pattern, "; "):
		return "each command of a line is matched by itself, without what joins them"
	case strings.Contains(first, "=") && first != pattern:
		return "commands are matched without the assignments before them"
	case strings.Contains(pattern, "  "):
		return "words are joined by one blank"
	}
	return ""
}

func unmatchablePath(pattern string) string {
	switch {
	case strings.HasPrefix(pattern, "./"):
		return "paths are matched without ./ before them: " + strings.TrimPrefix(pattern, "./")
	case strings.Contains(pattern, "/../"), strings.HasPrefix(pattern, "../"):
		return "paths are matched without .. in them"
	case len(pattern) > 1 && strings.HasSuffix(pattern, "/"):
		return fmt.Sprintf("paths are matched without a slash at their end: %s*", pattern)
	}
	return ""
}
