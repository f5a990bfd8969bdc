//go:build e2e

package e2e_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/shim"
)

// quick is how long a plugin waits for permctl in the tests, in milliseconds.
const quick = "700"

// plugin writes a plugin that starts program, and returns its path.
func plugin(t *testing.T, agent, program, path string) string {
	t.Helper()
	text, err := shim.Text(agent, program)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, string(text))
	return path
}

// hasten makes the plugin at path wait no longer than is quick.
func hasten(t *testing.T, path string) {
	t.Helper()
	const longest = "const longest = 70_000"
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), longest) {
		t.Fatalf("the plugin has no %q: %v", longest, err)
	}
	write(t, path, strings.Replace(string(text), longest, "const longest = "+quick, 1))
}

// A fate is what becomes of a call.
type fate struct {
	Runs    bool
	Reason  string
	Changed bool // its input can still be changed
	Ticks   int  // how often the agent's other work had a turn
}

// pretend writes a program that does what script says, and returns its path.
func pretend(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "permctl")
	write(t, path, "#!/bin/sh\n"+script+"\n")
	if err := os.Chmod(path, 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// load has agent's plugin judge an input by program.
func load(t *testing.T, agent, program, input string, more ...string) fate {
	t.Helper()
	path := plugin(t, agent, program, filepath.Join(t.TempDir(), "permctl.mjs"))
	hasten(t, path)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	node := exec.CommandContext(ctx, "node", append([]string{"testdata/shim.mjs", agent, path, input}, more...)...)
	node.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR=/srv/evil")
	node.Stderr = os.Stderr
	out, err := node.Output()
	var f fate
	if err != nil || json.Unmarshal(out, &f) != nil {
		t.Fatalf("%s with %s: %v\n%s", agent, input, err, out)
	}
	return f
}

// shims are the agents that have a plugin, with the answers that let a call run
// and that do not.
var shims = []struct{ agent, allow, deny string }{
	{"opencode", `{"decision":"allow"}`, `{"decision":"deny","reason":"rule 7"}`},
	{"pi", `{"block":false}`, `{"block":true,"reason":"rule 7"}`},
	{"senpi", `{"block":false}`, `{"block":true,"reason":"rule 7"}`},
}

const plain = `{"command":"ls","list":[1],"deep":{"er":1}}`

// answering returns a script that reads the call and gives an answer.
func answering(answer string) string { return "cat >/dev/null; printf '%s\\n' '" + answer + "'" }

// TestShimAnswers: a call runs if permctl says so, and its input stays as it was
// judged.
func TestShimAnswers(t *testing.T) {
	for _, s := range shims {
		f := load(t, s.agent, pretend(t, answering(s.allow)), plain)
		if f.Ticks = 0; !cmp.Equal(f, fate{Runs: true}) {
			t.Errorf("%s: an allow is %+v, want that the call runs unchanged", s.agent, f)
		}
		f = load(t, s.agent, pretend(t, answering(s.deny)), plain)
		if f.Runs || f.Reason != "rule 7" {
			t.Errorf("%s: a deny is %+v", s.agent, f)
		}
		for _, input := range []string{"undefined", "bare", `{}`, `{"__proto__":{"command":"ls"}}`} {
			if f := load(t, s.agent, pretend(t, answering(s.allow)), input); !f.Runs {
				t.Errorf("%s: the input %s is refused: %s", s.agent, input, f.Reason)
			}
		}
	}
	for answer, want := range map[string]fate{
		`{"decision":"pass"}`:                    {Runs: true},
		`{"decision":"ask","reason":"rule 8"}`:   {Reason: "rule 8 (a person has to allow it, and nobody was there to ask)"},
		`{"decision":"deny"}`:                    {Reason: "permctl gave no reason"},
		`{"decision":"deny","reason":["allow"]}`: {Reason: "permctl gave no reason"},
	} {
		f := load(t, "opencode", pretend(t, answering(answer)), plain)
		if f.Ticks = 0; !cmp.Equal(f, want) {
			t.Errorf("opencode: %s is %+v, want %+v", answer, f, want)
		}
	}
}

// TestShimFailsClosed: whatever else permctl does, the call does not run, the model
// is told what failed, and nothing of permctl is left.
func TestShimFailsClosed(t *testing.T) {
	for _, s := range shims {
		for _, tt := range []struct{ name, script, want string }{
			{"status 1", answering(s.allow) + "; exit 1", "ended with status 1"},
			{"status 2 and a reason", "cat >/dev/null; echo 'permctl could not decide, so the answer is no: settings.yaml:3: no' >&2; exit 2", "ended with status 2: settings.yaml:3: no."},
			{"a crash", "kill -SEGV $$", "ended with SIGSEGV"},
			{"a crash behind its answer", answering(s.allow) + "; kill -ABRT $$", "ended with SIGABRT"},
			{"no answer", "cat >/dev/null", "said nothing"},
			{"a line end", "cat >/dev/null; echo", "said nothing"},
			{"rubbish", answering("allow"), "gave no answer, but said: allow"},
			{"a page", answering("<html>"), "gave no answer, but said: <html>"},
			{"half an answer", answering(s.allow[:len(s.allow)-1]), "gave no answer"},
			{"an answer and more", answering(s.allow + " ok"), "gave no answer"},
			{"two answers", answering(s.allow + s.allow), "gave no answer"},
			{"a string", answering(`"allow"`), "gave no answer"},
			{"a list", answering("[" + s.allow + "]"), "gave no answer"},
			{"null", answering("null"), "gave no answer"},
			{"false", answering("false"), "gave no answer"},
			{"an empty object", answering("{}"), "gave no decision, but said: {}"},
			{"an unknown decision", answering(`{"decision":"ALLOW","block":0}`), "gave no decision"},
			{"decisions in lists", answering(`{"decision":["allow"],"block":[false]}`), "gave no decision"},
			{"decisions that are text", answering(`{"decision":"true","block":"false"}`), "gave no decision"},
			{"another agent's answer", answering(`{"permissionDecision":"allow"}`), "gave no decision"},
			{"too much", "cat >/dev/null; head -c 70000 /dev/zero | tr '\\0' ' '; echo '" + s.allow + "'", "said more than 65536 characters"},
			{"no end of it", "cat >/dev/null; exec yes", "said more than 65536 characters"},
			{"no answer in time", "cat >/dev/null; exec sleep 600", "did not answer within 0.7 s"},
			{"an answer that does not end", answering(s.allow) + "; exec sleep 600", "did not answer within"},
			{"deaf to signals", "trap '' TERM INT HUP; cat >/dev/null; sleep 600", "did not answer within"},
			{"a child with its output", answering(s.allow) + "; sleep 600 &", "did not answer within"},
		} {
			f := load(t, s.agent, pretend(t, tt.script), plain)
			if f.Runs || !strings.Contains(f.Reason, tt.want) || !strings.HasPrefix(f.Reason, "permctl could not decide") || !strings.HasSuffix(f.Reason, "permctl doctor") {
				t.Errorf("%s, %s: %+v, want a block that says %q", s.agent, tt.name, f, tt.want)
			}
			if strings.HasPrefix(tt.want, "did not answer") && f.Ticks < 20 {
				t.Errorf("%s, %s: the agent had %d turns meanwhile", s.agent, tt.name, f.Ticks)
			}
		}
	}
}

// TestShimWithoutProgram: if permctl cannot be started, no call runs.
func TestShimWithoutProgram(t *testing.T) {
	dir := t.TempDir()
	empty, plainFile := pretend(t, ""), filepath.Join(dir, "file")
	if err := os.Truncate(empty, 0); err != nil {
		t.Fatal(err)
	}
	write(t, plainFile, "#!/bin/sh\necho '{\"decision\":\"allow\",\"block\":false}'\n")
	for _, s := range shims {
		for program, want := range map[string]string{
			filepath.Join(dir, "gone"):            "ENOENT",
			filepath.Join(dir, "gone", "permctl"): "ENOENT",
			plainFile:                             "EACCES",
			dir:                                   "EACCES",
			filepath.Join(plainFile, "permctl"):   "ENOTDIR",
			empty:                                 "", // a shell takes it for a script without commands
		} {
			if f := load(t, s.agent, program, plain); f.Runs || !strings.Contains(f.Reason, want) || !strings.Contains(f.Reason, program) {
				t.Errorf("%s, %s: %+v, want a block with %s", s.agent, program, f, want)
			}
		}
	}
}

// TestShimInputs: an input that JSON does not say as it is, is not judged.
func TestShimInputs(t *testing.T) {
	for _, s := range shims {
		allow := pretend(t, answering(s.allow))
		for _, input := range []string{
			"cyclic", "bigint", "nan", "date", "map", "function", "getter", "hidden", "symbol", "inherited", "object", "hole", "nothing", "deep",
		} {
			if f := load(t, s.agent, allow, input); f.Runs || f.Reason == "" {
				t.Errorf("%s: the input %q is judged, and %+v", s.agent, input, f)
			}
		}
		f := load(t, s.agent, pretend(t, "exec <&-; sleep 0.2; echo '"+s.allow+"'"), "large")
		if f.Runs || !strings.Contains(f.Reason, "did not read the call") {
			t.Errorf("%s: an answer to a call that was not read is %+v", s.agent, f)
		}
	}
}

// TestShimStarts: permctl is started as its hook, with the call as it is, without
// what the agent's environment has become since, and without Claude Code's folder.
func TestShimStarts(t *testing.T) {
	for _, s := range shims {
		out := filepath.Join(t.TempDir(), "out")
		f := load(t, s.agent, pretend(t, `{ printf '%s\n' "$# $*" "$EVIL" "$CLAUDE_PROJECT_DIR" "${HOME:+home}"; cat; } > '`+out+`'; echo '`+s.allow+`'`), plain)
		got, err := os.ReadFile(out)
		if err != nil || !f.Runs {
			t.Fatalf("%s: %+v, %v", s.agent, f, err)
		}
		call := `{"hook":"tool_call","event":{"type":"tool_call","toolName":"bash","toolCallId":"c1","input":` + plain + `},"cwd":"/srv/inn","session":"ses_1","explicit":true}`
		dialect := "pi"
		switch s.agent {
		case "opencode":
			dialect = "opencode"
			call = `{"hook":"tool.execute.before","input":{"tool":"bash","sessionID":"ses_1","callID":"c1"},"output":{"args":` + plain + `},"directory":"/srv/inn","worktree":"/srv"}`
		case "senpi":
			call = strings.Replace(call, `"session":"ses_1",`, "", 1)
		}
		if diff := cmp.Diff("2 hook "+dialect+"\n\n\nhome\n"+call, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", s.agent, diff)
		}
	}
}

// TestShimAbort: when the session ends, permctl does too, where the agent says so.
func TestShimAbort(t *testing.T) {
	f := load(t, "pi", pretend(t, "cat >/dev/null; exec sleep 600"), plain, "abort")
	if f.Runs || !strings.Contains(f.Reason, "the session was ended") {
		t.Errorf("an abort is %+v", f)
	}
}

// TestShimBare: an agent that tells a plugin nothing of the project or the session
// has its calls judged all the same.
func TestShimBare(t *testing.T) {
	for _, s := range shims {
		if f := load(t, s.agent, pretend(t, answering(s.allow)), plain, "bare"); !f.Runs {
			t.Errorf("%s: an allow is %+v", s.agent, f)
		}
		if f := load(t, s.agent, pretend(t, answering(s.deny)), plain, "bare"); f.Runs || f.Reason != "rule 7" {
			t.Errorf("%s: a deny is %+v", s.agent, f)
		}
	}
}
