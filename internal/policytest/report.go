package policytest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// A Status says how a case ended.
type Status string

// The ends that a case can come to, the worst last.
const (
	Pass  Status = "pass"
	Skip  Status = "skip"  // it is marked as not to be run yet
	Fail  Status = "fail"  // the policy answers otherwise, or there is no test at all
	Error Status = "error" // it could not be run, or its policy broke
)

// A Report is what came of the tests. It has at least one case.
type Report struct {
	// Cases are in the order of files and lines.
	Cases []Case `json:"cases"`

	// Diffs tell for each table with failures what it says and what the policy
	// answers.
	Diffs []Diff `json:"diffs"`

	// Updated are the tables that were rewritten.
	Updated []string `json:"updated"`

	Duration time.Duration `json:"duration"` // in nanoseconds
}

// A Case is one Rego test, one named case of a Rego test that has several, or
// one row of a table.
type Case struct {
	// Suite is the package or table, and Name what the case is called there:
	// test_push, test_push/forced, or the row. For what is no test but keeps
	// tests from being run, they are "permctl" and what is wrong.
	Suite string `json:"suite"`
	Name  string `json:"name"`

	// File and Line are where the case is written. A line of 0 is not known.
	File string `json:"file"`
	Line int    `json:"line"`

	Status   Status        `json:"status"`
	Duration time.Duration `json:"duration"`

	// Message is why the case did not pass, and Output what it printed.
	Message string `json:"message,omitempty"`
	Output  string `json:"output,omitempty"`

	// Table is true for a row of a table, whose failure the table's diff tells.
	Table bool `json:"table,omitempty"`
}

// A Diff is what a table says and what the policy answers, with its reasons.
type Diff struct {
	File string `json:"file"`
	Text string `json:"text"` // a unified diff
}

// Count returns how many cases have the status.
func (r *Report) Count(s Status) int {
	n := 0
	for _, c := range r.Cases {
		if c.Status == s {
			n++
		}
	}
	return n
}

// Status returns the worst status of all cases, where a test that is skipped
// is as good as one that passes.
func (r *Report) Status() Status {
	switch {
	case r.Count(Error) > 0:
		return Error
	case r.Count(Fail) > 0:
		return Fail
	default:
		return Pass
	}
}

// JSON writes the report as one JSON object.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Text writes the report for a person: what failed and how many passed, and if
// verbose every case.
func (r *Report) Text(w io.Writer, verbose, color bool) error {
	p := printer{w: bufio.NewWriter(w), color: color}
	for _, c := range r.Cases {
		switch {
		case c.Status == Error, c.Status == Fail && !c.Table, verbose:
			p.result(c, verbose)
		}
	}
	for _, d := range r.Diffs {
		p.diff(d.Text)
	}
	for _, file := range r.Updated {
		fmt.Fprintf(p.w, "updated %s\n", file)
	}
	p.summary(r)
	return p.w.Flush()
}

// A printer writes for a person.
type printer struct {
	w     *bufio.Writer
	color bool
}

// The colours of what is good, bad and neither.
const (
	green  = "32"
	red    = "31"
	yellow = "33"
)

var statusColors = map[Status]string{Pass: green, Skip: yellow, Fail: red, Error: red}

func (p printer) paint(text, color string) string {
	if !p.color {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// result writes a case: where it is, what it is, and why it did not pass.
func (p printer) result(c Case, verbose bool) {
	fmt.Fprint(p.w, p.paint(fmt.Sprintf("%-5s", c.Status), statusColors[c.Status]), " ")
	if position := c.position(); position != "" {
		fmt.Fprint(p.w, position, ": ")
	}
	fmt.Fprint(p.w, c.title())
	if verbose && c.Status != Skip {
		fmt.Fprintf(p.w, " (%v)", c.Duration.Round(time.Microsecond))
	}
	fmt.Fprintln(p.w)
	p.indented(c.Message, "      ")
	if verbose || c.Status == Fail || c.Status == Error {
		p.indented(c.Output, "      | ")
	}
}

// ownSuite is the suite of what is no test, but keeps tests from being run.
const ownSuite = "permctl"

// title names the case within its file.
func (c Case) title() string {
	if c.Table || c.Suite == ownSuite {
		return c.Name
	}
	return c.Suite + "." + c.Name
}

// position returns the file and line, as far as they are known.
func (c Case) position() string {
	if c.Line == 0 {
		return c.File
	}
	return fmt.Sprintf("%s:%d", c.File, c.Line)
}

func (p printer) indented(text, indent string) {
	if text == "" {
		return
	}
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		fmt.Fprint(p.w, indent, strings.TrimRight(line, "\n"), "\n")
	}
}

func (p printer) diff(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "+"):
			line = p.paint(line, green)
		case strings.HasPrefix(line, "-"):
			line = p.paint(line, red)
		}
		fmt.Fprintln(p.w, line)
	}
}

func (p printer) summary(r *Report) {
	counts := []string{fmt.Sprintf("%d passed", r.Count(Pass))}
	for _, s := range []struct {
		status Status
		text   string
	}{{Fail, "%d failed"}, {Error, "%d in error"}, {Skip, "%d skipped"}} {
		if n := r.Count(s.status); n > 0 {
			counts = append(counts, fmt.Sprintf(s.text, n))
		}
	}
	text := strings.Join(counts, ", ")
	fmt.Fprintf(p.w, "%s (%v)\n", p.paint(text, statusColors[r.Status()]), r.Duration.Round(time.Millisecond))
}
