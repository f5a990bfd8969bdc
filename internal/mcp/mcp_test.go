package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/mcp"
	"github.com/permctl/permctl/internal/permission"
)

// A session is a client of a server that has been started for it.
type session struct {
	*sdk.ClientSession

	in    io.Closer  // what the server reads
	stop  func()     // ends the server's context
	ended chan error // what Serve returned
}

// start serves a client by a hook.
func start(t *testing.T, h mcp.Hook) session {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	s := session{in: toServer, stop: stop, ended: make(chan error, 1)}
	go func() {
		s.ended <- mcp.Serve(ctx, in, out, "1.2.3", h)
		_ = out.Close() // as the process's end would
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "claude-code", Version: "2"}, nil)
	var err error
	s.ClientSession, err = client.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer, MaxLineLength: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // it may be closed
	return s
}

// wantEnd waits until the server has ended, without an error.
func (s session) wantEnd(t *testing.T) {
	t.Helper()
	select {
	case err := <-s.ended:
		if err != nil {
			t.Errorf("Serve: %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the server does not end")
	}
}

// asks calls the tool, and returns the text that it answers.
func (s session) asks(ctx context.Context, t *testing.T, arguments string) string {
	t.Helper()
	result, err := s.CallTool(ctx, &sdk.CallToolParams{Name: mcp.Tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Errorf("%.100s: %v", arguments, err)
		return ""
	}
	if result.IsError || len(result.Content) != 1 {
		t.Errorf("%.100s: %+v, want one content that is no error", arguments, result)
		return ""
	}
	content, ok := result.Content[0].(*sdk.TextContent)
	if !ok {
		t.Errorf("%.100s: %T, want text", arguments, result.Content[0])
		return ""
	}
	return content.Text
}

// answering returns a hook that always answers so.
func answering(answer string) mcp.Hook {
	return func(context.Context, []byte) ([]byte, error) { return []byte(answer), nil }
}

const (
	ls    = `{"tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"toolu_1"}`
	allow = `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`

	lsAllowed = `{"behavior":"allow","updatedInput":{"command":"ls"}}`
)

// denied returns the answer that is a no for a reason.
func denied(reason string) string {
	text, err := json.Marshal(map[string]string{"behavior": "deny", "message": reason})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func TestTools(t *testing.T) {
	s := start(t, answering(allow))
	if got := s.InitializeResult().ServerInfo; got.Name != "permctl" || got.Version != "1.2.3" {
		t.Errorf("the server is %+v", got)
	}
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(tools.Tools) != 1 || tools.Tools[0].Name != "approve" {
		t.Errorf("the tools are %+v, want approve alone", tools.Tools)
	}
	if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "Bash", Arguments: map[string]any{"command": "ls"}}); err == nil {
		t.Error("another tool is there")
	}
}

// TestDecisions: only a grant is an allow, by the dialect that the hook really has.
func TestDecisions(t *testing.T) {
	for _, tt := range []struct {
		verdict hook.Verdict
		err     error
		want    string
	}{
		{hook.Verdict{Decision: permission.Decision{Action: permission.Allow, Grant: true}}, nil, lsAllowed},
		{hook.Verdict{Decision: permission.Decision{Action: permission.Allow}}, nil, denied("no rule allows it, and nobody could be asked")},
		{hook.Verdict{Decision: permission.Decision{Action: permission.Ask, Grant: true, Reason: "rule 3"}}, nil, denied("no rule allows it, and nobody could be asked")},
		{hook.Verdict{Decision: permission.Decision{Action: permission.Deny, Grant: true, Reason: `rule 4: <b> "c"`}}, nil, denied(`rule 4: <b> "c"`)},
		{hook.Verdict{}, nil, denied("permctl gave no reason")},
		{hook.Verdict{Decision: permission.Decision{Action: "ALLOW", Grant: true}}, nil, denied("permctl gave no reason")},
		{
			hook.Verdict{Decision: permission.Decision{Action: permission.Allow, Grant: true}},
			errors.New("no rules"),
			denied("permctl could not decide, so the answer is no: no rules"),
		},
	} {
		s := start(t, func(ctx context.Context, event []byte) ([]byte, error) {
			return hook.Run(ctx, hook.Claude, bytes.NewReader(event), func(_ context.Context, call input.Call) (hook.Verdict, error) {
				want := input.Call{Tool: "Bash", Input: map[string]any{"command": "ls"}, Workdirs: []string{}}
				if diff := cmp.Diff(want, call); diff != "" {
					t.Errorf("the call (-want +got):\n%s", diff)
				}
				return tt.verdict, tt.err
			}, hook.Limits{}).Stdout, nil
		})
		if diff := cmp.Diff(tt.want, s.asks(t.Context(), t, ls)); diff != "" {
			t.Errorf("%+v, %v (-want +got):\n%s", tt.verdict, tt.err, diff)
		}
	}
}

// TestInput: what the hook judges is what Claude Code gets back, to the letter.
func TestInput(t *testing.T) {
	for _, given := range []string{
		`{}`,
		`{"command":"echo \"<b>\" && ls > x","n":12345678901234567890,"f":1.0,"e":1e2}`,
		`{"content":"\ud83c\udf5e\u2028\ud800 \\","deep":{"er":[null,true,{"x":""}]}}`,
		`{"command":"ls","hook_event_name":"PreToolUse","behavior":"allow"}`,
	} {
		var event []byte
		s := start(t, func(_ context.Context, e []byte) ([]byte, error) {
			event = bytes.Clone(e)
			return []byte(allow), nil
		})
		text := s.asks(t.Context(), t, `{"input":`+given+`,"tool_name":"mcp__x__\"y\""}`)
		want := `{"hook_event_name":"PermissionRequest","tool_name":"mcp__x__\"y\"","tool_input":` + given + `}`
		if string(event) != want {
			t.Errorf("the hook is given %.300s, want %.300s", event, want)
		}
		if want := `{"behavior":"allow","updatedInput":` + given + `}`; text != want {
			t.Errorf("the answer is %.300s, want %.300s", text, want)
		}
		if _, err := hook.Claude.Decode(event); err != nil {
			t.Errorf("%.300s: %v", event, err)
		}
	}
}

// TestArguments: what is no call is refused, and the hook not asked.
func TestArguments(t *testing.T) {
	s := start(t, func(_ context.Context, event []byte) ([]byte, error) {
		t.Errorf("the hook is asked %.200s", event)
		return []byte(allow), nil
	})
	for arguments, part := range map[string]string{
		`{}`:                                "no tool_name",
		`{"input":{}}`:                      "no tool_name",
		`{"tool_name":"Bash"}`:              "input is no object",
		`{"tool_name":"","x":1}`:            "no tool_name",
		`{"tool_name":7,"input":{}}`:        `\"tool_name\" is a JSON number`,
		`{"tool_name":"Bash","input":null}`: "input is no object",
		`{"tool_name":"Bash","input":[{"command":"ls"}]}`:   "input is no object",
		`{"tool_name":"Bash","input":"{}"}`:                 "input is no object",
		`{"tool_name":"Bash","input":{},"input":{}}`:        `field \"input\" twice`,
		`{"tool_name":"Bash","Tool_Name":"X","input":{}}`:   "twice",
		`{"tool_name":"Bash","input":{"a":"ls","a":"rm"}}`:  `field \"a\" twice`,
		`{"tool_name":"Bash","input":{"a":"` + huge + `"}}`: input.ErrTooLarge.Error(),
		`[{"tool_name":"Bash","input":{}}]`:                 "is a JSON array",
		`"Bash"`:                                            "is a JSON string",
		`null`:                                              "no tool_name",
	} {
		text := s.asks(t.Context(), t, arguments)
		if !strings.HasPrefix(text, `{"behavior":"deny","message":"permctl could not decide, so the answer is no: `) || !strings.Contains(text, part) {
			t.Errorf("%.100s: %.300s, want a deny with %s", arguments, text, part)
		}
	}
}

var huge = strings.Repeat("a", input.MaxCall)

// TestAnswers: whatever a hook writes that is no allow of this event is a deny.
func TestAnswers(t *testing.T) {
	for answer, part := range map[string]string{
		``:                              "no rule allows it",
		"\n":                            "cannot be read",
		`allow`:                         "cannot be read",
		`{}`:                            "no rule allows it",
		`null`:                          "no rule allows it",
		`[]`:                            "cannot be read",
		`{"behavior":"allow"}`:          "no rule allows it",
		allow[:len(allow)-1]:            "cannot be read",
		allow + allow:                   "cannot be read",
		`{"hookSpecificOutput":"allow"`: "cannot be read",
		strings.Replace(allow, "PermissionRequest", "PreToolUse", 1):                         "no rule allows it",
		strings.Replace(allow, `"allow"`, `"ALLOW"`, 1):                                      "no rule allows it",
		strings.Replace(allow, `"allow"`, `["allow"]`, 1):                                    "cannot be read",
		strings.Replace(allow, `"allow"`, `true`, 1):                                         "cannot be read",
		strings.Replace(allow, `"allow"`, `"deny"`, 1):                                       "no rule allows it",
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`: "no rule allows it",
	} {
		s := start(t, answering(answer))
		if text := s.asks(t.Context(), t, ls); !strings.HasPrefix(text, `{"behavior":"deny","message":"`) || !strings.Contains(text, part) {
			t.Errorf("%q: %s, want a deny with %s", answer, text, part)
		}
	}
}

// TestError: an error of the hook is a deny for its reason, whatever it answers.
func TestError(t *testing.T) {
	for reason, want := range map[string]string{"no rules": "no rules", "": "permctl gave no reason"} {
		s := start(t, func(context.Context, []byte) ([]byte, error) { return []byte(allow), errors.New(reason) })
		if diff := cmp.Diff(denied(want), s.asks(t.Context(), t, ls)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", reason, diff)
		}
	}
}

// TestPanic: a panic is a deny, and the next call is decided.
func TestPanic(t *testing.T) {
	first := true
	s := start(t, func(context.Context, []byte) ([]byte, error) {
		if first {
			first = false
			panic("index out of range")
		}
		return []byte(allow), nil
	})
	want := denied("permctl could not decide, so the answer is no: panic: index out of range")
	if diff := cmp.Diff(want, s.asks(t.Context(), t, ls)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := s.asks(t.Context(), t, ls); got != lsAllowed {
		t.Errorf("the next call is answered %s", got)
	}
}

// waiting returns a hook that waits until a call's context ends, but for calls of
// Read, and tells when it waits and when it does no more.
func waiting() (h mcp.Hook, began, ended chan struct{}) {
	began, ended = make(chan struct{}, 1), make(chan struct{}, 1)
	return func(ctx context.Context, event []byte) ([]byte, error) {
		if bytes.Contains(event, []byte(`"Read"`)) {
			return []byte(allow), nil
		}
		began <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return []byte(allow), nil
	}, began, ended
}

// TestAtOnce: a call that waits for a person holds up no other, and ends if it is
// cancelled.
func TestAtOnce(t *testing.T) {
	h, began, ended := waiting()
	s := start(t, h)
	ctx, cancel := context.WithCancel(t.Context())
	told := make(chan error, 1)
	go func() {
		_, err := s.CallTool(ctx, &sdk.CallToolParams{Name: mcp.Tool, Arguments: json.RawMessage(ls)})
		told <- err
	}()
	<-began
	if got := s.asks(t.Context(), t, `{"tool_name":"Read","input":{"command":"ls"}}`); got != lsAllowed {
		t.Errorf("the other call is answered %s", got)
	}
	cancel()
	<-ended
	if err := <-told; err == nil {
		t.Error("the cancelled call has an answer")
	}
}

// TestEnd: when the client goes away, or the server is told to end, it does so at
// once, and so do the calls that wait.
func TestEnd(t *testing.T) {
	for name, end := range map[string]func(s session){
		"no more input": func(s session) { _ = s.in.Close() },
		"told to":       func(s session) { s.stop() },
	} {
		t.Run(name, func(t *testing.T) {
			h, began, ended := waiting()
			s := start(t, h)
			told := make(chan bool)
			go func() {
				result, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: mcp.Tool, Arguments: json.RawMessage(ls)})
				told <- err == nil && strings.Contains(result.Content[0].(*sdk.TextContent).Text, `"allow"`)
			}()
			<-began
			end(s)
			<-ended
			s.wantEnd(t)
			if <-told {
				t.Error("the call is allowed")
			}
		})
	}
}

