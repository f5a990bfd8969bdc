package bash

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// The limits of what is analysed. What lies beyond one is unparsed.
const (
	maxText     = 64 << 10  // bytes of one text
	maxTotal    = 512 << 10 // bytes of all texts, texts within texts included
	maxNesting  = 500       // brackets within brackets
	maxDepth    = 200       // wrappers and texts within each other
	maxLevels   = 2000      // levels of the syntax tree
	maxCommands = 3000
	maxBraces   = 2000 // words that brace expansion makes of one

	// maxBraceGroups are the braces of a word that are expanded: the cost of
	// expanding grows with their square.
	maxBraceGroups = 24

	maxWords = 65_000
)

// rooms are lists that nothing refers to any more.
var rooms = sync.Pool{New: func() any {
	room := make([]word, 0, 64)
	return &room
}}

// bytesOfCommand is how much text there likely is for each command.
const bytesOfCommand = 24

// tooMuch is the reason for what lies beyond maxTotal.
const tooMuch = "the script runs too much text"

// Parse lists what a bash script would do. It never fails: what it cannot
// analyse is in the Unparsed of the script. The tables add to what is known; nil
// adds nothing.
func Parse(src string, tables *Tables) Script { return parseFor(src, tables, false) }

// ParseSh is [Parse] for a text that the shell called sh reads, be it bash or dash:
// what the two read in different ways is unparsed.
func ParseSh(src string, tables *Tables) Script { return parseFor(src, tables, true) }

func parseFor(src string, tables *Tables, sh bool) Script {
	a := &analysis{tables: tables}
	a.script.Commands = make([]Command, 0, 1+min(len(src), maxText)/bytesOfCommand)
	room, ok := rooms.Get().(*[]word)
	if ok {
		a.room = (*room)[:0]
		defer func() {
			clear((*room)[:cap(*room)])
			rooms.Put(room)
		}()
	}
	a.text(src, &scope{sh: sh}, nil)
	a.finish()
	if known, listed := a.known, len(a.script.Commands); a.unsure() && a.constants(&known) {
		a = &analysis{tables: tables, known: known, room: a.room[:0], tree: a.tree, treeOf: a.treeOf}
		a.script.Commands = make([]Command, 0, listed)
		a.text(src, &scope{sh: sh}, nil)
		a.finish()
	}
	if a.returns {
		replaceIn(reflect.ValueOf(&a.script).Elem(), strings.NewReplacer(returned, "\r"))
	}
	return a.script
}

// An analysis is the state of one [Parse].
type analysis struct {
	tables *Tables
	script Script

	texts     []string        // room for the lists of commands
	args      []Word          // room for their words
	total     int             // bytes parsed so far
	words     int             // words listed so far
	room      []word          // for the words of the commands around the node
	levels    int             // of the syntax tree, above the node that is looked at
	full      bool            // there are too many commands
	noted     map[string]bool // what is in Unparsed
	functions map[string]function
	variables map[string]bool // whether all that is assigned is a number
	aliases   map[string]alias
	bound     map[string]constant
	opened    map[string]bool     // variables whose values are not all known
	known     map[string]constant // what an earlier reading has found
	sourced   bool                // a file runs in the shell, which may set any
	copies    []copied
	keyed     map[string]bool // associative arrays
	unkeyed   bool            // there was one
	arrays    map[string]bool // variables that are, or may be, arrays
	indices   bool            // the subscripts of an array are taken for numbers
	calls     []int           // of functions, among the commands
	unsets    bool            // something is unset, which may be a function
	evaluated []string        // variables that arithmetic evaluates
	coded     []string        // variables that are expanded as a prompt is
	codes     []string        // texts that the shell evaluates
	late      []late

	// regions are the parts of the script around the node that may not run, or
	// run in a shell of their own.
	regions    []int
	lastRegion int

	guesses []string // commands that run what a variable holds

	returns bool // a text holds carriage returns

	// tree is that of the script, treeOf, if the parser and bash read it alike.
	tree   *syntax.File
	treeOf string
}

// take returns n elements of a room, which grows by chunks of the size that the
// script so far suggests.
func take[E any](room *[]E, n, chunk int) []E {
	from := len(*room)
	if cap(*room)-from < n {
		*room, from = make([]E, 0, max(n, chunk)), 0
	}
	*room = (*room)[:from+n]
	return (*room)[from : from+n : from+n]
}

