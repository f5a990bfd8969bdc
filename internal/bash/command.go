package bash

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// A call is a command before it is analysed.
type call struct {
	words     []word
	assigns   []Assign
	redirects []Redirect
	source    string
	declared  bool // the assignments among the words are known already
	span
}

// call analyses a simple command.
func (t *source) call(s *syntax.Stmt, cmd *syntax.CallExpr, redirects []Redirect, sc *scope) {
	c := t.position(s)
	c.redirects = redirects
	if text, ok := negated(cmd); ok {
		t.unparsed(c.source, "an extended pattern")
		at := c.span
		t.text(text, sc.inner(), &at)
		return
	}
	for _, a := range cmd.Assigns {
		assign := t.assign(a, sc, len(cmd.Args) == 0)
		if len(cmd.Args) == 0 {
			t.script.Assigns = append(t.script.Assigns, assign)
			at := c.span
			t.runAssign(assign, sc, &at)
			continue
		}
		c.assigns = append(c.assigns, assign)
	}
	var descriptors []*syntax.Word
	from := len(t.room)
	c.words = t.room[from:from]
	for _, w := range cmd.Args {
		if t.descriptor(w, s.Redirs) {
			descriptors = append(descriptors, w)
			continue
		}
		t.guardEquals(w)
		c.words = t.fields(c.words, w)
	}
	if len(c.words) <= cap(t.room)-from {
		t.room = t.room[:from+len(c.words)]
		c.words = slices.Clip(c.words)
		defer func() { t.room = t.room[:from] }()
	}
	for _, a := range cmd.Assigns {
		t.inspectAssign(a, sc, false)
	}
	first := len(t.script.Commands)
	switch {
	case len(c.words) > 0:
		t.keyword(&c)
		t.run(c, sc)
	case len(cmd.Args) > 0:
		t.unparsed(c.source, "the command's name expands to nothing")
	}
	inner := len(t.script.Commands)
	for _, w := range cmd.Args {
		t.inspect(w, sc)
	}
	for _, w := range descriptors {
		src := t.src[w.Pos().Offset():w.End().Offset()]
		t.hidden(strings.NewReplacer("'", "", `"`, "").Replace(src), t.spanAt(w), sc)
	}
	if len(c.words) > 0 && first < inner && t.downloads(inner) {
		t.downloaded(first)
	}
}

// negated returns the text in !(text), which the parser takes for a pattern, and
// bash for a subshell as long as extglob is off.
func negated(cmd *syntax.CallExpr) (string, bool) {
	if len(cmd.Args) == 0 || len(cmd.Assigns) > 0 {
		return "", false
	}
	glob, ok := cmd.Args[0].Parts[0].(*syntax.ExtGlob)
	if !ok || glob.Op != syntax.GlobExcept || len(cmd.Args[0].Parts) > 1 {
		return "", false
	}
	return glob.Pattern.Value, true
}

// keyword drops the "--" of "time -- command", which the parser takes for the
// command's name.
func (t *source) keyword(c *call) {
	before := strings.TrimRight(t.src[:c.start], " \t")
	before = strings.TrimRight(strings.TrimSuffix(before, "-p"), " \t")
	if len(c.words) < 2 || c.words[0].Text != "--" || !strings.HasSuffix(before, "time") {
		return
	}
	c.words = c.words[1:]
	if name, _, ok := strings.Cut(c.words[0].head, "="); ok && syntax.ValidName(strings.TrimSuffix(name, "+")) || strings.Contains(name, "[") {
		t.unparsed(c.source, "an assignment stands behind time --")
	}
}

// descriptor notes {a[i]}>file, which the parser takes for an argument, and
// reports whether w is such a one.
func (t *source) descriptor(w *syntax.Word, redirects []*syntax.Redirect) bool {
	start, end := w.Pos().Offset(), w.End().Offset()
	src := t.src[start:end]
	if src[0] != '{' || !strings.Contains(src, "[") {
		return false
	}
	for _, r := range redirects {
		if r.Pos().Offset() == end {
			t.unparsed(src, "a subscript in a redirection")
			return true
		}
	}
	return false
}

