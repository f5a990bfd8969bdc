package foreign_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/foreign"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// geminiPolicy has a rule of each kind that Gemini CLI's documentation has.
const geminiPolicy = `
# What I always let it do.
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git status", "git log", "npm run test", "cat", "say \"hi\""]
decision = "allow"
priority = 100

[[rule]]
toolName = "run_shell_command"
commandRegex = "make (build|test)\\b[^&]*"
decision = "allow"
priority = 110
allowRedirection = true

[[rule]]
toolName = "run_shell_command"
commandPrefix = "rm"
decision = "deny"
priority = 200
denyMessage = "use git rm"

[[rule]] # one that is higher still
toolName = "run_shell_command"
commandRegex = "rm (build|dist)\"$"
decision = "allow"
priority = 300

[[rule]]
toolName = "run_shell_command"
argsPattern = '"command":"rm (build|dist)"'
decision = "allow"
priority = 301

[[rule]]
toolName = "run_shell_command"
commandPrefix = "git log --all"
decision = "ask_user"
priority = 101

[[rule]]
toolName = ["write_file", "replace"]
argsPattern = '\x00"file_path":"(\./|)src/[^"]*"\x00'
decision = "allow"
priority = 10

[[rule]]
toolName = "read_file"
argsPattern = '"file_path":"[^"]*\.env"'
decision = "deny"
priority = 500

[[rule]]
mcpName = "github"
toolName = "get_issue"
decision = "allow"
priority = 20

[[rule]]
mcpName = "jira"
toolName = "*"
decision = "allow"
priority = 20

[[rule]]
toolName = "mcp_jira_delete"
decision = "deny"
priority = 21

[[rule]]
mcpName = "*"
toolName = "*"
decision = "ask_user"
priority = 1

[[rule]]
toolName = "codebase_investigator"
decision = "deny"
priority = 30

[[rule]]
toolName = "web_fetch"
decision = "allow"
priority = 5
interactive = true

[[rule]]
toolName = "google_web_search"
decision = "deny"
priority = 5
interactive = false
`

var geminiFiles = []foreign.File{{Name: "~/.gemini/policies/mine.toml", Text: []byte(geminiPolicy)}}

