package ask

import (
	"container/list"
	"context"
	"sync"
)

// A Hub keeps what is pending, and tells everybody of what happens. All its
// methods are safe for concurrent use, and none waits for a subscriber.
//
// [Memory] is the one that there is. A broker for many machines would be
// another, over a database that they share.
type Hub interface {
	// Add makes a request pending, and returns what receives its outcome, once.
	// The error is [ErrFull] or [ErrClosed].
	Add(ctx context.Context, r *Request) (<-chan Outcome, error)

	// Claim takes a request for an answer: of several at once, one gets it. The
	// error is [ErrNotPending] or an [*AnsweredError].
	Claim(ctx context.Context, id string) (*Request, error)

	// Settle ends a claimed request with its outcome, and Release gives it back.
	Settle(ctx context.Context, id string, o Outcome) error
	Release(ctx context.Context, id string) error

	// List returns what is pending in a session, or in all if that is empty,
	// oldest first, claimed ones included.
	List(ctx context.Context, session string) ([]*Request, error)

	// Len returns how many requests are pending.
	Len() int

	// Get returns a pending request, or [ErrNotPending].
	Get(ctx context.Context, id string) (*Request, error)

	// Publish tells all subscribers of an event, and gives it its number.
	Publish(ctx context.Context, e Event) error

	// Subscribe returns what happens from now on, or after the event of a
	// number that is not zero.
	Subscribe(ctx context.Context, after uint64) (*Subscription, error)

	// Stop lets nothing be added any more, and Close ends all subscriptions too.
	Stop()
	Close() error
}

// An Outcome is how a request ends: with a reply, or with an error.
type Outcome struct {
	Reply Reply
	Err   error
}

// An EventType names what happened.
type EventType string

// The events of a broker.
const (
	Asked   EventType = "permission.asked"   // Data is a [*Request]
	Replied EventType = "permission.replied" // Data is a [RepliedEvent]
)

// An Event is something that happened.
type Event struct {
	ID   uint64 // ascends, and begins with 1
	Type EventType
	Data any
}

// A RepliedEvent tells that a request is no longer pending.
type RepliedEvent struct {
	RequestID, SessionID string
	Reply                Reply
	Err                  error // why it ended without a reply, or nil
}

// Limits of a [Memory].
const (
	DefaultMaxPending    = 20_000
	DefaultMaxPerSession = 1_000

	maxBytes     = 256 << 20 // of all that is pending
	keptBytes    = 64 << 20  // of the events that a subscriber may have missed
	keptEvents   = 1024      // that a subscriber may have missed
	keptAnswers  = 1024      // of which a late reply is told
	subscriberAt = 256       // events that a subscriber may be behind
)

// A Memory is a [Hub] in the memory of one process.
type Memory struct {
	maxPending, maxPerSession int

	mu          sync.Mutex // guards what follows
	pending     map[string]*entry
	all         *list.List            // of *entry, by arrival
	sessions    map[string]*list.List // of *entry, by arrival
	answered    map[string]*AnsweredError
	bytes       int      // of all that is pending
	answers     []string // the ids in answered, oldest first
	events      []Event  // the latest, oldest first
	eventBytes  int      // of those
	lastEvent   uint64
	subscribers map[*Subscription]struct{}
	stopped     bool // nothing may be added
	closed      bool // nor told
}

// An entry is a pending request with its places in the lists.
type entry struct {
	request    *Request
	outcome    chan Outcome
	claimed    bool
	all, ofOne *list.Element
}

// NewMemory returns a hub that holds at most so many requests, in all and in a
// session; zero is the default.
func NewMemory(maxPending, maxPerSession int) *Memory {
	if maxPending == 0 {
		maxPending = DefaultMaxPending
	}
	if maxPerSession == 0 {
		maxPerSession = DefaultMaxPerSession
	}
	return &Memory{
		maxPending: maxPending, maxPerSession: maxPerSession,
		pending: map[string]*entry{}, all: list.New(), sessions: map[string]*list.List{},
		answered: map[string]*AnsweredError{}, subscribers: map[*Subscription]struct{}{},
	}
}

// Add implements [Hub].
func (m *Memory) Add(_ context.Context, r *Request) (<-chan Outcome, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	session := m.sessions[r.Session]
	switch {
	case m.stopped:
		return nil, ErrClosed
	case m.pending[r.ID] != nil:
		return nil, &InvalidError{"a request of the id " + r.ID + " is pending already"}
	case len(m.pending) >= m.maxPending, session != nil && session.Len() >= m.maxPerSession, m.bytes+r.Size > maxBytes:
		return nil, ErrFull
	}
	if session == nil {
		session = list.New()
		m.sessions[r.Session] = session
	}
	e := &entry{request: r, outcome: make(chan Outcome, 1)}
	e.all, e.ofOne = m.all.PushBack(e), session.PushBack(e)
	m.pending[r.ID] = e
	m.bytes += r.Size
	return e.outcome, nil
}

