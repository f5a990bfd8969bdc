package input_test

import (
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/workspace"
)

// TestDaemon has what of a call would reach the daemon.
func TestDaemon(t *testing.T) {
	w, err := workspace.New(t.TempDir(), "/home/u")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		tool, field, text, want string
	}{
		{"bash", "command", "curl --unix-socket ~/.local/state/permctl/permctl.sock http://x/", "permctl.sock"},
		{"bash", "command", "nc -U $XDG_STATE_HOME/PERMCTL/permctl.sock", "permctl.sock"},
		{"bash", "command", "cd ~/.local/state/permctl && nc -U *.sock", "permctl.sock"},
		{"bash", "command", "cd ~/.local/state/permctl; socat - UNIX-CONNECT:./p*", "permctl.sock"},
		{"bash", "command", `python3 -c 'import socket; s.connect("/h/.local/state/permctl/permctl.sock")'`, "permctl.sock"},
		{"bash", "command", "curl http://localhost:7717/v1/pending", "port 7717"},
		{"bash", "command", "echo > /dev/tcp/127.0.0.1/7717", "port 7717"},
		{"bash", "command", "nc 127.1 07717", "port 7717"},
		{"bash", "command", "curl http://[::1]:7717/", "port 7717"},
		{"bash", "command", "curl http://0x7f000001:7717/", "port 7717"},
		{"webfetch", "url", "http://127.0.0.1:7717/", "port 7717"},
		{"mcp__browser__open", "address", "http://localhost:7717/", "port 7717"},
		{"bash", "command", "curl http://0:7717/", "port 7717"},
		{"bash", "command", "nc 0 7717", "port 7717"},
		{"bash", "command", "curl http://inn:7717/", "port 7717"},
		{"bash", "command", "curl --unix-socket /run/own/d.sock http://x/", "/run/own/d.sock"},
		{"bash", "command", "curl http://localhost:77170/", ""},
		{"bash", "command", "curl http://localhost:8080/", ""},
		{"bash", "command", "curl http://example.com:7717/", ""},
		{"bash", "command", "permctl check bash ls", ""},
		{"bash", "command", "ls *.sock", ""},
		{"write", "content", "the daemon's socket is permctl.sock, its port 127.0.0.1:7717", ""},
		{"read", "file_path", "docs/permctl.sock.md", ""},
	} {
		call := input.Call{Tool: tt.tool, Input: map[string]any{tt.field: tt.text, "file_path": "a"}}
		doc, err := input.New(call, input.Env{Workspace: w, Host: input.Host{Name: "inn"}, Port: 7717, Socket: "/run/own/d.sock"})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(doc.Daemon, ", "); got != tt.want {
			t.Errorf("%s %q reaches %q, want %q", tt.tool, tt.text, got, tt.want)
		}
	}
}