// geminiRows are what Gemini CLI answers by its documentation and its source, to
// geminiFiles.
var geminiRows = []row{
	// A prefix ends at a blank, a quote, or the end of the command.
	{"allow", "run_shell_command", "git status", ""},
	{"allow", "run_shell_command", "git status -s", ""},
	{"ask", "run_shell_command", "git statusx", ""},
	{"ask", "run_shell_command", "git", ""},
	{"ask", "run_shell_command", "git  status ", ""},
	{"allow", "run_shell_command", "npm run test -- --watch", ""},
	{"ask", "run_shell_command", "npm run tests", ""},
	{"allow", "run_shell_command", `say "hi" there`, ""},
	{"ask", "run_shell_command", `say "hi`, ""},
	{"ask", "run_shell_command", "sudo git log", ""},
	{"ask", "run_shell_command", "FOO=1 git log", ""},
	{"allow", "run_shell_command", "cat a.txt", ""},
	// The highest priority that matches decides.
	{"ask", "run_shell_command", "git log --all", ""},
	{"ask", "run_shell_command", "git log --all -p", ""},
	{"allow", "run_shell_command", "git log -p --all", ""},
	{"deny", "run_shell_command", "rm x", ""},
	{"deny", "run_shell_command", "rm -rf x", ""},
	{"allow", "run_shell_command", "rm build", ""},
	{"deny", "run_shell_command", "rm builds", ""},
	{"ask", "run_shell_command", "rmdir x", ""},
	// An expression is matched anywhere, behind "command": at once, and need not
	// reach the end.
	{"allow", "run_shell_command", "make build", ""},
	{"allow", "run_shell_command", "make test unit", ""},
	{"ask", "run_shell_command", "make builds", ""},
	{"ask", "run_shell_command", "make install", ""},
	{"ask", "run_shell_command", "cmake build", ""},
	// Each command of a line is asked for, and the strictest answer holds.
	{"allow", "run_shell_command", "git status && git log", ""},
	{"allow", "run_shell_command", "git log | cat", ""},
	{"allow", "run_shell_command", "git status ; make build", ""},
	{"ask", "run_shell_command", "git status && make install", ""},
	{"ask", "run_shell_command", "make install && git status", ""},
	{"deny", "run_shell_command", "git status && rm x", ""},
	{"deny", "run_shell_command", "git status\nrm x", ""},
	{"deny", "run_shell_command", "cat $(rm x)", ""},
	{"deny", "run_shell_command", "echo `rm x`", ""},
	{"ask", "run_shell_command", "(git status)", ""},
	{"ask", "run_shell_command", "if true; then git status; fi", ""},
	{"deny", "run_shell_command", "if true; then rm x; fi", ""},
	{"ask", "run_shell_command", "cat <(make)", ""},
	// What another shell is told to run is looked into; what others run is not.
	{"deny", "run_shell_command", `bash -c "rm x"`, ""},
	{"deny", "run_shell_command", `git status && sh -c 'git log; rm x'`, ""},
	{"ask", "run_shell_command", `bash -c "make build"`, ""},
	{"ask", "run_shell_command", "timeout 5 rm x", ""},
	{"ask", "run_shell_command", "xargs rm", ""},
	// What is redirected is asked for, unless the rule lets it be.
	{"ask", "run_shell_command", "git status > out", ""},
	{"ask", "run_shell_command", "cat < in", ""},
	{"ask", "run_shell_command", "git log 2>&1", ""},
	{"ask", "run_shell_command", "cat <<E\nx\nE", ""},
	{"allow", "run_shell_command", "make build > out", ""},
	{"allow", "run_shell_command", "git log --format='<%an>'", ""},
	{"deny", "run_shell_command", "rm x > out", ""},
	// What cannot be parsed is asked for.
	{"ask", "run_shell_command", "git status && (", ""},
	{"ask", "run_shell_command", "git log 'x", ""},
	{"ask", "run_shell_command", "FOO=1", ""},
	// Some commands that only read in the workspace need no rule.
	{"allow", "run_shell_command", "ls -la src", ""},
	{"allow", "run_shell_command", "git diff", ""},
	{"allow", "run_shell_command", "grep -n x a.txt", ""},
	{"ask", "run_shell_command", "ls /etc", ""},
	{"ask", "run_shell_command", "head ../x", ""},
	{"ask", "run_shell_command", "ls && make", ""},
	{"ask", "run_shell_command", "git diff --output=x", ""},
	{"ask", "run_shell_command", "git branch new", ""},
	{"ask", "run_shell_command", "find . -delete", ""},
	// Files.
	{"allow", "read_file", "a.txt", ""},
	{"deny", "read_file", ".env", ""},
	{"deny", "read_file", "deep/er/.env", ""},
	{"allow", "read_file", ".env.example", ""},
	{"allow", "list_directory", "src", ""},
	{"allow", "glob", `{"pattern": "**/*.go"}`, ""},
	{"allow", "grep_search", `{"pattern": "x"}`, ""},
	{"allow", "search_file_content", `{"pattern": "x"}`, ""},
	{"allow", "read_file", "/etc/hosts", "ask"}, // the tool itself refuses it
	{"allow", "write_file", `{"file_path": "src/a.go", "content": "x"}`, ""},
	{"allow", "replace", `{"file_path": "./src/a.go", "old_string": "x", "new_string": "y"}`, ""},
	{"ask", "write_file", `{"file_path": "a.go", "content": "x"}`, ""},
	{"ask", "write_file", `{"file_path": "lib/a.go", "content": "\"file_path\":\"src/a.go\""}`, ""},
	{"ask", "write_file", `{"file_path": "src/Makefile", "content": "x"}`, ""},
	{"ask", "write_file", `{"file_path": "src/package.json", "content": "x"}`, ""},
	// MCP servers.
	{"allow", "mcp_github_get_issue", `{"n": 1}`, ""},
	{"ask", "mcp_github_create_issue", `{"n": 1}`, ""},
	{"ask", "mcp_gitlab_get_issue", `{"n": 1}`, ""},
	{"allow", "mcp_jira_search", `{"q": "x"}`, ""},
	{"deny", "mcp_jira_delete", `{"q": "x"}`, ""},
	{"allow", "json", `{"tool": "mcp_jira_search", "input": {}, "mcp": {"server": "jira", "tool": "search"}}`, ""},
	{"ask", "json", `{"tool": "mcp_jira_search", "input": {}, "mcp": {"server": "jira_search", "tool": "x"}}`, ""},
	// Agents are tools, too.
	{"deny", "invoke_agent", `{"agent_name": "codebase_investigator", "prompt": "x"}`, ""},
	{"allow", "invoke_agent", `{"agent_name": "writer", "prompt": "x"}`, ""},
	// All else.
	{"allow", "web_fetch", "https://a.example/", ""},
	{"ask", "json", `{"tool": "web_fetch", "input": {"url": "https://a.example/"}, "interactive": false}`, ""},
	{"allow", "google_web_search", "permctl", ""},
	{"deny", "json", `{"tool": "google_web_search", "input": {"query": "x"}, "interactive": false}`, ""},
	{"ask", "activate_skill", `{"name": "x"}`, ""},
	{"ask", "write_todos", `{"todos": []}`, ""},
	{"deny", "exit_plan_mode", `{"plan_filename": "x"}`, ""},
	{"ask", "some_tool", `{}`, ""},
}

