// Package patch finds the files that a patch would touch.
//
// It reads apply_patch envelopes and the diffs that git apply, git am and patch
// read, and never applies them or looks at a file. Where programs that apply
// patches differ it reports what any of them would touch; text that it cannot
// follow to the end is an error, beside the files found in it.
package patch

import (
	"fmt"
	"strings"
	"unicode"
)

// An Op is what a patch does to a file.
type Op string

// The operations.
const (
	Add    Op = "add"    // creates the file, or overwrites it
	Update Op = "update" // changes a file that is there
	Delete Op = "delete" // removes the file; also the source of a move
	Move   Op = "move"   // creates or overwrites the destination of a move, or of a copy
	Mode   Op = "mode"   // changes the permission bits
	Link   Op = "link"   // makes the file a symbolic link, or changes where one leads
)

// A File is one thing that a patch does to one path. A path that is touched in
// several ways has a File for each.
type File struct {
	// Path is as the patch has it: it may be absolute, and may contain "..".
	// In a unified diff, leading components are stripped from it.
	Path string `json:"path"`
	Op   Op     `json:"op"`

	// From is the source of a move or copy, else empty. The source has a File
	// of its own.
	From string `json:"from,omitempty"`
}

// A SyntaxError says where a patch stopped making sense.
type SyntaxError struct {
	Line int // counts from 1
	Text string
}

// Error returns the text of the error with its line.
func (e *SyntaxError) Error() string { return fmt.Sprintf("patch line %d: %s", e.Line, e.Text) }

// Is reports whether text holds an apply_patch envelope, that is, a line that
// begins one. Text for which it is false may still be a diff: see [IsUnified].
func Is(text string) bool {
	for line := range strings.Lines(text) {
		if strings.EqualFold(trim(line), beginMark) {
			return true
		}
	}
	return false
}

// IsUnified reports whether text looks like a diff that [Unified] reads: it has
// a git header, or a file header followed by another or by a hunk. So may an
// apply_patch envelope: ask [Is] first.
func IsUnified(text string) bool {
	header := false
	for line := range strings.Lines(text) {
		line, _ := unindent(strings.TrimRight(line, "\r\n"))
		switch {
		case strings.HasPrefix(line, "diff --git "), header && strings.HasPrefix(line, "@@ -"):
			return true
		case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
			if header {
				return true
			}
			header = true
		case strings.HasPrefix(line, "*** "), strings.HasPrefix(line, "Index:"):
			header = true
		}
	}
	return false
}

// A report gathers files in order, each once, and keeps the first error.
type report struct {
	files []File
	seen  map[File]bool
	err   *SyntaxError
}

func (r *report) add(f File) {
	if f.Path == "" || r.seen[f] {
		return
	}
	if r.seen == nil {
		r.seen = make(map[File]bool)
	}
	r.seen[f] = true
	r.files = append(r.files, f)
}

func (r *report) fail(line int, text string) {
	if r.err == nil {
		r.err = &SyntaxError{Line: line, Text: text}
	}
}

// result returns the error as an interface only if there is one.
func (r *report) result() ([]File, error) {
	if len(r.files) == 0 {
		r.fail(1, "names no file")
	}
	if r.err != nil {
		return r.files, r.err
	}
	return r.files, nil
}

// trim removes what Rust's or JavaScript's trim would.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' })
}

// splitLines cuts text at newlines alone, and drops the carriage return before
// each: no other character ends a line in any of the programs.
func splitLines(text string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	return lines
}
