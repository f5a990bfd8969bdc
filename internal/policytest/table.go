package policytest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// A table is a text of decisions. It consists of lines, each of which is
//
//   - blank, or a comment that begins with #;
//   - a row: ACTION TOOL ARGUMENT, and if need be => TEXT;
//   - a directive: a word, and what it is about, for the rows below it.
//
// The argument is the rest of the line as it stands, or one text in the double
// quotes of Go, for newlines or where it holds => itself; it means what it does
// to permctl check. A row whose tool is json has a whole call for its argument.
// TEXT must be part of what is said of the decision: by its reason, or by any
// rule, floor or policy that came to the same answer.
//
// The directives settings, project and untrusted may have indented lines below
// them instead of a file: the settings themselves. With any of them, or with
// preset, none but the table's own rules count; permission and approval add to
// the rules that there are. The workspace is called /workspace, is empty but
// for what file and link make, and belongs to a user whose home is /home/user.
type table struct {
	file  string
	lines []line
}

// A line is a line of a table, as it stands and as it is understood.
type line struct {
	number int
	text   string // with what ends it

	row  *row
	word string // the directive
	rest string // what it is about
	body string // the indented lines below it, each in its line of the table
}

// A row is what a line says of a call.
type row struct {
	action   permission.Action
	tool     string
	argument string
	reason   string // what has to be said of the decision, or ""

	text   string // the line without space around it
	column int    // where the tool's name begins in it
}

// call returns the row's call, with the argument as it is then.
func (r *row) call(argument string) (input.Call, error) {
	if r.tool == "json" {
		return input.ParseCall([]byte(argument))
	}
	return input.FromArgument(r.tool, argument)
}

// directives are the words that a line may begin with beside actions, and what
// follows each.
var directives = []struct{ word, what string }{
	{"preset", "the name of a preset"},
	{"settings", "a settings file of the user, or settings on indented lines below"},
	{"project", "a settings file of a trusted project, or settings on indented lines below"},
	{"untrusted", "a settings file of a project that is not trusted, or settings on indented lines below"},
	{"permission", "a rule TOOL=ACTION or TOOL:PATTERN=ACTION"},
	{"approval", "what a person approved for good, TOOL:PATTERN"},
	{"mode", "the agent's mode: build, plan or what the agent calls it"},
	{"agent", "the agent's name"},
	{"cwd", "a folder in the workspace, in which the calls are made"},
	{"time", "when the calls are made: 2026-01-31T15:04:05Z"},
	{"file", "a file in the workspace"},
	{"link", "a link in the workspace, and where it leads: NAME -> TARGET"},
}

// Directives describes the directives of tables for a person, a line each.
func Directives() string {
	var b strings.Builder
	for _, d := range directives {
		fmt.Fprintf(&b, "  %-11s %s\n", d.word, d.what)
	}
	return b.String()
}

// maxProblems is how many errors of a table are told.
const maxProblems = 20