// zshExpands is an expansion of zsh's that is text for bash: $=x, $~x, $^x.
var zshExpands = regexp.MustCompile(`\$[=~^]+\w`)

// guardEquals notes =name, for which zsh puts the path of the program, and other
// expansions of zsh's.
func (t *source) guardEquals(w *syntax.Word) {
	src := t.src[w.Pos().Offset():w.End().Offset()]
	if strings.IndexByte(src, '$') >= 0 && !quoted(w.Parts) && zshExpands.MatchString(src) {
		t.unparsed(src, "zsh expands a variable there")
	}
	if len(src) > 1 && src[0] == '=' && (strings.IndexByte(nameBytes, src[1]) >= 0 || src[1] == '/' || src[1] == '.') {
		t.unparsed(src, "zsh puts the path of a program there")
	}
}

// position returns a call with the place of a statement in the text.
func (t *source) position(s *syntax.Stmt) call {
	start, end := s.Pos(), s.Cmd.End()
	from := int(s.Cmd.Pos().Offset())
	if !s.Negated {
		from = int(start.Offset())
	}
	to := int(end.Offset())
	for _, r := range s.Redirs {
		if at := int(r.Word.End().Offset()); at > to {
			to = at
		}
	}
	pos := s.Cmd.Pos()
	if !s.Negated {
		pos = start
	}
	return call{source: t.src[from:to], span: span{from, to, int(pos.Line()), t.column(pos)}}
}

// column returns the column of a place, which the parser knows only for short
// lines.
func (t *source) column(pos syntax.Pos) int {
	if pos.Col() > 0 {
		return int(pos.Col())
	}
	if t.lines == nil {
		for i := range len(t.src) {
			if i == 0 || t.src[i-1] == '\n' {
				t.lines = append(t.lines, i)
			}
		}
	}
	at := int(pos.Offset())
	n, _ := slices.BinarySearch(t.lines, at+1)
	return at - t.lines[n-1] + 1
}

// run lists a command and all that it runs in turn.
func (t *source) run(c call, sc *scope) {
	if len(t.script.Commands) >= maxCommands {
		t.full = true
		t.unparsed(t.src, "the script has too many commands")
		return
	}
	if len(sc.wrappers) >= maxDepth {
		t.unparsed(c.source, "commands are nested too deep")
		t.unparsed(text(t.innermost(c.words)), "commands are nested too deep")
		return
	}
	if t.at != nil {
		c.span = *t.at
	}
	first := c.words[0]
	t.script.Commands = append(t.script.Commands, Command{
		Program: first.Text, System: true, Args: take(&t.args, len(c.words)-1, t.chunk()), Text: text(c.words), Source: c.source,
		Assigns: slices.Concat(sc.assigns, c.assigns), Redirects: c.redirects, Wrappers: sc.wrappers,
		Dir: sc.dir.path, DirDynamic: sc.dir.dynamic,
		Stdin: sc.stdin.kind, Input: sc.stdin.text, InputStatic: sc.stdin.static,
		Options: []string{}, Operands: []string{}, Effects: []Effect{}, Operations: []Operation{}, Hazards: []Hazard{},
		Line: c.line, Column: c.column, Start: c.start, End: c.end,
	})
	index := len(t.script.Commands)
	cmd := &t.script.Commands[index-1]
	cmd.empty()
	t.words += len(c.words)
	for i := range c.words {
		w := &c.words[i].Word
		if i > 0 {
			cmd.Args[i-1] = *w
		}
		cmd.Dynamic = cmd.Dynamic || w.Dynamic
	}
	cmd.Canonical = cmd.Text
	if first.Dynamic || first.Glob && first.Text != "[" {
		cmd.Unparsed = "only run time knows the command"
		cmd.Program, cmd.System, cmd.Prefix = first.Text, false, first.Text
		t.unparsed(cmd.Source, cmd.Unparsed)
		return
	}
	f := newFacts()
	defer f.release()
	f.Command, f.t, f.sc, f.words, f.declared = cmd, t, sc, c.words, c.declared
	f.analyse()
	if own := &t.script.Commands[index-1]; own != f.Command {
		*own = *f.Command // others that it evaluates have been listed, in a longer list
	}
	if f.Unparsed != "" {
		t.unparsed(f.Source, f.Unparsed)
	}
	for _, a := range c.assigns {
		t.runAssign(a, sc, t.spanOf(index))
	}
	for _, in := range f.inner {
		t.inner(in, index)
	}
	for _, v := range f.values {
		t.runs(v, t.spanOf(index))
	}
	if f.scan.row.Same && len(f.inner) > 0 {
		sc.dir = f.below().dir
	}
	t.called(c, sc, index)
	if t.aliases != nil {
		t.expandAlias(c, sc, index)
	}
}

