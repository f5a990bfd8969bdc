package bash_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/bash"
)

// A listing is a script and the texts of the commands that it runs. Tests and
// the fuzz corpus share them.
type listing struct {
	src  string
	want []string
}

// grammar has a row for each construct of the shell.
var grammar = []listing{
	{"ls", []string{"ls"}},
	{"", nil},
	{"# nothing", nil},
	{"a; b & c", []string{"a", "b", "c"}},
	{"a\nb", []string{"a", "b"}},
	{"a && b || c", []string{"a", "b", "c"}},
	{"a | b |& c", []string{"a", "b", "c"}},
	{"! a", []string{"a"}},
	{"{ a; b; }", []string{"a", "b"}},
	{"(a; (b))", []string{"a", "b"}},
	{"f() { a; }; f", []string{"a", "f"}},
	{"function f { a; }", []string{"a"}},
	{"if a; then b; elif c; then d; else e; fi", []string{"a", "b", "c", "d", "e"}},
	{"for x in 1 $(a); do b; done", []string{"a", "b"}},
	{"for ((i = 0; i < $(a); i++)); do b; done", []string{"a", "b"}},
	{"while a; do b; done", []string{"a", "b"}},
	{"until a; do b; done", []string{"a", "b"}},
	{"select x in a; do b; done", []string{"b"}},
	{"case $(a) in $(b)) c ;; *) d ;; esac", []string{"a", "b", "c", "d"}},
	{"coproc a", []string{"a"}},
	{"time -p a", []string{"a"}},
	{"time -- a b", []string{"a b"}},
	{"[[ -f $(a) && x == $(b) ]]", []string{"a", "b"}},
	{"(( $(a) ))", []string{"a"}},
	{"let x=1", []string{"let x=1"}},
	{"export A=1 B", []string{"export A=1 B"}},
	{"declare -x A=$(a)", []string{"declare -x A=$(a)", "a"}},
	{"X=$(a) b", []string{"a", "b"}},
	{"X=`a`", []string{"a"}},
	{"x=(1 $(a))", []string{"a"}},
	{"a[$(b)]=1", []string{"b"}},
	{`echo "$(a "$(b)")"`, []string{`echo "$(a "$(b)")"`, `a "$(b)"`, "b"}},
	{"echo ${x:-$(a)} ${y/$(b)/$(c)} ${z:$(d)}", []string{"echo ${x:-$(a)} ${y/$(b)/$(c)} ${z:$(d)}", "a", "b", "c", "d"}},
	{"echo $((1 + $(a)))", []string{"echo $((1 + $(a)))", "a"}},
	{"cat <(a) >(b)", []string{"cat <(a) >(b)", "a", "b"}},
	{"a > $(b) < $(c)", []string{"a", "b", "c"}},
	{"cat <<E\n$(a)\nE\nb", []string{"cat", "a", "b"}},
	{"cat <<'E'\n$(a)\nE\nb", []string{"cat", "b"}},
	{"cat <<< $(a)", []string{"cat", "a"}},
}

// spellings has a row for each way to hide a word.
var spellings = []listing{
	{`r\m x`, []string{"rm x"}},
	{`'rm' "x"`, []string{"rm x"}},
	{`r''m`, []string{"rm"}},
	{`$'\x72m' $'\162m' $'\u0072m'`, []string{"rm rm rm"}},
	{"{rm,-rf,x}", []string{"rm -rf x"}},
	{"echo {1..3} a{b,c}", []string{"echo 1 2 3 ab ac"}},
	{"echo '{a,b}' {} {a}", []string{"echo {a,b} {} {a}"}},
	{"r\\\nm x", []string{"rm x"}},
	{"echo {,}", []string{"echo"}},
}

