package foreign_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/policytest"

	"github.com/permctl/permctl/internal/foreign"
)

const claudeUser = `{
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  "model": "opus",
  "permissions": {
    "allow": [
      "Bash(npm run test:*)",
      "Bash(ls*)",
      "Bash(git * main)",
      "Read(~/notes/**)",
      "Read(/agents/*.md)",
      "WebFetch(domain:*.github.com)",
      "WebFetch(domain:docs.*.example)",
      "mcp__github__get_*",
      "Skill(commit)",
      "Skill(review *)"
    ],
    "ask": ["Bash(git push *)"],
    "deny": ["Bash(rm -rf *)", "Read(//etc/shadow)", "WebFetch(domain:evil.github.com)", "Agent(deployer)", "mcp__github__get_secret"]
  },
  "hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "true"}]}]}
}`

const claudeProject = `{
  "permissions": {
    "allow": [
      "Bash(make build)",
      "Bash(echo \"a b\")",
      "Bash(* --version)",
      "Bash(sort *)",
      "Bash(FOO=1 run)",
      "Bash(cp *)", "Bash(rm *)", "Bash(find *)", "Bash(say what? *)",
      "Edit(src/**)",
      "Edit(/docs/*.md)",
      "Edit(.vscode/**)"
    ],
    "ask": ["Edit(src/gen/**)", "Bash(npm run test:slow*)"],
    "deny": ["Read(.env)", "Read(./secrets/**)", "Edit(lib/**)", "Bash(curl:*)", "Bash(run_in_background:true)"],
    "additionalDirectories": ["../shared"]
  }
}`

var claudeFiles = []foreign.File{
	{Name: "home/.claude/settings.json", Text: []byte(claudeUser), Scope: foreign.User},
	{Name: ".claude/settings.json", Text: []byte(claudeProject)},
}

