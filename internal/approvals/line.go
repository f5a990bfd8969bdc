package approvals

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"unicode/utf8"

	"github.com/permctl/permctl/internal/permission"
)

// maxLine is the length in bytes of the longest line that can be an approval,
// with its end.
const maxLine = 64 << 10

// A line of a file is an approval, or blank, or has a problem.
type line struct {
	text    []byte // with its end
	blank   bool
	rule    permission.Rule
	problem error
}

// linesOf returns the lines of the text of the file at path.
func linesOf(text []byte, path string) iter.Seq[line] {
	return func(yield func(line) bool) {
		n, name := 0, "" // of the line before: most have the same permission
		for text := range bytes.Lines(text) {
			n++
			l := line{text: text}
			source := path + ":" + strconv.Itoa(n)
			switch allowed, pattern, err := parseLine(text); {
			case isBlank(text):
				l.blank = true
			case err != nil:
				l.problem = fmt.Errorf("%s: %w", source, err)
			default:
				if string(allowed) != name {
					name = string(allowed)
				}
				l.rule = permission.Rule{
					Permission: name, Pattern: string(pattern), Action: permission.Allow, Layer: permission.LayerApprovals, Source: source,
				}
			}
			if !yield(l) {
				return
			}
		}
	}
}

func isBlank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// A pair is what an approval allows.
type pair struct{ permission, pattern string }

func pairOf(r permission.Rule) pair { return pair{r.Permission, r.Pattern} }

// The text of a line, but for the permission and the pattern.
const (
	lineStart  = `{"permission":`
	lineMiddle = `,"pattern":`
	lineEnd    = `,"action":"allow"}`
)

// appendLine appends the line of an approval, with its end.
func appendLine(text []byte, p pair) ([]byte, error) {
	for _, part := range []struct{ before, value string }{{lineStart, p.permission}, {lineMiddle, p.pattern}} {
		var value bytes.Buffer
		encoder := json.NewEncoder(&value)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(part.value); err != nil {
			return nil, err
		}
		text = append(append(text, part.before...), bytes.TrimSuffix(value.Bytes(), []byte("\n"))...)
	}
	return append(text, lineEnd+"\n"...), nil
}

// checkRule returns why a rule cannot be an approval.
func checkRule(r permission.Rule) error {
	switch {
	case r.Action != permission.Allow:
		return fmt.Errorf("an approval can only allow, and not %q", r.Action)
	case r.Permission == "":
		return errors.New("an approval needs a permission")
	case !utf8.ValidString(r.Permission) || !utf8.ValidString(r.Pattern):
		return fmt.Errorf("%s: %q is no text that a line can hold", r.Permission, r.Pattern)
	}
	line, err := appendLine(nil, pairOf(r))
	if err == nil && len(line) > maxLine {
		err = fmt.Errorf("%s: the pattern makes a line longer than %d KiB", r.Permission, maxLine>>10)
	}
	return err
}

// errLine reports a line that is no approval.
var errLine = errors.New(`is no approval: a line is {"permission":…,"pattern":…,"action":"allow"}`)

func noApproval(err error) error {
	if err == nil {
		return errLine
	}
	return fmt.Errorf("%w: %w", errLine, err)
}

// parseLine reads an approval: an object of just its three fields, each once.
func parseLine(text []byte) (name, pattern []byte, err error) {
	if len(text) > maxLine {
		return nil, nil, fmt.Errorf("is longer than %d KiB", maxLine>>10)
	}
	if name, pattern, ok := cutLine(text); ok {
		return name, pattern, nil
	}
	fields := map[string]string{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return nil, nil, noApproval(err)
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, nil, noApproval(err)
		}
		value, err := decoder.Token()
		if err != nil {
			return nil, nil, noApproval(err)
		}
		field, _ := key.(string)
		written, isText := value.(string)
		if _, again := fields[field]; again || !isText {
			return nil, nil, errLine
		}
		fields[field] = written
	}
	if _, err := decoder.Token(); err != nil || !isBlank(text[decoder.InputOffset():]) {
		return nil, nil, noApproval(err)
	}
	written, ok := fields["pattern"]
	if len(fields) != 3 || !ok || fields["permission"] == "" || fields["action"] != string(permission.Allow) {
		return nil, nil, errLine
	}
	return []byte(fields["permission"]), []byte(written), nil
}

// cutLine reads a line in the form in which they are written. That it is not
// ok says nothing of other forms.
func cutLine(text []byte) (name, pattern []byte, ok bool) {
	rest, ok := bytes.CutPrefix(bytes.Trim(text, " \t\r\n"), []byte(lineStart))
	if !ok {
		return nil, nil, false
	}
	if name, rest, ok = cutText(rest); !ok || len(name) == 0 {
		return nil, nil, false
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(lineMiddle)); !ok {
		return nil, nil, false
	}
	pattern, rest, ok = cutText(rest)
	return name, pattern, ok && string(rest) == lineEnd
}

// cutText reads the string of JSON that text begins with.
func cutText(text []byte) (value, rest []byte, ok bool) {
	if len(text) == 0 || text[0] != '"' {
		return nil, nil, false
	}
	plain := true
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' && plain:
			return text[1:i], text[i+1:], true
		case c == '"':
			var s string
			err := json.Unmarshal(text[:i+1], &s)
			return []byte(s), text[i+1:], err == nil
		case c == '\\':
			plain = false
			i++ // whatever it is, it does not end the string
		case c < ' ' || c >= utf8.RuneSelf:
			plain = false
		}
	}
	return nil, nil, false
}
