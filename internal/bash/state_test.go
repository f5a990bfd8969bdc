package bash_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/bash"
)

// TestSetsVariable has a row for each way in which a text sets a variable.
func TestSetsVariable(t *testing.T) {
	for _, src := range []string{
		"PATH=x; ls", "for PATH in ./evil; do ls; done", "for PATH in a b; do ls; done", "for PATH; do ls; done", "select PATH in x; do ls; done",
		"coproc PATH { ls; }", "((PATH=1))", "((PATH++))", "((--PATH))", "((PATH[0]=1))", "for ((PATH=1;;)); do ls; done", ": $((PATH=1))", ": $((PATH+=1))",
		": ${x:PATH=1}", "a[PATH=1]=2", "let PATH=1", "let 'PATH=1'", `let "++PATH"`, "[[ 'PATH=1' -eq 1 ]]", "[[ PATH++ -eq 1 ]]", "exec {PATH}>f", "ls {PATH}<f", ": ${PATH:=x}", "getopts x PATH", "mapfile PATH", "readarray -t PATH",
		"wait -p PATH", "read PATH", "read -a PATH", "printf -v PATH x", "unset PATH", "export PATH=x", "declare PATH=x", "local PATH=x", "readonly PATH=x",
		"PATH=x ls", "env PATH=x ls", "export \"PATH=x\"", "export {PATH,X}=x", "\\export PATH=x", "command export PATH=x", "builtin declare -x PATH=x", "export P''ATH=x", "env -u PATH ls", "let \"PATH=1\"", "if true; then PATH=x; fi", "ls $(PATH=x; ls)",
	} {
		s := bash.Parse(src, nil)
		assigns := s.Assigns
		for _, c := range s.Commands {
			assigns = append(assigns, c.Assigns...)
		}
		if !slices.ContainsFunc(assigns, func(a bash.Assign) bool { return a.Name == "PATH" && a.Hazard != "" }) {
			t.Errorf("Parse(%q) tells of no assignment to PATH with a hazard: %v", src, assigns)
		}
	}
	for _, src := range []string{"[[ PATH == x ]]", "[[ 'PATH<=1' -eq 1 ]]", "let 'x=1'", "x=1", "for x in PATH; do ls; done", "echo PATH=x", "[[ -n PATH=x ]]"} {
		s := bash.Parse(src, nil)
		if len(s.Unparsed) > 0 || slices.ContainsFunc(s.Assigns, func(a bash.Assign) bool { return a.Hazard != "" }) {
			t.Errorf("Parse(%q) tells of an assignment with a hazard: %v, unparsed %v", src, s.Assigns, s.Unparsed)
		}
	}
}

func TestLoopRunsWhatItAssigns(t *testing.T) {
	s := bash.Parse("for PAGER in 'rm x' 'rm y'; do git log; done", nil)
	if diff := cmp.Diff([]string{"git log", "rm x", "rm y"}, texts(s)); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}

// TestDirectory has a row for each way to another directory, with the one that
// the last command runs in.
func TestDirectory(t *testing.T) {
	for _, tt := range []struct {
		src, dir string
		dynamic  bool
	}{
		{"cd; ls", "~", false},
		{"cd a; ls", "a", false},
		{"cd ~/a; ls", "~/a", false},
		{"cd /a; cd b; ls", "/a/b", false},
		{"cd -; ls", "", true},
		{"cd ~user; ls", "", true},
		{"cd ~+/a; ls", "", true},
		{"cd ~-; ls", "", true},
		{"pushd; ls", "", true},
		{"pushd +1; ls", "", true},
		{"pushd a; ls", "a", false},
		{"popd; ls", "", true},
		{"HOME=/etc; cd; ls", "~", true},
		{"export HOME=/etc; cd; ls", "~", true},
		{"read HOME; cd; ls", "~", true},
		{"for HOME in /etc; do cd; done; ls", "", true},
		{"OLDPWD=/etc; cd; ls", "~", true},
		{"PWD=/etc; cd a; ls", "a", true},
		{"CDPATH=/etc; cd a; ls", "a", true},
		{"CDPATH=/etc; cd /a; ls", "/a", false},
		{"HOME=/etc bash -c 'cd; ls'", "~", true},
		{"env HOME=/etc bash -c 'cd; ls'", "~", true},
	} {
		s := bash.Parse(tt.src, nil)
		c := s.Commands[len(s.Commands)-1]
		if c.DirDynamic != tt.dynamic || c.Dir != tt.dir && !tt.dynamic {
			t.Errorf("Parse(%q): %s runs in %q, dynamic %v, want %q, %v", tt.src, c.Text, c.Dir, c.DirDynamic, tt.dir, tt.dynamic)
		}
	}
}

// TestTilde has a row for each meaning of a tilde: only the user's own home is
// known before run time.
func TestTilde(t *testing.T) {
	for src, want := range map[string]bool{
		"cat ~/x": false, "cat ~": false, "cat x~": false, "cat '~bob'": false, "cat \\~bob": false,
		"cat ~bob": true, "cat ~bob/x": true, "cat ~+/x": true, "cat ~-/x": true, "cat ~1": true, "cat ~$X": true, "HOME=/etc; cat ~/x": true,
	} {
		s := bash.Parse(src, nil)
		c := s.Commands[len(s.Commands)-1]
		if c.Dynamic != want || c.Args[0].Dynamic != want || c.Operations[0].Dynamic != want {
			t.Errorf("Parse(%q): the word is dynamic: %v, its file %v, want %v", src, c.Args[0].Dynamic, c.Operations[0].Dynamic, want)
		}
	}
	if r := bash.Parse("HOME=/etc; ls > ~/x", nil).Redirects[0]; !r.Dynamic {
		t.Error("the home that a script sets is taken for the user's in a redirection")
	}
}

// TestRedirectTarget has a row for each kind of file that the shell opens.
func TestRedirectTarget(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"ls > f", "write f"},
		{"ls > *.go", "write glob *.go"},
		{"ls > '*.go'", "write *.go"},
		{"ls < x?", "read glob x?"},
		{"ls > /dev/null", ""},
		{"ls > /dev/stderr", ""},
		{"ls > /dev/fd/2", ""},
		{"ls > /dev/fd/../../x", "write /dev/fd/../../x"},
		{"ls > /dev/fd/2/../x", "write /dev/fd/2/../x"},
		{"ls > /dev/fd/-1", "write /dev/fd/-1"},
		{"ls > /dev/fd/", "write /dev/fd/"},
		{"ls > /dev/null/../x", "write /dev/null/../x"},
		{"ls > /dev/sda", "write /dev/sda"},
		{"ls > /dev/tcp/h/80", "write /dev/tcp/h/80"},
	} {
		var got []string
		for _, r := range bash.Parse(tt.src, nil).Redirects {
			kind := string(r.Effect)
			if r.Glob {
				kind += " glob"
			}
			got = append(got, kind+" "+r.Path)
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("Parse(%q): redirects (-want +got):\n%s", tt.src, diff)
		}
	}
}
