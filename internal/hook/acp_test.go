package hook_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/permission"
)

// replied returns the answer that is a reply, beside a reason.
func replied(outcome, reason string) hook.Answer {
	answer := out(`{"jsonrpc":"2.0","id":5,"result":{"outcome":` + outcome + `}}`)
	answer.Stderr = reason
	return answer
}

func TestACP(t *testing.T) {
	testAgent(t, hook.ACP, saidACP, map[string]map[string]hook.Answer{
		"session/request_permission": {
			"granted": replied(`{"outcome":"selected","optionId":"y"}`, ""),
			"denied":  replied(`{"outcome":"selected","optionId":"n"}`, "settings.yaml:4 denies\n"),
		},
	})
}

func TestACPOptions(t *testing.T) {
	const nothing, cancelled = "", `{"outcome":"cancelled"}`
	for _, tt := range []struct {
		options  string
		decision permission.Decision
		want     string
	}{
		{`[{"optionId":"allow_once","kind":"reject_once"},{"optionId":"1","kind":"allow_once"}]`, granted, `{"outcome":"selected","optionId":"1"}`},
		{`[{"optionId":"a","kind":"allow_always"}]`, granted, nothing},
		{`[{"optionId":"","kind":"allow_once"}]`, granted, nothing},
		{`null`, granted, nothing},
		{`[{"optionId":"a","kind":"reject_always"},{"optionId":"b","kind":"reject_once"}]`, denied, `{"outcome":"selected","optionId":"b"}`},
		{`[{"optionId":"a","kind":"reject_always"}]`, denied, `{"outcome":"selected","optionId":"a"}`},
		{`[{"optionId":"a","kind":"allow_once"}]`, denied, cancelled},
		{`[]`, denied, cancelled},
	} {
		event, err := hook.ACP.Decode([]byte(`{"id":5,"method":"session/request_permission","params":{"toolCall":{"kind":"think","rawInput":{"a":1}},"options":` + tt.options + `}}`))
		if err != nil {
			t.Errorf("%s: %v", tt.options, err)
			continue
		}
		want := hook.Answer{}
		if tt.want != nothing {
			want = replied(tt.want, "")
		}
		got := hook.ACP.Answer(event, tt.decision)
		got.Stderr = ""
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", tt.options, tt.decision.Action, diff)
		}
	}
}

func TestACPRefuses(t *testing.T) {
	request := func(params string) string {
		return `{"id":"x","method":"session/request_permission","params":{` + params + `,"options":[{"optionId":"y","kind":"allow_once"},{"optionId":"n","kind":"reject_once"}]}}`
	}
	for payload, want := range map[string][2]string{
		request(`"toolCall":{"toolCallId":"c"}`):                                    {"of what kind", `"optionId":"n"`},
		request(`"toolCall":null`):                                                  {"of what kind", `"optionId":"n"`},
		request(`"toolCall":{"kind":"other"}`):                                      {"is given", `"optionId":"n"`},
		request(`"toolCall":{"kind":"execute","rawInput":"ls"}`):                    {"rawInput", `"optionId":"n"`},
		request(`"toolCall":{"kind":"execute","rawInput":["ls"]}`):                  {"rawInput", `"optionId":"n"`},
		request(`"toolCall":{"kind":7,"rawInput":{"command":"ls"}}`):                {"kind", `"optionId":"n"`},
		request(`"toolCall":{"kind":"edit","locations":["a"]}`):                     {"locations", `"optionId":"n"`},
		request(`"subject":{"type":"yet_to_come"}`):                                 {"yet_to_come", `"optionId":"n"`},
		request(`"subject":{"type":"command"}`):                                     {"command", `"optionId":"n"`},
		request(`"subject":{"type":"tool_call"}`):                                   {"of what kind", `"optionId":"n"`},
		request(`"subject":{"type":"command","command":"ls"},"toolCall":{}`):        {"both", `"optionId":"n"`},
		request(`"toolCall":{"kind":"execute","rawInput":{"a":"b","a":"c"}}`):       {"twice", `"optionId":"n"`},
		`{"id":1,"method":"session/request_permission"}`:                            {"of what kind", `"cancelled"`},
		`{"id":1,"method":"terminal/create","params":{"command":"ls","args":[]}}`:   {"terminal/create", `"error"`},
		`{"id":1,"method":"fs/write_text_file","params":{"path":"/a"}}`:             {"fs/write_text_file", `"error"`},
		`{"method":"session/request_permission","params":{"toolCall":{"kind":"a"}}`: {"not JSON", ""},
		`{"method":"session/request_permission","params":{}}`:                       {"no id", ""},
		`{"id":null,"method":"session/request_permission"}`:                         {"no id", ""},
		`{"id":{},"method":"session/request_permission"}`:                           {"no id", ""},
		`{"id":1}`: {"no method", `"error"`},
		`null`:     {"no method", ""},
		`[]`:       {"array", ""},
		``:         {"empty", ""},
	} {
		event, err := hook.ACP.Decode([]byte(payload))
		if err == nil || event.Decides {
			t.Errorf("Decode(%s) = %+v, %v, want an error", payload, event, err)
			continue
		}
		got := hook.ACP.Fail([]byte(payload), err)
		if saidACP(got) != "deny" || !strings.Contains(got.Stderr, want[0]) || !strings.Contains(string(got.Stdout), want[1]) {
			t.Errorf("Fail(%s) = %s, %+v, want %q and %q", payload, got.Stdout, got, want[0], want[1])
		}
	}
}

// saidACP is what answer says: see [verdict]. A button is named for what it says
// if it is one of those of the test data.
func saidACP(answer hook.Answer) string {
	if answer.Status != 0 || len(answer.Stdout) == 0 {
		return verdict(answer)
	}
	var reply struct {
		ID     any
		Error  any
		Result struct {
			Outcome struct{ Outcome, OptionID string }
		}
	}
	if err := json.Unmarshal(answer.Stdout, &reply); err != nil || reply.ID == nil {
		return "broken"
	}
	switch outcome := reply.Result.Outcome; {
	case reply.Error != nil, outcome.Outcome == "cancelled", outcome.OptionID != "y" && outcome.OptionID != "yy":
		return "deny"
	}
	return "allow"
}

func FuzzACP(f *testing.F) {
	f.Add([]byte(`{"id":1e999,"method":"session/request_permission"}`))
	fuzzLines(f, hook.ACP, func(answer hook.Answer) string {
		if answer.Status == 0 && answer.Stderr != "" && json.Valid(answer.Stdout) {
			return "deny" // only a no comes with a reason
		}
		return saidACP(answer)
	})
}