// wrappers has a row for each kind of wrapper.
var wrappers = []listing{
	{"env -i -u B A=1 rm x", []string{"env -i -u B A=1 rm x", "rm x"}},
	{"env -S 'A=1 rm x' y", []string{"env -S A=1 rm x y", "rm x y"}},
	{"sudo -u root -- rm x", []string{"sudo -u root -- rm x", "rm x"}},
	{"sudo -uroot --chdir=/tmp rm x", []string{"sudo -uroot --chdir=/tmp rm x", "rm x"}},
	{"su -c 'rm x' root", []string{"su -c rm x root", "rm x"}},
	{"command -p rm x", []string{"command -p rm x", "rm x"}},
	{"command -v rm", []string{"command -v rm"}},
	{"builtin eval rm x", []string{"builtin eval rm x", "eval rm x", "rm x"}},
	{"exec -a ls rm x", []string{"exec -a ls rm x", "rm x"}},
	{"eval 'rm x; a'", []string{"eval rm x; a", "rm x", "a"}},
	{"trap 'rm x' EXIT", []string{"trap rm x EXIT", "rm x"}},
	{"trap - EXIT", []string{"trap - EXIT"}},
	{"bash -lc 'rm x'", []string{"bash -lc rm x", "rm x"}},
	{"bash -c -e 'rm x' name", []string{"bash -c -e rm x name", "rm x"}},
	{"bash <<E\nrm x\nE", []string{"bash", "rm x"}},
	{"sh <<< 'rm x'", []string{"sh", "rm x"}},
	{"cat <<'E' | sh\nrm x\nE", []string{"cat", "sh", "rm x"}},
	{"timeout -k 1 5 rm x", []string{"timeout -k 1 5 rm x", "rm x"}},
	{"timeout --kill=1 5 rm x", []string{"timeout --kill=1 5 rm x", "rm x"}},
	{"nice -19 rm x", []string{"nice -19 rm x", "rm x"}},
	{"nohup stdbuf -oL rm x", []string{"nohup stdbuf -oL rm x", "stdbuf -oL rm x", "rm x"}},
	{"watch -n 1 'rm x'", []string{"watch -n 1 rm x", "rm x"}},
	{"flock /f -c 'rm x'", []string{"flock /f -c rm x", "rm x"}},
	{"find . -exec rm {} + -exec a \\;", []string{"find . -exec rm {} + -exec a ;", "rm {}", "a"}},
	{"a | xargs -n 1 rm", []string{"a", "xargs -n 1 rm", "rm {}"}},
	{"a | xargs -I% mv % x", []string{"a", "xargs -I% mv % x", "mv % x"}},
	{"a | xargs", []string{"a", "xargs", "echo {}"}},
	{"fd x -x rm", []string{"fd x -x rm", "rm {}"}},
	{"parallel rm ::: a b", []string{"parallel rm ::: a b", "rm a", "rm b"}},
	{"ssh -p 22 h rm x", []string{"ssh -p 22 h rm x", "rm x"}},
	{"docker exec -it c rm x", []string{"docker exec -it c rm x", "rm x"}},
	{"docker compose exec web rm x", []string{"docker compose exec web rm x", "rm x"}},
	{"kubectl exec p -c c -- rm x", []string{"kubectl exec p -c c -- rm x", "rm x"}},
	{"busybox sh -c 'rm x'", []string{"busybox sh -c rm x", "sh -c rm x", "rm x"}},
	{"uv run --with a rm x", []string{"uv run --with a rm x", "rm x"}},
	{"npm exec -- rm x", []string{"npm exec -- rm x", "rm x"}},
	{"git bisect run sh -c 'rm x'", []string{"git bisect run sh -c rm x", "sh -c rm x", "rm x"}},
	{"git rebase -x 'rm x' main", []string{"git rebase -x rm x main", "rm x"}},
	{"git -c core.pager='rm x' log", []string{"git -c core.pager=rm x log", "rm x"}},
	{"PAGER='rm x' git log", []string{"git log", "rm x"}},
	{"TAR_OPTIONS='-v --checkpoint-action=exec=\"rm x\"' tar xf a", []string{"tar xf a", "rm x"}},
	{"env TAR_OPTIONS=--to-command=rm tar xf a", []string{"env TAR_OPTIONS=--to-command=rm tar xf a", "tar xf a", "rm"}},
	{"tar xf a --to-command='rm x'", []string{"tar xf a --to-command=rm x", "rm x"}},
	{"awk '{ print | \"rm x\" }'", []string{"awk { print | \"rm x\" }", "rm x"}},
	{"sed '1e rm x' f", []string{"sed 1e rm x f", "rm x"}},
}

