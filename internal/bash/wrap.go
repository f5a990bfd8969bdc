package bash

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// reject notes why the command cannot be analysed; the first reason stays.
func (f *facts) reject(reason string) {
	if f.Unparsed == "" {
		f.Unparsed = reason
	}
	f.Known = false
	f.effects(Run)
}

// ending notes what the words behind the options are.
func (f *facts) ending() {
	s := f.scan
	if name, ok := strings.CutPrefix(s.tail, "as:"); ok {
		f.argv(slices.Concat([]word{static(name)}, s.rest))
	}
	switch s.tail {
	case "":
		if f.entry != nil {
			f.argv(nil)
		}
		if name, ok := strings.CutPrefix(f.uses, "argv:"); ok {
			f.argv([]word{static(name)})
		}
		if f.uses == "inputs" {
			f.reject("only run time knows the inputs")
		}
	case "argv":
		f.argv(s.rest)
	case "argvto":
		f.argv(s.rest[:until(s.rest, ";")])
	case "inputs":
		f.inputs(s.rest)
	case "text":
		f.shell(s.rest)
	case "line":
		f.shell(s.rest[:1])
	case "handler":
		f.handler(s.rest)
	case "each":
		for _, w := range s.rest {
			f.shell([]word{w})
		}
	case "foreign":
		f.reject(notAnalysed)
	case "source":
		f.source(s.rest[0])
	case "script":
		f.script(s.rest[0])
	case "tool":
		f.tool(s.rest)
	case "alias":
		f.alias()
	}
}

// notAnalysed is the reason for text in a language of its own.
const notAnalysed = "the text is for a program that is not analysed"

// handler notes the text that a signal runs, and not one that puts back what
// signals do.
func (f *facts) handler(words []word) {
	first := words[0]
	if len(words) > 1 && first.Text != "-" && first.Text != "" && !number(first.Text) || first.Dynamic {
		f.shell(words[:1])
	}
}

// anything notes that the command runs text that only run time knows.
func (f *facts) anything() {
	f.reject("only run time knows the text")
	f.inner = append(f.inner, inner{words: []word{{Word: Word{Text: "?", Dynamic: true}}}, sc: f.below()})
}

// until returns the index of the first word that is end, or how many there
// are.
func until(words []word, end string) int {
	i := slices.IndexFunc(words, func(w word) bool { return w.Text == end && !w.Dynamic })
	if i < 0 {
		return len(words)
	}
	return i
}

// argv notes a program and its arguments that the command runs.
func (f *facts) argv(words []word) {
	if f.entry != nil {
		words = append([]word{*f.entry}, words...)
		f.entry = nil
	}
	if len(words) == 0 {
		return
	}
	f.ran = true
	words = slices.Clone(words)
	marker := f.marker
	if marker == "" && f.scan.row.Dash || f.scan.row.Appends && marker == "" {
		marker = "{}"
	}
	replaced := f.marker != ""
	for i, w := range words {
		if marker != "" && strings.Contains(w.Text, marker) && (f.marker != "" || !f.scan.row.Appends || f.scan.name != "xargs") {
			words[i].Dynamic, words[i].split = true, f.start() == ""
			filled := strings.ReplaceAll(w.Text, marker, "$0")
			words[i].filled = &filled
			words[i].head, _, _ = strings.Cut(w.head, marker)
			words[i].head = cmp.Or(words[i].head, f.start())
			replaced = true
		}
	}
	if f.scan.row.Appends && !replaced {
		words = append(words, word{Word: Word{Text: "{}", Dynamic: true}, split: true})
	}
	f.inner = append(f.inner, inner{words: words, sc: f.below()})
}

// start returns what the paths begin with that the command looks for, if it is one
// that does and that is known.
func (f *facts) start() string {
	if !f.scan.row.Walks {
		return ""
	}
	for _, w := range f.scan.operands {
		if w.head == "" || w.head[0] == '-' || w.Glob && strings.IndexByte("*?[", w.Text[0]) >= 0 {
			return ""
		}
	}
	if len(f.scan.operands) == 0 {
		return "."
	}
	return f.scan.operands[0].head[:1]
}

// inputs notes what parallel runs: a text for each input.
func (f *facts) inputs(words []word) {
	end := slices.IndexFunc(words, func(w word) bool { return strings.HasPrefix(w.Text, ":::") })
	if end < 0 {
		f.shell(append(slices.Clone(words), static("{}")))
		f.reject("only run time knows the inputs")
		return
	}
	command, data := words[:end], words[end+1:]
	for _, w := range words {
		if w.Dynamic || w.Glob {
			f.reject("only run time knows the inputs")
			return
		}
	}
	if words[end].Text != ":::" || slices.ContainsFunc(data, func(w word) bool { return strings.HasPrefix(w.Text, ":::") }) {
		f.reject("the inputs are in files or in several lists")
		return
	}
	const most = 100 // inputs that are listed
	if len(data) > most {
		f.reject("there are too many inputs")
		return
	}
	for _, w := range data {
		line := text(command)
		switch {
		case len(command) == 0:
			line = w.Text
		case strings.Contains(line, "{}"):
			line = strings.ReplaceAll(line, "{}", w.Text)
		default:
			line += " " + w.Text
		}
		f.run(line, f.below().inner())
	}
}

