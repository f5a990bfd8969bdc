package input

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// maxReadings is how many readings of a path are looked at.
const maxReadings = 12

// repairs are what tools do with a path that a model wrote, before they follow it.
// Source: the path functions of pi 0.73 and Gemini CLI 0.61 (the @ of a mention,
// blanks, escapes), of Claude Code 2.0 (blanks at its ends) and of VS Code (URIs);
// and that not every tool knows ~ and $HOME.
var repairs = []func(path string) string{
	func(path string) string { return strings.TrimPrefix(path, "@") },
	strings.TrimSpace,
	func(path string) string {
		return strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Zs, r) {
				return ' '
			}
			return r
		}, path)
	},
	func(path string) string {
		if plain, err := url.PathUnescape(path); err == nil {
			return plain
		}
		return path
	},
	func(path string) string {
		if u, err := url.Parse(path); err == nil && strings.EqualFold(u.Scheme, "file") && u.Path != "" {
			return u.Path
		}
		return path
	},
	func(path string) string {
		if strings.HasPrefix(path, "~") || strings.HasPrefix(path, "$HOME") {
			return "./" + path
		}
		return path
	},
}

// readings returns what else than itself a path may be for a tool that is given it.
func readings(path string) []string {
	found := []string{path}
	for i := 0; i < len(found); i++ {
		for _, repair := range repairs {
			if other := repair(found[i]); other != "" && len(found) < maxReadings && !slices.Contains(found, other) {
				found = append(found, other)
			}
		}
	}
	return found[1:]
}
