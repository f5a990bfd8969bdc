package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/ask"
)

// heartbeat is how often a silent stream says that it is alive.
const heartbeat = 15 * time.Second

// maxStreams is how many streams there may be at once.
const maxStreams = 256

func event(kind string, data any) ask.Event { return ask.Event{Type: ask.EventType(kind), Data: data} }

// wire returns an event's data as clients read it.
func wire(e ask.Event) any {
	switch data := e.Data.(type) {
	case *ask.Request:
		return view(data)
	case ask.RepliedEvent:
		o := api.Outcome{
			RequestID: data.RequestID, SessionID: data.SessionID, Reply: data.Reply.Kind, By: data.Reply.By, Message: data.Reply.Message,
		}
		if data.Err != nil {
			o.By, o.Message = ender(data.Err), data.Err.Error()
		}
		return o
	}
	return e.Data
}

// ender names what has ended a request that nobody answered.
func ender(err error) string {
	switch {
	case errors.Is(err, ask.ErrExpired):
		return "deadline"
	case errors.Is(err, ask.ErrWithdrawn):
		return "caller"
	case errors.Is(err, ask.ErrClosed):
		return "daemon"
	}
	return ask.ByRules
}

// events is GET /v1/events.
func (s *Server) events(w http.ResponseWriter, r *http.Request) error {
	after, err := lastSeen(r)
	if err != nil {
		return err
	}
	return s.stream(w, r, after, r.URL.Query().Get("observe") != "true", stream.comment, func(out stream, e ask.Event) error {
		return out.send(strconv.FormatUint(e.ID, 10), string(e.Type), wire(e))
	})
}

// lastSeen returns the number of the last event that a client has seen.
func lastSeen(r *http.Request) (uint64, error) {
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.URL.Query().Get("after")
	}
	if text == "" {
		return 0, nil
	}
	after, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, badRequest(fmt.Errorf("the last event is %q, and must be a number", text), "")
	}
	return after, nil
}

// stream greets, so that the client knows that it is heard, and sends events until
// the client goes away or the daemon stops. A listener counts as a person.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, after uint64, listens bool, greet func(stream) error, send func(stream, ask.Event) error) error {
	sub, err := s.broker.Subscribe(r.Context(), after)
	if err != nil {
		return err
	}
	defer sub.Close()
	defer s.streams.Add(-1)
	if s.streams.Add(1) > maxStreams {
		return &httpError{http.StatusTooManyRequests, errors.New("too many listen already"), ""}
	}
	if listens {
		s.listeners.Add(1)
		defer s.listeners.Add(-1)
	}
	patient(w)
	out := newStream(w)
	if err := greet(out); err != nil {
		return nil // the client has gone
	}
	if sub.Missed {
		if err := out.send("", api.EventReset, struct{}{}); err != nil {
			return nil // the client has gone
		}
	}
	follow(r.Context(), out, sub, send)
	return nil
}

// follow sends what a subscription has.
func follow(ctx context.Context, out stream, sub *ask.Subscription, send func(stream, ask.Event) error) {
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case e, ok := <-sub.Events():
			if !ok {
				return // it comes again, and says what it has seen
			}
			err = send(out, e)
		case <-beat.C:
			err = out.comment()
		}
		if err != nil {
			return
		}
	}
}

// A stream is a response of server-sent events.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func newStream(w http.ResponseWriter) stream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	return stream{w, http.NewResponseController(w)}
}

// send sends an event. An id or kind that is empty is left out.
func (s stream) send(id, kind string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	if id != "" {
		id = "id: " + id + "\n"
	}
	if kind != "" {
		kind = "event: " + kind + "\n"
	}
	return s.write("%s%sdata: %s\n\n", id, kind, text)
}

func (s stream) comment() error { return s.write(":\n\n") }

func (s stream) write(format string, args ...any) error {
	const patience = 10 * time.Second // with a client that does not read
	if err := s.control.SetWriteDeadline(time.Now().Add(patience)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := fmt.Fprintf(s.w, format, args...); err != nil {
		return err
	}
	return s.control.Flush()
}