// shell notes words that a shell gets as text.
func (f *facts) shell(words []word) {
	f.ran = true
	for _, w := range words {
		if w.Dynamic || w.Glob && len(words) > 1 {
			f.reject("only run time knows the text")
			if w.filled != nil && *w.filled != "$0" {
				f.run(*w.filled, f.below())
			}
			return
		}
	}
	f.run(text(words), f.below())
}

// run notes a text that is for a shell: the one that runs the command, bash, or
// the one called sh.
func (f *facts) run(text string, sc *scope) {
	if !f.scan.row.Same && f.scan.tail != "handler" {
		sc.sh = !f.scan.row.Bash
	}
	f.inner = append(f.inner, inner{text: text, sc: sc})
}

// source notes a file that the shell runs in itself.
func (f *facts) source(w word) {
	if !w.Dynamic && (w.Text == "/dev/stdin" || w.Text == "/dev/fd/0") {
		f.feed()
		return
	}
	f.file(Read, w, "", nil)
	if w.Dynamic || w.Glob || descriptor.MatchString(w.Text) {
		f.reject("runs a file that only run time knows")
		f.produced(w)
		return
	}
	f.ran, f.t.sourced = true, true
	f.effects(Run)
	f.hazard("code", w.Text, "runs in the shell itself")
}

// produced lists what a shell runs that reads a process substitution, as far as its
// command prints no more than its words.
func (f *facts) produced(w word) {
	if !w.process || w.end > len(f.t.src) || w.start >= w.end {
		return
	}
	const before = ": "
	src := before + f.t.src[w.start:w.end]
	file, err := parse(src)
	if err != nil || len(file.Stmts) != 1 {
		return
	}
	call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 2 {
		return
	}
	if p, ok := call.Args[1].Parts[0].(*syntax.ProcSubst); ok && len(p.Stmts) == 1 {
		in := (&source{analysis: f.t.analysis, src: src}).output(p.Stmts[0])
		if in.static {
			f.run(in.text, f.below())
		}
	}
}

// descriptor is a file that is an open one.
var descriptor = regexp.MustCompile(`^/(dev|proc/self)/fd/`)

// script notes a file that the program runs.
func (f *facts) script(w word) {
	switch {
	case w.Text == "-" || w.Text == "/dev/stdin" || w.Text == "/dev/fd/0":
		return
	case f.scan.row.Stdin == "text" && descriptor.MatchString(w.Text):
		f.reject("a shell reads text that only run time knows")
	case f.scan.row.Stdin == "text" && (w.Dynamic || w.Glob):
		f.reject("only run time knows the text")
		f.produced(w)
	case f.scan.row.Stdin == "" && !strings.ContainsAny(w.Text, "/."):
		// the name of a package or a class
	default:
		f.operation(Operation{Path: w.Text, Effect: Read, Dynamic: w.Dynamic, Glob: w.Glob, Listed: true})
	}
	f.ran = true
	f.Known = false
	f.effects(Run)
	f.rest()
}

// rest notes what the words behind a script may be: files, for all that is
// known.
func (f *facts) rest() {
	also := f.also()
	for _, w := range f.scan.rest[1:] {
		f.likely(w)
		for _, use := range also {
			f.use(use, w, "", f.scan.row.Effects)
		}
	}
}

// tool notes a program that a package is asked for, and lists it if it is one
// that the system has too and that must not be hidden so.
func (f *facts) tool(words []word) {
	name := path.Base(words[0].Text)
	row, ok := f.t.tables.row(name)
	if ok && !words[0].Dynamic && (row.Wrapper || slices.Contains(row.Effects, Delete)) {
		f.argv(words)
	}
	f.script(words[0])
}

// module notes what a part of the program does that an option chooses, such as
// the pytest of "python -m pytest x": that has a row under all three words, and what
// stands behind are its words.
func (f *facts) module(w word) {
	name := f.scan.name + " -m " + w.Text
	if _, ok := f.t.tables.row(name); !ok || w.Dynamic {
		return
	}
	m := newFacts()
	defer m.release()
	m.Command = &Command{Program: name, System: true}
	m.t, m.sc, m.words = f.t, f.sc, slices.Concat([]word{static(name)}, f.scan.operands, f.scan.rest)
	m.analyse()
	f.Options = slices.Concat(f.Options, m.Options)
	f.Known = f.Known && m.Known
	f.effects(m.Effects...)
	for _, o := range m.Operations {
		f.operation(o)
	}
	for _, h := range m.Hazards {
		f.hazard(h.Kind, h.Word, h.Reason)
	}
	if m.Unparsed != "" {
		f.reject(m.Unparsed)
	}
	f.inner, f.values = append(f.inner, m.inner...), append(f.values, m.values...)
}