// claudeRows are what Claude Code answers by its documentation, to claudeFiles.
var claudeRows = []row{
	// A prefix ends at a word, and with the whole text.
	{"allow", "Bash", "npm run test", ""},
	{"allow", "Bash", "npm run test unit --watch", ""},
	{"ask", "Bash", "npm run tests", ""},
	{"ask", "Bash", "npm run", ""},
	{"ask", "Bash", "npm run test:slow", ""},
	{"allow", "Bash", "make build", ""},
	{"ask", "Bash", "make build all", ""},
	{"ask", "Bash", "make", ""},
	// Without a blank before it, a star goes on within the word.
	{"allow", "Bash", "ls -la", ""},
	{"allow", "Bash", "lsof -i", ""},
	{"allow", "Bash", "lsblk", ""},
	// A star in the middle, or at the beginning.
	{"allow", "Bash", "git checkout main", ""},
	{"allow", "Bash", "git merge --no-ff main", ""},
	{"ask", "Bash", "git commit -m 'back to main'", ""},
	{"ask", "Bash", "git checkout mainline", ""},
	{"ask", "Bash", "git push origin main", ""},
	{"allow", "Bash", "cargo --version", ""},
	{"ask", "Bash", "cargo --version --verbose", ""},
	{"allow", "Bash", `echo "a b"`, ""},
	// Each command of a line counts by itself.
	{"allow", "Bash", "make build && npm run test", ""},
	{"ask", "Bash", "make build && make install", ""},
	{"ask", "Bash", "make build; wget x", ""},
	{"ask", "Bash", "make build | tee log", ""},
	{"ask", "Bash", "make build\nmake install", ""},
	{"deny", "Bash", "make build && rm -rf build", ""},
	{"ask", "Bash", "make build || git push", ""},
	{"deny", "Bash", "ls & curl x", ""},
	{"ask", "Bash", "(make build)", ""},
	{"ask", "Bash", "for x in a; do make build; done", ""},
	{"ask", "Bash", "make build # all", ""},
	// Some wrappers are seen through.
	{"allow", "Bash", "timeout 5 make build", ""},
	{"allow", "Bash", "nohup make build", ""},
	{"allow", "Bash", "nice -n 5 make build", ""},
	{"ask", "Bash", "timeout 5 make install", ""},
	{"ask", "Bash", "env make build", ""},
	{"ask", "Bash", "npx make build", ""},
	{"ask", "Bash", "bash -c 'make build'", ""},
	{"ask", "Bash", "setsid make build", ""},
	{"ask", "Bash", "xargs -n1 make build", ""},
	{"deny", "Bash", "timeout 5 rm -rf x", ""},
	{"deny", "Bash", "nohup curl https://a.example", ""},
	// Variables set for a command.
	{"allow", "Bash", "NODE_ENV=test npm run test", ""},
	{"ask", "Bash", "FOO=1 npm run test", ""},
	{"ask", "Bash", "LD_PRELOAD=./x.so make build", ""},
	{"ask", "Bash", "FOO=1", ""},
	{"deny", "Bash", "FOO=1 curl x", ""},
	{"allow", "Bash", "FOO=1 run", ""},
	{"ask", "Bash", "FOO=2 run", ""},
	{"ask", "Bash", "run", ""},
	// Programs by their paths, and options before subcommands, are other texts.
	{"ask", "Bash", "/usr/bin/make build", ""},
	{"ask", "Bash", "git -C x status", ""},
	// What only reads is free.
	{"allow", "Bash", "cat a.txt | head -3", ""},
	{"allow", "Bash", "git status", ""},
	{"allow", "Bash", "git log --oneline", ""},
	{"ask", "Bash", "cat /etc/passwd", ""},
	{"ask", "Bash", "cd sub && git status", ""},
	// A file that a command writes is an edit.
	{"ask", "Bash", "make build > log", ""},
	{"allow", "Bash", "make build > src/log", ""},
	{"allow", "Bash", "make build > /dev/null", ""},
	{"ask", "Bash", "make build > src/gen/log", ""},
	{"deny", "Bash", "make build > lib/log", ""},
	{"deny", "Bash", "make build > .env", ""},
	{"deny", "Bash", "cat .env", ""},
	{"deny", "Bash", "head -1 secrets/key", ""},
	// What no prefix allows, and what is always asked.
	{"allow", "Bash", "cp a.txt b.txt", ""},
	{"ask", "Bash", "find . -delete", ""},
	{"ask", "Bash", "find . -name x -exec cp {} y ;", ""},
	{"allow", "Bash", "rm a.txt", ""},
	{"ask", "Bash", "rm -r /", ""},
	{"ask", "Bash", "rm -r .", ""},
	{"ask", "Bash", "rm -r ~", ""},
	{"ask", "Bash", `rm -r "$DIR"/*`, ""},
	{"allow", "Bash", "say what? now", ""},
	{"ask", "Bash", "say whats now", ""},
	{"allow", "Bash", "sort -o x y", "ask"}, // a hazard: it writes a file
	{"deny", "json", `{"tool": "Bash", "input": {"command": "make build", "run_in_background": true}}`, ""},
	{"allow", "json", `{"tool": "Bash", "input": {"command": "make build", "run_in_background": false}}`, ""},
	// Files.
	{"allow", "Read", "a.go", ""},
	{"deny", "Read", ".env", ""},
	{"deny", "Read", "deep/er/.env", ""},
	{"deny", "Edit", ".env", ""},
	{"allow", "Read", ".env.example", ""},
	{"ask", "NotebookEdit", `{"notebook_path": ".env"}`, ""},
	{"deny", "Read", "secrets/a/b", ""},
	{"deny", "Read", "deep/secrets/a", ""},
	{"deny", "Grep", `{"pattern": "x", "path": "secrets/a"}`, ""},
	{"allow", "Grep", "x", ""},
	{"allow", "Glob", "*.go", ""},
	{"ask", "Read", "/etc/hosts", ""},
	{"deny", "Read", "/etc/shadow", ""},
	{"allow", "Read", "~/notes/a/b.md", ""},
	{"ask", "Read", "~/other.md", ""},
	{"allow", "Read", "~/.claude/agents/a.md", ""},
	{"ask", "Read", "~/.claude/agents/b/a.md", ""},
	{"ask", "Edit", "~/notes/a.md", ""},
	{"allow", "Read", "../shared/a.go", ""},
	{"ask", "Edit", "../shared/a.go", ""},
	{"ask", "Read", "../sharedx/a.go", ""},
	{"allow", "Edit", "src/a/b.go", ""},
	{"allow", "Write", "src/a/b.go", ""},
	{"allow", "NotebookEdit", `{"notebook_path": "src/a.ipynb"}`, ""},
	{"ask", "Edit", "deep/src/a.go", ""},
	{"ask", "Edit", "src/gen/a.go", ""},
	{"deny", "Edit", "lib/a.go", ""},
	{"deny", "Edit", "deep/lib/a.go", ""},
	{"allow", "Edit", "docs/a.md", ""},
	{"ask", "Edit", "docs/a/b.md", ""},
	{"ask", "Edit", "src/.git/config", ""},
	{"ask", "Edit", ".vscode/settings.json", ""},
	{"ask", "Edit", "a.go", ""},
	// Addresses.
	{"allow", "WebFetch", "https://api.github.com/x", ""},
	{"allow", "WebFetch", "https://a.b.github.com/x", ""},
	{"allow", "WebFetch", "https://API.GitHub.com/x", ""},
	{"ask", "WebFetch", "https://github.com/x", ""},
	{"ask", "WebFetch", "https://api.github.com.evil.example/", ""},
	{"ask", "WebFetch", "https://evilgithub.com/", ""},
	{"deny", "WebFetch", "https://evil.github.com/", ""},
	{"allow", "WebFetch", "https://docs.a.example/", ""},
	{"ask", "WebFetch", "https://docs.a.b.example/", ""},
	// All else.
	{"allow", "mcp__github__get_issue", "", ""},
	{"ask", "mcp__github__create_issue", "", ""},
	{"ask", "mcp__githubx__get_issue", "", ""},
	{"deny", "mcp__github__get_secret", "", ""},
	{"allow", "Skill", "commit", ""},
	{"ask", "json", `{"tool": "Skill", "input": {"skill": "commit", "args": "all"}}`, ""},
	{"allow", "json", `{"tool": "Skill", "input": {"skill": "review", "args": "all"}}`, ""},
	{"ask", "Skill", "reviewer", ""},
	{"allow", "Agent", "Explore", ""},
	{"deny", "Agent", "deployer", ""},
	{"ask", "WebSearch", "permctl", ""},
	{"ask", "SomeTool", "", ""},
}

