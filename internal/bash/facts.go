package bash

import (
	"slices"
	"strings"
)

// facts is a command that is being analysed. The Command is the last of the
// script's until others are listed.
type facts struct {
	*Command
	t     *source
	sc    *scope // of the shell that runs the command
	words []word
	scan  *scan
	in    *scope // of what the command runs; see below
	inner []inner

	values   []value // of options, that the command runs
	entry    *word   // the program that an option puts before the words to run
	declared bool    // as of the call
	dash     bool    // the program is git-x

	within *word  // the directory that the operands stand in
	marker string // what stands for input in the inner command
	uses   string // of the operands
	noted  map[Operation]bool
	sed    []word // the parts of its script
	ran    bool   // code or text was found, so that standard input is none
}

// analyse fills the command by the rows of the tables.
func (f *facts) analyse() {
	f.base(systems)
	f.dashed()
	s := f.scan
	s.read(f.t.tables, f.Name, f.words)
	f.canonical()
	effects := f.mode()
	guess := s.uncertain != "" && (risky(s.list, effects) || risky(s.above, effects) || (s.files || s.row.Ordered) && s.list.names())
	f.Known = f.System && s.known && s.unknown == "" && !guess
	if len(f.Effects) == 0 && len(effects) > 0 {
		f.Effects = slices.Clip(effects) // as the row has them
	} else {
		f.effects(effects...)
	}
	for _, g := range s.given {
		f.option(g, effects)
	}
	if len(f.Assigns) > 0 {
		f.moreOptions(effects)
	}
	switch f.uses {
	case "home":
		f.sc.dir = dir{path: "~"}
	case "back":
		f.sc.dir = dir{dynamic: true}
	case "condition...":
		f.condition()
	default:
		f.operands(f.uses)
	}
	f.ending()
	f.sedScript()
	f.stdin()
	f.wrap()
	f.guess()
	f.urls()
	f.surroundings()
	if f.Name == "git" {
		f.gitSettings()
	}
	if strings.HasPrefix(s.row.Operands, "makevar") && slices.ContainsFunc(f.Assigns, func(a Assign) bool { return strings.ContainsAny(a.Value, ";|&`\n") || strings.Contains(a.Value, "$(") }) {
		f.hazard("code", f.Name, "evaluates a variable")
	}
	for _, a := range f.Assigns {
		if v, ok := f.t.tables.variable(a.Name, a.Value); ok && v.Use == "write" && strings.HasPrefix(a.Value, "/") {
			f.operation(Operation{Path: a.Value, Effect: Write, Dynamic: a.Dynamic, Listed: true})
		}
	}
	if guess {
		f.hazard("glob", s.uncertain, "may turn out to be an option")
	}
	if s.lost != "" {
		f.hazard("option", s.lost, "is not known, so that the subcommand is not either")
	}
	if s.dynamicSub != "" {
		f.t.guesses = append(f.t.guesses, f.Source)
		f.hazard("glob", s.dynamicSub, "only run time knows the subcommand")
	}
}

// surroundings notes the assignments that make the command do more. Where it looks
// for code in the workspace matters only if it does not run that anyway.
func (f *facts) surroundings() {
	name, _, _ := strings.Cut(f.scan.name, " ")
	for _, a := range f.Assigns {
		if a.Hazard != "" && (!f.System || !f.t.tables.inside(a, name, f.scan.row.Through)) {
			f.hazard("environment", a.Source, a.Hazard)
		}
	}
}

// below returns the scope of what the command runs.
func (f *facts) below() *scope {
	if f.in == nil {
		f.in = f.sc.inner()
		f.in.wrappers = append(slices.Clip(f.sc.wrappers), f.Name)
		f.in.away = f.sc.away || f.scan.row.Away
		f.in.dir.dynamic = f.in.dir.dynamic || f.scan.row.Away
		f.in.assigns = f.Assigns
	}
	return f.in
}

// condition notes a test whose operator only run time knows: it may be one that
// evaluates its operand.
func (f *facts) condition() {
	var words []word
	for _, w := range f.words[1:] {
		if w.Text != "]" && w.Text != "!" {
			words = append(words, w)
		}
	}
	if len(words) == 2 && words[0].Dynamic || len(words) == 1 && words[0].split {
		f.reject("only run time knows what is tested")
	}
	f.operands("arg...")
}

// dashed makes "git-push x" what it is, "git push x".
func (f *facts) dashed() {
	sub, ok := strings.CutPrefix(f.Name, "git-")
	if !ok {
		return
	}
	if _, ok := f.t.tables.row("git " + sub); ok {
		f.Name = "git"
		f.words = slices.Concat([]word{static("git"), static(sub)}, f.words[1:])
		f.dash = true
	}
}

