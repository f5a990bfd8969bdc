package inbox

import (
	"strings"
	"time"

	"github.com/permctl/permctl/internal/api"
)

// View returns what an inbox with these requests shows, without escape sequences,
// after some keys. Work that they want is not done.
func View(pending []api.Pending, keys string, width, height int, now time.Time) []string {
	m := newModel(nil, func() time.Time { return now })
	for _, p := range pending {
		m.asked(p)
	}
	m.view(width, height)
	var d decoder
	for _, s := range append(d.feed([]byte(keys)), d.flush()...) {
		m.press(s)
		m.view(width, height)
	}
	var lines []string
	for _, l := range m.view(width, height) {
		var text strings.Builder
		for _, cell := range l.cells {
			text.WriteString(cell.Text)
		}
		lines = append(lines, text.String())
	}
	return lines
}

// Keys returns the keys in what a terminal sends, of which pasted ones begin with
// a plus.
func Keys(chunks ...string) []string {
	var d decoder
	var strokes []stroke
	for _, chunk := range chunks {
		strokes = append(strokes, d.feed([]byte(chunk))...)
	}
	var names []string
	for _, s := range append(strokes, d.flush()...) {
		name := string(s.key)
		if s.pasted {
			name = "+" + name
		}
		names = append(names, name)
	}
	return names
}

// Deciding returns the parts of a request's shell text that are marked.
func Deciding(p api.Pending) []string {
	shell := p.Text
	var found []string
	for _, span := range marks(p, shell) {
		found = append(found, shell[span.From:span.To])
	}
	return found
}
