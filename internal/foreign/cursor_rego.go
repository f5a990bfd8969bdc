package foreign

import (
	"fmt"
	"strings"

	"github.com/permctl/permctl/internal/permission"
)

// finish fills the book.
func (t *cursorTranslation) finish() {
	var shell commandRules
	parts := []string{cursorRego}
	for _, r := range t.lines {
		name, _, _ := strings.Cut(r.spec, ":")
		parts = append(parts, findingRego(r.action, r.from, "input.script.text", wordsExpression(name)))
	}
	for _, r := range t.tools {
		switch {
		case r.tool == "Shell" && r.action == permission.Allow:
			if !r.prefix && r.spec == "**" {
				shell.whole = true
				t.book.rules = append(t.book.rules, Rule{"bash", "*", permission.Allow, r.from})
			}
			shell.patterns = append(shell.patterns, commandPattern{r.command(), false, true, r.from})
		case r.tool == "Shell":
			parts = append(parts, r.finding(`
	some command in input.commands
	some name in {command.name, command.program}
	regex.match(NAME, name)
	regex.match(REST, concat(" ", [word.text | some word in command.args]))`, "command.text"))
		case r.tool == "WebFetch" && r.action != permission.Allow && r.spec == "*":
			parts = append(parts, r.finding(`
	input.tool.kind == "fetch"`, "input.tool.name"))
		case r.tool == "WebFetch":
			parts = append(parts, r.finding(`
	input.tool.kind == "fetch"
	some url in input.urls
	not url.error
	regex.match(NAME, url.host)`, "url.url"))
		default:
			parts = append(parts, r.finding(`
	_mcp
	regex.match(NAME, _server)
	regex.match(REST, _tool)`, "input.tool.name"))
		}
	}
	t.book.preset = strings.Join(append(parts, shell.preset(), filesPreset(t.files)), "\n")
	t.book.files = len(t.files)
	j := cursorJudge{t.rules}
	t.book.answer = j.answer
	t.book.samples = cursorSamples(t.rules, j.answer)
}

// command returns the regular expression for the commands that a rule is for.
func (r cursorTool) command() string {
	trim := strings.NewReplacer("(?s)^", "", ")$", ")")
	name, rest := trim.Replace(r.name), trim.Replace(r.rest)
	if r.rest == "(?s)^(?:.*)$" {
		return "(?s)^" + name + "(?: " + rest + ")?$"
	}
	return "(?s)^" + name + " " + rest + "$"
}

// finding returns Rego for a rule: on what conditions it holds, and what it is
// about.
func (r cursorTool) finding(conditions, target string) string {
	var b strings.Builder
	comment(&b, "", r.from)
	about := ""
	if r.action == permission.Allow {
		about = `"permission": "webfetch", `
		if r.tool == "Mcp" {
			about = `"permission": input.tool.permission, `
			target = `"*"`
		}
	}
	fmt.Fprintf(&b, "%s contains {\"reason\": %s, %s\"target\": %s} if {%s\n}\n", r.action, quoted(ruleName(r.from)), about, target,
		strings.NewReplacer("NAME", quoted(r.name), "REST", quoted(r.rest)).Replace(conditions))
	return b.String()
}

// cursorRego is how a call of an MCP server's tool looks.
const cursorRego = `
_mcp if input.mcp.tool

_mcp if startswith(input.tool.name, "MCP:")

_tool := input.mcp.tool if {
	input.mcp.tool
} else := trim_prefix(input.tool.name, "MCP:")

default _server := ""

_server := input.mcp.server

# Who may not fetch from some hosts, has to say from which.
ask contains {"reason": "no one can tell the host", "target": url.url} if {
	input.tool.kind == "fetch"
	some url in input.urls
	url.error
}
`
