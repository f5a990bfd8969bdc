package hook_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// A sample is a line of an agent's testdata: a payload, the call that it makes,
// which is missing if there is nothing to decide, and the permission that rules
// for the call's tool speak of.
type sample struct {
	Payload    json.RawMessage
	Call       *input.Call
	Permission string
}

// samples returns the samples in testdata/NAME.jsonl.
func samples(t testing.TB, name string) []sample {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all []sample
	for line := range bytes.Lines(text) {
		var s sample
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, s)
	}
	return all
}

// testDecode tests that the agent's samples are decoded as they say.
func testDecode(t *testing.T, agent *hook.Agent) {
	t.Helper()
	for _, s := range samples(t, agent.Name) {
		event, err := agent.Decode(s.Payload)
		if err != nil {
			t.Errorf("Decode(%s): %v", s.Payload, err)
			continue
		}
		var got *input.Call
		if event.Decides {
			got = &event.Call
		}
		if diff := cmp.Diff(s.Call, got); diff != "" {
			t.Errorf("Decode(%s) (-want +got):\n%s", s.Payload, diff)
		}
		if s.Call == nil {
			continue
		}
		if got := input.PermissionOf(event.Call.Tool); got != s.Permission {
			t.Errorf("the permission of %s is %q, want %q", event.Call.Tool, got, s.Permission)
		}
	}
}

// An outcome is what an agent is told of the four decisions, and of none.
type outcome struct{ granted, passed, asked, denied, failed hook.Answer }

// line returns the answer that is a line on standard output.
func line(text string) hook.Answer { return hook.Answer{Stdout: []byte(text + "\n")} }

// blocked returns the answer that refuses by the exit status.
func blocked(reason string) hook.Answer { return hook.Answer{Stderr: reason + "\n", Status: 2} }

const failedReason = "permctl could not decide, so the answer is no: no rules"

// testAnswer tests what the agent is told of its samples: want, by event, and
// nothing where there is nothing to decide.
func testAnswer(t *testing.T, agent *hook.Agent, want map[string]outcome) {
	t.Helper()
	seen := map[string]bool{}
	for _, s := range samples(t, agent.Name) {
		event, err := agent.Decode(s.Payload)
		if err != nil {
			t.Errorf("Decode(%s): %v", s.Payload, err)
			continue
		}
		seen[event.Name] = true
		o, ok := want[event.Name]
		if ok != event.Decides {
			t.Errorf("Decode(%s): decides %t, want %t", s.Payload, event.Decides, ok)
		}
		for name, tt := range map[string]struct {
			decision permission.Decision
			want     hook.Answer
		}{
			"granted": {granted, o.granted}, "passed": {passed, o.passed}, "asked": {asked, o.asked}, "denied": {denied, o.denied},
		} {
			if diff := cmp.Diff(tt.want, agent.Answer(event, tt.decision)); diff != "" {
				t.Errorf("%s %s %s (-want +got):\n%s", event.Name, event.Call.Tool, name, diff)
			}
		}
		if !ok {
			continue
		}
		if diff := cmp.Diff(o.failed, agent.Fail(s.Payload, errors.New("no rules"))); diff != "" {
			t.Errorf("%s failed (-want +got):\n%s", event.Name, diff)
		}
	}
	for name := range want {
		if !seen[name] {
			t.Errorf("no sample has the event %s", name)
		}
	}
}

// A refused is a payload that is no call, and a part of what is said of it.
type refused struct{ payload, want string }

// nonsense is what no agent sends.
var nonsense = []refused{
	{``, "empty"},
	{`[]`, "array"},
	{`"x"`, "string"},
	{"\xff", "not JSON"},
	{`{"a":1,"A":2}`, "twice"},
	{`{"a":` + deep + `}`, input.ErrTooDeep.Error()},
	{`{"a":"` + strings.Repeat("a", input.MaxCall) + `"}`, input.ErrTooLarge.Error()},
	{`{}`, "has no"},
	{`null`, "has no"},
}

// testRefuses tests that the agent refuses nonsense, and payloads of its own.
// Read is how it reads an answer: as deny, if it refuses.
func testRefuses(t *testing.T, agent *hook.Agent, read func(hook.Answer) string, payloads []refused) {
	t.Helper()
	for _, tt := range append(payloads, nonsense...) {
		event, err := agent.Decode([]byte(tt.payload))
		if err == nil || event.Decides || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Decode(%.200s) = %+v, %v, want an error with %q", tt.payload, event, err, tt.want)
			continue
		}
		answer := agent.Fail([]byte(tt.payload), err)
		if got := read(answer); got != "deny" {
			t.Errorf("Fail(%.200s) = %+v, which the agent reads as %q", tt.payload, answer, got)
		}
	}
}

// fuzzDecode fuzzes the codec of an agent, from the samples of its file.
func fuzzDecode(f *testing.F, agent *hook.Agent, read func(hook.Answer) string) {
	f.Helper()
	var payloads [][]byte
	for _, s := range samples(f, agent.Name) {
		payloads = append(payloads, s.Payload)
	}
	fuzzPayloads(f, agent, read, payloads...)
}

func TestFindAgents(t *testing.T) {
	for _, agent := range hook.Agents {
		for _, name := range append([]string{agent.Name}, agent.Aliases...) {
			if got, err := hook.Find(name); err != nil || got != agent {
				t.Errorf("Find(%q) = %v, %v, want the agent of that name", name, got, err)
			}
		}
	}
}
