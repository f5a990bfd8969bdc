package foreign

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// A claudeTranslation makes a book of what settings say.
type claudeTranslation struct {
	book    *book
	setting *claudeSetting

	files []fileRule
	shell commandRules
	parts []string // Rego
}

// translate fills the book.
func (t *claudeTranslation) translate() error {
	t.shell.through = []string{"timeout", "time", "nice", "nohup", "stdbuf", "command", "builtin", "xargs"}
	t.shell.variables = []string{"NODE_ENV"}
	t.base()
	for _, r := range t.setting.rules {
		if err := t.rule(r); err != nil {
			return err
		}
	}
	t.directories()
	preset := strings.Join(slices.Concat(t.parts, []string{t.shell.preset(), claudeShellRego, filesPreset(t.files), claudeProtected}), "\n")
	if t.setting.mode == "dontAsk" { // nobody is asked
		preset = strings.ReplaceAll("\n"+preset, "\nask contains", "\ndeny contains")
	}
	t.book.preset, t.book.files = preset, len(t.files)
	t.book.samples = claudeSamples(t.setting)
	t.book.answer = t.setting.judge
	return nil
}

// free are the tools that Claude Code itself asks nobody for.
var free = []string{"todowrite", "task", "AskUserQuestion", "LSP", "TaskCreate", "TaskUpdate", "TaskGet", "TaskList", "EnterPlanMode", "ListMcpResourcesTool"}

// base sets what is answered to calls that no rule speaks of, by the mode.
func (t *claudeTranslation) base() {
	from, mode := t.setting.from, t.setting.mode
	from.Text = "defaultMode " + mode
	otherwise := permission.Ask
	switch mode {
	case "default", "manual":
	case "acceptEdits":
		t.files = append(t.files, fileRule{permission.Allow, sureWrites, "workspace", 0, everyPath, "", from})
		t.book.note(from, "edits in the workspace are allowed; mkdir, touch, rm, mv, cp and sed, which Claude Code lets run too, are asked: allow those that you want, as bash: {\"mkdir *\": allow}")
	case "dontAsk":
		otherwise = permission.Deny
	case "plan":
		t.book.note(from, "is taken for default: whether Claude Code plans, it says with each call, and permctl then denies writes")
	case "auto":
		t.book.note(from, "is taken for default: permctl has no model that decides, so that what no rule allows is asked")
	case "bypassPermissions":
		t.book.note(from, "is taken for default, which asks for what no rule allows: if you want all else to be allowed, write rules for that yourself")
	default:
		t.book.note(from, "is taken for default: no such mode is known%s", permission.DidYouMean(mode, claudeModes...))
	}
	if t.setting.mode != "dontAsk" && t.setting.mode != "acceptEdits" {
		t.setting.mode = "default"
	}
	t.book.base = []Rule{{"*", "*", otherwise, Origin{}}}
	for _, name := range slices.Concat([]string{"read", "list", "glob", "grep"}, free) {
		t.book.base = append(t.book.base, Rule{name, "*", permission.Allow, Origin{}})
	}
	t.book.base = append(t.book.base, Rule{"external_directory", "*", otherwise, Origin{}})
}

var claudeModes = []string{"default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"}

// add adds a rule that wildcards can say. Where nobody is asked, an ask is a deny.
func (t *claudeTranslation) add(r claudeRule, name, pattern string) {
	t.book.rules = append(t.book.rules, Rule{name, pattern, t.action(r), r.from})
}

func (t *claudeTranslation) action(r claudeRule) permission.Action {
	if r.action == permission.Ask && t.setting.mode == "dontAsk" {
		return permission.Deny
	}
	return r.action
}

// dead notes a rule that Claude Code never consults.
func (t *claudeTranslation) dead(r claudeRule, format string, args ...any) {
	t.book.note(r.from, "is left out, for Claude Code never consults it: %s", fmt.Sprintf(format, args...))
}

