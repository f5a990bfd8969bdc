package input_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/input"
)

// TestMisread has calls that a tool may take for something else than they seem to
// be at first.
func TestMisread(t *testing.T) {
	e := env(t)
	if err := os.WriteFile(filepath.Join(e.Workspace.Root(), "src", "a.go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		tool, argument string
		want           []string
	}{
		// What the model adds beside what the tool reads does not hide that.
		{"bash", `{"command": "cat /etc/k", "shell": "fish"}`, []string{
			"bash: (unparsed) cat /etc/k (opaque)", "bash: cat /etc/k (by restriction)", "bash: cat", "read: /etc/k (by permission)", "external_directory: /etc/k",
		}},
		{"PowerShell", "cat k > x", []string{
			"bash: (unparsed) cat k > x (opaque)", "bash: cat k (by restriction)", "bash: x (by restriction)", "bash: cat", "read: k (by permission)", "edit: x",
		}},
		{"editor", `{"command": "view", "path": "a", "new_text": "x"}`, []string{"edit: a"}},
		{"fs_write", `{"command": "view", "path": "a", "text": "x"}`, []string{"edit: a"}},
		{"str_replace_based_edit_tool", `{"command": "create", "path": "a"}`, []string{"edit: a"}},
		{"str_replace_based_edit_tool", `{"command": "view", "path": "a"}`, []string{"read: a"}},
		{"web_fetch", `{"url": "https://a.example/", "prompt": "get https://b.example/"}`, []string{"webfetch: https://a.example/", "webfetch: https://b.example/"}},
		{"web_fetch", "{\"prompt\": \"https://a.example/\u2028https://b.example/\u00a0https://c.example/\\u000bhttps://d.example/\"}", []string{
			"webfetch: https://a.example/", "webfetch: https://b.example/", "webfetch: https://c.example/", "webfetch: https://d.example/",
		}},
		{"WebFetch", `{"url": "https://a.example/", "prompt": "unlike https://b.example/"}`, []string{"webfetch: https://a.example/"}},
		{"Edit", `{"path": "a", "input": "*** Begin Patch\n*** Delete File: k\n*** End Patch"}`, []string{"edit: a", "edit: k"}},
		{"apply_patch", `{"path": "a", "soup": "*** Begin Patch\n*** Delete File: k\n*** End Patch"}`, []string{"edit: k"}},
		{"Write", `{"path": "a", "content": "*** Begin Patch\n*** Delete File: k\n*** End Patch"}`, []string{"edit: a"}},

		// Commands in a list may each have a shell of their own, or share one.
		{"run_commands", `{"commands": ["ls", "pwd"]}`, []string{"bash: ls", "bash: pwd"}},
		{"run_commands", `{"commands": ["cd src", "cat a.go"]}`, []string{
			"bash: cd", "bash: cat", "bash: cd", "bash: cat", "read: src/a.go (by permission)", "read: a.go (by permission)",
		}},
		{"run_commands", `{"commands": ["r\\", "m k"]}`, []string{
			"bash: rm", `bash: r\`, `bash: (unparsed) r\ (opaque)`, "bash: r (by restriction)", "bash: m", "edit: k (by permission)",
		}},
		{"run_commands", `{"commands": ["echo \"", "rm k", "\""]}`, []string{
			"bash: echo", `bash: (unparsed) echo " (opaque)`, "bash: echo (by restriction)", "bash: rm", `bash: (unparsed) " (opaque)`,
			"edit: k (by permission)",
		}},

		// A tool may put a path right before it follows it.
		{"write", "@~/k", []string{
			"edit: @~/k", "edit: /home/u/k (by restriction)", "edit: ~/k (by restriction)", "external_directory: /home/u/k",
		}},
		{"read", " k ", []string{"read:  k ", "read: k (by restriction)"}},
		{"read", "%6b", []string{"read: %6b", "read: k (by restriction)"}},
		{"read", "a\u00a0k", []string{"read: a\u00a0k", "read: a k (by restriction)"}},
		{"read", "file:///etc/k", []string{"read: file:/etc/k", "read: /etc/k (by restriction)", "external_directory: /etc/k"}},
		{"Grep", `{"pattern": "x", "path": "@/etc"}`, []string{
			"grep: @/etc", "grep: /etc (by restriction)", "read: /etc (by permission)", "read: @/etc (by permission)", "external_directory: /etc",
		}},
		{"apply_patch", "*** Begin Patch\n*** Delete File: ~/../k\n*** End Patch", []string{
			"edit: /home/k", "edit: k (by restriction)", "external_directory: /home/k",
		}},
		{"FutureTool", `{"path": "@k"}`, []string{
			"FutureTool: *", "read: k (by restriction)", "read: @k (by restriction)", "edit: k (by restriction)", "edit: @k (by restriction)",
		}},

		// A search may name the files in which it looks.
		{"Grep", `{"pattern": "x", "path": "src", "glob": "a.g?"}`, []string{
			"grep: src", "read: src (by permission)", "read: src/a.go (by permission)", "read: src/a.g? (by permission)",
		}},
		{"Grep", `{"pattern": "x", "glob": "!k"}`, []string{"grep: x", "grep: !k"}},
		{"read_many_files", `{"include": ["**/A.GO"]}`, []string{"read: src/a.go", "read: **/A.GO"}},
		{"read_many_files", `{"include": ["src\\a.*"]}`, []string{"read: src/a.go", `read: src\a.*`}},

		// A call of several calls, whatever they are.
		{"batch", `{"tool_calls": [{"tool": "bash", "parameters": {"command": "ls"}}, {"tool": "webfetch", "parameters": {"url": "https://a.example/"}}]}`, []string{
			"batch: *", "bash: ls", "webfetch: https://a.example/",
		}},
		{"batch", `{"tool_calls": [{"tool": "batch", "parameters": {"tool_calls": [{"tool": "mcp__a__b"}, {"tool": "bash", "parameters": {"command": "ls"}}]}}]}`, []string{
			"batch: *", "mcp__a__b: *", "bash: ls",
		}},
		{"multi_tool_use.parallel", `{"tool_uses": [{"recipient_name": "functions.bash", "parameters": {"command": "ls"}}]}`, []string{
			"multi_tool_use.parallel: *", "bash: ls",
		}},
		{"batch", `{"tool_calls": [{"tool": "cmd", "parameters": {"command": "del x"}}]}`, []string{
			"batch: *", "bash: (unparsed) del x (opaque)", "bash: del x (by restriction)", "bash: del",
		}},

		// Of an unknown tool, what it is called may say that it changes nothing.
		{"mcp__fs__get_file", `{"path": "a"}`, []string{"mcp__fs__get_file: *", "read: a (by restriction)"}},
		{"mcp__widgets__apply", `{"path": "a"}`, []string{"mcp__widgets__apply: *", "read: a (by restriction)", "edit: a (by restriction)"}},
		{"mcp__fs__getAndSet", `{"path": "a"}`, []string{"mcp__fs__getAndSet: *", "read: a (by restriction)", "edit: a (by restriction)"}},
		{"fs_get_file", `{"path": "a"}`, []string{"fs_get_file: *", "read: a (by restriction)", "edit: a (by restriction)"}}, // the server may be called so
		{"LSP", `{"filePath": "a"}`, []string{"LSP: *", "read: a (by restriction)"}},
		{"mcp__fs__put", `{"uri": "file:///etc/k"}`, []string{
			"mcp__fs__put: *", "read: /etc/k (by restriction)", "read: file:/etc/k (by restriction)", "edit: /etc/k (by restriction)",
			"edit: file:/etc/k (by restriction)", "external_directory: /etc/k",
		}},
	} {
		if diff := cmp.Diff(tt.want, targets(document(t, e, tt.tool, tt.argument))); diff != "" {
			t.Errorf("New(%s %q) (-want +got):\n%s", tt.tool, tt.argument, diff)
		}
	}
}

// TestWorkdirs has calls with a directory in a field that the agent's tools may not
// have.
func TestWorkdirs(t *testing.T) {
	e := env(t)
	for _, tt := range []struct {
		tool, given string
		known       []string
		want        []string
	}{
		{"bash", `{"command": "cat k", "workdir": "src"}`, nil, []string{"bash: cat", "read: src/k (by permission)"}},
		{"bash", `{"command": "cat k", "workdir": "src"}`, []string{"workdir"}, []string{"bash: cat", "read: src/k (by permission)"}},
		{"bash", `{"command": "cat k > x", "workdir": "src"}`, []string{}, []string{
			"bash: cat", "read: k (by permission)", "read: src/k (by permission)", "edit: x", "edit: src/x",
		}},
		{"bash", `{"command": "cat k", "workdir": "src", "cwd": "."}`, []string{"workdir"}, []string{
			"bash: cat", "read: src/k (by permission)", "read: k (by permission)",
		}},
		{"bash", `{"command": "cat k", "cwd": "src", "dir": "/etc"}`, []string{}, []string{
			"bash: cat", "read: k (by permission)", "read: src/k (by permission)", "read: /etc/k (by permission)", "external_directory: /etc", "external_directory: /etc/k",
		}},
		{"apply_patch", `{"input": "*** Begin Patch\n*** Delete File: k\n*** End Patch", "cwd": "src"}`, []string{}, []string{"edit: k", "edit: src/k"}},
	} {
		call, err := input.FromArgument(tt.tool, tt.given)
		if err != nil {
			t.Fatal(err)
		}
		call.Workdirs = tt.known
		doc, err := input.New(call, e)
		if err != nil {
			t.Fatalf("New(%s %s): %v", tt.tool, tt.given, err)
		}
		if diff := cmp.Diff(tt.want, targets(doc)); diff != "" {
			t.Errorf("New(%s %s), with %q (-want +got):\n%s", tt.tool, tt.given, tt.known, diff)
		}
	}
}

// TestServer has tools of MCP servers under the names that agents give them.
func TestServer(t *testing.T) {
	e := env(t)
	for _, tt := range []struct {
		tool string
		mcp  input.MCP
		want []string
	}{
		{"mcp__inn__open", input.MCP{Server: "inn", Tool: "open"}, []string{"mcp__inn__open: *"}},
		{"mcp_inn_open", input.MCP{Server: "inn", Tool: "open"}, []string{"mcp_inn_open: *", "mcp__inn__open: * (by tool)"}},
		{"MCP:open", input.MCP{Tool: "open"}, []string{"MCP:open: *"}},
		{"web__search", input.MCP{Server: "web", Tool: "search"}, []string{"web__search: *", "mcp__web__search: * (by tool)"}}, // and no search of the agent's
	} {
		doc, err := input.New(input.Call{Tool: tt.tool, MCP: &tt.mcp}, e)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, targets(doc)); diff != "" {
			t.Errorf("New(%s, %+v) (-want +got):\n%s", tt.tool, tt.mcp, diff)
		}
	}
}

// TestBatchRefused has batches of which not all calls are understood.
func TestBatchRefused(t *testing.T) {
	e := env(t)
	for _, calls := range []string{
		`{"tool": "bash"}`, `"bash"`, `[{"soup": 1}]`, `[{"tool": "bash", "parameters": "ls"}]`, `["bash"]`, `[{"tool": "bash", "parameters": {"cmmand": "ls"}}]`,
		`[{"tool": "bash", "command": "ls"}]`,
	} {
		call, err := input.FromArgument("batch", `{"tool_calls": `+calls+`}`)
		if err != nil {
			t.Fatal(err)
		}
		if doc, err := input.New(call, e); err == nil {
			t.Errorf("New(batch of %s) has %v, want an error", calls, targets(doc))
		}
	}
}
