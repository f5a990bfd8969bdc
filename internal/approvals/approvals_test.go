package approvals_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/approvals"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/private"
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
		{"two values in a line", line + line, 0, []string{"f:1"}},
		{"fields of another letter case", `{"PERMISSION":"bash","pattern":"*","action":"allow"}`, 0, []string{"f:1"}},
		{"a field twice", `{"permission":"bash","pattern":"*","action":"deny","action":"allow"}`, 0, []string{"f:1"}},
		{"an object in a field", `{"permission":"bash","pattern":{},"action":"allow"}`, 0, []string{"f:1"}},
		{"a list", `[` + line + `]`, 0, []string{"f:1"}},
		{"text", "allow everything\n" + line, 1, []string{"f:1"}},
		{"a line that is too long", `{"permission":"` + strings.Repeat("x", 70_000) + `"}` + "\n" + line, 1, []string{"f:1"}},
	} {
		rules, problems, err := approvals.Parse(strings.NewReader(tt.text), "f")
		if err != nil || len(rules) != tt.rules || len(problems) != len(tt.problems) {
			t.Errorf("%s: %d rules, problems %v, %v; want %d rules and %d problems", tt.name, len(rules), problems, err, tt.rules, len(tt.problems))
			continue
		}
		for i, want := range tt.problems {
			if !strings.HasPrefix(problems[i].Error(), want+": ") {
				t.Errorf("%s: problem %q, want one of %s", tt.name, problems[i], want)
			}
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "approved.jsonl")
	if rules, problems, err := approvals.Read(path); len(rules)+len(problems) > 0 || err != nil {
		t.Errorf("no file: %v, %v, %v; want nothing", rules, problems, err)
	}
	if err := os.WriteFile(path, []byte(line+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rules, _, err := approvals.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []permission.Rule{{
		Permission: "bash", Pattern: "git status *", Action: permission.Allow, Layer: permission.LayerApprovals, Source: path + ":1",
	}}
	if diff := cmp.Diff(want, rules); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	if runtime.GOOS == "windows" {
		return
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for _, refused := range []string{link, dir} {
		if _, _, err := approvals.Read(refused); !errors.Is(err, private.ErrNotOwn) {
			t.Errorf("Read(%s) = %v, want %v", refused, err, private.ErrNotOwn)
		}
	}
	if err := os.Chmod(path, 0o622); err != nil {
		t.Fatal(err)
	}
	if _, _, err := approvals.Read(path); !errors.Is(err, private.ErrNotOwn) {
		t.Errorf("a file that others may write: %v, want %v", err, private.ErrNotOwn)
	}
}

// FuzzParse holds that whatever the bytes, there are only allows that would be
// written as they were read.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{line, line + "\n" + line[:9], "{}", "\x00\n", `{"permission":"a","pattern":"\u0000","action":"allow"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		rules, problems, err := approvals.Parse(bytes.NewReader(text), "f")
		if err != nil {
			t.Fatal(err)
		}
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
			if reread, _, err := approvals.Parse(bytes.NewReader(again), "f"); err != nil || len(reread) != 1 || reread[0].Pattern != r.Pattern {
				t.Fatalf("%s does not read back", again)
			}
		}
	})
}
