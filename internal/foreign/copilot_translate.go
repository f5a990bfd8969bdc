package foreign

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/permission"
)

// A copilotTranslation makes a book of what files say.
type copilotTranslation struct {
	book    *book
	setting *copilotSetting

	files []fileRule
	shell commandRules
	urls  []urlRule
	parts []string // Rego
}

// translate fills the book.
func (t *copilotTranslation) translate() {
	t.book.base = []Rule{{"*", "*", permission.Ask, Origin{}}}
	for _, name := range []string{"read", "list", "glob", "grep", "todowrite", "question"} {
		t.book.base = append(t.book.base, Rule{name, "*", permission.Allow, Origin{}})
	}
	t.book.base = append(t.book.base, Rule{"external_directory", "*", permission.Ask, Origin{}})
	for _, r := range t.setting.rules {
		switch r.kind {
		case "shell":
			t.command(r)
		case "write", "read":
			t.path(r)
		case "url":
			t.url(r)
		case "memory":
			t.memory(r)
		default:
			t.tool(r)
		}
	}
	t.directories()
	for _, list := range t.setting.available {
		t.available(list)
	}
	t.book.preset = strings.Join(slices.Concat(t.parts, []string{t.shell.preset(), t.urlsPreset(), filesPreset(t.files)}), "\n")
	t.book.files = len(t.files)
	t.book.samples = copilotSamples(t.setting)
	t.book.answer = t.setting.judge
}

func (t *copilotTranslation) add(r copilotRule, name, pattern string) {
	t.book.rules = append(t.book.rules, Rule{name, pattern, r.action, r.from})
}

// command translates shell and shell(…). What stands in the brackets is a command
// as it is, or all that begin with it; where that can be read in two ways, one that
// allows is for less.
func (t *copilotTranslation) command(r copilotRule) {
	head, stem := strings.CutSuffix(r.spec, ":*")
	stars := strings.Contains(head, "*")
	if r.action != permission.Allow && strings.Trim(head, "* ") != "" { // permctl reads but bash
		t.parts = append(t.parts, findingRego(r.action, r.from, "input.script.text", "(?is)"+starred(strings.TrimSuffix(head, " *")), "input.tool.shell"))
	}
	if r.action != permission.Allow && strings.Trim(head, "* ") != "" && !joined(head) {
		t.shell.hold(r.action, r.from, starred(strings.TrimSuffix(head, " *"))+"(?:\\s.*)?")
	}
	switch {
	case syntactic.MatchString(head) && r.action == permission.Allow:
		t.book.note(r.from, syntaxLeftOut)
	case syntactic.MatchString(head):
		t.book.note(r.from, syntaxHeld)
		t.parts = append(t.parts, findingRego(r.action, r.from, "input.script.text", wordsExpression(head)))
	case head == "" && stem || r.action == permission.Allow && !r.starred && r.spec != "" && strings.Trim(head, "* ") == "":
		t.book.note(r.from, "is left out, and asked: write shell for all commands")
	case strings.Trim(head, "* ") == "":
		t.shell.whole = t.shell.whole || r.action == permission.Allow
		t.add(r, "bash", "*")
	case joined(head) && r.action == permission.Allow:
		t.book.note(r.from, "is left out: each command of a line is matched by itself; write a rule for each of them")
	case joined(head):
		t.book.note(r.from, "holds for a line that is just so: each command of a line is matched by itself; write a rule for each of them")
		t.parts = append(t.parts, findingRego(r.action, r.from, "input.script.text", `(?s)^\s*`+commandExpression(head)+`\s*$`))
	case r.action != permission.Allow && spelled(head):
		t.add(r, "bash", strings.TrimSuffix(head, " *")+" *")
	case r.action != permission.Allow:
		t.parts = append(t.parts, findingRego(r.action, r.from, "command.source", sourceExpression(strings.TrimSuffix(head, " *")+" *"), "some command in input.commands"))
	case stars && !r.starred:
		t.book.note(r.from, "is left out, and asked: a star is none but in :* at the end")
	case strings.ContainsAny(head, "?"):
		t.book.note(r.from, "is left out, and asked: what ? stands for is not documented")
	default:
		t.allowed(r, head, stem)
	}
}

