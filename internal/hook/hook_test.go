package hook_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// TestAgents holds each agent's codec to its folder in testdata.
func TestAgents(t *testing.T) {
	for _, agent := range hook.Agents {
		t.Run(agent.Name, func(t *testing.T) {
			f := open(t, agent)
			for _, c := range f.calls {
				testDecode(t, agent, c)
				testAnswer(t, agent, c, f.answers[c.Event])
			}
			first, payload := f.first(t)
			for _, r := range f.refused {
				want := f.answers[first][failed]
				if r.Event != "" {
					want = f.answers[r.Event][failed]
				}
				if r.Answer != nil {
					want = r.Answer.answer()
				}
				testRefused(t, agent, r.text(), r.Error, &want)
			}
			for text, part := range nonsense(payload) {
				testRefused(t, agent, []byte(text), part, nil)
			}
		})
	}
}

func TestFolders(t *testing.T) {
	folders, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	fuzzed, err := os.ReadFile("fuzz_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if f.Name() != "fuzz" && !slices.ContainsFunc(hook.Agents, func(agent *hook.Agent) bool { return agent.Name == f.Name() }) {
			t.Errorf("testdata/%s is no agent's", f.Name())
		}
	}
	for _, agent := range hook.Agents {
		if !bytes.Contains(fuzzed, []byte(`fuzzAgent(f, "`+agent.Name+`")`)) {
			t.Errorf("%s has no fuzz target", agent.Name)
		}
	}
}

// testDecode checks that the agent's payload is decoded as its line says.
func testDecode(t *testing.T, agent *hook.Agent, c call) {
	t.Helper()
	got, err := agent.Decode(c.Payload)
	if err != nil {
		t.Errorf("Decode(%s): %v", c.Payload, err)
		return
	}
	want := hook.Event{Name: c.Event, Decides: c.Call != nil}
	if c.Call != nil {
		want.Call = *c.Call
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(hook.Event{}), cmpopts.IgnoreFields(input.Call{}, "Workdirs")); diff != "" {
		t.Errorf("Decode(%s) (-want +got):\n%s", c.Payload, diff)
	}
	if got := input.PermissionOf(got.Call.Tool); want.Decides && got != c.Permission {
		t.Errorf("the permission of %s is %q, want %q", want.Call.Tool, got, c.Permission)
	}
}

// testAnswer checks what the agent is told of its payload, and that it reads that
// as what is meant.
func testAnswer(t *testing.T, agent *hook.Agent, c call, want map[string]hook.Answer) {
	t.Helper()
	event, err := agent.Decode(c.Payload)
	if err != nil {
		return // testDecode tells of it
	}
	effect := func(answer hook.Answer) hook.Effect {
		return agent.Reads(c.Payload, hook.Outcome{Answer: answer}, false)
	}
	for outcome, decision := range decisions {
		got := agent.Answer(event, decision)
		if diff := cmp.Diff(want[outcome], got); diff != "" {
			t.Errorf("%s %s %s (-want +got):\n%s", event.Name, event.Call.Tool, outcome, diff)
		}
		if does := effect(got); event.Decides && !slices.Contains(means(event)[outcome], does) {
			t.Errorf("%s %s %s: the agent takes it for %s, want %s", event.Name, event.Call.Tool, outcome, does, means(event)[outcome])
		}
	}
	if !event.Decides {
		return
	}
	got := agent.Fail(c.Payload, errors.New(failure))
	if diff := cmp.Diff(want[failed], got); diff != "" {
		t.Errorf("%s %s failed (-want +got):\n%s", event.Name, event.Call.Tool, diff)
	}
	for _, answer := range []hook.Answer{
		got, agent.Answer(event, permission.Decision{}), agent.Answer(event, permission.Decision{Action: "ALLOW", Grant: true}),
	} {
		if does := effect(answer); does != hook.Blocked {
			t.Errorf("%s %s: the agent takes %+v for %s, want blocked", event.Name, event.Call.Tool, answer, does)
		}
	}
}

