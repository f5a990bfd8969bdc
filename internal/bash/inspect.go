package bash

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A place is where a part of a word stands, as far as bash and the parser see
// different things there.
type place struct {
	quoted  bool // in double quotes or a here-document
	param   bool // in ${ }
	literal bool // where the parser knows no process substitution
}

// inspect lists the commands that a word runs, and notes what bash may read in
// another way than the parser.
func (t *source) inspect(w *syntax.Word, sc *scope) {
	if w == nil {
		return
	}
	if _, ok := soleLit(w); ok {
		return
	}
	t.inspectIn(w.Parts, sc, place{})
}

func (t *source) inspectIn(parts []syntax.WordPart, sc *scope, at place) {
	t.levels++
	defer func() { t.levels-- }()
	if t.levels > maxLevels {
		t.unparsed(t.src, "the text is nested too deep")
		return
	}
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			if (at.param || at.literal) && hasProcess(part.Value) {
				t.unparsed(t.src, "a process substitution where the parser sees text")
				for _, sub := range processes(part.Value) {
					t.hidden(sub, t.spanAt(part), sc)
				}
			}
		case *syntax.SglQuoted:
			if at.param && at.quoted {
				t.unparsed(t.src, "a single quote in an expansion in double quotes")
				t.hidden(`"`+part.Value+`"`, t.spanAt(part), sc)
			}
		case *syntax.DblQuoted:
			in := at
			in.quoted = true
			t.inspectIn(part.Parts, sc, in)
		case *syntax.CmdSubst:
			if src := t.src[part.Pos().Offset():part.End().Offset()]; part.Backquotes && (at.quoted && strings.Contains(src, `\`) || strings.Contains(src, `\\`)) {
				t.unparsed(t.src, "a backslash in backticks")
			}
			t.perhaps(func() { t.stmts(part.Stmts, sc.substitution(part, part.Backquotes)) })
		case *syntax.ProcSubst:
			in := sc.substitution(part, false)
			if part.Op == syntax.CmdOut {
				in.stdin = input{kind: "pipe"}
			}
			t.perhaps(func() { t.stmts(part.Stmts, in) })
		case *syntax.ParamExp:
			t.parameter(part, sc, at)
		case *syntax.ArithmExp:
			t.arithmetic(part.X, sc)
		case *syntax.ExtGlob:
			// Without extglob, bash reads !(x) as a command, and others as errors.
			t.unparsed(t.src, "an extended pattern")
			t.hidden(`"`+part.Pattern.Value+`"`, t.spanAt(part), sc)
		case *syntax.BraceExp:
			for _, elem := range part.Elems {
				t.inspectIn(elem.Parts, sc, at)
			}
		}
	}
}

// hidden lists the commands in a text that is read as a word, and stands at a
// place of the script.
func (a *analysis) hidden(text string, at *span, sc *scope) {
	const before = ": "
	if a.total += len(text); a.total > maxTotal {
		return // what it is in is unparsed
	}
	file, err := parse(before + text)
	if err != nil || len(file.Stmts) != 1 {
		return
	}
	t := &source{analysis: a, src: before + text, at: at}
	if call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr); ok {
		for _, w := range call.Args {
			t.inspect(w, sc)
		}
	}
}

// spanAt returns the place of a node.
func (t *source) spanAt(n syntax.Node) *span {
	if t.at != nil {
		return t.at
	}
	pos := n.Pos()
	return &span{int(pos.Offset()), int(n.End().Offset()), int(pos.Line()), t.column(pos)}
}

// processes returns the process substitutions in a text.
func processes(text string) []string {
	var found []string
	for i := 0; i+1 < len(text); i++ {
		if text[i+1] != '(' || text[i] != '<' && text[i] != '>' {
			continue
		}
		end := closing(text[i+1:], "()")
		if end < 0 {
			break
		}
		found = append(found, text[i:i+2+end])
		i += 1 + end
	}
	return found
}

// closing returns the index of the bracket of a pair that closes the first one, or
// -1.
func closing(text, pair string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case pair[0]:
			depth++
		case pair[1]:
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return -1
}

func hasProcess(s string) bool {
	return strings.Contains(s, "<(") || strings.Contains(s, ">(")
}

// parameter inspects ${ }.
func (t *source) parameter(p *syntax.ParamExp, sc *scope, at place) {
	at.param = true
	if p.Flags != nil || p.NestedParam != nil || len(p.Modifiers) > 0 || p.Param == nil {
		t.unparsed(t.src, "an expansion that is not bash's")
		return
	}
	name := p.Param.Value
	if p.Index != nil {
		t.index(name, p.Index, sc)
	}
	if p.Excl && p.Names == 0 && !wholeArray(p.Index) {
		t.unparsed("${!"+name+"}", "an expansion of a variable that another names")
	}
	if p.Slice != nil {
		t.arithmetic(p.Slice.Offset, sc)
		t.arithmetic(p.Slice.Length, sc)
	}
	if p.Repl != nil {
		for _, w := range []*syntax.Word{p.Repl.Orig, p.Repl.With} {
			if w != nil {
				t.inspectIn(w.Parts, sc, at)
			}
		}
	}
	if p.Exp == nil || p.Exp.Word == nil {
		return
	}
	t.inspectIn(p.Exp.Word.Parts, sc, at)
	switch p.Exp.Op {
	case syntax.OtherParamOps:
		if !strings.Contains("QEAaKkULu", p.Exp.Word.Lit()) || p.Exp.Word.Lit() == "" {
			t.unparsed("${"+name+"@P}", "an expansion that evaluates its value")
			t.coded = append(t.coded, name)
		}
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		src, value := t.src[p.Pos().Offset():p.End().Offset()], t.one(p.Exp.Word)
		t.sets(name, value, !value.Dynamic && number(value.Text), src)
	default: // the words have been looked at, and nothing else happens
	}
}

func wholeArray(x syntax.ArithmExpr) bool {
	w, ok := x.(*syntax.Word)
	return ok && (w.Lit() == "@" || w.Lit() == "*")
}

// index inspects the subscript of a variable. That of an associative array is
// text.
func (t *source) index(name string, x syntax.ArithmExpr, sc *scope) {
	w, ok := x.(*syntax.Word)
	if !t.keyed[name] || !ok || quoted(w.Parts) && !plainQuotes(w.Parts) {
		t.subscript(x, sc)
		return
	}
	t.inspectIn(w.Parts, sc, place{literal: true})
}

// subscript inspects what stands in brackets: arithmetic, or the key of an
// associative array.
func (t *source) subscript(x syntax.ArithmExpr, sc *scope) {
	if !wholeArray(x) {
		t.arithmetic(x, sc)
	}
}

// arithmetic inspects an arithmetic expression, which may be nil.
func (t *source) arithmetic(x syntax.ArithmExpr, sc *scope) {
	t.levels++
	defer func() { t.levels-- }()
	if t.levels > maxLevels {
		t.unparsed(t.src, "the text is nested too deep")
		return
	}
	switch x := x.(type) {
	case *syntax.BinaryArithm:
		t.arithmetic(x.X, sc)
		t.arithmetic(x.Y, sc)
		if w, ok := x.X.(*syntax.Word); ok && assigns(x.Op) {
			t.computed(w, x, x.Op == syntax.Assgn)
		}
	case *syntax.UnaryArithm:
		t.arithmetic(x.X, sc)
		if w, ok := x.X.(*syntax.Word); ok && (x.Op == syntax.Inc || x.Op == syntax.Dec) {
			t.computed(w, x, false)
		}
	case *syntax.ParenArithm:
		t.arithmetic(x.X, sc)
	case *syntax.Word:
		if quoted(x.Parts) && !plainQuotes(x.Parts) {
			t.unparsed(t.src, "a quote in arithmetic")
			for _, part := range x.Parts {
				if q, ok := part.(*syntax.SglQuoted); ok {
					t.hidden(`"`+q.Value+`"`, t.spanAt(q), sc)
				}
			}
		}
		t.operand(x)
		t.inspectIn(x.Parts, sc, place{literal: true})
	case nil:
	default:
		t.unparsed(t.src, "unknown arithmetic")
	}
}

// plainQuotes reports whether all quotes hold nothing but letters, digits and
// simple expansions, so that it does not matter who sees them.
func plainQuotes(parts []syntax.WordPart) bool {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.SglQuoted:
			if strings.ContainsAny(part.Value, "$`[]<>\\") {
				return false
			}
		case *syntax.DblQuoted:
			for _, p := range part.Parts {
				lit, ok := p.(*syntax.Lit)
				if ok && strings.ContainsAny(lit.Value, "$`[]<>\\'") {
					return false
				}
			}
		}
	}
	return true
}