// innermost returns the words that wrappers around wrappers run, as far as each is
// given them as words.
func (t *source) innermost(words []word) []word {
	for {
		var s scan
		s.read(t.tables, Base(words[0].Text), words)
		if s.tail != "argv" || len(s.rest) == 0 || len(s.rest) >= len(words) {
			return words
		}
		words = s.rest
	}
}

// spareFacts are those that nothing refers to any more, with their lists.
var spareFacts = sync.Pool{New: func() any { return &facts{scan: &scan{}} }}

// newFacts returns one to be filled, and release takes it back.
func newFacts() *facts {
	f, ok := spareFacts.Get().(*facts)
	if !ok {
		return &facts{scan: &scan{}}
	}
	return f
}

func (f *facts) release() {
	const most = 200 // words that are worth keeping room for
	s := f.scan
	clear(s.given)
	clear(s.operands)
	clear(s.kept)
	clear(s.sub)
	clear(s.options)
	*s = scan{given: s.given[:0], operands: s.operands[:0], kept: s.kept[:0], sub: s.sub[:0], options: s.options[:0]}
	*f = facts{scan: s}
	if cap(s.kept) <= most {
		spareFacts.Put(f)
	}
}

// empty makes lists that have nothing in them differ from missing ones.
func (c *Command) empty() {
	if c.Assigns == nil {
		c.Assigns = []Assign{}
	}
	if c.Redirects == nil {
		c.Redirects = []Redirect{}
	}
	if c.Wrappers == nil {
		c.Wrappers = []string{}
	}
}

// An inner is what a command runs: words, or a text if there are none.
type inner struct {
	words []word
	text  string
	sc    *scope
}

// inner lists what the command host-1 runs.
func (t *source) inner(in inner, host int) {
	if in.words == nil {
		t.perhaps(func() { t.text(in.text, in.sc, t.spanOf(host)) })
		return
	}
	h := t.script.Commands[host-1]
	whole := text(in.words)
	if t.total += len(whole); t.total > maxTotal {
		t.unparsed(h.Source, tooMuch)
		return
	}
	c := call{words: in.words, span: *t.spanOf(host)}
	first, last := in.words[0], in.words[len(in.words)-1]
	c.source = whole
	if first.start < first.end && first.start < last.end && last.end <= len(t.src) {
		c.source = t.src[first.start:last.end]
	}
	t.run(c, in.sc)
}

// spanOf returns the place of the command n-1, or nil if n is 0.
func (t *source) spanOf(n int) *span {
	if n == 0 {
		return nil
	}
	c := &t.script.Commands[n-1]
	return &span{c.Start, c.End, c.Line, c.Column}
}

// downloaded notes that a command may run what comes from another machine.
func (t *source) downloaded(from int) {
	c := &t.script.Commands[from]
	if row, ok := t.tables.row(c.Name); ok && (row.Stdin != "" || row.Operands == "source") {
		c.hazard("download", c.Program, "runs what it gets from another machine")
	}
}

// text joins words with blanks.
func text(words []word) string {
	if len(words) == 1 {
		return words[0].Text
	}
	n := len(words)
	for i := range words {
		n += len(words[i].Text)
	}
	var b strings.Builder
	b.Grow(n)
	for i := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(words[i].Text)
	}
	return b.String()
}

