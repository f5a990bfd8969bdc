package patch

import (
	"regexp"
	"strings"
)

const (
	beginMark = "*** Begin Patch"
	endMark   = "*** End Patch"
)

// headers are the lines that name a file. Their case, and the space after the
// colon, matter to some programs only.
var headers = []struct {
	text string
	op   Op
}{
	{"*** Add File:", Add},
	{"*** Update File:", Update},
	{"*** Delete File:", Delete},
	{"*** Move to:", Move},
}

// heredoc is a first line that the programs strip, with a last line that ends
// in the same word.
var heredoc = regexp.MustCompile(`^(?:cat\s+)?<<['"]?(\w+)['"]?$`)

// ApplyPatch returns what the apply_patch envelope in text would touch, in the
// order of the text, each once. Where a path can be read in two ways (spaces at
// its ends) both are there.
//
// It takes every line that is a header once its spaces are trimmed, wherever it
// stands, for one: only lines that begin with + or - are surely content. The
// error, if any, is a [*SyntaxError]: text around the envelope, an end that is
// missing, a header that is none, a patch without a file. The files found are
// returned with it, and there may be more of them than were found.
func ApplyPatch(text string) ([]File, error) {
	e := envelope{lines: splitLines(text)}
	first, last := e.bounds()
	for i, line := range e.lines {
		e.line(i, line, i > first && i < last)
	}
	e.settle(Update)
	return e.result()
}

// An envelope is the state of reading one.
type envelope struct {
	report

	lines   []string
	updates []string // the path that the line before updates, not yet reported
	source  string   // the path of the last update
	hunk    Op       // the kind of hunk that the line is in
}

// bounds returns the indices of the lines that begin and end the envelope, and
// reports where they are not as they must be.
func (e *envelope) bounds() (first, last int) {
	first, last = 0, len(e.lines)-1
	for first < last && trim(e.lines[first]) == "" {
		first++
	}
	for first < last && trim(e.lines[last]) == "" {
		last--
	}
	if m := heredoc.FindStringSubmatch(trim(e.lines[first])); m != nil {
		first++
		if strings.HasSuffix(trim(e.lines[last]), m[1]) {
			last--
		}
		for first < last && trim(e.lines[first]) == "" {
			first++
		}
		for first < last && trim(e.lines[last]) == "" {
			last--
		}
	}
	if first >= len(e.lines) || trim(e.lines[first]) != beginMark {
		e.fail(min(first, len(e.lines)-1)+1, "does not begin with "+beginMark)
	}
	if last < 0 || trim(e.lines[last]) != endMark {
		e.fail(max(last, 0)+1, "does not end with "+endMark)
	}
	return first, last
}

// settle reports what the line before updates, as op.
func (e *envelope) settle(op Op) {
	for _, p := range e.updates {
		e.add(File{Path: p, Op: op})
	}
	e.updates = nil
}

// line reads line i; inside tells whether it is between the marks.
func (e *envelope) line(i int, line string, inside bool) {
	if move, ok := strings.CutPrefix(line, "*** Move to: "); ok && trim(move) != "" {
		e.settle(Delete)
	}
	e.settle(Update)
	if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
		return
	}
	trimmed := trim(line)
	context := e.hunk == Update && strings.HasPrefix(line, " ")
	for _, h := range headers {
		if len(trimmed) < len(h.text) || !strings.EqualFold(trimmed[:len(h.text)], h.text) {
			continue
		}
		if trimmed[:len(h.text)] != h.text && !context {
			e.fail(i+1, "not a header: "+quoteStart(trimmed))
		}
		e.header(i, h.op, spellings(line, trimmed[len(h.text):]), context)
		return
	}
	if inside && !context {
		e.check(i, line, trimmed)
	}
}

// header records the header on line i, which may be a line of context.
func (e *envelope) header(i int, op Op, paths []string, context bool) {
	if len(paths) == 0 {
		if !context {
			e.fail(i+1, "a header without a path")
		}
		return
	}
	if op == Update && !context {
		e.hunk, e.source, e.updates = op, paths[0], paths
		return
	}
	for _, p := range paths {
		f := File{Path: p, Op: op}
		if op == Move {
			f.From = e.source
		}
		e.add(f)
	}
	if op != Move && !context {
		e.hunk, e.source = op, ""
	}
}

// check reports a line inside the envelope that no program can make sense of.
func (e *envelope) check(i int, line, trimmed string) {
	switch {
	case trimmed == beginMark:
		e.fail(i+1, "a second "+beginMark)
	case trimmed == endMark:
		e.fail(i+1, "text after "+endMark)
	case trimmed == "*** End of File":
	case strings.HasPrefix(trimmed, "*** Environment ID: "):
		if e.hunk != "" || trim(e.lines[i-1]) != beginMark {
			e.fail(i+1, "*** Environment ID is not right after "+beginMark)
		}
	case strings.HasPrefix(line, "***"):
		e.fail(i+1, "not a header: "+quoteStart(trimmed))
	}
}

// spellings returns the paths that programs read from a header whose text after
// the colon, in the trimmed line, is rest: trimmed, with the spaces after the
// first one, and with those at the end of the line.
func spellings(line, rest string) []string {
	path := trim(rest)
	if path == "" {
		return nil
	}
	paths := []string{path}
	kept, spaced := strings.CutPrefix(rest, " ")
	if !spaced {
		return paths
	}
	end := line[strings.LastIndex(line, rest)+len(rest):]
	for _, p := range []string{kept, kept + end, path + end} {
		if p != paths[0] && p != paths[len(paths)-1] {
			paths = append(paths, p)
		}
	}
	return paths
}

// quoteStart returns the start of a line, for an error.
func quoteStart(line string) string {
	if len(line) > 60 {
		line = line[:60] + "…"
	}
	return "\"" + strings.ToValidUTF8(line, "\uFFFD") + "\""
}