// mode sets the uses of the operands, and returns the effects, in the mode that
// the words switch on.
func (f *facts) mode() []Effect {
	s := f.scan
	options := s.given[s.base:]
	mode := s.mode(len(s.operands))
	if mode == nil && s.tail == "" {
		mode = s.bare(len(s.operands))
	}
	if mode == nil {
		f.uses = s.row.Operands
		return s.row.Effects
	}
	f.uses = mode.Operands
	for i, g := range options {
		if o, ok := optionsOf(mode.Options).find(g.name); ok {
			options[i].option = o
		}
	}
	return mode.Effects
}

// canonical sets what rules match the command by.
func (f *facts) canonical() {
	s := f.scan
	slices.Sort(s.options)
	s.options = slices.Compact(s.options)
	if f.Implies = s.implies; len(s.options) > 0 {
		f.Options = take(&f.t.texts, len(s.options), f.t.chunk())
		copy(f.Options, s.options)
	}
	f.Transparent = f.System && !s.opaque && !f.dash
	if s.skipped {
		f.Canonical = f.Name + " " + text(s.kept)
	} else if f.Name != f.Program {
		f.Canonical = strings.TrimSuffix(f.Name+" "+text(f.words[1:]), " ")
	}
	names := take(&f.t.texts, 1+len(s.sub)+len(s.operands)+len(s.rest), f.t.chunk())[:0]
	names = append(names, f.Name)
	for _, list := range [...][]word{s.sub, s.operands, s.rest} {
		for i := range list {
			names = append(names, list[i].Text)
		}
	}
	f.Operands = names[1:]
	f.Prefix = f.t.tables.Prefix(names)
	f.Interprets = s.row.Stdin == "text" || s.row.Stdin == "code" || s.row.Stdin == "lines"
	f.Naming = strings.Count(f.Prefix, " ")
	switch s.tail {
	case "script", "source", "tool", "argv":
		f.Naming = max(f.Naming, len(s.sub)+len(s.operands)+1)
	}
}

// option notes what a given option does, to a command that has the given
// effects anyway.
func (f *facts) option(g given, effects []Effect) {
	if g.file != "" {
		e := Read
		if slices.Contains(f.Effects, Write) {
			e = Write
		}
		f.operation(Operation{Path: g.file, Effect: e, Listed: true})
	}
	if g.effect == outsides {
		f.hazard("option", g.name, "may write outside of the workspace")
	} else if g.effect == links {
		f.Known = false
	} else if g.effect != "" {
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

// moreOptions notes what the options do that a variable gives to the command.
func (f *facts) moreOptions(effects []Effect) {
	name, ok := optionVariables[f.Name]
	if !ok {
		return
	}
	for _, a := range f.Assigns {
		words, split := splitText(static(a.Value))
		if a.Name != name || a.Dynamic || !split {
			continue // the variable is a hazard anyway
		}
		var s scan
		s.read(f.t.tables, f.Name, append([]word{static(f.Name)}, words...))
		for _, g := range s.given {
			f.option(g, effects)
		}
	}
}

// Marks of options that are no effects: of one that follows links on the way, and
// of one that may write anywhere.
const (
	links    Effect = "links"
	outsides Effect = "outside"
)

// reasons say what an option does that has an effect.
var reasons = map[Effect]string{
	Read: "reads files", Write: "writes files", Delete: "deletes files", Run: "runs a program", Network: "talks to another machine",
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
		f.below().dir = dir{dynamic: true}
		return
	}
	to := dir{f.Dir, f.DirDynamic}.to(w.Text)
	f.below().dir = to
	f.Dir, f.DirDynamic = to.path, to.dynamic
}

// cd changes the shell's directory.
func (f *facts) cd(w word) {
	if w.Dynamic || w.Glob || w.Text == "-" || strings.HasPrefix(w.Text, "+") || f.sc.sh && f.Name != "cd" {
		f.sc.dir = dir{dynamic: true}
		return
	}
	f.sc.dir = f.sc.dir.to(w.Text)
}

// names reports whether an option of the list takes the name of a variable.
func (l *optionList) names() bool {
	for i := range l.entries {
		o := &l.entries[i]
		if o.uses == "name" || o.uses == "expr" || o.operands == "evaluated" {
			return true
		}
	}
	return false
}

// risky reports whether an option of a list has an effect that the command
// does not have anyway.
func risky(list *optionList, effects []Effect) bool {
	for i := range list.entries {
		o := &list.entries[i]
		if o.effect != "" && o.effect != links && !slices.Contains(effects, o.effect) {
			return true
		}
		for _, use := range [...]string{o.uses, o.operands} {
			for u := range strings.SplitSeq(use, "+") {
				switch u {
				case "run", "filter", "code", "codefile", "plugin", "makecode", "config", "cargoconfig", "sshoption", "shellname", "exec", "argvto", "argv", "text", "line", "pipe", "sed", "awk", "excmd", "lesscmd", "curlout":
					return true
				case "redirect":
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
