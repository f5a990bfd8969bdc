package bash

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
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
		t.unparsed(clip(found.text), "an alias stands for more than words")
		return
	}
	in := sc.inner()
	in.wrappers = append(slices.Clip(sc.wrappers), name)
	t.script.Commands[index-1].Wrapper = true
	t.inner(inner{words: slices.Concat(found.words, c.words[1:]), sc: in}, index)
}
