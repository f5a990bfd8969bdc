package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/client"
	"github.com/permctl/permctl/internal/client/clienttest"
)

// TestTooLarge asserts that a call can be answered by its whole id however much
// waits, and that whoever wants the list is told so.
func TestTooLarge(t *testing.T) {
	const shown, huge = "per_000656a0f1c211AAAAAAAAAA", "per_000656a0f1c211BBBBBBBBBB"
	mux := http.NewServeMux()
	tooLarge := func(w http.ResponseWriter, _ *http.Request) {
		for range 65 {
			_, _ = io.WriteString(w, strings.Repeat(" ", 1<<20)) // who has read enough goes away
		}
	}
	mux.HandleFunc("GET /v1/pending", tooLarge)
	mux.HandleFunc("GET /v1/pending/"+huge, tooLarge)
	mux.HandleFunc("GET /v1/pending/"+shown, func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(api.Pending{ID: shown, Title: "make"})
	})
	mux.HandleFunc("POST /v1/pending/{id}/reply", func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(api.Replied{ID: r.PathValue("id"), Reply: api.Once})
	})
	socket := clienttest.Handle(t, mux)
	c, err := client.Dial(socket)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, tt := range []struct {
		id   string
		word api.Word
		want string // of what is said, or of the error and its hint
	}{
		{shown, api.Once, shown + ": once: make\n"},
		{huge, api.Once, huge + ": once\n"},
		{huge, api.Always, "the call is too large to show what an always would save (answer once or reject)"},
		{"AAAA", api.Once, "permctl reply takes a whole id)"},
		{"-", api.Once, "permctl reply takes a whole id)"},
	} {
		var out, warn bytes.Buffer
		a := answering{id: tt.id, word: tt.word}
		err := a.answer(t.Context(), c, strings.NewReader(""), &out, &warn)
		if got := out.String() + explained(err); !strings.HasSuffix(got, tt.want) {
			t.Errorf("reply %s %s says %q, want %q", tt.id, tt.word, got, tt.want)
		}
	}
	cmd := newPending(nil)
	cmd.SetArgs([]string{"--socket", socket})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	if got, want := explained(cmd.Execute()), "the daemon's answer is larger than 64 MiB (permctl pending --session ID lists those of one session, and permctl reply takes a whole id)"; got != want {
		t.Errorf("pending says %q, want %q", got, want)
	}
}

// explained returns an error with its hint.
func explained(err error) string {
	if err == nil {
		return ""
	}
	if hint, ok := err.(interface{ Hint() string }); ok {
		return err.Error() + " (" + hint.Hint() + ")"
	}
	return err.Error()
}

// TestReplyRace asserts that - answers the call which was shown, and none that has
// come since.
func TestReplyRace(t *testing.T) {
	const first, second = "per_000656a0f1c211AAAAAAAAAA", "per_000656a0f1c212BBBBBBBBBB"
	d := &clienttest.Daemon{}
	d.Add(api.Pending{ID: first, Title: "ls"})
	c, err := client.Dial(clienttest.Start(t, d))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var out bytes.Buffer
	warn := onWrite(func(text string) {
		if want := "permctl: what waits is " + first + ": ls\n"; text != want {
			t.Errorf("the call is shown as %q, want %q", text, want)
		}
		d.Answer(first, api.Reject, "ann", "")
		d.Add(api.Pending{ID: second, Title: "rm x"})
	})
	a := answering{id: "-", word: api.Once}
	if err := a.answer(t.Context(), c, strings.NewReader(""), &out, warn); err == nil || out.Len() > 0 || len(d.Replies()) > 0 {
		t.Errorf("the reply ends with %v, and says %q; replies are %v", err, &out, d.Replies())
	}
}

// An onWrite is told of what is written.
type onWrite func(text string)

func (f onWrite) Write(p []byte) (int, error) {
	f(string(p))
	return len(p), nil
}
