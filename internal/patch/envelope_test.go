package patch_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/patch"
)

func added(path string) patch.File   { return patch.File{Path: path, Op: patch.Add} }
func updated(path string) patch.File { return patch.File{Path: path, Op: patch.Update} }
func deleted(path string) patch.File { return patch.File{Path: path, Op: patch.Delete} }
func chmodded(path string) patch.File {
	return patch.File{Path: path, Op: patch.Mode}
}
func linked(path string) patch.File { return patch.File{Path: path, Op: patch.Link} }
func moved(from, to string) patch.File {
	return patch.File{Path: to, Op: patch.Move, From: from}
}

// envelope puts the marks around the lines of a patch.
func envelope(lines ...string) string {
	return "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch"
}

type files []patch.File

var envelopes = []struct {
	name string
	text string
	want files
}{
	{"a new file", envelope("*** Add File: a.go", "+package a"), files{added("a.go")}},
	{"an empty new file", envelope("*** Add File: a.go"), files{added("a.go")}},
	{"a change", envelope("*** Update File: a.go", "@@", "-a", "+b"), files{updated("a.go")}},
	{"a removal", envelope("*** Delete File: a.go"), files{deleted("a.go")}},
	{
		"a move touches both ends",
		envelope("*** Update File: a.go", "*** Move to: b/c.go", "@@", "-a", "+b"),
		files{deleted("a.go"), moved("a.go", "b/c.go")},
	},
	{
		"a move without a change",
		envelope("*** Update File: a.go", "*** Move to: b.go"),
		files{deleted("a.go"), moved("a.go", "b.go")},
	},
	{
		"a file that is made and then moved",
		envelope("*** Add File: x", "+rm -rf /", "*** Update File: x", "*** Move to: .git/hooks/pre-commit", "@@", "-a", "+b"),
		files{added("x"), deleted("x"), moved("x", ".git/hooks/pre-commit")},
	},
	{
		"several files, in order",
		envelope("*** Add File: a", "+a", "*** Update File: b", "@@ f", " x", "+y", "*** Delete File: c"),
		files{added("a"), updated("b"), deleted("c")},
	},
	{
		"the same file twice",
		envelope("*** Update File: a", "@@", "+x", "*** Update File: a", "@@", "+y", "*** Delete File: a"),
		files{updated("a"), deleted("a")},
	},
	{"an absolute path", envelope("*** Add File: /etc/cron.d/job", "+x"), files{added("/etc/cron.d/job")}},
	{"a path that climbs", envelope("*** Delete File: ../../etc/passwd"), files{deleted("../../etc/passwd")}},
	{"a tilde and quotes mean themselves", envelope(`*** Delete File: ~/"a b"`), files{deleted(`~/"a b"`)}},
	{"a path of other letters", envelope("*** Delete File: ünï/日本"), files{deleted("ünï/日本")}},
	{
		"an indented header",
		envelope("*** Add File: notes.txt", "+hello", "   *** Delete File: ../x", "\t*** Update File: y", "@@", "+z"),
		files{added("notes.txt"), deleted("../x"), updated("y")},
	},
	{
		"an indented header in the context of a change, which some may take for one",
		envelope("*** Update File: a", "@@", " *** Delete File: z", "+b"),
		files{updated("a"), deleted("z")},
	},
	{
		"an indented move",
		envelope("*** Update File: a", " *** Move to: b", "+c"),
		files{updated("a"), moved("a", "b")},
	},
	{
		"a move that is not right below its header",
		envelope("*** Update File: a", "@@", "+c", "*** Move to: b"),
		files{updated("a"), moved("a", "b")},
	},
	{
		"lines of content are no headers",
		envelope("*** Add File: a", "+*** Delete File: z", "*** Update File: b", "@@", "-*** Add File: y", "+*** Begin Patch"),
		files{added("a"), updated("b")},
	},
	{
		"marks in the context of a change",
		envelope("*** Update File: doc.md", "@@", " *** Begin Patch", " *** End Patch", " *** a rule ***", "+x"),
		files{updated("doc.md")},
	},
	{
		"lines between hunks that mean nothing",
		envelope("*** Add File: a", "+a", "", "what follows is a removal", "*** Delete File: b"),
		files{added("a"), deleted("b")},
	},
	{
		"spaces at the end of a path",
		envelope("*** Add File: a.go  ", "+x"),
		files{added("a.go"), added("a.go  ")},
	},
	{
		"a second space before a path",
		envelope("*** Add File:  a.go", "+x"),
		files{added("a.go"), added(" a.go")},
	},
	{
		"spaces around a path",
		envelope("*** Delete File:  a "),
		files{deleted("a"), deleted(" a"), deleted(" a "), deleted("a ")},
	},
	{"no space before a path", envelope("*** Add File:a.go", "+x"), files{added("a.go")}},
	{"lines that end in CRLF", "*** Begin Patch\r\n*** Add File: a\r\n+x\r\n*** End Patch\r\n", files{added("a")}},
	{
		"other line separators are part of a path",
		envelope("*** Delete File: a\u2028*** Delete File: b\r*** Delete File: c"),
		files{deleted("a\u2028*** Delete File: b\r*** Delete File: c")},
	},
	{"blank lines around", "\n  \n" + envelope("*** Delete File: a") + "\n\n \n", files{deleted("a")}},
	{"indented marks", "  *** Begin Patch\n*** Delete File: a\n *** End Patch ", files{deleted("a")}},
	{"an environment", envelope("*** Environment ID: env_1", "*** Delete File: a"), files{deleted("a")}},
	{"the end of a file", envelope("*** Update File: a", "@@", "+x", "*** End of File", "*** Delete File: b"), files{updated("a"), deleted("b")}},
	{"a here-document", "<<'EOF'\n" + envelope("*** Delete File: a") + "\nEOF\n", files{deleted("a")}},
	{"a here-document in double quotes", "<<\"EOF\"\n\n" + envelope("*** Delete File: a") + "\n\nEOF", files{deleted("a")}},
	{"a here-document of cat", "cat <<PATCH\n" + envelope("*** Delete File: a") + "\nPATCH", files{deleted("a")}},
}

