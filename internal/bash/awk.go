package bash

import (
	"regexp"
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
	if p.braces != 0 || p.unsure && awkActs.MatchString(p.s) {
		f.effects(Run, Write)
		f.hazard("code", "awk", "may run commands or write files")
	}
}

// awkActs finds what may have an effect, wherever it stands in a program.
var awkActs = regexp.MustCompile(`system|getline|[|>@]|ARG[VC]|SYMTAB`)

// awkPattern is the text of a pattern that ends at the same slash for every awk:
// some of them, but not all, let a bracket hold a slash.
var awkPattern = regexp.MustCompile(`^([^][\\\n]|\\[^\n]|\[([^][\\\n]|\\[^][\n]|\[:[a-z]+:\])+\])*$`)

// An awkProgram is an awk program that is being read.
type awkProgram struct {
	f      *facts
	s      string
	i      int
	text   string // the string that was read last, if nothing stands behind it
	name   string // the name that was read last, if nothing but blanks, lines and comments stand behind it
	value  bool   // what was read last is a value, so that / divides
	doubt  bool   // not all awks agree on value
	unsure bool   // awks may divide the text in another way
	parens []bool // the open parentheses: whether a statement may stand behind them
	braces int    // depth of braces

	// print is 1 + the depth of parentheses of a print statement, or 0. A line's
	// end does not end it, as the statement may go on.
	print int
	// getline is 1 + the depth of a getline that may still get a "<", or 0.
	getline int
}

func (p *awkProgram) run() {
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '"':
			p.text = p.quoted('"')
			p.name, p.value, p.doubt = "", true, false
			continue
		case c == '/':
			p.slash()
		case c == '#':
			p.pass(func(c byte) bool { return c != '\n' })
		case c == '.' || '0' <= c && c <= '9':
			p.number()
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
		p.text = ""
	}
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
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
	p.unsure = p.unsure || p.i >= len(p.s)
	p.i = min(p.i, len(p.s))
	text := p.s[from:max(from, p.i)]
	p.i = min(p.i+1, len(p.s))
	return text
}

// slash passes a pattern, or a slash that divides.
func (p *awkProgram) slash() {
	if p.doubt && strings.Contains(p.s[p.i+1:], "/") {
		p.unsure = true
	}
	if p.value {
		p.i++
	} else if text := p.quoted('/'); !awkPattern.MatchString(text) || strings.Contains(text, "[^]") {
		p.unsure = true
	}
	p.name, p.value, p.doubt = "", !p.value, false
}

// number passes a number. Where it ends is unsure if a name is glued to it.
func (p *awkProgram) number() {
	p.pass(func(c byte) bool { return c == '.' || '0' <= c && c <= '9' })
	p.i += len(awkExponent.FindString(p.s[p.i:]))
	if p.i < len(p.s) && wordByte(p.s[p.i]) {
		p.unsure = true
	}
	p.name, p.value, p.doubt = "", true, false
}

var awkExponent = regexp.MustCompile(`^[eE][-+]?[0-9]+`)

func (p *awkProgram) word() {
	p.name = p.pass(wordByte)
	p.value, p.doubt = true, false
	switch p.name {
	case "print", "printf":
		p.value, p.print = false, len(p.parens)+1
	case "system":
		p.runs("system", "")
	case "getline":
		p.value, p.doubt, p.getline = false, true, len(p.parens)+1
	case "ARGV", "ARGC", "SYMTAB":
		p.f.hazard("code", p.name, "reads files that the program names")
	case "return", "case", "do", "else":
		p.value = false
	case "in", "exit":
		p.value, p.doubt = false, true
	case "length":
		p.doubt = true
	}
}

func (p *awkProgram) operator(c byte) {
	p.i++
	if c < ' ' && c != '\t' && c != '\n' || c > '~' || c == '\\' {
		p.unsure = true // a blank for some awks
	}
	if c == ' ' || c == '\t' {
		return
	}
	name, text := p.name, p.text
	p.text, p.name = "", ""
	value, doubt := c == ')' || c == ']', false
	switch c {
	case '\n':
		p.name = name
	case '+', '-':
		if p.i < len(p.s) && p.s[p.i] == c {
			p.i++
			value, doubt = p.value, true // x++ is a value still
		}
	case '(':
		p.parens = append(p.parens, name == "if" || name == "while" || name == "for" || name == "switch")
	case ')':
		doubt = p.closes()
	case '{', '}', ';':
		p.print, p.getline = 0, 0
		p.braces += strings.IndexByte("};{", c) - 1
	case '|':
		p.pipe(text)
	case '>':
		if len(p.parens) < p.print {
			p.pass(func(c byte) bool { return c == '>' || c == ' ' })
			p.redirect()
		}
	case '<':
		if len(p.parens) < p.getline {
			p.getline = 0
			p.pass(func(c byte) bool { return c == ' ' })
			p.f.use("read", p.target(), "", nil)
		}
	}
	p.value, p.doubt = value, doubt
}

// closes ends a parenthesis, and reports whether a statement may stand behind it.
func (p *awkProgram) closes() bool {
	last := len(p.parens) - 1
	if last < 0 {
		return true
	}
	statement := p.parens[last]
	p.parens = p.parens[:last]
	if last < p.getline-1 {
		p.getline = 0
	}
	return statement
}

// pipe reads what stands behind "|". text is the string before it.
func (p *awkProgram) pipe(text string) {
	if p.i < len(p.s) && p.s[p.i] == '|' {
		p.i++
		return
	}
	p.pass(func(c byte) bool { return c == '&' || c == ' ' })
	if strings.HasPrefix(p.s[p.i:], "getline") {
		p.runs("getline", text)
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
		p.f.anything()
		return
	}
	p.f.use("run", static(command), "", nil)
}
