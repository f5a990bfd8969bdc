// Package screen turns the text of strangers into what a terminal can show: it
// neither steers the terminal nor hides or moves what stands beside it.
//
// What is no visible character is written as an escape, as Go writes it. Nothing
// is left out, and it takes time linear in the text.
package screen

import (
	"fmt"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// A Cell is a character as it is shown, with its combining marks.
type Cell struct {
	Text    string // what is shown
	Width   int    // in columns
	Escaped bool   // whether Text stands for a character that is not shown

	// From and To are the bytes of the text that the cell shows.
	From, To int
}

// maxMarks is how many combining marks a character may have. Names in common
// languages have at most two.
const maxMarks = 2

// MinWidth is that of the widest cell.
const MinWidth = len(`\U0010ffff`)

// Cells returns the cells of a text. A tab is two spaces, and a newline is
// escaped.
func Cells(text string) iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for at := 0; at < len(text); {
			cell := next(text[at:])
			cell.From, cell.To = at, at+cell.To
			if !yield(cell) {
				return
			}
			at = cell.To
		}
	}
}

// next returns the first cell of a text that is not empty.
func next(text string) Cell {
	if c := text[0]; c < utf8.RuneSelf && (len(text) == 1 || text[1] < utf8.RuneSelf) {
		return ascii(text[:1])
	}
	r, size := utf8.DecodeRuneInString(text)
	if r < utf8.RuneSelf && !unicode.IsPrint(r) {
		return ascii(text[:size])
	}
	width := widthOf(r, text[:size])
	if width == 0 {
		return escaped(r, text[:size])
	}
	end := size
	for range maxMarks {
		mark, n := utf8.DecodeRuneInString(text[end:])
		if !joins(mark) {
			break
		}
		end += n
	}
	return Cell{Text: text[:end], Width: width, To: end}
}

func ascii(char string) Cell {
	switch c := char[0]; {
	case c == '\t':
		return Cell{Text: "  ", Width: 2, To: 1}
	case c >= ' ' && c <= '~':
		return Cell{Text: char, Width: 1, To: 1}
	default:
		return escaped(rune(c), char)
	}
}

// widthOf returns how many columns a character takes that can stand for itself,
// and 0 for any other.
func widthOf(r rune, text string) int {
	switch {
	case r == utf8.RuneError && len(text) == 1, !unicode.IsPrint(r), unicode.IsMark(r), invisible(r):
		return 0
	case r < utf8.RuneSelf:
		return 1
	}
	if width := uniseg.StringWidth(text); width == 1 || width == 2 {
		return width
	}
	return 0
}

// joins reports whether a combining mark may stand behind a character: one that
// is seen, and does not put a frame around it.
func joins(r rune) bool { return unicode.Is(unicode.Mn, r) && !invisible(r) }

// invisible reports whether a character counts as printable but shows nothing,
// or changes what another looks like.
func invisible(r rune) bool {
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r) ||
		r == '\u2800' || // the blank of braille
		r >= 0x1160 && r <= 0x11ff || r >= 0xd7b0 && r <= 0xd7ff || // parts of Hangul syllables
		r >= 0x1f3fb && r <= 0x1f3ff || r >= 0x1f1e6 && r <= 0x1f1ff // skin tones, and halves of flags
}

func escaped(r rune, raw string) Cell {
	var text string
	switch {
	case r == utf8.RuneError && len(raw) == 1, r < 0x80:
		text = fmt.Sprintf(`\x%02x`, raw[0])
	case r <= 0xffff:
		text = fmt.Sprintf(`\u%04x`, r)
	default:
		text = fmt.Sprintf(`\U%08x`, r)
	}
	switch r {
	case '\n':
		text = `\n`
	case '\r':
		text = `\r`
	}
	return Cell{Text: text, Width: len(text), Escaped: true, To: len(raw)}
}

// Line returns a text as one line. If it is wider than width columns, it is cut
// and ends with an ellipsis; a width of 0 or less is no limit.
func Line(text string, width int) string {
	var b strings.Builder
	total, cut, fits := 0, 0, true
	for cell := range Cells(text) {
		if total += cell.Width; width > 0 && total > width {
			fits = false
			break
		}
		b.WriteString(cell.Text)
		if width <= 0 || total < width {
			cut = b.Len()
		}
	}
	if fits {
		return b.String()
	}
	return b.String()[:cut] + "…"
}

// Pad returns a text as one line of exactly width columns.
func Pad(text string, width int) string {
	line := Line(text, width)
	return line + strings.Repeat(" ", max(width-Width(line), 0))
}

// Width returns how many columns a text takes as one line.
func Width(text string) int {
	total := 0
	for cell := range Cells(text) {
		total += cell.Width
	}
	return total
}

// A Span is a part of a text, in bytes.
type Span struct{ From, To int }

// Wrap returns the lines in which a text is shown in width columns, of which
// there are at least [MinWidth]: it breaks at newlines, which are in no line, and
// where a line is full.
func Wrap(text string, width int) []Span {
	width = max(width, MinWidth)
	var spans []Span
	from, used := 0, 0
	for cell := range Cells(text) {
		if text[cell.From] == '\n' {
			spans = append(spans, Span{from, cell.From})
			from, used = cell.To, 0
			continue
		}
		if used+cell.Width > width {
			spans = append(spans, Span{from, cell.From})
			from, used = cell.From, 0
		}
		used += cell.Width
	}
	return append(spans, Span{from, len(text)})
}