func assigns(op syntax.BinAritOperator) bool {
	switch op {
	case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn,
		syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn:
		return true
	default:
		return false
	}
}

// operand notes the variables of a word whose value arithmetic evaluates.
func (t *source) operand(x syntax.Node) {
	w, ok := x.(*syntax.Word)
	if !ok {
		return
	}
	t.operands(w.Parts)
}

func (t *source) operands(parts []syntax.WordPart) {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			t.setsInText(part.Value)
			if syntax.ValidName(part.Value) {
				t.evaluates(part.Value)
			} else if strings.Contains(part.Value, "[") && len(parts) == 1 {
				t.unparsed(t.src, "arithmetic evaluates a subscript")
			}
		case *syntax.SglQuoted:
			t.setsInText(part.Value)
			if strings.ContainsAny(part.Value, "[$`") {
				t.unparsed(t.src, "arithmetic evaluates a quoted subscript")
				t.codes = append(t.codes, part.Value)
			}
		case *syntax.DblQuoted:
			t.operands(part.Parts)
		case *syntax.CmdSubst:
			if !t.countsIn(part) {
				t.unparsed(t.src, "arithmetic evaluates what a command prints")
			}
		case *syntax.ParamExp:
			t.parameterOperand(part)
		}
	}
}

// parameterOperand notes what an expansion puts into arithmetic: the value of
// its variable, or a text of its own.
func (t *source) parameterOperand(p *syntax.ParamExp) {
	if p.Length || p.Param == nil {
		return
	}
	t.evaluates(p.Param.Value)
	if p.Repl != nil && p.Repl.With != nil {
		t.operands(p.Repl.With.Parts)
	}
	if p.Exp == nil || p.Exp.Word == nil {
		return
	}
	switch p.Exp.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
		syntax.AssignUnset, syntax.AssignUnsetOrNull:
		t.operands(p.Exp.Word.Parts)
	default: // takes away from the value, or ends
	}
}