func texts(s bash.Script) []string {
	var list []string
	for _, c := range s.Commands {
		list = append(list, c.Text)
	}
	return list
}

func TestParseListsEveryCommand(t *testing.T) {
	for _, tt := range slices.Concat(grammar, spellings, wrappers) {
		s := bash.Parse(tt.src, nil)
		if diff := cmp.Diff(tt.want, texts(s)); diff != "" {
			t.Errorf("Parse(%q): commands (-want +got):\n%s", tt.src, diff)
		}
	}
}

// unclear are texts that cannot be analysed.
var unclear = []string{
	"ls 'x", "ls $(", "if a", "done", "a \\", "a\x00b", "a\rb", "a\x1bb", "a\xff",
	"$X", "\"$@\"", "${X}rm y", "/bin/r? x", "`a` b",
	"bash -c \"$X\"", "curl x | sh", "sh < f", "bash", "eval \"$X\"", ". $F", ". <(a)", "declare -i x=y", "declare -n r=PATH; r=x", "typeset -nr r=PATH", "let 'x=a[$(rm y)]'", "let x=1|rm", "\\let 'x=a[$(rm y)]'", "command let y=x", "declare -a 'a=($(rm x))'", "ls {a[x]}>&1", "ls >& 'a[$(x)]'", "ls >&$x", "ls >& \\$\\(rm\\)", "echo $(a <<E # x\nE\nb; c)", "echo $(while a <<E; do b; done\nE\n)", "coproc x=1 ls", "echo `a \\\\b`", "echo \"`a \\b`\"", "read \"$x\"", "unset \"$x\"", "declare \"$x\"", "printf -v \"$x\" a", "ls >&-x", "echo $(ls 'a'# b)", "echo $(x=$(<a)# b\n)", "echo $(ls `a`# b\n)", "echo $(ls $((1))# b\n)", "echo $(IFS=a$## ls)", "let -x$(rm y)", "f() { f; }", "echo $(cat <<E; ls; rm\nE\n)", "time -- x=1 ls", "bash <(a)", "trap \"$X\" EXIT",
	"fish -c 'rm x'", "pwsh -Command 'rm x'", "env --unknown ls", "timeout $T ls", "xargs -I% sh -c 'rm %'",
	"git status # note\\\nrm x", "echo \"$\\\n(rm x)\"", "echo \"${x:-'$(rm y)'}\"", "(( '$(rm x)' ))", "echo ${a['$(rm x)']}",
	"[[ a == @($(rm x)) ]]", "!(rm x)", "echo ${x:-<(rm y)}", "cat <<A\nA\\\n\nrm x\nA", "echo $(cat <<'E'\nEX\nE\n)", "`cat <<E\nx\nE\n`",
	"echo ${!x}", "echo ${x@P}", "x='a[$(rm y)]'; echo $((x))", "[[ 'a[$(rm x)]' -eq 1 ]]", "printf -v 'a[$(rm x)]' y", "read 'a[$(rm x)]'",
	"(( $(cat f) > 3 ))", "((x=$(cat f)))", "[[ $(echo 'a[$(rm x)]') -eq 1 ]]", "[[ \"$(ls d)\" -lt 1 ]]", "echo $(( `cat f` ))", "a[$(cat f)]=1",
	"echo ${a[$(cat f)]}", "(( $(seq -f 'a[$(rm x)]' 1) ))", "(( $(wc -l d/*) ))", "(( $(grep -c x d/*) ))", "(( $(grep -c -H x f) ))",
	"wc() { cat f; }; (( $(wc) ))", "(( ${x:-'a[$(rm y)]'} ))", "x=1; (( ${x/1/'a[$(rm y)]'} ))", "a=('b[$(rm x)]'); (( ${a[0]} ))",
	"declare -i n; n='a[$(rm x)]'", "typeset -xi n; n+='a[$(rm x)]'", "declare -ai n; n=('a[$(rm x)]')", "f() { local -i n; n='a[$(rm x)]'; }; f",
	"declare -i n; for n in 'a[$(rm x)]'; do :; done", "declare -i n; n=b; b='a[$(rm x)]'; n=b", "declare -i n; read n <<< 'a[$(rm x)]'",
	"RANDOM='a[$(rm x)]'", "SRANDOM='a[$(rm x)]'; ls", "for OPTIND in 'a[$(rm x)]'; do :; done", "SECONDS='a[$(rm x)]' ls", "HISTCMD='a[$(rm x)]'",
	"declare -n r='a[$(rm x)]'", "unset 'a[$(rm x)]'", "exec {a['$(rm x)']}>f", "sed 's/a/b/e' f",
	"a | sudo -s", "a | parallel", "a | ssh h", "a | chroot /x", "a | at now", "a | su",
	strings.Repeat("(", 300), strings.Repeat("sudo ", 300) + "ls", strings.Repeat("a", 70_000), strings.Repeat("a;", 20_000),
}

