package inbox

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
)

// A mode is what keys mean.
type mode int

const (
	listing   mode = iota // the list, and what is known of the chosen request
	saving                // what an "always" is to save
	messaging             // the message of a rejection
	helping
)

// An entry is a request of the list.
type entry struct {
	pending api.Pending

	// gone says what came of it, if it does not wait any more. Such an entry
	// is there only as long as it is the chosen one, so that no key that is
	// meant for it reaches another.
	gone string

	// since is the round of the list in which it came.
	since int

	busy bool // an answer is on its way
}

// An effect is work beside the terminal. What it returns is done to the model.
type effect func(ctx context.Context) change

// A change is something that happens to the model. It may want work to be done.
type change func(m *model) []effect

// A model is all that the terminal shows, and what keys do to it. It is used by
// one goroutine.
type model struct {
	client *client.Client
	now    func() time.Time

	entries []*entry // by id, which ascends
	chosen  string   // the id of the chosen one, or "" if there is none
	done    bool     // the person wants to leave

	mode   mode
	scroll int    // lines of the details above the screen
	note   string // what has happened
	lost   string // why there is no connection, or ""
	live   bool   // whether there has been one

	round    int             // of reading the list
	answered map[string]bool // requests that have left the list

	offers  []offer   // in saving
	cursor  int       // the offer that keys mean
	scope   api.Scope // where it is to hold
	message []rune    // in messaging
	caret   int       // where in it keys type

	parts partsOf // what was wrapped last
}

// An offer is one that an "always" may save.
type offer struct {
	api.Offer

	save    bool
	matches []string // what it would match, or nil as long as that is not known
}

func newModel(c *client.Client, now func() time.Time) *model {
	return &model{client: c, now: now, answered: map[string]bool{}, scope: api.Project}
}

// current returns the chosen entry and its place, or nil.
func (m *model) current() (*entry, int) {
	i := slices.IndexFunc(m.entries, func(e *entry) bool { return e.pending.ID == m.chosen })
	if i < 0 {
		return nil, -1
	}
	return m.entries[i], i
}

// waiting returns how many requests wait.
func (m *model) waiting() int {
	n := 0
	for _, e := range m.entries {
		if e.gone == "" {
			n++
		}
	}
	return n
}

// asked adds a request. It is chosen only if there is no other.
func (m *model) asked(p api.Pending) {
	if m.answered[p.ID] {
		return
	}
	i, found := slices.BinarySearchFunc(m.entries, p.ID, func(e *entry, id string) int { return compare(e.pending.ID, id) })
	if found {
		return
	}
	m.entries = slices.Insert(m.entries, i, &entry{pending: p, since: m.round})
	if m.chosen == "" {
		m.choose(p.ID)
	}
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// choose makes a request the chosen one.
func (m *model) choose(id string) {
	if e, i := m.current(); e != nil && e.gone != "" && id != m.chosen {
		m.entries = slices.Delete(m.entries, i, i+1)
	}
	m.chosen, m.scroll = id, 0
}

// maxAnswered is how many requests that have left the list are remembered.
const maxAnswered = 10_000

// leaves takes a request off the list, and says how it went.
func (m *model) leaves(id, how string) {
	if len(m.answered) > maxAnswered {
		clear(m.answered)
	}
	m.answered[id] = true
	i := slices.IndexFunc(m.entries, func(e *entry) bool { return e.pending.ID == id })
	if i < 0 || m.entries[i].gone != "" {
		return
	}
	e := m.entries[i]
	m.note = title(e.pending) + ": " + how
	if e.gone, e.busy = how, false; id != m.chosen {
		m.entries = slices.Delete(m.entries, i, i+1)
	}
}

func title(p api.Pending) string {
	if p.Title != "" {
		return p.Title
	}
	return p.Metadata.Tool
}

// event returns the change that an event of the daemon makes.
func event(e api.Event) change {
	return func(m *model) []effect {
		switch e.Kind {
		case client.EventConnected:
			m.lost, m.live = "", true
			return m.read()
		case api.EventReset:
			return m.read()
		case api.EventAsked:
			var p api.Pending
			if err := json.Unmarshal(e.Data, &p); err != nil {
				return m.read()
			}
			m.asked(p)
		case api.EventReplied:
			var o api.Outcome
			if err := json.Unmarshal(e.Data, &o); err != nil {
				return m.read()
			}
			if c, _ := m.current(); c == nil || c.pending.ID != o.RequestID || !c.busy {
				m.leaves(o.RequestID, How(o)) // one's own answer will come back, and say more
			}
		}
		return nil
	}
}

// disconnected returns the change that a lost connection makes.
func disconnected(err error) change {
	return func(m *model) []effect {
		if m.lost = err.Error(); errors.Is(err, client.ErrNotRunning) {
			m.lost = "no daemon runs"
		}
		return nil
	}
}

// maxRequest is how long the daemon may take for an answer.
const maxRequest = 10 * time.Second

func requesting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, maxRequest, errors.New("the daemon does not answer"))
}