func TestApplyPatch(t *testing.T) {
	for _, tt := range envelopes {
		got, err := patch.ApplyPatch(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(tt.want, files(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if !patch.Is(tt.text) {
			t.Errorf("%s: Is = false, want true", tt.name)
		}
	}
}

// brokenEnvelopes are an error, but what they name is found.
var brokenEnvelopes = []struct {
	name string
	text string
	line int
	err  string
	want files
}{
	{"nothing", "", 1, "does not begin", nil},
	{"a here-document of nothing", "<<EOF", 1, "does not begin", nil},
	{"no marks", "*** Delete File: a", 1, "does not begin", files{deleted("a")}},
	{"no end", "*** Begin Patch\n*** Delete File: a\n", 2, "does not end", files{deleted("a")}},
	{"no file", "*** Begin Patch\n*** End Patch", 1, "names no file", nil},
	{"text before", "Here it is:\n" + envelope("*** Delete File: a"), 1, "does not begin", files{deleted("a")}},
	{"text after", envelope("*** Delete File: a") + "\nDone.", 4, "does not end", files{deleted("a")}},
	{
		"two patches",
		envelope("*** Delete File: a") + "\n" + envelope("*** Delete File: b"),
		3, "text after",
		files{deleted("a"), deleted("b")},
	},
	{"a second beginning", envelope("*** Begin Patch", "*** Delete File: a"), 2, "a second", files{deleted("a")}},
	{"files before the patch", "*** Delete File: a\n" + envelope("*** Delete File: b"), 1, "does not begin", files{deleted("a"), deleted("b")}},
	{"a header in small letters", envelope("*** delete file: a"), 2, "not a header", files{deleted("a")}},
	{"a header of no kind", envelope("*** Delete File: a", "*** Chmod File: b"), 3, "not a header", files{deleted("a")}},
	{"a long line that is no header", envelope("*** Delete File: a", "***"+strings.Repeat("é", 100)), 3, "…", files{deleted("a")}},
	{"a header without a path", envelope("*** Delete File: ", "*** Delete File: a"), 2, "without a path", files{deleted("a")}},
	{"an environment too late", envelope("*** Delete File: a", "*** Environment ID: e"), 3, "not right after", files{deleted("a")}},
	{"two environments", envelope("*** Environment ID: e", "*** Environment ID: e", "*** Delete File: a"), 3, "not right after", files{deleted("a")}},
	{"a here-document with a space", "<< EOF\n" + envelope("*** Delete File: a") + "\nEOF", 1, "does not begin", files{deleted("a")}},
	{"a here-document that does not end", "<<EOF\n" + envelope("*** Delete File: a") + "\nEND", 5, "does not end", files{deleted("a")}},
}

func TestApplyPatchBroken(t *testing.T) {
	for _, tt := range brokenEnvelopes {
		got, err := patch.ApplyPatch(tt.text)
		checkSyntax(t, tt.name, err, tt.line, tt.err)
		if diff := cmp.Diff(tt.want, files(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func checkSyntax(t *testing.T, name string, err error, line int, text string) {
	t.Helper()
	var syntax *patch.SyntaxError
	if !errors.As(err, &syntax) {
		t.Errorf("%s: error is %v, want a *SyntaxError", name, err)
		return
	}
	if syntax.Line != line || !strings.Contains(err.Error(), text) {
		t.Errorf("%s: error is %q, want one of line %d with %q", name, err, line, text)
	}
}

// codex applies an envelope as Codex would, to files that all match, and
// returns the paths that it touches; none if it refuses the patch.
func codex(text string) []string {
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")), "\n")
	last := len(lines) - 1
	if last < 2 || strings.TrimSpace(lines[0]) != "*** Begin Patch" || strings.TrimSpace(lines[last]) != "*** End Patch" {
		return nil
	}
	var touched []string
	for i := 1; i < last; {
		line := strings.TrimSpace(lines[i])
		i++
		if path, ok := strings.CutPrefix(line, "*** Add File: "); ok {
			for i < last && strings.HasPrefix(lines[i], "+") {
				i++
			}
			touched = append(touched, path)
		} else if path, ok := strings.CutPrefix(line, "*** Delete File: "); ok {
			touched = append(touched, path)
		} else if path, ok := strings.CutPrefix(line, "*** Update File: "); ok {
			touched = append(touched, path)
			if to, ok := strings.CutPrefix(lines[i], "*** Move to: "); ok {
				touched = append(touched, strings.TrimSpace(to))
				i++
			}
			for i < last && !strings.HasPrefix(lines[i], "*** ") {
				if lines[i] != "" && !strings.ContainsRune(" +-@", rune(lines[i][0])) {
					return nil
				}
				i++
			}
		} else if i != 2 || !strings.HasPrefix(line, "*** Environment ID: ") {
			return nil
		}
	}
	return touched
}

// loose applies an envelope as programs do that look for headers at the start
// of lines, and skip all else.
func loose(text string) []string {
	var touched []string
	for line := range strings.SplitSeq(text, "\n") {
		for _, header := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			path, ok := strings.CutPrefix(strings.TrimSuffix(line, "\r"), header)
			if ok && strings.TrimSpace(path) != "" {
				touched = append(touched, path)
			}
		}
	}
	return touched
}

func FuzzApplyPatch(f *testing.F) {
	for _, tt := range envelopes {
		f.Add(tt.text)
	}
	for _, tt := range brokenEnvelopes {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := patch.ApplyPatch(text)
		if len(got) == 0 && err == nil {
			t.Error("no file, and no error")
		}
		found := make(map[string]bool)
		for _, file := range got {
			found[file.Path] = true
		}
		for _, path := range append(codex(text), loose(text)...) {
			if path != "" && !found[path] {
				t.Errorf("%q would be touched, and is not among %q", path, got)
			}
		}
	})
}

func BenchmarkApplyPatch(b *testing.B) {
	text := envelope(strings.Repeat("*** Update File: a.go\n@@ f\n-a\n+b\n context\n", 1000))
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := patch.ApplyPatch(text); err != nil {
			b.Fatal(err)
		}
	}
}
