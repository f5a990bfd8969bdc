package bash

import (
	"cmp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A change makes bash read a text as dash reads what stood there.
type change struct {
	at, end int
	with    string
}

// A dashReading is a text as dash reads it, if that is not how bash does.
type dashReading struct {
	*source
	tree *syntax.File // nil if there is none
	sc   *scope
}

// inDash returns how dash reads the text, or nil if that is how bash does.
func (t *source) inDash(file *syntax.File, sc *scope) *dashReading {
	text, tree, differs := dashReads(t.src, file)
	if !differs {
		return nil
	}
	at := t.at
	if at == nil {
		at = &span{0, len(t.src), 1, 1}
	}
	return &dashReading{source: &source{analysis: t.analysis, src: text, at: at}, tree: tree, sc: sc.inner()}
}

// list notes that the text is unparsed, and lists what dash would run of it.
func (d *dashReading) list(src string) {
	d.unparsed(src, "bash and dash read the text in different ways")
	if d.total += len(d.src); d.tree != nil && d.total <= maxTotal {
		d.perhaps(func() { d.stmts(d.tree.Stmts, d.sc) })
	}
}

// marksDash reports whether a text holds what dash may read in another way than
// bash, as a quick look tells.
func marksDash(src string) bool {
	for i := 0; i+1 < len(src); i++ {
		next := src[i+1]
		switch c := src[i]; {
		case c == '$' && (next == '\'' || next == '"' || next == '['), c == '&' && next == '>', c == '(' && next == '(', c == '[' && next == '[',
			c == '{' && next > ' ' && next != '}' && (i == 0 || src[i-1] != '$'):
			return true
		case '0' <= c && c <= '9' && '0' <= next && next <= '9' && i+2 < len(src) && (src[i+2] == '<' || src[i+2] == '>'):
			return true
		}
	}
	return false
}

// dashReads reports whether dash reads a text in another way than bash, and returns
// what would have to stand there for bash to read it so, and its tree, which is nil
// if there is none. What dash rejects, or does not find, is not changed: it runs no
// more for that.
//
// The shell that is called sh is one or the other, and so is that of programs
// which hand it a text.
func dashReads(src string, file *syntax.File) (text string, tree *syntax.File, differs bool) {
	if !marksDash(src) {
		return src, nil, false
	}
	text = src
	for range maxRereads {
		c, ok := firstChange(text, file)
		if !ok {
			break
		}
		differs = true
		changed := text[:c.at] + c.with + text[c.end:]
		again, err := parse(changed)
		if err != nil {
			changed, again = repair(changed, err)
		}
		if again == nil {
			break
		}
		text, file, tree = changed, again, again
	}
	return text, tree, differs
}

// firstChange returns the first place at which dash reads a text in another way.
func firstChange(src string, file *syntax.File) (change, bool) {
	var list []change
	add := func(at, end int, with string) { list = append(list, change{at, end, with}) }
	escape := func(at int) { add(at, at, `\`) }
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.SglQuoted:
			if n.Dollar {
				escape(int(n.Pos().Offset()))
			}
		case *syntax.DblQuoted:
			if n.Dollar {
				escape(int(n.Pos().Offset()))
			}
		case *syntax.ArithmExp:
			if n.Bracket {
				escape(int(n.Pos().Offset()))
			}
		case *syntax.ArithmCmd:
			from, to := int(n.Left.Offset()), int(n.Right.Offset())
			add(from, to+2, "( ("+src[from+2:to]+") )")
		case *syntax.TestClause:
			if operates(src, n.X) || strings.Contains(src[n.Left.Offset():n.Right.Offset()], "\n") {
				escape(int(n.Left.Offset()))
			}
		case *syntax.Stmt:
			redirectChanges(src, n, add)
		case *syntax.CallExpr:
			for _, w := range n.Args {
				braceChanges(src, w, escape)
			}
		case *syntax.WordIter:
			for _, w := range n.Items {
				braceChanges(src, w, escape)
			}
		}
		return true
	})
	if len(list) == 0 {
		return change{}, false
	}
	return slices.MinFunc(list, func(a, b change) int { return cmp.Compare(a.at, b.at) }), true
}

// operates reports whether an expression in [[ ]] holds what are operators of the
// shell for dash, to which [[ is a command.
func operates(src string, x syntax.TestExpr) (found bool) {
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.ParenTest:
			found = true
		case *syntax.BinaryTest:
			switch n.Op {
			case syntax.AndTest, syntax.OrTest, syntax.TsBefore, syntax.TsAfter:
				found = true
			case syntax.TsReMatch:
				found = found || strings.ContainsAny(src[n.Y.Pos().Offset():n.Y.End().Offset()], "|&;<>()")
			default: // an argument like others
			}
		}
		return !found
	})
	return found
}

// redirectChanges adds those of a statement's redirections: to dash, "&>" ends the
// command, and a descriptor is one digit.
func redirectChanges(src string, s *syntax.Stmt, add func(at, end int, with string)) {
	for _, r := range s.Redirs {
		at := int(r.OpPos.Offset())
		switch {
		case r.Op == syntax.RdrAll || r.Op == syntax.AppAll:
			if !endsAnyway(src, s, r) {
				add(at, at+1, "& ")
			}
		case r.N != nil && len(r.N.Value) > 1:
			add(at, at, " ")
		}
	}
}

// endsAnyway reports whether a statement with "&>" does the same if it ends there
// and runs in the background: nothing else stands behind the file, and nothing
// depends on what it does to the shell.
func endsAnyway(src string, s *syntax.Stmt, r *syntax.Redirect) bool {
	behind := strings.TrimLeft(src[r.Word.End().Offset():], " \t")
	if behind != "" && !strings.ContainsRune("\n;&|)`", rune(behind[0])) {
		return false
	}
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		_, ok = s.Cmd.(*syntax.Subshell)
		return ok
	}
	name := call.Args[0].Lit()
	if name == "command" && len(call.Args) > 1 {
		option := call.Args[1].Lit()
		return option == "-v" || option == "-V"
	}
	return name != "" && !slices.Contains(ofTheShell, name)
}

// ofTheShell are the commands that change the shell which runs them.
var ofTheShell = strings.Fields("cd chdir pushd popd unset alias unalias set shift eval . source command builtin trap umask read mapfile readarray getopts shopt enable hash let printf")

// braceChanges adds that of a word which bash expands the braces of.
func braceChanges(src string, w *syntax.Word, escape func(at int)) {
	whole := src[w.Pos().Offset():w.End().Offset()]
	if !strings.Contains(whole, "}") || !strings.Contains(whole, ",") && !strings.Contains(whole, "..") {
		return
	}
	for _, part := range w.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok {
			continue
		}
		from, to := int(lit.Pos().Offset()), int(lit.End().Offset())
		for i := from; i < to; i++ {
			switch src[i] {
			case '\\':
				i++
			case '{':
				if i+1 == len(src) || src[i+1] != '}' {
					escape(i)
					return
				}
			}
		}
	}
}