func TestGemini(t *testing.T) {
	judge := judgeOf(t, foreign.Gemini, geminiFiles)
	made := imported(t, foreign.Gemini, geminiFiles...)
	if notes := messages(made); notes != "" {
		t.Errorf("notes:\n%s", notes)
	}
	agrees(t, made, judge, geminiRows)
	holds(t, made)
}

// geminiSettings has each list of settings.
const geminiSettings = `{
	// What the tools may do.
	"tools": {
		"core": ["run_shell_command(git)", "run_shell_command(npm run)", "ShellTool(make)", "read_file", "write_file(x)", "mcp_known_search", "list_directory"],
		"allowed": ["run_shell_command(git status)", "replace"],
		"confirmationRequired": ["replace"],
		"exclude": ["list_directory", "run_shell_command(git push)", "glob"]
	},
	"mcp": {"allowed": ["free"], "excluded": ["bad"]},
	"mcpServers": {"mine": {"command": "x", "trust": true}, "bad": {"command": "x", "trust": true}, "other": {"command": "x"}},
	"general": {"defaultApprovalMode": "auto_edit"},
	"policyPaths": ["~/policies"]
}`

var geminiSettingsFiles = []foreign.File{{Name: ".gemini/settings.json", Text: []byte(geminiSettings)}}

// geminiSettingsRows are what Gemini CLI answers by settings. tools.allowed is
// above tools.core, and with a command in brackets, it is all that may run.
var geminiSettingsRows = []row{
	{"allow", "run_shell_command", "git status", ""},
	{"allow", "run_shell_command", "git status -s", ""},
	{"deny", "run_shell_command", "git log", ""},
	{"deny", "run_shell_command", "npm run test", ""},
	{"deny", "run_shell_command", "make", ""},
	{"deny", "run_shell_command", "ls", ""},
	{"deny", "run_shell_command", "git push", ""},
	{"deny", "run_shell_command", "git status && git push", ""},
	{"ask", "run_shell_command", "git status > x", ""},
	{"allow", "read_file", "a.txt", ""},
	{"allow", "write_file", `{"file_path": "y", "content": "z"}`, ""},
	{"ask", "replace", `{"file_path": "y", "old_string": "a", "new_string": "b"}`, ""},
	{"deny", "list_directory", "src", ""},
	{"deny", "glob", `{"pattern": "x"}`, ""},
	{"deny", "grep_search", `{"pattern": "x"}`, ""},
	{"deny", "web_fetch", "https://a.example/", ""},
	{"deny", "some_tool", "{}", ""},
	{"allow", "mcp_known_search", `{"x": 1}`, ""},
	{"deny", "mcp_known_write", `{"x": 1}`, ""},
	{"deny", "mcp_free_tool", `{"x": 1}`, ""}, // the server is below what tools.core leaves
	{"deny", "mcp_mine_tool", `{"x": 1}`, ""},
	{"deny", "mcp_bad_tool", `{"x": 1}`, ""},
	{"deny", "mcp_other_tool", `{"x": 1}`, ""},
}