// chunk is for how many elements there is room at first, and more in long scripts.
func (a *analysis) chunk() int { return min(8*(1+len(a.script.Commands)), 256) }

// A function is one that the script defines.
type function struct {
	from, to int  // its commands
	certain  bool // it is sure to be defined
	moves    bool
	runs     bool // it runs a word that it is given
	dir      dir
}

// A source is one text that a shell would run: the script, or a text in it.
type source struct {
	*analysis
	src string

	// at is the place of the commands of a text in the script, which is that of
	// what holds the text; nil for the script itself.
	at *span

	lines []int // where each line begins, once that is needed

	rest     string // of the text, behind what was read of it
	early    early  // where bash ends a here-document before the parser does
	readings int    // how often the text was read with such a change
}

// A span is where a command stands in the script.
type span struct{ start, end, line, column int }

var parsers = sync.Pool{New: func() any {
	return syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))
}}

// text analyses src, which stands at a place of the script, in scope sc.
func (a *analysis) text(src string, sc *scope, at *span) {
	length := len(src)
	a.total += length
	if a.total > maxTotal {
		a.unparsed(src, tooMuch)
		return
	}
	if reason, fatal := unsafe(src); reason != "" {
		a.unparsed(src, reason)
		if fatal {
			return
		}
		src = a.odd(src)
	}
	read, file := a.readOnce(src, at)
	if file == nil {
		return
	}
	if at == nil && len(read) != length {
		at = &span{0, length, 1, 1}
	}
	t := &source{analysis: a, src: read, at: at}
	var dash *dashReading
	if sc.sh {
		dash = t.inDash(file, sc)
	}
	t.stmts(file.Stmts, sc)
	if dash != nil {
		dash.list(src)
	}
	if t.early.end != "" {
		t.rest = unread(src, t.src)
		t.again(sc)
	}
}

// readOnce is read, and does not read the script itself again.
func (a *analysis) readOnce(src string, at *span) (string, *syntax.File) {
	if a.tree != nil && a.treeOf == src {
		return src, a.tree
	}
	if a.tree != nil || at != nil {
		return a.read(src)
	}
	noted := len(a.script.Unparsed)
	read, file := a.read(src)
	if len(a.script.Unparsed) == noted && read == src {
		a.tree, a.treeOf = file, src
	}
	return read, file
}

// parse returns the syntax tree of src. A parser that fails, even by a panic,
// is not used again.
func parse(src string) (file *syntax.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			file, err = nil, fmt.Errorf("parser: %v", r)
		}
	}()
	parser, ok := parsers.Get().(*syntax.Parser)
	if !ok {
		return nil, errors.New("no parser")
	}
	file, err = parser.Parse(strings.NewReader(src), "")
	if err == nil {
		parsers.Put(parser)
	}
	return file, err
}

// unsafe says why src cannot be trusted to mean what the parser makes of it, or
// is empty. It is fatal if src must not be given to the parser at all.
func unsafe(src string) (reason string, fatal bool) {
	if len(src) > maxText {
		return "the text is too long", true
	}
	depth, deepest := 0, 0
	for i, r := range src {
		switch {
		case 'a' <= r && r <= 'z' || r == ' ':
		case r == '(' || r == '{' || r == '[':
			depth++
			deepest = max(deepest, depth)
		case r == ')' || r == '}' || r == ']':
			depth = max(depth-1, 0)
		case r == utf8.RuneError && !strings.HasPrefix(src[i:], string(utf8.RuneError)):
			return "the text is not valid UTF-8", true
		case r < ' ' && r != '\t' && r != '\n', r == 0x7f, r > 0x7f && unicode.IsControl(r):
			reason = "the text holds a control character"
		}
	}
	if deepest > maxNesting {
		return "the text is nested too deep", true
	}
	return reason, false
}

// returned stands for a carriage return, which the parser drops, and which is a
// character like others for a shell.
const returned = "\ue00d"

// odd returns a text with control characters as the parser has to see it.
func (a *analysis) odd(src string) string {
	a.returns = a.returns || strings.Contains(src, "\r")
	return strings.NewReplacer("\r", returned, "\x00", "").Replace(src)
}

