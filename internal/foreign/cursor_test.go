package foreign_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/foreign"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// cursorConfig has a rule of each kind that Cursor's documentation has.
const cursorConfig = `{
	"version": 1,
	"editor": {"vimMode": false},
	"permissions": {
		"allow": [
			"Shell(ls)",
			"Shell(git)",
			"Shell(npm:run *)",
			"Shell(curl:*)",
			"Shell(go*)",
			"Shell(make:build)",
			"Read(src/**/*.ts)",
			"Read(**/*.md)",
			"Read(.env*)",
			"Read(/opt/data/**)",
			"Write(src/**)",
			"Write(package.json)",
			"Write(docs/*.md)",
			"WebFetch(docs.github.com)",
			"WebFetch(*.example.com)",
			"Mcp(*:search)",
		],
		// Never.
		"deny": [
			"Shell(rm)",
			"Shell(git:push *)",
			"Read(.env.production)",
			"Read(secrets/**)",
			"Write(**/*.key)",
			"Write(src/gen/**)",
			"WebFetch(bad.example.com)",
			"Mcp(*:delete_*)",
		],
	},
}`

var cursorFiles = []foreign.File{{Name: "home/.cursor/cli-config.json", Text: []byte(cursorConfig)}}

// cursorMCP returns the call of an MCP server's tool.
func cursorMCP(server, tool string) string {
	return fmt.Sprintf(`{"tool": "MCP:%s", "input": {"x": 1}, "mcp": {"server": %q, "tool": %q}}`, tool, server, tool)
}

// cursorRows are what Cursor answers by its documentation, to cursorFiles.
var cursorRows = []row{
	// The first word of a command has to be that of a rule.
	{"allow", "Shell", "ls", ""},
	{"allow", "Shell", "ls -la src", ""},
	{"ask", "Shell", "lsof", ""},
	{"allow", "Shell", "git status", ""},
	{"allow", "Shell", "git commit -m 'a b'", ""},
	{"ask", "Shell", "make", ""},
	{"allow", "Shell", "make build", ""},
	{"ask", "Shell", "make build all", ""},
	{"ask", "Shell", "make install", ""},
	{"allow", "Shell", "npm run test", ""},
	{"ask", "Shell", "npm install", ""},
	{"ask", "Shell", "npm", ""},
	{"allow", "Shell", "curl https://a.example", ""},
	{"allow", "Shell", "gofmt -l x", ""},
	{"allow", "Shell", "go test ./...", ""},
	{"ask", "Shell", "/usr/bin/git status", ""},
	{"ask", "Shell", "FOO=1 git status", ""},
	{"ask", "Shell", "sudo git status", ""},
	{"ask", "Shell", "timeout 5 ls", ""},
	{"ask", "Shell", `"git" status`, ""},
	{"ask", "Shell", "cat a.txt", ""},
	// Denied is denied, whatever allows it.
	{"deny", "Shell", "rm x", ""},
	{"deny", "Shell", "rm", ""},
	{"ask", "Shell", "rmdir x", ""},
	{"deny", "Shell", "git push origin", ""},
	{"allow", "Shell", "git pull", ""},
	{"ask", "Shell", "sudo rm x", "deny"},       // permctl sees through it
	{"allow", "Shell", "git diff > out", "ask"}, // and has a rule for what is written
	{"allow", "Shell", "(git status)", "ask"},
	// Each command of a line has to be allowed.
	{"allow", "Shell", "git status && ls", ""},
	{"allow", "Shell", "git log | ls; ls", ""},
	{"ask", "Shell", "git status && make", ""},
	{"deny", "Shell", "ls; rm x", ""},
	{"deny", "Shell", "git log $(rm x)", ""},
	{"ask", "Shell", "$CMD x", ""},
	// Paths are globs from the workspace's root.
	{"allow", "Read", "src/a.ts", ""},
	{"allow", "Read", "src/deep/er/a.ts", ""},
	{"ask", "Read", "src/a.js", ""},
	{"ask", "Read", "lib/src/a.ts", ""},
	{"allow", "Read", "README.md", ""},
	{"allow", "Read", "a/b/c.md", ""},
	{"allow", "Read", ".env", ""},
	{"allow", "Read", ".env.local", ""},
	{"ask", "Read", "sub/.env", ""},
	{"deny", "Read", ".env.production", ""},
	{"deny", "Read", "secrets/a.md", ""},
	{"deny", "Read", "secrets/deep/a.md", ""},
	{"ask", "Read", "/etc/passwd", ""},
	{"allow", "Read", "/opt/data/x/y", ""},
	{"ask", "Read", "/opt/other", ""},
	{"ask", "Read", "../x.md", ""},
	{"allow", "Write", "src/a.ts", ""},
	{"allow", "Write", "src/deep/a", ""},
	{"ask", "Write", "src", ""},
	{"allow", "Write", "package.json", ""},
	{"ask", "Write", "sub/package.json", ""},
	{"allow", "Write", "docs/a.md", ""},
	{"ask", "Write", "docs/deep/a.md", ""},
	{"ask", "Write", "README.md", ""},
	{"deny", "Write", "src/x.key", ""},
	{"deny", "Write", "x.key", ""},
	{"deny", "Write", "src/gen/a.ts", ""},
	{"allow", "Delete", "src/a.ts", ""},
	// Hosts.
	{"allow", "WebFetch", "https://docs.github.com/x", ""},
	{"ask", "WebFetch", "https://github.com/x", ""},
	{"ask", "WebFetch", "https://docs.github.com.evil.example/", ""},
	{"allow", "WebFetch", "https://api.example.com/", ""},
	{"ask", "WebFetch", "https://example.com/", ""},
	{"deny", "WebFetch", "https://bad.example.com/", ""},
	// Servers' tools.
	{"allow", "json", cursorMCP("datadog", "search"), ""},
	{"allow", "json", cursorMCP("https://mcp.example", "search"), ""},
	{"ask", "json", cursorMCP("datadog", "searches"), ""},
	{"deny", "json", cursorMCP("datadog", "delete_all"), ""},
	// All else.
	{"ask", "Task", `{"subagent_type": "x"}`, ""},
	{"ask", "some_tool", "{}", ""},
}

