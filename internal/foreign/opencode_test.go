package foreign_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/foreign"
	"github.com/permctl/permctl/internal/permission"
)

const (
	allow = permission.Allow
	ask   = permission.Ask
	deny  = permission.Deny
)

// openCodeConfig has a rule of each kind that opencode's documentation has.
const openCodeConfig = `{
	// A tool that is switched off, in the old way.
	"tools": {"websearch": false},
	"permission": {
		"bash": {
			"*": "ask",
			"git status *": "allow",
			"git log*": "allow",
			"ls": "allow",
			"go test *": "allow",
			"git push *": "deny",
			"git push --dry-run *": "ask",
			"npm *": "deny",
			"npm run ?est": "ask",
			"grep *": "allow",
			"* --version": "allow",
		},
		"edit": {"*": "deny", "src/*": "allow", "src/*.lock": "deny", "*.md": "ask"},
		"read": {"*secret*": "deny", "docs/*": "ask", "docs/index.md": "allow"},
		"grep": {"*": "allow", "*password*": "deny"},
		"glob": {"*": "allow", "*.pem": "ask"},
		"external_directory": {"~/notes/*": "allow", "/srv/*": "deny", "/srv/shared/*": "allow"},
		"webfetch": "ask",
		"task": {"*": "ask", "explore": "allow", "general": "deny"},
		"skill": {"internal-*": "deny"},
		"todowrite": "deny",
		"github_*": "ask",
		"github_get_*": "allow",
		"github_get_secret": "deny",
	},
	"agent": {
		"reviewer": {"permission": {"edit": "deny", "bash": {"*": "deny", "git diff *": "allow", "git log": "ask"}}},
	},
}`

func openCodeFiles(texts ...string) []foreign.File {
	var files []foreign.File
	for _, text := range texts {
		files = append(files, foreign.File{Name: "opencode.jsonc", Text: []byte(text)})
	}
	return files
}

func TestOpenCode(t *testing.T) {
	same(t, foreign.OpenCode, openCodeFiles(openCodeConfig), "", []verdict{
		// The last pattern that matches the text of a command decides.
		{allow, "bash", "git status"},
		{allow, "bash", "git status -s"},
		{ask, "bash", "git stash"},
		{allow, "bash", "git log --oneline"},
		{allow, "bash", "ls"},
		{ask, "bash", "ls -la"},
		{allow, "bash", "go test ./..."},
		{ask, "bash", "go vet ./..."},
		{deny, "bash", "git push"},
		{deny, "bash", "git push origin main"},
		{ask, "bash", "git push --dry-run origin"},
		{deny, "bash", "npm install"},
		{ask, "bash", "npm run test"},
		{deny, "bash", "npm run tests"},
		{ask, "bash", "make"},
		{allow, "bash", "make --version"},
		{allow, "bash", "grep -n x a.go"},
		// Each command of a line is asked for; the strictest answer holds.
		{allow, "bash", "git status && git log"},
		{ask, "bash", "git status && make"},
		{deny, "bash", "make; git push"},
		// No rule is asked about a change of directory within the workspace.
		{allow, "bash", "cd src && git status"},
		{ask, "bash", "cd src && make"},
		{ask, "bash", "cd /opt && git status"},
		{allow, "bash", "git log | grep x"},
		{deny, "bash", "echo $(git push)"},
		// The text is the command's own: what stands before or around it counts.
		{ask, "bash", "FOO=1 git status"},
		{ask, "bash", "timeout 5 git status"},
		{ask, "bash", "git -C sub status"},
		{ask, "bash", `git  status`},
		{ask, "bash", `git "status"`},
		{ask, "bash", "command git status"},
		{ask, "bash", `sh -c "git status"`},
		// Paths are relative to the worktree.
		{allow, "read", `{"filePath": "main.go"}`},
		{allow, "read", `{"filePath": "/workspace/main.go"}`},
		{deny, "read", `{"filePath": "a/secret.txt"}`},
		{ask, "read", `{"filePath": "docs/a.md"}`},
		{allow, "read", `{"filePath": "docs/index.md"}`},
		{deny, "edit", `{"filePath": "main.go"}`},
		{allow, "edit", `{"filePath": "src/a/b.go"}`},
		{deny, "edit", `{"filePath": "src/a.lock"}`},
		{ask, "write", `{"filePath": "src/README.md"}`},
		{ask, "write", `{"filePath": "README.md"}`},
		// By default, .env files are asked for, and their examples are not.
		{ask, "read", `{"filePath": ".env"}`},
		{ask, "read", `{"filePath": "sub/prod.env"}`},
		{ask, "read", `{"filePath": ".env.local"}`},
		{allow, "read", `{"filePath": ".env.example"}`},
		{allow, "read", `{"filePath": ".envrc"}`},
		// So are folders outside, by the folder of the file.
		{ask, "read", `{"filePath": "/opt/a.txt"}`},
		{allow, "read", `{"filePath": "/home/user/notes/a.txt"}`},
		{allow, "read", `{"filePath": "/home/user/notes/b/a.txt"}`},
		{deny, "read", `{"filePath": "/srv/a.txt"}`},
		{allow, "read", `{"filePath": "/srv/shared/a.txt"}`},
		{allow, "read", `{"filePath": "/tmp/opencode/a.txt"}`},
		// Searches are matched by what is searched for.
		{allow, "grep", `{"pattern": "func"}`},
		{deny, "grep", `{"pattern": "the password is", "path": "src"}`},
		{allow, "glob", `{"pattern": "**/*.go"}`},
		{ask, "glob", `{"pattern": "**/*.pem"}`},
		// Other tools.
		{ask, "webfetch", "https://example.com/"},
		{deny, "websearch", "weather"},
		{ask, "task", `{"subagent_type": "writer"}`},
		{allow, "task", `{"subagent_type": "explore"}`},
		{deny, "task", `{"subagent_type": "general"}`},
		{deny, "skill", `{"name": "internal-deploy"}`},
		{allow, "skill", `{"name": "pdf"}`},
		{deny, "todowrite", "{}"},
		{ask, "github_create_issue", "{}"},
		{allow, "github_get_issue", "{}"},
		{deny, "github_get_secret", "{}"},
		{allow, "jira_search", "{}"},
	})
}