// repaired has a row for each text that bash reads in another way than the parser,
// or reads at all, and of which what bash runs is listed nevertheless.
var repaired = []listing{
	{"x=([^_]*.txt [a-z]*); a", []string{"a"}},
	{"x=([^$(a)]); b", []string{"a", "b"}},
	{"x=([[:alpha:]]*); a", []string{"a"}},
	{"declare -A x=([b:c]=1); a", []string{`declare -A x=(["b:c"]=1)`, "a"}},
	{"echo ${x[$y $z]}; a", []string{`echo ${x["$y $z"]}`, "a"}},
	{"x[$(b)]=1 a", []string{"a"}},
	{"y=$(b) x[0]=$(c) a", []string{"b", "c", "a"}},
	{"cat <<\"$(x)\"\n$(a)\n$(x)\nb", []string{"cat", "b"}},
	{"cat <\\\n(a)", []string{"cat <(a)", "a"}},
	{"(( 1 # $(a)\n)); b", []string{"a", "b"}},
	{"$(cat <<E\nE)\na\nE\n)", []string{"$(cat <<E\nE)\na\nE\n)", "cat", "a", "E"}},
	{"echo \"$(cat <<'E'\nx\nE) y\"; a; : \"\nE\n)\"", []string{"echo \"$(cat <<'E'\nx\nE) y\"; a; : \"\nE\n)\"", "cat", "a", ": \nE\n)"}},
	{"x=\"$(cat <<E\nE)\" a \"\nE\n)\"", []string{"cat", "cat", "a \nE\n)"}},
	{"$(cat <<-E\n\tE) > $(a)\n\tE\n)", []string{"$(cat <<-E\n\tE) > $(a)\n\tE\n)", "cat", "a", "$(cat <<-E\n\tE\n)", "cat", "a", "E"}},
	{"cat <(b <<E\nE$(a)\nE\n)", []string{"cat <(b <<E\nE$(a)\nE\n)", "b", "a", "$(a)", "a", "E"}},
	{"`cat <<'E'\nx`\na\nE\n`", []string{"`cat <<'E'\nx`\na\nE\n`", "cat", "a", "E"}},
	{"`cat <<E\nx`\na\nE\n`", []string{"`cat <<E\nx\nE\n`", "cat", "a", "E"}},
	{"x=$(a <<E\nE)\nb", []string{"a", "b"}},
	{"x=$(a <<'E'\nE)\nx=$(b <<'F'\nE\n)\nF)\nc\nF\n)", []string{"a", "b", "c", "F"}},
}