func TestCursor(t *testing.T) {
	judge := judgeOf(t, foreign.Cursor, cursorFiles)
	made := imported(t, foreign.Cursor, cursorFiles...)
	if notes := messages(made); notes != "" {
		t.Errorf("notes:\n%s", notes)
	}
	agrees(t, made, judge, cursorRows)
	holds(t, made)
}

// TestCursorLists has the lists of permissions.json, and rules of which hooks do
// not tell whether they hold.
func TestCursorLists(t *testing.T) {
	files := []foreign.File{
		{Name: "permissions.json", Text: []byte(`{"terminalAllowlist": ["npm test", "git"], "mcpAllowlist": ["files:read", "*:list"], "autoRun": {"allow": ["reads"]}}`)},
		{Name: "cli.json", Text: []byte(`{"permissions": {"allow": ["Shell(**)", "Mcp(jira:*)"], "deny": ["Mcp(jira:drop)", "Shell(npm)"]}}`)},
	}
	judge := judgeOf(t, foreign.Cursor, files[:1])
	agrees(t, imported(t, foreign.Cursor, files[:1]...), judge, []row{
		{"allow", "Shell", "npm test", ""},
		{"allow", "Shell", "npm test unit", ""},
		{"ask", "Shell", "npm tests", ""},
		{"ask", "Shell", "npm", ""},
		{"allow", "Shell", "git push", ""},
		{"ask", "Shell", "gitk", ""},
		{"allow", "json", cursorMCP("files", "read"), ""},
		{"ask", "json", cursorMCP("node files.js", "read"), ""},
		{"ask", "json", cursorMCP("files", "write"), ""},
		{"allow", "json", cursorMCP("x", "list"), ""},
	})
	judge = judgeOf(t, foreign.Cursor, files)
	made := imported(t, foreign.Cursor, files...)
	agrees(t, made, judge, []row{
		{"allow", "Shell", "make install", ""},
		{"allow", "Shell", "(cd x && ./y)", ""},
		{"deny", "Shell", "npm test", ""},
		{"deny", "Shell", "make; npm test", ""},
		{"allow", "json", cursorMCP("jira", "get"), ""},
		{"deny", "json", cursorMCP("jira", "drop"), ""},
		{"ask", "json", cursorMCP("other", "drop"), "deny"},
	})
	want := strings.TrimLeft(`
permissions.json:1: autoRun: is left out: it is words for a model, and what no rule allows is asked
permissions.json:1: files:read: allows only where the server is named so: Cursor's hooks name it by its command or address, and its tools are asked then
cli.json:1: Mcp(jira:*): allows only where the server is named so: Cursor's hooks name it by its command or address, and its tools are asked then
cli.json:1: Mcp(jira:drop): holds for the tool of every server: Cursor's hooks do not say how a server is named
`, "\n")
	if diff := cmp.Diff(want, messages(made)); diff != "" {
		t.Error(diff)
	}
}