// stdin notes what the program runs of what it is fed.
func (f *facts) stdin() {
	s := f.scan
	if s.row.Stdin == "" || f.ran || f.uses == "none" || f.uses == "write..." {
		return
	}
	for _, g := range s.given {
		if g.name != "--" && strings.Contains(general, g.names) {
			return
		}
	}
	in := f.sc.stdin
	if in.download {
		f.hazard("download", f.Program, "runs what it gets from another machine")
	}
	f.effects(Run)
	switch {
	case s.row.Stdin == "text":
		f.feed()
	case s.row.Stdin == "cron" && in.static:
		f.hazard("code", f.Program, "runs code from standard input")
		for line := range strings.Lines(in.text) {
			if m := scheduled.FindStringSubmatch(line); m != nil {
				f.run(m[1], f.below().inner())
			}
		}
	case s.row.Stdin == "foreign" || s.row.Stdin == "cron":
		f.reject(notAnalysed)
		if in.static {
			f.run(in.text, f.below()) // as far as it reads alike
		}
	case s.row.Stdin == "sent":
		if in.kind != "" && !in.static {
			f.hazard("code", f.Program, "sends what it is fed")
		}
	case in.static && s.row.Stdin == "lines":
		for line := range strings.Lines(in.text) {
			f.bang(static(strings.TrimSpace(line)), "")
		}
		f.hazard("code", f.Program, "runs code from standard input")
	case in.static && !s.row.Wrapper && slices.Equal(s.row.Effects, []Effect{Run}): // the code is there to be seen, as the program's name says
	case in.kind != "" || slices.ContainsFunc(s.rest, func(w word) bool { return w.Text == "-" }):
		f.hazard("code", f.Program, "runs code from standard input")
	}
}

// scheduled is a line of a table of cron's.
var scheduled = regexp.MustCompile(`^\s*(?:@\w+|(?:[\d*/,\-A-Za-z]+\s+){4}[\d*/,\-A-Za-z]+)\s+(.+)`)

// feed runs standard input as a shell's text.
func (f *facts) feed() {
	in := f.sc.stdin
	if !in.static {
		f.reject("a shell reads text that only run time knows")
		if fed := cmp.Or(clip(in.text), in.feeder); fed != "" {
			f.t.unparsed(fed, "feeds a shell")
		}
		return
	}
	f.below().stdin = input{}
	f.run(in.text, f.below())
}

// alias notes words that give names another meaning.
func (f *facts) alias() {
	for _, w := range f.scan.rest {
		name, value, ok := strings.Cut(w.Text, "=")
		if w.Dynamic || ok {
			f.hazard("code", w.Text, "gives a name another meaning")
		}
		if ok && !w.Dynamic {
			if f.t.aliases == nil {
				f.t.aliases = map[string]alias{}
			}
			f.t.aliases[name] = newAlias(value)
		}
	}
}

// wrap judges what the command runs.
func (f *facts) wrap() {
	s := f.scan
	if s.formats {
		f.reject("a format runs commands")
	}
	if s.chained {
		f.chained()
	}
	f.Wrapper = len(f.inner)+len(f.values) > 0
	f.Through = f.Wrapper && s.row.Through && f.System
	if !s.row.Wrapper {
		return
	}
	switch {
	case s.unknown != "":
		f.inner = nil // nobody knows where it begins
		f.reject("unknown option " + s.unknown + " of " + s.name)
	case s.volatile && (f.Wrapper || s.tail != ""):
		f.reject(uncertainWord + " none or many")
	case s.uncertain != "" && f.Wrapper:
		f.reject(uncertainWord + " an option")
	}
}

// chained notes the subcommands behind each ";".
func (f *facts) chained() {
	f.reject("there are several commands of " + f.Name)
	words := []word{f.words[0]}
	for _, w := range f.words[1:] {
		text, ends := strings.CutSuffix(w.Text, ";")
		if !ends {
			words = append(words, w)
			continue
		}
		if text != "" {
			words = append(words, static(text))
		}
		f.part(words)
		words = []word{f.words[0]}
	}
	f.part(words)
}

func (f *facts) part(words []word) {
	if len(words) > 1 {
		f.inner = append(f.inner, inner{words: words, sc: f.below()})
	}
}
