package inbox

import (
	"slices"
	"unicode/utf8"

	"github.com/permctl/permctl/internal/api"
)

// press does what a key means.
func (m *model) press(s stroke) []effect {
	if s.key == keyInterrupt && !s.pasted {
		m.done = true
		return nil
	}
	if s.pasted && m.mode != messaging {
		m.note = "what is pasted is no answer"
		return nil
	}
	switch m.mode {
	case saving:
		return m.pressSaving(s.key)
	case messaging:
		return m.pressMessage(s)
	case helping:
		if !m.scrolls(s.key) {
			m.mode, m.scroll = listing, 0
		}
		return nil
	default:
		return m.pressList(s.key)
	}
}

func (m *model) pressList(k key) []effect {
	switch k {
	case "q":
		m.done = true
	case "?":
		m.mode, m.scroll = helping, 0
	case keyUp, "k":
		m.move(-1)
	case keyDown, "j":
		m.move(1)
	case "o":
		return m.reply(api.Reply{Reply: api.Once})
	case "r":
		return m.reply(api.Reply{Reply: api.Reject})
	case "m":
		if m.answerable() {
			m.mode, m.message, m.caret, m.note = messaging, nil, 0, ""
		}
	case "a":
		return m.save()
	default:
		m.scrolls(k)
	}
	return nil
}

// answerable reports whether the chosen request waits, and says so if not.
func (m *model) answerable() bool {
	e, _ := m.current()
	switch {
	case e == nil:
		m.note = "nothing waits for an answer"
	case e.gone != "":
		m.note = "already " + e.gone
	case e.busy:
	default:
		return true
	}
	return false
}

// move chooses another request.
func (m *model) move(by int) {
	e, i := m.current()
	if e == nil {
		return
	}
	to := min(max(i+by, 0), len(m.entries)-1)
	if to == i && e.gone != "" {
		to = min(max(i-by, 0), len(m.entries)-1) // there is nothing behind what is gone
	}
	if to != i {
		m.note = ""
		m.choose(m.entries[to].pending.ID)
		return
	}
	if e.gone != "" {
		m.entries, m.chosen, m.note, m.scroll = nil, "", "", 0
	}
}

// scrolls moves what is shown of the details, if the key says so.
func (m *model) scrolls(k key) bool {
	page := max(m.parts.shown-1, 1)
	switch k {
	case keyPageDown, " ", "f":
		m.scroll += page
	case keyPageUp, "b":
		m.scroll -= page
	case keyRight, "J":
		m.scroll++
	case keyLeft, "K":
		m.scroll--
	case keyHome, "g":
		m.scroll = 0
	case keyEnd, "G":
		m.scroll = len(m.parts.parts)
	default:
		return false
	}
	return true
}

// save begins to choose what an "always" is to save.
func (m *model) save() []effect {
	if !m.answerable() {
		return nil
	}
	e, _ := m.current()
	if len(e.pending.Offers) == 0 {
		m.note = "there is no always for this call: answer once or reject"
		return nil
	}
	m.mode, m.cursor, m.scope, m.scroll, m.note, m.offers = saving, 0, api.Project, 0, "", nil
	for _, o := range e.pending.Offers {
		m.offers = append(m.offers, offer{Offer: o, save: true})
	}
	return m.preview(e.pending.ID)
}

func (m *model) pressSaving(k key) []effect {
	switch k {
	case keyEscape, "q":
		m.mode, m.scroll = listing, 0
	case keyUp, "k":
		m.cursor = max(m.cursor-1, 0)
	case keyDown, "j":
		m.cursor = min(m.cursor+1, len(m.offers)-1)
	case " ":
		m.offers[m.cursor].save = !m.offers[m.cursor].save
	case "s":
		m.scope = api.Scopes[(slices.Index(api.Scopes, m.scope)+1)%len(api.Scopes)]
	case keyEnter:
		var offers []api.Offer
		for _, o := range m.offers {
			switch {
			case o.save && o.matches == nil:
				m.note = "what it would match is not known yet"
				return nil
			case o.save:
				offers = append(offers, api.Offer{Permission: o.Permission, Pattern: o.Pattern})
			}
		}
		if len(offers) == 0 {
			m.note = "nothing is ticked: space ticks a pattern, escape goes back"
			return nil
		}
		m.mode, m.scroll = listing, 0
		return m.reply(api.Reply{Reply: api.Always, Scope: m.scope, Offers: offers})
	default:
		m.scrolls(k)
	}
	return nil
}

// maxMessage is how many characters a message may have.
const maxMessage = 2000

func (m *model) pressMessage(s stroke) []effect {
	switch k := s.key; {
	case s.pasted && k == keyEnter:
		m.insert(' ')
	case k == keyEscape:
		m.mode, m.note = listing, "not answered"
	case k == keyEnter:
		if len(m.message) == 0 {
			m.note = "the message is empty: escape goes back, and r rejects without one"
			return nil
		}
		m.mode = listing
		return m.reply(api.Reply{Reply: api.Reject, Message: string(m.message)})
	case k == keyLeft:
		m.caret = max(m.caret-1, 0)
	case k == keyRight:
		m.caret = min(m.caret+1, len(m.message))
	case k == keyHome:
		m.caret = 0
	case k == keyEnd:
		m.caret = len(m.message)
	case k == keyBackspace && m.caret > 0:
		m.caret--
		m.message = slices.Delete(m.message, m.caret, m.caret+1)
	case (k == keyDelete || k == keyEOF) && m.caret < len(m.message):
		m.message = slices.Delete(m.message, m.caret, m.caret+1)
	case k == keyClear:
		m.message, m.caret = nil, 0
	default:
		if r, size := utf8.DecodeRuneInString(string(k)); size == len(k) {
			m.insert(r)
		}
	}
	return nil
}

func (m *model) insert(r rune) {
	if len(m.message) < maxMessage {
		m.message = slices.Insert(m.message, m.caret, r)
		m.caret++
	}
}
