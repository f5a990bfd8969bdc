package bash

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxDir is the length in bytes of the longest directory that is followed.
const maxDir = 1024

// A dir is a working directory.
type dir struct {
	path    string // "" for where the script starts
	dynamic bool
}

// to returns the directory after a cd to p.
func (d dir) to(p string) dir {
	if strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~") {
		return dir{path: path.Clean(p)}
	}
	if d.dynamic {
		return d
	}
	joined := path.Join(d.path, p)
	if len(joined) > maxDir {
		return dir{dynamic: true}
	}
	return dir{path: joined}
}

// An input is what feeds standard input.
type input struct {
	kind     string // as Command.Stdin
	text     string
	static   bool
	feeder   string // the source of what feeds the pipe
	download bool   // a command before in the pipe gets it from another machine
}

// A scope is the state of a shell at a point of a script.
type scope struct {
	dir      dir
	stdin    input
	wrappers []string
	assigns  []Assign
	away     bool // files are not those of this machine
	sh       bool // the shell is called sh, so that it may be bash or dash
	nested   bool // in a command or process substitution
	deep     bool // in a compound command there
	end      int  // of the substitution, in the source
	backtick bool
}

// inner returns the scope of a subshell.
func (sc *scope) inner() *scope {
	c := *sc
	return &c
}

// substitution returns the scope of a command or process substitution.
func (sc *scope) substitution(n syntax.Node, backtick bool) *scope {
	c := sc.inner()
	c.nested, c.deep, c.end = true, false, int(n.End().Offset())
	c.backtick = sc.backtick || backtick
	return c
}

func (t *source) stmts(list []*syntax.Stmt, sc *scope) {
	for _, s := range list {
		if t.full {
			return
		}
		t.stmt(s, sc)
	}
}

// stmt analyses one statement. sc is that of the shell, and what the statement
// does to it stays.
func (t *source) stmt(s *syntax.Stmt, sc *scope) {
	t.levels++
	defer func() { t.levels-- }()
	if t.levels > maxLevels {
		t.unparsed(t.src, "the text is nested too deep")
		return
	}
	call, simple := s.Cmd.(*syntax.CallExpr)
	in := sc
	if !simple || len(s.Redirs) > 0 || s.Background {
		in = sc.inner()
	}
	redirects := t.redirects(s.Redirs, in)
	if s.Background {
		t.begin()
		defer t.end()
	}
	if simple {
		t.call(s, call, redirects, in)
	} else if s.Cmd != nil {
		if _, ok := s.Cmd.(*syntax.BinaryCmd); !ok {
			in.deep = in.nested
		}
		t.compound(s, in)
	}
	for _, r := range s.Redirs {
		t.inspect(r.Word, in)
		t.inspectBody(r, in)
	}
	if !s.Background {
		sc.dir = in.dir
	}
}

// perhaps runs f for what may not run, or runs in a shell of its own.
func (a *analysis) perhaps(f func()) {
	a.begin()
	f()
	a.end()
}

// begin begins such a part, and end ends it.
func (a *analysis) begin() {
	a.lastRegion++
	a.regions = append(a.regions, a.lastRegion)
}

func (a *analysis) end() { a.regions = a.regions[:len(a.regions)-1] }

// compound analyses what is no simple command.
func (t *source) compound(s *syntax.Stmt, sc *scope) {
	switch cmd := s.Cmd.(type) {
	case *syntax.Block:
		t.stmts(cmd.Stmts, sc)
	case *syntax.Subshell:
		t.perhaps(func() { t.stmts(cmd.Stmts, sc.inner()) })
	case *syntax.BinaryCmd:
		t.binary(cmd, sc)
	case *syntax.IfClause:
		t.perhaps(func() { t.ifClause(cmd, sc) })
	case *syntax.WhileClause:
		t.perhaps(func() {
			t.loop(sc, func() {
				t.stmts(cmd.Cond, sc)
				t.stmts(cmd.Do, sc)
			})
		})
	case *syntax.ForClause:
		t.perhaps(func() { t.forClause(cmd, sc) })
	case *syntax.CaseClause:
		t.perhaps(func() { t.caseClause(cmd, sc) })
	case *syntax.FuncDecl:
		t.function(cmd, sc)
	case *syntax.ArithmCmd:
		t.arithmetic(cmd.X, sc)
	case *syntax.TestClause:
		t.test(cmd.X, sc)
	case *syntax.DeclClause:
		t.declare(s, cmd, sc)
	case *syntax.LetClause:
		t.let(s, cmd, sc)
	case *syntax.TimeClause:
		if cmd.Stmt != nil {
			t.stmt(cmd.Stmt, sc)
		}
	case *syntax.CoprocClause:
		t.perhaps(func() { t.coproc(cmd, sc) })
	default:
		t.unparsed(t.src, "unknown construct")
	}
}