func TestGeminiSettings(t *testing.T) {
	judge := judgeOf(t, foreign.Gemini, geminiSettingsFiles)
	made := imported(t, foreign.Gemini, geminiSettingsFiles...)
	agrees(t, made, judge, geminiSettingsRows)
	holds(t, made)
	want := strings.TrimLeft(`
.gemini/settings.json:4: write_file(x): allows write_file whatever it is given: Gemini CLI reads what is in brackets for run_shell_command alone
.gemini/settings.json:5: run_shell_command(git status): denies every other shell command: with a command in brackets, tools.allowed names all that may run
.gemini/settings.json:7: run_shell_command(git push): may hold for more than in Gemini CLI: Gemini CLI compares all of it with the names of tools, so that it never denied anything
.gemini/settings.json:11: defaultApprovalMode "auto_edit": is taken for default: Gemini CLI tells no hook its mode
.gemini/settings.json:12: policyPaths: is not followed: name the policy files in it to permctl import, the last with --scope FILE=managed if they are an administrator's
`, "\n")
	if diff := cmp.Diff(want, messages(made)); diff != "" {
		t.Error(diff)
	}
}

// geminiServers are settings by which MCP servers are trusted, without tools.core.
const geminiServers = `{"mcp": {"allowed": ["free"], "excluded": ["bad", "free2"]},
	"mcpServers": {"mine": {"trust": true}, "bad": {"trust": true}, "other": {}}, "tools": {"allowed": ["mcp_other_get"]}}`

var geminiServersRows = []row{
	{"allow", "mcp_free_tool", `{"x": 1}`, ""},
	{"allow", "mcp_mine_tool", `{"x": 1}`, ""},
	{"deny", "mcp_bad_tool", `{"x": 1}`, ""},
	{"deny", "mcp_free2_tool", `{"x": 1}`, ""},
	{"ask", "mcp_other_tool", `{"x": 1}`, ""},
	{"allow", "mcp_other_get", `{"x": 1}`, ""},
	{"ask", "mcp_free", `{"x": 1}`, ""},
	{"allow", "run_shell_command", "ls", ""},
	{"ask", "run_shell_command", "make", ""},
}

func TestGeminiServers(t *testing.T) {
	files := []foreign.File{{Name: "settings.json", Text: []byte(geminiServers)}}
	judge := judgeOf(t, foreign.Gemini, files)
	made := imported(t, foreign.Gemini, files...)
	agrees(t, made, judge, geminiServersRows)
	holds(t, made)
}

// geminiAll is a policy that allows every command but those that it denies.
const geminiAll = `
[[rule]]
toolName = "run_shell_command"
decision = "allow"
priority = 1
allowRedirection = true

[[rule]]
toolName = "run_shell_command"
commandRegex = "(git push|rm -[rf])[^&]*--?f"
decision = "deny"
priority = 2

[[rule]]
toolName = "run_shell_command"
argsPattern = "\\bmake\\s*\""
decision = "ask_user"
priority = 3
`

