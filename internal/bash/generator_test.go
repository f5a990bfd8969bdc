package bash_test

import (
	"fmt"
	"strings"
)

// A generator writes a shell script by a grammar, choosing by the bytes it is
// given. Every command that it writes has a name of its own, m0, m1 and so on, so
// that those that run can be told apart. It writes no name of a program or path
// that exists, so that bash can run the script without harm.
type generator struct {
	choices []byte
	next    int // marker
	depth   int
	bodies  []string // of here-documents, which begin at the next line
	out     strings.Builder
}

// generate returns the script that the choices stand for.
func generate(choices []byte) string {
	g := &generator{choices: choices}
	if g.choose(6) == 1 {
		g.write([]string{"shopt -s extglob\n", "set -x\n", "shopt -s expand_aliases\n", "set -o posix\n", "set -T\n"}[g.choose(5)])
	}
	g.list()
	g.newline()
	return strings.TrimSuffix(g.out.String(), "\n")
}

// choose returns a number below n: 0, which stands for the simplest choice, once
// the choices are used up.
func (g *generator) choose(n int) int {
	if len(g.choices) == 0 {
		return 0
	}
	c := int(g.choices[0])
	g.choices = g.choices[1:]
	return c % n
}

func (g *generator) write(s ...string) {
	for _, text := range s {
		g.out.WriteString(text)
	}
}

func (g *generator) oneOf(list ...string) { g.write(list[g.choose(len(list))]) }

// call calls one of the functions, or the first where it is deep already.
func (g *generator) call(list ...func()) {
	const deepest = 6
	g.depth++
	if g.depth > deepest {
		list[0]()
	} else {
		list[g.choose(len(list))]()
	}
	g.depth--
}

func (g *generator) marker() string {
	g.next++
	return fmt.Sprintf("m%d", g.next-1)
}

func (g *generator) newline() {
	g.write("\n")
	for _, body := range g.bodies {
		g.write(body)
	}
	g.bodies = nil
}

func (g *generator) list() {
	for n := g.choose(3); ; n-- {
		g.statement()
		if n == 0 {
			return
		}
		switch g.choose(8) {
		case 0:
			g.write("; ")
		case 1:
			g.newline()
		case 2:
			g.write(" && ")
		case 3:
			g.write(" | ")
		case 4:
			g.write(" || ")
		case 5:
			g.write(" & ")
		case 6:
			g.write(" #")
			g.oneOf(" note", "", "'", "$(", "a\\", " \\", "<<E")
			g.newline()
		case 7:
			g.write(" |& ")
		}
	}
}

func (g *generator) statement() {
	g.call(g.simple, g.simple, g.simple, g.compound, g.shell, g.builtin)
}

func (g *generator) simple() {
	for range g.choose(5) / 3 {
		g.oneOf("x=", "y=", "PS4=", "IFS=", "x+=")
		g.oneOf("", "1", "a")
		if g.choose(3) == 1 {
			g.word()
		}
		g.write(" ")
	}
	g.name()
	for range g.choose(4) {
		g.write(" ")
		g.word()
	}
	if g.choose(4) == 1 {
		g.write(" ")
		g.redirect()
	}
}

func (g *generator) name() {
	m := g.marker()
	switch g.choose(12) {
	default:
		g.write(m)
	case 1:
		g.write(`"`, m, `"`)
	case 2:
		g.write(`\`, m)
	case 3:
		g.write(m[:1], "''", m[1:])
	case 4:
		g.write("$'", m, "'")
	case 5:
		g.write("{", m, ",a}")
	case 6:
		g.write(m[:1], "\\\n", m[1:])
	case 7:
		g.write("$'\\x6d", m[1:], "'")
	}
}

func (g *generator) word() {
	for n := g.choose(3); ; n-- {
		g.call(g.literal, g.literal, g.single, g.double, g.double, g.substitution, g.parameter, g.arithmetic, g.odd)
		if n == 0 {
			return
		}
	}
}

func (g *generator) literal() {
	g.oneOf("a", "b1", "-x", "=", "1", "x", ",", "{", "}", "{a,b}", "{1..3}", "*", "?", "[a]", "~", "#", "a#", ":", "!", "^", "%", "@", "\\$", "\\ ", "\\'", "\\\"", "\\\\", "\\;", "\\\n", "{x}a,b}", "{}a,b}", "..", "{,}", "]")
}

func (g *generator) single() {
	g.write("'")
	g.hidden()
	g.write("'")
}

// hidden writes text that is no code unless something evaluates it.
func (g *generator) hidden() {
	switch m := g.marker(); g.choose(10) {
	default:
		g.oneOf("a", "", "a b", "$x", "{a,b}", "#", ";", "\\", "\"", "$", "`", "}", ")", "E", "\n", "*")
	case 1:
		g.write("$(", m, ")")
	case 2:
		g.write("a[$(", m, ")]")
	case 3:
		g.write("`", m, "`")
	case 4:
		g.write("; ", m, " a")
	case 5:
		g.write("<(", m, ")")
	case 6:
		g.write(m)
	}
}

