package screen_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/screen"
)

var hostile = []struct {
	text, want string
	width      int
}{
	{"git push", "git push", 8},
	{"", "", 0},
	{"a\tb", "a  b", 4},
	{"a\nb\r", `a\nb\r`, 6},
	{"\x1b[2Jrm", `\x1b[2Jrm`, 9},
	{"\u009b2J", `\u009b2J`, 8},
	{"\x00\x7f", `\x00\x7f`, 8},
	{"rm \u202e fdp", `rm \u202e fdp`, 13},
	{"a\u2066b\u200d\ufeff", `a\u2066b\u200d\ufeff`, 20},
	{"\xff\xfe", `\xff\xfe`, 8},
	{"\ufffd", "\ufffd", 1},
	{"caf\u00e9 cafe\u0301", "caf\u00e9 cafe\u0301", 9},
	{"e\u0301\u0302\u0303\u0304", "e\u0301\u0302" + `\u0303\u0304`, 13},
	{"\u0301x", `\u0301x`, 7},
	{"漢字", "漢字", 4},
	{"\u3164\u115f\u2800", `\u3164\u115f\u2800`, 18},
	{"\u2764\ufe0f", "\u2764" + `\ufe0f`, 7},
	{"\U000e0041", `\U000e0041`, 10},
	{"a\u00a0b", `a\u00a0b`, 8},
	{"\u20dd", `\u20dd`, 6},
}

func TestLine(t *testing.T) {
	for _, tt := range hostile {
		if got := screen.Line(tt.text, 0); got != tt.want {
			t.Errorf("Line(%+q) = %q, want %q", tt.text, got, tt.want)
		}
		if got := screen.Width(tt.text); got != tt.width {
			t.Errorf("Width(%+q) = %d, want %d", tt.text, got, tt.width)
		}
	}
	for _, tt := range []struct {
		text  string
		width int
		want  string
	}{
		{"git push", 8, "git push"},
		{"git push", 7, "git pu…"},
		{"漢字", 3, "漢…"},
		{"漢字", 2, "…"},
		{"x\x1b", 3, "x…"},
		{"x", 1, "x"},
		{"xy", 1, "…"},
	} {
		if got := screen.Line(tt.text, tt.width); got != tt.want {
			t.Errorf("Line(%q, %d) = %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
	if got, want := screen.Pad("漢字", 5), "漢字 "; got != want {
		t.Errorf("Pad = %q, want %q", got, want)
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"a\nb", []string{"a", "b"}},
		{"a\n", []string{"a", ""}},
		{"0123456789abc", []string{"0123456789", "abc"}},
		{"0123456789\nabc", []string{"0123456789", "abc"}},
		{"012345678漢", []string{"012345678", "漢"}},
		{"01234567\x1b", []string{"01234567", "\x1b"}},
	} {
		var got []string
		for _, span := range screen.Wrap(tt.text, 10) {
			got = append(got, tt.text[span.From:span.To])
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Wrap(%q): %s", tt.text, diff)
		}
	}
}

func FuzzLine(f *testing.F) {
	for _, tt := range hostile {
		f.Add(tt.text, 12)
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = max(width%100, 1)
		whole := screen.Line(text, 0)
		if !safe(whole) {
			t.Errorf("Line(%q) = %q, which is not safe to show", text, whole)
		}
		if again := screen.Line(whole, 0); again != whole {
			t.Errorf("Line(%q) = %q, which is shown as %q", text, whole, again)
		}
		if cut := screen.Line(text, width); !safe(cut) || screen.Width(cut) > width {
			t.Errorf("Line(%q, %d) = %q, which takes %d columns", text, width, cut, screen.Width(cut))
		}
		at := 0
		for cell := range screen.Cells(text) {
			if cell.From != at || cell.To <= at || cell.Width < 1 {
				t.Fatalf("Cells(%q) has %+v behind byte %d", text, cell, at)
			}
			at = cell.To
		}
		if at != len(text) {
			t.Errorf("Cells(%q) ends at byte %d", text, at)
		}
		at = 0
		for i, span := range screen.Wrap(text, width) {
			if i > 0 && span.From > at && text[at:span.From] != "\n" || span.From < at || span.To < span.From {
				t.Fatalf("Wrap(%q, %d) has %v behind byte %d", text, width, span, at)
			}
			if got := screen.Width(text[span.From:span.To]); got > max(width, screen.MinWidth) {
				t.Errorf("Wrap(%q, %d) has a line of %d columns", text, width, got)
			}
			at = span.To
		}
		if at != len(text) {
			t.Errorf("Wrap(%q, %d) ends at byte %d", text, width, at)
		}
	})
}

// safe reports whether nothing in a text steers a terminal.
func safe(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsPrint(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.Variation_Selector, r)
	})
}

func BenchmarkWrap(b *testing.B) {
	text := strings.Repeat("echo 漢字 é\x1b[0m; ", 1<<20/20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		screen.Wrap(text, 80)
	}
}
