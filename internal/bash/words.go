package bash

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// nameBytes are what names are made of.
const nameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// A word is a [Word] with what only the analyser needs.
type word struct {
	Word
	head       string  // the text before what only run time knows
	split      bool    // it may become no word or many
	process    bool    // it is a process substitution
	bounded    bool    // it is Dynamic, but the script tells what it may be
	numeric    bool    // what only run time knows of it is a number
	start, end int     // in the source
	filled     *string // the text with $0 for what a wrapper fills in, if it does
}

// static returns a word that is known in full.
func static(text string) word { return word{Word: Word{Text: text}, head: text} }

// expansion collects the text of a word.
type expansion struct {
	t    *source
	text strings.Builder
	word
}

// fields returns the words that a shell makes of w, as far as they are known.
func (t *source) fields(list []word, w *syntax.Word) []word {
	if lit, ok := soleLit(w); ok && plain(lit.Value) {
		return append(list, word{
			Word: Word{Text: lit.Value}, head: lit.Value,
			start: int(lit.ValuePos.Offset()), end: int(lit.ValueEnd.Offset()),
		})
	}
	start, end := int(w.Pos().Offset()), int(w.End().Offset())
	if strings.Count(t.src[start:end], "{") > maxBraceGroups {
		return append(list, t.lost(start, end))
	}
	if !syntax.SplitBraces(w) {
		return append(list, t.expand(w.Parts, start, end))
	}
	t.tree = nil // its words are no longer those of the text
	if !hasBraces(w) {
		if unclearBraces(t.src[start:end]) {
			return append(list, t.lost(start, end))
		}
		return append(list, t.expand(w.Parts, start, end))
	}
	for _, part := range w.Parts {
		if lit, ok := part.(*syntax.Lit); ok && strings.Contains(lit.Value, "{") {
			return append(list, t.lost(start, end))
		}
	}
	return t.braced(list, w, start, end)
}

// braced returns the words that brace expansion makes of w.
func (t *source) braced(list []word, w *syntax.Word, start, end int) []word {
	from, bytes := len(list), 0
	for part, err := range expand.BracesSeq(nil, w) {
		if err != nil || len(list)-from > maxBraces || t.words > maxWords || bytes > maxTotal {
			return append(list[:from], t.lost(start, end))
		}
		t.words++
		one := t.expand(part.Parts, start, end)
		bytes += len(one.Text)
		if one.Text != "" || quoted(part.Parts) {
			list = append(list, one)
		}
	}
	return list
}

// lost returns a word that may be any number of any words.
func (t *source) lost(start, end int) word {
	return word{Word: Word{Text: t.src[start:end], Dynamic: true}, start: start, end: end, split: true}
}

// plain reports whether a literal is the text that it stands for.
func plain(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case '\\', '{', '*', '?', '[', '~':
			return false
		}
	}
	return true
}

func soleLit(w *syntax.Word) (*syntax.Lit, bool) {
	if len(w.Parts) != 1 {
		return nil, false
	}
	lit, ok := w.Parts[0].(*syntax.Lit)
	return lit, ok
}

func hasBraces(w *syntax.Word) bool {
	for _, part := range w.Parts {
		if _, ok := part.(*syntax.BraceExp); ok {
			return true
		}
	}
	return false
}

// unclearBraces reports whether bash may see a brace expansion in a word in
// which the parser sees none.
func unclearBraces(src string) bool {
	open := strings.IndexByte(src, '{')
	if open < 0 || !strings.Contains(src[open:], "}") {
		return false
	}
	quote, depth := byte(0), 0
	for i := open; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '$' && i+1 < len(src) && src[i+1] == '{':
			depth++
			i++
		case c == '}' && depth > 0:
			depth--
		case depth == 0 && (c == ',' || strings.HasPrefix(src[i:], "..")):
			return strings.Contains(src[i:], "}")
		}
	}
	return false
}

func quoted(parts []syntax.WordPart) bool {
	for _, part := range parts {
		switch part.(type) {
		case *syntax.SglQuoted, *syntax.DblQuoted:
			return true
		}
	}
	return false
}

// one returns the value of a word that is not split, such as an assignment's.
func (t *source) one(w *syntax.Word) word {
	if w == nil || len(w.Parts) == 0 {
		return word{}
	}
	return t.expand(w.Parts, int(w.Pos().Offset()), int(w.End().Offset()))
}

func (t *source) expand(parts []syntax.WordPart, start, end int) word {
	if len(parts) == 1 {
		if w, ok := inQuotes(parts[0]); ok {
			w.start, w.end = start, end
			return w
		}
	}
	x := expansion{t: t, word: word{start: start, end: end}}
	if len(parts) > 0 && elsewhere(parts) {
		x.dynamic(false)
		x.head = "~"
	}
	x.parts(parts)
	x.settle(parts)
	if n := len(parts) - 1; x.Dynamic && n > 0 && t.counts(&syntax.Word{Parts: parts[n:]}) {
		_, x.numeric = parts[0].(*syntax.Lit)
		x.numeric = x.numeric && n == 1
		x.split = x.split && !x.numeric
	}
	if x.Dynamic {
		x.unknown(t.src[start:end])
	} else {
		x.Text = x.text.String()
		x.head = x.Text
	}
	return x.word
}

