package hook_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// A folder is what testdata/AGENT has for an agent.
type folder struct {
	calls   []call
	answers map[string]map[string]hook.Answer // by event and outcome
	refused []refused
}

// A call is a line of calls.jsonl: a payload, the event that it reports, and the
// call that it makes with the permission that rules for it speak of, or none if
// there is nothing to decide. The call's input is the payload's tool_input if the
// line does not spell it out, or empty, and that of an MCP server's tool is the same.
type call struct {
	Event      string
	Payload    json.RawMessage
	Call       *input.Call
	Permission string
	Unmarked   bool // an excerpt, which does not tell whose it is
}

// A refused is a line of refused.jsonl: a payload, or the text of what is none,
// and a part of what is said of it. The answer is that to a failure in the event,
// which is the first of the folder if the line has none, unless the line has an
// answer of its own.
type refused struct {
	Payload json.RawMessage
	Error   string
	Event   string
	Answer  *said
}

// A said is an [hook.Answer], without the ends of its lines.
type said struct {
	Stdout json.RawMessage
	Stderr string
	Status int
}

// answer returns the answer that the fixture stands for.
func (s said) answer() hook.Answer {
	answer := hook.Answer{Status: s.Status}
	if len(s.Stdout) > 0 {
		answer.Stdout = append(bytes.Clone(s.Stdout), '\n')
	}
	if s.Stderr != "" {
		answer.Stderr = s.Stderr + "\n"
	}
	return answer
}

// text returns the payload that the line stands for. In the text of one, <deep> is
// JSON that nests deeper than any call may.
func (r refused) text() []byte {
	var text string
	if json.Unmarshal(r.Payload, &text) != nil {
		return r.Payload
	}
	return []byte(strings.ReplaceAll(text, "<deep>", deep))
}

// deep is JSON that nests deeper than any call may.
var deep = strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)

// The decisions that agents are told of. Failed is an error instead of one.
var (
	granted = permission.Decision{Action: permission.Allow, Grant: true, Reason: `allowed: <b> & "c"`}
	passed  = permission.Decision{Action: permission.Allow, Reason: "nothing speaks of it"}
	asked   = permission.Decision{Action: permission.Ask, Reason: "settings.yaml:3 asks"}
	denied  = permission.Decision{Action: permission.Deny, Reason: "settings.yaml:4 denies"}

	decisions = map[string]permission.Decision{"granted": granted, "passed": passed, "asked": asked, "denied": denied}
)

const failed, failure = "failed", "no rules"

// open returns the agent's folder, which has to be whole.
func open(t testing.TB, agent *hook.Agent) folder {
	t.Helper()
	dir := filepath.Join("testdata", agent.Name)
	var f folder
	f.calls = lines[call](t, filepath.Join(dir, "calls.jsonl"))
	f.refused = lines[refused](t, filepath.Join(dir, "refused.jsonl"))
	for i, c := range f.calls {
		var inner struct {
			Input map[string]any `json:"tool_input"`
		}
		if c.Call != nil && c.Call.Input == nil {
			unmarshal(t, c.Payload, &inner)
			f.calls[i].Call.Input = map[string]any{}
			maps.Copy(f.calls[i].Call.Input, inner.Input)
		}
		if c.Call != nil && c.Call.MCP != nil {
			f.calls[i].Call.MCP.Arguments = f.calls[i].Call.Input
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "answers.json"))
	if err != nil {
		t.Fatal(err)
	}
	var answers map[string]map[string]said
	unmarshal(t, text, &answers)
	f.answers = map[string]map[string]hook.Answer{}
	for event, outcomes := range answers {
		f.answers[event] = map[string]hook.Answer{}
		for outcome, said := range outcomes {
			f.answers[event][outcome] = said.answer()
		}
	}
	f.check(t)
	return f
}

// check checks that no case is missing.
func (f folder) check(t testing.TB) {
	t.Helper()
	seen, reports := map[string]bool{}, false
	for _, c := range f.calls {
		seen[c.Event] = true
		reports = reports || c.Call == nil
		if _, told := f.answers[c.Event]; told != (c.Call != nil) {
			t.Errorf("%s makes a call: %t, and answers.json has it: %t", c.Payload, c.Call != nil, told)
		}
	}
	for event, outcomes := range f.answers {
		if !seen[event] {
			t.Errorf("no line of calls.jsonl has the event %s", event)
		}
		for _, outcome := range []string{"granted", "passed", "asked", "denied", failed} {
			if _, ok := outcomes[outcome]; !ok || len(outcomes) != len(decisions)+1 {
				t.Errorf("answers.json has %d outcomes for %s, and %s among them: %t", len(outcomes), event, outcome, ok)
			}
		}
	}
	if len(f.answers) == 0 || len(f.refused) == 0 || !reports {
		t.Errorf("%d events with answers, %d refused payloads, one without a call: %t; want some of each", len(f.answers), len(f.refused), reports)
	}
}

// first returns the first event of the folder that makes a call, with its payload.
func (f folder) first(t testing.TB) (event string, payload []byte) {
	t.Helper()
	for _, c := range f.calls {
		if c.Call != nil {
			return c.Event, c.Payload
		}
	}
	t.Fatal("no call")
	return "", nil
}

// payload returns the first payload of the folder with the event.
func (f folder) payload(t testing.TB, event string) []byte {
	t.Helper()
	for _, c := range f.calls {
		if c.Event == event {
			return c.Payload
		}
	}
	t.Fatalf("no payload of %s", event)
	return nil
}

// lines returns the lines of a file as values.
func lines[T any](t testing.TB, path string) []T {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	for line := range bytes.Lines(text) {
		var value T
		unmarshal(t, line, &value)
		all = append(all, value)
	}
	return all
}

// unmarshal fills v, which has all the fields of text.
func unmarshal(t testing.TB, text []byte, v any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	if _, isLine := v.(*call); isLine {
		dec.DisallowUnknownFields()
	}
	if err := dec.Decode(v); err != nil {
		t.Fatalf("%.200s: %v", text, err)
	}
}