// allowed adds a rule that allows some commands.
func (t *copilotTranslation) allowed(r copilotRule, head string, stem bool) {
	expression, pattern := starred(head), head
	if stem {
		expression, pattern = starred(head)+"(?: .*)?", head+" *"
	} else if !strings.Contains(head, "*") {
		t.book.note(r.from, "holds for just this text, as that is not documented for more: write shell(%s:*) to allow it with anything behind", head)
	}
	p := commandPattern{"(?s)^" + expression + "$", !spelled(head), true, r.from}
	if !p.raw && !strings.Contains(head, "*") {
		p.exact = false
		t.add(r, "bash", pattern)
	}
	t.shell.patterns = append(t.shell.patterns, p)
}

// path translates write(…) and read(…). One that allows is for files in the
// workspace, and its star for a part of a name; any other is for files of such a
// name in whatever folder, and its star for any text.
func (t *copilotTranslation) path(r copilotRule) {
	accesses := mayRead
	if r.kind == "write" {
		accesses = mayWrite
	}
	bare := r.spec == "" || r.spec == "**"
	switch {
	case r.kind == "read" && r.action == permission.Allow:
		t.book.note(r.from, "is left out: what is in its folders Copilot reads freely, and permctl too; for others write --add-dir FOLDER")
	case r.action == permission.Allow && bare:
		t.files = append(t.files, fileRule{r.action, sureWrites, "workspace", 0, everyPath, "", r.from})
	case r.action == permission.Allow:
		spec := strings.TrimPrefix(r.spec, "./")
		paths, ok := gitignore("/"+spec, false)
		if !ok || strings.ContainsAny(spec, `[{\?`) || strings.HasPrefix(spec, "/") || strings.HasPrefix(spec, "~") || strings.HasSuffix(spec, "/") {
			t.book.note(r.from, "is left out, and asked: write a path below the folder where Copilot is started, with * and ** alone")
			return
		}
		paths = strings.TrimSuffix(paths, "(?:/.*)?$") // a file, and no folder
		t.files = append(t.files, fileRule{r.action, sureWrites, "workspace", 0, "(?s)" + strings.TrimSuffix(paths, "$") + "$", "", r.from})
	case bare:
		t.files = append(t.files, fileRule{r.action, accesses, "/", 0, everyPath, "", r.from})
	case strings.ContainsAny(r.spec, `[{\!`):
		t.book.note(r.from, "holds for all files: it holds what may be read in two ways; write it with * and ** alone")
		t.files = append(t.files, fileRule{r.action, accesses, "/", 0, everyPath, "", r.from})
	default:
		t.files = append(t.files, fileRule{r.action, accesses, "/", 0, anywhere(r.spec), "", r.from})
	}
}

// anywhere returns the regular expression for the paths that may be meant by a
// pattern, wherever it begins.
func anywhere(spec string) string {
	spec = strings.Trim(strings.TrimPrefix(strings.ReplaceAll(spec, "**/", "*"), "~"), "/")
	for strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../") {
		_, spec, _ = strings.Cut(spec, "/")
	}
	expression := strings.ReplaceAll(starred(spec), `\?`, ".")
	return "(?is)^(?:.*/)?" + expression + "(?:/.*)?$"
}

// memory translates memory.
func (t *copilotTranslation) memory(r copilotRule) {
	switch {
	case r.action == permission.Allow && r.spec != "":
		t.book.note(r.from, "is left out, and asked: memory is given nothing in brackets")
	case r.action == permission.Allow:
		t.add(r, "store_memory", "*")
	default:
		if r.spec != "" {
			t.book.note(r.from, "holds for all that is remembered: memory is given nothing in brackets")
		}
		t.parts = append(t.parts, findingRego(r.action, r.from, "input.tool.name", "(?i)^store_?memory$"))
	}
}

