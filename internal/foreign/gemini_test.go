package foreign_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/foreign"
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

var geminiFiles = []foreign.File{{Name: "home/.gemini/policies/mine.toml", Text: []byte(geminiPolicy)}}

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
	{"ask", "run_shell_command", "git status; make build", ""}, // the prefix ends at a blank
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
	{"ask", "run_shell_command", `bash -c "git status"`, ""},
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
	judge, err := foreign.Gemini.Judge(geminiFiles)
	if err != nil {
		t.Fatal(err)
	}
	made := imported(t, foreign.Gemini, geminiFiles...)
	if notes := messages(made); notes != "" {
		t.Errorf("notes:\n%s", notes)
	}
	agrees(t, made, judge, geminiRows)
	holds(t, made)
}

var _ = cmp.Diff
var _ = strings.Join
