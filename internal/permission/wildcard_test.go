package permission_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/permctl/permctl/internal/permission"
)

// matches are texts that a pattern meets, and misses those that it does not.
var matches = []struct{ pattern, text string }{
	{"", ""},
	{"x", "x"},
	{"*", ""},
	{"*", "../a"},
	{"*", "a\nb"},
	{"**", "a/b"},
	{"?", "a"},
	{"?", "é"},
	{"?", "😀"},
	{"*edit*", "edit"},

	// A last space-star may be left out.
	{"ls *", "ls"},
	{"ls *", "ls -la"},
	{"ls *", "ls foo bar"},
	{"git *", "git status"},
	{"git *", "git commit -m foo"},
	{"git *", "git  status"},
	{"git status *", "git status"},
	{"rm -rf *", "rm -rf"},
	{"rm -rf *", "rm -rf /"},
	{"echo *", "echo a\nrm -rf /"},
	{" *", ""},

	// A star without a space lengthens the word.
	{"ls*", "ls"},
	{"ls*", "lstmeval"},
	{"git status*", "git status"},

	// A star crosses slashes.
	{"src/*", "src/a/b/c.ts"},
	{"src/**/a.ts", "src/x/a.ts"},
	{"/abs/*", "/abs/p"},
	{"*.env", ".env"},
	{"*.env", "a/.env"},
	{"*.env.*", ".env.local"},
	{"**/.env", "a/.env"},

	// What is special elsewhere is itself here.
	{"foo+bar", "foo+bar"},
	{"a.b", "a.b"},
	{"a(b)", "a(b)"},
	{"a[b]", "a[b]"},
	{"a{b,c}", "a{b,c}"},
	{"a|b", "a|b"},
	{"^a$", "^a$"},
	{"$HOME/*", "$HOME/x"},
	{`a\*`, `a\b`},

	{"*a*b*a*b*c", strings.Repeat("ab", 20) + "c"},
}

var misses = []struct{ pattern, text string }{
	{"", "x"},
	{"x", ""},
	{"x", "xx"},
	{"?", ""},
	{"??", "😀"},
	{"ls *", "lstmeval"},
	{"git *", "gitx"},
	{"git *", "git\tstatus"},
	{"git ?", "git"},
	{"git status *", "git statusx"},
	{"rm -rf *", "rm -r -f /"},
	{"git push -f*", "git push origin -f"},
	{"src/**/a.ts", "src/a.ts"},
	{"/abs/*", "abs/p"},
	{"/Users/test/*", "/users/test/file"},
	{"*.env", ".envrc"},
	{"**/.env", ".env"},
	{"a{b,c}", "ab"},
	{"a|b", "a"},
	{"a.b", "axb"},
	{"grep a/.b", `grep a\.b`},
	{"*a*b*a*b*c", strings.Repeat("ab", 20)},
}

func TestMatch(t *testing.T) {
	for _, tt := range matches {
		if !permission.Match(tt.text, tt.pattern) {
			t.Errorf("Match(%q, %q) = false, want true", tt.text, tt.pattern)
		}
	}
	for _, tt := range misses {
		if permission.Match(tt.text, tt.pattern) {
			t.Errorf("Match(%q, %q) = true, want false", tt.text, tt.pattern)
		}
	}
}

// TestMatchHostile would not end if stars multiplied the ways to be tried.
func TestMatchHostile(t *testing.T) {
	text := strings.Repeat("a", 1<<20)
	pattern := strings.Repeat("*a", 200) + "*b"
	if permission.Match(text, pattern) {
		t.Error("a pattern that asks for a b matches a text without one")
	}
}

func TestLiteral(t *testing.T) {
	for _, tt := range []struct {
		pattern, prefix string
		whole           bool
	}{
		{"", "", true},
		{"git status", "git status", true},
		{"git status *", "git status", false},
		{"git status*", "git status", false},
		{"git * *", "git ", false},
		{"*", "", false},
		{" *", "", false},
		{"a?c *", "a", false},
		{"src/**", "src/", false},
	} {
		if prefix, whole := permission.Literal(tt.pattern); prefix != tt.prefix || whole != tt.whole {
			t.Errorf("Literal(%q) = %q, %v, want %q, %v", tt.pattern, prefix, whole, tt.prefix, tt.whole)
		}
	}
}

// FuzzMatch holds Match to the same patterns as regular expressions, and
// Literal to what it promises of every text that matches.
func FuzzMatch(f *testing.F) {
	for _, tt := range matches {
		f.Add(tt.text, tt.pattern)
	}
	for _, tt := range misses {
		f.Add(tt.text, tt.pattern)
	}
	f.Fuzz(func(t *testing.T, text, pattern string) {
		got := permission.Match(text, pattern)
		prefix, whole := permission.Literal(pattern)
		if got && (!strings.HasPrefix(text, prefix) || whole && text != prefix) {
			t.Errorf("%q matches %q, but Literal says %q, %v", pattern, text, prefix, whole)
		}
		if !utf8.ValidString(text) || !utf8.ValidString(pattern) || len(pattern) > 200 {
			return // which regular expressions take differently, or not at all
		}
		if want := reference(pattern).MatchString(text); got != want {
			t.Errorf("Match(%q, %q) = %v, want %v", text, pattern, got, want)
		}
	})
}

// reference returns pattern as a regular expression.
func reference(pattern string) *regexp.Regexp {
	head, tail := pattern, ""
	if before, ok := strings.CutSuffix(pattern, " *"); ok {
		head, tail = before, "(?: .*)?"
	}
	quoted := regexp.QuoteMeta(head)
	quoted = strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(strings.ReplaceAll(quoted, `\\`, `[\\]`))
	return regexp.MustCompile(`(?s)\A` + quoted + tail + `\z`)
}

// BenchmarkMatch shows by its throughput, which is the same for every length,
// that the time grows with the text and not faster.
func BenchmarkMatch(b *testing.B) {
	for _, length := range []int{1 << 10, 1 << 14, 1 << 18} {
		text := strings.Repeat("ab", length/2)
		b.Run(strconv.Itoa(length), func(b *testing.B) {
			b.SetBytes(int64(length))
			b.ReportAllocs()
			for b.Loop() {
				if permission.Match(text, "*a*b*a*b*c") {
					b.Fatal("matches a text without a c")
				}
			}
		})
	}
}
