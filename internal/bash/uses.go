package bash

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// operands notes what the operands are used for.
func (f *facts) operands(uses string) {
	s := f.scan
	also := f.also()
	if len(s.operands) == 0 {
		return
	}
	if ends(s.tail) {
		uses = strings.ReplaceAll(uses, "...", "")
	}
	fields := strings.Fields(uses)
	var noFirst, noLast bool
	for _, g := range s.given[s.base:] {
		noFirst, noLast = noFirst || g.first, noLast || g.last
	}
	if noFirst && len(fields) > 0 {
		fields = fields[1:]
	}
	if noLast && len(fields) > 0 {
		fields = fields[:len(fields)-1]
	}
	if s.name == "git diff" && slices.ContainsFunc(s.operands, outside) {
		fields = []string{"read..."} // git compares files when one is in no repository
	}
	for i, w := range s.operands {
		use, file := useOf(fields, i, len(s.operands))
		if use == "" && !ends(s.tail) {
			f.Known = false // a form of the command of which the row does not speak
		}
		if use == "pathspec" || use == "revision" {
			magic := strings.HasPrefix(w.Text, ":")
			use = behindDashes(use, i >= s.dashes && s.ended && (!magic || use != "revision"))
		}
		if strings.HasPrefix(s.name, "git ") && use != "arg" && strings.ContainsAny(w.Text, "*?[") {
			w.Glob = true // git looks for the files that match
		}
		if use == "restore" {
			use = restored(w, i)
		}
		w = f.inside(w)
		f.use(use, w, "", s.row.Effects)
		if i < len(fields) {
			f.spread(fields[i+1:], w)
		}
		for _, more := range also {
			if file {
				f.use(more, w, "", s.row.Effects)
			}
		}
	}
}

// spread notes what happens to the words that a word with a wildcard, or one that
// only run time knows, stands for beside the first, each an operand of its own.
func (f *facts) spread(fields []string, w word) {
	for _, use := range fields {
		switch use = strings.TrimSuffix(use, "..."); use {
		case "redirect":
			if w.Glob || w.split {
				f.use(use, w, "", f.scan.row.Effects)
			}
		case "write", "delete", "edit", "move", "into":
			if w.Glob {
				f.use(use, w, "", f.scan.row.Effects)
			}
		}
	}
}

// aFile is a name that is more likely a file's than a revision's.
var aFile = regexp.MustCompile(`^\.|[*?[]|\.[A-Za-z]\w*$`)

// restored returns the use of operand i of git checkout without "--".
func restored(w word, i int) string {
	if i == 0 && !aFile.MatchString(w.Text) {
		return "arg"
	}
	return "write"
}

// inside returns the word as it is meant in the directory that an option names
// for the operands alone.
func (f *facts) inside(w word) word {
	if f.within == nil || strings.HasPrefix(w.Text, "/") || w.Dynamic {
		return w
	}
	w.Text = path.Join(f.within.Text, w.Text)
	w.Dynamic = f.within.Dynamic
	return w
}

// behindDashes returns the use of an operand that is a path if it stands behind
// "--".
func behindDashes(use string, behind bool) string {
	switch {
	case use == "pathspec" && behind:
		return "write"
	case use == "pathspec":
		return "arg"
	case behind:
		return "read"
	}
	return use
}

// also returns the uses that options make of the operands.
func (f *facts) also() []string {
	var uses []string
	for _, g := range f.scan.given[f.scan.base:] {
		if g.operands == "" {
			continue
		}
		uses = append(uses, g.operands)
		e := Effect(g.operands)
		if g.operands == "base" {
			e = Write
		}
		if (e == Write || e == Delete) && !slices.Contains(f.scan.row.Effects, e) {
			f.hazard("option", g.name, reasons[e])
			f.effects(e)
		}
	}
	return uses
}

// useOf returns the use of operand i of n, and whether it is one of those that
// are files.
func useOf(fields []string, i, n int) (use string, file bool) {
	many := slices.IndexFunc(fields, func(s string) bool { return strings.HasSuffix(s, "...") })
	switch {
	case many < 0 || i < many:
		if i >= len(fields) {
			return "", len(fields) == 0
		}
		use = fields[i]
	default:
		if behind := len(fields) - 1 - many; n-i <= behind && i >= 0 && n > many {
			use = fields[len(fields)-(n-i)]
		} else {
			use = strings.TrimSuffix(fields[many], "...")
		}
	}
	return use, !slices.Contains([]string{"arg", "sed", "awk", "jq", "yq"}, use)
}

