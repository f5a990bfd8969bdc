package bash_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/bash"
)

// fed has a row for each way to a command that needs no more than to put words
// together.
var fed = []listing{
	{"echo 'rm x' | sh", []string{"echo rm x", "sh", "rm x"}},
	{"echo -n rm x | bash -s", []string{"echo -n rm x", "bash -s", "rm x"}},
	{"echo \"rm x\" | sudo sh", []string{"echo rm x", "sudo sh", "sh", "rm x"}},
	{"printf 'rm x' | sh", []string{"printf rm x", "sh", "rm x"}},
	{"printf 'rm %s' x | sh", []string{"printf rm %s x", "sh", "rm x"}},
	{"printf '%s\\n' 'rm x' a | sh", []string{`printf %s\n rm x a`, "sh", "rm x", "a"}},
	{"printf '100%% x\\n' | sh", []string{`printf 100%% x\n`, "sh", "100% x"}},
	{"echo 'rm x' | fakeroot", []string{"echo rm x", "fakeroot", "rm x"}},
	{"alias r=rm; r x", []string{"alias r=rm", "r x", "rm x"}},
	{"alias r='rm -rf' s=r; s x", []string{"alias r=rm -rf s=r", "s x", "r x", "rm -rf x"}},
	{"alias ls='ls -a'; ls", []string{"alias ls=ls -a", "ls", "ls -a"}},
	{"vim -c '!rm x' f", []string{"vim -c !rm x f", "rm x"}},
	{"vim '+silent !rm x' f", []string{"vim +silent !rm x f", "rm x"}},
	{"less '+!rm x' f", []string{"less +!rm x f", "rm x"}},
	{"vim -c 'w! f' g", []string{"vim -c w! f g"}},
	{"more '+!rm x' f", []string{"more +!rm x f", "rm x"}},
	{"rbash -c 'rm x'", []string{"rbash -c rm x", "rm x"}},
	{"osascript -e 'do shell script \"rm \\\"x\\\"\"'", []string{"osascript -e do shell script \"rm \\\"x\\\"\"", "rm x"}},
	{"GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0='rm x' git log", []string{"git log", "rm x"}},
	{"GIT_CONFIG_PARAMETERS=\"'core.pager=rm x'\" git log", []string{"git log", "rm x"}},
	{"npx rm x", []string{"npx rm x", "rm x"}},
	{"bunx sh -c 'rm x'", []string{"bunx sh -c rm x", "sh -c rm x", "rm x"}},
	{"npx tsc x", []string{"npx tsc x"}},
	{"git -c alias.p='push --force' p", []string{"git -c alias.p=push --force p", "git push --force"}},
	{"git-push --force", []string{"git-push --force"}},
	{"npx -c 'rm x'", []string{"npx -c rm x", "rm x"}},
	{". <(echo rm x)", []string{". <(echo rm x)", "rm x", "echo rm x"}},
	{"bash <(echo rm x)", []string{"bash <(echo rm x)", "rm x", "echo rm x"}},
	{"echo 'rm x' | at now", []string{"echo rm x", "at now", "rm x"}},
	{"echo '* * * * * rm x' | crontab -", []string{"echo * * * * * rm x", "crontab -", "rm x"}},
	{"run0 -u a rm x", []string{"run0 -u a rm x", "rm x"}},
	{"gosu a rm x", []string{"gosu a rm x", "rm x"}},
	{"setpriv --reuid 1 rm x", []string{"setpriv --reuid 1 rm x", "rm x"}},
	{"setarch -R rm x", []string{"setarch -R rm x", "rm x"}},
	{"setarch i686 -R rm x", []string{"setarch i686 -R rm x", "i686 -R rm x", "rm x"}},
	{"proot -r d rm x", []string{"proot -r d rm x", "rm x"}},
	{"capsh --drop=all -- -c 'rm x'", []string{"capsh --drop=all -- -c rm x", "rm x"}},
	{"start-stop-daemon -S --exec /bin/rm -- x", []string{"start-stop-daemon -S --exec /bin/rm -- x", "/bin/rm x"}},
	{"/lib64/ld-linux-x86-64.so.2 /bin/rm x", []string{"/lib64/ld-linux-x86-64.so.2 /bin/rm x", "/bin/rm x"}},
	{"yash -c 'rm x'", []string{"yash -c rm x", "rm x"}},
	{"expect -c 'spawn rm x'", []string{"expect -c spawn rm x", "spawn rm x", "rm x"}},
	{"nix run -c rm x", []string{"nix run -c rm x", "rm x"}},
	{"cargo watch -x 'publish -q'", []string{"cargo watch -x publish -q", "cargo publish -q"}},
	{"bind -x '\"\\C-a\": rm x'", []string{"bind -x \"\\C-a\": rm x", "rm x"}},
	{"git --shallow-file x push -f", []string{"git --shallow-file x push -f"}},
	{"git for-each-repo --config=a push -f", []string{"git for-each-repo --config=a push -f", "git push -f"}},
	{"git config --global alias.x '!rm x'", []string{"git config --global alias.x !rm x", "rm x"}},
	{"hub -C x push", []string{"hub -C x push", "git -C x push"}},
}

