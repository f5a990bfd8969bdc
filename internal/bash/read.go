package bash

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxRereads is how often a text is parsed again because the parser and bash see
// its lines end in other places.
const maxRereads = 8

// read returns the syntax tree of src as bash would read it, and the text that the
// tree is of. Where the parser reads it in another way, that is noted as unparsed,
// and the text is one that both read alike. The tree is nil if there is none.
func (a *analysis) read(src string) (string, *syntax.File) {
	text := src
	if tail := strings.TrimRight(text, "\\"); (len(text)-len(tail))%2 == 1 {
		a.unparsed(src, "the text ends in a backslash")
		text += "\\"
	}
	file, err := parse(text)
	if err == nil && gluedComment(file, text) {
		a.unparsed(src, "a comment begins within a word")
	}
	for range maxRereads {
		if err != nil || !strings.Contains(text, "\\\n") {
			break
		}
		ended := endComments(file, text)
		if ended == text {
			break
		}
		a.unparsed(src, "a comment ends in a backslash")
		text = ended
		file, err = parse(text)
	}
	if joined := strings.ReplaceAll(text, "\\\n", ""); joined != text {
		switch {
		case strings.Contains(text, "$\\\n"):
			a.unparsed(src, "a dollar sign is followed by a line continuation")
		case err == nil && continuesBody(file, text):
			a.unparsed(src, "a line of a here-document is continued")
		case err == nil:
			return text, file
		}
		if again, errAgain := parse(joined); errAgain == nil {
			a.broken(src, err)
			return joined, again
		}
	}
	if err == nil {
		return text, file
	}
	a.broken(src, err)
	return repair(text, err)
}

// broken notes a text that the parser rejects.
func (a *analysis) broken(src string, err error) {
	if err != nil {
		a.unparsed(src, "syntax error: "+err.Error())
	}
}

// endComments returns the text with blanks for the backslashes at which comments
// end: bash ends a comment at the newline, but the parser goes on with the line
// behind.
func endComments(file *syntax.File, text string) string {
	ended := []byte(text)
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok {
			line, _, more := strings.Cut(text[c.Hash.Offset():], "\n")
			if more && strings.HasSuffix(line, "\\") {
				ended[int(c.Hash.Offset())+len(line)-1] = ' '
			}
		}
		return true
	})
	return string(ended)
}

// gluedComment reports whether the parser sees a comment behind a quote or an
// expansion, where bash sees a part of the word.
func gluedComment(file *syntax.File, text string) (found bool) {
	if !strings.Contains(text, "#") {
		return false
	}
	comments := map[uint]bool{} // that stand behind a bracket or a backtick, by where they begin
	syntax.Walk(file, func(n syntax.Node) bool {
		c, ok := n.(*syntax.Comment)
		if !ok || c.Hash.Offset() == 0 {
			return !found
		}
		switch before := text[c.Hash.Offset()-1]; {
		case before == ')' || before == '`':
			comments[c.Hash.Offset()] = true
		case strings.IndexByte(" \t\n;&|(<>", before) < 0:
			found = true
		}
		return !found
	})
	if found || len(comments) == 0 {
		return found
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.ArithmExp, *syntax.ExtGlob, *syntax.ArrayExpr:
			found = found || comments[n.End().Offset()]
		}
		return !found
	})
	return found
}

// continuesBody reports whether a line of a here-document ends in a backslash
// that the shell takes away: bash may end the body there, and the parser does not.
func continuesBody(file *syntax.File, text string) (found bool) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if r, ok := n.(*syntax.Redirect); ok && r.Hdoc != nil && !quotedDelimiter(r.Word) {
			found = found || strings.Contains(text[r.Hdoc.Pos().Offset():r.Hdoc.End().Offset()], "\\\n")
		}
		return !found
	})
	return found
}