// use notes one use of one word. name is the option's that the word belongs
// to, or empty for an operand.
func (f *facts) use(use string, w word, name string, effects []Effect) {
	switch use {
	case "read", "write", "delete":
		f.file(Effect(use), w, name, effects)
	case "redirect":
		f.redirect(w, name)
	case "pull", "push":
		f.remote(use, w)
	case "edit":
		f.file(Read, w, name, effects)
		f.file(Write, w, name, effects)
	case "move":
		f.file(Delete, w, name, effects)
		f.file(Read, w, name, effects)
	case "list":
		if !f.url(w) {
			f.operation(Operation{Path: w.Text, Effect: Read, Dynamic: w.Dynamic, Glob: w.Glob})
		}
	case "into":
		f.effects(Write)
		f.operation(Operation{Path: w.Text, Effect: Write, Dynamic: w.Dynamic, Glob: w.Glob, Listed: true})
	case "path":
		f.likely(w)
	case "arg":
		if w.Glob {
			f.likely(w) // the shell looks for the files that match
		}
	case "pipe":
		if command := strings.TrimLeft(w.Text, "|!"); command != w.Text {
			f.code("run", word{Word: Word{Text: command, Dynamic: w.Dynamic}}, name)
			return
		}
		f.file(Write, w, name, effects)
	case "dir":
		f.dir(w)
	case "cd":
		f.cd(w)
	case "back":
		f.sc.dir = dir{dynamic: true}
	case "assign":
		f.assign(w)
	case "name", "expr", "define", "declare":
		f.variable(use, w)
	case "undefine":
		f.undefine(w)
	case "evaluated":
		f.reject("the shell evaluates what the variable holds")
		f.t.codes = append(f.t.codes, w.Text)
	case "arith":
		f.arithmetic(w)
	default:
		if !f.named(use, w, name, effects) {
			f.meaning(use, w, name)
		}
	}
}

// meaning notes a use that has nothing to do with files or the shell's state.
func (f *facts) meaning(use string, w word, name string) {
	switch use {
	case "run", "subtext", "binding", "filter", "code", "makecode", "plugin", "warning", "codefile", "sed", "awk", "config", "transport", "excmd", "sql", "lesscmd", "jq", "yq":
		f.code(use, w, name)
	case "line", "text":
		f.shell([]word{w})
	case "foreign":
		f.reject(notAnalysed)
		if !w.Dynamic {
			f.run(w.Text, f.below()) // as far as it reads alike
		}
	case "linkflags":
		f.toolFlags(w, name, linkFlags, linkArgs)
	case "compileflags":
		f.toolFlags(w, name, compileFlags, compileArgs)
	case "modmode":
		if w.Text != "readonly" && w.Text != "vendor" {
			f.effects(Network)
			f.hazard("option", name, reasons[Network])
		}
	case "property":
		key, value, _ := strings.Cut(w.Text, "=")
		if w.Dynamic || strings.HasPrefix(key, "Exec") {
			f.code("run", word{Word: Word{Text: value, Dynamic: w.Dynamic}}, name)
		}
		if strings.HasPrefix(key, "Environment") {
			f.use("assign", w.part(value), name, nil)
		}
	case "upload":
		if (w.Text == "-" || w.Text == ".") && f.sc.stdin.kind != "" && !f.sc.stdin.static {
			f.hazard("code", w.Text, "sends what it is fed")
		}
		f.file(Read, w, name, f.scan.row.Effects)
	case "jqfile":
		f.ran = true
		f.file(Read, w, "", nil)
		f.hazard("code", name, "runs a query from a file")
	case "redo":
		f.hazard("code", w.Text, "runs earlier commands again")
	case "send":
		f.sends(w)
	case "entry":
		f.entry = &w
	case "module":
		f.module(w)
	case "shellname":
		f.shellName(w)
	case "search":
		f.hazard("environment", name, "changes where programs are found")
	case "environ":
		f.t.assigned(w.Text, false)
		f.Assigns = append(f.Assigns, f.t.assignment(w.Text, word{Word: Word{Text: w.Text, Dynamic: true}}, w.Text))
	case "marker":
		f.marker = w.Text
	case "host":
		if w.Dynamic && !w.bounded {
			f.hazard("glob", w.Text, "only run time knows where it connects")
		}
	case "url":
		f.effects(Network)
		f.hazard("option", name, reasons[Network])
	case "setting":
		f.effects(Write)
		f.hazard("option", w.Text, "changes git's settings")
		f.aliased(w)
	case "cargoconfig":
		f.hazard("option", name, "changes cargo's settings")
		f.cargoConfig(w)
	case "sshoption":
		f.sshOption(w, name)
	case "checkpoint":
		if command, ok := strings.CutPrefix(w.Text, "exec="); ok || w.Dynamic {
			w.Text = command
			f.code("run", w, name)
		}
	case "applescript":
		f.applescript(w, name)
	}
}

