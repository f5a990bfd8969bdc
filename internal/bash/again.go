package bash

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// An early is where bash ends a here-document that the parser reads on, and what
// would have to stand there for the parser to do so too.
type early struct {
	at  int
	end string
}

// ends notes where bash ends the body of a here-document in a substitution, if that
// is before its end.
func (t *source) ends(r *syntax.Redirect, delimiter, body string, backtick bool) {
	if t.early.end != "" {
		return
	}
	if e, ok := earlyEnd(body, delimiter, r.Op == syntax.DashHdoc, backtick); ok {
		e.at += int(r.Hdoc.Pos().Offset())
		t.early = e
	}
}

// earlyEnd returns where bash 5.2 ends the body of a here-document in a
// substitution: at a line that begins with the delimiter and closes a bracket
// behind it, or at the backtick that ends the substitution.
func earlyEnd(body, delimiter string, tabs, backtick bool) (early, bool) {
	if i := strings.IndexByte(body, '`'); backtick && i >= 0 {
		return early{i, "\n" + delimiter + "\n"}, true
	}
	if delimiter == "" || !strings.Contains(body, delimiter) {
		return early{}, false
	}
	at := 0
	for line := range strings.Lines(body) {
		trimmed := line
		if tabs {
			trimmed = strings.TrimLeft(line, "\t")
		}
		if rest, ok := strings.CutPrefix(trimmed, delimiter); ok && strings.Contains(rest, ")") {
			return early{at + len(line) - len(rest), "\n"}, true
		}
		at += len(line)
	}
	return early{}, false
}

// in returns the text with the end at its place.
func (e early) in(text string) string { return text[:e.at] + e.end + text[e.at:] }

// again reads the text with the here-document ended where bash ends it, and lists
// what stands behind that place. What was listed stays: not every bash does so.
func (t *source) again(sc *scope) {
	cut := t.early
	src := cut.in(t.src + t.rest)
	if t.total += len(src); t.readings >= maxRereads || t.total > maxTotal {
		return // the text is unparsed anyway
	}
	read := src
	file, err := parse(src)
	if err != nil {
		read, file = repair(src, err)
	}
	if file == nil {
		return
	}
	u := &source{analysis: t.analysis, src: read, at: t.at, readings: t.readings + 1}
	u.rest = unread(src, read)
	if u.at == nil {
		u.at = &span{0, len(t.src), 1, 1}
	}
	in := sc.inner()
	syntax.Walk(file, func(n syntax.Node) bool {
		s, ok := n.(*syntax.Stmt)
		if !ok || lastWord(s) < cut.at {
			return true
		}
		u.perhaps(func() { u.stmt(s, in) })
		return false
	})
	if u.early.end != "" {
		u.again(sc)
	}
}

// unread returns what of a text was left out when it was read.
func unread(src, read string) string {
	rest, ok := strings.CutPrefix(src, read)
	if !ok {
		return "" // what was read is longer
	}
	return rest
}

// lastWord returns where the last word of a simple command begins, or else where
// the statement does.
func lastWord(s *syntax.Stmt) int {
	at := s.Pos()
	if call, ok := s.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 {
		at = call.Args[len(call.Args)-1].Pos()
	}
	for _, r := range s.Redirs {
		if r.Pos().After(at) {
			at = r.Pos()
		}
	}
	return int(at.Offset())
}

// hiddenFiles lists the files of the commands in texts that the shell evaluates as
// arithmetic or as a prompt. The commands themselves are left to what is unparsed.
func (a *analysis) hiddenFiles() {
	slices.Sort(a.coded)
	note := func(assigns []Assign) {
		for _, set := range assigns {
			if _, ok := slices.BinarySearch(a.coded, set.Name); ok && !set.Dynamic {
				a.codes = append(a.codes, set.Value)
			}
		}
	}
	note(a.script.Assigns)
	sc := &scope{}
	for _, c := range a.script.Commands {
		note(c.Assigns)
		sc.dir.dynamic = sc.dir.dynamic || slices.Contains(movers, c.Name)
	}
	from := len(a.script.Commands)
	slices.Sort(a.codes)
	for _, text := range slices.Compact(a.codes) {
		a.hidden(`"`+text+`"`, &span{0, 0, 1, 1}, sc.inner())
	}
	for _, c := range a.script.Commands[from:] {
		for _, o := range c.Operations {
			if o.Listed && !o.Away {
				a.script.Redirects = append(a.script.Redirects, Redirect{Path: o.Path, Effect: o.Effect, Dynamic: o.Dynamic, Glob: o.Glob, Dir: c.Dir, DirDynamic: c.DirDynamic})
			}
		}
	}
	a.script.Commands = a.script.Commands[:from]
}

// movers are the commands that change the shell's directory.
var movers = strings.Fields("cd chdir pushd popd")
