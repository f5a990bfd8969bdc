package inbox

import (
	"fmt"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/screen"
)

// partsOf are the lines of what is shown in detail, as they were wrapped last.
type partsOf struct {
	id    string // of the request
	width int
	parts []part
	shown int // how many lines the screen has for them
}

var help = []block{
	{label: "j k  ", text: "and arrows: choose a request"},
	{label: "o    ", text: "once: let this one call pass"},
	{label: "a    ", text: "always: choose what to save (space ticks, s changes where it holds, enter saves)"},
	{label: "r    ", text: "reject it, and what else its session waits for"},
	{label: "m    ", text: "reject it with a message that the agent is told"},
	{label: "b f  ", text: "and page up, page down: read on in the details (J K: by a line; g G: to an end)"},
	{label: "q    ", text: "leave: what waits goes on waiting"},
	{text: ""},
	{text: "A request that somebody has answered stays until you choose another, so that no key meant for it reaches the next."},
}

// The smallest terminal that says anything.
const (
	minColumns = 20
	minRows    = 6
)

// view returns what a terminal of this size shows, a line each.
func (m *model) view(width, height int) []line {
	if width < minColumns || height < minRows {
		var l line
		l.add(plain, screen.Line(fmt.Sprintf("%d waiting", m.waiting()), max(width, 1)))
		return []line{l}
	}
	lines := []line{m.heading(width)}
	rows := min(max(len(m.entries), 1), max((height-4)/3, 1))
	lines = append(lines, m.list(width, rows)...)
	room := height - len(lines) - 3
	details := m.details(width, room)
	lines = append(lines, m.separator(width, room))
	lines = append(lines, details...)
	for len(lines) < height-2 {
		lines = append(lines, line{})
	}
	return append(lines, m.status(width), m.keys(width))
}

func (m *model) heading(width int) line {
	var l line
	l.add(bold, screen.Line(fmt.Sprintf("permctl inbox  %d waiting", m.waiting()), width))
	switch {
	case m.lost != "":
		l.add(plain, "  ")
		l.fit(warning, "not connected: "+m.lost+"; trying again", width, 0)
	case !m.live:
		l.fit(dim, "  connecting", width, 0)
	default:
		l.fit(dim, "  connected", width, 0)
	}
	return l
}

// list returns the rows around the chosen request.
func (m *model) list(width, rows int) []line {
	if len(m.entries) == 0 {
		var l line
		l.add(dim, screen.Line("nothing waits for an answer", width))
		return []line{l}
	}
	_, at := m.current()
	from := min(max(at-rows/2, 0), max(len(m.entries)-rows, 0))
	var lines []line
	for i, e := range m.entries[from:min(from+rows, len(m.entries))] {
		lines = append(lines, m.row(e, from+i == at, width))
	}
	return lines
}

func (m *model) row(e *entry, isChosen bool, width int) line {
	var l line
	mark, s := "  ", plain
	if isChosen {
		mark, s = "> ", chosen
	}
	l.add(s, mark)
	switch {
	case e.gone != "":
		l.fit(s, e.gone+"  ", width, 8)
	case e.busy:
		l.add(s, "answering  ")
	default:
		l.add(s, screen.Pad(Age(m.now().Sub(e.pending.Asked)), 4))
	}
	session := ""
	if width >= 60 && e.pending.SessionID != "" {
		session = "  " + screen.Line(e.pending.SessionID, 12)
	}
	l.fit(s, title(e.pending), width, screen.Width(session))
	l.fill(s, width-screen.Width(session))
	l.fit(s, session, width, 0)
	return l
}

// details returns the lines of what is shown below the list.
func (m *model) details(width, room int) []line {
	parts := m.wrapped(width)
	m.parts.shown = room
	if m.mode == saving {
		m.show(room)
	}
	m.scroll = min(max(m.scroll, 0), max(len(parts)-room, 0))
	var lines []line
	for _, p := range parts[m.scroll:min(m.scroll+room, len(parts))] {
		lines = append(lines, p.line())
	}
	return lines
}