func (c *Command) hazard(kind, word, reason string) {
	h := Hazard{Kind: kind, Word: cmp.Or(word, c.Name), Reason: reason}
	if !slices.Contains(c.Hazards, h) {
		c.Hazards = append(c.Hazards, h)
	}
}

func (c *Command) effects(list ...Effect) {
	for _, e := range list {
		if !slices.Contains(c.Effects, e) {
			c.Effects = append(c.Effects, e)
		}
	}
}

// base sets what the program's path tells.
func (c *Command) base(systems []string) {
	c.Name = Base(c.Program)
	if strings.Contains(c.Program, "/") {
		c.System = path.Clean(c.Program) == c.Program && slices.Contains(systems, path.Dir(c.Program))
	}
}

// Base returns the name of a program by its path. Which program lies below
// /proc or /dev/fd only run time knows, so that its name says nothing.
func Base(program string) string {
	clean := path.Clean(program)
	if !strings.Contains(program, "/") || strings.HasPrefix(clean, "/proc/") || strings.HasPrefix(clean, "/dev/fd/") {
		return program
	}
	return path.Base(program)
}

// assign returns an assignment, and notes it for arithmetic.
// If it holds for no more than one command, its value says nothing of others.
func (t *source) assign(a *syntax.Assign, sc *scope, stays bool) Assign {
	src := t.src[a.Pos().Offset():a.End().Offset()]
	if a.Name == nil {
		return Assign{Source: src, Value: src, Dynamic: true}
	}
	value := t.one(a.Value)
	if a.Array != nil || a.Index != nil {
		t.array(a.Name.Value)
	}
	if a.Array != nil {
		value = word{Word: Word{Text: t.src[a.Array.Pos().Offset():a.Array.End().Offset()]}}
		for _, e := range a.Array.Elems {
			value.Dynamic = value.Dynamic || t.one(e.Value).Dynamic
		}
	}
	counts := !value.Dynamic && a.Array == nil && number(value.Text) || a.Value != nil && len(a.Value.Parts) > 0 && (t.counts(a.Value) || t.copy(a))
	if !stays || a.Append || a.Array != nil || a.Index != nil {
		t.assigned(a.Name.Value, counts)
	} else {
		t.assigned(a.Name.Value, counts, value)
	}
	if a.Index != nil {
		t.index(a.Name.Value, a.Index, sc)
	}
	return t.assignment(a.Name.Value, value, src)
}

func (t *source) assignment(name string, value word, src string) Assign {
	a := Assign{Name: name, Value: value.Text, Dynamic: value.Dynamic, Source: src}
	if v, ok := t.tables.variable(name, value.Text); ok && (!value.Dynamic || v.Reason != "") {
		a.Hazard = v.Reason
	}
	return a
}

// inspectAssign lists the commands that an assignment runs. With keys, what
// stands in the brackets of an array is text, and no arithmetic.
func (t *source) inspectAssign(a *syntax.Assign, sc *scope, keys bool) {
	t.inspect(a.Value, sc)
	if a.Array == nil {
		return
	}
	for _, e := range a.Array.Elems {
		if w, ok := e.Index.(*syntax.Word); ok && keys {
			t.inspectIn(w.Parts, sc, place{literal: true})
		} else if e.Index != nil {
			t.subscript(e.Index, sc)
		}
		t.inspect(e.Value, sc)
	}
}