// copilotTools are Copilot's own tools, with the name that some of its events have
// for them.
var copilotTools = map[string]string{
	"bash": "Bash", "powershell": "Bash", "write_bash": "", "read_bash": "", "stop_bash": "", "create": "Write", "edit": "Edit", "str_replace_editor": "Edit",
	"apply_patch": "Edit", "view": "Read", "grep": "Grep", "rg": "Grep", "glob": "Glob", "web_fetch": "WebFetch", "web_search": "WebSearch", "ask_user": "AskUserQuestion",
	"update_todo": "TodoWrite", "task": "Agent", "store_memory": "", "skill": "", "sql": "", "lsp": "",
}

// tool translates a rule for an MCP server, for a tool of one, or for one of
// Copilot's own tools.
func (t *copilotTranslation) tool(r copilotRule) {
	own, known := copilotTools[r.kind]
	if r.action != permission.Allow {
		if strings.Contains(r.spec, "*") {
			t.book.note(r.from, "holds for all tools of that server")
			r.spec = ""
		}
		names := mcpExpression(r, `.*`)
		if r.spec == "" {
			names += "|^" + regexp.QuoteMeta(r.kind) + "$"
		}
		if own != "" {
			names += "|^" + own + "$"
		}
		t.parts = append(t.parts, findingRego(r.action, r.from, "input.tool.name", "(?i)"+names), r.server())
		return
	}
	switch {
	case known:
		t.book.note(r.from, "is left out, and asked: Copilot's own tools are allowed by kind: shell, write, read, url or memory")
	case strings.ContainsAny(r.spec, "*?"):
		t.book.note(r.from, "is left out, and asked: write SERVER for all tools of a server, or the name of one")
	default:
		var b strings.Builder
		comment(&b, "", r.from)
		fmt.Fprintf(&b, `allow contains {"reason": %s, "permission": input.tool.permission, "target": "*"} if {
	input.tool.kind in {"other", "mcp"}
	regex.match(%s, input.tool.name)
}
`, quoted(ruleName(r.from)), quoted(mcpExpression(r, "")))
		t.parts = append(t.parts, b.String())
	}
}

// mcpExpression returns the regular expression for the names of a server's tools. A
// name says where the server's own ends only if that of the tool has no dash, and
// no two underscores; if any is given, it stands for such names.
func mcpExpression(r copilotRule, any string) string {
	server := regexp.QuoteMeta(r.kind)
	if r.spec != "" {
		tool := regexp.QuoteMeta(r.spec)
		if any != "" {
			return "^(?:mcp_+)?" + server + "[-_/:.]+" + tool + "$"
		}
		return "^(?:" + server + "-|mcp__" + server + "__)" + tool + "$"
	}
	if any != "" {
		return "^(?:mcp_+)?" + server + "[-_/:.]" + any + "$"
	}
	return "^" + server + "-[^-]+$|^mcp__" + server + "__[^_]+(?:_[^_]+)*$"
}

// server returns Rego that asks or denies for what is said apart of the server and
// the tool.
func (r copilotRule) server() string {
	var also []string
	if r.spec != "" {
		also = []string{"lower(input.mcp.tool) == " + quoted(strings.ToLower(r.spec))}
	}
	return findingRego(r.action, r.from, "input.mcp.server", "(?i)^"+regexp.QuoteMeta(r.kind)+"$", also...)
}

// directories lets what only reads into folders outside.
func (t *copilotTranslation) directories() {
	for _, d := range t.setting.dirs {
		from, up, below, ok := folderOf(d.path)
		if !ok {
			t.book.note(d.from, folderLeftOut)
			continue
		}
		t.files = append(t.files, fileRule{permission.Allow, sureReads, from, up, "(?s)^" + plainFolder(below), "", d.from})
	}
}

// available translates a list of the only tools that there are.
func (t *copilotTranslation) available(list copilotList) {
	var names []string
	for _, name := range list.names {
		names = append(names, strings.ToLower(name))
		if own := copilotTools[name]; own != "" {
			names = append(names, strings.ToLower(own))
		}
	}
	var b strings.Builder
	comment(&b, "", list.from)
	fmt.Fprintf(&b, "deny contains {\"reason\": %s, \"target\": input.tool.name} if not lower(input.tool.name) in %s\n", quoted(ruleName(list.from)), quoted(names))
	t.parts = append(t.parts, b.String())
}
