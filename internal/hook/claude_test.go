package hook_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// common is what every payload of Claude Code says besides what is its own.
var common = map[string]any{
	"session_id":      "3c2f",
	"transcript_path": "/home/ann/.claude/projects/-srv-inn/3c2f.jsonl",
	"cwd":             "/srv/inn",
	"prompt_id":       "9d1e",
	"permission_mode": "default",
	"effort":          map[string]any{"level": "low"},
}

// payloads returns the payloads of testdata/claude.jsonl, each with the common
// fields beside its own.
func payloads(t testing.TB) []map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "claude.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	for line := range bytes.Lines(text) {
		p := maps.Clone(common)
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, p)
	}
	return all
}

// text returns payload as JSON.
func text(t testing.TB, payload any) []byte {
	t.Helper()
	text, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

var (
	granted = permission.Decision{Action: permission.Allow, Grant: true, Reason: `allowed: <b> & "c"`}
	passed  = permission.Decision{Action: permission.Allow, Reason: "nothing speaks of it"}
	asked   = permission.Decision{Action: permission.Ask, Reason: "settings.yaml:3 asks"}
	denied  = permission.Decision{Action: permission.Deny, Reason: "settings.yaml:4 denies"}
)

// outcomes are what Claude Code is told, by event and decision. Where there is
// nothing for an event, it is told nothing.
var outcomes = map[string]map[string]hook.Answer{
	"PreToolUse": {
		"granted": {Stdout: []byte(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"allowed: <b> & \"c\""}}` + "\n")},
		"asked":   {Stdout: []byte(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"settings.yaml:3 asks"}}` + "\n")},
		"denied":  {Stdout: []byte(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"settings.yaml:4 denies"}}` + "\n")},
	},
	"PermissionRequest": {
		"granted": {Stdout: []byte(`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}` + "\n")},
		"denied":  {Stdout: []byte(`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"settings.yaml:4 denies"}}}` + "\n")},
	},
	"UserPromptSubmit": {
		"denied": {Stdout: []byte(`{"decision":"block","reason":"settings.yaml:4 denies"}` + "\n")},
	},
	"PreSkillShellCommand": {
		"asked":  {Stderr: "settings.yaml:3 asks\nNobody can be asked here: a person has to run the command, or write a rule that allows it.\n", Status: 2},
		"denied": {Stderr: "settings.yaml:4 denies\n", Status: 2},
	},
}

func TestClaudeAnswer(t *testing.T) {
	for _, payload := range payloads(t) {
		event, err := hook.Claude.Decode(text(t, payload))
		if err != nil {
			t.Errorf("Decode(%v): %v", payload, err)
			continue
		}
		for name, decision := range map[string]permission.Decision{
			"granted": granted, "passed": passed, "asked": asked, "denied": denied,
		} {
			want := outcomes[event.Name][name]
			if diff := cmp.Diff(want, hook.Claude.Answer(event, decision)); diff != "" {
				t.Errorf("%s %s %s (-want +got):\n%s", event.Name, event.Call.Tool, name, diff)
			}
		}
	}
}

func TestClaudeDecode(t *testing.T) {
	for _, payload := range payloads(t) {
		got, err := hook.Claude.Decode(text(t, payload))
		if err != nil {
			t.Errorf("Decode(%v): %v", payload, err)
			continue
		}
		want := hook.Event{Name: payload["hook_event_name"].(string)}
		if _, ok := outcomes[want.Name]; ok {
			want.Decides = true
			want.Call = input.Call{Tool: "prompt", Input: map[string]any{"prompt": payload["prompt"]}, Session: "3c2f"}
			want.Call.Cwd = payload["cwd"].(string)
			want.Call.Agent, _ = payload["agent_type"].(string)
		}
		if want.Decides && want.Name != "UserPromptSubmit" {
			want.Call.Tool = payload["tool_name"].(string)
			want.Call.Input = payload["tool_input"].(map[string]any)
		}
		// These two are told of below.
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(input.Call{}, "MCP", "Mode"), cmpopts.IgnoreUnexported(hook.Event{})); diff != "" {
			t.Errorf("Decode(%v) (-want +got):\n%s", payload, diff)
		}
	}
}

func TestClaudeMode(t *testing.T) {
	for mode, want := range map[string]string{
		"plan": "plan", "default": "", "acceptEdits": "", "bypassPermissions": "", "Plan": "plan", "": "",
	} {
		payload := `{"hook_event_name":"PreToolUse","tool_name":"Read","permission_mode":"` + mode + `"}`
		event, err := hook.Claude.Decode([]byte(payload))
		if err != nil || event.Call.Mode != want {
			t.Errorf("Decode(%s) has mode %q (%v), want %q", payload, event.Call.Mode, err, want)
		}
	}
}

func TestClaudeMCP(t *testing.T) {
	for _, tt := range []struct{ server, name, want string }{
		{"till", "mcp__till__charge", "charge"},
		{"front__desk", "mcp__front__desk__check_out", "check_out"},
		{"till", "mcp__till__a__b", "a__b"},
		{"till", "mcp__till___a", "_a"},
		{"plugin:inn:till", "mcp__plugin_inn_till__charge", "charge"},
		{"the inn (2)", "mcp__the_inn__2___charge", "charge"},
		{"claude.ai Inn (beta)", "mcp__claude_ai_Inn_beta__charge", "charge"},
		{"other", "mcp__till__charge", "mcp__till__charge"},
		{"till", "mcp__till__", "mcp__till__"},
		{"till", "Charge", "Charge"},
	} {
		payload := map[string]any{
			"hook_event_name": "PreToolUse", "tool_name": tt.name,
			"mcp_server": map[string]any{"name": tt.server}, "tool_input": map[string]any{"cents": "5"},
		}
		event, err := hook.Claude.Decode(text(t, payload))
		if err != nil {
			t.Errorf("Decode(%v): %v", payload, err)
		}
		want := &input.MCP{Server: tt.server, Tool: tt.want, Arguments: map[string]any{"cents": "5"}}
		if diff := cmp.Diff(want, event.Call.MCP); diff != "" {
			t.Errorf("server %q, name %q (-want +got):\n%s", tt.server, tt.name, diff)
		}
	}
	event, err := hook.Claude.Decode([]byte(`{"hook_event_name":"PreToolUse","tool_name":"mcp__till__charge"}`))
	if err != nil || event.Call.MCP != nil {
		t.Errorf("without mcp_server: %+v, %v, want no MCP and no error", event.Call.MCP, err)
	}
}

func TestClaudeTolerates(t *testing.T) {
	for payload, want := range map[string]map[string]any{
		`{"hook_event_name":"PreToolUse","tool_name":"Bash"}`:                                        {},
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":null}`:                      {},
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":["ls"]}}`:        {"command": []any{"ls"}},
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":7},"new":[{}]}`:  {"command": 7.0},
		`{"hook_event_name":"PreToolUse","tool_name":"Yet2Come","tool_input":{"y":true},"cwd":null}`: {"y": true},
	} {
		event, err := hook.Claude.Decode([]byte(payload))
		if err != nil || !event.Decides {
			t.Errorf("Decode(%s) = %+v, %v, want a call to decide", payload, event, err)
		}
		if diff := cmp.Diff(want, event.Call.Input); diff != "" {
			t.Errorf("Decode(%s) input (-want +got):\n%s", payload, diff)
		}
	}
}