// shells are those whose text is analysed.
var shells = strings.Fields("sh bash dash zsh ksh ash")

// shellName notes the shell that text is for.
func (f *facts) shellName(w word) {
	if w.Dynamic || !slices.Contains(shells, path.Base(w.Text)) || strings.Contains(w.Text, "/") && !slices.Contains(systems, path.Dir(w.Text)) {
		f.reject("the text is for a shell that is not analysed")
	}
}

// arithmetic notes text that the shell evaluates.
func (f *facts) arithmetic(w word) {
	if w.Dynamic || w.Glob {
		f.reject("the shell evaluates a text that only run time knows")
		return
	}
	text := "((" + w.Text + "\n))"
	file, err := parse(text)
	if err != nil || len(file.Stmts) != 1 {
		f.reject("the shell evaluates a text that is not understood")
		return
	}
	if cmd, ok := file.Stmts[0].Cmd.(*syntax.ArithmCmd); ok {
		t := &source{analysis: f.t.analysis, src: text, at: &span{f.Start, f.End, f.Line, f.Column}}
		t.arithmetic(cmd.X, f.sc)
	}
}

// assign notes an assignment for the inner command.
func (f *facts) assign(w word) {
	key, value, _ := strings.Cut(w.Text, "=")
	v := word{Word: Word{Text: value, Dynamic: w.Dynamic}}
	f.t.assigned(key, !w.Dynamic && number(value))
	f.Assigns = append(f.Assigns, f.t.assignment(key, v, w.Text))
	f.below().assigns = f.Assigns
	f.t.runAssign(f.Assigns[len(f.Assigns)-1], f.sc, &span{f.Start, f.End, f.Line, f.Column})
}

// sends notes what the command sends to another machine: what only run time knows
// may be anything.
func (f *facts) sends(w word) {
	if w.Dynamic && !w.bounded {
		f.hazard("glob", w.Text, "only run time knows what it sends")
	}
}

// redirect notes a file that the command writes as > does, so that no grant for
// the command speaks of it.
func (f *facts) redirect(w word, name string) {
	f.file(Write, w, "", nil)
	if w.split {
		f.hazard("glob", w.Text, "may be several files")
	}
	if w.Text != "-" && (w.Dynamic || !special(w.Text)) {
		f.hazard("redirect", strings.TrimPrefix(name+"="+w.Text, "="), "writes a file, as > does")
	}
}

// remote notes a file that is on another machine if it is written HOST:PATH.
func (f *facts) remote(use string, w word) {
	host, _, away := strings.Cut(w.Text, ":")
	switch {
	case away && !strings.Contains(host, "/"):
		f.effects(Network)
		if !slices.Contains(f.scan.row.Effects, Network) {
			f.hazard("option", w.Text, reasons[Network])
		}
	case use == "push":
		f.file(Write, w, "", nil)
	default:
		f.file(Read, w, "", nil)
	}
}

// file notes a file that the tables know the word to be.
func (f *facts) file(e Effect, w word, name string, effects []Effect) {
	if f.url(w) {
		return
	}
	f.effects(e)
	if w.Text == "-" || w.Text == "" && !w.Dynamic || w.process {
		return
	}
	sends := e != Read || slices.Contains(effects, Network) && !slices.Contains(effects, Run)
	if name != "" && sends && !slices.Contains(effects, e) && !special(w.Text) {
		f.hazard("option", name, reasons[e])
	}
	if !w.Dynamic && special(w.Text) {
		return
	}
	f.operation(Operation{Path: w.Text, Effect: e, Dynamic: w.Dynamic, Glob: w.Glob, Listed: true})
}

func (f *facts) operation(o Operation) {
	o.Away = f.sc.away
	o.Dynamic = o.Dynamic || o.Away
	const few = 16 // operations among which a look at all is fast
	if len(f.Operations) < few {
		if !slices.Contains(f.Operations, o) {
			f.Operations = append(f.Operations, o)
		}
		return
	}
	if f.noted == nil {
		f.noted = map[Operation]bool{}
		for _, known := range f.Operations {
			f.noted[known] = true
		}
	}
	if !f.noted[o] {
		f.noted[o] = true
		f.Operations = append(f.Operations, o)
	}
}

// likely notes a word that looks like a path.
func (f *facts) likely(w word) {
	if f.url(w) {
		return
	}
	if looksLikePath(w.Text) && !special(w.Text) {
		f.operation(Operation{Path: w.Text, Effect: Read, Dynamic: w.Dynamic, Glob: w.Glob})
	}
}

func looksLikePath(s string) bool {
	if strings.Contains(s, "://") || strings.ContainsAny(s, "\n") {
		return false
	}
	return s == ".." || s == "~" || strings.Contains(s, "/") || strings.HasPrefix(s, "~")
}
