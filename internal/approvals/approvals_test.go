package approvals_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/approvals"
	"github.com/permctl/permctl/internal/permission"
)

const line = `{"permission":"bash","pattern":"git status *","action":"allow"}`

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		rules      int
		problems   []string
	}{
		{"nothing", "", 0, nil},
		{"one line", line + "\n", 1, nil},
		{"a last line without its end", line, 1, nil},
		{"a torn last line costs that line only", line + "\n" + line[:20], 1, []string{"f:2"}},
		{"blank lines", "\n  \n" + line + "\n\n", 1, nil},
		{"a deny is never followed", `{"permission":"bash","pattern":"*","action":"deny"}`, 0, []string{"f:1"}},
		{"an ask is never followed", `{"permission":"bash","pattern":"*","action":"ask"}`, 0, []string{"f:1"}},
		{"a field more", `{"permission":"bash","pattern":"*","action":"allow","x":1}`, 0, []string{"f:1"}},
		{"a field less", `{"permission":"bash","action":"allow"}`, 0, []string{"f:1"}},
		{"an empty permission", `{"permission":"","pattern":"*","action":"allow"}`, 0, []string{"f:1"}},
		{"a field in other letters", `{"permission":"bash","p\u0061ttern":"*","\u0061ction":"allow"}`, 1, nil},
		{"blanks, another order and a carriage return", ` { "action" : "allow", "pattern":"*","permission":"bash"}` + "\r\n", 1, nil},
		{"quotes in a pattern", `{"permission":"bash","pattern":"echo \"a\" \\","action":"allow"}`, 1, nil},
		{"a string without its end", `{"permission":"bash","pattern":"\","action":"allow"}`, 0, []string{"f:1"}},
		{"something behind the object", line + " x", 0, []string{"f:1"}},
		{"a control character in a string", "{\"permission\":\"bash\",\"pattern\":\"\x01\",\"action\":\"allow\"}", 0, []string{"f:1"}},
		{"two values in a line", line + line, 0, []string{"f:1"}},
		{"fields of another letter case", `{"PERMISSION":"bash","pattern":"*","action":"allow"}`, 0, []string{"f:1"}},
		{"a field twice", `{"permission":"bash","pattern":"*","action":"deny","action":"allow"}`, 0, []string{"f:1"}},
		{"an object in a field", `{"permission":"bash","pattern":{},"action":"allow"}`, 0, []string{"f:1"}},
		{"a list", `[` + line + `]`, 0, []string{"f:1"}},
		{"text", "allow everything\n" + line, 1, []string{"f:1"}},
		{"a line that is too long", `{"permission":"` + strings.Repeat("x", 70_000) + `"}` + "\n" + line, 1, []string{"f:1"}},
	} {
		rules, problems := approvals.Parse([]byte(tt.text), "f")
		if len(rules) != tt.rules || len(problems) != len(tt.problems) {
			t.Errorf("%s: %d rules, problems %v; want %d rules and %d problems", tt.name, len(rules), problems, tt.rules, len(tt.problems))
			continue
		}
		for i, want := range tt.problems {
			if !strings.HasPrefix(problems[i].Error(), want+": ") {
				t.Errorf("%s: problem %q, want one of %s", tt.name, problems[i], want)
			}
		}
	}
}

// FuzzParse holds that whatever the bytes, there are only allows that would be
// written as they were read, and that the form in which lines are written is
// read no less strictly than another.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		line, line + "\n" + line[:9], "{}", "\x00\n", `{"permission":"a","pattern":"\u0000","action":"allow"}`,
		`{"permission":"a","pattern":"\"é\ud800\u2028","action":"allow"}`, `{"permission":"a","pattern":"b\","action":"allow"}`,
		"{\"permission\":\"a\",\"pattern\":\"\t\xff\",\"action\":\"allow\"}\r\n", line + "x", line + "\u00a0",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		rules, problems := approvals.Parse(text, "f")
		if n := len(rules) + len(problems); n > bytes.Count(text, []byte("\n"))+1 {
			t.Fatalf("%d rules and problems in too few lines", n)
		}
		for _, r := range rules {
			if r.Action != permission.Allow || r.Permission == "" {
				t.Fatalf("%+v is no approval", r)
			}
			again, err := json.Marshal(map[string]any{"permission": r.Permission, "pattern": r.Pattern, "action": r.Action})
			if err != nil {
				t.Fatal(err)
			}
			if reread, _ := approvals.Parse(again, "f"); len(reread) != 1 || reread[0].Pattern != r.Pattern {
				t.Fatalf("%s does not read back", again)
			}
		}
		for line := range bytes.Lines(text) {
			rest, ok := bytes.CutPrefix(line, []byte("{"))
			if !ok || len(line) > 64_000 {
				continue
			}
			spaced := append([]byte("{ "), rest...)
			quick, _ := approvals.Parse(line, "f")
			if slow, _ := approvals.Parse(spaced, "f"); !cmp.Equal(quick, slow) {
				t.Fatalf("%q: is %+v, and with a blank %+v", line, quick, slow)
			}
		}
	})
}
