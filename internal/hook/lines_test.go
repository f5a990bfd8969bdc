package hook_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// A payloadLine is one of testdata/AGENT.jsonl: a payload, and the call that it makes,
// or none if it decides nothing. A call's input that the line does not spell out
// is the payload's tool_input.
type payloadLine struct {
	Payload json.RawMessage
	Call    *input.Call
}

// lines returns the lines of testdata/AGENT.jsonl.
func linesOf(t testing.TB, agent *hook.Agent) []payloadLine {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", agent.Name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all []payloadLine
	for text := range bytes.Lines(text) {
		var l payloadLine
		if err := json.Unmarshal(text, &l); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var inner struct {
			Input map[string]any `json:"tool_input"`
		}
		if l.Call != nil && l.Call.Input == nil {
			if err := json.Unmarshal(l.Payload, &inner); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			l.Call.Input = inner.Input
		}
		if l.Call != nil && l.Call.MCP != nil {
			l.Call.MCP.Arguments = l.Call.Input
		}
		all = append(all, l)
	}
	return all
}

// out returns the answer that is text on standard output.
func out(text string) hook.Answer { return hook.Answer{Stdout: []byte(text + "\n")} }

// testAgent holds that an agent's payloads make the calls that their lines say,
// and that it is told what answers say of its events and of each decision.
func testAgent(t *testing.T, agent *hook.Agent, say func(hook.Answer) string, answers map[string]map[string]hook.Answer) {
	t.Helper()
	if found, err := hook.Find(agent.Name); err != nil || found != agent {
		t.Errorf("Find(%q) = %v, %v", agent.Name, found, err)
	}
	for _, l := range linesOf(t, agent) {
		event, err := agent.Decode(l.Payload)
		if err != nil {
			t.Errorf("Decode(%s): %v", l.Payload, err)
			continue
		}
		var want input.Call
		if l.Call != nil {
			want = *l.Call
		}
		if diff := cmp.Diff(want, event.Call); diff != "" || event.Decides != (l.Call != nil) {
			t.Errorf("Decode(%s) decides: %t (-want +got):\n%s", l.Payload, event.Decides, diff)
		}
		for name, decision := range map[string]permission.Decision{
			"granted": granted, "passed": passed, "asked": asked, "denied": denied, "unknown": {Action: "ALLOW", Grant: true},
		} {
			want := answers[event.Name][name]
			if !event.Decides {
				want = hook.Answer{}
			}
			got := agent.Answer(event, decision)
			if name == "unknown" && event.Decides {
				if got := say(got); got != "deny" {
					t.Errorf("%s: an unknown action is answered as %q, want deny", event.Name, got)
				}
				continue
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s %s %s (-want +got):\n%s", event.Name, event.Call.Tool, name, diff)
			}
		}
	}
}

// testRefuses holds that an agent does not decode payloads, each for a reason
// that holds the text beside it, and is told no.
func testRefusesLines(t *testing.T, agent *hook.Agent, payloads map[string]string) {
	t.Helper()
	for payload, want := range payloads {
		event, err := agent.Decode([]byte(payload))
		if err == nil || event.Decides {
			t.Errorf("Decode(%.80s) = %+v, %v, want an error", payload, event, err)
			continue
		}
		got := agent.Fail([]byte(payload), err)
		if said(got) != "deny" || !strings.Contains(string(got.Stdout)+got.Stderr, want) {
			t.Errorf("Fail(%.80s) = %+v, want a deny with %q", payload, got, want)
		}
	}
}

// said is what answer says in the dialects of all the agents: see [verdict].
func said(answer hook.Answer) string {
	var out struct{ Decision string }
	if json.Unmarshal(answer.Stdout, &out) == nil && answer.Status == 0 && (out.Decision == "deny" || out.Decision == "allow") {
		return out.Decision
	}
	return verdict(answer)
}

// fuzzLines fuzzes the codec of an agent, from the lines of its file.
func fuzzLines(f *testing.F, agent *hook.Agent, say func(hook.Answer) string) {
	f.Helper()
	var payloads [][]byte
	for _, l := range linesOf(f, agent) {
		payloads = append(payloads, l.Payload)
	}
	fuzzPayloads(f, agent, say, payloads...)
}
