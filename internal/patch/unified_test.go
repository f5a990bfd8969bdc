package patch_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/patch"
)

// change is a hunk.
const change = "@@ -1 +1 @@\n-old\n+new\n"

var diffs = []struct {
	name  string
	text  string
	strip int
	want  files
}{
	{"a change", "--- a/x.go\n+++ b/x.go\n" + change, 1, files{updated("x.go")}},
	{"a change by git", "diff --git a/x.go b/x.go\nindex 3367afd..3e75765 100644\n--- a/x.go\n+++ b/x.go\n" + change, 1, files{updated("x.go")}},
	{"a new file", "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+new\n", 1, files{added("x")}},
	{"a removed file", "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n", 1, files{deleted("x")}},
	{"no file by its name alone, which git takes for a file", "diff --git a/x b/x\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n", 1, files{deleted("x"), deleted("dev/null")}},
	{"a new file that is empty", "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n", 1, files{added("x")}},
	{"a removed file that is empty", "diff --git a/x b/x\ndeleted file mode 100644\nindex e69de29..0000000\n", 1, files{deleted("x")}},
	{"a new mode", "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n", 1, files{chmodded("run.sh")}},
	{
		"a new mode and a change",
		"diff --git a/x b/x\nold mode 100644\nnew mode 100755\nindex 3367afd..3e75765\n--- a/x\n+++ b/x\n" + change,
		1,
		files{chmodded("x"), updated("x")},
	},
	{
		"a new symbolic link",
		"diff --git a/l b/l\nnew file mode 120000\nindex 0000000..7f6e\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n",
		1,
		files{linked("l")},
	},
	{
		"a symbolic link that leads elsewhere",
		"diff --git a/l b/l\nindex 3367afd..3e75765 120000\n--- a/l\n+++ b/l\n" + change,
		1,
		files{linked("l")},
	},
	{
		"a rename touches both ends",
		"diff --git a/x b/d/y\nsimilarity index 100%\nrename from x\nrename to d/y\n",
		1,
		files{deleted("x"), moved("x", "d/y")},
	},
	{
		"a rename with spaces",
		"diff --git a/x y b/z w\nsimilarity index 100%\nrename from x y\nrename to z w\n",
		1,
		files{deleted("x y"), moved("x y", "z w")},
	},
	{
		"a rename with a new mode",
		"diff --git a/x b/y\nold mode 100644\nnew mode 100755\nsimilarity index 100%\nrename from x\nrename to y\n",
		1,
		files{deleted("x"), moved("x", "y"), chmodded("y")},
	},
	{
		"a copy, whose source patch writes in reverse",
		"diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n",
		1,
		files{updated("x"), moved("x", "y")},
	},
	{
		"a copy that is a rename at its other end",
		"diff --git a/x b/y\nsimilarity index 100%\ncopy from x\nrename to y\n",
		1,
		files{deleted("x"), moved("x", "y")},
	},
	{
		"a copy whose header names another file, which patch writes",
		"diff --git a/x b/z\nsimilarity index 100%\ncopy from x\ncopy to y\n",
		1,
		files{updated("x"), moved("x", "y"), updated("z")},
	},
	{
		"a binary change",
		"diff --git a/i.png b/i.png\nindex 0123..4567 100644\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\nliteral 0\nHcmV?d00001\n\n",
		1,
		files{updated("i.png")},
	},
	{
		"quoted names",
		"diff --git \"a/\\303\\244 \\\"x\\\".go\" \"b/\\303\\244 \\\"x\\\".go\"\n--- \"a/\\303\\244 \\\"x\\\".go\"\n+++ \"b/\\303\\244 \\\"x\\\".go\"\n" + change,
		1,
		files{updated(`ä "x".go`)},
	},
	{
		"a name that only git's header quotes, first",
		"diff --git \"a/\\tx\" b/y\nold mode 100644\nnew mode 100755\n",
		1,
		files{chmodded("\tx"), chmodded("y")},
	},
	{
		"lines of context whose space was lost, and a comment",
		"--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n-old\n+new\n\n# a comment\n\t\n=x\n--- a/y\n+++ b/y\n" + change,
		1,
		files{updated("x"), updated("y")},
	},
	{
		"one quoted name",
		"diff --git a/x \"b/\\ty\"\nsimilarity index 100%\nrename from x\nrename to \"\\ty\"\n",
		1,
		files{deleted("x"), moved("x", "\ty")},
	},
	{
		"times after the names",
		"--- a/x.go\t2026-11-30 09:00:00.000000000 +0000\n+++ b/x.go\t2026-11-30 09:00:01.000000000 +0000\n" + change,
		1,
		files{updated("x.go")},
	},
	{"a name with spaces", "--- a/x y.go\t\n+++ b/x y.go\t\n" + change, 1, files{updated("x y.go")}},
	{
		"a name with spaces that no tab ends",
		"--- a/x y 2026-11-30 09:00:00 +0000\n+++ b/x y\n" + change,
		1,
		files{updated("x y 2026-11-30 09:00:00 +0000"), updated("x y"), updated("x")},
	},
	{"a mode of a name with spaces", "diff --git a/x y b/x y\nold mode 100644\nnew mode 100755\n", 1, files{chmodded("x y")}},
	{
		"several files",
		"--- a/x\n+++ b/x\n" + change + change + "--- a/y\n+++ b/y\n" + change + "diff --git a/z b/z\ndeleted file mode 100644\n",
		1,
		files{updated("x"), updated("y"), deleted("z")},
	},
	{
		"removed and added lines that look like headers",
		"--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- a/comment\n-- b\n+++ b/comment\n++ c\n",
		1,
		files{updated("q.sql")},
	},
	{
		"headers after a hunk that is full",
		"--- a/x\n+++ b/x\n" + change + "\\ No newline at end of file\n--- ../y\n+++ ../y\n" + change,
		0,
		files{updated("a/x"), updated("b/x"), updated("../y")},
	},
	{
		"a hunk that some programs skip is no cover for a header",
		"+++ b/x\n@@ -1 +1 @@\n--- a/y\n+++ b/y\n",
		1,
		files{updated("x"), updated("y")},
	},
	{"text around", "From 0123 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n\n---\n x | 2 +-\n\n--- a/x\n+++ b/x\n" + change + "-- \n2.43.0\n", 1, files{updated("x")}},
	{"lines that end in CRLF", "--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-old\r\n+new\r\n", 1, files{updated("x")}},
	{"an indented diff", "  --- a/x\n  +++ b/x\n  @@ -1 +1 @@\n  -old\n  +new\n", 1, files{updated("x")}},
	{"a diff in a quoted message", "- --- a/x\n+++ b/x\n@@ -1 +1 @@\n- -old\n+new\n", 1, files{updated("x")}},
	{"different names", "--- a/x\n+++ b/y\n" + change, 1, files{updated("x"), updated("y")}},
	{"nothing stripped", "--- x\n+++ /etc/passwd\n" + change, 0, files{updated("x"), updated("/etc/passwd")}},
	{"two components stripped", "--- a/b/x\n+++ a/b/x\n" + change, 2, files{updated("x")}},
	{
		"two components stripped from a rename, whose first is not there",
		"diff --git a/b/x a/b/y\nrename from b/x\nrename to b/y\n",
		2,
		files{deleted("b/x"), deleted("x"), moved("b/x", "b/y"), moved("b/x", "y")},
	},
	{"fewer components than are stripped", "--- x\n+++ x\n" + change, 1, files{updated("x")}},
	{
		"an absolute path under the prefix",
		"--- a//etc/x\n+++ b//etc/x\n" + change,
		1,
		files{updated("/etc/x"), updated("etc/x")},
	},
	{
		"a strip that is not known",
		"--- a/d/x\n+++ b/d/x\n" + change,
		-1,
		files{updated("a/d/x"), updated("d/x"), updated("x"), updated("b/d/x")},
	},
	{"an index line", "Index: d/x\n===\n--- d/x\t(revision 1)\n+++ d/x\t(working copy)\n" + change, 0, files{updated("d/x")}},
	{"only an index line", "Index: d/x\n" + change, 0, files{updated("d/x")}},
	{"a context diff", "*** a/x\tMon\n--- b/x\tTue\n***************\n*** 1,2 ****\n! old\n--- 1,2 ----\n! new\n*** a/y\tMon\n--- /dev/null\tTue\n***************\n*** 1 ****\n- old\n--- 0 ----\n", 1, files{updated("x"), deleted("y")}},
	{"a normal diff", "Index: x\n1c1\n< old\n---\n> new\n3d2\n< gone\n", 0, files{updated("x")}},
}