// claudeTools are Claude Code's own tools, with the fields of their input that a
// rule can name as Tool(field:value), without the primary one.
var claudeTools = map[string][]string{
	"Bash":         {"timeout", "description", "run_in_background", "dangerouslyDisableSandbox"},
	"PowerShell":   {"timeout", "description", "run_in_background", "dangerouslyDisableSandbox"},
	"Monitor":      {"description", "timeout_ms"},
	"Read":         {"offset", "limit", "pages", "allow_large"},
	"Write":        {"content"},
	"Edit":         {"old_string", "new_string", "replace_all"},
	"MultiEdit":    nil,
	"NotebookEdit": {"cell_id", "new_source", "cell_type", "edit_mode"},
	"NotebookRead": nil, "LS": nil, "LSP": nil,
	"Glob":      {"pattern"},
	"Grep":      {"pattern", "glob", "output_mode", "context", "type", "head_limit", "offset", "multiline"},
	"WebFetch":  {"prompt", "offset"},
	"WebSearch": {"query"},
	"Agent":     {"description", "prompt", "model", "effort", "run_in_background", "name", "isolation", "subagent_type"},
	"Task":      {"description", "prompt", "model", "effort", "run_in_background", "name", "isolation", "subagent_type"},
	"Skill":     {"args"},
	"Cd":        nil, "TodoWrite": nil, "AskUserQuestion": nil, "ExitPlanMode": nil, "EnterPlanMode": nil,
	"TaskCreate": nil, "TaskUpdate": nil, "TaskGet": nil, "TaskList": nil, "TaskStop": nil, "SendMessage": nil, "Workflow": nil,
	"EnterWorktree": nil, "ExitWorktree": nil, "CronCreate": nil, "CronDelete": nil, "CronList": nil, "RemoteTrigger": nil,
	"Artifact": nil, "PushNotification": nil, "ListMcpResourcesTool": nil, "ReadMcpResourceTool": nil, "SlashCommand": nil,
}

// rule translates one rule.
func (t *claudeTranslation) rule(r claudeRule) error {
	switch {
	case strings.ContainsAny(r.tool, "*?"):
		t.glob(r)
	case strings.HasPrefix(r.tool, "mcp__"):
		t.mcp(r)
	case !t.known(&r):
	case r.bare:
		t.whole(r)
	case t.field(r):
	default:
		return t.specified(r)
	}
	return nil
}

// known reports whether Claude Code has the tool. What is only miscased is taken
// for what was meant, if that is stricter.
func (t *claudeTranslation) known(r *claudeRule) bool {
	if _, ok := claudeTools[r.tool]; ok {
		return true
	}
	for name := range claudeTools {
		if strings.EqualFold(name, r.tool) && r.action != permission.Allow {
			t.book.note(r.from, "is taken for one of %s: Claude Code has no tool %s, and would not consult it", name, r.tool)
			r.tool = name
			return true
		}
	}
	kind := input.PermissionOf(r.tool)
	switch shared := kind != r.tool || sharedPermission(kind); {
	case r.bare && !shared:
		t.add(*r, kind, "*")
		return false
	case r.bare && r.action != permission.Allow:
		t.book.note(r.from, "holds for all that permctl calls %s: Claude Code has no tool %s, and would not consult it", kind, r.tool)
		t.add(*r, kind, "*")
		return false
	}
	var names []string
	for name := range claudeTools {
		names = append(names, name)
	}
	slices.Sort(names)
	t.dead(*r, "it has no tool %s%s", r.tool, permission.DidYouMean(r.tool, names...))
	return false
}

// sharedPermission reports whether a permission is for more than the tool of its
// name.
func sharedPermission(name string) bool {
	return name == "external_directory" || strings.ToLower(name) == name && !strings.Contains(name, "_") && input.KnownPermission(name)
}

// glob translates a rule whose tool has wildcards.
func (t *claudeTranslation) glob(r claudeRule) {
	server, rest, ok := strings.Cut(strings.TrimPrefix(r.tool, "mcp__"), "__")
	switch literal := ok && server != "" && strings.HasPrefix(r.tool, "mcp__") && !strings.ContainsAny(server, "*?"); {
	case !r.bare:
		t.dead(r, "a tool with wildcards is given nothing in brackets")
	case r.action == permission.Allow && !literal:
		t.dead(r, "one that allows may have wildcards only behind mcp__SERVER__")
	case r.action == permission.Allow && strings.Contains(rest, "?"):
		t.book.note(r.from, "is left out: ? stands for itself there, and for any character in permctl's rules; name the tools")
	case r.action == permission.Allow:
		t.add(r, r.tool, "*")
	default:
		for _, name := range sortedKeys(claudeTools) {
			if permission.Match(name, r.tool) && r.tool != "*" {
				one := r
				one.tool = name
				t.whole(one)
			}
		}
		t.named(r, r.tool)
	}
}

func (t *claudeTranslation) mcp(r claudeRule) {
	server, tool, named := strings.Cut(strings.TrimPrefix(r.tool, "mcp__"), "__")
	switch {
	case !r.bare:
		if !t.field(r) {
			t.dead(r, "a tool of an MCP server is given nothing in brackets but (field:value), to ask or deny")
		}
	case (server == "" || named && tool == "") && r.action != permission.Allow:
		t.book.note(r.from, "holds for every tool whose name begins so: it names no server or no tool; write mcp__SERVER or mcp__SERVER__TOOL")
		t.named(r, r.tool+"*")
	case server == "" || named && tool == "":
		t.dead(r, "it names no server or no tool: write mcp__SERVER or mcp__SERVER__TOOL")
	case named:
		t.named(r, r.tool)
	default:
		t.named(r, r.tool+"__*")
	}
}

