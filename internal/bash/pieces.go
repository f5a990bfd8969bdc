package bash

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// keywords are the words behind which a command may stand.
var keywords = strings.Fields("! { if then elif else while until do time coproc")

// maxLeads is how many words before a command each begin a piece of their own.
const maxLeads = 8

// Pieces returns the words of a text that cannot be analysed, as far as they can
// be told without a grammar: quotes and backslashes are removed. A piece begins
// where a command may begin: at the start, behind an operator, a parenthesis or
// the end of a line, where a quoted text begins, and behind assignments, keywords
// and wrappers without options.
func Pieces(text string) [][]string {
	text = strings.NewReplacer("\\\n", "", `\`, "", `$"`, `"`, "$'", "'").Replace(text)
	var pieces [][]string
	seen := map[string]bool{}
	add := func(words []string) {
		key := strings.Join(words, " ")
		if len(words) > 0 && !seen[key] {
			seen[key] = true
			pieces = append(pieces, words)
		}
	}
	for _, quote := range []string{"", ";"} {
		version := strings.NewReplacer(`'`, quote, `"`, quote).Replace(text)
		for part := range strings.FieldsFuncSeq(version, endsCommand) {
			words := strings.FieldsFunc(part, endsWord)
			add(words)
			for range maxLeads {
				if len(words) == 0 || !leads(words[0]) {
					break
				}
				words = words[1:]
				add(words)
			}
			for len(words) > 0 && leads(words[0]) {
				words = words[1:]
			}
			add(words)
		}
	}
	return pieces
}

func endsCommand(r rune) bool { return strings.ContainsRune(";|&()<>`\n\r", r) }

func endsWord(r rune) bool { return r <= ' ' || unicode.IsSpace(r) || r == utf8.RuneError }

// leads reports whether the word behind this one may be a command's name.
func leads(word string) bool {
	if name, _, ok := strings.Cut(word, "="); ok && syntax.ValidName(name) || slices.Contains(keywords, word) {
		return true
	}
	row, ok := shippedRow(word)
	return ok && row.Wrapper
}
