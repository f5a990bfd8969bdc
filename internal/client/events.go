package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"time"

	"github.com/permctl/permctl/internal/api"
)

// EventConnected is the kind of the event with which [Client.Events] says that
// it is connected, and that nothing escapes it from here on. It is not the
// daemon's.
const EventConnected = "connected"

const (
	// silence is how long a connection may say nothing. The daemon sends a
	// comment every 15 seconds.
	silence = 45 * time.Second

	// minPause and maxPause are how long to wait before connecting again.
	minPause, maxPause = 100 * time.Millisecond, 2 * time.Second
)

var errSilent = errors.New("the daemon has said nothing for 45 seconds")

// Events returns the daemon's events, until ctx ends. Where a connection cannot
// be made or is lost, or an event cannot be read, it says so with an error, and
// if the caller goes on, it connects again and goes on behind the last event
// that it has seen, after a tenth of a second to two. After each
// [EventConnected], and after an [api.EventReset], lists have to be read again.
//
// Unless observe is true, the daemon counts the caller as a person who can
// answer.
func (c *Client) Events(ctx context.Context, observe bool) iter.Seq2[api.Event, error] {
	return func(yield func(api.Event, error) bool) {
		last, pause := "", minPause
		for ctx.Err() == nil {
			err := c.follow(ctx, observe, last, func(event api.Event) bool {
				if event.ID != "" {
					last = event.ID
				}
				pause = minPause
				return yield(event, nil)
			})
			if err == nil || ctx.Err() != nil || !yield(api.Event{}, err) {
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(pause):
			}
			pause = min(2*pause, maxPause)
		}
	}
}

// follow yields the events of one connection. It returns nil once yield says to
// stop, and else why the connection has ended.
func (c *Client) follow(ctx context.Context, observe bool, last string, yield func(api.Event) bool) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watchdog := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer watchdog.Stop()
	query := url.Values{}
	if observe {
		query.Set("observe", "true")
	}
	req, err := request(ctx, http.MethodGet, "/v1/events", query, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "text/event-stream")
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	resp, err := c.send(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if !yield(api.Event{Kind: EventConnected}) {
		return nil
	}
	reader := newEventReader(resp.Body, func() { watchdog.Reset(silence) })
	for {
		event, err := reader.next()
		switch {
		case errors.Is(err, io.EOF):
			return because(ctx, errors.New("the daemon has closed the connection"))
		case err != nil:
			return because(ctx, fmt.Errorf("the connection to the daemon is lost: %w", err))
		case !yield(event):
			return nil
		}
	}
}

// An eventReader reads server-sent events. A line ends with a newline, or a
// carriage return and a newline. An event of more than maxAnswer bytes is an
// [api.EventReset] instead: it is lost, and the lists will show what it was.
type eventReader struct {
	r     *bufio.Reader
	alive func() // called with every line
	max   int    // bytes in an event
	last  string // the id that holds until there is another
}

func newEventReader(r io.Reader, alive func()) *eventReader {
	return &eventReader{r: bufio.NewReaderSize(r, 32<<10), alive: alive, max: maxAnswer}
}

// next returns the next event with data. What the stream's end cuts off is no
// event, and the error is then io.EOF.
func (e *eventReader) next() (api.Event, error) {
	event := api.Event{Kind: "message"}
	var data []byte
	room, tooLong, some := e.max, false, false
	for {
		line, whole, err := e.line(room)
		if err != nil {
			return api.Event{}, err
		}
		e.alive()
		if room -= len(line); !whole {
			tooLong = true
		}
		if len(line) == 0 && whole {
			if some || tooLong {
				event.ID, event.Data = e.last, data
				return e.checked(event, tooLong), nil
			}
			event.Kind, room = "message", e.max
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "data":
			if some {
				data = append(data, '\n')
			}
			data, some = append(data, value...), true
		case "event":
			event.Kind = string(value)
		case "id":
			if !bytes.ContainsRune(value, 0) {
				e.last = string(value)
			}
		}
	}
}

// checked returns the event, or a reset if it was too long or its data is no
// JSON.
func (*eventReader) checked(event api.Event, tooLong bool) api.Event {
	if tooLong || !json.Valid(event.Data) {
		return api.Event{ID: event.ID, Kind: api.EventReset, Data: json.RawMessage("{}")}
	}
	return event
}

// line returns the next line without its end, and whether it is whole: of a
// longer one than room, the rest is skipped.
func (e *eventReader) line(room int) (line []byte, whole bool, err error) {
	whole = true
	for {
		part, err := e.r.ReadSlice('\n')
		if free := max(room-len(line), 0); len(part) > free {
			if len(bytes.TrimRight(part[free:], "\r\n")) > 0 {
				whole = false
			}
			part = part[:free]
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")), whole, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		}
	}
}
