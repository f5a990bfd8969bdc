package bash

import (
	"strings"
)

// splitText splits the text of env's -S into words. It is not ok if that needs
// more than blanks, quotes and plain escapes.
func splitText(w word) ([]word, bool) {
	if w.Dynamic || strings.ContainsAny(w.Text, "$#") {
		return nil, false
	}
	var words []word
	var b strings.Builder
	quote, open := byte(0), false
	end := func() {
		if open {
			words = append(words, static(b.String()))
		}
		b.Reset()
		open = false
	}
	for i := 0; i < len(w.Text); i++ {
		switch c := w.Text[i]; {
		case c == '\\' && quote != '\'':
			if i++; i == len(w.Text) || !strings.ContainsRune("\\\"' ", rune(w.Text[i])) {
				return nil, false
			}
			b.WriteByte(w.Text[i])
			open = true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, open = c, true
		case quote == 0 && strings.IndexByte(" \t\n", c) >= 0:
			end()
		default:
			b.WriteByte(c)
			open = true
		}
	}
	end()
	return words, quote == 0
}

// sedScript notes what a sed script reads, writes and runs. Its parts are lines of
// one text.
func (f *facts) sedScript() {
	if len(f.sed) == 0 {
		return
	}
	var parts []string
	for _, w := range f.sed {
		if w.Dynamic || w.Glob {
			f.effects(Run, Write)
			f.hazard("code", w.Text, "runs a script that only run time knows")
			return
		}
		parts = append(parts, w.Text)
	}
	p := sedScript{f: f, s: strings.Join(parts, "\n")}
	if !p.run() {
		f.effects(Run, Write)
		f.hazard("code", p.s, "runs a script that is not understood")
	}
}

// A sedScript is a sed script that is being read.
type sedScript struct {
	f *facts
	s string
	i int
}

func (p *sedScript) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// skip passes all of the given characters.
func (p *sedScript) skip(set string) {
	for p.i < len(p.s) && strings.IndexByte(set, p.s[p.i]) >= 0 {
		p.i++
	}
}

// line returns the rest of the line, and passes it.
func (p *sedScript) line() string {
	rest, _, _ := strings.Cut(p.s[p.i:], "\n")
	p.i += len(rest)
	return strings.TrimLeft(rest, " \t")
}

// run reads the whole script, and reports whether it is understood.
func (p *sedScript) run() bool {
	for {
		p.skip(" \t\n;{}")
		if p.i >= len(p.s) {
			return true
		}
		if !p.address() || !p.command() {
			return false
		}
	}
}

// address passes the addresses of a command.
func (p *sedScript) address() bool {
	for {
		p.skip(" \t0123456789$,+~!")
		switch p.peek() {
		case '/':
			p.i++
			if !p.delimited('/') {
				return false
			}
		case '\\':
			p.i += 2
			if p.i > len(p.s) || !p.delimited(p.s[p.i-1]) {
				return false
			}
		default:
			return true
		}
		p.skip("IM")
	}
}

// delimited passes a pattern up to and with the given end.
func (p *sedScript) delimited(end byte) bool {
	for p.i < len(p.s) {
		switch c := p.s[p.i]; c {
		case end:
			p.i++
			return true
		case '\\':
			p.i += 2
		case '\n':
			return false
		case '[':
			if !p.bracket() {
				return false
			}
		default:
			p.i++
		}
	}
	return false
}

// bracket passes a set of characters, in which a backslash is a character.
func (p *sedScript) bracket() bool {
	p.i++
	if p.peek() == '^' {
		p.i++
	}
	if p.peek() == ']' {
		p.i++
	}
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == ']':
			p.i++
			return true
		case c == '\n':
			return false
		case c == '[' && p.i+1 < len(p.s) && strings.IndexByte(":.=", p.s[p.i+1]) >= 0:
			class := string(p.s[p.i+1]) + "]"
			end := strings.Index(p.s[p.i+2:], class)
			if end < 0 {
				return false
			}
			p.i += 2 + end + len(class)
		default:
			p.i++
		}
	}
	return false
}

// replacement passes the part of an s or y command behind its pattern.
func (p *sedScript) replacement(end byte) bool {
	for ; p.i < len(p.s); p.i++ {
		switch p.s[p.i] {
		case '\\':
			p.i++
		case '\n':
			return false
		case end:
			p.i++
			return true
		}
	}
	return false
}

func (p *sedScript) command() bool {
	c := p.peek()
	p.i++
	switch c {
	case 0:
		return false
	case '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'F', 'z', '{', '}':
	case 'q', 'Q', 'l', 'L':
		p.skip(" 0123456789")
	case ':', 'b', 't', 'T', 'v':
		return p.label(c)
	case '#':
		p.line()
	case 'a', 'i', 'c':
		for continues(p.line()) && p.i < len(p.s) {
			p.i++
		}
	case 'r', 'R':
		p.f.use("read", static(p.line()), "", nil)
	case 'w', 'W':
		p.write()
	case 'e':
		p.execute(p.line())
	case 's':
		return p.substitute()
	case 'y':
		end := p.peek()
		p.i++
		from := p.replacement(end)
		return from && p.replacement(end)
	default:
		return false
	}
	return true
}

// continues reports whether a line of text goes on behind its end.
func continues(line string) bool {
	return (len(line)-len(strings.TrimRight(line, "\\")))%2 == 1
}

// label passes a label, which a blank ends, so that a command may follow. A
// brace ends it only for some programs, and only where nothing that matters
// stands behind it is that the same for all.
func (p *sedScript) label(command byte) bool {
	p.skip(" \t")
	for p.i < len(p.s) && strings.IndexByte(" \t;\n}", p.s[p.i]) < 0 {
		p.i++
	}
	if p.peek() != '}' {
		return true
	}
	p.skip("}")
	next := p.peek()
	return command != ':' && (next == 0 || strings.IndexByte(" \t;\n", next) >= 0)
}

func (p *sedScript) substitute() bool {
	end := p.peek()
	if end == 0 || end == '\n' || end == '\\' {
		return false
	}
	p.i++
	if !p.delimited(end) || !p.replacement(end) {
		return false
	}
	for {
		switch c := p.peek(); {
		case strings.IndexByte("gpiImM0123456789", c) >= 0 && c != 0:
			p.i++
		case c == 'e':
			p.i++
			p.f.effects(Run)
			p.f.hazard("code", "e", "runs what it makes of its input")
			p.f.anything()
		case c == 'w':
			p.i++
			p.write()
			return true
		default:
			return c == 0 || strings.IndexByte(" \t\n;}#", c) >= 0
		}
	}
}

func (p *sedScript) write() {
	p.f.hazard("option", "w", reasons[Write])
	p.f.use("write", static(p.line()), "", nil)
}

func (p *sedScript) execute(command string) {
	p.f.hazard("code", "e", reasons[Run])
	if command == "" {
		p.f.anything()
		return
	}
	p.f.use("run", static(command), "", nil)
}
