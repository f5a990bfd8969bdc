package patch

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// timestamp is what diffs put after a file's name, if a tab does not tell it
// from the name.
var timestamp = regexp.MustCompile(`\s+\d{2,4}[-/]\d\d[-/]\d\d\s.*$`)

// unindent removes what patch lets stand before the lines of a diff: spaces and
// the letter X, and the "- " of a quoted message. It reports whether there was any.
func unindent(line string) (string, bool) {
	s := strings.TrimLeft(line, " \tX")
	for strings.HasPrefix(s, "- ") {
		s = s[2:]
	}
	return s, len(s) != len(line)
}

// fileHeader adds to paths those in rest, what follows the mark of a file
// header. It reports whether that says that there is no file.
func (d *diff) fileHeader(i int, rest string, paths *[]string) (none bool) {
	name := strings.TrimLeft(rest, " \t")
	if after, ok := strings.CutPrefix(name, "/dev/null"); ok {
		if d.file.git && !d.file.whole { // to git it is a file's name then
			d.addPaths(paths, "/dev/null")
		}
		if strings.TrimSpace(after) == "" || after[0] == '\t' || timestamp.MatchString(after) {
			return true
		}
		none = after[0] == ' ' // and else a file whose name has a space, for git
	}
	if strings.HasPrefix(name, `"`) {
		if s, _, ok := unquote(name); ok {
			d.addPaths(paths, s)
			return none
		}
		d.fail(i+1, "a quoted name that does not end: "+quoteStart(name))
	}
	name, _, tabbed := strings.Cut(name, "\t")
	d.addPaths(paths, strings.TrimRight(name, " "))
	if tabbed || !strings.Contains(name, " ") {
		return none
	}
	word, _, _ := strings.Cut(name, " ")
	d.addPaths(paths, timestamp.ReplaceAllString(name, ""))
	d.addPaths(paths, word)
	d.addPaths(paths, name)
	return none
}

// gitHeader adds the two paths in rest, what follows "diff --git". If spaces
// make it ambiguous it adds none: then the lines below must name the file.
func (d *diff) gitHeader(i int, rest string) {
	before, after := &d.file.before, &d.file.after
	if strings.HasPrefix(rest, `"`) {
		name, tail, ok := unquote(rest)
		if !ok {
			d.fail(i+1, "a quoted name that does not end: "+quoteStart(rest))
			return
		}
		d.addPaths(before, name)
		d.secondName(i, strings.TrimLeft(tail, " \t"))
		return
	}
	if name, tail, ok := strings.Cut(rest, ` "`); ok {
		d.addPaths(before, name)
		d.secondName(i, `"`+tail)
		return
	}
	if words := strings.Fields(rest); len(words) == 2 {
		d.addPaths(before, words[0])
		d.addPaths(after, words[1])
		return
	}
	middle := len(rest) / 2
	if len(rest) < 3 || rest[middle] != ' ' && rest[middle] != '\t' {
		return
	}
	left, right := rest[:middle], rest[middle+1:]
	if left == right || cutComponents(left, 1) == cutComponents(right, 1) {
		d.addPaths(before, left)
		d.addPaths(after, right)
	}
}

// secondName adds the path that ends a git header, quoted or not.
func (d *diff) secondName(i int, s string) {
	if strings.HasPrefix(s, `"`) {
		name, _, ok := unquote(s)
		if !ok {
			d.fail(i+1, "a quoted name that does not end: "+quoteStart(s))
			return
		}
		s = name
	}
	d.addPaths(&d.file.after, strings.TrimRight(s, " \t"))
}

// rename returns the paths in a line that names one end of a rename or copy.
// There git leaves out the prefix that the first -p component strips.
func (d *diff) rename(i int, s string) []string {
	if strings.HasPrefix(s, `"`) {
		name, _, ok := unquote(s)
		if !ok {
			d.fail(i+1, "a quoted name that does not end: "+quoteStart(s))
		} else {
			s = name
		}
	}
	if s == "" {
		d.fail(i+1, "a file without a name")
		return nil
	}
	paths := []string{s}
	if d.strip > 1 {
		if cut := cutComponents(s, d.strip-1); cut != s {
			paths = append(paths, cut)
		}
	}
	return paths
}

// addPaths adds to paths what name is with its components stripped.
func (d *diff) addPaths(paths *[]string, name string) {
	add := func(p string) {
		if p != "" && !slices.Contains(*paths, p) {
			*paths = append(*paths, p)
		}
	}
	if d.strip < 0 {
		add(name)
		add(cutComponents(name, 1))
		add(path.Base(name))
		return
	}
	cut := cutComponents(name, d.strip)
	add(cut)
	if d.strip > 0 { // patch strips slashes that follow one another together
		add(strings.TrimLeft(cut, "/"))
		add(cutRuns(name, d.strip))
	}
}

// cutComponents removes what stands before the nth slash, and the slash. A name
// with fewer is returned whole.
func cutComponents(name string, n int) string {
	rest := name
	for range n {
		_, after, ok := strings.Cut(rest, "/")
		if !ok || after == "" {
			return name
		}
		rest = after
	}
	return rest
}

// cutRuns is cutComponents with slashes that follow one another taken for one.
func cutRuns(name string, n int) string {
	rest := name
	for range n {
		_, after, ok := strings.Cut(rest, "/")
		after = strings.TrimLeft(after, "/")
		if !ok || after == "" {
			return name
		}
		rest = after
	}
	return rest
}

// unquote reads the name at the start of s that is quoted as in C, and returns
// what follows it.
func unquote(s string) (name, rest string, ok bool) {
	const escapes, values = `abtnvfr"\`, "\a\b\t\n\v\f\r\"\\"
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], true
		case s[i] != '\\':
			b.WriteByte(s[i])
			continue
		}
		i++
		if i == len(s) {
			break
		}
		if n := strings.IndexByte(escapes, s[i]); n >= 0 {
			b.WriteByte(values[n])
			continue
		}
		if i+2 >= len(s) || !octal(s[i]) || s[i] > '3' || !octal(s[i+1]) || !octal(s[i+2]) {
			return "", "", false
		}
		b.WriteByte((s[i]-'0')<<6 | (s[i+1]-'0')<<3 | (s[i+2] - '0'))
		i += 2
	}
	return "", "", false
}

func octal(c byte) bool { return '0' <= c && c <= '7' }
