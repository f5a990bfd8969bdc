package foreign

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/permctl/permctl/internal/input"
)

// table returns the samples as a decision table.
func table(agent string, samples []Sample) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# What %s itself answers by its rules, for permctl test.\nsettings settings.yaml\n", agent)
	why := ""
	for _, s := range samples {
		if s.Why != why && s.Why != "" {
			fmt.Fprintf(&b, "\n# %s\n", oneLine(s.Why))
		}
		why = s.Why
		tool, argument := row(s.Call)
		b.WriteString(strings.TrimRight(fmt.Sprintf("%-6s %s  %s", s.Action, tool, argument), " ") + "\n")
	}
	return b.String()
}

// row returns a call as a row has it: by its one argument if that is all there
// is to it, or as a whole.
func row(call input.Call) (tool, argument string) {
	whole := wholeCall(call)
	var text string
	for _, value := range call.Input {
		text, _ = value.(string)
	}
	again, err := input.FromArgument(call.Tool, text)
	switch {
	case err != nil, wholeCall(again) != whole, input.SlipOf(call.Tool) != "", call.Tool == "json", strings.ContainsAny(call.Tool, " \t\""):
		tool, text = "json", whole
	default:
		tool = call.Tool
	}
	if oneLine(text) != text || strings.Trim(text, " ") != text || strings.HasPrefix(text, `"`) || strings.Contains(text, "=>") {
		text = strconv.Quote(text)
	}
	return tool, text
}

// wholeCall returns a call as JSON, with what is not set left out.
func wholeCall(call input.Call) string {
	fields := []string{`"tool": ` + quoted(call.Tool), `"input": ` + quoted(call.Input)}
	for _, f := range []struct{ name, value string }{{"cwd", call.Cwd}, {"agent", call.Agent}, {"mode", call.Mode}} {
		if f.value != "" {
			fields = append(fields, quoted(f.name)+": "+quoted(f.value))
		}
	}
	if call.MCP != nil {
		fields = append(fields, `"mcp": `+quoted(map[string]any{"server": call.MCP.Server, "tool": call.MCP.Tool}))
	}
	return "{" + strings.Join(fields, ", ") + "}"
}
