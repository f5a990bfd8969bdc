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
	text, err := pattern.Regexp(glob, pattern.EntireString|pattern.Filenames|pattern.NoGlobStar|pattern.GlobLeadingDot)
	if err != nil {
		return nil, err
	}
	matcher, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	return matcher.MatchString, nil
}
