package hook_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

const (
	bashPayload   = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`
	dialogPayload = `{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"}}`
)

// claudeDoes is what Claude Code does with the call in payload after answer.
func claudeDoes(payload string, answer hook.Answer) hook.Effect {
	return hook.Claude.Reads([]byte(payload), hook.Outcome{Answer: answer}, false)
}

// always returns a function that decides every call so.
func always(d permission.Decision) hook.Decide {
	return func(context.Context, input.Call) (hook.Verdict, error) { return hook.Verdict{Decision: d}, nil }
}

func TestRun(t *testing.T) {
	var got input.Call
	answer := hook.Run(t.Context(), hook.Claude, strings.NewReader(bashPayload), func(_ context.Context, call input.Call) (hook.Verdict, error) {
		got = call
		return hook.Verdict{Decision: granted}, nil
	}, hook.Limits{})
	if diff := cmp.Diff(open(t, hook.Claude).answers["PreToolUse"]["granted"], answer); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	if want := (input.Call{Tool: "Bash", Input: map[string]any{"command": "ls"}, Workdirs: []string{}}); !cmp.Equal(got, want) {
		t.Errorf("decided %+v, want %+v", got, want)
	}
}

func TestRunWithoutCall(t *testing.T) {
	payload := strings.NewReader(`{"hook_event_name":"SessionStart","source":"startup"}`)
	answer := hook.Run(t.Context(), hook.Claude, payload, func(context.Context, input.Call) (hook.Verdict, error) {
		t.Error("there is nothing to decide")
		return hook.Verdict{Decision: denied}, nil
	}, hook.Limits{})
	if diff := cmp.Diff(hook.Answer{}, answer); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

func TestRunFailsClosed(t *testing.T) {
	broken := errors.New("policy org.git: divides by zero")
	for _, tt := range []struct {
		name   string
		stdin  func(payload string) io.Reader
		decide hook.Decide
		want   string
	}{
		{
			"an error beside an allow", func(p string) io.Reader { return strings.NewReader(p) },
			func(context.Context, input.Call) (hook.Verdict, error) {
				return hook.Verdict{Decision: granted}, broken
			},
			"policy org.git: divides by zero",
		},
		{
			"a panic", func(p string) io.Reader { return strings.NewReader(p) },
			func(context.Context, input.Call) (hook.Verdict, error) { panic("index out of range") },
			"panic: index out of range",
		},
		{
			"a payload that breaks off", func(p string) io.Reader {
				return io.MultiReader(strings.NewReader(p), iotest.ErrReader(errors.New("pipe is gone")))
			},
			always(granted), "read the payload: pipe is gone",
		},
		{
			"a payload without an end", func(p string) io.Reader {
				return io.MultiReader(strings.NewReader(p), zeros{})
			},
			always(granted), input.ErrTooLarge.Error(),
		},
	} {
		for _, payload := range []string{bashPayload, dialogPayload} {
			answer := hook.Run(t.Context(), hook.Claude, tt.stdin(payload), tt.decide, hook.Limits{Deadline: time.Minute})
			if got := claudeDoes(payload, answer); got != hook.Blocked {
				t.Errorf("%s: the call is %s, want blocked", tt.name, got)
			}
			if said := string(answer.Stdout) + answer.Stderr; !strings.Contains(said, tt.want) {
				t.Errorf("%s: said %q, want %q in it", tt.name, said, tt.want)
			}
			if dialog := payload == dialogPayload; (len(answer.Stdout) > 0) != dialog {
				t.Errorf("%s: standard output is %q", tt.name, answer.Stdout)
			}
		}
	}
}

// zeros has no end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestRunDeadline(t *testing.T) {
	for _, tt := range []struct {
		payload  string
		deadline time.Duration
		want     time.Duration
	}{
		{bashPayload, 0, hook.DefaultDeadline},
		{dialogPayload, time.Second, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			defer close(release)
			hang := func(context.Context, input.Call) (hook.Verdict, error) {
				<-release
				return hook.Verdict{Decision: granted}, nil
			}
			start := time.Now()
			answer := hook.Run(t.Context(), hook.Claude, strings.NewReader(tt.payload), hang, hook.Limits{Deadline: tt.deadline})
			if got := time.Since(start); got != tt.want {
				t.Errorf("it took %v, want %v", got, tt.want)
			}
			if said := string(answer.Stdout) + answer.Stderr; claudeDoes(tt.payload, answer) != hook.Blocked || !strings.Contains(said, "no decision within "+tt.want.String()) {
				t.Errorf("Run = %+v, want a deny that tells of the deadline", answer)
			}
		})
	}
}

func TestRunDeadlineOfStdin(t *testing.T) {
	for _, payload := range []string{bashPayload, dialogPayload, ""} {
		synctest.Test(t, func(t *testing.T) {
			stdin, agent := io.Pipe()
			defer agent.Close()
			go func() { // writes, and does not close
				if _, err := io.WriteString(agent, payload); err != nil {
					t.Error(err)
				}
			}()
			answer := hook.Run(t.Context(), hook.Claude, stdin, always(granted), hook.Limits{Deadline: time.Second})
			if got := claudeDoes(payload, answer); got != hook.Blocked {
				t.Errorf("%q: the call is %s, want blocked", payload, got)
			}
			if dialog := payload == dialogPayload; (len(answer.Stdout) > 0) != dialog {
				t.Errorf("%q: standard output is %q", payload, answer.Stdout)
			}
		})
	}
}

func TestRunInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		waits := func(ctx context.Context, _ input.Call) (hook.Verdict, error) {
			cancel(errors.New("terminated by a signal"))
			<-ctx.Done()
			return hook.Verdict{Decision: granted}, nil
		}
		answer := hook.Run(ctx, hook.Claude, strings.NewReader(bashPayload), waits, hook.Limits{})
		if claudeDoes(bashPayload, answer) != hook.Blocked || !strings.Contains(answer.Stderr, "terminated by a signal") {
			t.Errorf("Run = %+v, want a deny that tells of the signal", answer)
		}
	})
}

// TestRunAwaits has what a person who is asked says, and what becomes of the call
// if nobody does.
func TestRunAwaits(t *testing.T) {
	for name, tt := range map[string]struct {
		await func(ctx context.Context) (permission.Decision, error)
		want  string // of the outcomes
	}{
		"allowed":    {func(context.Context) (permission.Decision, error) { return granted, nil }, "granted"},
		"denied":     {func(context.Context) (permission.Decision, error) { return denied, nil }, "denied"},
		"fails":      {func(context.Context) (permission.Decision, error) { return granted, errors.New("the daemon is gone") }, "asked"},
		"panics":     {func(context.Context) (permission.Decision, error) { panic("index out of range") }, "asked"},
		"never says": {func(ctx context.Context) (permission.Decision, error) { <-ctx.Done(); return granted, nil }, "asked"},
		"heeds not":  {func(context.Context) (permission.Decision, error) { select {} }, "asked"},
		"says rubish": {func(context.Context) (permission.Decision, error) {
			return permission.Decision{Action: "perhaps", Reason: denied.Reason}, nil
		}, "denied"},
	} {
		t.Run(name, func(t *testing.T) {
			decide := func(context.Context, input.Call) (hook.Verdict, error) {
				return hook.Verdict{Decision: asked, Await: tt.await}, nil
			}
			answer := hook.Run(t.Context(), hook.Claude, strings.NewReader(bashPayload), decide, hook.Limits{Wait: 100 * time.Millisecond})
			if diff := cmp.Diff(open(t, hook.Claude).answers["PreToolUse"][tt.want], answer); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}