func TestUnified(t *testing.T) {
	for _, tt := range diffs {
		got, err := patch.Unified(tt.text, tt.strip)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(tt.want, files(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if patch.Is(tt.text) {
			t.Errorf("%s: Is = true, want false", tt.name)
		}
	}
}

// brokenDiffs are an error, but what they name is found.
var brokenDiffs = []struct {
	name string
	text string
	line int
	err  string
	want files
}{
	{"nothing", "", 1, "names no file", nil},
	{"no diff", "hello\n", 1, "names no file", nil},
	{"a hunk without a file", change, 1, "without a file", nil},
	{"a hunk that is cut short", "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-old\n+new\n", 6, "cut short", files{updated("x")}},
	{
		"a hunk that says it holds the next file",
		"--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-old\n--- a/y\n+++ b/y\n" + change,
		7, "cut short",
		files{updated("x"), updated("y")},
	},
	{"more lines than the hunk says", "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-old\n--- a/y\n+++ b/y\n", 5, "cut short", files{updated("x"), updated("y")}},
	{"a count that is too large", "--- a/x\n+++ b/x\n@@ -1,99999999999999999999 +1 @@\n+new\n--- a/y\n", 6, "cut short", files{updated("x"), updated("y")}},
	{"a hunk of no shape", "--- a/x\n+++ b/x\n@@ -x +y @@\n", 3, "not the start", files{updated("x")}},
	{"an ed script", "Index: x\n1d\n.\n", 2, "ed script", files{updated("x")}},
	{"a normal diff of no file", "1c1\n< old\n---\n> new\n", 1, "normal diff", nil},
	{"a git diff without a name", "diff --git a/x y b/z\nold mode 100644\nnew mode 100755\n", 1, "without a name", nil},
	{"a rename to nothing", "diff --git a/x b/y\nrename from x\nrename to \n", 3, "without a name", files{updated("x"), updated("y")}},
	{"a quote that does not end", "--- \"a/x\n+++ b/x\n" + change, 1, "quoted name", files{updated("x")}},
	{"a quote in git's header that does not end", "diff --git a/x \"b/x\n--- a/x\n+++ b/x\n" + change, 1, "quoted name", files{updated("x")}},
	{"a quote in a rename that does not end", "diff --git a/x b/y\nrename from \"x\nrename to y\n", 2, "quoted name", files{moved("\"x", "y")}},
	{"a line in a hunk that is none of it", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-old\nwhat\n--- a/y\n+++ b/y\n" + change, 5, "cut short", files{updated("x"), updated("y")}},
	{"an escape of no kind", "diff --git \"a/\\x41\" b/x\n+++ b/x\n" + change, 1, "quoted name", files{updated("x")}},
	{"a mail in base64", "From: a\nContent-Transfer-Encoding: base64\n\nLS0tIGEveAo=\n--- a/x\n", 2, "a mail", files{updated("x")}},
}

func TestUnifiedBroken(t *testing.T) {
	for _, tt := range brokenDiffs {
		got, err := patch.Unified(tt.text, 1)
		checkSyntax(t, tt.name, err, tt.line, tt.err)
		for _, want := range tt.want {
			if !touches(got, want.Path) {
				t.Errorf("%s: %q is not found in %v", tt.name, want.Path, got)
			}
		}
	}
}

func touches(files []patch.File, path string) bool {
	for _, f := range files {
		if f.Path == path {
			return true
		}
	}
	return false
}

func TestIsUnified(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                    false,
		"hello":                               false,
		"--- \n":                              false,
		"a\n--- b\nc\n":                       false,
		"+++ x\n@@ -1 +1 @@\n":                true,
		"diff --git a/x b/x\n":                true,
		"text\n\n--- a/x\n+++ b/x\n":          true,
		"*** a/x\n--- b/x\n":                  true,
		"Index: x\n@@ -1 +1 @@\n":             true,
		envelope("*** Add File: a", "+hello"): false,
	} {
		if got := patch.IsUnified(text); got != want {
			t.Errorf("IsUnified(%q) = %v, want %v", text, got, want)
		}
	}
}

// TestGitAgrees asks git what it would touch, for diffs that it reads.
func TestGitAgrees(t *testing.T) {
	read := 0
	for _, tt := range diffs {
		if tt.strip != 1 {
			continue
		}
		paths := gitPaths(t, tt.text)
		if len(paths) > 0 {
			read++
		}
		for _, path := range paths {
			if !touches([]patch.File(tt.want), path) {
				t.Errorf("%s: git touches %q, which is not found", tt.name, path)
			}
		}
	}
	if read < 15 {
		t.Errorf("git read %d of the diffs, want at least 15", read)
	}
}

// gitPaths returns the paths that git apply would write, none if it refuses.
func gitPaths(t *testing.T, text string) []string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "diff")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", "apply", "--numstat", "-z", file)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	var paths []string
	for record := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		fields := strings.SplitN(record, "\t", 3)
		if path := fields[len(fields)-1]; path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

var strictHunk = regexp.MustCompile(`^@@ -\d+,(\d) \+\d+,(\d) @@$`)

// applyUnified applies plain unified diffs whose hunks are whole and whose names are
// simple, and returns the paths that it touches.
func applyUnified(text string) []string {
	lines := strings.Split(text, "\n")
	var touched []string
	for i := 0; i+2 < len(lines); {
		before, ok1 := strings.CutPrefix(lines[i], "--- a/")
		after, ok2 := strings.CutPrefix(lines[i+1], "+++ b/")
		if !ok1 || !ok2 || !strictHunk.MatchString(lines[i+2]) {
			i++
			continue
		}
		for _, path := range []string{before, after} {
			path, _, _ = strings.Cut(path, "\t")
			if path != "" && path == strings.TrimSpace(path) && !strings.ContainsAny(path, "/\"\r") {
				touched = append(touched, path)
			}
		}
		for i += 2; i < len(lines); {
			m := strictHunk.FindStringSubmatch(lines[i])
			if m == nil {
				break
			}
			i++
			removed, written := int(m[1][0]-'0'), int(m[2][0]-'0')
			for ; removed+written > 0; i++ {
				if i == len(lines) || lines[i] == "" {
					return touched
				}
				switch lines[i][0] {
				case ' ':
					removed, written = removed-1, written-1
				case '-':
					removed--
				case '+':
					written--
				default:
					return touched
				}
				if removed < 0 || written < 0 {
					return touched
				}
			}
		}
	}
	return touched
}

func FuzzUnified(f *testing.F) {
	for _, tt := range diffs {
		f.Add(tt.text, tt.strip)
	}
	for _, tt := range brokenDiffs {
		f.Add(tt.text, 1)
	}
	f.Fuzz(func(t *testing.T, text string, strip int) {
		if got, err := patch.Unified(text, strip%4); len(got) == 0 && err == nil {
			t.Error("no file, and no error")
		}
		got, _ := patch.Unified(text, 1)
		for _, path := range applyUnified(text) {
			if !touches(got, path) {
				t.Errorf("%q would be touched, and is not among %q", path, got)
			}
		}
	})
}

func BenchmarkUnified(b *testing.B) {
	text := strings.Repeat("diff --git a/x b/x\n--- a/x\n+++ b/x\n"+change, 1000)
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := patch.Unified(text, 1); err != nil {
			b.Fatal(err)
		}
	}
}