// TestOpenCodeAgent has the rules of one agent, which come behind all others.
func TestOpenCodeAgent(t *testing.T) {
	same(t, foreign.OpenCode, openCodeFiles(openCodeConfig), "reviewer", []verdict{
		{deny, "bash", "git status"},
		{allow, "bash", "git diff main"},
		{ask, "bash", "git log"},
		{deny, "bash", "git log -p"}, // permctl's own reading of the ask would be looser
		{deny, "bash", "git -C sub log"},
		{deny, "edit", `{"filePath": "src/a.go"}`},
		{allow, "read", `{"filePath": "main.go"}`},
		{deny, "read", `{"filePath": "a/secret.txt"}`},
	})
}

// TestOpenCodeFiles has what several files say together, as opencode 1.18.33 shows
// it with debug config and debug agent.
func TestOpenCodeFiles(t *testing.T) {
	files := openCodeFiles(`{
		"tools": {"webfetch": false, "edit": true, "patch": false},
		"permission": {"bash": {"ls *": "allow"}, "*": "deny", "read": "allow"},
		"mode": {"m": {"permission": {"bash": "deny"}}},
		"agent": {
			"m": {"permission": {"edit": "ask", "bash": "ask"}},
			"x": {"permission": {"bash": {"make *": "deny"}, "edit": {"a": "deny"}}},
			"y": {"permission": "deny"}
		}
	}`, `{
		"tools": {"read": false, "bash": true},
		"permission": "ask",
		"mode": {"m": {"permission": {"edit": "allow"}}},
		"agent": {
			"m": {"permission": {"edit": "deny", "bash": "allow"}},
			"x": {"tools": {"bash": true, "write": true}, "permission": {"bash": {"go *": "allow"}}},
			"y": {"permission": {"bash": "allow"}}
		}
	}`)
	for agent, verdicts := range map[string][]verdict{
		// A text is a rule for * at the place that it has already, and a switch never
		// changes what a permission says in whatever file.
		"": {{ask, "bash", "ls"}, {ask, "webfetch", "https://example.com/"}, {ask, "read", "a.go"}, {ask, "edit", `{"filePath": "a"}`}},
		// What mode says comes last, also if another file says it.
		"m": {{deny, "bash", "ls"}, {deny, "bash", "cd src"}, {allow, "edit", `{"filePath": "a"}`}},
		// In one file, permissions replace the switch of a tool; over files, they are merged.
		"x": {{deny, "bash", "make"}, {allow, "bash", "go test"}, {allow, "edit", `{"filePath": "a"}`}},
		"y": {{allow, "bash", "ls"}, {allow, "bash", "cd src"}, {deny, "edit", `{"filePath": "a"}`}},
	} {
		same(t, foreign.OpenCode, files, agent, verdicts)
	}
}