// named translates a rule for all tools whose names a pattern matches. One that
// asks or denies is a floor, for no order of settings keeps it above all that
// wildcards allow.
func (t *claudeTranslation) named(r claudeRule, pattern string) {
	if r.action == permission.Allow {
		t.add(r, pattern, "*")
		return
	}
	var b strings.Builder
	comment(&b, "", r.from)
	fmt.Fprintf(&b, "%s contains {\"reason\": %s, \"target\": input.tool.name} if data.policy.match.wildcard(input.tool.name, %s)\n",
		t.action(r), quoted(ruleName(r.from)), quoted(pattern))
	t.parts = append(t.parts, b.String())
}

// whole translates a rule for all that a tool does.
func (t *claudeTranslation) whole(r claudeRule) {
	switch r.tool {
	case "Bash":
		t.shell.whole = t.shell.whole || r.action == permission.Allow
		t.add(r, "bash", "*")
	case "Edit":
		t.file(r, sureWrites, mayWrite, "/", everyPath)
	case "Read":
		t.file(r, sureReads, anyAccess, "/", everyPath)
	case "Agent", "Task":
		t.add(r, "task", "*")
	case "WebFetch":
		t.add(r, "webfetch", "*")
	case "WebSearch", "Skill":
		t.add(r, strings.ToLower(r.tool), "*")
	case "Cd":
		t.cd(r)
	case "Monitor", "PowerShell", "Write", "MultiEdit", "NotebookEdit", "Glob", "Grep", "LS", "NotebookRead":
		t.byTool(r)
	default:
		t.add(r, input.PermissionOf(r.tool), "*")
	}
}

// byTool translates a rule for one of several tools that share a permission.
func (t *claudeTranslation) byTool(r claudeRule) {
	if r.action == permission.Allow && (r.tool == "PowerShell" || r.tool == "Monitor") {
		t.book.note(r.from, "is left out, and its calls are asked: permctl's rules are the same for all shells, and it does not read PowerShell")
		return
	}
	var b strings.Builder
	comment(&b, "", r.from)
	if r.action == permission.Allow {
		fmt.Fprintf(&b, `allow contains {"reason": %s, "permission": request.permission, "target": target.forms[0]} if {
	input.tool.name == %s
	some request in input.requests
	request.permission == input.tool.permission
	some target in request.targets
}
`, quoted(ruleName(r.from)), quoted(r.tool))
	} else {
		fmt.Fprintf(&b, `%s contains {"reason": %s, "target": input.tool.name} if {
	lower(input.tool.name) == %s
}
`, t.action(r), quoted(ruleName(r.from)), quoted(strings.ToLower(r.tool)))
	}
	t.parts = append(t.parts, b.String())
}

// field translates Tool(field:value), and reports whether the rule is one.
func (t *claudeTranslation) field(r claudeRule) bool {
	if !r.forField() {
		return false
	}
	name, value, _ := strings.Cut(r.spec, ":")
	if r.action == permission.Allow {
		t.dead(r, "a rule for a field of the input may only ask or deny")
		return true
	}
	var b strings.Builder
	comment(&b, "", r.from)
	tools := []string{r.tool}
	if r.tool == "Agent" || r.tool == "Task" {
		tools = []string{"Agent", "Task"}
	}
	fmt.Fprintf(&b, `%s contains {"reason": %s, "target": input.tool.name} if {
	input.tool.name in %s
	value := input.call.input[%s]
	not is_object(value)
	not is_array(value)
	regex.match(%s, sprintf("%%v", [value]))
}
`, t.action(r), quoted(ruleName(r.from)), quoted(tools), quoted(name), quoted("(?s)^"+starred(value)+"$"))
	t.parts = append(t.parts, b.String())
	return true
}

// specified translates a rule for some of what a tool does.
func (t *claudeTranslation) specified(r claudeRule) error {
	switch r.tool {
	case "Bash":
		t.bash(r)
	case "PowerShell", "Monitor":
		t.otherShell(r)
	case "Read", "Edit":
		return t.path(r)
	case "Write", "MultiEdit", "NotebookEdit":
		t.dead(r, "write Edit(%s), which holds for all tools that change files", r.spec)
	case "Glob", "Grep", "LS", "NotebookRead", "LSP":
		t.dead(r, "write Read(%s), which holds for all tools that read files", r.spec)
	case "WebFetch":
		t.webFetch(r)
	case "Agent", "Task":
		t.agent(r)
	case "Skill":
		t.skill(r)
	case "Cd":
		t.cd(r)
	default:
		t.dead(r, "%s is given nothing in brackets", r.tool)
	}
	return nil
}