func TestClaude(t *testing.T) {
	judge := judgeOf(t, foreign.Claude, claudeFiles)
	made := imported(t, foreign.Claude, claudeFiles...)
	agrees(t, made, judge, claudeRows)
	holds(t, made)
}

// TestClaudeMode compares what is answered to calls that no rule speaks of, and to
// one that a rule asks for.
func TestClaudeMode(t *testing.T) {
	for mode, want := range map[string]string{
		"default":           "a.go:ask .git/config:ask ../x:ask make:ask push:ask ls:allow WebSearch:ask",
		"acceptEdits":       "a.go:allow .git/config:ask ../x:ask make:ask push:ask ls:allow WebSearch:ask",
		"dontAsk":           "a.go:deny .git/config:deny ../x:deny make:deny push:deny ls:allow WebSearch:deny",
		"plan":              "a.go:ask .git/config:ask ../x:ask make:ask push:ask ls:allow WebSearch:ask",
		"auto":              "a.go:ask .git/config:ask ../x:ask make:ask push:ask ls:allow WebSearch:ask",
		"bypassPermissions": "a.go:ask .git/config:ask ../x:ask make:ask push:ask ls:allow WebSearch:ask",
		"other":             "a.go:ask .git/config:ask ../x:ask make:ask push:ask ls:allow WebSearch:ask",
	} {
		text := `{"permissions": {"ask": ["Bash(git push *)"], "allow": ["Bash(git push)"], "defaultMode": "` + mode + `"}}`
		made := imported(t, foreign.Claude, foreign.File{Name: ".claude/settings.json", Text: []byte(text)})
		names := []string{"a.go", ".git/config", "../x", "make", "push", "ls", "WebSearch"}
		calls := []input.Call{
			given("Edit", "file_path", "a.go"), given("Edit", "file_path", ".git/config"), given("Edit", "file_path", "../x"),
			given("Bash", "command", "make"), given("Bash", "command", "git push"), given("Bash", "command", "ls"), given("WebSearch", "query", "x"),
		}
		actions, _ := answers(t, written(t, made), calls)
		var got []string
		for i, name := range names {
			got = append(got, name+":"+string(actions[i]))
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("mode %s:\ngot  %s\nwant %s", mode, got, want)
		}
	}
}