// TestLimits: a message beyond the limits of the protocol's library ends the server
// with an error, and is not answered.
func TestLimits(t *testing.T) {
	const begin = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"approve","arguments":{"tool_name":"Bash","input":{"a":`
	for name, text := range map[string]io.Reader{
		"exceeded the configured maximum": io.MultiReader(strings.NewReader(begin+`"`), endless{}),
		"exceeded maximum nesting depth":  strings.NewReader(begin + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + "}}}}\n"),
	} {
		var out bytes.Buffer
		err := mcp.Serve(t.Context(), text, &out, "1", answering(allow))
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(out.String(), "behavior") {
			t.Errorf("Serve: %v, want an error that says %s; the answer is %s", err, name, &out)
		}
	}
}

// endless is a text without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

// TestRubbish: what is no message of the protocol is never answered by an allow.
func TestRubbish(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"approve","arguments":` + ls + `}}`
	for _, text := range []string{
		"", "\n\n", "allow\n", "{}\n", "null\n", "[]\n", "\xff\xfe\n", call + "\n", call, call[:60] + "\n", call + call + "\n",
		strings.Replace(call, `"approve"`, `"allow"`, 1) + "\n",
	} {
		var out bytes.Buffer
		_ = mcp.Serve(t.Context(), strings.NewReader(text), &out, "1", func(context.Context, []byte) ([]byte, error) {
			t.Errorf("%q: the hook is asked", text)
			return []byte(allow), nil
		})
		if strings.Contains(out.String(), "allow") && !strings.Contains(text, `"allow"`) || strings.Contains(out.String(), "behavior") {
			t.Errorf("%q: the answer is %s", text, &out)
		}
	}
}