// replaceIn replaces in all strings that a value holds.
func replaceIn(v reflect.Value, r *strings.Replacer) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(r.Replace(v.String()))
	case reflect.Slice:
		for i := range v.Len() {
			replaceIn(v.Index(i), r)
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			replaceIn(field, r)
		}
	default: // holds no text
	}
}

// unparsed notes that text could not be analysed.
func (a *analysis) unparsed(text, reason string) {
	key := reason + "\n" + text
	if a.noted[key] || len(a.script.Unparsed) >= maxCommands {
		return
	}
	if a.noted == nil {
		a.noted = map[string]bool{}
	}
	a.noted[key] = true
	u := Unparsed{Text: text, Reason: reason, Words: []string{}}
	if a.words < maxWords {
		seen := map[string]bool{}
		for _, piece := range Pieces(text) {
			for _, w := range piece {
				if !seen[w] {
					seen[w] = true
					u.Words = append(u.Words, w)
				}
			}
		}
		a.words += len(u.Words)
	}
	a.script.Unparsed = append(a.script.Unparsed, u)
}

// finish adds what only the whole script tells.
func (a *analysis) finish() {
	for i := 0; i < len(a.late) && i < maxCommands; i++ {
		a.runs(a.late[i].value, a.late[i].at)
	}
	for _, name := range []string{"HOME", "CDPATH", "OLDPWD", "PWD"} {
		if _, moved := a.variables[name]; moved {
			a.adrift()
			break
		}
	}
	a.spell()
	a.spread()
	if a.unsets {
		for _, i := range a.calls {
			a.script.Commands[i].Through = false
		}
	}
	if a.indices && a.unkeyed {
		a.unparsed("${!", "the keys of an array may be text")
	}
	if len(a.variables) > 0 {
		a.numbers()
	}
	for _, name := range a.evaluated {
		if !a.variables[name] {
			a.unparsed("$"+name, "arithmetic evaluates a variable that may hold more than a number")
			a.coded = append(a.coded, name)
		}
	}
	if len(a.coded) > 0 || len(a.codes) > 0 {
		a.hiddenFiles()
	}
}

// numbers notes the shell's own numbers that are given what is none.
func (a *analysis) numbers() {
	for _, name := range slices.Sorted(maps.Keys(a.variables)) {
		if !a.variables[name] && strings.Contains(numeric, " "+name+" ") {
			a.unparsed(name, "the shell evaluates what is assigned to a variable that is a number")
		}
	}
}

// A copied is a variable that is given what another one holds, as a number.
type copied struct{ to, from string }

// spread takes back that variables are numbers which are given what no number is.
func (a *analysis) spread() {
	const most = 50 // copies of copies that are followed
	for pass := range most {
		changed := false
		for _, c := range a.copies {
			if a.variables[c.to] && (!a.variables[c.from] || pass == most-1) {
				a.variables[c.to], changed = false, true
			}
		}
		if !changed {
			return
		}
	}
}

// adrift notes that a variable is set that tells where ~ is and cd goes, so
// that only run time knows more than absolute paths.
func (a *analysis) adrift() {
	for i := range a.script.Commands {
		c := &a.script.Commands[i]
		c.DirDynamic = c.DirDynamic || wanders(c.Dir)
		for j, w := range c.Args {
			if strings.HasPrefix(w.Text, "~") {
				c.Args[j].Dynamic, c.Dynamic = true, true
			}
		}
		for j, o := range c.Operations {
			c.Operations[j].Dynamic = o.Dynamic || strings.HasPrefix(o.Path, "~")
		}
		for j := range c.Redirects {
			c.Redirects[j].adrift()
		}
	}
	for i := range a.script.Redirects {
		a.script.Redirects[i].adrift()
	}
}

func (r *Redirect) adrift() {
	r.Dynamic = r.Dynamic || strings.HasPrefix(r.Path, "~")
	r.DirDynamic = r.DirDynamic || wanders(r.Dir)
}

// wanders reports whether a directory depends on what those variables hold.
func wanders(dir string) bool { return dir != "" && !strings.HasPrefix(dir, "/") }