func (g *generator) double() {
	if g.choose(6) == 1 {
		g.write("$")
	}
	g.write(`"`)
	for range g.choose(4) {
		g.inDouble()
	}
	g.write(`"`)
}

func (g *generator) inDouble() {
	g.call(g.plain, g.substitution, g.parameter, g.arithmetic)
}

func (g *generator) plain() {
	g.oneOf("a", " ", "'", "\\\"", "\\$", "\\`", "\\\\", "$", "\\\n", "{a,b}", "*", "#", ";", "\n", "!", "(", ")", "<(", "'a'")
}

func (g *generator) substitution() {
	switch g.choose(24) {
	default:
		g.write("$(")
		g.list()
		g.closing(")")
	case 1:
		g.write("<(")
		g.list()
		g.closing(")")
	case 2:
		g.write(">(")
		g.list()
		g.closing(")")
	case 3:
		g.write("`", g.marker(), " a`")
	case 4:
		g.write("$\\\n(", g.marker(), ")")
	case 5:
		g.write("`")
		before := g.out.Len()
		g.statement()
		if strings.ContainsAny(g.out.String()[before:], "`\\") {
			g.write(" ")
		}
		g.closing("`")
	}
}

// closing ends a substitution, behind the here-documents in it.
func (g *generator) closing(end string) {
	if len(g.bodies) > 0 {
		g.newline()
	}
	g.write(end)
}

func (g *generator) parameter() {
	g.write("${")
	form := g.choose(12)
	if form == 0 {
		g.oneOf("x", "y", "#x", "!x", "@", "#")
	} else {
		g.oneOf("x", "a[@]", "y", "a[*]", "a[1]", "x")
	}
	switch form {
	case 1:
		g.oneOf(":-", "-", ":=", "=", ":+", "+", ":?")
		g.word()
	case 2:
		g.oneOf("#", "##", "%", "%%", "^", ",,")
		g.word()
	case 3:
		g.oneOf("/", "//")
		g.word()
		g.write("/")
		g.word()
	case 4:
		g.write(":")
		g.number()
	case 5:
		g.write("@")
		g.oneOf("Q", "P", "E", "A", "a", "U")
	}
	g.write("}")
}

func (g *generator) arithmetic() {
	switch g.choose(3) {
	default:
		g.write("$((")
		g.number()
		g.write("))")
	case 1:
		g.write("$[")
		g.number()
		g.write("]")
	case 2:
		g.oneOf("$x", "$y", "$@", "$1", "${a[1]}", "$#")
	}
}

func (g *generator) number() {
	g.call(
		func() { g.oneOf("1", "x", "y", "0", "a", " 2") },
		func() { g.number(); g.oneOf("+", "*", "<", "==", "&&", ",", "?1:"); g.number() },
		func() { g.oneOf("x=", "y+=", "a[1]="); g.number() },
		func() { g.oneOf("x++", "--y", "-x", "1", "x", "2") },
		func() { g.oneOf("x", "y", "1", "10", "3", "2") },
		func() { g.write("a["); g.number(); g.write("]") },
		func() { g.write("$("); g.list(); g.closing(")") },
		func() { g.write("'"); g.hidden(); g.write("'") },
		func() { g.write(`"`); g.inDouble(); g.write(`"`) },
		func() { g.write("("); g.number(); g.write(")") },
		func() { g.write("$((", "1"); g.number(); g.write("))") },
		func() { g.parameter() },
	)
}

// odd writes what few people write.
func (g *generator) odd() {
	switch g.choose(16) {
	default:
		g.write("$'")
		g.oneOf("a", `\n`, `\x41`, `\'`, `\u0041`, `\101`, `\c`, `\0`, "$(m)")
		g.write("'")
	case 1:
		g.oneOf("@", "!", "*", "+", "?")
		g.write("(a|")
		g.word()
		g.write(")")
	case 2:
		g.write("{")
		g.word()
		g.write(",")
		g.word()
		g.write("}")
	case 4:
		g.write("$(<a)")
	case 5:
		g.write("\\", g.marker())
	}
}

func (g *generator) assignment() {
	switch g.choose(7) {
	default:
		g.oneOf("x", "y", "PS4", "IFS", "x")
		g.oneOf("=", "=", "+=")
		if g.choose(4) > 0 {
			g.word()
		}
	case 1:
		g.write("a[")
		g.number()
		g.write("]=")
		g.word()
	case 2:
		g.write("a=(")
		g.word()
		g.write(" ")
		g.word()
		g.write(")")
	case 3:
		g.write("a=([")
		g.number()
		g.write("]=")
		g.word()
		g.write(")")
	}
}

func (g *generator) redirect() {
	switch g.choose(9) {
	default:
		g.oneOf(">", ">>", "<", "2>", "&>", ">|", "<>", "{fd}>", ">&", "3<")
		g.oneOf("", " ")
		g.word()
	case 1:
		g.oneOf("2>&1", ">&2", "2>&-", "<&0")
	case 2:
		g.write("<<< ")
		g.word()
	case 3, 4:
		g.document()
	case 5:
		g.write("{a[")
		g.number()
		g.write("]}>b")
	}
}