// parseTable reads a table. The error joins one for each line that is wrong,
// each with the file and line, and there is no table with it.
func parseTable(file string, text []byte) (*table, error) {
	t := &table{file: file}
	var errs []error
	block := -1 // the directive that indented lines belong to
	for raw := range bytes.Lines(text) {
		l := line{number: len(t.lines) + 1, text: string(raw)}
		content := trim(l.text)
		indented := content != "" && strings.ContainsRune(" \t", rune(l.text[0]))
		switch {
		case content == "" || content[0] == '#':
		case indented && block >= 0:
			t.lines[block].add(l)
		case indented:
			errs = append(errs, fmt.Errorf("%s:%d: only what belongs to settings, project or untrusted may be indented", file, l.number))
		default:
			block = -1
			if err := l.parse(content); err != nil {
				errs = append(errs, fmt.Errorf("%s:%d: %w", file, l.number, err))
			}
			if l.opens() {
				block = len(t.lines)
			}
		}
		t.lines = append(t.lines, l)
	}
	if len(errs) > maxProblems {
		errs = append(errs[:maxProblems], fmt.Errorf("%s: and %d more", file, len(errs)-maxProblems))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return t, nil
}

// add adds an indented line to what the directive is about, so that it keeps
// its number.
func (l *line) add(below line) {
	l.body += strings.Repeat("\n", below.number-1-strings.Count(l.body, "\n")) + strings.TrimRight(below.text, "\r\n") + "\n"
}

func trim(text string) string { return strings.Trim(text, " \t\r\n") }

// opens reports whether the line is a directive that indented lines may follow.
func (l *line) opens() bool {
	return l.rest == "" && (l.word == "settings" || l.word == "project" || l.word == "untrusted")
}

// parse understands a line that is neither blank nor a comment.
func (l *line) parse(content string) error {
	word, rest := cutWord(content)
	if action, err := permission.ParseAction(word); err == nil {
		return l.parseRow(action, content, rest)
	}
	i := slices.IndexFunc(directives, func(d struct{ word, what string }) bool { return d.word == word })
	if i < 0 {
		return fmt.Errorf("unknown word %q%s: a row is ACTION TOOL ARGUMENT with the action allow, ask or deny; any other line begins with #, or with one of %s",
			word, permission.DidYouMean(word, words()...), strings.Join(words()[len(permission.Actions):], ", "))
	}
	l.word, l.rest = word, rest
	if rest == "" && !l.opens() {
		return fmt.Errorf("%s needs %s", word, directives[i].what)
	}
	return nil
}

// words are all that a line may begin with.
func words() []string {
	var all []string
	for _, a := range permission.Actions {
		all = append(all, string(a))
	}
	for _, d := range directives {
		all = append(all, d.word)
	}
	return all
}

// parseRow understands a row, of which the action is known.
func (l *line) parseRow(action permission.Action, content, rest string) error {
	tool, argument := cutWord(rest)
	if tool == "" {
		return fmt.Errorf("%s what? A row is ACTION TOOL ARGUMENT, such as: deny bash git push --force", action)
	}
	column := len(content) - len(rest)
	if slip := input.SlipOf(tool); slip != "" {
		return fmt.Errorf("column %d: no tool is called %q (did you mean %q?): write that, or for a tool that is really called so, a row json {\"tool\": %q, …}", column+1, tool, slip, tool)
	}
	if err := closed(argument); err != nil {
		return fmt.Errorf("column %d: %w", len(content)-len(argument)+1, err)
	}
	argument, reason, found := splitReason(argument)
	if found && reason == "" {
		return errors.New("nothing stands behind =>: give a part of the reason, or leave it out")
	}
	l.row = &row{action: action, tool: tool, argument: argument, reason: reason, text: content, column: column}
	if tool == "json" {
		if name, mean := input.UnknownField([]byte(argument)); name != "" {
			return fmt.Errorf("no call has the field %q%s: correct it, or leave it out", name, mean)
		}
	}
	_, err := l.row.call(argument)
	return err
}

// closed reports what is wrong with the quotes that an argument begins with: they
// have no end, or they are around all of it and hold what Go does not know.
func closed(argument string) error {
	if !strings.HasPrefix(argument, `"`) {
		return nil
	}
	for i := 1; i < len(argument); i++ {
		switch argument[i] {
		case '\\':
			i++
		case '"':
			rest := trim(argument[i+1:])
			if _, err := strconv.Unquote(argument[:i+1]); err != nil && (rest == "" || strings.HasPrefix(rest, "=>")) {
				return fmt.Errorf("%s is no text as Go quotes it: in double quotes, a backslash is \\\\", argument[:i+1])
			}
			return nil
		}
	}
	return errors.New(`the quotes have no end: close them, or for a text with just one, write all of it in quotes and that one as \"`)
}

// cutWord returns the first word of a text and what follows it, trimmed.
func cutWord(text string) (word, rest string) {
	i := strings.IndexAny(text, " \t")
	if i < 0 {
		return text, ""
	}
	return text[:i], trim(text[i:])
}

// splitReason cuts the expected reason off a row's argument, and undoes quotes
// around all of the argument.
func splitReason(text string) (argument, reason string, found bool) {
	if quoted, err := strconv.QuotedPrefix(text); err == nil && text[0] == '"' {
		rest := text[len(quoted):]
		reason, found := strings.CutPrefix(trim(rest), "=>")
		if plain, err := strconv.Unquote(quoted); err == nil && (found || rest == "") {
			return plain, trim(reason), found
		}
	}
	for i := 0; ; i += len("=>") {
		next := strings.Index(text[i:], "=>")
		if next < 0 {
			return text, "", false
		}
		i += next
		before, after := text[:i], text[i+len("=>"):]
		if endsInSpace(before) && (after == "" || endsInSpace(after[:1])) {
			return trim(before), trim(after), true
		}
	}
}

// endsInSpace reports whether text ends in a space or tab, or is empty.
func endsInSpace(text string) bool {
	return text == "" || text[len(text)-1] == ' ' || text[len(text)-1] == '\t'
}

// answered returns the table with other actions in the rows that answers has,
// by their lines. The rest of a line stays where it is if there is room. With
// notes, what is said of the decision is put behind each of them.
func (t *table) answered(answers map[int]answer, notes bool) []byte {
	var text bytes.Buffer
	for _, l := range t.lines {
		a, ok := answers[l.number]
		if !ok || l.row == nil {
			text.WriteString(l.text)
			continue
		}
		fmt.Fprintf(&text, "%-*s", max(l.row.column, len(a.action)+1), a.action)
		rest := l.text[l.row.column:]
		if !notes {
			text.WriteString(rest)
			continue
		}
		if l.row.reason != "" {
			rest = rest[:strings.LastIndex(rest, "=>")]
		}
		fmt.Fprintf(&text, "%s  => %s\n", strings.TrimRight(rest, " \t\r\n"), strings.ReplaceAll(a.reason, "\n", " "))
	}
	return text.Bytes()
}

// An answer is what the policy says where a row is not right.
type answer struct {
	action permission.Action
	reason string
	said   bool // whether the reason is the expected one
}