// TestCursorNotes has every rule that cannot be carried over as it is.
func TestCursorNotes(t *testing.T) {
	config := `{"permissions": {
"allow": [
"Shell(npm run)",
"Shell({a,b})",
"shell(ls)",
"Bash(ls)",
"Read(~/x)",
"Read(../x)",
"Write([ab].md)",
"WebFetch(https://a.example/)",
"Mcp(jira)"
],
"deny": [
"Shell(rm -rf)",
"Shell(x{a,b})",
"shell(dd)",
"Bash(x)",
"Write({a,b}.md)",
"WebFetch(https://a.example/)",
"Mcp(jira)"
]}}`
	files := []foreign.File{
		{Name: "a.json", Text: []byte(`{"permissions": {"allow": ["Shell(old)"], "deny": ["Shell(kept)"]}}`)},
		{Name: "b.json", Text: []byte(config)},
	}
	made := imported(t, foreign.Cursor, files...)
	want := strings.TrimLeft(`
a.json:1: Shell(old): is left out: the list in b.json takes the place of this one
b.json:3: Shell(npm run): is left out: a command's name has no blanks, and of wildcards only *, ** and ? are documented
b.json:4: Shell({a,b}): is left out: a command's name has no blanks, and of wildcards only *, ** and ? are documented
b.json:5: shell(ls): is left out: Cursor has no rules for shell (did you mean "Shell"?)
b.json:6: Bash(ls): is left out: Cursor has no rules for Bash
b.json:7: Read(~/x): is left out: of a path with ~, .. or other wildcards than *, ** and ?, Cursor's documentation does not say what it is
b.json:8: Read(../x): is left out: of a path with ~, .. or other wildcards than *, ** and ?, Cursor's documentation does not say what it is
b.json:9: Write([ab].md): is left out: of a path with ~, .. or other wildcards than *, ** and ?, Cursor's documentation does not say what it is
b.json:10: WebFetch(https://a.example/): is left out: no host is called so; write WebFetch(example.com)
b.json:11: Mcp(jira): is left out: write Mcp(SERVER:TOOL), with * for any
b.json:14: Shell(rm -rf): holds for every command rm: Cursor's rules name the first word of a command, and what is behind it may count for nothing; write Shell(rm:-rf*) for less
b.json:15: Shell(x{a,b}): holds for every command that begins so: a command's name has no blanks, and of wildcards only *, ** and ? are documented
b.json:16: shell(dd): is taken for one of Shell: Cursor itself may not consult it
b.json:17: Bash(x): is left out: Cursor has no rules for Bash
b.json:18: Write({a,b}.md): holds for every file: of a path with ~, .. or other wildcards than *, ** and ?, Cursor's documentation does not say what it is
b.json:19: WebFetch(https://a.example/): holds for every address: no host is called so; write WebFetch(example.com)
b.json:20: Mcp(jira): holds for every tool of every server: write Mcp(SERVER:TOOL), with * for any
`, "\n")
	if diff := cmp.Diff(want, messages(made)); diff != "" {
		t.Error(diff)
	}
	var calls []input.Call
	for _, line := range []string{"old", "kept", "ls", "npm run", "rm x", "dd", "xyz", "anything"} {
		calls = append(calls, given("Shell", "command", line))
	}
	calls = append(calls, given("Write", "file_path", "x"), given("Write", "file_path", "x\ny"), given("WebFetch", "url", "https://b.example/"), given("WebFetch", "url", "https:///x"), input.Call{Tool: "MCP:x", Input: map[string]any{}})
	actions, _ := answers(t, written(t, made), calls)
	if diff := cmp.Diff([]permission.Action{ask, deny, ask, ask, deny, deny, deny, ask, deny, deny, deny, deny, deny}, actions); diff != "" {
		t.Error(diff)
	}
}

func TestCursorErrors(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"permissions\": {,}\n}":         "cli.json: line 2, column 19",
		"[]":                                   "cli.json:1: settings are an object, and not of the kind array",
		"{\n\"permissions\": []}":              "cli.json:2: permissions must be an object with the lists allow and deny",
		"{\"permissions\": {\n\"denny\": []}}": `cli.json:2: permissions has no list denny (did you mean "deny"?): write allow or deny`,
		"{\"permissions\": {\n\"deny\": \"Shell(rm)\"}}": "cli.json:2: permissions.deny must be a list of texts",
		"{\"permissions\": {\"deny\": [\n\n1]}}":         "cli.json:3: what is in permissions.deny must be text",
		"{\"permissions\": {\"deny\": [\"Shell\"]}}":     `cli.json:1: "Shell" is no rule: write a tool, and what it is given in brackets, such as Shell(git)`,
		"{\"permissions\": {\"deny\": [\"Shell( )\"]}}":  `cli.json:1: "Shell( )" is no rule: write a tool, and what it is given in brackets, such as Shell(git)`,
		"{\"terminalAllowlist\": \"x\"}":                 "cli.json:1: terminalAllowlist must be a list of texts",
	} {
		_, err := foreign.Cursor.Import([]foreign.File{{Name: "cli.json", Text: []byte(text)}})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s:\ngot  %v\nwant %s", text, err, want)
		}
	}
}

