package bash

import (
	"regexp"

	"mvdan.cc/sh/v3/pattern"
)

// Glob returns a function that reports whether a name, which has no slash, is
// matched by the wildcards of a shell. A dot at its start may be matched too,
// as some shells are told to. It is an error if shells do not agree on the
// pattern.
func Glob(glob string) (func(name string) bool, error) {
	return matcher(glob, pattern.NoGlobStar)
}

// GlobPath is [Glob] for a path with slashes, of which ** matches any number of
// folders, and in which letter case does not count.
func GlobPath(glob string) (func(path string) bool, error) {
	return matcher(glob, pattern.NoGlobCase)
}

func matcher(glob string, mode pattern.Mode) (func(text string) bool, error) {
	text, err := pattern.Regexp(glob, mode|pattern.EntireString|pattern.Filenames|pattern.GlobLeadingDot)
	if err != nil {
		return nil, err
	}
	expression, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	return expression.MatchString, nil
}
