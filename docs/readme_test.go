// Package docs_test holds the documents to the program.
package docs_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/hook"
)

var update = flag.Bool("update", false, "write the script anew from the README")

const (
	readme = "../README.md"
	script = "../cmd/permctl/testdata/script/readme.txtar"
)

// TestScript holds the script that runs the README's commands to the README:
// what stands in one stands in the other.
func TestScript(t *testing.T) {
	want := scriptOf(read(t, readme))
	if *update {
		if err := os.WriteFile(script, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, read(t, script)); diff != "" {
		t.Errorf("the README has changed: go test ./docs -update (-README +script):\n%s", diff)
	}
}

// TestPresets holds the README's table to what the presets say of themselves.
func TestPresets(t *testing.T) {
	text := read(t, readme)
	files, err := filepath.Glob("../policy/presets/*/*.rego")
	if err != nil {
		t.Fatal(err)
	}
	about := regexp.MustCompile(`^# METADATA\n# title: .*\n# description: (.*)\n`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.rego") {
			continue
		}
		name := strings.ReplaceAll(strings.TrimSuffix(filepath.Base(file), ".rego"), "_", "-")
		found := about.FindStringSubmatch(read(t, file))
		if found == nil || !strings.Contains(text, fmt.Sprintf("| `%s` | %s |", name, found[1])) {
			t.Errorf("the README's table of presets does not have %s as it describes itself: %v", name, found)
		}
	}
}

// TestAgents holds the table of agents to those that permctl knows.
func TestAgents(t *testing.T) {
	text := read(t, "agents.md")
	for _, agent := range hook.Agents {
		if row := fmt.Sprintf(" | `%s` | ", agent.Name); strings.Count(text, row) != 1 {
			t.Errorf("agents.md has no row for %s, or more than one:%s", agent.Title(), row)
		}
	}
}

// TestLinks holds the documents' links to files that there are.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	for _, pattern := range []string{"../*.md", "../*/*.md", "decisions/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			for _, found := range link.FindAllStringSubmatch(read(t, file), -1) {
				if _, err := os.Stat(filepath.Join(filepath.Dir(file), found[1])); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// A block of code in the README, and the file that the comment above it names.
var block = regexp.MustCompile("(?ms)^(?:<!-- file: (\\S+) -->\n)?```(\\w+)\n(.*?)^```$")

// scriptOf returns the script that does what the README shows: files are
// written where they stand, and commands must answer as it says.
func scriptOf(text string) string {
	var steps, files bytes.Buffer
	steps.WriteString("# the README's commands, in its order: go test ./docs -update writes this script\n")
	n := 0
	keep := func(content string) string {
		n++
		fmt.Fprintf(&files, "-- block%02d --\n%s", n, content)
		return fmt.Sprintf("block%02d", n)
	}
	for _, found := range block.FindAllStringSubmatch(text, -1) {
		file, language, body := found[1], found[2], found[3]
		switch {
		case file != "":
			at := places.Replace(file)
			fmt.Fprintf(&steps, "mkdir %s\ncp %s %s\n", filepath.ToSlash(filepath.Dir(at)), keep(body), at)
		case language == "console":
			for _, shown := range strings.Split("\n"+body, "\n$ ")[1:] {
				command, output, _ := strings.Cut(shown, "\n")
				step(&steps, command, strings.TrimRight(output, "\n")+"\n", keep)
			}
		}
	}
	return steps.String() + "\n" + files.String()
}

// places are where the script has what the README shows.
var places = strings.NewReplacer(
	"go run ./cmd/permctl", "permctl",
	"~/.config", "$WORK/config",
	"/home/ann/.config", "$WORK/config",
	"/home/ann/project", "$WORK",
)

var elapsed = regexp.MustCompile(`\\\(\d+ms\\\)`)

// step writes what runs a command and compares its output. The time that tests
// took is not compared.
func step(steps *bytes.Buffer, command, output string, keep func(string) string) {
	fmt.Fprintf(steps, "status %d %s\n! stderr .\n", statusOf(output), places.Replace(command))
	if pattern := regexp.QuoteMeta(strings.TrimSuffix(output, "\n")); elapsed.MatchString(pattern) {
		fmt.Fprintf(steps, "stdout '^%s$'\n", elapsed.ReplaceAllString(pattern, `\(.*\)`))
		return
	}
	fmt.Fprintf(steps, "cmpenv stdout %s\n", keep(places.Replace(output)))
}

// statusOf returns the status that the README's table has for an output.
func statusOf(output string) int {
	switch word, _, _ := strings.Cut(output, " "); word {
	case "ask":
		return 3
	case "deny":
		return 1
	default:
		return 0
	}
}
