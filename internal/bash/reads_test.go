package bash_test

import (
	"slices"
	"testing"

	"github.com/permctl/permctl/internal/bash"
)

// onlyReads reports whether the tables are sure that a command does no more than
// read files that it names.
func onlyReads(c bash.Command) bool {
	return c.Known && c.System && c.Unparsed == "" && len(c.Hazards) == 0 && !c.Dynamic &&
		!slices.ContainsFunc(c.Effects, func(e bash.Effect) bool { return e != bash.Read }) &&
		!slices.ContainsFunc(c.Operations, func(o bash.Operation) bool { return o.Dynamic })
}

// TestFormsThatRead has a row for each command of which some forms only read.
func TestFormsThatRead(t *testing.T) {
	for _, tt := range []struct{ reads, writes []string }{
		{
			[]string{
				"git branch", "git branch -vv", "git branch -a --sort=x", "git branch --list 'x*'", "git branch -l -v x", "git branch --contains x",
				"git branch --merged main", "git branch --show-current", "git branch -r --format=x",
			},
			[]string{
				"git branch x", "git branch -v x", "git branch -v -f main x", "git branch --sort=x y", "git branch --format=x y", "git branch -a -m x",
				"git branch -M x", "git branch -C x", "git branch -c x", "git branch -u x", "git branch --unset-upstream", "git branch --list -D x",
				"git branch --set-upstream-to=x", "git branch --edit-description",
			},
		},
		{
			[]string{"git tag", "git tag -l 'v*'", "git tag -n", "git tag --sort=x", "git tag --contains x", "git tag -v v1"},
			[]string{"git tag v1", "git tag --sort=refname v1", "git tag --format=x -f v1", "git tag -l -d v1", "git tag --column v1", "git tag -am x v1"},
		},
		{
			[]string{"git symbolic-ref HEAD", "git symbolic-ref --short HEAD", "git symbolic-ref -q HEAD"},
			[]string{"git symbolic-ref HEAD x", "git symbolic-ref --short HEAD refs/heads/x", "git symbolic-ref -d HEAD", "git symbolic-ref --delete HEAD"},
		},
		{
			[]string{"git reflog", "git reflog show x", "git reflog -n 3", "git reflog list", "git reflog exists x"},
			[]string{"git reflog delete x", "git reflog expire --all", "git reflog drop x", "git reflog write x"},
		},
		{
			[]string{"git config x", "git config --get x", "git config -l", "git config list", "git config get x", "git config --global --get x", "git config --get-regexp x"},
			[]string{
				"git config x y", "git config --unset x", "git config --unset-all x", "git config --add x y", "git config --remove-section x", "git config edit",
				"git config -e", "git config set x y", "git config unset x", "git config --global x y", "git config remove-section x", "git config --get --unset x",
			},
		},
		{
			[]string{"ip a", "ip addr", "ip addr show eth0", "ip -br link", "ip route get 1.1.1.1", "ifconfig", "ifconfig eth0", "hostname", "hostname -f"},
			[]string{
				"ip a add x dev y", "ip addr flush x", "ip l set x up", "ip route add x", "ip -b f", "ifconfig eth0 down", "ifconfig eth0 1.2.3.4",
				"hostname x", "hostname -F f", "hostname -b x",
			},
		},
		{
			[]string{"sysctl -a", "sysctl kernel.x", "date", "date +%s", "date -u '+%F %T'", "date -d yesterday +%F", "history", "history 5", "git help add", "git help -a"},
			[]string{
				"sysctl k=v", "sysctl -w k=v", "sysctl kernel.x k=v", "sysctl --system", "date 01020304", "date -u 01020304", "date -s x", "date --set=x",
				"history -c", "history -d 3", "history -w f", "git help -w", "git help --web add",
			},
		},
		{
			[]string{"ruby -v", "lua -v", "perl -v", "python3 -V", "node -v"},
			[]string{"ruby -v x.rb", "ruby -v -e x", "lua -v x.lua", "ruby x.rb -v"},
		},
		{
			[]string{"tar -tf x", "tar tf x", "unzip -l x", "unzip -p x y", "gzip -c x", "gzip -l x", "docker ps", "docker image ls", "systemctl status x", "crontab -l", "at -l"},
			[]string{
				"tar -xf x", "tar -tf x --delete", "tar -cf x y", "unzip x", "unzip -u x", "gzip x", "docker -H h ps", "docker -c x ps", "docker context use x",
				"systemctl -H h status x", "crontab -r", "at -d 1", "at -r 1", "uv version 2", "enable -n test",
			},
		},
		{
			[]string{"git worktree list", "git stash list", "git remote", "git remote -v", "git submodule status", "git bisect log", "pwd", "true x", ": x"},
			[]string{
				"git worktree list x", "git stash", "git stash drop", "git remote -v add x y", "git remote set-url x y", "git submodule update", "git bisect reset",
				"git notes add", "git rerere clear", "nproc x", "arp x", "ip a x",
			},
		},
	} {
		for _, src := range tt.reads {
			if c := first(t, src); !onlyReads(c) {
				t.Errorf("Parse(%q) does more than read: known %v, effects %v, hazards %v", src, c.Known, c.Effects, c.Hazards)
			}
		}
		for _, src := range tt.writes {
			if c := first(t, src); onlyReads(c) {
				t.Errorf("Parse(%q) only reads", src)
			}
		}
	}
}