// Claim implements [Hub].
func (m *Memory) Claim(_ context.Context, id string) (*Request, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.pending[id]
	switch {
	case e != nil && !e.claimed:
		e.claimed = true
		return e.request, nil
	case e != nil:
		return nil, &AnsweredError{}
	case m.answered[id] != nil:
		return nil, m.answered[id]
	}
	return nil, ErrNotPending
}

// Settle implements [Hub].
func (m *Memory) Settle(_ context.Context, id string, o Outcome) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.pending[id]
	if e == nil || !e.claimed {
		return ErrNotPending
	}
	delete(m.pending, id)
	m.bytes -= e.request.Size
	m.all.Remove(e.all)
	session := m.sessions[e.request.Session]
	if session.Remove(e.ofOne); session.Len() == 0 {
		delete(m.sessions, e.request.Session)
	}
	if o.Err == nil {
		m.remember(id, o.Reply)
	}
	e.outcome <- o // has room, and this is the only one
	return nil
}

// remember keeps who answered a request. m.mu is held.
func (m *Memory) remember(id string, r Reply) {
	m.answered[id] = &AnsweredError{r.Kind, r.By}
	m.answers = append(m.answers, id)
	if len(m.answers) > keptAnswers {
		delete(m.answered, m.answers[0])
		m.answers = m.answers[1:]
	}
}

// Release implements [Hub].
func (m *Memory) Release(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.pending[id]; e != nil {
		e.claimed = false
		return nil
	}
	return ErrNotPending
}

// List implements [Hub].
func (m *Memory) List(_ context.Context, session string) ([]*Request, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	from := m.all
	if session != "" {
		if from = m.sessions[session]; from == nil {
			return nil, nil
		}
	}
	requests := make([]*Request, 0, from.Len())
	for at := from.Front(); at != nil; at = at.Next() {
		if e, ok := at.Value.(*entry); ok {
			requests = append(requests, e.request)
		}
	}
	return requests, nil
}

// Len implements [Hub].
func (m *Memory) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.pending)
}

// Get implements [Hub].
func (m *Memory) Get(_ context.Context, id string) (*Request, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.pending[id]; e != nil {
		return e.request, nil
	}
	return nil, ErrNotPending
}

// Publish implements [Hub].
func (m *Memory) Publish(_ context.Context, e Event) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	m.lastEvent++
	e.ID = m.lastEvent
	m.keep(e)
	for s := range m.subscribers {
		select {
		case s.events <- e:
		default: // it is too slow: it comes again, and says what it has seen
			m.drop(s)
		}
	}
	return nil
}

// keep keeps an event for those who have missed it, and forgets old ones. m.mu is
// held.
func (m *Memory) keep(e Event) {
	m.events = append(m.events, e)
	m.eventBytes += e.size()
	drop := 0
	for len(m.events)-drop > keptEvents || m.eventBytes > keptBytes && drop < len(m.events) {
		m.eventBytes -= m.events[drop].size()
		drop++
	}
	if drop == 0 {
		return
	}
	clear(m.events[:drop]) // so that what they hold on to can go
	if m.events = m.events[drop:]; cap(m.events) < keptEvents {
		m.events = append(make([]Event, 0, 2*keptEvents), m.events...)
	}
}

// size is about how many bytes an event holds on to.
func (e Event) size() int {
	const small = 1 << 10
	if r, ok := e.Data.(*Request); ok {
		return small + r.Size
	}
	return small
}

// A Subscription receives events until it is closed.
type Subscription struct {
	// Missed is true if events before the first are no longer known.
	Missed bool

	hub    *Memory
	events chan Event
}

// Events is closed if the hub is, or if whoever reads it is too slow.
func (s *Subscription) Events() <-chan Event { return s.events }

// Close ends the subscription.
func (s *Subscription) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	s.hub.drop(s)
}

// drop ends a subscription. m.mu is held.
func (m *Memory) drop(s *Subscription) {
	if _, ok := m.subscribers[s]; ok {
		delete(m.subscribers, s)
		close(s.events)
	}
}

// Subscribe implements [Hub].
func (m *Memory) Subscribe(_ context.Context, after uint64) (*Subscription, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, ErrClosed
	}
	s := &Subscription{hub: m}
	var missed []Event
	if after > 0 {
		missed = m.events[len(m.events)-min(len(m.events), int(min(m.lastEvent-min(after, m.lastEvent), keptEvents))):]
		s.Missed = after > m.lastEvent || uint64(len(missed)) < m.lastEvent-after
	}
	s.events = make(chan Event, len(missed)+subscriberAt)
	for _, e := range missed {
		s.events <- e
	}
	m.subscribers[s] = struct{}{}
	return s, nil
}

// Stop implements [Hub].
func (m *Memory) Stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stopped = true
}

// Close implements [Hub].
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stopped, m.closed = true, true
	for s := range m.subscribers {
		m.drop(s)
	}
	return nil
}
