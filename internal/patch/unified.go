package patch

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	hunkStart   = regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@`)
	contextHunk = regexp.MustCompile(`^(?:\*\*\* \d+(?:,\d+)? \*\*\*\*|--- \d+(?:,\d+)? ----)`)
	edCommand   = regexp.MustCompile(`^\d+(?:,\d+)?(?:[is]|[acd](?:\d+(?:,\d+)?)?)\s*$`)
	hiddenMail  = regexp.MustCompile(`(?i)^content-(?:type:\s*multipart|transfer-encoding:\s*(?:base64|quoted))`)
)

// Unified returns what the diffs in text would touch, as git apply, git am and
// patch read them: unified, git's and context diffs, and normal ones that an
// "Index:" line names. Text around them is skipped.
//
// From each path it strips the leading components that -pN would, for a strip
// of zero or more. A negative strip means that the number is not known: then
// the path is reported whole, without its first component, and by its last.
// A name that programs end in different places is reported in each way.
//
// The error, if any, is a [*SyntaxError]: a hunk that is cut short, an ed
// script, a file without a name, a mail whose text is encoded, no file at all.
// The files found are returned with it.
func Unified(text string, strip int) ([]File, error) {
	d := diff{lines: splitLines(text), strip: strip, connected: -1}
	for i := 0; i < len(d.lines); {
		i = d.line(i)
	}
	d.flush()
	return d.result()
}

// A diff is the state of reading diffs.
type diff struct {
	report

	lines []string
	strip int
	file  section

	// connected is the index of the line at which a hunk belongs, beyond
	// doubt, to the header or hunk before it.
	connected int
}

// A section is what has been read about one file.
type section struct {
	line   int      // where it begins; 0 if it has not begun
	before []string // paths that the headers give for the old file
	after  []string // and for the new one
	from   []string // of a rename or copy
	to     []string // of a rename or copy

	git, index, stars, old, new, hunks, whole    bool // which lines it has
	create, remove, link, chmod, rename, content bool // what they say
}

// begin ends the section before, if what has been read of it is over.
func (d *diff) begin(i int, over bool) {
	if over {
		d.flush()
	}
	if d.file.line == 0 {
		d.file.line = i + 1
	}
}

// line reads line i, and a hunk to its end, and returns the next index to read.
func (d *diff) line(i int) int {
	raw, f := d.lines[i], &d.file
	line, moved := unindent(raw)
	switch {
	case strings.HasPrefix(line, "diff --git "):
		d.begin(i, true)
		f.git = true
		d.gitHeader(i, line[len("diff --git "):])
	case strings.HasPrefix(line, "@@ -"):
		return d.hunk(i, moved)
	case f.stars && contextHunk.MatchString(line):
		f.hunks, f.content = true, true
	case strings.HasPrefix(line, "*** "):
		d.begin(i, f.stars || f.old || f.new || f.hunks)
		f.stars = true
		f.create = d.fileHeader(i, line[len("*** "):], &f.before)
	case strings.HasPrefix(line, "--- ") && f.stars && !f.old:
		f.old = true
		f.remove = d.fileHeader(i, line[len("--- "):], &f.after)
	case strings.HasPrefix(line, "--- "):
		d.begin(i, f.old || f.new || f.hunks)
		f.old = true
		f.create = d.fileHeader(i, line[len("--- "):], &f.before) || f.create
	case strings.HasPrefix(line, "+++ "):
		d.begin(i, f.new || f.hunks)
		f.new = true
		f.remove = d.fileHeader(i, line[len("+++ "):], &f.after) || f.remove
		if !moved && i > 0 && strings.HasPrefix(d.lines[i-1], "--- ") {
			d.connected = i + 1
		}
	case strings.HasPrefix(line, "Index:"):
		d.begin(i, f.git || f.index || f.stars || f.old || f.new || f.hunks)
		f.index = true
		d.fileHeader(i, line[len("Index:"):], &f.after)
	case edCommand.MatchString(line):
		d.command(i)
	case hiddenMail.MatchString(line):
		d.fail(i+1, "a mail whose parts or encoding are not read")
	case f.git && !f.hunks:
		d.extended(i, line)
	}
	return i + 1
}

// hunk reads the hunk that begins at line i. Its content is skipped only where
// every program would take it for content; else its lines are read as headers.
func (d *diff) hunk(i int, moved bool) int {
	f := &d.file
	if len(f.before)+len(f.after)+len(f.to) == 0 {
		d.fail(i+1, "a hunk without a file")
	}
	f.hunks, f.content = true, true
	m := hunkStart.FindStringSubmatch(d.lines[i])
	if m == nil {
		if !moved {
			d.fail(i+1, "not the start of a hunk: "+quoteStart(d.lines[i]))
		}
		return i + 1
	}
	if d.connected != i {
		return i + 1
	}
	end, ok := d.skip(i+1, m[1], m[2])
	if !ok {
		d.fail(min(end+1, len(d.lines)), "a hunk that is cut short")
		return i + 1
	}
	d.connected = end
	return end
}

// skip returns the index after a hunk whose content begins at line i, or of
// the first line that cannot be in it.
func (d *diff) skip(i int, oldCount, newCount string) (end int, ok bool) {
	before, after := count(oldCount), count(newCount)
	for ; i < len(d.lines); i++ {
		line := d.lines[i]
		switch {
		case strings.HasPrefix(line, `\`), strings.HasPrefix(line, "#") && before+after > 0:
			continue // says that the line before has no newline; a comment
		case before == 0 && after == 0:
			return i, true
		case line == "" && i == len(d.lines)-1: // what follows the last newline
			return i, false
		case line == "", strings.HasPrefix(line, " "), strings.HasPrefix(line, "\t"), strings.HasPrefix(line, "="):
			before, after = before-1, after-1
		case strings.HasPrefix(line, "-"):
			before--
		case strings.HasPrefix(line, "+"):
			after--
		default:
			return i, false
		}
		if before < 0 || after < 0 {
			return i, false
		}
	}
	return len(d.lines), before == 0 && after == 0
}

// count reads the number of lines in a hunk's header: 1 if it is not there, and
// more than any text has if it is too large.
func count(s string) int {
	if s == "" {
		return 1
	}
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return 1 << 30
	}
	return int(n)
}

// command reads a line that is a command of ed, or stands in a normal diff,
// where lines of content follow it.
func (d *diff) command(i int) {
	next := ""
	if i+1 < len(d.lines) {
		next, _ = unindent(d.lines[i+1])
	}
	normal := strings.HasPrefix(next, "< ") || strings.HasPrefix(next, "> ")
	switch {
	case !normal:
		d.fail(i+1, "an ed script: "+quoteStart(d.lines[i]))
	case !d.file.index:
		d.fail(i+1, "a normal diff without a file")
	default:
		d.file.content = true
	}
}

// extended reads the lines of a git diff between its header and its first hunk.
func (d *diff) extended(i int, line string) {
	f := &d.file
	for _, x := range []struct {
		start string
		read  func(rest string)
	}{
		{"rename from ", func(s string) { f.rename, f.from = true, append(f.from, d.rename(i, s)...) }},
		{"rename to ", func(s string) { f.rename, f.to = true, append(f.to, d.rename(i, s)...) }},
		{"copy from ", func(s string) { f.from = append(f.from, d.rename(i, s)...) }},
		{"copy to ", func(s string) { f.to = append(f.to, d.rename(i, s)...) }},
		{"old mode ", func(string) { f.chmod = true }},
		{"new mode ", func(s string) { f.chmod, f.link = true, f.link || isLink(s) }},
		{"new file mode ", func(s string) { f.whole, f.create, f.link = true, true, f.link || isLink(s) }},
		{"deleted file mode ", func(string) { f.whole, f.remove = true, true }},
		{"index ", func(s string) { f.content, f.link = true, f.link || isLink(s) }},
		{"GIT binary patch", func(string) { f.content = true }},
	} {
		if rest, ok := strings.CutPrefix(line, x.start); ok {
			x.read(rest)
			return
		}
	}
}

// isLink reports whether a line ends in the mode of a symbolic link.
func isLink(s string) bool { return strings.HasSuffix(strings.TrimSpace(s), "120000") }

// flush reports the section and begins another.
func (d *diff) flush() {
	f := d.file
	d.file = section{}
	if f.line == 0 {
		return
	}
	if len(f.before)+len(f.after)+len(f.from)+len(f.to) == 0 {
		d.fail(f.line, "a file without a name")
		return
	}
	f.moves(&d.report)
	for _, op := range f.ops() {
		for _, p := range f.before {
			if !slices.Contains(f.from, p) {
				d.add(File{Path: p, Op: op})
			}
		}
		for _, p := range f.after {
			if !slices.Contains(f.to, p) {
				d.add(File{Path: p, Op: op})
			}
		}
		if op == Mode || op == Link {
			for _, p := range f.to {
				d.add(File{Path: p, Op: op})
			}
		}
	}
}

// moves reports both ends of a rename or copy. The source of a copy is there
// too: patch writes it when it applies in reverse, or when headers contradict.
func (f section) moves(r *report) {
	op := Update
	if f.rename && len(f.to) > 0 {
		op = Delete
	}
	from := ""
	for i, p := range f.from {
		if i == 0 {
			from = p
		}
		r.add(File{Path: p, Op: op})
	}
	for _, p := range f.to {
		r.add(File{Path: p, Op: Move, From: from})
	}
}

// ops returns what the section does to each of its paths.
func (f section) ops() []Op {
	var ops []Op
	if f.create && !f.link {
		ops = append(ops, Add)
	}
	if f.remove {
		ops = append(ops, Delete)
	}
	if f.link && !f.remove {
		ops = append(ops, Link)
	}
	if f.chmod && !f.link {
		ops = append(ops, Mode)
	}
	if len(ops) == 0 || f.content && f.chmod && !f.link {
		ops = append(ops, Update)
	}
	return ops
}
