package hook_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/permission"
)

// alike are agents that report what has happened in the same words, and another
// with the payloads of which they are mixed up. Nothing is answered to either.
var alike = map[string]string{"codex": "claude", "gemini": "vscode", "factory": "claude"}

// TestDetect detects every agent by every payload of its folder.
func TestDetect(t *testing.T) {
	for _, agent := range hook.Agents {
		for _, c := range open(t, agent).calls {
			found, err := hook.Detect(c.Payload)
			if c.Unmarked {
				if err == nil {
					t.Errorf("%s: Detect(%s) = %s, want an error", agent.Name, c.Payload, found.Name)
				}
				continue
			}
			switch {
			case err != nil:
				t.Errorf("%s: Detect(%s): %v", agent.Name, c.Payload, err)
			case found != agent && (c.Call != nil || alike[agent.Name] != found.Name):
				t.Errorf("%s: Detect(%s) = %s", agent.Name, c.Payload, found.Name)
			}
			same(t, hook.Auto, agent, c.Payload)
		}
	}
}

// same checks that a hook answers what agent's hook does.
func same(t *testing.T, called, agent *hook.Agent, payload []byte) {
	t.Helper()
	got, gotErr := called.Decode(payload)
	want, wantErr := agent.Decode(payload)
	if gotErr != nil || wantErr != nil {
		t.Errorf("hook %s, Decode(%s): %v, and of hook %s: %v", called.Name, payload, gotErr, agent.Name, wantErr)
		return
	}
	if diff := cmp.Diff(want.Call, got.Call); diff != "" || got.Decides != want.Decides {
		t.Errorf("hook %s, Decode(%s) (-%s +got):\n%s", called.Name, payload, agent.Name, diff)
	}
	for outcome, decision := range decisions {
		if diff := cmp.Diff(agent.Answer(want, decision), called.Answer(got, decision)); diff != "" {
			t.Errorf("hook %s, %s of %s (-%s +got):\n%s", called.Name, outcome, payload, agent.Name, diff)
		}
	}
	if diff := cmp.Diff(agent.Fail(payload, errors.New(failure)), called.Fail(payload, errors.New(failure))); diff != "" && want.Decides {
		t.Errorf("hook %s, failed %s (-%s +got):\n%s", called.Name, payload, agent.Name, diff)
	}
}

// TestDetectRefuses has payloads that do not tell whose they are.
func TestDetectRefuses(t *testing.T) {
	payload := string(open(t, hook.Claude).payload(t, "PreToolUse"))
	texts := map[string]string{
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`:            "which agent",
		`{"tool":"bash","input":{"command":"ls"}}`:                                                     "which agent",
		`{"tool_input":{"cursor_version":"1","agent_action_name":"pre_run_command"}}`:                  "which agent",
		`{"id":1,"method":"item/fileChange/requestApproval","params":{}}`:                              "which agent",
		`{"agent_action_name":"pre_run_command","tool_info":{"command_line":"ls"},"clineVersion":"3"}`: "may be Windsurf's or Cline's",
	}
	maps.Copy(texts, nonsense([]byte(payload)))
	texts["{}"], texts["null"] = "which agent", "which agent"
	for text, part := range texts {
		if text == `{"a":1,"A":2}` {
			part = "twice"
		}
		event, err := hook.Auto.Decode([]byte(text))
		if err == nil || event.Decides || !strings.Contains(err.Error(), part) {
			t.Errorf("Decode(%.200s) = %+v, %v, want an error with %q", text, event, err, part)
			continue
		}
		got := hook.Auto.Fail([]byte(text), err)
		if got.Status != 2 || len(got.Stdout) > 0 || !strings.Contains(got.Stderr, err.Error()) {
			t.Errorf("Fail(%.200s) = %+v, want status 2, and the reason on standard error alone", text, got)
		}
	}
}

// TestMarks holds that no payload on which an agent waits bears another's mark.
func TestMarks(t *testing.T) {
	for _, agent := range hook.Agents {
		for _, c := range open(t, agent).calls {
			if found := hook.Marked(c.Payload); c.Call != nil && !c.Unmarked && !slices.Equal(found, []*hook.Agent{agent}) {
				for _, other := range found {
					t.Errorf("%s bears a mark of %s's", c.Payload, other.Name)
				}
			}
		}
	}
}

// TestGuests has agents run a hook that stands in another's settings: they are
// answered in their own dialect.
func TestGuests(t *testing.T) {
	for _, tt := range []struct {
		host   *hook.Agent
		guests []*hook.Agent
	}{
		{hook.Claude, []*hook.Agent{hook.Cursor, hook.Copilot, hook.VSCode, hook.Gemini}},
	} {
		for _, agent := range hook.Agents {
			if !slices.Contains(tt.guests, agent) {
				continue
			}
			f := open(t, agent)
			for _, c := range f.calls {
				if c.Call != nil {
					same(t, tt.host, agent, c.Payload)
				}
			}
			for _, r := range f.refused {
				testGuestFails(t, tt.host, agent, r.text())
			}
		}
	}
}

// testGuestFails checks that a payload which the guest's own hook refuses is
// refused by the host's, with the guest's mark in it.
func testGuestFails(t *testing.T, host, guest *hook.Agent, payload []byte) {
	t.Helper()
	marked := bytes.Replace(payload, []byte("{"), []byte(`{"cursor_version":"3.9",`), 1)
	if guest != hook.Cursor || !json.Valid(marked) {
		return
	}
	_, err := host.Decode(marked)
	if err == nil {
		t.Errorf("hook %s takes %s of %s", host.Name, marked, guest.Name)
		return
	}
	answer := host.Fail(marked, err)
	if does := guest.Reads(marked, hook.Outcome{Answer: answer}, false); does != hook.Blocked {
		t.Errorf("hook %s, failed %s: %s takes it for %s", host.Name, marked, guest.Name, does)
	}
}

// TestHostKeepsItsOwn holds that a payload with the host's own mark is the host's,
// whatever else is in it.
func TestHostKeepsItsOwn(t *testing.T) {
	for _, c := range open(t, hook.Claude).calls {
		if c.Call == nil {
			continue
		}
		more := bytes.Replace(c.Payload, []byte("{"), []byte(`{"conversation_id":"c1","later":{"cursor_version":"3"},`), 1)
		event, err := hook.Claude.Decode(more)
		if err != nil {
			t.Errorf("Decode(%s): %v", more, err)
			continue
		}
		want := hook.Claude.Answer(hook.Event{Name: event.Name, Decides: true}, denied)
		if diff := cmp.Diff(want, hook.Claude.Answer(event, permission.Decision{Action: permission.Deny, Reason: denied.Reason})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", more, diff)
		}
	}
}