// inQuotes returns the word of a part in quotes that is known in full.
func inQuotes(part syntax.WordPart) (word, bool) {
	switch q := part.(type) {
	case *syntax.SglQuoted:
		return static(q.Value), !q.Dollar
	case *syntax.DblQuoted:
		if len(q.Parts) != 1 {
			break
		}
		if lit, ok := q.Parts[0].(*syntax.Lit); ok {
			return static(unescape(lit.Value, escapable)), true
		}
	}
	return word{}, false
}

// escapable are the characters that a backslash escapes in double quotes.
const escapable = "$`\"\\\n"

// elsewhere reports whether a word begins with a tilde that stands for anything
// but the user's own home directory: ~user, ~+ or ~-.
func elsewhere(parts []syntax.WordPart) bool {
	lit, ok := parts[0].(*syntax.Lit)
	if !ok {
		return false
	}
	name, tilde := strings.CutPrefix(lit.Value, "~")
	return tilde && (name != "" && name[0] != '/' || name == "" && len(parts) > 1)
}

// unknown makes the word one that only run time knows.
func (w *word) unknown(src string) {
	w.Text, w.Dynamic = src, true
}

func (x *expansion) parts(parts []syntax.WordPart) {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			x.lit(part.Value)
		case *syntax.SglQuoted:
			x.single(part)
		case *syntax.DblQuoted:
			x.double(part.Parts)
		case *syntax.ExtGlob:
			src := x.t.src[part.Pos().Offset():part.End().Offset()]
			x.Glob = true
			if strings.ContainsAny(src, "$`") {
				x.dynamic(false)
			}
			x.text.WriteString(src)
		case *syntax.ProcSubst:
			x.dynamic(false)
			x.process = len(parts) == 1
		case *syntax.ArithmExp:
			x.dynamic(false) // a number
		default:
			x.dynamic(true)
		}
	}
}

// dynamic notes that the rest of the word is known only at run time.
func (x *expansion) dynamic(split bool) {
	if !x.Dynamic {
		x.head = x.text.String()
	}
	x.Dynamic = true
	x.split = x.split || split
}

func (x *expansion) lit(s string) {
	bracket := -1
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\':
			i++
			if i < len(s) && s[i] != '\n' {
				x.text.WriteByte(s[i])
			}
			continue
		case '*', '?':
			x.Glob = true
		case '[':
			bracket = i
		case ']':
			x.Glob = x.Glob || bracket >= 0 && i > bracket+1
		}
		x.text.WriteByte(s[i])
	}
}

func (x *expansion) single(q *syntax.SglQuoted) {
	if !q.Dollar {
		x.text.WriteString(q.Value)
		return
	}
	s, ok := decode(q.Value)
	if !ok {
		x.dynamic(false)
		return
	}
	x.text.WriteString(s)
}

func (x *expansion) double(parts []syntax.WordPart) {
	for _, part := range parts {
		if lit, ok := part.(*syntax.Lit); ok {
			x.text.WriteString(unescape(lit.Value, escapable))
			continue
		}
		x.dynamic(many(part))
	}
}

// many reports whether a quoted part can become no word or many: "$@".
func many(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	if !ok || p.Param == nil {
		return false
	}
	if p.Param.Value == "@" {
		return true
	}
	at, ok := p.Index.(*syntax.Word)
	return ok && at.Lit() == "@" || p.Names != 0
}

// unescape removes the backslashes before the given characters, and with a
// newline the newline too.
func unescape(s, special string) string {
	if !strings.Contains(s, "\\") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(special, s[i+1]) >= 0 {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// escapes are the letters of $'..' that stand for one character.
var escapes = map[byte]byte{
	'a': 7, 'b': 8, 'e': 27, 'E': 27, 'f': 12, 'n': 10, 'r': 13, 't': 9, 'v': 11, '\\': '\\', '\'': '\'', '"': '"', '?': '?',
}

// decode returns the text that $'s' stands for. It is not ok if the text would
// hold a NUL, where bash cuts it off, or is no valid UTF-8.
func decode(s string) (string, bool) {
	var b []byte
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		c := s[i]
		if plain, ok := escapes[c]; ok {
			b = append(b, plain)
			continue
		}
		switch c {
		case 'c':
			if i+1 == len(s) || s[i+1] == '\\' {
				return "", false
			}
			i++
			b = append(b, s[i]&0x1f)
		case 'x':
			n, used := digits(s[i+1:], 2, 16)
			if used == 0 {
				return "", false
			}
			i += used
			b = append(b, byte(n&0xff))
		case 'u', 'U':
			n, used := digits(s[i+1:], map[byte]int{'u': 4, 'U': 8}[c], 16)
			if used == 0 {
				return "", false
			}
			i += used
			b = utf8.AppendRune(b, rune(n&0x7fffffff))
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n, used := digits(s[i:], 3, 8)
			i += used - 1
			b = append(b, byte(n&0xff)) // as bash cuts it
		default:
			b = append(b, '\\', c)
		}
	}
	text := string(b)
	return text, utf8.ValidString(text) && !strings.Contains(text, "\x00")
}

// digits reads up to most digits at the start of s.
func digits(s string, most, base int) (value uint64, used int) {
	for used < most && used < len(s) {
		n, err := strconv.ParseUint(s[:used+1], base, 32)
		if err != nil {
			break
		}
		value, used = n, used+1
	}
	return value, used
}