func (t *source) binary(cmd *syntax.BinaryCmd, sc *scope) {
	if cmd.Op == syntax.Pipe || cmd.Op == syntax.PipeAll {
		t.pipe(cmd, sc)
		return
	}
	before := sc.dir
	t.stmt(cmd.X, sc)
	if cmd.Op == syntax.AndStmt {
		t.begin()
		t.stmt(cmd.Y, sc)
		t.end()
		return
	}
	after := sc.dir
	sc.dir = before // what is on the left has failed
	t.begin()
	t.stmt(cmd.Y, sc)
	t.end()
	sc.dir = join(after, sc.dir, leaves(cmd.Y))
}

// pipe analyses "x | y", each side in a subshell.
func (t *source) pipe(cmd *syntax.BinaryCmd, sc *scope) {
	from := len(t.script.Commands)
	t.begin()
	t.stmt(cmd.X, sc.inner())
	t.end()
	in := sc.inner()
	in.stdin = t.output(cmd.X)
	in.stdin.download = sc.stdin.download || t.downloads(from)
	t.begin()
	t.stmt(cmd.Y, in)
	t.end()
}

// downloads reports whether a command from the given one on gets data from
// another machine.
func (t *source) downloads(from int) bool {
	for _, c := range t.script.Commands[from:] {
		if slices.Contains(c.Effects, Network) {
			return true
		}
	}
	return false
}

// join returns the directory in force where two ways meet, of which the second
// may leave the script.
func join(a, b dir, leaves bool) dir {
	if a == b || leaves {
		return a
	}
	return dir{dynamic: true}
}

// leaves reports whether nothing behind the statement runs.
func leaves(s *syntax.Stmt) bool {
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(cmd.Args) == 0 {
			return false
		}
		switch cmd.Args[0].Lit() {
		case "exit", "return", "break", "continue":
			return true
		}
	case *syntax.Block:
		return leaves(cmd.Stmts[len(cmd.Stmts)-1])
	}
	return false
}

func (t *source) ifClause(cmd *syntax.IfClause, sc *scope) {
	before := sc.dir
	t.stmts(cmd.Cond, sc)
	other := join(before, sc.dir, false) // a cd in the condition may have failed
	t.stmts(cmd.Then, sc)
	if cmd.Else != nil {
		rest := sc.inner()
		rest.dir = other
		t.ifClause(cmd.Else, rest)
		other = rest.dir
	}
	end := len(cmd.Then) > 0 && leaves(cmd.Then[len(cmd.Then)-1])
	sc.dir = join(other, sc.dir, end)
}

func (t *source) caseClause(cmd *syntax.CaseClause, sc *scope) {
	t.inspect(cmd.Word, sc)
	before := sc.dir
	after := before
	for _, item := range cmd.Items {
		for _, p := range item.Patterns {
			t.inspect(p, sc)
		}
		in := sc.inner()
		in.dir = before
		t.stmts(item.Stmts, in)
		end := len(item.Stmts) > 0 && leaves(item.Stmts[len(item.Stmts)-1])
		after = join(after, in.dir, end)
	}
	sc.dir = after
}

// loop analyses a body that may run again in the directory it ends in.
func (t *source) loop(sc *scope, body func()) {
	before, from := sc.dir, len(t.script.Commands)
	redirects := len(t.script.Redirects)
	body()
	if sc.dir == before {
		return
	}
	t.wander(from, len(t.script.Commands))
	for i := range t.script.Redirects[redirects:] {
		t.script.Redirects[redirects+i].DirDynamic = true
	}
	sc.dir = dir{dynamic: true}
}

// wander notes that the commands' directory is known only at run time.
func (t *source) wander(from, to int) {
	for i := from; i < to; i++ {
		t.script.Commands[i].DirDynamic = true
	}
}

func (t *source) forClause(cmd *syntax.ForClause, sc *scope) {
	switch loop := cmd.Loop.(type) {
	case *syntax.WordIter:
		t.items(loop, cmd.Select, sc)
	case *syntax.CStyleLoop:
		for _, x := range []syntax.ArithmExpr{loop.Init, loop.Cond, loop.Post} {
			t.arithmetic(x, sc)
		}
	default:
		t.unparsed(t.src, "unknown loop")
	}
	t.loop(sc, func() { t.stmts(cmd.Do, sc) })
}

// items notes the values that a loop gives to its variable.
func (t *source) items(loop *syntax.WordIter, choice bool, sc *scope) {
	name := loop.Name.Value
	src := t.src[loop.Pos().Offset():loop.End().Offset()]
	numbers := len(loop.Items) > 0 && !choice
	value := word{Word: Word{Text: src, Dynamic: true}}
	var words []word
	for _, item := range loop.Items {
		t.inspect(item, sc)
		from := len(words)
		words = t.fields(words, item)
		for _, w := range words[from:] {
			numbers = numbers && (!w.Dynamic && number(w.Text) || t.counts(item))
		}
	}
	if len(words) == 1 && !words[0].Glob {
		value = words[0]
	}
	if choice {
		t.sets(name, value, numbers, src)
	} else {
		t.sets(name, value, numbers, src, words...)
	}
	for _, w := range words {
		t.runAssign(t.assignment(name, w, src), sc, t.spanAt(loop))
	}
}

