package foreign_test

import (
	"testing"

	"github.com/permctl/permctl/internal/foreign"
)

const (
	senpiUser = `{"permissionPreset": "workspace", "permission": {
		"bash": {"git push": "ask", "rm": "deny", "git push origin *": "allow", "make *": "ask", "make test": "allow"},
		"read": {"*.env": "ask", "*.env.example": "allow"}
	}}`
	senpiProject = `{"permission": {
		"edit": {"migrations/*": "deny", "docs/*": "ask"},
		"external_directory": {"/srv/data/*": "allow", "/etc/*": "deny"},
		"bash": {"curl *": "deny", "npm run": "ask", "npm run build": "allow", "kubectl*": "ask"},
		"list": {"secrets*": "deny"},
		"grep": {"secrets*": "deny"},
		"websearch": "allow",
		"mcp_github_*": "allow",
		"mcp_github_delete_*": "deny",
		"eval": "ask"
	}}`
)

func TestSenpi(t *testing.T) {
	files := []foreign.File{{Name: "user.json", Text: []byte(senpiUser)}, {Name: "project.json", Text: []byte(senpiProject)}}
	agree(t, foreign.Senpi, files, "", []verdict{
		// The preset asks for all but reading, editing and commands.
		{allow, "bash", "go test ./..."},
		{allow, "bash", "git status"},
		{ask, "webfetch", "https://example.com/"},
		{allow, "websearch", "weather"},
		{ask, "glob", `{"pattern": "*.go"}`},
		{allow, "grep", `{"pattern": "func"}`},
		{allow, "ls", `{"path": "src"}`},
		{allow, "find", `{"pattern": "*.go", "path": "src"}`},
		// Commands are matched by the words that make their name.
		{ask, "bash", "git push"},
		{ask, "bash", "git push origin main"},
		{deny, "bash", "rm x"},
		{deny, "bash", "rm -rf build"},
		{ask, "bash", "make"},
		{ask, "bash", "make build"},
		{deny, "bash", "curl https://example.com/"},
		{allow, "bash", "npm run build"},
		{allow, "bash", "npm run build --silent"},
		{allow, "bash", "npm run test"},
		{ask, "bash", "kubectl get pods"},
		{deny, "bash", "git status; rm x"},
		{ask, "bash", "git status | git push"},
		{allow, "bash", "git log | grep x"},
		{deny, "bash", "echo $(rm x)"},
		{deny, "bash_input", `{"input": "rm x\n"}`},
		{deny, "monitor", `{"command": "rm x"}`},
		{ask, "bash_output", "{}"},
		// Paths are matched as they are written.
		{allow, "read", `{"path": "a.go"}`},
		{ask, "read", `{"path": ".env"}`},
		{ask, "read", `{"path": "prod.env"}`},
		{allow, "read", `{"path": ".env.example"}`},
		{allow, "edit", `{"path": "a.go"}`},
		{allow, "write", `{"path": "src/a.go"}`},
		{deny, "edit", `{"path": "migrations/1.sql"}`},
		{ask, "write", `{"file_path": "docs/a.md"}`},
		{deny, "ls", `{"path": "secrets"}`},
		{deny, "grep", `{"pattern": "x", "path": "secrets"}`},
		// So are those outside.
		{ask, "read", `{"path": "/opt/a"}`},
		{allow, "read", `{"path": "/srv/data/a"}`},
		{deny, "read", `{"path": "/etc/passwd"}`},
		{deny, "bash", "cat /etc/passwd"},
		{deny, "bash", "sometool /etc/passwd"},
		{ask, "bash", "sometool ../other"},
		{ask, "bash", "cat ~/notes/a"},
		{allow, "bash", "cat /srv/data/a"},
		{allow, "bash", "cat src/a.go"},
		// Other tools.
		{allow, "mcp_github_search", "{}"},
		{deny, "mcp_github_delete_repo", "{}"},
		{ask, "mcp_jira_search", "{}"},
		{ask, "skill", `{"name": "pdf"}`},
	})
}
