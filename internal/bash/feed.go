package bash

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Limits of what is looked at for the words of what cannot be analysed.
const (
	maxValues = 8  // values of one variable
	maxNames  = 40 // programs that one wildcard may stand for
	maxArgs   = 7  // words behind each
)

// output returns what a statement feeds into a pipe: the text of a
// here-document that a cat copies, the words that echo or printf print, or what
// only run time knows.
func (t *source) output(s *syntax.Stmt) input {
	in := input{kind: "pipe", feeder: clip(t.src[s.Pos().Offset():s.End().Offset()])}
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(call.Args) == 0 || s.Negated || s.Background {
		return in
	}
	name := call.Args[0].Lit()
	if _, defined := t.functions[name]; defined || t.isAlias(name) {
		return in
	}
	switch {
	case name == "cat" && len(call.Args) == 1 && len(s.Redirs) == 1:
		from := t.input(s.Redirs[0], input{})
		in.text, in.static = from.text, from.static
	case (name == "echo" || name == "printf") && len(s.Redirs) == 0:
		if words, ok := t.plain(call.Args[1:]); ok {
			in.text, in.static = printed(name, words)
		}
	}
	if !in.static {
		in.text = ""
	}
	return in
}

// clip leaves out the middle of a long text, so that what many commands share
// costs little.
func clip(s string) string {
	const most = 4096
	if len(s) <= most {
		return s
	}
	return s[:most/2] + "\n" + s[len(s)-most/2:]
}

// plain returns the texts of words that stand for just themselves.
func (t *source) plain(args []*syntax.Word) ([]string, bool) {
	words := make([]string, 0, len(args))
	for _, arg := range args {
		if hasBraces(arg) || strings.Contains(t.src[arg.Pos().Offset():arg.End().Offset()], "{") && !quoted(arg.Parts) {
			return nil, false
		}
		w := t.one(arg)
		if w.Dynamic || w.Glob {
			return nil, false
		}
		words = append(words, w.Text)
	}
	return words, true
}

