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
		if d := levenshtein.ComputeDistance(strings.ToLower(got), strings.ToLower(word)); d < distance {
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
	slip := ""
	for _, word := range words {
		a, b := strings.ToLower(got), strings.ToLower(word)
		switch {
		case a == b:
			return ""
		case slip == "" && (levenshtein.ComputeDistance(a, b) == 1 || swapped(a, b)):
			slip = word
		}
	}
	return slip
}

// swapped reports whether a is b but for two neighbours in the wrong order.
func swapped(a, b string) bool {
	for i := 1; i < len(a) && len(a) == len(b); i++ {
		if a[:i-1]+a[i:i+1]+a[i-1:i]+a[i+1:] == b {
			return true
		}
	}
	return false
}

// DidYouMean returns ` (did you mean "word"?)` with the nearest of words, or ""
// if none is near, to be put behind what was not understood.
func DidYouMean(got string, words ...string) string {
	if word := nearest(got, words...); word != "" {
		return fmt.Sprintf(" (did you mean %q?)", word)
	}
	return ""
}