var geminiAllRows = []row{
	{"allow", "run_shell_command", "make install", ""},
	{"allow", "run_shell_command", "(cd x; npm i > log) &", ""},
	{"allow", "run_shell_command", "rm x", ""},
	{"ask", "run_shell_command", "rm -rf x", ""}, // a rule without an expression leaves some commands to a person
	{"ask", "run_shell_command", "find . -delete", ""},
	{"ask", "run_shell_command", "git branch new", ""},
	{"ask", "run_shell_command", "sudo rm -f x", ""},
	{"ask", "run_shell_command", "ln -s a b", ""},
	{"deny", "run_shell_command", "git push -f", ""},
	{"deny", "run_shell_command", "git push origin --force", ""},
	{"deny", "run_shell_command", "ls && git push -f", ""},
	{"deny", "run_shell_command", "bash -c 'git push -f'", ""},
	{"ask", "run_shell_command", "make", ""},
	{"ask", "run_shell_command", "make && ls", ""},
	{"ask", "run_shell_command", "git status 'x", ""},
	{"allow", "json", `{"tool": "run_shell_command", "input": {"command": "npm i", "dir_path": "sub"}}`, ""},
	{"ask", "json", `{"tool": "run_shell_command", "input": {"command": "npm i", "dir_path": "../x"}}`, ""},
	{"ask", "run_shell_command", "git -c x=y status && ls", ""},
	{"allow", "run_shell_command", "$CMD x", "ask"}, // what permctl cannot analyse
}