// printed returns what echo or printf print, if that needs no more than to put
// words together.
func printed(name string, words []string) (string, bool) {
	if name == "printf" {
		return formatted(words)
	}
	end := "\n"
	for len(words) > 0 && len(words[0]) > 1 && words[0][0] == '-' && strings.Trim(words[0][1:], "neE") == "" {
		if strings.Contains(words[0], "n") {
			end = ""
		}
		words = words[1:]
	}
	text := strings.Join(words, " ") + end
	return text, !strings.Contains(text, `\`)
}

// formatted returns what printf prints. It understands no more than %s, %% and
// \n.
func formatted(words []string) (string, bool) {
	if len(words) == 0 || strings.HasPrefix(words[0], "-") {
		return "", false
	}
	format, args := words[0], words[1:]
	var b strings.Builder
	for {
		used, ok := fill(&b, format, args)
		if !ok {
			return "", false
		}
		if args = args[used:]; len(args) == 0 || used == 0 {
			return b.String(), len(args) == 0
		}
	}
}

// fill writes a format once, and returns how many of the arguments are in it.
func fill(b *strings.Builder, format string, args []string) (used int, ok bool) {
	for i := 0; i < len(format); i++ {
		switch pair := format[i:min(i+2, len(format))]; {
		case pair == "%s":
			if used < len(args) {
				b.WriteString(args[used])
				used++
			}
			i++
		case pair == "%%":
			b.WriteByte('%')
			i++
		case pair == `\n`:
			b.WriteByte('\n')
			i++
		case format[i] == '%' || format[i] == '\\':
			return 0, false
		default:
			b.WriteByte(format[i])
		}
	}
	return used, true
}

// nameBytes are what a variable's name is made of.
const nameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// hints are texts whose words tell more of a command that cannot be analysed:
// what feeds it, what its variables hold, and what its name may stand for.
func (c *Command) hints(t *source, in input) []string {
	var list []string
	for _, src := range []string{clip(c.Source), in.feeder, clip(in.text)} {
		list = append(list, t.filled(src)...)
	}
	list = append(list, in.feeder, clip(in.text))
	if strings.ContainsAny(c.Program, "*?[") {
		list = append(list, c.standsFor()...)
	}
	return list
}

// filled returns a text with the values of its variables in their places, as far
// as the script says them: the first of each, the second and so on.
func (t *source) filled(src string) []string {
	if len(t.values) == 0 || !strings.Contains(src, "$") {
		return nil
	}
	var list []string
	for n := range maxValues {
		text, more := t.fillIn(src, n)
		if text != src {
			list = append(list, text)
		}
		if !more {
			return list
		}
	}
	return list
}

// fillIn puts value n of each variable in its place, or its last one, and
// reports whether there are more.
func (t *source) fillIn(src string, n int) (text string, more bool) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(src, "$")
		b.WriteString(before)
		if !ok {
			return b.String(), more
		}
		brace := strings.HasPrefix(rest, "{")
		name := rest
		if brace {
			name = rest[1:]
		}
		if strings.HasPrefix(name, "@") || strings.HasPrefix(name, "*") {
			name = "@"
		} else {
			name = name[:len(name)-len(strings.TrimLeft(name, nameBytes))]
		}
		values := t.values[name]
		if len(values) == 0 {
			b.WriteByte('$')
			src = rest
			continue
		}
		more = more || n+1 < len(values)
		b.WriteString(values[min(n, len(values)-1)])
		src = strings.TrimPrefix(rest, "{")[len(name):]
		if _, behind, ok := strings.Cut(src, "}"); ok && brace {
			src = behind
		}
	}
}

// remember keeps a value that a variable is given.
func (t *source) remember(name, value string) {
	if len(value) > maxText || len(t.values[name]) >= maxValues || slices.Contains(t.values[name], value) {
		return
	}
	if t.values == nil {
		t.values = map[string][]string{}
	}
	t.values[name] = append(t.values[name], value)
}

// guess keeps what a variable is likely given by an assignment whose value only
// run time knows: what echo prints, or a value with more at its end.
func (t *source) guess(a *syntax.Assign) {
	name := a.Name.Value
	if a.Value == nil {
		return
	}
	value := t.one(a.Value).Text
	if sub, ok := substitution(a.Value); ok && len(sub.Stmts) == 1 {
		if out := t.output(sub.Stmts[0]); out.static {
			value = strings.TrimSpace(out.text)
			t.remember(name, value)
		}
	}
	if a.Append {
		for _, before := range slices.Clone(t.values[name]) {
			t.remember(name, before+value)
		}
	}
}

// substitution returns the command substitution that a word is.
func substitution(w *syntax.Word) (*syntax.CmdSubst, bool) {
	parts := w.Parts
	if len(parts) == 1 {
		if q, ok := parts[0].(*syntax.DblQuoted); ok {
			parts = q.Parts
		}
	}
	if len(parts) != 1 {
		return nil, false
	}
	sub, ok := parts[0].(*syntax.CmdSubst)
	return sub, ok
}

// positional keeps the words that "set" makes the parameters of the shell.
func (t *source) positional(words []word) {
	if len(words) == 0 {
		return
	}
	t.remember("@", text(words))
	for i, w := range words[:min(len(words), 9)] {
		t.remember(string(rune('1'+i)), w.Text)
	}
}

// standsFor returns the command with the names of the programs in the tables
// that the wildcard in its name matches.
func (c *Command) standsFor() []string {
	pattern := path.Base(c.Program)
	args := make([]string, 0, maxArgs)
	for _, w := range c.Args[:min(len(c.Args), maxArgs)] {
		args = append(args, w.Text)
	}
	var list []string
	for text := range strings.Lines(commands) {
		name, _, _ := strings.Cut(strings.TrimPrefix(text, nameField), `"`)
		if ok, err := path.Match(pattern, name); err != nil || !ok || strings.Contains(name, " ") {
			continue
		}
		if list = append(list, name+" "+strings.Join(args, " ")); len(list) == maxNames {
			break
		}
	}
	return list
}

// An alias is what an alias stands for. It has no words if it stands for more
// than words.
type alias struct {
	text  string
	words []word
}

func newAlias(text string) alias {
	words, ok := splitText(static(text))
	if !ok || strings.ContainsAny(text, ";|&<>()`*?[{~!\n") {
		return alias{text: text}
	}
	return alias{text, words}
}

func (t *source) isAlias(name string) bool { return t.aliases[name].text != "" }

// expandAlias lists what a command stands for that is an alias.
func (t *source) expandAlias(c call, sc *scope, index int) {
	name := c.words[0].Text
	found, ok := t.aliases[name]
	if !ok || slices.Contains(sc.wrappers, name) {
		return
	}
	if len(found.words) == 0 {
		t.unparsed(c.source, "an alias stands for more than words", clip(found.text), text(c.words[1:]))
		return
	}
	in := sc.inner()
	in.wrappers = append(slices.Clip(sc.wrappers), name)
	t.script.Commands[index-1].Wrapper = true
	t.inner(inner{words: slices.Concat(found.words, c.words[1:]), sc: in}, index)
}
