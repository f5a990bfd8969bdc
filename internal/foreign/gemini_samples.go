package foreign

import (
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// geminiSamples returns calls for each rule, and some that no rule may speak of.
func geminiSamples(rules []geminiRule, answer func(input.Call) permission.Action) []Sample {
	var made sampler
	for _, r := range rules {
		if r.from.Line == 0 || len(made.samples) >= samplesOf(len(rules)) {
			continue
		}
		for _, call := range r.calls() {
			made.add(func(c input.Call) Sample { return Sample{c, answer(c), r.from.String()} }, call)
		}
	}
	for _, call := range []input.Call{
		given("run_shell_command", "command", "ls"), given("run_shell_command", "command", "make deploy"),
		given("read_file", "file_path", "a.txt"), given("write_file", "file_path", "a.txt"), given("write_file", "file_path", "package.json"),
		given("web_fetch", "url", "https://a.example/"), given("google_web_search", "query", "x"), given("mcp_server_tool", "x", "y"),
	} {
		made.add(func(c input.Call) Sample { return Sample{c, answer(c), "What no rule may speak of"} }, call)
	}
	return made.samples
}

// calls returns calls that the rule is about, and the nearest that it is not.
func (g *geminiRule) calls() []input.Call {
	switch tool := g.tool; {
	case g.prefix != "":
		if oneLine(g.prefix) != g.prefix || strings.ContainsAny(g.prefix, "\"'\\$`<>") {
			return nil
		}
		var calls []input.Call
		for _, line := range []string{g.prefix, g.prefix + " x", g.prefix + "x", "make deploy && " + g.prefix, g.prefix + " > out"} {
			calls = append(calls, given("run_shell_command", "command", line))
		}
		return calls
	case tool == "run_shell_command":
		return []input.Call{given(tool, "command", "make"), given(tool, "command", "make && rm -f x")}
	case tool == "read_file" || tool == "write_file" || tool == "replace":
		return []input.Call{given(tool, "file_path", "b.txt")}
	case tool == "list_directory" || tool == "glob" || tool == "grep_search":
		return []input.Call{given(tool, "dir_path", "b")}
	case tool == "web_fetch":
		return []input.Call{given(tool, "url", "https://b.example/")}
	case strings.HasPrefix(tool, "mcp_"):
		name := strings.ReplaceAll(tool, "*", "a")
		return []input.Call{given(name, "x", "y"), given(name+"x", "x", "y")}
	case strings.Contains(tool, "*") || input.KnownPermission(tool) && !strings.Contains(tool, "_"):
		return nil
	default:
		return []input.Call{given(tool, "x", "y")}
	}
}