func TestGeminiAll(t *testing.T) {
	files := []foreign.File{{Name: "all.toml", Text: []byte(geminiAll)}}
	judge := judgeOf(t, foreign.Gemini, files)
	made := imported(t, foreign.Gemini, files...)
	agrees(t, made, judge, geminiAllRows)
	holds(t, made)
	if got, want := messages(made), "all.toml:2: run_shell_command: allows no command that permctl cannot analyse\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestGeminiTiers has the same rule in files of several tiers.
func TestGeminiTiers(t *testing.T) {
	rule := func(decision string, priority string) []byte {
		return []byte("[[rule]]\ntoolName = \"some_tool\"\ndecision = \"" + decision + "\"\npriority = " + priority + "\n")
	}
	for _, tt := range []struct {
		want  string
		files []foreign.File
	}{
		{"allow", []foreign.File{{Name: "a.toml", Text: rule("allow", "1")}}},
		{"deny", []foreign.File{{Name: "a.toml", Text: rule("allow", "1")}, {Name: "b.toml", Text: rule("deny", "2")}}},
		{"deny", []foreign.File{{Name: "a.toml", Text: rule("allow", "999")}, {Name: "/etc/gemini-cli/policies/b.toml", Text: rule("deny", "0")}}},
		{"allow", []foreign.File{{Name: "a.toml", Text: rule("deny", "999")}, {Name: "b.toml", Text: rule("allow", "0"), Scope: foreign.Managed}}},
		{"deny", []foreign.File{{Name: "a.toml", Text: rule("deny", "0"), Scope: foreign.User}, {Name: "b.toml", Text: rule("allow", "999"), Scope: foreign.Project}}},
		{"ask", []foreign.File{{Name: "b.toml", Text: rule("allow", "999"), Scope: foreign.Project}}},
		{"deny", []foreign.File{{Name: "a.toml", Text: rule("allow", "300")}, {Name: "settings.json", Text: []byte(`{"tools": {"exclude": ["some_tool"]}}`)}}},
		{"allow", []foreign.File{{Name: "a.toml", Text: rule("allow", "401")}, {Name: "settings.json", Text: []byte(`{"tools": {"exclude": ["some_tool"]}}`)}}},
		{"ask", []foreign.File{
			{Name: "settings.json", Text: []byte(`{"tools": {"allowed": ["some_tool"]}}`)}, {Name: "b/settings.json", Text: []byte(`{"tools": {"allowed": ["other_tool"]}}`)},
		}},
		{"deny", []foreign.File{
			{Name: "settings.json", Text: []byte(`{"excludeTools": ["some_tool"]}`)}, {Name: "b/settings.json", Text: []byte(`{"tools": {"exclude": ["other_tool"], "allowed": ["some_tool"]}}`)},
		}},
	} {
		actions, _ := answers(t, written(t, imported(t, foreign.Gemini, tt.files...)), []input.Call{given("some_tool", "x", "y")})
		if string(actions[0]) != tt.want {
			t.Errorf("%v: got %s, want %s", tt.files, actions[0], tt.want)
		}
	}
}

// TestGeminiEveryTool has a rule for every tool, whatever its name is.
func TestGeminiEveryTool(t *testing.T) {
	made := imported(t, foreign.Gemini, foreign.File{Name: "p.toml", Text: []byte("[[rule]]\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 1\n")})
	calls := []input.Call{given("read_file", "file_path", "a"), given("some_tool", "x", "y"), given("mcp_a_b", "x", "y"), given("a\nb", "x", "y"), given("run_shell_command", "command", "ls")}
	actions, _ := answers(t, written(t, made), calls)
	if diff := cmp.Diff([]permission.Action{deny, deny, deny, deny, deny}, actions); diff != "" {
		t.Error(diff)
	}
}

// TestGeminiNotes has every rule that cannot be carried over as it is: what allows
// is left out, and what asks or denies holds, and hides no stricter one below it.
func TestGeminiNotes(t *testing.T) {
	text := `[[rule]]
toolName = "a_tool"
decision = "allow"
priority = 9
modes = ["plan", "yolo"]
[[rule]]
toolName = "b_tool"
decision = "ask_user"
priority = 9
subagent = "x"
[[rule]]
toolName = "b_tool"
decision = "deny"
priority = 8
toolAnnotations = { readOnlyHint = true }
[[rule]]
toolName = "b_tool"
decision = "allow"
priority = 7
[[rule]]
toolName = "c_*"
decision = "deny"
priority = 9
[[rule]]
toolName = "d_tool"
decision = "deny"
priority = 9
argsPattern = "(?!x)y"
[[rule]]
toolName = "run_shell_command"
commandRegex = "(a+)+"
decision = "allow"
priority = 9
[[rule]]
mcpName = "*"
toolName = "e"
commandprefix = "x"
decision = "allow"
priority = 9
[[safety_checker]]
toolName = "e_tool"
[safety_checker.checker]
type = "in-process"
name = "allowed-path"
[[rule]]
toolName = "e_tool"
decision = "allow"
priority = 999
`
	made := imported(t, foreign.Gemini, foreign.File{Name: "p.toml", Text: []byte(text)})
	want := strings.TrimLeft(`
p.toml:1: a_tool: is left out: Gemini CLI tells no hook its mode, and it is taken for default
p.toml:6: b_tool: may hold for more than in Gemini CLI: Gemini CLI tells no hook which agent calls
p.toml:11: b_tool: may hold for more than in Gemini CLI: Gemini CLI tells no hook a tool's annotations
p.toml:20: c_*: may hold for more than in Gemini CLI: Gemini CLI itself knows a star only as *, mcp_* and mcp_SERVER_*
p.toml:24: d_tool: may hold for more than in Gemini CLI: it denies every call of d_tool, because its expression has the group (?!x, which RE2 does not have or JavaScript does not take: rewrite the expression without it, or leave the rule out
p.toml:29: run_shell_command: is left out: its expression is one that Gemini CLI does not take: it repeats what has repetitions
p.toml:34: mcp_*_e: is left out: Gemini CLI itself knows a star only as *, mcp_* and mcp_SERVER_*
p.toml:37: commandprefix: has no effect: Gemini CLI's rules have no such field (did you mean "commandPrefix"?)
p.toml:40: e_tool: may hold for more than in Gemini CLI: permctl runs no safety checkers
`, "\n")
	if diff := cmp.Diff(want, messages(made)); diff != "" {
		t.Error(diff)
	}
	names := []string{"a_tool", "b_tool", "c_tool", "d_tool", "mcp_x_e", "e_tool"}
	var calls []input.Call
	for _, name := range names {
		calls = append(calls, given(name, "x", "z"))
	}
	actions, _ := answers(t, written(t, made), calls)
	if diff := cmp.Diff([]permission.Action{ask, deny, deny, deny, ask, ask}, actions); diff != "" {
		t.Error(diff)
	}
}

func TestGeminiErrors(t *testing.T) {
	const rule = "[[rule]]\ntoolName = \"x\"\n"
	for text, want := range map[string]string{
		"[[rule]\n":           "p.toml:1: column 7: ",
		"x = 1\n":             "p.toml:1: x stands before the first [[rule]]: write [[rule]] before each rule",
		"[rule]\nx = 1\n":     "p.toml:1: [rule] is nothing that policies have: write [[rule]], with two brackets, before each rule",
		"[[rules]]\nx = 1\n":  `p.toml:1: [[rules]] is nothing that policies have (did you mean "rule"?): write [[rule]]`,
		rule + "priority = 1": "p.toml:1: the rule has no decision: give it allow, deny or ask_user",
		rule + "priority = 1\ndecision = \"alow\"":                                                                                   `p.toml:4: unknown decision "alow" (did you mean "allow"?): use allow, deny or ask_user`,
		rule + "decision = \"deny\"":                                                                                                 "p.toml:1: the rule has no priority: give it one from 0 to 999, of which the highest decides",
		rule + "decision = \"deny\"\npriority = 1000":                                                                                "p.toml:4: priority must be a whole number from 0 to 999",
		rule + "decision = \"deny\"\npriority = 1.5":                                                                                 "p.toml:4: priority must be a whole number from 0 to 999",
		rule + "decision = \"deny\"\npriority = 1\nmodes = [\"auto\"]":                                                               `p.toml:5: unknown mode "auto": use default, autoEdit, yolo or plan`,
		rule + "decision = \"deny\"\npriority = 1\ninteractive = \"x\"":                                                              "p.toml:5: interactive must be true or false",
		rule + "decision = \"deny\"\npriority = 1\nargsPattern = \"\"":                                                               "p.toml:5: argsPattern must not be empty: leave it out if it does not matter",
		rule + "decision = \"deny\"\npriority = 1\ncommandPrefix = \"x\"":                                                            `p.toml:1: commandPrefix and commandRegex need toolName = "run_shell_command"`,
		rule + "toolName = \"y\"":                                                                                                    "p.toml:3: column 1: ",
		"[[rule]]\ndecision = \"deny\"\npriority = 1":                                                                                "p.toml:1: the rule has no toolName: write the name of a tool, or * for all",
		"[[rule]]\ndecision = \"deny\"\npriority = 1\ntoolName = [\"\"]":                                                             "p.toml:4: toolName must not be empty",
		"[[rule]]\ndecision = \"deny\"\npriority = 1\ntoolName = 1":                                                                  "p.toml:4: toolName must be text, or a list of texts",
		"[[rule]]\ndecision = \"deny\"\npriority = 1\ntoolName = \"x\"\nmcpName = \"\"":                                              "p.toml:1: mcpName must not be empty",
		"[[rule]]\ntoolName = \"run_shell_command\"\ndecision = \"deny\"\npriority = 1\ncommandPrefix = \"x\"\ncommandRegex = \"y\"": "p.toml:1: only one of argsPattern, commandPrefix and commandRegex can be there: write a rule for each",
	} {
		_, err := foreign.Gemini.Import([]foreign.File{{Name: "p.toml", Text: []byte(text)}})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s:\ngot  %v\nwant %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"{\n  \"tools\": {,}\n}":                "settings.json: line 2, column 13",
		"[]":                                    "settings.json:1: settings are an object, and not of the kind array",
		"{\"tools\": {\n\"core\": \"x\"}}":      "settings.json:2: core must be a list of texts",
		"{\"tools\": {\"exclude\": [\n\n1]}}":   `settings.json:3: what is in exclude must be text, such as "run_shell_command(git status)"`,
		"{\"mcp\": {\"excluded\": {\"x\": 1}}}": "settings.json:1: mcp.excluded must be a list of texts",
	} {
		_, err := foreign.Gemini.Import([]foreign.File{{Name: "settings.json", Text: []byte(text)}})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s:\ngot  %v\nwant %s", text, err, want)
		}
	}
}