// TestOpenCodeOwnAgents has the agents that opencode has without any file.
func TestOpenCodeOwnAgents(t *testing.T) {
	for config, answers := range map[string]map[string][]verdict{
		`{"permission": {"bash": "ask"}}`: {
			"plan": {
				{deny, "edit", `{"filePath": "a.go"}`},
				{allow, "read", `{"filePath": "a.go"}`},
				{ask, "bash", "make"},
				{deny, "task", `{"subagent_type": "general"}`},
				{allow, "task", `{"subagent_type": "explore"}`},
			},
			"general": {{deny, "todowrite", "{}"}, {allow, "edit", `{"filePath": "a.go"}`}},
			"explore": {{deny, "edit", `{"filePath": "a.go"}`}, {allow, "grep", `{"pattern": "x"}`}, {deny, "skill", `{"name": "x"}`}, {ask, "bash", "make"}},
		},
		// Any rule of a file comes behind what an agent has of its own.
		`{"permission": {"edit": {"*": "ask", "docs/*": "allow"}}, "agent": {"plan": {"permission": {"edit": {"src/*": "deny"}}}}}`: {
			"plan": {{ask, "edit", `{"filePath": "a.go"}`}, {allow, "edit", `{"filePath": "docs/a.md"}`}, {deny, "edit", `{"filePath": "src/a.go"}`}},
		},
	} {
		for agent, verdicts := range answers {
			same(t, foreign.OpenCode, openCodeFiles(config), agent, verdicts)
		}
	}
}

// TestOpenCodeHere has here-documents, which are part of the text of the command
// that they are for.
func TestOpenCodeHere(t *testing.T) {
	same(t, foreign.OpenCode, openCodeFiles(`{"permission": {"bash": {
		"*": "ask", "tool *": "allow", "*DROP TABLE*": "deny", "cat *": "allow", "cat <<X*": "ask", "tee <<EOF": "allow", "sh <<E*x\\nE": "allow"}}}`), "", []verdict{
		{allow, "bash", "tool <<EOF\nSELECT 1\nEOF"},
		{deny, "bash", "tool <<EOF\nDROP TABLE x\nEOF"},
		{deny, "bash", "tool <<'EOF' -q\nDROP TABLE x\nEOF"},
		{deny, "bash", "tool <<-\"EOF\"\n\tDROP TABLE x\n\tEOF"},
		{deny, "bash", "tool <<\\EOF\nDROP TABLE x\nEOF"},
		{deny, "bash", "tool <<EOF && cat a.txt\nDROP TABLE x\nEOF"},
		{deny, "bash", "tool <<A <<B\nSELECT 1\nA\nDROP TABLE x\nB"},
		{deny, "bash", "cat <<EOF\nä\nEOF\ntool <<EOF\nDROP TABLE x\nEOF"},
		{ask, "bash", "cat <<X\ny\nX"},
		{allow, "bash", "tool <<EOF\nSELECT 1\nEOF\ncat a.txt"},
		{ask, "bash", "tee <<EOF\nx\nEOF"}, // the rule names no body
		{allow, "bash", "cat a.txt <<<DROP"},
	})
	// What is behind it is another command's.
	same(t, foreign.OpenCode, openCodeFiles(`{"permission": {"bash": {"*": "allow", "cat*rm*": "deny"}}}`), "", []verdict{
		{allow, "bash", "cat <<EOF\nx\nEOF\nrm y"},
		{deny, "bash", "cat <<EOF\nrm\nEOF\nls"},
	})
}

// timed are lines in which the shell itself takes a word for a keyword, and agents
// take it for a program.
var timed = []string{"time git push", "time -p git push", "time  git push", "time -- git push", "ls && time git push", "ls | time git push", "! time git push", "if time git push; then ls; fi", "(time git push)", "ä; time git push", "time (git push)", "time time git push"}

