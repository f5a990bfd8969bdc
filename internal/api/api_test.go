package api_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/api"
)

// TestDocument reads the example of a pending request in docs/api.md: each of its
// fields is one of the type's, and each of the type's is in it.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, found := strings.Cut(string(text), "\n```json\n{\n  \"id\": \"per_")
	example, _, ended := strings.Cut(example, "\n```")
	if !found || !ended {
		t.Fatal("docs/api.md has no example of a pending request")
	}
	example = strings.ReplaceAll(`{"id": "per_`+example, "{…}", "{}")
	decoder := json.NewDecoder(strings.NewReader(example))
	decoder.DisallowUnknownFields()
	var p api.Pending
	if err := decoder.Decode(&p); err != nil {
		t.Fatalf("%v\n%s", err, example)
	}
	if want := time.Date(2026, 11, 30, 12, 0, 50, 0, time.UTC); !p.Deadline.Equal(want) {
		t.Errorf("deadline is %v, want %v", p.Deadline, want)
	}
	if got := p.Commands[0].Prefix; got != "git push" {
		t.Errorf("prefix is %q, want git push", got)
	}
	written, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(written, &fields); err != nil {
		t.Fatal(err)
	}
	for name := range fields {
		if !strings.Contains(example, `"`+name+`"`) {
			t.Errorf("docs/api.md does not have the field %q of a pending request", name)
		}
	}
	for _, name := range regexp.MustCompile(`"(\w+)":`).FindAllStringSubmatch(example, -1) {
		if !strings.Contains(string(written), `"`+name[1]+`"`) {
			t.Errorf("a pending request does not have the field %q of docs/api.md", name[1])
		}
	}
}

// TestRecords reads the example of a record, and of an answer to a reply.
func TestRecords(t *testing.T) {
	var record api.Record
	read(t, `{"id": 17, "time": "2026-11-30T12:00:00Z", "session": "s1", "agent": "", "workspace": "/", "tool": "bash", "title": "git push", "action": "deny",
	  "reason": "r", "reply": {"reply": "reject", "by": "b", "message": "m"}, "revision": "v"}`, &record)
	if record.ID != 17 || record.Reply == nil || record.Reply.Message != "m" {
		t.Errorf("record is %+v", record)
	}
	var replied api.Replied
	read(t, `{"id": "per_1", "reply": "always", "saved": [{"permission": "bash", "pattern": "git push *"}], "released": ["per_2"], "rejected": []}`, &replied)
	want := api.Replied{ID: "per_1", Reply: api.Always, Saved: []api.Offer{{Permission: "bash", Pattern: "git push *"}}, Released: []string{"per_2"}, Rejected: []string{}}
	if diff := cmp.Diff(want, replied); diff != "" {
		t.Error(diff)
	}
}

func read(t *testing.T, text string, v any) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(v); err != nil {
		t.Fatal(err)
	}
}

func TestDuration(t *testing.T) {
	written, err := json.Marshal(api.Reply{Reply: api.Always, For: api.Duration(24 * time.Hour)})
	if want := `{"reply":"always","for":"24h0m0s"}`; err != nil || string(written) != want {
		t.Errorf("%s, %v, want %s", written, err, want)
	}
	for _, tt := range []struct {
		text string
		want time.Duration
		ok   bool
	}{
		{`{"for": "24h"}`, 24 * time.Hour, true},
		{`{"for": ""}`, 0, true},
		{`{}`, 0, true},
		{`{"for": "a day"}`, 0, false},
		{`{"for": 3600}`, 0, false},
	} {
		var reply api.Reply
		err := json.Unmarshal([]byte(tt.text), &reply)
		if got := time.Duration(reply.For); got != tt.want || (err == nil) != tt.ok {
			t.Errorf("%s is %v, %v, want %v", tt.text, got, err, tt.want)
		}
	}
}
