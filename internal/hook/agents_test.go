package hook_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// lines returns the payloads of the file in testdata that has the agent's name.
func lines(t testing.TB, agent *hook.Agent) [][]byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", agent.Name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(text), []byte("\n"))
}

// decisions are those that an agent can be told of.
var decisions = map[string]permission.Decision{"granted": granted, "passed": passed, "asked": asked, "denied": denied}

// stdout returns the answer that is text in a line of standard output.
func stdout(text string) hook.Answer { return hook.Answer{Stdout: []byte(text + "\n")} }

// A reported is a payload of an agent's file, and what is to become of it.
type reported struct {
	event string

	// call is what the event asks about, or has no tool if it decides nothing.
	call input.Call

	// permission is what rules for the call speak of.
	permission string
}

// checkAgent checks what becomes of each payload in the agent's file, and what
// the agent is told of each decision. Where answers have nothing for an event,
// it is told nothing.
func checkAgent(t *testing.T, agent *hook.Agent, want []reported, answers map[string]map[string]hook.Answer) {
	t.Helper()
	payloads := lines(t, agent)
	if len(payloads) != len(want) {
		t.Fatalf("%d payloads, and %d are told of", len(payloads), len(want))
	}
	for i, payload := range payloads {
		event, err := agent.Decode(payload)
		if err != nil {
			t.Errorf("Decode(%s): %v", payload, err)
			continue
		}
		w := hook.Event{Name: want[i].event, Decides: want[i].call.Tool != "", Call: want[i].call}
		if d := diff.Diff(w, event, cmpopts.IgnoreUnexported(hook.Event{})); d != "" {
			t.Errorf("Decode(%s) (-want +got):\n%s", payload, d)
		}
		if got := input.PermissionOf(event.Call.Tool); event.Decides && got != want[i].permission {
			t.Errorf("%s needs the permission %q, want %q", event.Call.Tool, got, want[i].permission)
		}
		for name, decision := range decisions {
			if d := diff.Diff(answers[event.Name][name], agent.Answer(event, decision)); d != "" {
				t.Errorf("%s %s %s (-want +got):\n%s", event.Name, event.Call.Tool, name, d)
			}
		}
	}
}

// checkRefuses checks that the payloads do not decode, for the reasons that they
// are mapped to, and that the agent is then told no by exit status 2.
func checkRefuses(t *testing.T, agent *hook.Agent, payloads map[string]string) {
	t.Helper()
	for payload, want := range payloads {
		event, err := agent.Decode([]byte(payload))
		if err == nil || event.Decides {
			t.Errorf("Decode(%.90s) = %+v, %v, want an error", payload, event, err)
			continue
		}
		got := agent.Fail([]byte(payload), err)
		if len(got.Stdout) > 0 || got.Status != 2 || !strings.Contains(got.Stderr, want) {
			t.Errorf("Fail(%.90s) = %+v, want status 2 and %q on standard error alone", payload, got, want)
		}
	}
}

// fuzzAgent fuzzes the codec of an agent, from the payloads of its file.
func fuzzAgent(f *testing.F, agent *hook.Agent) {
	f.Helper()
	fuzzPayloads(f, agent, told, lines(f, agent)...)
}

// told returns what an agent takes answer for, in any of the dialects: allow,
// ask, deny, "" if it says nothing, or "broken" if it follows none, or says two
// things at once.
func told(answer hook.Answer) string {
	var out struct {
		PermissionDecision, Permission, Behavior string

		Continue *bool
		Hook     struct{ PermissionDecision string } `json:"hookSpecificOutput"`
	}
	switch {
	case len(answer.Stdout) == 0 || answer.Status != 0:
		return verdict(answer)
	case json.Unmarshal(answer.Stdout, &out) != nil:
		return "broken"
	}
	said := ""
	for _, s := range []string{out.PermissionDecision, out.Permission, out.Behavior, out.Hook.PermissionDecision} {
		if s != "" && said != "" && s != said {
			return "broken"
		}
		said = cmp.Or(said, s)
	}
	if out.Continue != nil {
		return map[bool]string{true: "allow", false: "deny"}[*out.Continue]
	}
	return said
}