// TestTime has the keyword time, which opencode and Codex take for a program, and
// which may be one for senpi.
func TestTime(t *testing.T) {
	verdicts := func(want permission.Action) (made []verdict) {
		for _, line := range timed {
			made = append(made, verdict{want, "bash", line})
		}
		return made
	}
	for _, tt := range []struct {
		source *foreign.Source
		name   string
		text   string
		want   permission.Action
	}{
		{foreign.OpenCode, "opencode.json", `{"permission": {"bash": {"*": "ask", "git *": "allow", "ls": "allow", "echo *": "allow"}}}`, ask},
		{foreign.OpenCode, "opencode.json", `{"permission": {"bash": {"*": "allow", "time *": "deny"}}}`, deny},
		{foreign.OpenCode, "opencode.json", `{"permission": {"bash": {"*": "ask", "time *": "allow", "git *": "allow", "ls": "allow", "ä": "allow"}}}`, allow},
		{foreign.Senpi, "settings.json", `{"permission": {"bash": {"*": "ask", "git push": "allow", "ls": "allow"}}}`, ask},
		{foreign.Senpi, "settings.json", `{"permission": {"bash": {"*": "allow", "time": "deny"}}}`, deny},
	} {
		same(t, tt.source, []foreign.File{{Name: tt.name, Text: []byte(tt.text)}}, "", verdicts(tt.want))
	}
	made := imported(t, foreign.OpenCode, openCodeFiles(`{"permission": {"bash": {"*": "allow", "time *": "deny"}}}`)...)
	g, err := newGuard(made)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]permission.Action{"time cd src": deny, "cd src": allow} {
		if d := g.decide(t, given("bash", "command", line)); d.Action != want {
			t.Errorf("%s: permctl says %s, want %s", line, d.Action, want)
		}
	}
	files := codexFiles(`prefix_rule(["time"], "forbidden")`, "sandbox_mode = \"danger-full-access\"\napproval_policy = \"never\"")
	same(t, foreign.Codex, files, "", verdicts(deny))
	same(t, foreign.Codex, codexFiles(`prefix_rule(["time"], "prompt")`, "sandbox_mode = \"danger-full-access\"\napproval_policy = \"on-request\""), "", verdicts(ask))
}

// TestTooMany has more rules than anybody can read.
func TestTooMany(t *testing.T) {
	var patterns, policies strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&patterns, "\"c%d *\": \"allow\",\n", i)
		fmt.Fprintf(&policies, "[[rule]]\ntoolName = \"t%d\"\ndecision = \"allow\"\npriority = 1\n", i)
	}
	rules := `{"permission": {"bash": {` + patterns.String() + "}}}"
	for _, tt := range []struct {
		source     *foreign.Source
		name, text string
		line       int
	}{
		{foreign.OpenCode, "opencode.json", rules, 1001},
		{foreign.OpenCode, "opencode.json", `{"agent": {"a": ` + rules + "}}", 1001},
		{foreign.Senpi, "settings.json", rules, 1000},
		{foreign.Gemini, "x.toml", policies.String(), 4001},
	} {
		want := fmt.Sprintf("%s:%d: more than 1000 rules in all, each counted with its alternatives: nobody can read so many; leave out those that others cover", tt.name, tt.line)
		if _, err := tt.source.Import([]foreign.File{{Name: tt.name, Text: []byte(tt.text)}}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", tt.source.Name, err, want)
		}
	}
}

