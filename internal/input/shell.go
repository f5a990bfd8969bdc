package input

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/bash"
)

// maxPieces is how many pieces of text that cannot be analysed are looked at.
const maxPieces = 20000

// shell adds what a shell tool's text would do.
func (b *builder) shell() {
	texts := b.shellTexts()
	text := strings.Join(texts, "\n")
	if b.refused == nil {
		b.refused = impossibleShell(text)
	}
	if b.refused != nil || len(texts) == 0 {
		return
	}
	b.doc.Script.Text = strings.TrimPrefix(b.doc.Script.Text+"\n"+text, "\n")
	if b.doc.Tool.Shell != "" {
		b.foreign(text)
	}
	dirs := b.workdirs()
	for _, script := range b.scripts(texts) {
		b.script(script, dirs)
	}
	b.blind()
	if !b.judged("bash") {
		b.effectOnly(text)
	}
}

// script adds what a script would do in the first of the directories, and to which
// files it would in the others.
func (b *builder) script(script bash.Script, dirs []string) {
	home, first := b.env.User.Home, len(b.doc.Commands)
	s := &b.doc.Script
	s.Assigns, s.Functions = append(s.Assigns, script.Assigns...), append(s.Functions, script.Functions...)
	s.Redirects, s.Unparsed = append(s.Redirects, script.Redirects...), append(s.Unparsed, script.Unparsed...)
	for _, c := range script.Commands {
		b.doc.Commands = append(b.doc.Commands, Command{Command: c, Cwd: directory(dirs[0], home, c.Dir, c.DirDynamic)})
	}
	for i := first; i < len(b.doc.Commands); i++ {
		b.command(i)
	}
	b.unparsed(script.Unparsed)
	b.assigns(script, first)
	for n, dir := range dirs {
		for i := first; n > 0 && i < len(b.doc.Commands); i++ {
			c := &b.doc.Commands[i]
			cwd := c.Cwd
			c.Cwd = directory(dir, home, c.Dir, c.DirDynamic)
			b.effects(i)
			c.Cwd = cwd
		}
		for _, r := range script.Redirects {
			b.redirect(r, directory(dir, home, r.Dir, r.DirDynamic))
		}
	}
}

// directory returns the absolute directory that is in force, or "" if only run
// time knows it.
func directory(cwd, home, dir string, dynamic bool) string {
	switch {
	case dynamic:
		return ""
	case dir == "~" || strings.HasPrefix(dir, "~/"):
		return filepath.Join(home, strings.TrimPrefix(dir, "~"))
	case filepath.IsAbs(dir):
		return filepath.Clean(dir)
	default:
		return filepath.Join(cwd, dir)
	}
}

// command adds the targets of a command: the command itself, and what its
// operands say that it does to files.
func (b *builder) command(i int) {
	c := &b.doc.Commands[i]
	t := Target{Pattern: c.Prefix, Options: c.Options, Operands: slices.Concat([]string{c.Name}, c.Operands), Judges: AnyRule, Command: i}
	t.Forms = []string{boundText(c)}
	if c.System && c.Transparent && b.insideDir(c) && t.Forms[0] == c.Text {
		t.Forms = unique(append(t.Forms, c.Canonical))
	}
	base := strings.TrimPrefix(c.Text, c.Program)
	t.Strict = unique([]string{c.Source, c.Canonical, c.Name + base, c.Prefix, c.Name})
	if t.Pattern == "" {
		t.Pattern = c.Text
	}
	always := offered(c)
	switch {
	case c.Unparsed != "":
		t.Judges = Restriction // the call has a target for what cannot be analysed
		always = nil
	case c.Through: // what it runs is listed, and judged instead of it
		t.Judges = NamedPattern
		always = nil
	}
	b.request("bash").add(t, always...)
	b.effects(i)
	for _, arg := range c.Args {
		if !arg.Dynamic && strings.Contains(arg.Text, "://") {
			b.doc.URLs = append(b.doc.URLs, ParseURL(arg.Text))
		}
	}
}

// effects adds the targets of the files that a command names, and of the folder
// that it works in.
func (b *builder) effects(i int) {
	b.whereabouts(i)
	b.operations(i)
	b.patches(i)
	b.exposed(i)
}