// TestGeminiPlaces has a rule that allows and one that denies in each place from
// which policies may come: what no scope says, the path does.
func TestGeminiPlaces(t *testing.T) {
	t.Setenv("HOME", "/home/user")
	text := []byte("[[rule]]\ntoolName = \"a_tool\"\ndecision = \"allow\"\npriority = 999\n[[rule]]\ntoolName = \"b_tool\"\ndecision = \"deny\"\npriority = 1\n")
	mine := foreign.File{Name: "/home/user/.gemini/policies/a.toml", Text: []byte("[[rule]]\ntoolName = \"b_tool\"\ndecision = \"allow\"\npriority = 5\n")}
	for _, tt := range []struct {
		name  string
		scope foreign.Scope
		want  []permission.Action // to a_tool, b_tool, and b_tool where mine allows it
		note  string
	}{
		{name: "/home/user/.gemini/policies/x.toml", want: []permission.Action{allow, deny, allow}},
		{name: "~/.gemini/policies/x.toml", want: []permission.Action{allow, deny, allow}},
		{name: ".gemini/policies/x.toml", want: []permission.Action{ask, deny, allow}, note: "is left out: Gemini CLI reads no policies of a project"},
		{name: "/home/user/work/.gemini/policies/x.toml", want: []permission.Action{ask, deny, allow}, note: "is left out: Gemini CLI reads no policies of a project"},
		{name: "/srv/work/.gemini/policies/x.toml", want: []permission.Action{ask, deny, allow}, note: "is left out: Gemini CLI reads no policies of a project"},
		{name: "work/.gemini/policies/x.toml", scope: foreign.User, want: []permission.Action{allow, deny, allow}},
		{name: "/home/user/.gemini/extensions/e/policies/x.toml", want: []permission.Action{ask, deny, allow}, note: "is left out: Gemini CLI lets no extension allow anything"},
		{name: "/etc/gemini-cli/policies/x.toml", want: []permission.Action{allow, deny, deny}},
		{name: "x.toml", want: []permission.Action{allow, deny, allow}}, // as with --policy
	} {
		f := foreign.File{Name: tt.name, Scope: tt.scope, Text: text}
		made := imported(t, foreign.Gemini, f)
		if notes := messages(made); !strings.Contains(notes, tt.note) {
			t.Errorf("%s: the notes lack %q:\n%s", tt.name, tt.note, notes)
		}
		calls := []input.Call{given("a_tool", "x", "y"), given("b_tool", "x", "y")}
		got, _ := answers(t, written(t, made), calls)
		behind, _ := answers(t, written(t, imported(t, foreign.Gemini, f, mine)), calls[1:])
		// A deny of which nobody knows whether it holds is not hidden by what is above it.
		if diff := cmp.Diff(tt.want, append(got, behind...)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// TestGeminiUnreadable has expressions that RE2 cannot say: a rule that denies with
// one denies everything, and the note says so and what to do.
func TestGeminiUnreadable(t *testing.T) {
	made := imported(t, foreign.Gemini, foreign.File{Name: "p.toml", Text: []byte("[[rule]]\ntoolName = \"run_shell_command\"\ncommandRegex = \"git (?!status)\"\ndecision = \"deny\"\npriority = 9\n")})
	want := "p.toml:1: run_shell_command: may hold for more than in Gemini CLI: it denies every shell command, because its expression has the group (?!s, which RE2 does not have or JavaScript does not take: rewrite the expression without it, or leave the rule out\n"
	if diff := cmp.Diff(want, messages(made)); diff != "" {
		t.Error(diff)
	}
}