// deep is JSON that nests deeper than any call may.
var deep = strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)

func TestClaudeRefuses(t *testing.T) {
	for _, tt := range []struct{ payload, want string }{
		{``, "empty"},
		{" \n", "empty"},
		{`null`, "no hook_event_name"},
		{`{}`, "no hook_event_name"},
		{`[]`, "array"},
		{`"PreToolUse"`, "string"},
		{"\xff\xfe", "not JSON"},
		{`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"comm`, "not JSON"},
		{`{"hook_event_name":"PreToolUse","tool_name":"Bash"} {}`, "not JSON"},
		{`{"hook_event_name":"PreToolUse"}`, "no tool_name"},
		{`{"hook_event_name":"PreToolUse","tool_name":""}`, "no tool_name"},
		{`{"hook_event_name":"PreSkillShellCommand","tool_input":{"command":"ls"}}`, "no tool_name"},
		{`{"hook_event_name":"PreToolUse","tool_name":["Bash"]}`, `"tool_name"`},
		{`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":"ls"}`, `"tool_input"`},
		{`{"hook_event_name":"PreToolUse","tool_name":"Bash","permission_mode":1}`, `"permission_mode"`},
		{`{"hook_event_name":"UserPromptSubmit","prompt":{}}`, `"prompt"`},
		{`{"hook_event_name":7,"tool_name":"Bash"}`, `"hook_event_name"`},
		{`{"hook_event_name":"preToolUse","tool_name":"Bash"}`, `Claude Code's is "PreToolUse"`},
		{`{"hook_event_name":"PreToolUse ","tool_name":"Bash","tool_input":{"command":"ls"}}`, `which is no event of Claude Code`},
		{`{"hook_event_name":"BeforeTool","tool_name":"Bash","tool_input":{"command":"ls"}}`, `which is no event of Claude Code`},
		{`{"hook_event_name":"PreToolUse","tool_name":"Bash","HOOK_EVENT_NAME":"PostToolUse"}`, `the field "HOOK_EVENT_NAME" twice`},
		{`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm x"},"tool_input":{"command":"ls"}}`, `the field "tool_input" twice`},
		{`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"a":` + deep + `}}`, input.ErrTooDeep.Error()},
		{`{"hook_event_name":"PreToolUse","tool_name":"` + strings.Repeat("B", input.MaxCall) + `"}`, input.ErrTooLarge.Error()},
		// Fields of inner objects, and what texts quote, do not name the event.
		{`{"hook_event_name":"PreToolUse","tool_input":{"hook_event_name":"PermissionRequest"}`, "not JSON"},
		{`{"tool_input":{"hook_event_name":"PermissionRequest"}`, "not JSON"},
		{`{"prompt":"\"hook_event_name\":\"PermissionRequest\""`, "not JSON"},
		{`{"hook_event_name":"PermissionRequest","hook_event_name":"PreToolUse"`, "twice"},
		{`{"hook_event_name":"PreToolUse","hook_event_name":"PermissionRequest"`, "twice"},
		{`{"hook_event_name":"Permission\u0052equest"`, "not JSON"},
		{`{"hook_event_name":"PermissionRequest`, "not JSON"},
		{`{"hook_event_name`, "not JSON"},
	} {
		event, err := hook.Claude.Decode([]byte(tt.payload))
		if err == nil || event.Decides {
			t.Errorf("Decode(%.80s) = %+v, %v, want an error", tt.payload, event, err)
			continue
		}
		got := hook.Claude.Fail([]byte(tt.payload), err)
		if len(got.Stdout) > 0 || got.Status != 2 || !strings.Contains(got.Stderr, tt.want) {
			t.Errorf("Fail(%.80s) = %+v, want status 2 and %q on standard error alone", tt.payload, got, tt.want)
		}
	}
}

