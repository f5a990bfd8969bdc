package bash

import (
	"path"
	"slices"
	"strings"
)

// facts is a command that is being analysed.
type facts struct {
	Command
	t     *source
	sc    *scope // of the shell that runs the command
	words []word
	scan  *scan
	in    *scope // of what the command runs
	inner []inner

	marker string // what stands for input in the inner command
	uses   string // of the operands
	ran    bool   // code or text was found, so that standard input is none
}

// analyse fills the command by the rows of the tables.
func (f *facts) analyse() {
	f.base(systems)
	f.scan = f.t.tables.read(f.Name, f.words)
	s := f.scan
	f.in = f.sc.inner()
	f.in.wrappers = append(slices.Clip(f.sc.wrappers), f.Name)
	f.in.away = f.sc.away || s.row.Away
	f.in.dir.dynamic = f.in.dir.dynamic || s.row.Away
	f.in.assigns = f.Assigns
	f.canonical()
	mode := s.row.mode(s.given[s.base:])
	if bare := s.row.when(""); mode == nil && bare != nil && len(s.operands) == 0 && s.tail == "" {
		mode = bare
	}
	effects := s.row.Effects
	f.uses = s.row.Operands
	if mode != nil {
		effects, f.uses = mode.Effects, mode.Operands
	}
	guess := s.uncertain != "" && s.row.risky(effects)
	f.Known = f.System && s.known && s.unknown == "" && !guess
	f.effects(effects...)
	for _, g := range s.given {
		f.option(g, effects)
	}
	switch f.uses {
	case "home":
		f.sc.dir = dir{path: "~"}
	case "back":
		f.sc.dir = dir{dynamic: true}
	default:
		f.operands(f.uses)
	}
	f.ending()
	f.stdin()
	f.wrap()
	f.guess()
	f.environment()
	for _, a := range f.Assigns {
		if v, ok := f.t.tables.variable(a.Name, a.Value); ok && v.Use == "write" && strings.HasPrefix(a.Value, "/") {
			f.operation(Operation{Path: a.Value, Effect: Write, Dynamic: a.Dynamic, Listed: true})
		}
	}
	if guess {
		f.hazard("glob", s.uncertain, "may turn out to be an option")
	}
	if s.dynamicSub != "" {
		f.hazard("glob", s.dynamicSub, "only run time knows the subcommand")
	}
}

// canonical sets what rules match the command by.
func (f *facts) canonical() {
	s := f.scan
	slices.Sort(s.options)
	f.Options = slices.Compact(s.options)
	f.Transparent = f.System && !s.opaque
	if s.skipped {
		f.Canonical = f.Name + " " + text(s.kept)
	} else if f.Name != f.Program {
		f.Canonical = f.Name + f.Text[len(f.Program):]
	}
	names := make([]string, 0, 8)
	names = append(names, f.Name)
	for _, list := range [][]word{s.sub, s.operands, s.rest} {
		for _, w := range list {
			names = append(names, w.Text)
		}
	}
	f.Operands = names[1:]
	f.Prefix = f.t.tables.Prefix(names)
}

// option notes what a given option does, to a command that has the given
// effects anyway.
func (f *facts) option(g given, effects []Effect) {
	if g.effect != "" {
		f.effects(g.effect)
		if g.effect == Run || !slices.Contains(effects, g.effect) {
			f.hazard("option", g.name, reasons[g.effect])
		}
	}
	n := 0
	for use := range strings.SplitSeq(g.uses, "+") {
		switch {
		case use == "exec" || use == "argvto":
			f.argv(g.values)
			return
		case n < len(g.values):
			f.use(use, g.values[n], g.name, effects)
		case use == "marker":
			f.marker = "{}"
		}
		n++
	}
}

// reasons say what an option does that has an effect.
var reasons = map[Effect]string{
	Read: "reads files", Write: "writes files", Delete: "deletes files", Run: "runs a program", Network: "talks to another machine",
}

// operands notes what the operands are used for.
func (f *facts) operands(uses string) {
	s := f.scan
	if ends(s.tail) || len(s.operands) == 0 {
		uses = strings.ReplaceAll(uses, "...", "")
	}
	fields := strings.Fields(uses)
	var also string
	var noFirst, noLast bool
	for _, g := range s.given[s.base:] {
		noFirst, noLast = noFirst || g.first, noLast || g.last
		if g.operands != "" {
			also = g.operands
			e := Effect(also)
			if also == "base" {
				e = Write
			}
			if (e == Write || e == Delete) && !slices.Contains(s.row.Effects, e) {
				f.hazard("option", g.name, reasons[e])
				f.effects(e)
			}
		}
	}
	if noFirst && len(fields) > 0 {
		fields = fields[1:]
	}
	if noLast && len(fields) > 0 {
		fields = fields[:len(fields)-1]
	}
	for i, w := range s.operands {
		use, file := useOf(fields, i, len(s.operands))
		if use == "pathspec" {
			use = "arg"
			if i >= s.dashes {
				use = "write"
			}
		}
		f.use(use, w, "", s.row.Effects)
		if also != "" && file {
			f.use(also, w, "", s.row.Effects)
		}
	}
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
	return use, use != "arg" && use != "sed" && use != "awk"
}