// document writes a here-document, whose body comes behind the line.
func (g *generator) document() {
	indent := g.choose(4) == 1
	g.write(map[bool]string{false: "<<", true: "<<-"}[indent])
	g.oneOf("E", "'E'", `"E"`, `\E`, "E")
	outer := g.out
	g.out = strings.Builder{}
	for range g.choose(4) {
		switch g.choose(9) {
		default:
			g.plain()
		case 1:
			g.inDouble()
		case 2:
			g.oneOf("E x", "E)", "E`", "\\E", "E\\", " E", "\tE", "EE", "E\"")
		case 3:
			g.write("$(", g.marker(), ")")
		case 4:
			g.write(g.marker(), " a")
		}
		g.oneOf("\n", "\n", "\\\n")
	}
	body := g.out.String()
	g.out = outer
	if !strings.HasSuffix(body, "\n") && body != "" {
		body += "\n"
	}
	g.bodies = append(g.bodies, body+"E\n")
}

func (g *generator) compound() {
	switch g.choose(10) {
	default:
		g.write("{ ")
		g.list()
		g.ending("}")
	case 1:
		g.write("(")
		g.list()
		g.closing(")")
	case 2:
		g.write("if ")
		g.list()
		g.ending("then ")
		g.list()
		if g.choose(2) == 1 {
			g.ending("else ")
			g.list()
		}
		g.ending("fi")
	case 3:
		g.oneOf("while ", "until ")
		g.list()
		g.ending("do ")
		g.list()
		g.ending("break; done")
	case 4:
		g.write("for x in ")
		g.word()
		g.write(" ")
		g.word()
		g.ending("do ")
		g.list()
		g.ending("done")
	case 5:
		g.write("for ((")
		g.number()
		g.write("; ")
		g.number()
		g.write("; ")
		g.number()
		g.write(")); do ")
		g.list()
		g.ending("break; done")
	case 6:
		g.write("case ")
		g.word()
		g.write(" in ")
		g.word()
		g.write(") ")
		g.list()
		g.ending(";; *) ")
		g.list()
		g.ending(";; esac")
	case 7:
		g.oneOf("f() ", "function f ", "f () ")
		g.write("{ ")
		g.list()
		g.ending("}; f")
	}
	if g.choose(5) == 1 {
		g.write(" ")
		g.redirect()
	}
}

// ending writes a keyword that ends a list.
func (g *generator) ending(keyword string) {
	if len(g.bodies) > 0 {
		g.newline()
	} else {
		g.oneOf("; ", "\n", " ; ")
	}
	g.write(strings.TrimPrefix(keyword, ""))
}

// shell writes what the shell has grammar of its own for.
func (g *generator) shell() {
	switch g.choose(9) {
	default:
		g.write("! ")
		g.statement()
	case 1:
		g.oneOf("time ", "time -p ", "time -- ", "coproc ")
		g.simple()
	case 2:
		g.write("[[ ")
		g.test()
		g.write(" ]]")
	case 3:
		g.write("((")
		g.number()
		g.write("))")
	case 4:
		g.assignment()
	case 5:
		g.redirect()
	case 6:
		g.oneOf("eval '", "eval \"", "trap '")
		quote := g.out.String()[g.out.Len()-1:]
		g.write(g.marker(), " a", quote)
		if strings.Contains(g.out.String()[max(0, g.out.Len()-20):], "trap") {
			g.write(" EXIT")
		}
	case 7:
		g.write("! (", g.marker(), ")")
	}
}

func (g *generator) test() {
	g.call(
		func() { g.word(); g.oneOf(" == ", " != ", " = ", " < "); g.word() },
		func() { g.oneOf("-n ", "-z ", "-v ", "-e ", "! -n "); g.word() },
		func() { g.word(); g.oneOf(" -eq ", " -lt "); g.word() },
		func() { g.word(); g.write(" =~ "); g.word() },
		func() { g.write("( "); g.test(); g.write(" )") },
		func() { g.test(); g.oneOf(" && ", " || "); g.test() },
	)
}

// builtin writes builtins that evaluate their words.
func (g *generator) builtin() {
	g.oneOf("declare ", "export ", "readonly ", "typeset -i ", "declare -n ", "let ", "printf -v ", "read ", "unset ", "[ -v ", "test ", "eval ", "command ", "builtin eval ", "set -- ", "declare -A ", "mapfile ", "alias x=")
	g.word()
	text := g.out.String()
	g.oneOf("", "=", " ")
	if g.choose(2) == 1 {
		g.word()
	}
	if strings.Contains(text[max(0, len(text)-12):], "[ -v") {
		g.write(" ]")
	}
	if g.choose(4) == 1 {
		g.write(" <<< ")
		g.word()
	}
}