// TestNotRules has files that hold no rules where they are looked for, all of which
// would otherwise allow everything in silence.
func TestNotRules(t *testing.T) {
	for _, tt := range []struct {
		source     *foreign.Source
		text, want string
	}{
		{foreign.OpenCode, `[]`, "x.json:1: the file must be an object, and is array"},
		{foreign.Senpi, `["a"]`, "x.json:1: the file must be an object, and is array"},
		{foreign.OpenCode, `"deny"`, "x.json:1: the file must be an object, and is string"},
		{foreign.OpenCode, "{\n\"permision\": {\"bash\": \"deny\"}}", `x.json:2: opencode has no rules below permision (did you mean "permission"?): they stand below permission, agent, mode, tools`},
		{foreign.OpenCode, `{"Permission": "deny"}`, "x.json:1: opencode has no rules below Permission"},
		{foreign.OpenCode, `{"agents": {"a": {"permission": "deny"}}}`, "x.json:1: opencode has no rules below agents"},
		{foreign.OpenCode, `{"permissions": {"deny": ["Bash"]}}`, "x.json:1: opencode has no rules below permissions"},
		{foreign.OpenCode, `{"agent": {"build": {"permissions": {"bash": "deny"}}}}`, "x.json:1: an agent of opencode has no rules below permissions"},
		{foreign.OpenCode, `{"agent": {"build": {"tool": {"bash": false}}}}`, "x.json:1: an agent of opencode has no rules below tool "},
		{foreign.OpenCode, `{"mode": {"build": {"permision": "deny"}}}`, "x.json:1: an agent of opencode has no rules below permision "},
		{foreign.OpenCode, `{"agent": {"build": ["bash"]}}`, "x.json:1: agent.build must be an object, and is array"},
		{foreign.OpenCode, `{"agent": ["build"]}`, "x.json:1: agent must be an object, and is array"},
		{foreign.OpenCode, `{"tools": ["bash"]}`, "x.json:1: tools must be an object, and is array"},
		{foreign.OpenCode, `{"agent": {"build": {"tools": ["bash"]}}}`, "x.json:1: tools must be an object, and is array"},
		{foreign.OpenCode, `{"tools": {"exclude": ["bash"]}}`, "x.json:1: tools.exclude must be true or false"},
		{foreign.Senpi, `{"permissions": {"deny": ["Bash(rm *)"]}}`, `x.json:1: senpi has no rules below permissions (did you mean "permission"?): they stand below permission, permissionPreset`},
		{foreign.Senpi, `{"permission": {"bash": "allow"}, "permisionPreset": "ask"}`, "x.json:1: senpi has no rules below permisionPreset"},
		{foreign.Senpi, `{"terminalAllowlist": ["git"]}`, "x.json:1: senpi has no rules below terminalAllowlist"},
		{foreign.Gemini, `{"permissions": {"deny": ["Bash(rm *)"]}}`, "x.json:1: permissions is nothing that Gemini CLI's settings have"},
	} {
		if _, err := tt.source.Import([]foreign.File{{Name: "x.json", Text: []byte(tt.text)}}); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s %s:\ngot  %v\nwant %s", tt.source.Name, tt.text, err, tt.want)
		}
	}
	for text, source := range map[string]*foreign.Source{
		`{}`: foreign.OpenCode, `{"permission": {}}`: foreign.OpenCode, `{"model": "a/b", "agent": {"a": {"prompt": "x"}}}`: foreign.OpenCode, `{"theme": "x"}`: foreign.Senpi,
	} {
		made := imported(t, source, foreign.File{Name: "x.json", Text: []byte(text)})
		if notes := messages(made); !strings.HasPrefix(notes, "x.json: has no rule: "+source.Name+"'s ") || strings.Count(notes, "\n") != 1 {
			t.Errorf("%s: the notes are:\n%s", text, notes)
		}
	}
}

// TestMisspeltPermission has rules for what nearly is a permission.
func TestMisspeltPermission(t *testing.T) {
	for _, source := range []*foreign.Source{foreign.OpenCode, foreign.Senpi} {
		made := imported(t, source, foreign.File{Name: "x.json", Text: []byte(`{"permission": {
			"bsh": {"rm *": "deny", "x": "deny"}, "bash": "ask", "edit": "ask", "list": "ask", "github_read": "ask", "deploy": "ask"}}`)})
		want := "x.json:2: \"rm *\": \"deny\": holds for a tool called bsh only, which " + source.Name + " does not have of its own (did you mean \"bash\"?)\n"
		if notes := messages(made); notes != want {
			t.Errorf("%s: got %s, want %s", source.Name, notes, want)
		}
	}
	made := imported(t, foreign.Senpi, foreign.File{Name: "x.json", Text: []byte(`{"permission": "ask", "agent": {"a": {"permission": "deny"}}}`)})
	if got, want := messages(made), "x.json:1: agent: is not read: senpi has its rules below permission and permissionPreset\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestOpenCodeNotes has nothing to tell of agents of which no file speaks, though
// their rules are left to the preset.
func TestOpenCodeNotes(t *testing.T) {
	rules := `"permission": {"bash": {"*": "ask", "git *": "allow"}, "*": "ask", "read": "allow", "edit": {"*": "allow"}}`
	made := imported(t, foreign.OpenCode, openCodeFiles("{"+rules+"}")...)
	if notes := messages(made); notes != "" {
		t.Errorf("the notes are:\n%s", notes)
	}
	if strings.Contains(made.Table, "also behind what") {
		t.Errorf("the table asks for agents what it has asked for everybody:\n%s", made.Table)
	}
	told := imported(t, foreign.OpenCode, openCodeFiles("{"+rules+`, "agent": {"explore": {"permission": {"edit": "deny", "*": "ask", "bash": "allow", "read": {"x": "deny"}}}}}`)...)
	if notes := messages(told); strings.Count(notes, "its rules are left to the preset") != 1 || !strings.Contains(notes, "opencode's agent explore") {
		t.Errorf("the notes are:\n%s", notes)
	}
}
