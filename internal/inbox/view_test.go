package inbox_test

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/inbox"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/screen"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// pushing is a request of "cd sub && git push --force; ls", of which the push has
// to be asked for.
func pushing(id string) api.Pending {
	const shell = "cd sub && git push --force; ls"
	push := strings.Index(shell, "git")
	return api.Pending{
		ID: id, SessionID: "s1", Permission: "bash", Asked: noon.Add(-3 * time.Minute), Workspace: "/home/ann/app", Title: "cd sub && git push --force; ls", Text: shell,
		Metadata: input.Call{Tool: "bash", Input: map[string]any{"command": shell, "timeout": 5.0}, Cwd: "/home/ann/app", Session: "s1"},
		Decision: permission.Decision{
			Action: permission.Ask,
			Requests: []permission.Request{{Permission: "bash", Targets: []permission.Target{
				{Pattern: "git push", Forms: []string{"git push --force"}, Action: permission.Ask, Rule: &permission.Rule{
					Permission: "bash", Pattern: "git push *", Action: permission.Ask, Layer: permission.LayerGlobal, Source: "settings.yaml:3",
				}},
				{Pattern: "ls", Forms: []string{"ls"}, Action: permission.Allow},
			}}},
		},
		Commands: []api.Command{
			{Text: "cd sub", Start: 0, End: 6, Prefix: "cd"},
			{Text: "git push --force", Asks: true, Start: push, End: push + len("git push --force"), Prefix: "git push", Dir: "sub", Effects: []string{"network"}},
			{Text: "ls", Start: len(shell) - 2, End: len(shell), Prefix: "ls"},
		},
		Offers: []api.Offer{{Permission: "bash", Pattern: "git push *", Examples: []string{"git push"}}, {Permission: "bash", Pattern: "git push"}},
	}
}

func TestView(t *testing.T) {
	got := inbox.View([]api.Pending{pushing("per_1"), pushing("per_2")}, "", 60, 24, noon)
	want := []string{
		"permctl inbox  2 waiting  connecting",
		"> 3m  cd sub && git push --force; ls                      s1",
		"  3m  cd sub && git push --force; ls                      s1",
		strings.Repeat("-", 60),
		"cd sub && git push --force; ls",
		"timeout: 5",
		`asked: bash git push: by bash: {"git push *": ask} in settin`,
		"       gs.yaml:3 (global)",
		"- cd sub",
		"! git push --force  (network; in sub)",
		"- ls",
		"always: bash  git push *",
		"always: bash  git push",
		"tool: bash",
		"workspace: /home/ann/app",
		"directory: /home/ann/app",
		"session: s1",
		"id: per_1",
		"", "", "", "",
		"",
		"o once  a always  r reject  m message  ? help  q quit",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	// What does not fit is told of, and can be read on.
	got = inbox.View([]api.Pending{pushing("per_1")}, "", 40, 10, noon)
	want = []string{
		"permctl inbox  1 waiting  connecting",
		"> 3m  cd sub && git push --force; ls",
		"-- lines 1 to 5 of 15, more below (page down) ",
		"cd sub && git push --force; ls",
	}
	for i := range want {
		if len(want[i]) > 40 {
			want[i] = want[i][:37] + "…"
		}
		if !strings.HasPrefix(got[i], strings.TrimRight(want[i], "… ")) {
			t.Errorf("line %d is %q, want %q", i, got[i], want[i])
		}
	}
	if len(got) != 10 {
		t.Errorf("%d lines, want 10", len(got))
	}
	if got := inbox.View([]api.Pending{pushing("per_1")}, "G", 40, 10, noon); !strings.Contains(strings.Join(got, "\n"), "id: per_1") {
		t.Errorf("the end is\n%s", strings.Join(got, "\n"))
	}
}

// TestDeciding asserts that the commands that ask are marked, and nothing else.
func TestDeciding(t *testing.T) {
	astray, none := pushing("per_1"), pushing("per_1")
	astray.Commands[1].Start, astray.Commands[1].End = 10, 99
	none.Commands[1].Asks = false
	for _, tt := range []struct {
		name string
		p    api.Pending
		want []string
	}{
		{"a command", pushing("per_1"), []string{"git push --force"}},
		{"a place that is none", astray, nil},
		{"none", none, nil},
	} {
		if diff := cmp.Diff(tt.want, inbox.Deciding(tt.p)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestKeys(t *testing.T) {
	for _, tt := range []struct {
		chunks []string
		want   []string
	}{
		{[]string{"oj"}, []string{"o", "j"}},
		{[]string{"\x1b[A\x1bOB"}, []string{"up", "down"}},
		{[]string{"\x1b", "[A"}, []string{"up"}},
		{[]string{"\x1b"}, []string{"escape"}},
		{[]string{"\x1b\x1b"}, []string{"escape", "escape"}},
		{[]string{"\x1bo"}, []string{"unknown"}},
		{[]string{"\x1b[1;5A"}, []string{"unknown"}},
		{[]string{"\x1b[200~o\n\x1b[201~o"}, []string{"+o", "+enter", "o"}},
		{[]string{"\x1b[200~o", "r\x1b[20", "1~m"}, []string{"+o", "+r", "m"}},
		{[]string{"é漢"}, []string{"é", "漢"}},
		{[]string{"\xc3", "\xa9"}, []string{"é"}},
		{[]string{"\xff\x00\u202e"}, []string{"unknown", "unknown", "unknown"}},
		{[]string{"\x03\x04\x15\r\x7f"}, []string{"interrupt", "eof", "clear", "enter", "backspace"}},
		{[]string{"\x1b[" + strings.Repeat("1", 40) + "A"}, []string{"unknown", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "A"}},
	} {
		if diff := cmp.Diff(tt.want, inbox.Keys(tt.chunks...)); diff != "" {
			t.Errorf("%q: %s", tt.chunks, diff)
		}
	}
}

// FuzzView asserts that no text of a call gets past a line, or steers a terminal,
// and that the whole of a command is shown.
func FuzzView(f *testing.F) {
	f.Add("git push", "push", "k", 80, 24)
	f.Add("\x1b[2J\u202e\u0301漢\xff\n\t", "\x1b]0;x\a", "GJ?", 40, 10)
	f.Add(strings.Repeat("x", 5000), "x", "a j s \x1b", 20, 6)
	f.Add("a\r\nb", "", "m", 1, 1)
	f.Fuzz(func(t *testing.T, shell, other, keys string, width, height int) {
		width, height = max(width%200, 0), max(height%60, 0)
		p := pushing("per_1")
		p.Metadata.Input, p.Text = map[string]any{"command": shell, other: other}, shell
		p.Title, p.SessionID, p.Workspace, p.Agent = shell, other, other, other
		p.Commands[1].Text, p.Commands[1].Unparsed, p.Commands[0].Effects = other, shell, []string{other}
		p.Paths = []api.Path{{Path: other, Access: input.Access(other)}}
		p.Offers = []api.Offer{{Permission: other, Pattern: shell}}
		lines := inbox.View([]api.Pending{p, {ID: "per_2", Title: other}}, keys, width, height, noon)
		if len(lines) > max(height, 1) {
			t.Errorf("%d lines in a terminal of %d", len(lines), height)
		}
		for _, line := range lines {
			if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) || screen.Width(line) > max(width, 1) {
				t.Errorf("%dx%d: a line is %q, of %d columns", width, height, line, screen.Width(line))
			}
		}
	})
}