// TestReadsElsewhere has a row for each way in which a command that reads gets
// at more than the files that it names.
func TestReadsElsewhere(t *testing.T) {
	for _, src := range []string{
		"git --git-dir=x log", "git --work-tree=x status", "git archive --remote=x HEAD", "grep -R x .", "grep --dereference-recursive x .", "rg -L x", "rg --follow x",
		"tree -l", "ls -LR", "find -L .", "find . -follow", "fd -L x", "du -L", "diff -r a b", "sort --files0-from=x", "wc --files0-from=x", "du --files0-from=x",
		"find -files0-from x", "file -f x", "tar -tf x -T y", "yq 'load(\"x\")' f", "yq eval 'load_str(\"x\")' f", "jq 'import \"a\" as x; .' f", "jq 'include \"a\"; .' f",
		"awk 'BEGIN { while ((getline < f) > 0) print }'", "awk 'BEGIN { while ((getline line < f) > 0) print }'", "awk '{ getline x[1] < (\"a\" \"b\") }'",
		"awk 'BEGIN { ARGV[1] = \"x\" } 1' f", "awk 'BEGIN { SYMTAB[\"ARGV\"] } 1' f", "awk '{print $1 \\\n> \"out\"}' f", "awk '{print $1,\n$2 > \"out\"}' f",
		"awk '{ print x++ / 2 > \"out\" \"/\" }' f", "man -P x y", "man -r '+!x' ls", "less --lesskey-content=x f", "more '+!x' f", "tree -R",
		"xmllint http://h/x", "pandoc https://h/x", "cat ftp://h/x", "tar -tf h:x", "tar tf u@h:x", "jq . http://h/x", "tail -f x://y", "cargo tree", "docker search x",
		"cat ~bob/x", "ls ~-", "git cat-file --follow-symlinks x",
	} {
		if c := first(t, src); onlyReads(c) {
			t.Errorf("Parse(%q) only reads files that it names", src)
		}
	}
	for _, src := range []string{
		"grep -r x .", "ls -lR", "rg x", "find . -name x", "sort f", "awk '{ print $1, $2 }' f", "awk '{ getline; if ($1 < 3) print }' f", "awk '$3 > 5' f",
		"awk '{ x++; print x / 2 }' f", "jq '.important' f", "yq '.load' f", "man ls", "echo http://h/x", "grep http://h/x f", "tar -tf x", "tar -tf ./a:b", "rg 'a://b'",
		"git log --grep=http://h", "test -n http://h",
	} {
		if c := first(t, src); !onlyReads(c) {
			t.Errorf("Parse(%q) does more than read: known %v, effects %v, hazards %v", src, c.Known, c.Effects, c.Hazards)
		}
	}
}