// file adds a rule for files.
func (t *claudeTranslation) file(r claudeRule, sure, may []string, from, paths string) {
	accesses, except := may, ""
	switch {
	case r.action == permission.Allow:
		accesses = sure
	case r.tool == "Read" && r.action == permission.Ask:
		accesses = mayRead
	case r.tool == "Read":
		except = "NotebookEdit" // all others must not write what must not be read
	}
	t.files = append(t.files, fileRule{t.action(r), accesses, from, 0, paths, except, r.from})
}

// path translates Read(…) and Edit(…).
func (t *claudeTranslation) path(r claudeRule) error {
	from, pattern, err := claudeAnchor(r)
	if err != nil {
		return err
	}
	sure, may := sureReads, anyAccess
	if r.tool == "Edit" {
		sure, may = sureWrites, mayWrite
	}
	wide := r.action != permission.Allow && (loneFolder(r.spec) || from == "anywhere")
	paths, ok := gitignore(pattern, wide)
	switch {
	case !ok && r.action == permission.Allow:
		t.book.note(r.from, "is left out: it holds what may be read in two ways; write it with * and ** alone")
		return nil
	case !ok:
		t.book.note(r.from, "holds for all files: it holds what may be read in two ways; write it with * and ** alone")
		t.file(r, sure, may, "/", everyPath)
		return nil
	case from == "anywhere" && r.action == permission.Allow:
		t.book.note(r.from, "is left out: in managed settings, nobody can tell where a path begins that begins with a slash; write //… or ~/…")
		return nil
	case from == "anywhere":
		t.book.note(r.from, "holds in any folder: in managed settings, nobody can tell where a path begins that begins with a slash; write //… or ~/…")
		from = "/"
	case from == "claude":
		from, paths = "home", `^\.claude/`+strings.TrimPrefix(paths, "^")
	}
	if r.action != permission.Allow {
		paths = "(?is)" + paths // some file systems do not know letter case
	} else {
		paths = "(?s)" + paths
	}
	t.file(r, sure, may, from, paths)
	return nil
}

// claudeAnchor returns where a pattern for paths begins, and the pattern from
// there on, which begins with a slash if it is for that folder only.
func claudeAnchor(r claudeRule) (from, pattern string, err error) {
	switch rest, home := strings.CutPrefix(r.spec, "~/"); {
	case home:
		return "home", "/" + rest, nil
	case strings.HasPrefix(r.spec, "//"):
		return "/", r.spec[1:], nil
	case strings.HasPrefix(r.spec, "/"):
		switch r.scope {
		case Project, Local:
			return "workspace", r.spec, nil
		case User:
			return "claude", r.spec, nil
		case Managed:
			return "anywhere", r.spec, nil
		}
		return "", "", fmt.Errorf("%s:%d: %s: whether / is the project's folder or ~/.claude depends on whose settings these are: say it with --scope %s=project or =user", r.from.File, r.from.Line, r.from.Text, r.from.File)
	}
	pattern, here := strings.CutPrefix(r.spec, "./")
	if here && r.action == permission.Allow {
		pattern = "/" + pattern // at any depth, if the dot counts for nothing
	}
	return "workspace", pattern, nil
}

// loneFolder reports whether a pattern is for all in a folder with a plain name.
func loneFolder(spec string) bool {
	name, ok := strings.CutSuffix(strings.TrimPrefix(spec, "./"), "/**")
	return ok && name != "" && !strings.ContainsAny(name, "/*?[~")
}

// directories lets calls into the additional directories as into the workspace.
func (t *claudeTranslation) directories() {
	for _, d := range t.setting.dirs {
		from, up, below, ok := folderOf(d.path)
		if !ok {
			t.book.note(d.from, folderLeftOut)
			continue
		}
		paths := "(?s)^" + plainFolder(below)
		t.files = append(t.files, fileRule{permission.Allow, sureReads, from, up, paths, "", d.from})
		if t.setting.mode == "acceptEdits" {
			t.files = append(t.files, fileRule{permission.Allow, sureWrites, from, up, paths, "", d.from})
		}
	}
}

// folderLeftOut is what becomes of a folder that [folderOf] cannot tell.
const folderLeftOut = "is left out, and what is in it is asked as an external_directory: write a folder that is not /, and without .. but at the beginning of a path from the project"

// folderOf returns where a folder lies.
func folderOf(name string) (from string, up int, below string, ok bool) {
	from, below = "workspace", name
	if rest, home := strings.CutPrefix(name+"/", "~/"); home {
		from, below = "home", rest
	} else if rest, root := strings.CutPrefix(name, "/"); root {
		from, below = "/", rest
	}
	if below = path.Clean(below); below == "." {
		below = ""
	}
	for from == "workspace" && (below == ".." || strings.HasPrefix(below, "../")) {
		up++
		below = strings.TrimPrefix(strings.TrimPrefix(below, ".."), "/")
	}
	return from, up, below, !strings.HasPrefix(below, "..") && (from != "/" || below != "")
}
