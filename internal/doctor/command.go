package doctor

import (
	"slices"
	"strings"
	"time"
)

// joined returns the words of a command line as a POSIX shell reads them.
func joined(argv []string) string {
	words := slices.Clone(argv)
	for i, word := range words {
		words[i] = quoted(word)
	}
	return strings.Join(words, " ")
}

// quoted returns a word so that a POSIX shell reads it as it is.
func quoted(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@+,="
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// arguments returns what stands behind the program in a simple command, with the
// blank before it.
func arguments(command string) string {
	command = strings.TrimLeft(command, " \t")
	if rest, ok := strings.CutPrefix(command, "exec "); ok {
		command = strings.TrimLeft(rest, " \t")
	}
	for i := 0; i < len(command); i++ {
		switch c := command[i]; c {
		case '\'', '"':
			length := strings.IndexByte(command[i+1:], c)
			if length < 0 {
				return ""
			}
			i += length + 1
		case '\\':
			i++
		case ' ', '\t':
			return command[i:]
		}
	}
	return ""
}

// option returns the time that a command gives with an option, or otherwise.
func option(command, name string, otherwise time.Duration) time.Duration {
	words := strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t='\"", r) })
	at := slices.Index(words, name)
	if at < 0 || at+1 == len(words) {
		return otherwise
	}
	if found, err := time.ParseDuration(words[at+1]); err == nil {
		return found
	}
	return otherwise
}

// firstLine returns the first line of a text that is not blank.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}