// read reads the list again.
func (m *model) read() []effect {
	m.round++
	round, c := m.round, m.client
	return []effect{func(ctx context.Context) change {
		ctx, cancel := requesting(ctx)
		defer cancel()
		found, err := c.Pending(ctx, "")
		return func(m *model) []effect {
			if err != nil {
				m.note = "the list cannot be read: " + err.Error()
				return nil
			}
			m.listed(found, round)
			return nil
		}
	}}
}

// listed makes the list what the daemon's was in a round. What has come since
// stays.
func (m *model) listed(found []api.Pending, round int) {
	waits := map[string]bool{}
	for _, p := range found {
		waits[p.ID] = true
	}
	for _, e := range slices.Clone(m.entries) {
		if !waits[e.pending.ID] && e.since < round && !e.busy {
			m.leaves(e.pending.ID, How(api.Outcome{}))
		}
	}
	for _, p := range found {
		m.asked(p)
	}
}

// reply sends an answer to the chosen request.
func (m *model) reply(reply api.Reply) []effect {
	e, _ := m.current()
	switch {
	case e == nil:
		m.note = "nothing waits for an answer"
		return nil
	case e.gone != "":
		m.note = "already " + e.gone
		return nil
	case e.busy:
		return nil
	}
	reply.By = "permctl inbox"
	e.busy = true
	id, c := e.pending.ID, m.client
	return []effect{func(ctx context.Context) change {
		ctx, cancel := requesting(ctx)
		defer cancel()
		_, err := c.Reply(ctx, id, reply)
		return func(m *model) []effect { return m.replied(id, reply, err) }
	}}
}

// replied takes in what came of an answer.
func (m *model) replied(id string, reply api.Reply, err error) []effect {
	i := slices.IndexFunc(m.entries, func(e *entry) bool { return e.pending.ID == id })
	if i >= 0 {
		m.entries[i].busy = false
	}
	said, ok := errors.AsType[*client.Error](err)
	switch {
	case err == nil:
		m.leaves(id, How(api.Outcome{Reply: reply.Reply, By: "you", Message: reply.Message}))
	case ok && (said.Status == http.StatusNotFound || said.Status == http.StatusConflict):
		m.leaves(id, "gone: "+said.Message)
	default:
		m.note = "not answered: " + err.Error()
	}
	return nil
}

// preview has the daemon say what the offers of a request would match.
func (m *model) preview(id string) []effect {
	var effects []effect
	for _, o := range m.offers {
		c := m.client
		effects = append(effects, func(ctx context.Context) change {
			ctx, cancel := requesting(ctx)
			defer cancel()
			preview, err := c.Preview(ctx, id, o.Offer)
			return func(m *model) []effect {
				i := slices.IndexFunc(m.offers, func(other offer) bool { return other.Same(o.Offer) })
				if i < 0 || m.chosen != id {
					return nil
				}
				if err != nil {
					m.offers[i].matches = []string{"what it would match is not known: " + err.Error()}
					return nil
				}
				if len(preview.Examples) == 0 {
					preview.Examples = o.Examples
				}
				m.offers[i].matches = append([]string{}, Matches(preview, m.now())...)
				return nil
			}
		})
	}
	return effects
}
