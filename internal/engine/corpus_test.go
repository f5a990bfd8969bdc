package engine_test

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/workspace"
)

// A line of the corpus is a call of a shell tool, the rules in force, and what
// permctl has to say of it.
type line struct {
	id, category string
	want         permission.Action
	atLeast      bool // a stricter answer is as good
	text         string
	allow, deny  []string
	outside      bool // what lies outside the workspace is allowed

	// facts are what the line runs, writes, reads, sets and defines, each
	// behind its key. Of runs, the words are behind each other.
	facts map[string][]string

	// differs says how what permctl lists for a key differs; see [howDiffer].
	differs map[string]string
}

// unknown stands for a word that only run time knows.
const unknown = "?"

// corpus reads testdata/corpus, a file a category.
func corpus(t testing.TB) []line {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	var lines []line
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		category := strings.TrimSuffix(filepath.Base(file), ".txt")
		scanner := bufio.NewScanner(f)
		scanner.Buffer(nil, 1<<20)
		for n := 1; scanner.Scan(); n++ {
			switch text := scanner.Text(); {
			case text == "" || strings.HasPrefix(text, "#"):
			case strings.HasPrefix(text, "  "):
				lines[len(lines)-1].field(t, fmt.Sprintf("%s:%d", file, n), strings.TrimSpace(text))
			default:
				words := strings.Fields(text)
				lines = append(lines, line{
					id: words[1], category: category, want: permission.Action(words[0]), atLeast: len(words) > 2,
					facts: map[string][]string{}, differs: map[string]string{},
				})
			}
		}
		if err := scanner.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return lines
}

func (l *line) field(t testing.TB, place, text string) {
	key, value, _ := strings.Cut(text, " ")
	switch key {
	case "text":
		l.text = unquote(value)
	case "allow":
		l.allow = append(l.allow, unquote(value))
	case "deny":
		l.deny = append(l.deny, unquote(value))
	case "allow-outside":
		l.outside = true
	case "runs", "writes", "reads", "sets", "defines":
		l.facts[key] = append(l.facts[key], value)
	case "differs":
		of, how, _ := strings.Cut(value, " ")
		l.differs[of] = how
	default:
		t.Fatalf("%s: unknown field %s", place, key)
	}
}

func unquote(text string) string {
	if s, err := strconv.Unquote(text); err == nil {
		return s
	}
	return text
}

// quote writes a word as the corpus does.
func quote(w string) string {
	if w == unknown || w == "" || strings.HasPrefix(w, `"`) || strings.ContainsFunc(w, func(r rune) bool { return r <= ' ' || !strconv.IsPrint(r) }) {
		return strconv.Quote(w)
	}
	return w
}

// rules returns the rules that the line is decided by.
func (l *line) rules(allow []string) []permission.Rule {
	rules := []permission.Rule{{Permission: "*", Pattern: "*", Action: permission.Ask}}
	for _, pattern := range allow {
		rules = append(rules, permission.Rule{Permission: "bash", Pattern: pattern, Action: permission.Allow})
	}
	for _, pattern := range l.deny {
		rules = append(rules, permission.Rule{Permission: "bash", Pattern: pattern, Action: permission.Deny})
	}
	if l.outside {
		rules = append(rules, permission.Rule{Permission: "external_directory", Pattern: "*", Action: permission.Allow})
	}
	return rules
}

// decide decides the line in an empty workspace.
func (l *line) decide(t testing.TB, w *workspace.Workspace, rules []permission.Rule) permission.Decision {
	t.Helper()
	e, err := engine.New(engine.Config{Layers: []permission.Layer{{Name: permission.LayerGlobal, Trust: permission.TrustUser, Rules: rules}}})
	if err != nil {
		t.Fatal(err)
	}
	call := input.Call{Tool: "bash", Input: map[string]any{"command": l.text}}
	doc, err := input.New(call, input.Env{Workspace: w, User: input.User{Home: "/home/u"}})
	if err != nil {
		t.Fatalf("%s: %v", l.id, err)
	}
	d, err := e.Eval(context.Background(), doc)
	if err != nil {
		t.Fatalf("%s: %v", l.id, err)
	}
	return d
}

// TestCorpus decides every line, and says by category where permctl is wrong.
func TestCorpus(t *testing.T) {
	w := emptyWorkspace(t)
	wrong := map[string]map[string]int{}
	for _, l := range corpus(t) {
		d := l.decide(t, w, l.rules(l.allow))
		if d.Action == l.want || l.atLeast && permission.Strictest(d.Action, l.want) == d.Action {
			continue
		}
		kind := "false " + string(d.Action)
		if wrong[kind] == nil {
			wrong[kind] = map[string]int{}
		}
		wrong[kind][l.category]++
		t.Errorf("%s: %s: %.120q: want %s: %s", kind, l.id, l.text, l.want, d.Reason)
	}
	for _, kind := range []string{"false allow", "false ask", "false deny"} {
		t.Logf("%s: %v", kind, wrong[kind])
	}
}