// numeric are the shell's own variables that are numbers. What is assigned to
// some of them, the shell evaluates.
const numeric = " # ? $ ! RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS UID EUID PPID BASHPID COLUMNS LINES OPTIND SHLVL BASH_SUBSHELL HISTCMD "

func (t *source) evaluates(name string) {
	if !strings.Contains(numeric, " "+name+" ") {
		t.evaluated = append(t.evaluated, name)
	}
}

// setting is an assignment in the text of an arithmetic expression.
var setting = regexp.MustCompile(`(?:\+\+|--)\s*(\w+)|([A-Za-z_]\w*)\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?:[^=]|$))`)

// setsInText notes the assignments in text that arithmetic evaluates.
func (t *source) setsInText(s string) {
	if !strings.ContainsAny(s, "=+-") {
		return
	}
	const most = 8 // assignments in one expression
	for _, m := range setting.FindAllStringSubmatch(s, most) {
		t.sets(m[1]+m[2], word{Word: Word{Text: s, Dynamic: true}}, true, s)
	}
}

// computed notes that an arithmetic expression assigns a number to the variable
// w: whatever it holds, or what it held and that was evaluated.
func (t *source) computed(w *syntax.Word, x syntax.ArithmExpr, whatever bool) {
	name, _, _ := strings.Cut(t.src[w.Pos().Offset():w.End().Offset()], "[")
	src := t.src[x.Pos().Offset():x.End().Offset()]
	_, before := t.variables[name]
	t.sets(name, word{Word: Word{Text: src, Dynamic: true}}, true, src)
	if !whatever && !before {
		t.variables[name] = false
	}
}

// sets notes an assignment that stands by itself, and whether it is of a
// number.
func (t *source) sets(name string, value word, isNumber bool, src string, values ...word) {
	if name == "" {
		return
	}
	t.assigned(name, isNumber, values...)
	t.script.Assigns = append(t.script.Assigns, t.assignment(name, value, src))
}