// coproc analyses a coprocess, which sets an array and the number of a process.
func (t *source) coproc(cmd *syntax.CoprocClause, sc *scope) {
	if !grouped(cmd.Stmt.Cmd) {
		// only a compound command has a name, and the parser takes others apart
		// in another way than bash
		t.unparsed(t.src[cmd.Pos().Offset():cmd.End().Offset()], "a coprocess that is a simple command")
	}
	if cmd.Name != nil {
		src := t.src[cmd.Name.Pos().Offset():cmd.Name.End().Offset()]
		for _, name := range []string{src, src + "_PID"} {
			t.sets(name, word{Word: Word{Text: src, Dynamic: true}}, false, src)
		}
	}
	in := sc.inner()
	in.stdin = input{kind: "pipe"}
	t.stmt(cmd.Stmt, in)
}

// grouped reports whether a command is one that a keyword or a bracket ends.
func grouped(cmd syntax.Command) bool {
	switch cmd.(type) {
	case *syntax.Block, *syntax.Subshell, *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause:
		return true
	}
	return false
}

func (t *source) function(cmd *syntax.FuncDecl, sc *scope) {
	if cmd.Name == nil {
		t.unparsed(t.src, "a function without a name")
		return
	}
	f := function{from: len(t.script.Commands), dir: sc.dir, certain: len(t.regions) == 0 && grouped(cmd.Body.Cmd) && (!sc.sh || !cmd.RsrvWord)}
	in := sc.inner()
	in.stdin = input{kind: "pipe"} // whatever feeds the call
	t.perhaps(func() { t.stmt(cmd.Body, in) })
	f.to, f.moves = len(t.script.Commands), in.dir != sc.dir
	f.runs = slices.ContainsFunc(t.script.Commands[f.from:], func(c Command) bool {
		return c.Unparsed != "" && parameters.MatchString(c.Source)
	})
	if slices.ContainsFunc(t.script.Commands[f.from:], func(c Command) bool { return c.Program == cmd.Name.Value && len(c.Wrappers) == 0 }) {
		t.unparsed(cmd.Name.Value, "a function calls itself")
	}
	if t.functions == nil {
		t.functions = map[string]function{}
	}
	if _, again := t.functions[cmd.Name.Value]; !again {
		t.script.Functions = append(t.script.Functions, cmd.Name.Value)
	}
	t.functions[cmd.Name.Value] = f
}

// parameters are the words that a function is given.
var parameters = regexp.MustCompile(`\$\{?[@*1-9]`)

// called notes what the call of a function does to the directory, and the words
// that it may run.
func (t *source) called(c call, sc *scope, index int) {
	f, ok := t.functions[c.words[0].Text]
	if !ok {
		return
	}
	if f.certain && len(sc.wrappers) == 0 {
		t.script.Commands[index-1].Through = true
		t.calls = append(t.calls, index-1)
	}
	if f.runs && len(c.words) > 1 {
		t.unparsed(text(c.words[1:]), "a function runs what it is given")
	}
	if f.dir != sc.dir {
		t.wander(f.from, f.to)
	}
	if f.moves {
		sc.dir = dir{dynamic: true}
	}
}

// test analyses the expression of [[ ]].
func (t *source) test(x syntax.TestExpr, sc *scope) {
	t.levels++
	defer func() { t.levels-- }()
	switch x := x.(type) {
	case *syntax.BinaryTest:
		t.test(x.X, sc)
		t.test(x.Y, sc)
		switch x.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			t.operand(x.X)
			t.operand(x.Y)
		default: // compares texts or files
		}
	case *syntax.UnaryTest:
		t.test(x.X, sc)
		if w, ok := x.X.(*syntax.Word); ok && (x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar) {
			if v := t.one(w); strings.Contains(v.Text, "[") && (quoted(w.Parts) || strings.Contains(v.Text, "\\")) || v.Dynamic && !literalSubscript(w) {
				t.unparsed(t.src[v.start:v.end], "the shell evaluates a name")
			}
		}
	case *syntax.ParenTest:
		t.test(x.X, sc)
	case *syntax.Word:
		t.inspectIn(x.Parts, sc, place{literal: true})
	}
}

// literalSubscript reports whether what only run time knows in a word stands
// bare, so that its commands have been listed: a[$(x)].
func literalSubscript(w *syntax.Word) bool {
	_, ok := w.Parts[0].(*syntax.Lit)
	return ok && !quoted(w.Parts)
}

// undefine notes that a variable or a function is unset.
func (f *facts) undefine(w word) {
	f.t.unsets = true
	f.t.keyed = nil
	if !f.scan.has("-f") {
		f.variable("name", w)
	}
}