// wrapped returns all lines of the details. Those of a request are kept, for its
// text may be long.
func (m *model) wrapped(width int) []part {
	e, _ := m.current()
	switch {
	case m.mode == helping:
		m.parts = partsOf{parts: wrap(append([]block{}, help...), width)}
	case e == nil:
		m.parts = partsOf{}
	case m.mode == saving:
		m.parts = partsOf{parts: wrap(m.savable(), width)}
	case m.parts.id != e.pending.ID || m.parts.width != width:
		m.parts = partsOf{id: e.pending.ID, width: width, parts: wrap(describe(e.pending), width)}
	}
	return m.parts.parts
}

// savable returns what an "always" is to save.
func (m *model) savable() []block {
	where := map[api.Scope]string{api.Session: "this session only", api.Project: "this project", api.Global: "all projects"}[m.scope]
	blocks := []block{{label: "always, in: ", text: where, style: bold}}
	for i, o := range m.offers {
		label, s := "  [ ] ", plain
		if o.save {
			label = "  [x] "
		}
		if i == m.cursor {
			label, s = ">"+label[1:], bold
		}
		blocks = append(blocks, block{label: label, text: o.Permission + "  " + o.Pattern, style: s})
		for _, match := range o.matches {
			blocks = append(blocks, block{label: "      ", text: match})
		}
		if o.matches == nil {
			blocks = append(blocks, block{label: "      ", text: "…", style: dim})
		}
	}
	return blocks
}

// show scrolls so that the offer that keys mean is to be seen.
func (m *model) show(room int) {
	for i, p := range m.parts.parts {
		if p.first && p.block.label != "" && p.block.label[0] == '>' {
			if i < m.scroll {
				m.scroll = i
			}
			if m.cursor == 0 && i < room {
				m.scroll = 0
			}
			if i >= m.scroll+room {
				m.scroll = i - room + 1
			}
			return
		}
	}
}

// separator says how much of the details is to be seen.
func (m *model) separator(width, room int) line {
	var l line
	if n := len(m.parts.parts); n > room {
		l.add(dim, "-- ")
		s := dim
		if m.scroll+room < n {
			s = warning
		}
		l.fit(s, fmt.Sprintf("lines %d to %d of %d", m.scroll+1, min(m.scroll+room, n), n), width, 0)
		if m.scroll+room < n {
			l.fit(s, ", more below (page down)", width, 0)
		}
		l.fit(dim, " ", width, 0)
	}
	for l.width < width {
		l.add(dim, "-")
	}
	return l
}

func (m *model) status(width int) line {
	var l line
	if m.mode != messaging {
		l.add(bold, screen.Line(m.note, width))
		return l
	}
	if e, _ := m.current(); e == nil || e.gone != "" {
		l.fit(warning, "already answered ", width, 12)
	}
	l.add(bold, "message: ")
	from := 0
	for from < m.caret && screen.Width(string(m.message[from:m.caret])) > width-l.width-1 {
		from++
	}
	l.add(plain, string(m.message[from:m.caret]))
	if m.caret == len(m.message) {
		l.add(chosen, " ")
		return l
	}
	l.add(chosen, string(m.message[m.caret]))
	l.fit(plain, string(m.message[m.caret+1:]), width, 0)
	return l
}

func (m *model) keys(width int) line {
	text := map[mode]string{
		listing:   "o once  a always  r reject  m message  ? help  q quit",
		saving:    "space tick  s scope  enter save  esc back",
		messaging: "enter reject  esc back",
		helping:   "any key goes back",
	}[m.mode]
	if width < screen.Width(text) {
		text = map[mode]string{listing: "o a r m  ? help  q quit", saving: "space s enter esc"}[m.mode]
	}
	var l line
	l.add(dim, screen.Line(text, width))
	return l
}
