//go:build e2e

package e2e_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the matrix into docs/agents.md")

// A matrix is what came of all rows, by columns.
type matrix []*column

// A column is what came of the rows with one agent.
type column struct {
	head  string // the agent, with its version
	cells []cell
}

// A cell is what came of a row's call in a column.
type cell struct {
	ran  bool
	told string
}

// newColumn returns a column that has still to be filled.
func newColumn(t *testing.T, a *agent, program string) *column {
	t.Helper()
	said := output(t, exec.CommandContext(t.Context(), program, "--version"))
	return &column{a.title + " " + regexp.MustCompile(`\d+(\.\d+)+`).FindString(said), make([]cell, len(rows))}
}

// whole reports whether every session has been played: -run may have left some out.
func (m matrix) whole() bool {
	for _, c := range m {
		if slices.ContainsFunc(c.cells, func(c cell) bool { return !c.ran && c.told == "" }) {
			return false
		}
	}
	return true
}

// markdown returns the matrix as a table.
func (m matrix) markdown() string {
	var text strings.Builder
	line := func(first string, of func(*column) string) {
		text.WriteString("| " + first)
		for _, c := range m {
			text.WriteString(" | " + of(c))
		}
		text.WriteString(" |\n")
	}
	line("what happens", func(c *column) string { return c.head })
	line("---", func(*column) string { return "---" })
	for i, r := range rows {
		line(r.name, func(c *column) string { return c.cells[i].String() })
	}
	return text.String()
}

// ran is how a cell begins whose call ran, and stopped how the others do.
const ran, stopped = "**ran**", "did not run"

func (c cell) String() string {
	if c.ran {
		return ran
	}
	return stopped + ": " + strings.NewReplacer("|", `\|`, "<", `\<`, "*", `\*`).Replace(brief(c.told))
}

// around are an agent's own words around those of its hook, those of its shell and
// its plugin, what permctl says of every failure, and the folder of its settings.
var around = regexp.MustCompile(`^(PreToolUse:\w+ hook error: (\[[^\]]*\]: )?|Command blocked by PreToolUse hook: |Tool execution blocked: )` +
	`|(/bin/)?(ba)?sh: (line )?1: +(\d+ )?|permctl ended with status 2: ` +
	`|permctl could not decide, so the answer is no: |\. No tool runs until a person has put it right: permctl doctor$|\. Command: .*$` +
	`|~/\.config/permctl/`)

// brief returns the two ends of what a model was told, without the agent's words
// around it.
func brief(told string) string {
	const end = 28
	text := []rune(strings.Join(strings.Fields(around.ReplaceAllString(told, "")), " "))
	if len(text) <= 2*end+3 {
		return string(text)
	}
	return strings.TrimSpace(string(text[:end])) + " … " + strings.TrimSpace(string(text[len(text)-end:]))
}

// The file that has the matrix, and what stands around it there.
const (
	agentsFile = "../docs/agents.md"
	opening    = "<!-- measured: go test -tags e2e ./e2e -run TestMatrix -update -->\n"
	closing    = "<!-- end of what is measured -->\n"
)

// compare holds the docs to the matrix: where a call ran, they say that it runs,
// and nowhere else. What models are told may change.
func (m matrix) compare(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(agentsFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), opening)
	said, after, closed := strings.Cut(rest, closing)
	if !ok || !closed {
		t.Fatalf("%s has no place for the matrix: between the lines %s and %s", agentsFile, opening, closing)
	}
	measured := m.markdown()
	if *update {
		if err := os.WriteFile(agentsFile, []byte(before+opening+measured+closing+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if said, measured := outcomes(said), outcomes(measured); said != measured {
		t.Errorf("%s says what is not so: write it anew with -update, and read the difference. It says\n%s\nand what is measured is\n%s", agentsFile, said, measured)
	}
}

// outcomes returns the rows of a table with no more than what ran and what did
// not.
func outcomes(table string) string {
	var all strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(table), "\n") {
		if i < 2 {
			continue // the versions may be others
		}
		cells := strings.Split(strings.ReplaceAll(strings.Trim(line, "| "), `\|`, ""), " | ")
		for n, text := range cells {
			switch {
			case n == 0:
			case strings.HasPrefix(text, stopped):
				cells[n] = stopped
			case text != ran:
				cells[n] = "?"
			}
		}
		fmt.Fprintln(&all, strings.Join(cells, " | "))
	}
	return all.String()
}