func TestParseListsWhatItRepairs(t *testing.T) {
	for _, tt := range repaired {
		s := bash.Parse(tt.src, nil)
		if diff := cmp.Diff(tt.want, texts(s)); diff != "" {
			t.Errorf("Parse(%q): commands (-want +got):\n%s", tt.src, diff)
		}
		if len(s.Unparsed) == 0 {
			t.Errorf("Parse(%q) analyses all of it", tt.src)
		}
	}
}

func TestParseReportsWhatIsUnclear(t *testing.T) {
	for _, src := range unclear {
		if s := bash.Parse(src, nil); len(s.Unparsed) == 0 {
			t.Errorf("Parse(%.60q) analyses all of it: %q", src, texts(s))
		}
	}
	for _, tt := range slices.Concat(grammar, spellings, wrappers) {
		if strings.Contains(tt.src, "$(d)") {
			continue
		}
		for _, u := range bash.Parse(tt.src, nil).Unparsed {
			if u.Reason != "arithmetic evaluates what a command prints" && !strings.HasPrefix(tt.src, "coproc") { // a is not known to print a number
				t.Errorf("Parse(%q) leaves out %v", tt.src, u)
			}
		}
	}
}

// TestArithmeticOfNumbers has rows in which nothing but numbers is evaluated.
func TestArithmeticOfNumbers(t *testing.T) {
	for _, src := range []string{
		"(( $(wc -l < f) > 3 ))", "[[ $(grep -c x f) -gt 1 ]]", "n=$(wc -l < f); (( n ))",
		"(( $(date +%s) - 5 ))", "(( $(git rev-list --count HEAD) ))", "(( $(cat f | wc -l) ))", "a=(1 2); (( ${#a[@]} ))", "x=3; (( ${x:-1} ))",
		"for i in $(seq 1 3); do (( i )); done", "(( $(nproc) / 2 ))", "RANDOM=3; echo $(( RANDOM % 5 ))",
	} {
		if s := bash.Parse(src, nil); len(s.Unparsed) > 0 {
			t.Errorf("Parse(%q) leaves out %v", src, s.Unparsed)
		}
	}
}

func TestParseKeepsTheWordsOfWhatIsUnclear(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want []string
	}{
		{"git status; r\\m -rf 'x", []string{"git", "status", "rm", "-rf", "x"}},
		{"a && (b", []string{"a", "b"}},
		{"x\rrm y", []string{"x", "rm", "y"}},
	} {
		s := bash.Parse(tt.src, nil)
		if len(s.Unparsed) != 1 {
			t.Fatalf("Parse(%q) leaves out %d parts, want 1", tt.src, len(s.Unparsed))
		}
		if diff := cmp.Diff(tt.want, s.Unparsed[0].Words); diff != "" {
			t.Errorf("Parse(%q): words (-want +got):\n%s", tt.src, diff)
		}
	}
}

func TestParseTracksTheDirectory(t *testing.T) {
	for _, tt := range []struct {
		src, want string
		dynamic   bool
	}{
		{"x", "", false},
		{"cd a && x", "a", false},
		{"cd a; cd ../b; x", "b", false},
		{"cd /a; cd b; x", "/a/b", false},
		{"cd; x", "~", false},
		{"(cd a); x", "", false},
		{"cd a | b; x", "", false},
		{"cd a || exit; x", "a", false},
		{"cd a || true; x", "", true},
		{"cd $D; x", "", true},
		{"cd -; x", "", true},
		{"if y; then cd a; fi; x", "", true},
		{"if cd a; then y; fi; x", "", true},
		{"if cd a; then x; fi", "a", false},
		{"for i in 1; do cd a; done; x", "", true},
		{"f() { cd a; }; f; x", "", true},
		{"eval 'cd a'; x", "a", false},
		{"sh -c 'cd a'; x", "", false},
		{"env -C /a x", "/a", false},
		{"pushd a; popd; x", "", true},
	} {
		s := bash.Parse(tt.src, nil)
		c := s.Commands[len(s.Commands)-1]
		if c.Text != "x" || c.Dir != tt.want || c.DirDynamic != tt.dynamic {
			t.Errorf("Parse(%q): %s runs in %q (dynamic %v), want %q (%v)", tt.src, c.Text, c.Dir, c.DirDynamic, tt.want, tt.dynamic)
		}
	}
}

