package foreign_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/foreign"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// TestGeminiNames has names in settings that are none of a tool's, or were once.
func TestGeminiNames(t *testing.T) {
	made := imported(t, foreign.Gemini, foreign.File{Name: "settings.json", Text: []byte(`{
		"tools": {
			"exclude": ["ShellTool", "ReadFileTool", "some_tol"],
			"confirmationRequired": ["LSTool", "list_dir"],
			"allowed": ["GlobTool"],
			"excluded": ["x"],
			"deny": ["x"]
		},
		"mcp": {"exclude": ["x"]}
	}`)})
	want := strings.TrimLeft(`
settings.json:3: ShellTool: may hold for more than in Gemini CLI: Gemini CLI compares it with the names of tools, and this one is run_shell_command now
settings.json:3: ReadFileTool: may hold for more than in Gemini CLI: Gemini CLI compares it with the names of tools, and this one is read_file now
settings.json:3: some_tol: is no tool of Gemini CLI's own: it holds for one of that very name only
settings.json:4: LSTool: may hold for more than in Gemini CLI: Gemini CLI compares it with the names of tools, and this one is list_directory now
settings.json:4: list_dir: is no tool of Gemini CLI's own: it holds for one of that very name only
settings.json:5: GlobTool: has no effect: the tool is glob now
settings.json:6: tools.excluded: has no effect: Gemini CLI's settings have no such key (did you mean "exclude"?)
settings.json:7: tools.deny: has no effect: Gemini CLI's settings have no such key
settings.json:9: mcp.exclude: has no effect: Gemini CLI's settings have no such key (did you mean "excluded"?)
`, "\n")
	if diff := cmp.Diff(want, messages(made)); diff != "" {
		t.Error(diff)
	}
	actions, _ := answers(t, written(t, made), []input.Call{
		given("run_shell_command", "command", "ls"), given("read_file", "file_path", "a"), given("list_directory", "dir_path", "src"), given("glob", "pattern", "x"), given("some_tol", "x", "y"),
	})
	if diff := cmp.Diff([]permission.Action{deny, deny, ask, allow, deny}, actions); diff != "" {
		t.Error(diff)
	}
}

// TestGeminiServerTools has tools that settings take from a server, which no rule
// can give back.
func TestGeminiServerTools(t *testing.T) {
	files := []foreign.File{{Name: "settings.json", Text: []byte(`{"mcpServers": {
		"a": {"trust": true, "excludeTools": ["drop", "x y"]},
		"b": {"trust": true, "includeTools": ["get", "list(all)"], "excludeTools": ["get_all"]},
		"c": {"trust": true, "includeTools": []}},
		"tools": {"allowed": ["mcp_a_drop"], "confirmationRequired": ["run_shell_command(git push)"]}}`)}}
	judge := judgeOf(t, foreign.Gemini, files)
	made := imported(t, foreign.Gemini, files...)
	agrees(t, made, judge, []row{
		{"deny", "mcp_a_drop", `{"x": 1}`, ""},
		{"deny", "mcp_a_x_y", `{"x": 1}`, ""},
		{"allow", "mcp_a_dropped", `{"x": 1}`, ""},
		{"deny", "json", `{"tool": "drop", "input": {}, "mcp": {"server": "a", "tool": "drop"}}`, ""},
		{"allow", "mcp_b_get", `{"x": 1}`, ""},
		{"allow", "mcp_b_list", `{"x": 1}`, ""},
		{"deny", "mcp_b_get_all", `{"x": 1}`, ""},
		{"deny", "mcp_b_put", `{"x": 1}`, ""},
		{"deny", "mcp_c_get", `{"x": 1}`, ""},
		{"ask", "run_shell_command", "git push", ""},
	})
	holds(t, made)
	if notes, want := messages(made), "run_shell_command(git push): may hold for more than in Gemini CLI: Gemini CLI compares all of it with the names of tools, so that it never asked for anything"; !strings.Contains(notes, want) {
		t.Errorf("the notes lack %q:\n%s", want, notes)
	}
	broad := imported(t, foreign.Gemini, foreign.File{Name: "settings.json", Text: []byte(`{"tools": {"allowed": ["run_shell_command(git)"], "confirmationRequired": ["run_shell_command(git push)"]}}`)})
	actions, reasons := answers(t, written(t, broad), []input.Call{given("run_shell_command", "command", "git push"), given("run_shell_command", "command", "git log"), given("run_shell_command", "command", "make")})
	if diff := cmp.Diff([]permission.Action{ask, allow, deny}, actions); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(reasons[2], "tools.allowed names only git") {
		t.Errorf("the reason is %q", reasons[2])
	}
}
