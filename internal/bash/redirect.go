package bash

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirects lists the files that redirections open, and sets the standard
// input of sc.
func (t *source) redirects(list []*syntax.Redirect, sc *scope) []Redirect {
	if len(list) == 0 {
		return nil
	}
	var opened []Redirect
	for _, r := range list {
		if r.N == nil || r.N.Value == "0" {
			sc.stdin = t.input(r, sc.stdin)
		}
		if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
			name, _, subscript := strings.Cut(strings.Trim(r.N.Value, "{}"), "[")
			if subscript {
				t.unparsed(r.N.Value, "a subscript in a redirection")
			}
			t.sets(name, word{Word: Word{Text: r.N.Value, Dynamic: true}}, true, r.N.Value)
		}
		if (r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc) && sc.nested && (sc.deep || strings.Contains(t.behind(r, sc.end), ";")) {
			// bash 5.2 makes the second command behind an argument of the first
			t.unparsed(t.src, "commands stand behind a here-document in a substitution")
		}
		if r.Hdoc != nil {
			t.guardBody(r, sc)
		}
		file, ok := t.file(r)
		if !ok {
			continue
		}
		file.Dir, file.DirDynamic = sc.dir.path, sc.dir.dynamic
		opened = append(opened, file)
	}
	t.script.Redirects = append(t.script.Redirects, opened...)
	return opened
}

// file returns the file that a redirection opens. It is not ok if there is
// none that matters.
func (t *source) file(r *syntax.Redirect) (Redirect, bool) {
	effect := Write
	switch r.Op {
	case syntax.RdrIn:
		effect = Read
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return Redirect{}, false
	default: // all others may write
	}
	if len(r.Word.Parts) == 1 {
		if _, ok := r.Word.Parts[0].(*syntax.ProcSubst); ok {
			return Redirect{}, false
		}
	}
	target := t.one(r.Word)
	if r.Op == syntax.DplIn || r.Op == syntax.DplOut {
		if !target.Dynamic && (target.Text == "-" || number(strings.TrimSuffix(target.Text, "-"))) {
			return Redirect{}, false
		}
		if r.Op == syntax.DplIn && !target.Dynamic {
			effect = Read
		}
		if strings.HasPrefix(t.src[r.Word.Pos().Offset():r.Word.End().Offset()], "-") && target.Text != "-" {
			t.unparsed(target.Text, "a word is glued to the end of a descriptor")
		}
		if r.Op == syntax.DplOut && r.N == nil && (strings.ContainsAny(target.Text, "$`") || hasProcess(target.Text)) {
			t.unparsed(target.Text, "bash expands what stands behind >& twice")
		}
	}
	if !target.Dynamic && special(target.Text) {
		return Redirect{}, false
	}
	return Redirect{Op: r.Op.String(), Path: target.Text, Effect: effect, Dynamic: target.Dynamic, Glob: target.Glob}, true
}

// special reports whether a path is a device that keeps nothing.
func special(p string) bool {
	switch p {
	case "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom":
		return true
	}
	fd, ok := strings.CutPrefix(p, "/dev/fd/")
	return ok && fd != "" && strings.Trim(fd, "0123456789") == ""
}

func number(s string) bool {
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// input returns the standard input after a redirection, given that before.
func (t *source) input(r *syntax.Redirect, before input) input {
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		text, static := t.body(r)
		return input{kind: "heredoc", text: text, static: static}
	case syntax.WordHdoc:
		w := t.one(r.Word)
		return input{kind: "herestring", text: w.Text, static: !w.Dynamic}
	case syntax.DplIn:
		if r.Word.Lit() == "0" {
			return before
		}
		return input{kind: "file"}
	case syntax.RdrIn, syntax.RdrInOut:
		if len(r.Word.Parts) == 1 {
			if _, ok := r.Word.Parts[0].(*syntax.ProcSubst); ok {
				return input{kind: "pipe"}
			}
		}
		return input{kind: "file"}
	default:
		return before
	}
}

// body returns the text of a here-document, and whether that is all there is
// in it.
func (t *source) body(r *syntax.Redirect) (string, bool) {
	if r.Hdoc == nil || len(r.Hdoc.Parts) == 0 {
		return "", true
	}
	text, static := t.bodySource(r), quotedDelimiter(r.Word)
	if !static {
		x := expansion{t: t}
		for _, part := range r.Hdoc.Parts {
			if lit, ok := part.(*syntax.Lit); ok {
				x.text.WriteString(unescape(lit.Value, "$`\\\n"))
				continue
			}
			x.Dynamic = true
		}
		if static = !x.Dynamic; static {
			text = x.text.String()
		}
	}
	if r.Op == syntax.DashHdoc {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			lines[i] = strings.TrimLeft(line, "\t")
		}
		text = strings.Join(lines, "\n")
	}
	return text, static
}

// bodySource returns the body of a here-document as it stands in the text,
// without the line that ends it.
func (t *source) bodySource(r *syntax.Redirect) string {
	src := t.src[r.Hdoc.Pos().Offset():r.Hdoc.End().Offset()]
	lines := strings.LastIndexByte(strings.TrimSuffix(src, "\n"), '\n')
	return src[:lines+1]
}

// quotedDelimiter reports whether a here-document's delimiter has a quote, so
// that the shell expands nothing in the body.
func quotedDelimiter(w *syntax.Word) bool {
	for _, part := range w.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, "\\") {
			return true
		}
	}
	return false
}

// inspectBody lists the commands in the body of a here-document.
func (t *source) inspectBody(r *syntax.Redirect, sc *scope) {
	if r.Hdoc != nil && !quotedDelimiter(r.Word) {
		t.inspectIn(r.Hdoc.Parts, sc, place{quoted: true})
	}
}

// behind returns what stands behind a here-document up to the end of the
// substitution that it is in, without the body.
func (t *source) behind(r *syntax.Redirect, end int) string {
	from := int(r.Word.End().Offset())
	if r.Hdoc == nil {
		return t.src[from:max(from, end)]
	}
	body, bodyEnd := int(r.Hdoc.Pos().Offset()), int(r.Hdoc.End().Offset())
	return t.src[from:max(from, body)] + t.src[min(bodyEnd, max(bodyEnd, end)):max(bodyEnd, end)]
}

// guardBody notes a here-document whose end bash may see elsewhere than the
// parser.
func (t *source) guardBody(r *syntax.Redirect, sc *scope) {
	end := t.expand(r.Word.Parts, int(r.Word.Pos().Offset()), int(r.Word.End().Offset()))
	body := t.bodySource(r)
	if sc.nested {
		t.ends(r, end.Text, body, sc.backtick)
	}
	switch {
	case end.Dynamic:
		t.unparsed(t.src, "a here-document ends at a word with an expansion")
	case sc.backtick:
		t.unparsed(t.src, "a here-document stands in backticks")
	case strings.Contains(body, "\\\n") && (sc.nested || !quotedDelimiter(r.Word)):
		t.unparsed(t.src, "a line of a here-document is continued")
	default:
		for line := range strings.SplitSeq(body, "\n") {
			if r.Op == syntax.DashHdoc {
				line = strings.TrimLeft(line, "\t")
			}
			if line == end.Text || sc.nested && strings.HasPrefix(line, end.Text) {
				t.unparsed(t.src, "a line of a here-document begins with its delimiter")
				return
			}
		}
	}
}
