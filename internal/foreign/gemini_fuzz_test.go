package foreign_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/foreign"
	"github.com/permctl/permctl/internal/input"
)

// geminiCalls returns calls of Gemini CLI's tools that are given a text.
func geminiCalls(text string) []input.Call {
	return []input.Call{
		given("run_shell_command", "command", text),
		{Tool: "run_shell_command", Input: map[string]any{"command": text, "dir_path": "sub", "description": text}},
		given("run_shell_command", "cmd", text),
		given("read_file", "file_path", text),
		{Tool: "write_file", Input: map[string]any{"file_path": text, "content": text}},
		given("invoke_agent", "agent_name", text),
		given("mcp_server_tool", "x", text),
		{Tool: "tool", Input: map[string]any{"x": []any{text, 1.5, nil, map[string]any{text: true}}}, MCP: &input.MCP{Server: "server", Tool: "tool"}},
		given("some_tool", "x", text),
	}
}

func FuzzGemini(f *testing.F) {
	f.Add(geminiPolicy, "git log")
	f.Add(geminiAll, "git push -f")
	f.Add("[[rule]]\ntoolName = \"*\"\nargsPattern = '\"x\":\"[^\"]*😀?.{2}\\s'\ndecision = \"deny\"\npriority = 1", "😀a")
	f.Add("[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = \"<&>\\u2028\"\ndecision = \"allow\"\npriority = 1\nallowRedirection = true", "<&>\u2028 x")
	f.Fuzz(func(t *testing.T, policy, text string) {
		neverLooserFor(t, foreign.Gemini, []foreign.File{{Name: "p.toml", Text: []byte(policy)}}, geminiCalls(text))
	})
}

func FuzzGeminiSettings(f *testing.F) {
	f.Add(geminiSettings, "git log")
	f.Add(geminiServers, "ls")
	f.Fuzz(func(t *testing.T, settings, text string) {
		neverLooserFor(t, foreign.Gemini, []foreign.File{{Name: "settings.json", Text: []byte(settings)}}, geminiCalls(text))
	})
}

// geminiRandom returns a policy of random rules.
func geminiRandom(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(5) {
		condition := random(r, "", `commandPrefix = "git"`, `commandPrefix = ["git push", "ls", "rm"]`, `commandRegex = "git (push|status)"`, `commandRegex = "[a-z]+ -"`,
			`commandRegex = "\\S+\\s+x\"$"`, `argsPattern = "push"`, `argsPattern = "x$|rm"`, `argsPattern = '"command":"[^"]*make'`, `commandRegex = "(?=x)"`, `commandPrefix = "bash -c"`)
		fmt.Fprintf(&b, "[[rule]]\ntoolName = \"run_shell_command\"\n%s\ndecision = %q\npriority = %d\n%s\n\n", condition, random(r, "allow", "allow", "ask_user", "deny"), r.IntN(1000),
			random(r, "", "", "allowRedirection = true", `modes = ["plan"]`, "interactive = true"))
	}
	return b.String()
}

// TestGeminiRandom compares what permctl says by random policies to random lines
// with the judge.
func TestGeminiRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 6 {
		var calls []input.Call
		for _, text := range randomTexts(r)[15:] {
			calls = append(calls, geminiCalls(text)[:2]...)
		}
		neverLooserFor(t, foreign.Gemini, []foreign.File{{Name: "p.toml", Text: []byte(geminiRandom(r))}}, calls)
	}
}