// assigned notes an assignment to a variable, and whether it is of a number.
// values are the words that it is given; none if the script does not tell.
func (t *source) assigned(name string, isNumber bool, values ...word) {
	if name == "" {
		return
	}
	if len(values) == 0 {
		t.open(name)
	} else {
		t.bind(name, values...)
	}
	if t.variables == nil {
		t.variables = map[string]bool{}
	}
	before, ok := t.variables[name]
	t.variables[name] = isNumber && (before || !ok)
}

// counts reports whether a word is a substitution of a command that prints
// nothing but numbers.
func (t *source) counts(w *syntax.Word) bool {
	parts := w.Parts
	if len(parts) != 1 {
		return false
	}
	if q, ok := parts[0].(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		parts = q.Parts
	}
	switch part := parts[0].(type) {
	case *syntax.ArithmExp:
		return true
	case *syntax.ParamExp:
		if part.Excl && wholeArray(part.Index) && part.Exp == nil && part.Repl == nil && part.Slice == nil {
			t.indices = t.indices || !t.keyed[part.Param.Value]
			return !t.keyed[part.Param.Value] // the numbers of the elements
		}
		return part.Length || part.Param != nil && plainParameter(part) && strings.Contains(numeric, " "+part.Param.Value+" ")
	case *syntax.CmdSubst:
		return t.countsIn(part)
	}
	return false
}

// plainParameter reports whether an expansion is no more than the value of its
// variable.
func plainParameter(p *syntax.ParamExp) bool {
	return p.Exp == nil && p.Repl == nil && p.Slice == nil && p.Index == nil && !p.Excl && !p.Length && p.Flags == nil && len(p.Modifiers) == 0
}

// copy reports whether an assignment gives a variable the value of another one,
// and notes that.
func (t *source) copy(a *syntax.Assign) bool {
	parts := a.Value.Parts
	if q, ok := parts[0].(*syntax.DblQuoted); ok && len(parts) == 1 {
		parts = q.Parts
	}
	if len(parts) != 1 {
		return false
	}
	p, ok := parts[0].(*syntax.ParamExp)
	if !ok || p.Param == nil || !plainParameter(p) || !syntax.ValidName(p.Param.Value) {
		return false
	}
	t.copies = append(t.copies, copied{a.Name.Value, p.Param.Value})
	return true
}

// countsIn reports whether the commands of a substitution print nothing but
// numbers.
func (t *source) countsIn(c *syntax.CmdSubst) bool {
	return len(c.Stmts) == 1 && t.prints(c.Stmts[0])
}

// prints reports whether the last command of a statement's pipe prints nothing
// but numbers.
func (t *source) prints(s *syntax.Stmt) bool {
	if pipe, ok := s.Cmd.(*syntax.BinaryCmd); ok && pipe.Op == syntax.Pipe {
		return t.prints(pipe.Y)
	}
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || slices.ContainsFunc(s.Redirs, func(r *syntax.Redirect) bool { return r.N != nil || r.Op == syntax.RdrAll || r.Op == syntax.AppAll }) {
		return false // what it complains of may be printed too
	}
	words, ok := t.plain(call.Args)
	if !ok {
		return false
	}
	if _, defined := t.functions[words[0]]; defined || t.isAlias(words[0]) {
		return false
	}
	return countsLines(words[0], words[1:])
}

// countsLines reports whether a command prints nothing but numbers, and no name
// of a file before or behind them.
func countsLines(name string, args []string) bool {
	option := func(arg string) bool { return strings.HasPrefix(arg, "-") }
	switch name {
	case "seq":
		return !slices.ContainsFunc(args, func(arg string) bool { return !number(arg) })
	case "nproc":
		return true
	case "wc":
		return !slices.ContainsFunc(args, func(arg string) bool { return !option(arg) || strings.HasPrefix(arg, "--f") })
	case "date":
		return len(args) == 1 && (args[0] == "+%s" || args[0] == "+%s%N")
	case "grep":
		operands := slices.DeleteFunc(slices.Clone(args), option)
		return len(args) > 0 && option(args[0]) && args[0][1:] != "" && strings.Trim(args[0][1:], "ciEFvwxz") == "" && strings.Contains(args[0], "c") &&
			len(args)-len(operands) == 1 && len(operands) <= 2
	case "git":
		return len(args) > 2 && args[0] == "rev-list" && args[1] == "--count" && !slices.ContainsFunc(args[2:], option)
	}
	return false
}
