package foreign_test

import (
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
	agree(t, foreign.OpenCode, openCodeFiles(openCodeConfig), "", []verdict{
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
	agree(t, foreign.OpenCode, openCodeFiles(openCodeConfig), "reviewer", []verdict{
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
