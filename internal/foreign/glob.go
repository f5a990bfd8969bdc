package foreign

import (
	"regexp"
	"strings"
)

// gitignore returns the regular expression for the paths, relative to where the
// pattern begins, that a line of a gitignore file is for: also what lies in a
// folder that it names. It is not ok if the line is for nothing, or holds what
// readers take in different ways.
func gitignore(pattern string, anyDepth bool) (expression string, ok bool) {
	body := strings.TrimPrefix(pattern, "/")
	folder := strings.HasSuffix(body, "/")
	body = strings.TrimSuffix(body, "/")
	if body == "" || strings.ContainsRune("!#", rune(pattern[0])) || strings.HasSuffix(body, " ") || strings.Contains(body, "//") {
		return "", false
	}
	anchored := strings.HasPrefix(pattern, "/") || strings.Contains(body, "/")
	var b strings.Builder
	b.WriteString("^")
	if !anchored || anyDepth {
		b.WriteString("(?:.*/)?")
	}
	segments := strings.Split(body, "/")
	for i, segment := range segments {
		last := i == len(segments)-1
		switch {
		case segment == "." || segment == "..":
			return "", false
		case segment == "**" && last:
			b.WriteString(".*")
		case segment == "**":
			b.WriteString("(?:.*/)?")
		default:
			part, ok := globSegment(segment)
			if !ok {
				return "", false
			}
			b.WriteString(part)
			if !last {
				b.WriteString("/")
			}
		}
	}
	switch {
	case folder:
		b.WriteString("/.*")
	case segments[len(segments)-1] != "**":
		b.WriteString("(?:/.*)?")
	}
	return b.String() + "$", true
}

// class is a class of characters that all readers take in the same way.
var class = regexp.MustCompile(`^\[[!^]?[A-Za-z0-9_.]+\]`)

// globSegment returns the regular expression for one segment of a path: * is any
// run of characters in it, ? is one, and a backslash takes the sense of what
// follows.
func globSegment(segment string) (expression string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(segment); i++ {
		switch c := segment[i]; c {
		case '*':
			b.WriteString("[^/]*")
		case '?':
			b.WriteString("[^/]")
		case '[':
			found := class.FindString(segment[i:])
			if found == "" {
				return "", false
			}
			b.WriteString(strings.Replace(found, "[!", "[^/", 1))
			i += len(found) - 1
		case '\\':
			if i++; i == len(segment) {
				return "", false
			}
			b.WriteString(regexp.QuoteMeta(segment[i : i+1]))
		default:
			end := i + 1
			for end < len(segment) && !strings.ContainsRune(`*?[\`, rune(segment[end])) {
				end++
			}
			b.WriteString(regexp.QuoteMeta(segment[i:end]))
			i = end - 1
		}
	}
	return b.String(), true
}

// starred returns the regular expression for a text in which * is any run of
// characters and all else is itself.
func starred(pattern string) string {
	parts := strings.Split(pattern, "*")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return strings.Join(parts, ".*")
}
