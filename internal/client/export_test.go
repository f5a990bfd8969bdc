package client

import (
	"io"

	"github.com/permctl/permctl/internal/api"
)

// ReadEvents returns the events in a stream, of which one has at most so many
// bytes.
func ReadEvents(r io.Reader, most int) ([]api.Event, error) {
	reader := newEventReader(r, func() {})
	reader.max = most
	var events []api.Event
	for {
		event, err := reader.next()
		if err != nil {
			return events, err
		}
		events = append(events, event)
	}
}