func TestFed(t *testing.T) {
	for _, tt := range fed {
		s := bash.Parse(tt.src, nil)
		if diff := cmp.Diff(tt.want, texts(s)); diff != "" {
			t.Errorf("Parse(%q): commands (-want +got):\n%s", tt.src, diff)
		}
	}
}

// TestPieces has a row for each place in what cannot be analysed at which a
// command may begin.
func TestPieces(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"rm -rf x; echo \"a", "rm -rf x"},
		{"echo a && rm x |", "rm x"},
		{"if a; then rm x; echo (", "rm x"},
		{"! rm x )", "rm x"},
		{"A=1 B=2 rm x )", "rm x"},
		{"sudo rm x )", "rm x"},
		{"r''m \"-rf\" x )", "rm -rf x"},
		{"fish -c 'rm x'", "rm x"},
		{"sh -c \"rm -rf $X\"", "rm -rf $X"},
		{"echo \"rm $X\" | sh", "rm $X"},
		{"echo 'rm x' | cat | sh", "rm x"},
		{"echo() { f; }; echo rm x | sh", "echo rm x"},
		{"{ echo 'rm x'; } | bash", "rm x"},
		{"sh <<E\nrm $X\nE", "rm $X"},
		{"f() { \"$@\"; }; f rm -rf x", "rm -rf x"},
		{"alias r='rm x; ls'; r", "rm x"},
		{"R=rm; $R x", "rm x"},
		{"for c in ls rm; do ${c} x; done", "rm x"},
		{"x='rm y'; eval \"$x\"", "rm y"},
		{"x='rm y'; sh -c \"$x\"", "rm y"},
		{"set -- rm x; \"$@\"", "rm x"},
		{"set rm x; $1 $2", "rm x"},
		{"x=push; git $x -f", "git push -f"},
		{strings.Repeat("timeout 5 ", 300) + "rm x", "rm x"},
	} {
		var pieces []string
		for _, u := range bash.Parse(tt.src, nil).Unparsed {
			for _, piece := range bash.Pieces(u.Text) {
				pieces = append(pieces, strings.Join(piece, " "))
			}
		}
		if !slices.Contains(pieces, tt.want) {
			t.Errorf("Parse(%q) leaves %q unparsed, want %q among it", tt.src, pieces, tt.want)
		}
	}
	for _, src := range []string{"stdbuf --output rm -rf x", "env --unknown rm x", "echo rm x )", "echo 'rm x' | at now"} {
		for _, u := range bash.Parse(src, nil).Unparsed {
			for _, piece := range bash.Pieces(u.Text) {
				if piece[0] == "rm" {
					t.Errorf("Parse(%q) leaves the piece %q unparsed", src, piece)
				}
			}
		}
	}
}