// TestCorpusWidened grants all that a line runs but one command. Such a line
// must not be allowed, unless that command does nothing but run the others.
func TestCorpusWidened(t *testing.T) {
	w := emptyWorkspace(t)
	rows := (*bash.Tables)(nil).Document()["commands"].(map[string]bash.Row)
	tried := 0
	for _, l := range corpus(t) {
		if l.want == permission.Allow || l.atLeast {
			continue
		}
		names := map[string]bool{}
		for _, run := range l.facts["runs"] {
			if words := split(run); words[0] != unknown {
				names[words[0]] = true
			}
		}
		for _, left := range slices.Sorted(maps.Keys(names)) {
			if rows[left].Through || slices.Contains(l.facts["defines"], left) {
				continue
			}
			allow := slices.Clone(l.allow)
			for name := range names {
				if name != left {
					allow = append(allow, name, name+" *")
				}
			}
			allow = slices.DeleteFunc(allow, func(p string) bool { return p == left || strings.HasPrefix(p, left+" ") })
			tried++
			if d := l.decide(t, w, l.rules(allow)); d.Action == permission.Allow {
				t.Errorf("%s: %.120q: allowed by %q: %s", l.id, l.text, allow, d.Reason)
			}
		}
	}
	t.Logf("%d lines without one of their grants", tried)
}

// TestCorpusFacts compares what the lines would do with what permctl lists. Where
// permctl lists more than the corpus does, less or something else, the line says
// so: the corpus does not count the same for every line.
func TestCorpusFacts(t *testing.T) {
	lines := slices.DeleteFunc(corpus(t), func(l line) bool { return len(l.facts) == 0 && l.category == "attacks" }) // only the answer matters
	counts := map[string]map[string]int{}
	for _, l := range lines {
		got := facts(bash.Parse(l.text, nil))
		for _, key := range []string{"runs", "writes", "reads", "sets", "defines"} {
			how := howDiffer(l.facts[key], got[key], key == "runs")
			if counts[key] == nil {
				counts[key] = map[string]int{}
			}
			counts[key][how]++
			if want := cmp.Or(l.differs[key], same); how != want {
				t.Errorf("%s: %.120q: what it %s is %s, and must be %s: want %s\n     got %s", l.id, l.text, key, how, want,
					strings.Join(l.facts[key], " ; "), strings.Join(got[key], " ; "))
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%s: %v (%.1f %% the same)", key, counts[key], 100*float64(counts[key][same])/float64(len(lines)))
	}
}

// same is what is listed as the corpus has it.
const same = "same"

// howDiffer says how what is listed differs: "same", "more", "less" or "other".
func howDiffer(want, got []string, ordered bool) string {
	holds := func(list, part []string) bool {
		for _, s := range part {
			if !slices.Contains(list, s) {
				return false
			}
		}
		return true
	}
	switch {
	case slices.Equal(want, got), !ordered && holds(want, got) && holds(got, want):
		return same
	case holds(want, got) && holds(got, want):
		return "other" // in another order
	case holds(got, want):
		return "more"
	case holds(want, got):
		return "less"
	default:
		return "other"
	}
}

// facts returns what a script would do, as the corpus writes it.
func facts(s bash.Script) map[string][]string {
	got := map[string][]string{}
	add := func(key, value string) {
		if key != "runs" && slices.Contains(got[key], value) {
			return
		}
		got[key] = append(got[key], value)
	}
	word := func(text string, dynamic bool) string {
		if dynamic {
			return unknown
		}
		return quote(text)
	}
	file := func(path string, effect bash.Effect, dynamic, lost bool, dir string) {
		if !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "~") {
			dynamic = dynamic || lost
			if dir != "" {
				path = filepath.Join(dir, path)
			}
		}
		key := "writes"
		if effect == bash.Read {
			key = "reads"
		}
		add(key, word(path, dynamic))
	}
	for _, c := range s.Commands {
		words := []string{word(c.Program, !c.System && c.Prefix == c.Program && c.Unparsed == "only run time knows the command")}
		for _, w := range c.Args {
			words = append(words, word(w.Text, w.Dynamic))
		}
		add("runs", strings.Join(words, " "))
		for _, o := range c.Operations {
			if o.Listed {
				file(o.Path, o.Effect, o.Dynamic, c.DirDynamic, c.Dir)
			}
		}
		for _, a := range c.Assigns {
			if c.Name == "unset" || assigns(a) {
				add("sets", word(a.Name, a.Name == ""))
			}
		}
	}
	for _, r := range s.Redirects {
		file(r.Path, r.Effect, r.Dynamic, r.DirDynamic, r.Dir)
	}
	for _, a := range s.Assigns {
		if assigns(a) {
			add("sets", word(a.Name, a.Name == ""))
		}
	}
	for _, name := range s.Functions {
		add("defines", name)
	}
	return got
}

// assigns reports whether a variable is set by an assignment, and not by a loop or
// a builtin that reads.
func assigns(a bash.Assign) bool {
	behind, ok := strings.CutPrefix(strings.TrimPrefix(a.Source, "${"), a.Name)
	return ok && behind != "" && strings.IndexByte("=[+", behind[0]) >= 0
}

// split splits the words of a line of runs.
func split(text string) []string {
	var words []string
	for text != "" {
		if prefix, err := strconv.QuotedPrefix(text); err == nil {
			words = append(words, unquote(prefix))
			text = strings.TrimPrefix(text[len(prefix):], " ")
			continue
		}
		var w string
		w, text, _ = strings.Cut(text, " ")
		words = append(words, w)
	}
	return words
}

func emptyWorkspace(t testing.TB) *workspace.Workspace {
	t.Helper()
	w, err := workspace.New(t.TempDir(), "/home/u")
	if err != nil {
		t.Fatal(err)
	}
	return w
}