// TestTalks has a row for each way to name another machine.
func TestTalks(t *testing.T) {
	for src, want := range map[string]bool{
		"xmllint http://h/x": true, "tar -tf h:x": true, "tar -cf h:x y": true, "unheard http://h": true, "unheard --url=http://h": true, "git archive --remote=x": true,
		"cat x": false, "echo http://h": false, "unheard x": false, "cat file:///x": false, "tar -tf ./h:x": false, "grep x://y f": false,
	} {
		if c := first(t, src); slices.Contains(c.Effects, bash.Network) != want {
			t.Errorf("Parse(%q) has effects %v, want another machine among them: %v", src, c.Effects, want)
		}
	}
}

// TestMoreThanReads has lines that look as if they read, and run or write what
// a file holds or is called. Each did so when it was run.
func TestMoreThanReads(t *testing.T) {
	for _, src := range []string{
		// In a set of characters, sed takes a backslash for itself.
		"sed 's/[\\]/x/;e x;s/]/y/' f", "sed 's/[^]\\]/x/;e x;s/]/y/' f", "sed '/[\\]/p;w f\n/]/p' f", "sed '\\,[\\],p;e x;\\,],p' f",
		"sed 's/[[:alpha:]/z]/g;#/;e x' f",
		// An even number of backslashes ends a line.
		"sed '1a y\\\\\ne x' f", "sed '1i\\\ny\\\\\ne x' f",
		// The parts of a script are one text.
		"sed -e '1a\\' -e 's/x[\ne x\n#]/y/' f", "sed -e '1a x\\' -e '/[\ne x\n#]/p' f",
		// A wildcard stands for any number of words.
		"uniq *", "uniq -- ?", "xxd [ab]", "tar tf *", "tar tvf *",
		"test *", "[ * ]", "test -v *", "printf *", "unset *", "unset a*", "ls & wait *", "readonly *", "readonly P*; ls", "export *; ls", "declare *; ls",
		// Arguments of clusters are the words behind.
		"tar tfI t.tar ./x", "tar dfI t.tar ./x", "tree -Lo 1 f", "tree -Po x f",
		// Options that change what the commands behind mean.
		"set -k; git diff GIT_EXTERNAL_DIFF=./e", "set -efk; ls PATH=.", "set -o keyword; ls LD_PRELOAD=./x.so", "shopt -so keyword; ls PATH=.",
		"shopt -s cdable_vars; cd HOME; cat f", "shopt -s cdspell; cd srcs", "shopt -s $X; ls",
		// Files that name files.
		"strings @f", "strings -n 3 @/etc/passwd", "less -t x", "less -tx", "man ./x.1",
		// What hides an option or a subcommand.
		"git log -$F", "git --shallow-file x push",
	} {
		s := bash.Parse(src, nil)
		if len(s.Unparsed) == 0 && !slices.ContainsFunc(s.Commands, func(c bash.Command) bool { return !onlyReads(c) }) {
			t.Errorf("Parse(%q) says that it only reads", src)
		}
	}
	for _, src := range []string{
		"sed 's/[^/]*$//' f", "sed -n 's/[\\t ]*#.*//p' f", "sed 's/[[:space:]]*$//' f", "sed -e 's/a/b/' -e 's/c/d/' f", "sed '/^[/]/d' f",
		"tar tzf a.tar", "tar tvf a.tar b", "tree -L 2 a", "tree -aL 2", "wc -l *", "cat *.go", "set -euo pipefail; ls", "set -o pipefail; ls", "shopt -s nullglob globstar; ls", "strings f", "man ls", "test -f a", "[ -d x ]", "uniq -c f", "git log -- '*.go'",
	} {
		s := bash.Parse(src, nil)
		if len(s.Unparsed) > 0 || slices.ContainsFunc(s.Commands, func(c bash.Command) bool { return !onlyReads(c) }) {
			t.Errorf("Parse(%q) does not say that it only reads: %+v", src, s.Commands)
		}
	}
}
