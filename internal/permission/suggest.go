package permission

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// nearest returns the word of words that a person who wrote got most likely
// meant, or "" if none is near. Letter case does not count, and of equally near
// words the first is taken.
func nearest(got string, words ...string) string {
	best, distance := "", 1+max(1, utf8.RuneCountInString(got)/3)
	for _, word := range words {
		if d := slips(strings.ToLower(got), strings.ToLower(word)); d < distance {
			best, distance = word, d
		}
	}
	return best
}

// Slip returns the word of words that got is one slip of the finger away from:
// a letter too many, one too few, another one, or two in the wrong order. It is
// "" if there is none, or if got is one of the words itself. Letter case does
// not count.
func Slip(got string, words ...string) string {
	best := nearest(got, words...)
	if best == "" || slips(strings.ToLower(got), strings.ToLower(best)) != 1 {
		return ""
	}
	return best
}

// slips returns how many letters too many, too few and others a has instead of b.
// Two that are in the wrong order, and nothing else, are one.
func slips(a, b string) int {
	for i := 1; i < len(a) && len(a) == len(b); i++ {
		if a != b && a[:i-1]+a[i:i+1]+a[i-1:i]+a[i+1:] == b {
			return 1
		}
	}
	return levenshtein.ComputeDistance(a, b)
}

// DidYouMean returns ` (did you mean "word"?)` with the nearest of words, or ""
// if none is near, to be put behind what was not understood.
func DidYouMean(got string, words ...string) string {
	if word := nearest(got, words...); word != "" {
		return fmt.Sprintf(" (did you mean %q?)", word)
	}
	return ""
}