func TestClaudeRefusesDialogs(t *testing.T) {
	for _, payload := range []string{
		`{"hook_event_name":"PermissionRequest"}`,
		`{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"comm`,
		`{ "tool_input": {"a": [` + deep + `]}, "hook_event_name" : "PermissionRequest", "tool_name": "Bash"}`,
		`{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":[]}`,
	} {
		_, err := hook.Claude.Decode([]byte(payload))
		if err == nil {
			t.Errorf("Decode(%.80s) is no error", payload)
			continue
		}
		reason := "permctl could not decide, so the answer is no: " + err.Error()
		want := `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":` + string(text(t, reason)) + "}}}\n"
		got := hook.Claude.Fail([]byte(payload), err)
		if string(got.Stdout) != want || got.Stderr != "" || got.Status != 0 {
			t.Errorf("Fail(%.80s) = %+v, want standard output %s", payload, got, want)
		}
	}
}

func TestClaudeUnknownActionIsDeny(t *testing.T) {
	event := hook.Event{Name: "PreToolUse", Decides: true}
	for _, decision := range []permission.Decision{{}, {Action: "ALLOW", Grant: true}} {
		got := string(hook.Claude.Answer(event, decision).Stdout)
		if !strings.Contains(got, `"permissionDecision":"deny","permissionDecisionReason":"permctl gave no reason"`) {
			t.Errorf("Answer(%+v) = %s, want a deny with a reason", decision, got)
		}
	}
}

func TestReason(t *testing.T) {
	event := hook.Event{Name: "PreToolUse", Decides: true}
	for _, reason := range []string{
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
		if got := verdict(answer); got != "deny" {
			t.Errorf("%.20q: the answer is %q, want deny", reason, got)
		}
		if bytes.ContainsAny(answer.Stdout, "\x1b\u202e") || bytes.Contains(answer.Stdout, []byte(`\u001b`)) {
			t.Errorf("%.20q: %s steers the terminal", reason, answer.Stdout)
		}
		if strings.HasSuffix(reason, ":4") && !bytes.Contains(answer.Stdout, []byte(" settings.yaml:4")) {
			t.Errorf("%.20q: the end is lost", reason)
		}
	}
}

func TestFind(t *testing.T) {
	for _, name := range []string{"claude", "claude-code"} {
		if got, err := hook.Find(name); err != nil || got != hook.Claude {
			t.Errorf("Find(%q) = %v, %v, want Claude Code", name, got, err)
		}
	}
	if _, err := hook.Find("cluade"); err == nil || !strings.Contains(err.Error(), `did you mean "claude"`) {
		t.Errorf("Find of a misspelled name: %v, want a suggestion", err)
	}
}

// verdict returns what Claude Code takes answer for: allow, ask, deny, "" if it
// says nothing, or "broken" if it follows none of the dialect's forms.
func verdict(answer hook.Answer) string {
	switch {
	case answer.Status == 2 && len(answer.Stdout) == 0 && strings.TrimSpace(answer.Stderr) != "":
		return "deny"
	case answer.Status != 0 || answer.Stderr != "":
		return "broken"
	case len(answer.Stdout) == 0:
		return ""
	}
	var out struct {
		Decision string
		Hook     struct {
			PermissionDecision string
			Decision           struct{ Behavior string }
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(answer.Stdout, &out); err != nil || answer.Stdout[0] != '{' {
		return "broken"
	}
	verdict := out.Hook.PermissionDecision + out.Hook.Decision.Behavior
	if out.Decision == "block" {
		verdict += "deny"
	}
	return verdict
}

func FuzzDecode(f *testing.F) {
	seeds := [][]byte{[]byte(`{"hook_event_name":"PermissionRequest","tool_name":"Ba`), []byte(`{"hook_event_name":"PreToolUse","tool_name":3}`)}
	for _, payload := range payloads(f) {
		seeds = append(seeds, text(f, payload))
	}
	fuzzPayloads(f, hook.Claude, verdict, seeds...)
}
