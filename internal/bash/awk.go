package bash

import (
	"strings"
)

// awk notes what an awk program reads, writes and runs.
func (f *facts) awk(w word) {
	if w.Dynamic {
		f.effects(Run, Write)
		f.hazard("code", w.Text, "runs a script that only run time knows")
		return
	}
	p := awkProgram{f: f, s: w.Text}
	p.run()
}

// An awkProgram is an awk program that is being read.
type awkProgram struct {
	f     *facts
	s     string
	i     int
	text  string // the string that was read last, if nothing stands behind it
	value bool   // what was read last is a value, so that / divides
	print bool   // in a print statement
	depth int    // of parentheses
	last  byte   // the operator that was read last, if nothing stands behind it

	// getline is 1 + the depth of a getline that may still get a "<", or 0.
	getline int
}

func (p *awkProgram) run() {
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '"':
			p.text, p.value, p.last = p.quoted('"'), true, 0
			continue
		case c == '/' && !p.value:
			p.quoted('/')
			p.value = true
		case c == '#':
			p.pass(func(c byte) bool { return c != '\n' })
		case wordByte(c):
			p.word()
		case c == '@':
			p.f.hazard("code", "@", "loads code")
			p.i++
		case strings.HasPrefix(p.s[p.i:], "\\\n"):
			p.i += 2
			continue
		default:
			p.operator(c)
			continue
		}
		p.text, p.last = "", 0
	}
}

func wordByte(c byte) bool {
	return c == '_' || c == '$' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// pass passes the characters for which is holds, and returns them.
func (p *awkProgram) pass(is func(byte) bool) string {
	from := p.i
	for p.i < len(p.s) && is(p.s[p.i]) {
		p.i++
	}
	return p.s[from:p.i]
}

// quoted passes a string or a pattern, and returns its text.
func (p *awkProgram) quoted(end byte) string {
	from := p.i + 1
	for p.i++; p.i < len(p.s) && p.s[p.i] != end; p.i++ {
		if p.s[p.i] == '\\' {
			p.i++
		}
	}
	p.i = min(p.i, len(p.s))
	text := p.s[from:max(from, p.i)]
	p.i = min(p.i+1, len(p.s))
	return text
}

func (p *awkProgram) word() {
	switch name := p.pass(wordByte); name {
	case "print", "printf":
		p.print, p.value = true, false
	case "system":
		p.runs("system", "")
	case "getline":
		p.value, p.getline = false, p.depth+1
	case "ARGV", "ARGC", "SYMTAB":
		p.f.hazard("code", name, "reads files that the program names")
		p.value = true
	case "in", "return", "case", "do", "else":
		p.value = false
	default:
		p.value = true
	}
}

func (p *awkProgram) operator(c byte) {
	p.i++
	before := p.last
	switch c {
	case ' ', '\t':
		return
	case '+', '-':
		if p.value && p.i < len(p.s) && p.s[p.i] == c {
			p.i++ // x++ is a value still
			return
		}
	case '(':
		p.depth++
	case ')':
		p.depth--
		if p.depth < p.getline-1 {
			p.getline = 0
		}
	case '\n':
		if before != 0 && strings.IndexByte(",&|", before) >= 0 {
			return // the statement goes on
		}
		p.print, p.depth, p.getline = false, 0, 0
	case ';', '{', '}':
		p.print, p.depth, p.getline = false, 0, 0
	case '|':
		p.pipe()
	case '>':
		if p.print && p.depth <= 0 {
			p.pass(func(c byte) bool { return c == '>' || c == ' ' })
			p.redirect()
		}
	case '<':
		if p.getline > 0 {
			p.getline = 0
			p.pass(func(c byte) bool { return c == ' ' })
			p.f.use("read", p.target(), "", nil)
		}
	}
	p.value = c == ')' || c == ']'
	p.text, p.last = "", c
}

// pipe reads what stands behind "|".
func (p *awkProgram) pipe() {
	if p.i < len(p.s) && p.s[p.i] == '|' {
		p.i++
		return
	}
	p.pass(func(c byte) bool { return c == '&' || c == ' ' })
	if strings.HasPrefix(p.s[p.i:], "getline") {
		p.runs("getline", p.text)
		return
	}
	to := p.target()
	if to.Dynamic {
		p.runs("|", "")
		return
	}
	p.runs("|", to.Text)
}

func (p *awkProgram) redirect() {
	p.f.hazard("option", ">", reasons[Write])
	p.f.use("write", p.target(), "", nil)
}

// target reads the name of a file or command.
func (p *awkProgram) target() word {
	if p.i < len(p.s) && p.s[p.i] == '"' {
		text := p.quoted('"')
		rest := strings.TrimLeft(p.s[p.i:], " ")
		if !strings.Contains(text, "\\") && (rest == "" || strings.IndexByte(";})\n", rest[0]) >= 0) {
			return static(text)
		}
	}
	return word{Word: Word{Text: p.s, Dynamic: true}}
}

// runs notes a command that the program runs, empty if only run time knows it.
func (p *awkProgram) runs(what, command string) {
	p.f.effects(Run)
	p.f.hazard("code", what, reasons[Run])
	if command == "" {
		p.f.reject("only run time knows the text")
		return
	}
	p.f.use("run", static(command), "", nil)
}