// means returns what a decision may do to event. Who writes a prompt has to be
// asked nothing, and what one agent is granted another leaves to its own rules.
func means(event hook.Event) map[string][]hook.Effect {
	asked := []hook.Effect{hook.Asks, hook.Blocked}
	if event.Call.Tool == "prompt" {
		asked = append(asked, hook.Undecided)
	}
	allowed := []hook.Effect{hook.Granted, hook.Asks, hook.Undecided}
	return map[string][]hook.Effect{"granted": allowed, "passed": allowed, "asked": asked, "denied": {hook.Blocked}}
}

// testRefused checks that a payload is refused with part of an error, and that
// the agent is told so: with want, for the failure that it was.
func testRefused(t *testing.T, agent *hook.Agent, payload []byte, part string, want *hook.Answer) {
	t.Helper()
	event, err := agent.Decode(payload)
	if err == nil || event.Decides || !strings.Contains(err.Error(), part) {
		t.Errorf("Decode(%.200s) = %+v, %v, want an error with %q", payload, event, err, part)
		return
	}
	got := agent.Fail(payload, err)
	if does := agent.Reads(payload, hook.Outcome{Answer: got}, false); does != hook.Blocked {
		t.Errorf("Fail(%.200s) = %s %+v, which the agent takes for %s", payload, got.Stdout, got, does)
	}
	if want == nil {
		return
	}
	want.Stderr = strings.ReplaceAll(want.Stderr, failure, err.Error())
	want.Stdout = bytes.ReplaceAll(want.Stdout, []byte(failure), quoted(t, err.Error()))
	if diff := cmp.Diff(*want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("Fail(%.200s) (-want +got):\n%s", payload, diff)
	}
}

// quoted returns text as it stands in JSON, without its quotes.
func quoted(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		t.Fatal(err)
	}
	return bytes.Trim(out.Bytes(), "\"\n")
}

// nonsense is what no agent sends, with a part of what is said of it. Some of it
// is made of a payload of the agent's.
func nonsense(payload []byte) map[string]string {
	text, _ := strings.CutSuffix(strings.TrimSpace(string(payload)), "}")
	return map[string]string{
		``:                   "empty",
		" \n":                "empty",
		`[]`:                 "array",
		`"x"`:                "string",
		"\xff\xfe":           "not JSON",
		`{"a":1,"A":2}`:      "twice",
		`{"a":` + deep + `}`: input.ErrTooDeep.Error(),
		`{"a":"` + strings.Repeat("a", input.MaxCall) + `"}`: input.ErrTooLarge.Error(),
		`{}`:                        "has n",
		`null`:                      "has n",
		text[:len(text)/2]:          "not JSON",
		text:                        "not JSON",
		text + `} {}`:               "not JSON",
		text + `,"x":1,"X":2}`:      "twice",
		text + `,"x":` + deep + `}`: input.ErrTooDeep.Error(),
		text + `,"x":"` + strings.Repeat("a", input.MaxCall) + `"}`: input.ErrTooLarge.Error(),
	}
}