// declare analyses export, declare and the like.
func (t *source) declare(s *syntax.Stmt, cmd *syntax.DeclClause, sc *scope) {
	c := t.position(s)
	c.words = []word{static(cmd.Variant.Value)}
	c.declared = true
	var assigns []Assign
	for _, a := range cmd.Args {
		start, end := int(a.Pos().Offset()), int(a.End().Offset())
		w := word{start: start, end: end}
		switch {
		case a.Name == nil:
			for _, w := range t.fields(nil, a.Value) {
				c.words = append(c.words, w)
				c.declared = c.declared && strings.HasPrefix(w.head, "-")
			}
			continue
		case a.Naked:
			w.Text = t.src[start:end]
			if slices.ContainsFunc(c.words, array) {
				t.array(a.Name.Value)
			}
		default:
			assign := t.assign(a, sc, true)
			assigns = append(assigns, assign)
			w.Dynamic = assign.Dynamic
			if a.Array == nil && (strings.HasPrefix(assign.Value, "(") || w.Dynamic && (slices.ContainsFunc(c.words, array) || t.isArray(a.Name.Value))) {
				t.unparsed(c.source, "the shell may read an array out of a text")
			}
			w.Text = a.Name.Value + "=" + assign.Value
			if w.Dynamic || a.Append || a.Index != nil {
				w.Text = t.src[start:end]
			}
		}
		if !w.Dynamic {
			w.head = w.Text
		}
		c.words = append(c.words, w)
	}
	from := len(t.script.Commands)
	t.run(c, sc)
	if from < len(t.script.Commands) {
		d := &t.script.Commands[from]
		d.Assigns = slices.Concat(d.Assigns, assigns)
		d.environment()
	}
	for _, a := range assigns {
		t.runAssign(a, sc, &c.span)
	}
	keys := slices.ContainsFunc(c.words, associative)
	t.unkeyed = t.unkeyed || keys
	for _, a := range cmd.Args {
		if a.Name == nil {
			continue
		}
		_, before := t.keyed[a.Name.Value]
		_, assigned := t.variables[a.Name.Value]
		if t.keyed == nil {
			t.keyed = map[string]bool{}
		}
		t.keyed[a.Name.Value] = plainKeys(c.words) && !before && (!assigned || a.Array != nil) && len(t.regions) == 0 && len(s.Redirs) == 0 && !t.unsets
	}
	for _, a := range cmd.Args {
		t.inspectAssign(a, sc, keys)
		if a.Index != nil && a.Naked {
			t.subscript(a.Index, sc)
		}
	}
}

// let analyses the builtin whose words are arithmetic. What the parser takes for
// operators of arithmetic may be those of the shell.
func (t *source) let(s *syntax.Stmt, cmd *syntax.LetClause, sc *scope) {
	c := t.position(s)
	c.words = []word{static("let")}
	for _, x := range cmd.Exprs {
		src := t.src[x.Pos().Offset():x.End().Offset()]
		if w, ok := x.(*syntax.Word); ok {
			t.inspect(w, sc)
			c.words = append(c.words, t.one(w))
			continue
		}
		c.words = append(c.words, static(src))
		if strings.ContainsAny(src, "|&<>") {
			t.unparsed(c.source, "an operator in let")
			t.text(": "+src, sc.inner(), t.spanAt(s))
		}
	}
	t.run(c, sc)
}

// environment notes the assignments that make programs do more.
func (c *Command) environment() {
	for _, a := range c.Assigns {
		if a.Hazard != "" {
			c.hazard("environment", a.Source, a.Hazard)
		}
	}
}

// plainKeys reports whether declare has no options but the one that makes a new
// array with keys.
func plainKeys(words []word) bool {
	keys := false
	for _, w := range words[1:] {
		switch {
		case !strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "+"):
		case w.Text == "-A" || w.Text == "-gA" || w.Text == "-Ag":
			keys = true
		default:
			return false
		}
	}
	return keys
}

// array notes a variable that is, or may be, an array.
func (a *analysis) array(name string) {
	if a.arrays == nil {
		a.arrays = map[string]bool{}
	}
	a.arrays[name] = true
}

// isArray reports whether a variable may be an array: declare reads a text that
// it gives to one as words in brackets.
func (a *analysis) isArray(name string) bool {
	return a.arrays[name] || strings.HasPrefix(name, "BASH_") || slices.Contains(shellVariables, name)
}

// array reports whether a word is the option of declare that makes an array.
func array(w word) bool {
	return strings.HasPrefix(w.Text, "-") && strings.ContainsAny(w.Text, "aA")
}

// associative reports whether a word is the option of declare that makes an
// array's subscripts keys.
func associative(w word) bool {
	return strings.HasPrefix(w.Text, "-") && strings.Contains(w.Text, "A")
}