// boundText returns the text of a command with quotes around the words that say
// what is run, if they hold blanks: a rule for "run.sh x" is none for a program
// with that name. A path of a program is without "..", so that a rule for a folder
// is none for what is elsewhere.
func boundText(c *Command) string {
	words := []string{c.Program}
	if strings.Contains(c.Program, "/../") {
		if words[0] = filepath.Clean(c.Program); !strings.Contains(words[0], "/") {
			words[0] = "./" + words[0]
		}
	}
	if relative := strings.Contains(c.Program, "/") && !strings.HasPrefix(c.Program, "/") && !strings.HasPrefix(c.Program, "~"); relative && c.DirDynamic {
		words[0] = "(somewhere)/" + words[0]
	} else if relative && c.Dir != "" {
		if words[0] = filepath.Join(c.Dir, c.Program); !strings.HasPrefix(words[0], "/") && !strings.HasPrefix(words[0], "~") {
			words[0] = "./" + words[0]
		}
	}
	naming := c.Operands[:min(c.Naming, len(c.Operands))]
	bound := words[0] != c.Program
	for i, w := range c.Args {
		word := w.Text
		if !w.Dynamic && strings.ContainsAny(word, " \t\n") && (slices.Contains(naming, word) || i < 2 && c.Canonical != c.Text) {
			word, bound = quoted([]string{word}), true
		}
		words = append(words, word)
	}
	if strings.ContainsAny(c.Program, " \t\n") {
		words[0], bound = quoted(words[:1]), true
	}
	if bound {
		return strings.Join(words, " ")
	}
	return c.Text
}

// insideDir reports whether the command runs in the workspace: what leaves out
// a change of directory may be granted only there.
func (b *builder) insideDir(c *Command) bool {
	if c.Canonical == c.Text || c.Dir == "" {
		return true
	}
	return c.Cwd != "" && b.env.Workspace.Resolve(b.cwd, c.Cwd).Inside
}

// offered returns what an "always" for the command would save: nothing for one
// that runs whatever it is given.
func offered(c *Command) []string {
	if c.Unparsed != "" || c.Wrapper || c.Interprets || c.Prefix == "" || len(c.Hazards) > 0 {
		return nil
	}
	prefix := c.Prefix
	if named := c.Operands[:min(c.Naming, len(c.Operands))]; len(named) >= len(strings.Fields(prefix)) {
		prefix = strings.Join(append([]string{c.Name}, named...), " ") // with what it runs: "npx tsc"
	}
	if !c.System {
		prefix = c.Program + strings.TrimPrefix(prefix, c.Name) // no other program of that name
	}
	return []string{prefix, prefix + " *"}
}

// unparsed adds a target for each part that could not be analysed, which only a
// rule for everything allows, and for its words, which rules may deny.
func (b *builder) unparsed(parts []bash.Unparsed) {
	for _, u := range parts {
		b.opaque("bash", "(unparsed) "+u.Text, -1, AnyRule)
		b.restrict(bash.Pieces(u.Text))
	}
}

// restrict adds targets for pieces of text of which nobody knows what they
// mean, for rules that deny or ask.
func (b *builder) restrict(pieces [][]string) {
	r := b.request("bash")
	for _, words := range pieces {
		if b.pieces++; b.pieces > maxPieces {
			b.refused = fmt.Errorf("the shell text cannot be analysed, and has more than %d parts", maxPieces)
			return
		}
		text := strings.Join(words, " ")
		program := bash.Base(words[0])
		r.Targets = append(r.Targets, Target{
			Pattern: text, Forms: []string{text}, Strict: unique([]string{program, strings.Join(slices.Concat([]string{program}, words[1:]), " ")}),
			Judges: Restriction, Command: -1,
		})
	}
}

// assigns adds a script's assignments as targets, for rules that name them. First is
// the document's first command that is the script's.
func (b *builder) assigns(script bash.Script, first int) {
	for _, a := range script.Assigns {
		b.request("bash").add(Target{Pattern: a.Source, Forms: unique([]string{a.Source, a.Name + "=" + a.Value}), Judges: NamedPattern, Command: -1})
	}
	for i := first; i < len(b.doc.Commands); i++ {
		for _, a := range b.doc.Commands[i].Assigns {
			b.request("bash").add(Target{Pattern: a.Source, Forms: unique([]string{a.Source, a.Name + "=" + a.Value}), Judges: NamedPattern, Command: i})
		}
	}
}

// judged reports whether a request has a target that all rules judge: without
// one, it would be allowed where no rule speaks of it.
func (b *builder) judged(permission string) bool {
	for _, r := range b.doc.Requests {
		if r.Permission == permission && slices.ContainsFunc(r.Targets, func(t Target) bool { return t.Judges == AnyRule }) {
			return true
		}
	}
	return false
}

// effectOnly adds the target of a text that runs no command of its own, but may
// still do something, such as "> file" or "X=1".
func (b *builder) effectOnly(text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		text = "*"
	}
	b.request("bash").add(Target{Pattern: text, Forms: []string{text}, Judges: AnyRule, Command: -1})
}
