package inbox

import (
	"strings"

	"github.com/permctl/permctl/internal/screen"
)

// A style is how a part of a line looks.
type style int

const (
	plain style = iota
	dim
	bold
	chosen   // the line that is selected
	deciding // the part of a call that has to be asked for
	escape   // what stands for a character that is not shown
	warning
	good
)

// codes are the styles with colours, and grey without.
var (
	codes = map[style]string{dim: "2", bold: "1", chosen: "7", deciding: "1;4;33", escape: "35;7", warning: "1;31", good: "32"}
	grey  = map[style]string{dim: "2", bold: "1", chosen: "7", deciding: "1;4", escape: "7", warning: "1"}
)

// A line is one of the screen, of cells that are safe to show.
type line struct {
	cells  []screen.Cell
	styles []style
	width  int
}

// add adds a text to the line, in which what is escaped looks so.
func (l *line) add(s style, text string) {
	for cell := range screen.Cells(text) {
		l.cell(s, cell)
	}
}

func (l *line) cell(s style, cell screen.Cell) {
	if cell.Escaped && s != chosen {
		s = escape
	}
	l.cells, l.styles, l.width = append(l.cells, cell), append(l.styles, s), l.width+cell.Width
}

// fit adds a text that is cut so that room columns stay free in a line of width.
func (l *line) fit(s style, text string, width, room int) {
	if free := width - l.width - room; free > 0 {
		l.add(s, screen.Line(text, free))
	}
}

// fill adds spaces up to a column.
func (l *line) fill(s style, column int) {
	if n := column - l.width; n > 0 {
		l.add(s, strings.Repeat(" ", n))
	}
}

// text returns the line as a terminal of so many columns gets it, with colours or
// without.
func (l *line) text(width int, colour bool) string {
	table := grey
	if colour {
		table = codes
	}
	var b strings.Builder
	used, now := 0, ""
	for i, cell := range l.cells {
		if used += cell.Width; used > width {
			break
		}
		if code := table[l.styles[i]]; code != now {
			b.WriteString("\x1b[0m")
			if code != "" {
				b.WriteString("\x1b[" + code + "m")
			}
			now = code
		}
		b.WriteString(cell.Text)
	}
	if now != "" {
		b.WriteString("\x1b[0m")
	}
	return b.String()
}
