package foreign_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/foreign"
)

// TestJSRegexp has patterns of JavaScript, with a text that each matches and one
// that it does not.
func TestJSRegexp(t *testing.T) {
	for _, tt := range []struct{ pattern, matched, other string }{
		{`git (push|pull)`, "a git push", "git fetch"},
		{`^a+b*?c{2,3}$`, "aacc", "abc"},
		{`a{`, "a{", "a"},
		{`a{,2}`, "a{,2}", "aa"},
		{`]}`, "]}", "x"},
		{`\s`, "\u00a0", "a"},
		{`[\s"]`, "\ufeff", "s"},
		{`[^\s"]`, "s", "\u3000"},
		{`\S`, "s", "\u2003"},
		{`a.b`, "a\u00e9b", "a\u2028b"},
		{`a.b`, "a b", "a\rb"},
		{`\x41\u0042`, "AB", "x41"},
		{`\0`, "\x00", "0"},
		{`\/\-\"\#\ \_`, `/-"# _`, "x"},
		{`[\-\]\\[]`, "[", "a"},
		{`[\b]`, "\b", "b"},
		{`\bx\b`, "a x", "ax"},
		{`[a-c-]`, "-", "d"},
		{`(?:a|b)\d\w`, "b1_", "c1_"},
		{`x()y`, "xy", "x"},
		{`[[:a]`, ":", "b"},
		{`A`, "A", "a"},
	} {
		made, err := foreign.JSRegexp(tt.pattern)
		if err != nil {
			t.Errorf("%s: %v", tt.pattern, err)
			continue
		}
		if re := regexp.MustCompile(made); !re.MatchString(tt.matched) || re.MatchString(tt.other) {
			t.Errorf("%s is %s, which matches %q: %v, and %q: %v", tt.pattern, made, tt.matched, re.MatchString(tt.matched), tt.other, re.MatchString(tt.other))
		}
	}
}

// TestJSRegexpRefused has patterns that RE2 cannot say, or reads in another way, or
// that JavaScript does not take.
func TestJSRegexpRefused(t *testing.T) {
	for _, pattern := range []string{
		`(?=a)`, `(?!a)`, `(?<=a)b`, `(?<!a)b`, `(?<n>a)`, `(?P<n>a)`, `(?i)a`, `(?i:a)`, `(a)\1`, `\k<n>`, `\8`, `\01`, `\cA`, `\pL`, `\p{L}`, `\Q*\E`, `\A`, `\z`, `\a`, `\e`,
		`\x4`, `\u{41}`, `\ud83d`, `[]a]`, `[^]`, `[\S]`, `[\w-a]`, `[a-\d]`, `[b-a]`, `[a`, `a\`, `*`, `+a`, `a**`, `a*+`, `^*`, `$+`, `\b?`, `|*`, `(*a)`, `(a`, `a)`, `a{2}{3}`,
		`a{1001}`, `😀`, `[😀]`, "a\xff", strings.Repeat("a", 2049),
	} {
		if made, err := foreign.JSRegexp(pattern); err == nil {
			t.Errorf("%s is taken for %s", pattern, made)
		}
	}
}
