package foreign_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/foreign"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/policytest"
)

// claudeWith returns a project's settings with rules in one list.
func claudeWith(t *testing.T, list string, rules ...string) foreign.File {
	t.Helper()
	text, err := json.Marshal(map[string]any{"permissions": map[string]any{list: rules}})
	if err != nil {
		t.Fatal(err)
	}
	return foreign.File{Name: ".claude/settings.json", Text: text}
}

// TestClaudeOddRules has rules that are for no tool of Claude Code's, or for no
// command: each is imported by itself, with a note, and its own table holds.
func TestClaudeOddRules(t *testing.T) {
	for _, list := range []string{"allow", "ask", "deny"} {
		for _, rule := range []string{
			"Shell", "Exec", "Terminal", "Fetch", "Create", "Delete", "apply_patch", "BASH", "edit", "BashTool", "external_directory", "eval",
			"Bash(time:*)", "Bash([[ -f x ]])", "Bash(((x++)))", "Bash(! *)", "Bash(!ls)", "Bash(-x)", "Bash(--help)", "Bash(2>&1)", "Bash(#comment)",
			"Bash(if:*)", "Bash({)", "Bash(()", "Bash(>x)", "mcp__a__", "mcp__", "mcp____x", "WebFetch(domain:日本.jp)", "Read(/)", "Read(./)", "Edit(/)", "Edit(//)",
		} {
			made := imported(t, foreign.Claude, claudeWith(t, list, rule))
			if want := ".claude/settings.json:1: " + rule + ": "; !strings.Contains(messages(made), want) {
				t.Errorf("%s %s: no note says what became of it: %s", list, rule, messages(made))
			}
			if list != "ask" {
				holds(t, made)
			}
		}
	}
}

// TestClaudeOddAnswers has what comes of odd rules, where Claude Code would consult
// them or not.
func TestClaudeOddAnswers(t *testing.T) {
	for _, tt := range []struct {
		list, rule string
		rows       []row
	}{
		{"allow", "Shell", []row{{"ask", "Bash", "make", ""}}},
		{"allow", "edit", []row{{"ask", "Edit", "a.go", ""}}},
		{"allow", "Fetch", []row{{"ask", "WebFetch", "https://a.example/", ""}}},
		{"allow", "external_directory", []row{{"ask", "Read", "/etc/hosts", ""}}},
		{"allow", "Bash(!ls)", []row{{"ask", "Bash", "!ls", ""}}},
		{"deny", "Bash(time:*)", []row{{"deny", "Bash", "time make", ""}, {"deny", "Bash", "ls; time git push", ""}, {"ask", "Bash", "make", ""}}},
		{"deny", "Bash(t*)", []row{{"deny", "Bash", "time ls", ""}, {"allow", "Bash", "ls", ""}}},
		{"deny", "Bash(* ls)", []row{{"deny", "Bash", "time ls", ""}, {"allow", "Bash", "ls", ""}}},
		{"deny", "Bash(! *)", []row{{"deny", "Bash", "! ls", ""}, {"allow", "Bash", "ls", ""}}},
		{"deny", "Bash(rm:*)", []row{
			{"deny", "Bash", "noglob rm -rf x", ""},
			{"deny", "Bash", "command noglob rm x", ""},
			{"deny", "Bash", "ls && noglob rm x", ""},
			{"deny", "Bash", "noglob timeout 5 rm x", ""},
			{"deny", "Bash", "A=1 noglob rm x", ""},
			{"deny", "Bash", "time rm x", ""},
			{"ask", "Bash", "noglob make", ""},
		}},
		{"ask", "Bash(git log:*)", []row{{"ask", "Bash", "time git log", ""}, {"allow", "Bash", "git status", ""}}},
		{"deny", "mcp__a__", []row{{"deny", "mcp__a__", "", ""}, {"ask", "mcp__b__x", "", ""}}},
		{"deny", "WebFetch(domain:日本.jp)", []row{{"deny", "WebFetch", "https://日本.jp/", ""}}},
	} {
		t.Run(tt.list+" "+tt.rule, func(t *testing.T) {
			file := claudeWith(t, tt.list, tt.rule)
			judge := judgeOf(t, foreign.Claude, []foreign.File{file})
			agrees(t, imported(t, foreign.Claude, file), judge, tt.rows)
		})
	}
}

// TestClaudeNoglobEverything has a rule that allows all commands: what removes much
// is asked for, behind noglob too.
func TestClaudeNoglobEverything(t *testing.T) {
	file := claudeWith(t, "allow", "Bash")
	judge := judgeOf(t, foreign.Claude, []foreign.File{file})
	agrees(t, imported(t, foreign.Claude, file), judge, []row{{"ask", "Bash", "noglob rm -r /", ""}, {"allow", "Bash", "noglob make", ""}})
}

