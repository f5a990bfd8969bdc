package foreign

import (
	"regexp"
	"strings"

	"github.com/permctl/permctl/internal/bash"
)

// timeWords is a regular expression for what may stand right before a command,
// and is the shell's own for permctl: the words time and coproc. Agents take them
// for a program, whose arguments the command is.
const timeWords = `(?:^|[\s;&|(){}!` + "`" + `])((?:time|coproc)(?:(?:\s|\\\n)+(?:time|coproc|-p|--|!|if|while|until))*(?:\s|\\\n)+[({\s]*)$`

var timeWord = regexp.MustCompile(timeWords)

// keywordBefore returns what of a text belongs to a command in it for those who
// take time for a program, or "".
func keywordBefore(text string, c bash.Command) string {
	if c.Start < 0 || c.Start > len(text) {
		return ""
	}
	if found := timeWord.FindStringSubmatch(text[:c.Start]); found != nil {
		return found[1]
	}
	return ""
}

// keywordsRego is keywordBefore in Rego: _keyword has it where there is any.
var keywordsRego = strings.ReplaceAll(`
# The shell's own words time and coproc, which AGENT takes for a program.
_keyword(command) := found if {
	found := regex.find_all_string_submatch_n(WORDS, _before(command), 1)[0][1]
}

# Offsets are those of bytes.
_before(command) := hex.decode(substring(_hexed, 0, command.start * 2))

_behind(command) := hex.decode(substring(_hexed, command.end * 2, -1))

_hexed := hex.encode(input.script.text)
`, "WORDS", quoted(timeWords))

var (
	hereDocument  = regexp.MustCompile(hereDocuments)
	hereDelimiter = regexp.MustCompile(hereDelimiters)
)

// hereDocuments is a regular expression for what begins a here-document, and
// hereDelimiters one for its delimiter.
const (
	hereDocuments  = `(?:^|[^<])<<(?:[^<]|$)`
	hereDelimiters = `(?:^|[^<])<<-?\s*\\?['"]?([^\s'"\\;&|<>()]+)`
)

// hereBehind returns what of a text lies behind a command in it, up to the end of
// its here-documents, or "".
func hereBehind(text string, c bash.Command) string {
	if c.End < 0 || c.End > len(text) || !hereDocument.MatchString(c.Source) {
		return ""
	}
	lines := strings.Split(text[c.End:], "\n")
	end := 0
	for _, found := range hereDelimiter.FindAllStringSubmatch(c.Source, -1) {
		for end++; end < len(lines) && strings.TrimLeft(lines[end], "\t") != found[1]; {
			end++
		}
	}
	return strings.Join(lines[:min(end+1, len(lines))], "\n")
}

// hereRego is hereBehind in Rego: _here has what may lie behind a command, up to
// each line that may end its here-documents, or up to the end of the text.
var hereRego = strings.NewReplacer("DOCUMENTS", quoted(hereDocuments), "DELIMITERS", quoted(hereDelimiters)).Replace(`
_here(command) := {""} if not regex.match(DOCUMENTS, command.source)

_here(command) := {concat("\n", array.slice(lines, 0, end)) | some end in _ends(lines, command)} if {
	regex.match(DOCUMENTS, command.source)
	lines := split(_behind(command), "\n")
}

_ends(lines, command) := array.concat(array.slice(ends, 0, 20), [count(lines)]) if {
	ends := _delimiting(lines, command)
	count(ends) > 20
} else := ends if {
	ends := _delimiting(lines, command)
	count(ends) > 0
} else := [count(lines)]

_delimiting(lines, command) := [end |
	some i, line in lines
	i > 0
	trim_left(line, "\t") in delimiters
	end := i + 1
] if {
	delimiters := {found[1] | some found in regex.find_all_string_submatch_n(DELIMITERS, command.source, -1)}
}
`)
