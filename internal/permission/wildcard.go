package permission

import (
	"strings"
	"unicode/utf8"
)

// Match reports whether pattern matches the whole of text. In a pattern * is
// any run of characters, also of slashes and newlines, ? is one character, and
// all else is itself; letter case counts. A pattern that ends in a space and a
// star also matches without the two, so that "git status *" matches "git
// status". The time is at most proportional to len(text) × len(pattern).
func Match(text, pattern string) bool {
	if glob(text, pattern) {
		return true
	}
	head, ok := strings.CutSuffix(pattern, " *")
	return ok && glob(text, head)
}

// glob matches without the rule for a last space-star. It goes back to the
// last star only: an earlier one need not take more, for what follows it has
// already been found at the first place where it can stand.
func glob(text, pattern string) bool {
	t, p := 0, 0
	star, resume := -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, resume = p, t
			p++
			continue
		case p < len(pattern) && pattern[p] == '?':
			_, n := utf8.DecodeRuneInString(text[t:])
			t += n
			p++
			continue
		case p < len(pattern) && pattern[p] == text[t]:
			t++
			p++
			continue
		case star < 0:
			return false
		}
		_, n := utf8.DecodeRuneInString(text[resume:])
		resume += n
		if star+1 < len(pattern) && pattern[star+1] != '*' && pattern[star+1] != '?' && pattern[star+1] < utf8.RuneSelf {
			next := strings.IndexByte(text[resume:], pattern[star+1])
			if next < 0 {
				return false
			}
			resume += next
		}
		t, p = resume, star+1
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// Literal returns the part of pattern before its first wildcard, which every
// text that it matches begins with, and whether it is the whole pattern. Where
// a last space-star may be left out, the space is left out of it too.
func Literal(pattern string) (prefix string, whole bool) {
	i := strings.IndexAny(pattern, "*?")
	if i < 0 {
		return pattern, true
	}
	if head, ok := strings.CutSuffix(pattern, " *"); ok && i == len(head)+1 {
		return head, false
	}
	return pattern[:i], false
}