// TestClaudeWorktrees has files below .claude/worktrees: they are like any others.
func TestClaudeWorktrees(t *testing.T) {
	file := claudeWith(t, "allow", "Edit(**)", "Edit(~/**)")
	judge := judgeOf(t, foreign.Claude, []foreign.File{file})
	var rows []row
	for name, action := range map[string]permission.Action{
		".claude/worktrees/x/a.go": "allow", ".claude/worktrees/x/.git/config": "ask", ".claude/worktrees/x/.vscode/tasks.json": "ask",
		".claude/worktrees/x/.husky/pre-commit": "ask", ".claude/worktrees/x/.bashrc": "ask", ".claude/settings.json": "ask",
		".claude/x/.claude/worktrees/a": "ask", "x/.kshrc": "ask", "x/.krc": "allow", "x/.config/git/config": "ask",
	} {
		rows = append(rows, row{action, "Edit", name, ""})
	}
	agrees(t, imported(t, foreign.Claude, file), judge, rows)
}

// TestClaudeHome has the user's settings named by where they lie.
func TestClaudeHome(t *testing.T) {
	for _, tt := range []struct {
		name, home, want string // for a.md in the workspace, and in ~/.claude
	}{
		{"/home/user/.claude/settings.json", ".claude/settings.json", "allow deny"},
		{".claude/settings.json", ".claude/settings.json", "allow deny"},
		{"/home/user/src/p/.claude/settings.json", "src/p/.claude/settings.json", "deny ask"},
		{"/home/user/.p/.claude/settings.json", ".p/.claude/settings.json", "deny ask"},
		{".claude/settings.json", "", "deny ask"},
	} {
		file := claudeWith(t, "deny", "Read(/a.md)")
		file.Name, file.Home = tt.name, tt.home
		g, err := newGuard(imported(t, foreign.Claude, file))
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(g.decide(t, given("Read", "file_path", "a.md")).Action, " ", g.decide(t, given("Read", "file_path", "~/.claude/a.md")).Action)
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	// The mode of a project is above the user's, in whatever order they are named.
	user := foreign.File{Name: ".claude/settings.json", Home: ".claude/settings.json", Text: []byte(`{"permissions": {"defaultMode": "acceptEdits"}}`)}
	project := foreign.File{Name: "p/.claude/settings.json", Home: "p/.claude/settings.json", Text: []byte(`{"permissions": {"defaultMode": "dontAsk"}}`)}
	for _, files := range [][]foreign.File{{user, project}, {project, user}} {
		judge := judgeOf(t, foreign.Claude, files)
		if got := judge(given("Edit", "file_path", "a.md")); got != permission.Deny {
			t.Errorf("the mode is that of the user: %s", got)
		}
	}
	local := foreign.File{Name: ".claude/settings.local.json", Home: ".claude/settings.local.json", Text: []byte(`{"permissions": {"allow": ["Edit(/a.md)"]}}`)}
	if _, err := foreign.Claude.Import([]foreign.File{local}); err == nil || !strings.Contains(err.Error(), "--scope") {
		t.Errorf("where / is in the local settings of the home: %v", err)
	}
}

// TestClaudeFolders has additional directories at the top, and the home.
func TestClaudeFolders(t *testing.T) {
	dir := written(t, imported(t, foreign.Claude, foreign.File{Name: ".claude/settings.json", Text: []byte(`{"permissions": {"additionalDirectories": ["~"]}}`)}))
	table := "settings settings.yaml\nallow Read ~/x\nask Read /etc/hosts\nask Edit ~/x\n"
	if err := os.WriteFile(filepath.Join(dir, "home.txt"), []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := policytest.Run(t.Context(), policytest.Options{Paths: []string{dir}, Run: "home"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range report.Cases {
		if c.Status != policytest.Pass {
			t.Errorf("%s: %s", c.Name, c.Message)
		}
	}
	holds(t, imported(t, foreign.Claude, foreign.File{Name: ".claude/settings.json", Text: []byte(`{"permissions": {"additionalDirectories": ["../.."]}}`)}))
}

// TestNotRecognised has files that are no agent's, or an agent's without rules.
func TestNotRecognised(t *testing.T) {
	for _, tt := range []struct {
		source           *foreign.Source
		name, text, want string
	}{
		{foreign.Claude, "package.json", `{"name": "x", "version": "1.0.0"}`, "package.json: has no permission rules of Claude Code: "},
		{foreign.Claude, "opencode.json", `{}`, "opencode.json: has no permission rules of Claude Code: "},
		{foreign.Claude, "x.json", ``, "x.json: has no permission rules of Claude Code: "},
		{foreign.Claude, ".claude/settings.json", `{"model": "opus"}`, "note: .claude/settings.json: has no permission rules, "},
		{foreign.Claude, ".claude/settings.json", `{"allowedTools": ["Bash(ls)"]}`, "note: .claude/settings.json:1: allowedTools: is left out: "},
		{foreign.Claude, ".claude/settings.json", `{"disallowedTools": ["Bash(ls)"]}`, "note: .claude/settings.json:1: disallowedTools: is left out: "},
		{foreign.Claude, ".claude/settings.json", "{\"permissions\": {\n// all\n\"allow\": [\"Bash\"]}}", ".claude/settings.json:2: there is a comment, for which Claude Code leaves out the whole file"},
		{foreign.Claude, ".claude/settings.json", "{\"permissions\": {\"allow\": [\"Bash\",\n]}}", ".claude/settings.json:1: there is a comma behind the last element, "},
		{foreign.Claude, ".claude/settings.json", "{\n\"a\": \"\xff\"}", ".claude/settings.json:2: the text is not UTF-8"},
		{foreign.Claude, ".claude/settings.json", `{"permissions": {"deny": ["Bash(` + strings.Repeat("a*", 2000) + `)"]}}`, ".claude/settings.json:1: a rule with 2000 stars "},
		{foreign.Claude, ".claude/settings.json", `{"permissions": {"deny": ["Bash(` + strings.Repeat("a", 5000) + `)"]}}`, ".claude/settings.json:1: a rule of 5006 bytes "},
		{foreign.Claude, ".claude/settings.json", `{"permissions": {"deny": ["Bash(a)"` + strings.Repeat(`,"Bash(a)"`, 5000) + `]}}`, ".claude/settings.json: more than 5000 rules"},
		{foreign.Claude, ".claude/settings.json", `{"permissions": {"deny": ["Read(a)"` + strings.Repeat(`,"Read(a)"`, 1000) + `]}}`, ".claude/settings.json: 1001 rules for files are more "},
		{foreign.Copilot, "package.json", `{"name": "x"}`, "package.json: has no permission rules of Copilot: "},
		{foreign.Copilot, "empty.json", ``, "empty.json: has no permission rules of Copilot: "},
		{foreign.Copilot, ".copilot/config.json", `{}`, "note: .copilot/config.json: has no permission rules, "},
		{foreign.Copilot, "config.json", `{"excludedTools": ["bash"]}`, "note: config.json:1: excludedTools: is left out: "},
		{foreign.Copilot, "config.json", `{"available_tools": ["bash"]}`, "note: config.json:1: available_tools: is left out: "},
		{foreign.Copilot, "config.json", `{"denyTools": ["bash"]}`, "note: config.json:1: denyTools: is left out: "},
		{foreign.Copilot, "a.sh", "copilot --deny-tools 'shell(rm)'\n", `note: a.sh:1: --deny-tools: is left out: Copilot has no such flag (did you mean "--deny-tool"?)`},
		{foreign.Copilot, "a.sh", "copilot --exclude-tools=bash\n", "note: a.sh:1: --exclude-tools: is left out: "},
		{foreign.Copilot, "a.sh", "alias c='copilot --allow-tool shell'\n", "note: a.sh:1: alias: is left out: "},
		{foreign.Copilot, "a.sh", "# \xff\ncopilot --allow-tool write\n", "a.sh:1: the text is not UTF-8"},
		{foreign.Cursor, "package.json", `{"name": "x"}`, "package.json: has no permission rules of Cursor: "},
		{foreign.Cursor, "x.json", ``, "x.json: has no permission rules of Cursor: "},
		{foreign.Cursor, ".cursor/cli.json", `{}`, "note: .cursor/cli.json: has no permission rules, "},
		{foreign.Cursor, "permissions.json", `{"terminalDenylist": ["rm"]}`, "note: permissions.json:1: terminalDenylist: is left out: "},
	} {
		made, err := tt.source.Import([]foreign.File{{Name: tt.name, Text: []byte(tt.text)}})
		got := fmt.Sprint(err)
		if err == nil {
			got = "note: " + messages(made)
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s %.80s:\ngot  %.200s\nwant %s", tt.name, tt.text, got, tt.want)
		}
	}
}

// TestManyStars has rules whose stars can be matched in very many ways. If each of
// them were tried, this test would not end.
func TestManyStars(t *testing.T) {
	stars, folders := strings.Repeat("a*", 60)+"b", strings.Repeat("**/", 30)+"b"
	holds(t, imported(t, foreign.Claude, claudeWith(t, "deny", "Read("+folders+")", "Edit("+stars+")", "Bash("+stars+")")))
	holds(t, imported(t, foreign.Cursor, foreign.File{Name: "cli.json", Text: []byte(`{"permissions": {"deny": ["Read(` + folders + `)", "Shell(` + stars + `)", "Shell(x:` + stars + `)"]}}`)}))
}
