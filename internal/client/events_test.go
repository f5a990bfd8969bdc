package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
	"github.com/permctl/permctl/internal/client/clienttest"
)

// TestEvents asserts that no event is lost or told twice where the connection is
// lost, and that the caller is told of both.
func TestEvents(t *testing.T) {
	d := &clienttest.Daemon{}
	socket := clienttest.Start(t, d)
	c, err := client.Dial(socket)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got []string
	for event, err := range c.Events(ctx, true) {
		switch {
		case err != nil:
			got = append(got, "lost")
			d.Add(api.Pending{ID: "per_2"})
			continue
		case event.Kind == client.EventConnected && len(got) == 0:
			d.Add(api.Pending{ID: "per_1"})
		case event.ID == "1":
			d.Drop()
		case event.ID == "2":
			d.Answer("per_2", api.Once, "ann", "")
		case event.ID == "3":
			cancel()
		}
		got = append(got, event.ID+" "+event.Kind)
	}
	want := []string{" connected", "1 permission.asked", "lost", " connected", "2 permission.asked", "3 permission.replied"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if requests := strings.Join(d.Requests(), "\n"); !strings.Contains(requests, "GET /v1/events?observe=true") {
		t.Errorf("the requests are\n%s\nwant one that observes", requests)
	}
}

// TestEventsNobody asserts that the caller is told that there is no daemon, and
// gets its events once there is.
func TestEventsNobody(t *testing.T) {
	d := &clienttest.Daemon{}
	socket := clienttest.Start(t, d)
	c, err := client.Dial(socket)
	if err != nil {
		t.Fatal(err)
	}
	second := socket + "2"
	stop := clienttest.Listen(t, d, second)
	c2, err := client.Dial(second)
	if err != nil {
		t.Fatal(err)
	}
	stop()
	tries := 0
	for event, err := range c2.Events(t.Context(), false) {
		if err == nil {
			if event.Kind != client.EventConnected {
				t.Errorf("the first event is %+v", event)
			}
			break
		}
		if !errors.Is(err, client.ErrNotRunning) {
			t.Errorf("Events: %v, want ErrNotRunning", err)
		}
		if tries++; tries == 2 {
			t.Cleanup(clienttest.Listen(t, d, second))
		}
	}
	for _, err := range c.Events(t.Context(), false) {
		if err != nil {
			t.Error(err)
		}
		break // a caller may end at any time
	}
}

var streams = []struct {
	text string
	want []string
}{
	{"", nil},
	{"id: 1\nevent: decision\ndata: {\"a\":1}\n\n", []string{`1 decision {"a":1}`}},
	{"id: 1\r\nevent: decision\r\ndata: {}\r\n\r\n", []string{`1 decision {}`}},
	{": hello\n\nid:2\ndata:[1,\ndata:2]\n\n", []string{"2 message [1,\n2]"}},
	{"event: a\n\ndata: 1\n\n", []string{" message 1"}},
	{"id: 1\ndata: 1\n\ndata: 2\n\n", []string{"1 message 1", "1 message 2"}},
	{"id: 1\ndata: 1\n", nil},
	{"data: 1\n\ndata: 2", []string{" message 1"}},
	{"id: a\x00b\ndata: 1\n\n", []string{" message 1"}},
	{"data: nonsense\n\n", []string{" reset {}"}},
	{"retry: 10\nid: 1\ndata: 1\n\n", []string{"1 message 1"}},
	{"id: 1\ndata: " + strings.Repeat("1", 100) + "\n\nid: 2\ndata: 2\n\n", []string{"1 reset {}", "2 message 2"}},
	{"id: 1\ndata: " + strings.Repeat("1", 100_000) + "\n\nid: 2\ndata: 2\n\n", []string{"1 reset {}", "2 message 2"}},
	{"id: 1\n" + strings.Repeat("data: 1\n", 100) + "\nid: 2\ndata: 2\n\n", []string{"1 reset {}", "2 message 2"}},
}

func TestReadEvents(t *testing.T) {
	for _, tt := range streams {
		events, err := client.ReadEvents(strings.NewReader(tt.text), 64)
		var got []string
		for _, event := range events {
			got = append(got, fmt.Sprintf("%s %s %s", event.ID, event.Kind, event.Data))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || !errors.Is(err, io.EOF) {
			t.Errorf("%.60q: %v %s", tt.text, err, diff)
		}
	}
}

func FuzzReadEvents(f *testing.F) {
	for _, tt := range streams {
		f.Add([]byte(tt.text), 64)
	}
	f.Fuzz(func(t *testing.T, text []byte, most int) {
		most = max(most%1000, 1)
		events, err := client.ReadEvents(strings.NewReader(string(text)), most)
		if !errors.Is(err, io.EOF) {
			t.Errorf("ReadEvents(%q): %v, want the stream's end", text, err)
		}
		for _, event := range events {
			if !json.Valid(event.Data) || len(event.Data) > most && event.Kind != api.EventReset {
				t.Errorf("ReadEvents(%q, %d) has %+v", text, most, event)
			}
		}
		// What comes behind is read, whatever came before.
		again, _ := client.ReadEvents(strings.NewReader(string(text)+"\n\n\nid: x\nevent: last\ndata: {}\n\n"), max(most, 64))
		if n := len(again); n == 0 || again[n-1].ID != "x" || again[n-1].Kind != "last" {
			t.Errorf("ReadEvents(%q) and an event has no such event: %+v", text, again)
		}
	})
}
