package doctor

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestArguments(t *testing.T) {
	for _, test := range []struct{ command, want string }{
		{"permctl hook claude", " hook claude"},
		{"/usr/bin/permctl hook claude || exit 2", " hook claude || exit 2"},
		{`'/opt/a b/permctl' hook claude`, " hook claude"},
		{`"/opt/a b/permctl" hook claude`, " hook claude"},
		{`/opt/a\ b/permctl	hook claude`, "	hook claude"},
		{`/opt/'a b'/"c d"/permctl hook claude`, " hook claude"},
		{"  exec  /opt/permctl hook claude", " hook claude"},
		{"permctl", ""},
		{"", ""},
		{`'never ended hook claude`, ""},
		{`permctl\`, ""},
	} {
		if got := arguments(test.command); got != test.want {
			t.Errorf("arguments(%q) is %q, want %q", test.command, got, test.want)
		}
	}
}

// A word means to a shell what it is, and its program can be told from what comes
// behind it.
func FuzzQuoted(f *testing.F) {
	for _, word := range []string{"", "a", "a b", "it's", `"`, `\`, "$HOME", "`id`", "a\nb", "*", "ü", "-n", "a=b", "!x", "#"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		for _, r := range word {
			if r == 0 || r == '\uFFFD' {
				t.Skip("no shell has such words")
			}
		}
		if word != "" && !strings.Contains(word, "'") {
			if got := arguments(quoted(word) + " hook claude"); got != " hook claude" {
				t.Errorf("behind %s is %q", quoted(word), got)
			}
		}
		if runtime.GOOS == "windows" {
			return
		}
		said, err := exec.CommandContext(t.Context(), "sh", "-c", "printf %s "+quoted(word)).Output()
		if err != nil || string(said) != word {
			t.Errorf("a shell reads %s as %q, %v, want %q", quoted(word), said, err, word)
		}
	})
}

func TestOption(t *testing.T) {
	for _, test := range []struct {
		command string
		want    time.Duration
	}{
		{"permctl hook claude", time.Minute},
		{"permctl hook --wait 20s claude", 20 * time.Second},
		{"permctl hook --wait=20s claude", 20 * time.Second},
		{"permctl hook '--wait' '20s' claude", 20 * time.Second},
		{"permctl hook claude --wait", time.Minute},
		{"permctl hook --wait soon claude", time.Minute},
		{"permctl hook --waits 20s claude", time.Minute},
		{"permctl hook --wait 0 claude", 0},
	} {
		if got := option(test.command, "--wait", time.Minute); got != test.want {
			t.Errorf("option(%q) is %v, want %v", test.command, got, test.want)
		}
	}
}

func TestOlder(t *testing.T) {
	for _, test := range []struct {
		said string
		want bool
	}{
		{"2.1.197 (Claude Code)", true},
		{"2.1.332 (Claude Code)", false},
		{"2.1.1000 (Claude Code)", false},
		{"2.2", false},
		{"v2.1.331", true},
		{"claude 3.0.0", false},
		{"nonsense", true}, // what nobody can tell is old
		{"", true},
	} {
		if got := older(test.said, onFailure); got != test.want {
			t.Errorf("older(%q) is %v, want %v", test.said, got, test.want)
		}
	}
}