// cursorCalls returns calls of Cursor's tools that are given a text.
func cursorCalls(text string) []input.Call {
	return []input.Call{
		given("Shell", "command", text), given("Read", "file_path", text), given("Write", "file_path", text), given("Delete", "file_path", text),
		given("Grep", "path", text), given("WebFetch", "url", text), given("WebFetch", "url", "https://"+text+"/"), given("some_tool", "x", text),
		{Tool: "MCP:" + text, Input: map[string]any{}, MCP: &input.MCP{Server: "server", Tool: text}},
		{Tool: "MCP:tool", Input: map[string]any{}, MCP: &input.MCP{Server: text, Tool: "tool"}},
	}
}

// randomCursor returns random rules.
func randomCursor(r *rand.Rand) string {
	rule := func() string {
		return random(r,
			"Shell("+random(r, "git", "ls", "rm", "*", "**", "g*", "?s", "git:push*", "git*:push", "make:*", "npm:run *", "/usr/bin/git", "./git", "git:** x", "cat", "FOO=1")+")",
			"Read("+random(r, "**", "src/**", "*", "**/*.go", "/etc/*", ".env", "*/a.go", "src", "/**", "**/a*b", "~/x")+")",
			"Write("+random(r, "**", "src/**", "*", "**/x", "/etc/**", "x", "a?b")+")",
			"WebFetch("+random(r, "*", "a*b", "*.example.com", "x")+")",
			"Mcp("+random(r, "*:*", "server:*", "*:x", "s*:g*", "*:tool")+")")
	}
	list := func() string {
		var rules []string
		for range r.IntN(5) {
			rules = append(rules, fmt.Sprintf("%q", rule()))
		}
		return "[" + strings.Join(rules, ", ") + "]"
	}
	return fmt.Sprintf(`{"permissions": {"allow": %s, "deny": %s}, "terminalAllowlist": [%q]}`, list(), list(), random(r, "git status", "ls", "rm x", "cat"))
}

func TestCursorNeverLooser(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 6 {
		var calls []input.Call
		for _, text := range randomTexts(r) {
			calls = append(calls, cursorCalls(text)...)
		}
		neverLooserFor(t, foreign.Cursor, []foreign.File{{Name: "cli.json", Text: []byte(randomCursor(r))}}, calls)
	}
}

func FuzzCursor(f *testing.F) {
	f.Add(cursorConfig, "git status")
	f.Add(`{"permissions": {"allow": ["Shell(git*:push)", "Read(**/a*)", "Mcp(*:x)"], "deny": ["Write(a?b)"]}}`, "git x push")
	f.Add(`{"terminalAllowlist": ["a b"], "mcpAllowlist": ["s:*"]}`, "a  b")
	f.Fuzz(func(t *testing.T, config, text string) {
		neverLooserFor(t, foreign.Cursor, []foreign.File{{Name: "cli.json", Text: []byte(config)}}, cursorCalls(text))
	})
}

// TestCursorTilde has a rule of which nobody says whether ~ is the home or a folder:
// it denies both, and nothing else.
func TestCursorTilde(t *testing.T) {
	files := []foreign.File{{Name: "cli.json", Text: []byte(`{"permissions": {"allow": ["Read(**)"], "deny": ["Read(~/.ssh/**)"]}}`)}}
	judge := judgeOf(t, foreign.Cursor, files)
	agrees(t, imported(t, foreign.Cursor, files...), judge, []row{
		{"deny", "Read", "/home/user/.ssh/id", ""}, {"deny", "Read", "/workspace/~/.ssh/id", ""}, {"allow", "Read", "a.go", ""}, {"ask", "Read", "/home/user/a", ""},
	})
}

// TestCursorOddRules has rules for what is no command, or for more than its name.
func TestCursorOddRules(t *testing.T) {
	for rule, rows := range map[string][]row{
		"Shell(time)":      {{"ask", "Shell", "time make", "deny"}, {"ask", "Shell", "make && time ls", "deny"}, {"ask", "Shell", "make", ""}},
		"Shell(if)":        {{"ask", "Shell", "make", ""}},
		"Shell(git push)":  {{"ask", "Shell", "git status", "deny"}, {"ask", "Shell", "gitk", ""}},
		"Shell(git:push*)": {{"deny", "Shell", "git push x", ""}, {"ask", "Shell", "git status", ""}},
	} {
		files := []foreign.File{{Name: "cli.json", Text: []byte(`{"permissions": {"deny": ["` + rule + `"]}}`)}}
		judge := judgeOf(t, foreign.Cursor, files)
		made := imported(t, foreign.Cursor, files...)
		agrees(t, made, judge, rows)
		holds(t, made)
	}
}