func TestReason(t *testing.T) {
	event := hook.Event{Name: "PreToolUse", Decides: true}
	payload := open(t, hook.Claude).payload(t, "PreToolUse")
	for _, reason := range []string{
		"",
		"a line\nand\tanother",
		"bad \xff byte",
		"\x1b[2Jclears the screen, \u202eturns the text",
		strings.Repeat("\x00", 20_000),
		strings.Repeat("\"", 20_000),
		strings.Repeat("é", 20_000),
		"x" + strings.Repeat("\U0001f35e", 20_000),
		"git " + strings.Repeat("a", 50_000) + " settings.yaml:4",
	} {
		answer := hook.Claude.Answer(event, permission.Decision{Action: permission.Deny, Reason: reason})
		if len(answer.Stdout) >= 10_000 || !utf8.Valid(answer.Stdout) || !bytes.HasPrefix(answer.Stdout, []byte("{")) {
			t.Errorf("%.20q: %d bytes of output, want valid UTF-8 that is shorter than 10,000", reason, len(answer.Stdout))
		}
		if got := hook.Claude.Reads(payload, hook.Outcome{Answer: answer}, false); got != hook.Blocked {
			t.Errorf("%.20q: the call is %s, want blocked", reason, got)
		}
		if bytes.ContainsAny(answer.Stdout, "\x1b\u202e") || bytes.Contains(answer.Stdout, []byte(`\u001b`)) {
			t.Errorf("%.20q: %s steers the terminal", reason, answer.Stdout)
		}
		if strings.HasSuffix(reason, ":4") && !bytes.Contains(answer.Stdout, []byte(" settings.yaml:4")) {
			t.Errorf("%.20q: the end is lost", reason)
		}
		if reason == "" && !bytes.Contains(answer.Stdout, []byte(`"permctl gave no reason"`)) {
			t.Errorf("without a reason: %s", answer.Stdout)
		}
	}
}

func TestFind(t *testing.T) {
	for _, agent := range append(slices.Clone(hook.Agents), hook.Auto) {
		for _, name := range append([]string{agent.Name}, agent.Aliases...) {
			if got, err := hook.Find(name); err != nil || got != agent {
				t.Errorf("Find(%q) = %v, %v, want the agent of that name", name, got, err)
			}
		}
	}
	if _, err := hook.Find("cluade"); err == nil || !strings.Contains(err.Error(), `did you mean "claude"`) {
		t.Errorf("Find of a misspelled name: %v, want a suggestion", err)
	}
}

// TestOwnPrompt has the agents that can be told to ask in a prompt of their own.
func TestOwnPrompt(t *testing.T) {
	for _, agent := range append(slices.Clone(hook.Agents), hook.Auto) {
		asking, err := agent.OwnPrompt()
		if agent != hook.Gemini {
			if err == nil || asking != nil || !strings.Contains(err.Error(), "no choice of prompts for "+agent.Name) || !strings.Contains(err.Error(), "only gemini") {
				t.Errorf("%s.OwnPrompt = %v, %v, want an error that names gemini", agent.Name, asking, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range open(t, agent).calls {
			event, err := asking.Decode(c.Payload)
			if err != nil {
				t.Fatal(err)
			}
			for outcome, decision := range decisions {
				got, without := asking.Answer(event, decision), agent.Answer(event, decision)
				if outcome == "asked" && event.Decides {
					if does := agent.Reads(c.Payload, hook.Outcome{Answer: got}, false); does != hook.Asks {
						t.Errorf("asked of %s: the agent takes %s for %s, want asks", c.Payload, got.Stdout, does)
					}
				} else if diff := cmp.Diff(without, got); diff != "" {
					t.Errorf("%s of %s (-without +with its own prompt):\n%s", outcome, c.Payload, diff)
				}
			}
		}
	}
}

// TestAs has the agents whose payloads may be of several events, and not tell which.
func TestAs(t *testing.T) {
	for _, agent := range append(slices.Clone(hook.Agents), hook.Auto) {
		_, err := agent.As("soup")
		part := "name their events themselves"
		if agent == hook.Copilot {
			part = "such are preToolUse and permissionRequest"
		}
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s.As of no event: %v, want an error with %q", agent.Name, err, part)
		}
	}
	certain, err := hook.Copilot.As("permissionRequest")
	if err != nil {
		t.Fatal(err)
	}
	f := open(t, hook.Copilot)
	for _, c := range f.calls {
		if c.Event == "preToolUse" {
			c.Event = "permissionRequest"
		}
		testDecode(t, certain, c)
		testAnswer(t, certain, c, f.answers[c.Event])
	}
}