func given(tool, key, value string) input.Call {
	return input.Call{Tool: tool, Input: map[string]any{key: value}}
}

// TestClaudeLinks has links in the workspace: to allow, a rule has to be for the
// link and for what it leads to; to deny, for either.
func TestClaudeLinks(t *testing.T) {
	dir := written(t, imported(t, foreign.Claude, foreign.File{Name: ".claude/settings.json", Text: []byte(`{"permissions": {
		"allow": ["Edit(src/**)", "Read(//opt/**)"], "deny": ["Read(secrets/**)"], "defaultMode": "default"}}`)}))
	table := `settings settings.yaml
file src/real
file lib/real
file secrets/key
link src/in -> real
link src/out -> ../lib/real
link notes -> secrets/key
link passwd -> /etc/passwd
allow Edit src/real
allow Edit src/in
ask   Edit src/out
deny  Read notes
deny  Bash cat notes
ask   Read passwd
`
	if err := os.WriteFile(filepath.Join(dir, "links.txt"), []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := policytest.Run(t.Context(), policytest.Options{Paths: []string{dir}, Run: "links"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range report.Cases {
		if c.Status != policytest.Pass {
			t.Errorf("%s: %s", c.Name, c.Message)
		}
	}
}

// TestClaudeNotes has every rule that cannot be carried over as it is.
func TestClaudeNotes(t *testing.T) {
	text := `{
  "permissions": {
    "allow": [
      "PowerShell(Get-ChildItem *)",
      "bash(ls)",
      "Read(!x)", "Edit([a-z].go)", "Write(src/**)", "Glob(src/**)",
      "WebFetch(https://a.example/*)", "WebSearch(x)", "mcp__*", "mcp__s__a?", "mcp__s(x)", "mcp__",
      "Bash(make && make install)", "Bash(timeout:5)", "Bash(:*)", "Monitor(ls)", "Cd(src)", "Skill(x y)", "Agent(x*)", "Nothing(x)", "*"
    ],
    "deny": [
      "bash(rm *)", "Edit([a-z].go)", "WebFetch(domain:a b)", "PowerShell(Remove-Item:*)",
      "Bash(curl * | sh)", "Cd(~/x)", "Skill(x y)"
    ],
    "denny": ["Bash(x)"],
    "disableBypassPermissionsMode": "disable",
    "additionalDirectories": ["a/../../b", "~/../c"]
  },
  "sandbox": {"enabled": true, "autoAllowBashIfSandboxed": true},
  "deniedMcpServers": [{"serverName": "x"}],
  "disableAllHooks": true
}`
	want := strings.TrimLeft(`
.claude/settings.json:4: PowerShell(Get-ChildItem *): is left out, and its calls are asked: permctl does not read PowerShell
.claude/settings.json:5: bash(ls): is left out, for Claude Code never consults it: it has no tool bash (did you mean "Bash"?)
.claude/settings.json:6: Read(!x): is left out: it holds what may be read in two ways; write it with * and ** alone
.claude/settings.json:6: Edit([a-z].go): is left out: it holds what may be read in two ways; write it with * and ** alone
.claude/settings.json:6: Write(src/**): is left out, for Claude Code never consults it: write Edit(src/**), which holds for all tools that change files
.claude/settings.json:6: Glob(src/**): is left out, for Claude Code never consults it: write Read(src/**), which holds for all tools that read files
.claude/settings.json:7: WebFetch(https://a.example/*): is left out, for Claude Code never consults it: write WebFetch(domain:HOST)
.claude/settings.json:7: WebSearch(x): is left out, for Claude Code never consults it: WebSearch is given nothing in brackets
.claude/settings.json:7: mcp__*: is left out, for Claude Code never consults it: one that allows may have wildcards only behind mcp__SERVER__
.claude/settings.json:7: mcp__s__a?: is left out: ? stands for itself there, and for any character in permctl's rules; name the tools
.claude/settings.json:7: mcp__s(x): is left out, for Claude Code never consults it: a tool of an MCP server is given nothing in brackets but (field:value), to ask or deny
.claude/settings.json:7: mcp__: is left out, for Claude Code never consults it: it names no server or no tool: write mcp__SERVER or mcp__SERVER__TOOL
.claude/settings.json:8: Bash(make && make install): is left out, for Claude Code never consults it: each command of a line is matched by itself; write a rule for each of them
.claude/settings.json:8: Bash(timeout:5): is left out, for Claude Code never consults it: a rule for a field of the input may only ask or deny
.claude/settings.json:8: Bash(:*): is left out: write Bash to allow every command
.claude/settings.json:8: Monitor(ls): is left out, for Claude Code never consults it: write Bash(ls), which holds for Monitor too
.claude/settings.json:8: Cd(src): is left out, and every cd and pushd is asked: with such a rule, Claude Code allows no other folder
.claude/settings.json:8: Skill(x y): is left out, and asked: write Skill(NAME) or Skill(NAME *)
.claude/settings.json:8: Agent(x*): is left out, for permctl's rules read * and ? in it; Claude Code asks for no agent that no rule speaks of
.claude/settings.json:8: Nothing(x): is left out, for Claude Code never consults it: it has no tool Nothing
.claude/settings.json:8: *: is left out, for Claude Code never consults it: one that allows may have wildcards only behind mcp__SERVER__
.claude/settings.json:11: bash(rm *): is taken for one of Bash: Claude Code has no tool bash, and would not consult it
.claude/settings.json:11: Edit([a-z].go): holds for all files: it holds what may be read in two ways; write it with * and ** alone
.claude/settings.json:11: WebFetch(domain:a b): holds for every address: no host is called so; write WebFetch(domain:example.com), and a name in other letters as it is asked for, xn--…
.claude/settings.json:11: PowerShell(Remove-Item:*): holds wherever a text for PowerShell has the words, for permctl does not read it; an alias such as gci is not seen, and asked like all PowerShell
.claude/settings.json:12: Bash(curl * | sh): holds for a line that is just so: Claude Code matches each command by itself, and would not consult it; write a rule for each of them
.claude/settings.json:12: Cd(~/x): holds for every cd and pushd, to whatever folder
.claude/settings.json:12: Skill(x y): holds for the skill whatever it is given
.claude/settings.json:14: permissions.denny: is left out: it is no list of permissions that is known (did you mean "deny"?)
.claude/settings.json:15: permissions.disableBypassPermissionsMode: stays in Claude Code's settings: it is about Claude Code's own modes, and permctl knows none that allows everything
.claude/settings.json:16: additionalDirectories ~/../c: is left out, and what is in it is asked as an external_directory: write a folder that is not /, and without .. but at the beginning of a path from the project
.claude/settings.json:18: sandbox: stays in Claude Code's settings, which goes on to keep commands in it; what it lets run without asking for being in it, permctl asks for
.claude/settings.json:19: deniedMcpServers: stays in Claude Code's settings, which goes on to start no such server
.claude/settings.json:20: disableAllHooks: has to go: with it, Claude Code runs no hook, and asks permctl for nothing
`, "\n")
	if diff := cmp.Diff(want, messages(imported(t, foreign.Claude, foreign.File{Name: ".claude/settings.json", Text: []byte(text)}))); diff != "" {
		t.Error(diff)
	}
}

func TestClaudeErrors(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"permissions\": {,}\n}": ".claude/settings.json: line 2, column 19",
		`[]`:                           ".claude/settings.json:1: settings are an object, and not of the kind array",
		"{\n\"permissions\": []}":      ".claude/settings.json:2: permissions must be an object with the lists allow, ask and deny",
		"{\"permissions\": {\n\"deny\": \"Bash(rm *)\"}}":               ".claude/settings.json:2: permissions.deny must be a list of rules",
		"{\"permissions\": {\"deny\": [\n1]}}":                          `.claude/settings.json:2: a rule of permissions.deny must be text, such as "Bash(git status)"`,
		"{\"permissions\": {\"deny\": [\n\n\"Bash(rm *\"]}}":            `.claude/settings.json:3: "Bash(rm *" is no rule: write a tool, or a tool and what it is given in brackets, such as Bash(git status)`,
		"{\"permissions\": {\"deny\": [\"Bash()\"]}}":                   `.claude/settings.json:1: "Bash()" is no rule: write a tool, or a tool and what it is given in brackets, such as Bash(git status)`,
		"{\"permissions\": {\"deny\": [\"\"]}}":                         `.claude/settings.json:1: "" is no rule: write a tool, or a tool and what it is given in brackets, such as Bash(git status)`,
		"{\"permissions\": {\"defaultMode\": true}}":                    ".claude/settings.json:1: permissions.defaultMode must be the name of a mode",
		"{\"permissions\": {\"additionalDirectories\": \"x\"}}":         ".claude/settings.json:1: permissions.additionalDirectories must be a list of folders",
		"{\"permissions\": {\"additionalDirectories\": [\"x\", \"\"]}}": ".claude/settings.json:1: a folder of permissions.additionalDirectories must be a path",
		"{\"permissions\": {}, \"permissions\": {}}":                    `.claude/settings.json: line 1: the key "permissions" is there twice`,
	} {
		made, err := foreign.Claude.Import([]foreign.File{{Name: ".claude/settings.json", Text: []byte(text)}})
		if err == nil || !strings.HasPrefix(err.Error(), want) || made != nil {
			t.Errorf("%s:\ngot  %v\nwant %s", text, err, want)
		}
	}
}

// TestClaudeScope has a pattern that begins where its file's scope says.
func TestClaudeScope(t *testing.T) {
	text := []byte(`{"permissions": {"allow": ["Edit(/a.md)"], "deny": ["Edit(/b.md)"]}}`)
	for _, tt := range []struct {
		file foreign.File
		want string // for a.md and b.md in the workspace, and in ~/.claude
	}{
		{foreign.File{Name: ".claude/settings.json"}, "allow deny ask ask"},
		{foreign.File{Name: ".claude/settings.local.json"}, "allow deny ask ask"},
		{foreign.File{Name: `C:\project\.claude\settings.json`}, "allow deny ask ask"},
		{foreign.File{Name: "x.json", Scope: foreign.Project}, "allow deny ask ask"},
		{foreign.File{Name: "/home/ann/.claude/settings.json", Scope: foreign.User}, "ask ask ask deny"},
		{foreign.File{Name: "/etc/claude-code/managed-settings.json"}, "ask deny ask deny"},
	} {
		tt.file.Text = text
		actions, _ := answers(t, written(t, imported(t, foreign.Claude, tt.file)), []input.Call{
			given("Edit", "file_path", "a.md"), given("Edit", "file_path", "b.md"),
			given("Edit", "file_path", "~/.claude/a.md"), given("Edit", "file_path", "~/.claude/b.md"),
		})
		var got []string
		for _, a := range actions {
			got = append(got, string(a))
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.file.Name, got, tt.want)
		}
	}
	_, err := foreign.Claude.Import([]foreign.File{{Name: "x.json", Text: text}})
	if err == nil || !strings.Contains(err.Error(), "x.json:1: Edit(/a.md): ") || !strings.Contains(err.Error(), "--scope x.json=project") {
		t.Errorf("a file whose scope nobody knows: %v", err)
	}
}

// TestClaudePrecedence has several files: the mode is that of the highest, in
// whatever order they are named, and the lists of all of them hold.
func TestClaudePrecedence(t *testing.T) {
	file := func(name, mode, rules string) foreign.File {
		return foreign.File{Name: name, Text: []byte(`{"permissions": {"defaultMode": "` + mode + `", ` + rules + `}}`)}
	}
	user := foreign.File{Name: "home/.claude/settings.json", Scope: foreign.User, Text: []byte(`{"permissions": {"defaultMode": "dontAsk", "allow": ["Bash(make)"], "deny": ["Bash(rm *)"]}}`)}
	project := file(".claude/settings.json", "default", `"allow": ["Bash(rm x)", "Bash(go *)"]`)
	local := file(".claude/settings.local.json", "acceptEdits", `"ask": ["Bash(go run *)"]`)
	managed := file("managed-settings.json", "dontAsk", `"deny": ["Bash(go vet)"]`)
	for _, tt := range []struct {
		files []foreign.File
		want  string
	}{
		{[]foreign.File{user}, "allow deny deny deny deny deny"},
		{[]foreign.File{user, project}, "allow deny allow allow allow ask"},
		{[]foreign.File{local, project, user}, "allow deny ask allow allow allow"},
		{[]foreign.File{managed, local, project, user}, "allow deny deny deny allow deny"},
	} {
		judge := judgeOf(t, foreign.Claude, tt.files)
		want := strings.Fields(tt.want)
		var rows []row
		for i, call := range []row{{tool: "Bash", argument: "make"}, {tool: "Bash", argument: "rm x"}, {tool: "Bash", argument: "go run ."}, {tool: "Bash", argument: "go vet"}, {tool: "Bash", argument: "go test"}, {tool: "Edit", argument: "a.go"}} {
			call.action = permission.Action(want[i])
			rows = append(rows, call)
		}
		agrees(t, imported(t, foreign.Claude, tt.files...), judge, rows)
	}
}

// TestClaudeManagedOnly has a managed setting that no other file may allow past.
func TestClaudeManagedOnly(t *testing.T) {
	made := imported(t, foreign.Claude,
		foreign.File{Name: "managed-settings.json", Text: []byte(`{"allowManagedPermissionRulesOnly": true, "permissions": {"allow": ["Bash(make)"]}}`)},
		foreign.File{Name: ".claude/settings.json", Text: []byte(`{"permissions": {"allow": ["Bash(curl)"], "deny": ["Bash(rm)"]}}`)})
	actions, _ := answers(t, written(t, made), []input.Call{given("Bash", "command", "make"), given("Bash", "command", "curl"), given("Bash", "command", "rm")})
	if diff := cmp.Diff([]permission.Action{permission.Allow, permission.Ask, permission.Deny}, actions); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(messages(made), ".claude/settings.json:1: Bash(curl): is left out") {
		t.Error(messages(made))
	}
}
