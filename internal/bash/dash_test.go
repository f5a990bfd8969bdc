package bash_test

import (
	"slices"
	"testing"

	"github.com/permctl/permctl/internal/bash"
)

// TestDash has a row for each text that dash reads in another way than bash, with a
// command that only dash runs.
func TestDash(t *testing.T) {
	for _, tt := range []struct{ src, runs string }{
		{`sh -c "echo \$'\\'; touch p #'"`, "touch p"},
		{"dash -c 'echo &>f touch p'", "touch p"},
		{"sh -c 'echo &>>f touch p'", "touch p"},
		{"sh -c 'echo &>f <g'", "echo"},
		{"sh -c 'cd a &>f; rm x'", "rm x"},
		{"find . -exec sh -c 'echo &>f touch p' \\;", "touch p"},
		{"sh <<'E'\necho &>f touch p\nE", "touch p"},
		{"echo 'echo &>f touch p' | sh", "touch p"},
		{"PAGER='cat &>f touch p' git log", "touch p"},
		{"watch 'cat &>f touch p'", "touch p"},
		{"sh -c \"eval 'cat &>f touch p'\"", "touch p"},
		{"sh -c '[[ a || touch ]]'", "touch ]]"},
		{"sh -c '[[ a && touch ]]'", "touch ]]"},
		{"sh -c '[[ a =~ b|touch ]]'", "touch ]]"},
		{"sh -c '[[\ntouch == p ]]'", "touch == p ]]"},
		{"sh -c '((touch))'", "touch"},
		{"sh -c 'env -u {A,echo} touch p'", "touch p"},
		{"sh -c 'env -u $[ 1 ] touch p'", "env -u $[ 1 ] touch p"},
		{"sh -c 'env -u 10>f touch p'", "touch p"},
		{"sh -c 'env -u {a}>f touch p'", "touch p"},
		{"sh -c 'echo $\"a\"'", "echo $a"},
	} {
		s := bash.Parse(tt.src, nil)
		if len(s.Unparsed) == 0 || !slices.Contains(texts(s), tt.runs) {
			t.Errorf("Parse(%q) lists %q, want %q, and unparsed %v", tt.src, texts(s), tt.runs, s.Unparsed)
		}
	}
}

// TestDashAlike has rows that mean the same to both shells, or are for bash.
func TestDashAlike(t *testing.T) {
	for _, src := range []string{
		"sh -c 'npm test &>/dev/null'", "sh -c 'npm test &>/dev/null; ls'", "sh -c 'npm test &>/dev/null || ls'", "sh -c 'if command -v a &>/dev/null; then ls; fi'",
		"sh -c '(ls) &>f'", "sh -c '[[ -f a ]] && ls'", "sh -c '[[ a == b* ]] && ls'", "sh -c \"grep 'a$' f\"", "sh -c 'find . -name {}'", "sh -c 'echo ${a%.c} ${b}'",
		"sh -c 'ls 2>&1 2>f'", "sh -c 'a[0]=1'", "bash -c 'echo {a,b} &>f c'", "bash -c \"echo \\$'a'\"", "zsh -c 'echo {a,b} &>f c'", "eval 'echo &>f b'", "trap 'echo &>f b' EXIT",
		"f() { cat &>x b; }; f",
	} {
		if s := bash.Parse(src, nil); len(s.Unparsed) > 0 {
			t.Errorf("Parse(%q) leaves out %v", src, s.Unparsed)
		}
	}
}

func TestParseSh(t *testing.T) {
	s := bash.ParseSh("echo &>f touch p", nil)
	if len(s.Unparsed) == 0 || !slices.Contains(texts(s), "touch p") {
		t.Errorf("ParseSh lists %q, and unparsed %v", texts(s), s.Unparsed)
	}
	if s := bash.ParseSh("x=1; ls &>/dev/null && bash -c 'echo {a,b}'", nil); len(s.Unparsed) > 0 {
		t.Errorf("ParseSh leaves out %v", s.Unparsed)
	}
}

// TestDashState has rows in which dash is elsewhere, or calls no function.
func TestDashState(t *testing.T) {
	if c := bash.Parse("sh -c 'pushd a; rm x'", nil).Commands[2]; !c.DirDynamic {
		t.Errorf("behind pushd, %s runs in %q", c.Text, c.Dir)
	}
	if c := bash.Parse("sh -c 'function f {\nls\n}\nf'", nil).Commands; c[len(c)-1].Through {
		t.Error("the call of a function of bash's runs nothing else")
	}
}
