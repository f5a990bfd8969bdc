package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
	"github.com/permctl/permctl/internal/client/clienttest"
	"github.com/permctl/permctl/internal/screen"
)

// A buffer can be written and read at once.
type buffer struct {
	mu  sync.Mutex // guards what follows
	buf bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// await waits until the buffer holds a text.
func (b *buffer) await(t *testing.T, text string) {
	t.Helper()
	limit := time.After(20 * time.Second)
	for !strings.Contains(b.String(), text) {
		select {
		case <-limit:
			t.Fatalf("there is no %q in:\n%s", text, b.String())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// TestWatch asserts that a watch tells each request and each answer once, also
// those that it missed while there was no connection.
func TestWatch(t *testing.T) {
	for _, tt := range []struct {
		name string
		json bool
		want []string
	}{
		{"for people", false, []string{
			"per_1  0s  s1    call 1  ", "per_2  0s  s1    call 2  ", "per_1  allowed once by ann",
			"per_2  gone: nobody waits for it any more", "per_4  0s  s1    call \\x1b  ",
		}},
		{"as JSON", true, []string{
			`{"event":"permission.asked","data":{"id":"per_1",`, `{"event":"permission.asked","data":{"id":"per_2",`,
			`{"event":"permission.replied","data":{"requestID":"per_1","sessionID":"s1","reply":"once","by":"ann"}}`,
			`{"event":"permission.replied","data":{"requestID":"per_2","sessionID":"s1","reply":"","by":""}}`,
			`{"event":"permission.asked","data":{"id":"per_4",`,
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked := time.Now().Add(time.Hour) // so that its age is none
			d := &clienttest.Daemon{}
			d.Add(api.Pending{ID: "per_1", SessionID: "s1", Title: "call 1", Asked: asked})
			socket := clienttest.Start(t, d) + "2"
			stop := clienttest.Listen(t, d, socket)
			c, err := client.Dial(socket)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			var out, warn buffer
			done := make(chan error, 1)
			w := watcher{client: c, session: "s1", json: tt.json, w: &out, warn: &warn}
			go func() { done <- w.run(ctx, true) }()
			out.await(t, "per_1")
			d.Add(api.Pending{ID: "per_2", SessionID: "s1", Title: "call 2", Asked: asked})
			d.Add(api.Pending{ID: "per_3", SessionID: "s2", Title: "call 3", Asked: asked})
			out.await(t, "per_2")
			d.Answer("per_1", api.Once, "ann", "")
			out.await(t, "ann")
			stop()
			warn.await(t, "permctl: warning: no daemon runs: nothing can be pending; trying again\n")
			after := &clienttest.Daemon{} // a new one, which knows nothing of per_2
			after.Add(api.Pending{ID: "per_4", SessionID: "s1", Title: "call \x1b", Asked: asked})
			t.Cleanup(clienttest.Listen(t, after, socket))
			out.await(t, "per_4")
			warn.await(t, "permctl: connected\n")
			cancel()
			if err := <-done; err != nil {
				t.Errorf("an interrupted watch ends with %v", err)
			}
			lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			for i := range lines {
				if i < len(tt.want) && strings.HasPrefix(lines[i], tt.want[i]) {
					lines[i] = tt.want[i]
				}
			}
			if diff := cmp.Diff(tt.want, lines); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPendingTerminal asserts that a row is a line of the terminal, however long
// and wide its text is.
func TestPendingTerminal(t *testing.T) {
	ptm, tty, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer ptm.Close()
	defer tty.Close()
	if err := pty.Setsize(ptm, &pty.Winsize{Cols: 60, Rows: 20}); err != nil {
		t.Fatal(err)
	}
	found := []api.Pending{
		{ID: "per_1", Title: strings.Repeat("漢\x1b[2J", 1000), Workspace: strings.Repeat("w", 100)},
		{ID: "per_2", Title: "x"},
	}
	if err := writePending(tty, found, time.Now()); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 1<<16)
	n, err := io.ReadAtLeast(ptm, text, 100)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text[:n]), "\r\n"), "\r\n")
	for _, line := range lines {
		if screen.Width(line) > 60 || strings.Contains(line, "\x1b") {
			t.Errorf("a row is %q, of %d columns", line, screen.Width(line))
		}
	}
	if len(lines) != 3 {
		t.Errorf("%d rows, want 3:\n%s", len(lines), text[:n])
	}
	if got := width(io.Discard); got != 0 {
		t.Errorf("what is no terminal has %d columns", got)
	}
	if file, err := os.Open(os.DevNull); err != nil || width(file) != 0 {
		t.Errorf("/dev/null has columns, or %v", err)
	}
}
