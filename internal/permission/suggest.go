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

// DidYouMean returns ` (did you mean "word"?)` with the nearest of words, or ""
// if none is near, to be put behind what was not understood.
func DidYouMean(got string, words ...string) string {
	if word := nearest(got, words...); word != "" {
		return fmt.Sprintf(" (did you mean %q?)", word)
	}
	return ""
}