// use notes one use of one word. name is the option's that the word belongs
// to, or empty for an operand.
func (f *facts) use(use string, w word, name string, effects []Effect) {
	switch use {
	case "read", "write", "delete":
		f.file(Effect(use), w, name, effects)
	case "pull", "push":
		f.remote(use, w)
	case "list":
		f.operation(Operation{Path: w.Text, Effect: Read, Dynamic: w.Dynamic, Glob: w.Glob})
	case "into":
		f.effects(Write)
		f.operation(Operation{Path: w.Text, Effect: Write, Dynamic: w.Dynamic, Glob: w.Glob, Listed: true})
	case "path":
		f.likely(w)
	case "at":
		if strings.HasPrefix(w.head, "@") && w.Text != "@-" {
			file := w
			file.Text = strings.TrimPrefix(w.Text, "@")
			f.file(Read, file, name, effects)
		}
	case "formfile":
		_, at, _ := strings.Cut(w.head, "=")
		f.use("at", w.part(at), name, effects)
	case "base":
		p := w
		p.Text = path.Base(w.Text)
		f.file(Write, p, name, effects)
	case "pipe":
		if command, ok := strings.CutPrefix(w.Text, "|"); ok {
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
	case "name", "expr", "evaluated":
		f.variable(use, w)
	default:
		f.meaning(use, w, name)
	}
}

// meaning notes a use that has nothing to do with files or the shell's state.
func (f *facts) meaning(use string, w word, name string) {
	switch use {
	case "run", "code", "codefile", "sed", "awk", "config", "transport":
		f.code(use, w, name)
	case "line", "text":
		f.shell([]word{w})
	case "foreign":
		f.reject("the text is for a shell that is no sh")
	case "marker":
		f.marker = w.Text
	case "host":
		if w.Dynamic {
			f.hazard("glob", w.Text, "only run time knows where it connects")
		}
	case "url":
		f.effects(Network)
		f.hazard("option", name, reasons[Network])
	case "setting":
		f.effects(Write)
		f.hazard("option", w.Text, "changes git's settings")
	case "cargoconfig":
		f.hazard("option", name, "changes cargo's settings")
	case "sshoption":
		f.sshOption(w, name)
	case "checkpoint":
		if command, ok := strings.CutPrefix(w.Text, "exec="); ok || w.Dynamic {
			w.Text = command
			f.code("run", w, name)
		}
	case "applescript":
		f.ran = true
		f.hazard("code", name, "runs inline code")
	}
}

// assign notes an assignment for the inner command.
func (f *facts) assign(w word) {
	key, value, _ := strings.Cut(w.Text, "=")
	v := word{Word: Word{Text: value, Dynamic: w.Dynamic}}
	f.t.assigned(key, !w.Dynamic && number(value))
	f.Assigns = append(f.Assigns, f.t.assignment(key, v, w.Text))
	f.in.assigns = f.Assigns
	if w.Dynamic {
		return
	}
	if v, ok := f.t.tables.variable(key, value); ok && v.Use == "run" {
		f.run(strings.TrimPrefix(value, "|"), f.sc.inner())
	}
}

// remote notes a file that is on another machine if it is written HOST:PATH.
func (f *facts) remote(use string, w word) {
	host, _, away := strings.Cut(w.Text, ":")
	switch {
	case away && !strings.Contains(host, "/"):
		f.effects(Network)
	case use == "push":
		f.file(Write, w, "", nil)
	default:
		f.file(Read, w, "", nil)
	}
}

// file notes a file that the tables know the word to be.
func (f *facts) file(e Effect, w word, name string, effects []Effect) {
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
	o.Dynamic = o.Dynamic || f.sc.away
	if !slices.Contains(f.Operations, o) {
		f.Operations = append(f.Operations, o)
	}
}

// likely notes a word that looks like a path.
func (f *facts) likely(w word) {
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

// guess notes the paths among words of which the tables know nothing.
func (f *facts) guess() {
	if strings.Contains(f.Program, "/") && !f.System {
		f.operation(Operation{Path: f.Program, Effect: Read})
	}
	s := f.scan
	if s.known || s.row.Wrapper {
		return
	}
	for _, w := range s.operands {
		f.likely(w)
	}
}

// dir sets the directory that an option makes the command work in.
func (f *facts) dir(w word) {
	if w.Dynamic {
		f.Dir, f.DirDynamic, f.Transparent = "", true, false
		f.in.dir = dir{dynamic: true}
		return
	}
	f.in.dir = dir{f.Dir, f.DirDynamic}.to(w.Text)
	f.Dir, f.DirDynamic = f.in.dir.path, f.in.dir.dynamic
}

// cd changes the shell's directory.
func (f *facts) cd(w word) {
	if w.Dynamic || w.Glob || w.Text == "-" || strings.HasPrefix(w.Text, "+") {
		f.sc.dir = dir{dynamic: true}
		return
	}
	f.sc.dir = f.sc.dir.to(w.Text)
}

// risky reports whether an option of the row has an effect that the command
// does not have anyway.
func (r *Row) risky(effects []Effect) bool {
	for entry := range strings.SplitSeq(r.Options, " ") {
		o := parseOption(entry)
		if o.effect != "" && !slices.Contains(effects, o.effect) {
			return true
		}
		for _, use := range [...]string{o.uses, o.operands} {
			for u := range strings.SplitSeq(use, "+") {
				switch u {
				case "run", "code", "codefile", "config", "exec", "argvto", "argv", "text", "line", "pipe", "sed", "awk":
					return true
				case "write", "delete":
					if !slices.Contains(effects, Effect(u)) {
						return true
					}
				}
			}
		}
	}
	return false
}
