package install_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/permctl/permctl/internal/install"
)

// inUserFile are agents of whose files each has another form, and the file.
var inUserFile = []struct{ agent, file string }{
	{"claude", ".claude/settings.json"},
	{"codex", ".codex/hooks.json"},
	{"gemini", ".gemini/settings.json"},
	{"cursor", ".cursor/hooks.json"},
	{"copilot", ".copilot/hooks/permctl.json"},
	{"kiro", ".kiro/agents/ops.json"},
	{"windsurf", ".codeium/windsurf/hooks.json"},
	{"goose", ".agents/plugins/permctl/hooks/hooks.json"},
	{"factory", ".factory/hooks.json"},
	{"cline", "Documents/Cline/Hooks/PreToolUse"},
	{"opencode", ".config/opencode/plugins/permctl.js"},
}

// hostile are texts as editors, people and programs leave them.
var hostile = []string{
	"", " \n", "{}", "{}\n", "{ }", "{\n}\n", "\xef\xbb\xbf{\r\n\t\"a\": 1\r\n}\r\n", "{\r\n  \"hooks\": {}\r\n}", "{\"a\":1,}", "// c\n{} // d",
	"{\n  // c\n}", "{/*a*/\"b\"/*c*/:/*d*/1/*e*/,/*f*/}", "{\"hooks\":{\"PreToolUse\":[ ]}}", "{\"hooks\":{\"preToolUse\":[],\"PreToolUse\":[]}}",
	"{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"*\", \"hooks\": []}]}}", "{\"hooks\": {\"preToolUse\": [{\"command\": \"permctl hook cursor\"}]}}",
	"{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"/x/permctl hook claude\", \"async\": true}, {\"command\": \"b\"}]}]}}",
	"{\"hooks\": {\"pre_run_command\": [{\"command\": \"a\"},\n{\"command\": \"/y/permctl hook windsurf\"}, {\"command\": \"/x/permctl hook windsurf\"}]}}",
	"{\"version\": \"2\", \"hooks\": {}}", "{\"hooks\": {\"\": []}}", "{\"\\u0068ooks\": {}}", "[]", "null", "{\"a\": \"\\ud800\"}", strings.Repeat("[", 200),
	"{\"hooks\":\n\n\n{\n\n\"Stop\":[]\n\n}\n\n}\n\n\n", "\t{\t\"a\"\t:\t[\t]\t}\t",
}

// FuzzInstall holds an installation into any file to what it promises.
func FuzzInstall(f *testing.F) {
	for i, text := range hostile {
		f.Add(text, uint8(0))
		f.Add(text, uint8(2+i%2))               // with comments
		f.Add(text, uint8(4+i%len(inUserFile))) // and any other
	}
	paths, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			for i, at := range inUserFile {
				if at.agent == filepath.Base(filepath.Dir(path)) {
					f.Add(string(file.Data), uint8(i))
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		at := inUserFile[int(which)%len(inUserFile)]
		m := newMachine(t)
		m.keeps(find(t, at.agent), m.write("home/"+at.file, text), text)
	})
}

// keeps checks an installation into a file with a text: there is an error and nothing
// is written, or nothing of others is lost, it is whole, and can be taken back to the
// byte.
func (m machine) keeps(a *install.Agent, file, text string) {
	m.Helper()
	before := m.tree()
	foreign, _ := entries(m, a)
	out, err := install.Uninstall(a, install.User, m.places)
	hadOurs := err == nil && len(out.Changes) > 0
	plan, err := install.Install(a, install.User, m.places, program)
	if err != nil {
		if diff := cmp.Diff(before, m.tree()); diff != "" || len(m.kept()) != 0 {
			m.Fatalf("%v, and yet it has written %s %v", err, diff, m.kept())
		}
		return
	}
	m.apply(plan, nil)
	after, err := os.ReadFile(file)
	blank := strings.Trim(text, "\ufeff \t\r\n\f\v\u0085\u00a0") == ""
	if err != nil || !hadOurs && !blank && !subsequence(text, string(after)) {
		m.Errorf("of %q there is left %q, %v", text, after, err)
	}
	if still, ours := entries(m, a); !ours || !cmp.Equal(foreign, still) {
		m.Errorf("permctl is in %q: %t; others' hooks are %v, and were %v", after, ours, still, foreign)
	}
	if again := m.install(a, install.User); len(again.Changes) != 0 {
		m.Errorf("the second installation changes %q to %q", again.Changes[0].Before, again.Changes[0].After)
	}
	m.forgets(a, file, string(after))
	m.uninstall(a, install.User)
	if diff := cmp.Diff(before, m.tree()); diff != "" && !hadOurs {
		m.Errorf("install and uninstall (-before +after):\n%s", diff)
	}
	if still, ours := entries(m, a); ours || !cmp.Equal(foreign, still) {
		m.Errorf("in the end permctl is there: %t; others' hooks are %v, and were %v", ours, still, foreign)
	}
}

// forgets checks that without a record, too, uninstall would only take away from a
// file with a text.
func (m machine) forgets(a *install.Agent, file, text string) {
	m.Helper()
	places := m.places
	places.State = filepath.Join(m.dir, "other")
	plan, err := install.Uninstall(a, install.User, places)
	if err != nil {
		m.Fatal(err)
	}
	for _, change := range plan.Changes {
		if change.Path == file && !subsequence(string(change.After), text) {
			m.Errorf("without a record, uninstall makes %q of %q", change.After, text)
		}
	}
}

// entries returns the hooks of others that the agent finds for the events on which
// it waits, and whether there is one of permctl's.
func entries(m machine, a *install.Agent) (foreign []string, ours bool) {
	all, _ := install.Entries(a, m.places) // what cannot be read is refused
	for _, e := range all {
		if e.Ours {
			ours = true
			continue
		}
		foreign = append(foreign, strings.Join(append([]string{e.Event, e.Matcher, e.Shell}, e.Argv...), "\x00"))
	}
	slices.Sort(foreign)
	return foreign, ours
}

// subsequence reports whether a text is what is left of another without some of its
// bytes.
func subsequence(part, whole string) bool {
	for _, c := range []byte(part) {
		i := strings.IndexByte(whole, c)
		if i < 0 {
			return false
		}
		whole = whole[i+1:]
	}
	return true
}