func TestParseListsWhatTheShellOpens(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want []string
	}{
		{"a > f >> g 2>| h &> i <> j", []string{"> f", ">> g", ">| h", "&> i", "<> j"}},
		{"a >/dev/null 2>&1 3>&- </dev/stdin >/dev/fd/3", nil},
		{"{ a; } > f; (b) < g", []string{"> f", "< g"}},
		{"> f", []string{"> f"}},
		{"a >& f", []string{">& f"}},
		{"a > \"$F\"", []string{"> \"$F\""}},
		{"cat <<E\nE", nil},
		{"a > >(b)", nil},
	} {
		var got []string
		for _, r := range bash.Parse(tt.src, nil).Redirects {
			got = append(got, r.Op+" "+r.Path)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Parse(%q): redirects (-want +got):\n%s", tt.src, diff)
		}
	}
}

// TestParseListsTheFilesOfHiddenCommands has texts that the shell reads as code, of
// which the commands are not listed.
func TestParseListsTheFilesOfHiddenCommands(t *testing.T) {
	for _, src := range []string{
		"printf -v 'a[$(touch f)]' x", "[ -v 'a[`touch f`]' ]", "declare 'a[$(touch f)]=1'", "[[ 'a[$(touch f)]' -eq 1 ]]",
		"x='a[$(touch f)]'; (( x ))", "x='$(touch f)'; ls ${x@P}", "declare -n r='a[$(touch f)]'", "unset 'a[$(true > f)]'",
	} {
		s := bash.Parse(src, nil)
		if len(s.Redirects) != 1 || s.Redirects[0].Path != "f" || s.Redirects[0].Effect != bash.Write || s.Redirects[0].DirDynamic {
			t.Errorf("Parse(%q): files %+v, want f", src, s.Redirects)
		}
		if len(s.Unparsed) == 0 || slices.ContainsFunc(s.Commands, func(c bash.Command) bool { return c.Name == "touch" }) {
			t.Errorf("Parse(%q): commands %q, unparsed %v", src, texts(s), s.Unparsed)
		}
	}
	if s := bash.Parse("cd d; printf -v 'a[$(touch f)]' x", nil); len(s.Redirects) != 1 || !s.Redirects[0].DirDynamic {
		t.Errorf("behind a cd: files %+v, want one in a directory that is not known", s.Redirects)
	}
}

func FuzzParse(f *testing.F) {
	for _, tt := range slices.Concat(grammar, spellings, wrappers, repaired) {
		f.Add(tt.src)
	}
	for _, src := range unclear {
		if len(src) < 1000 {
			f.Add(src)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		for _, c := range bash.Parse(src, nil).Commands {
			switch {
			case c.Start < 0 || c.End < c.Start || c.End > len(src) || c.Line < 1 || c.Column < 1:
				t.Errorf("Parse(%.60q): %q stands at %d:%d, %d to %d", src, c.Text, c.Line, c.Column, c.Start, c.End)
			case c.Name == "" && c.Unparsed == "" && c.Program != "":
				t.Errorf("Parse(%q): a command without a name: %+v", src, c)
			case !strings.HasPrefix(c.Text, c.Program):
				t.Errorf("Parse(%q): text %q of program %q", src, c.Text, c.Program)
			}
		}
	})
}