// TestFeedCost runs what would cost much if each command told all that feeds
// it.
func TestFeedCost(t *testing.T) {
	src := strings.Repeat("sh | ", 9000) + "sh"
	if s := bash.Parse(src, nil); len(s.Unparsed) == 0 {
		t.Error("shells in a pipe are all parsed")
	}
	src = "{ " + strings.Repeat("sh; ", 9000) + "} <<E\n$X " + strings.Repeat("a ", 12000) + "\nE"
	if s := bash.Parse(src, nil); len(s.Unparsed) == 0 {
		t.Error("shells with a common here-document are all parsed")
	}
}

// TestSpellings has a row for each option that is another one too.
func TestSpellings(t *testing.T) {
	for _, tt := range []struct{ src, option string }{
		{"git push --forc", "--force"},
		{"git push --forc", "--force-with-lease"},
		{"git push --force-w", "--force-with-lease"},
		{"git push --del o x", "--delete"},
		{"git push --mirror", "--force"},
		{"git-push o -f", "--force"},
		{"git reset --har", "--hard"},
		{"rm --recurs x", "--recursive"},
		{"go test --exec x", "-exec"},
		{"go test --exec=x", "-exec"},
		{"curl --outp f http://h", "--output"},
		{"git commit --no-veri", "--no-verify"},
	} {
		if c := first(t, tt.src); !slices.Contains(c.Options, tt.option) {
			t.Errorf("Parse(%q) has options %v, want %s among them", tt.src, c.Options, tt.option)
		}
	}
	for _, src := range []string{"git push o main", "git push --force-with-lease", "git push o a:b", "git push --follow-tags"} {
		if c := first(t, src); slices.Contains(c.Options, "--force") {
			t.Errorf("Parse(%q) has options %v, and --force among them", src, c.Options)
		}
	}
	for src, option := range map[string]string{"git push o +main": "--force", "git push o a +b:c": "--force", "git push o :main": "--delete"} {
		if c := first(t, src); !slices.Contains(c.Implies, option) {
			t.Errorf("Parse(%q) implies %v, want %s among it", src, c.Implies, option)
		}
	}
	if c := first(t, "git-push -f o"); c.Name != "git" || c.Canonical != "git push -f o" || c.Prefix != "git push" {
		t.Errorf("git-push is %s, %q, %q", c.Name, c.Canonical, c.Prefix)
	}
}

// TestOptionHazards has a row for each option that runs or writes more than its
// command says.
func TestOptionHazards(t *testing.T) {
	for _, src := range []string{
		"go test --exec x", "go test -vettool=x", "go build -overlay=x", "go build -modfile x", "go vet --toolexec=x", "awk -E f", "gawk --exec f",
		"curl -w '%output{x}' http://h", "curl --write-out '%{x}%output{y}' http://h", "curl -s http://h --next -o f http://j", "curl --data-urlencode n@f http://h",
		"less --lesskey-content=x f", "less --lesskey-src=x f", "git grep --open-files-in-pager=x y", "git grep -Ox y", "kubectl get x -o go-template-file=f",
		"kubectl get x --output=jsonpath-file=f", "gcc -wrapper x y.c", "gcc -fplugin=x y.c", "clang -B x y.c", "openssl x -engine y", "eslint -c x f", "prettier --plugin=x f",
		"docker -H ssh://h ps",
	} {
		if c := first(t, src); len(c.Hazards) == 0 {
			t.Errorf("Parse(%q) finds no hazard", src)
		}
	}
	for _, src := range []string{
		"curl -w '%{http_code}' http://h", "kubectl get x -o json", "kubectl get x -o jsonpath={.a}", "gcc -O2 -Wall -o x y.c", "go test -run X ./...", "cp -r a b",
		"curl -s http://h --next http://j", "git grep x", "prettier --check f", "curl --data-urlencode a=b@c http://h",
	} {
		if c := first(t, src); len(c.Hazards) > 0 {
			t.Errorf("Parse(%q) finds hazards: %v", src, c.Hazards)
		}
	}
}
