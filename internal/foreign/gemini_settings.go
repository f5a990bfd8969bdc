package foreign

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/jsonc"
	"github.com/permctl/permctl/internal/permission"
)

// A geminiList is a list of settings, and where each text of it stands.
type geminiList []Origin

// settings reads a settings.json. Its lists that allow take the place of those of
// the files before it.
func (r *geminiReader) settings(f File) error {
	root, err := jsonc.Parse(f.Text)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	if kind := root.Kind(); kind != jsonc.Object && kind != jsonc.None {
		return fmt.Errorf("%s:%d: settings are an object, and not of the kind %s", f.Name, root.Line(), kind)
	}
	if r.last == nil {
		r.last = map[string]geminiList{}
	}
	for _, list := range []struct {
		name string
		path []string
		old  string // its name in old versions
		adds bool   // to that of the files before
	}{
		{"core", []string{"tools", "core"}, "coreTools", false},
		{"allowed", []string{"tools", "allowed"}, "allowedTools", false},
		{"confirmationRequired", []string{"tools", "confirmationRequired"}, "", true},
		{"exclude", []string{"tools", "exclude"}, "excludeTools", true},
		{"mcp.allowed", []string{"mcp", "allowed"}, "allowMCPServers", false},
		{"mcp.excluded", []string{"mcp", "excluded"}, "excludeMCPServers", true},
	} {
		for _, v := range []jsonc.Value{root.Member(list.path...), root.Member(list.old)} {
			if v.Kind() == jsonc.None {
				continue
			}
			texts, err := geminiTexts(f, list.name, v)
			if err != nil {
				return err
			}
			if list.adds {
				texts = append(r.last[list.name], texts...)
			}
			r.last[list.name] = texts
		}
	}
	for name, server := range root.Member("mcpServers").Members() {
		if server.Member("trust").True() {
			from := Origin{f.Name, server.Member("trust").Line(), "mcpServers." + name.Text() + ".trust"}
			r.plain(geminiFullName(name.Text(), "*"), permission.Allow, geminiUser+200, from)
		}
		if err := r.serverTools(f, name.Text(), server); err != nil {
			return err
		}
	}
	return r.elsewhere(f, root)
}

// geminiAbsent is the priority of rules for tools that Gemini CLI does not have:
// above all others.
const geminiAbsent = geminiAdmin + 1000

// serverTools adds rules for the tools of a server that settings take away.
func (r *geminiReader) serverTools(f File, server string, v jsonc.Value) error {
	key := "mcpServers." + server
	if list := v.Member("excludeTools"); list.Kind() != jsonc.None {
		texts, err := geminiTexts(f, key+".excludeTools", list)
		if err != nil {
			return err
		}
		for _, from := range texts {
			made := geminiRule{action: permission.Deny, priority: geminiAbsent, from: from, tool: geminiFullName(server, from.Text)}
			made.names = geminiServerTool(server, from.Text)
			made.message = key + ".excludeTools names it"
			r.add(made, nil)
		}
	}
	list := v.Member("includeTools")
	if list.Kind() == jsonc.None {
		return nil
	}
	texts, err := geminiTexts(f, key+".includeTools", list)
	if err != nil {
		return err
	}
	var only []string
	for _, from := range texts {
		name, _, _ := strings.Cut(from.Text, "(")
		only = append(only, geminiServerTool(server, name))
	}
	made := geminiRule{action: permission.Deny, priority: geminiAbsent, tool: geminiFullName(server, "*"), except: strings.Join(only, "|")}
	made.from = Origin{f.Name, list.Line(), key + ".includeTools"}
	made.message = key + ".includeTools does not name it"
	r.add(made, made.named(made.tool))
	return nil
}

// geminiServerTool returns the expression for the name of a tool of a server. What
// no name may have, Gemini CLI writes in another way.
func geminiServerTool(server, tool string) string {
	var b strings.Builder
	for _, c := range geminiFullName(server, tool) {
		if geminiNameRune.MatchString(string(c)) {
			b.WriteString(regexp.QuoteMeta(string(c)))
			continue
		}
		b.WriteString("(?:_|" + regexp.QuoteMeta(string(c)) + ")")
	}
	return "^" + b.String() + "$"
}

var geminiNameRune = regexp.MustCompile(`^[A-Za-z0-9_.:-]$`)

// geminiTexts reads a list of texts.
func geminiTexts(f File, name string, v jsonc.Value) (geminiList, error) {
	if v.Kind() != jsonc.Array {
		return nil, fmt.Errorf("%s:%d: %s must be a list of texts", f.Name, v.Line(), name)
	}
	list := geminiList{}
	for _, item := range v.Elements() {
		if item.Text() == "" {
			return nil, fmt.Errorf("%s:%d: what is in %s must be text, such as %q", f.Name, item.Line(), name, "run_shell_command(git status)")
		}
		list = append(list, Origin{f.Name, item.Line(), item.Text()})
	}
	return list, nil
}

// The keys of Gemini CLI's settings for tools and for MCP.
var (
	geminiToolKeys = []string{
		"core", "allowed", "confirmationRequired", "exclude", "approvalMode", "autoAccept", "callCommand", "disableLLMCorrection", "discoveryCommand",
		"enableHooks", "enableMessageBusIntegration", "enableToolOutputTruncation", "sandbox", "sandboxAllowedPaths", "sandboxNetworkAccess", "shell",
		"truncateToolOutputLines", "truncateToolOutputThreshold", "usePty", "useRipgrep",
	}
	geminiMCPKeys = []string{"allowed", "excluded", "serverCommand"}
)

// elsewhere notes what settings say of permissions that is not imported, and
// refuses what is another agent's.
func (r *geminiReader) elsewhere(f File, root jsonc.Value) error {
	for _, name := range []string{"permissions", "permission", "permissionPreset"} {
		if v := root.Member(name); v.Kind() != jsonc.None {
			return fmt.Errorf("%s:%d: %s is nothing that Gemini CLI's settings have: give the file to permctl import with the agent whose it is", f.Name, v.Line(), name)
		}
	}
	for _, path := range [][]string{{"general", "defaultApprovalMode"}, {"tools", "approvalMode"}} {
		if v := root.Member(path...); v.Kind() != jsonc.None && v.Text() != "default" {
			r.book.note(Origin{f.Name, v.Line(), path[1] + " " + v.String()}, "is taken for default: Gemini CLI tells no hook its mode")
		}
	}
	for _, name := range []string{"policyPaths", "adminPolicyPaths"} {
		if v := root.Member(name); v.Kind() != jsonc.None {
			r.book.note(Origin{f.Name, v.Line(), name}, "is not followed: name the policy files in it to permctl import, the last with --scope FILE=managed if they are an administrator's")
		}
	}
	for _, group := range []struct {
		name string
		keys []string
	}{{"tools", geminiToolKeys}, {"mcp", geminiMCPKeys}} {
		for key := range root.Member(group.name).Members() {
			if !slices.Contains(group.keys, key.Text()) {
				r.book.note(Origin{f.Name, key.Line(), group.name + "." + key.Text()}, "has no effect: Gemini CLI's settings have no such key%s", permission.DidYouMean(key.Text(), group.keys...))
			}
		}
	}
	return nil
}

// plain adds a rule for a tool whatever it is given.
func (r *geminiReader) plain(tool string, action permission.Action, priority int, from Origin) {
	made := geminiRule{action: action, priority: priority, from: from, tool: tool}
	r.add(made, made.named(tool))
}

// lists adds the rules that settings have as lists.
func (r *geminiReader) lists() {
	for _, from := range r.last["mcp.excluded"] {
		r.plain(geminiFullName(from.Text, "*"), permission.Deny, geminiUser+900, from)
	}
	for _, from := range r.last["exclude"] {
		r.restrict(from, permission.Deny, geminiUser+400)
	}
	for _, from := range r.last["confirmationRequired"] {
		r.restrict(from, permission.Ask, geminiUser+350)
	}
	allowed := r.last["allowed"]
	if at, narrow := r.allow(allowed, geminiUser+300); narrow {
		r.book.note(at, "denies every other shell command: with a command in brackets, tools.allowed names all that may run")
		made := geminiRule{action: permission.Deny, priority: geminiUser + 290, from: at, tool: "run_shell_command"}
		made.message = "tools.allowed names only " + geminiCommands(allowed)
		r.add(made, made.named(made.tool))
	}
	if core, there := r.last["core"]; there {
		r.allow(core, geminiUser+250)
		from := Origin{Text: "tools.core"}
		if len(core) > 0 {
			from.File, from.Line = core[0].File, core[0].Line
		}
		made := geminiRule{action: permission.Deny, priority: geminiUser + 240, from: from, tool: "*", message: "tools.core does not name it"}
		r.add(made, made.named("*"))
	}
	for _, from := range r.last["mcp.allowed"] {
		r.plain(geminiFullName(from.Text, "*"), permission.Allow, geminiUser+100, from)
	}
}

var geminiGiven = regexp.MustCompile(`^([a-zA-Z0-9_-]+)\((.*)\)$`)

// allow adds rules for tools that may have the beginning of a command in brackets,
// and reports whether one has.
func (r *geminiReader) allow(list geminiList, priority int) (at Origin, narrow bool) {
	for _, from := range list {
		given := geminiGiven.FindStringSubmatch(from.Text)
		switch {
		case given == nil:
			r.unknown(from, from.Text)
			r.plain(geminiShell(from.Text), permission.Allow, priority, from)
		case geminiShell(given[1]) != "run_shell_command":
			r.book.note(from, "allows %s whatever it is given: Gemini CLI reads what is in brackets for run_shell_command alone", given[1])
			r.plain(given[1], permission.Allow, priority, from)
		default:
			at, narrow = from, true
			if given[2] != "" {
				r.prefix(given[2], permission.Allow, priority, from, nil)
			}
		}
	}
	return at, narrow
}

// restrict adds a rule that asks or denies. What has brackets is no tool's name,
// and neither is what tools were called once.
func (r *geminiReader) restrict(from Origin, action permission.Action, priority int) {
	given := geminiGiven.FindStringSubmatch(from.Text)
	if given == nil {
		name, doubts := from.Text, []string(nil)
		if now, old := geminiOld[name]; old {
			name, doubts = now, []string{"Gemini CLI compares it with the names of tools, and this one is " + now + " now"}
		}
		r.unknown(from, name)
		made := geminiRule{action: action, priority: priority, from: from, tool: name}
		r.add(made, append(made.named(name), doubts...))
		return
	}
	doubts := []string{fmt.Sprintf("Gemini CLI compares all of it with the names of tools, so that it never %s anything", map[permission.Action]string{permission.Ask: "asked for", permission.Deny: "denied"}[action])}
	tool := given[1]
	if now, old := geminiOld[tool]; old {
		tool = now
	}
	if tool != "run_shell_command" || given[2] == "" {
		made := geminiRule{action: action, priority: priority, from: from, tool: tool}
		r.add(made, append(made.named(tool), doubts...))
		return
	}
	r.prefix(given[2], action, priority, from, doubts)
}

// unknown notes a name that no tool of Gemini CLI's own has.
func (r *geminiReader) unknown(from Origin, name string) {
	if now, old := geminiOld[name]; old && name != "ShellTool" {
		r.book.note(from, "has no effect: the tool is %s now", now)
	} else if !old && !strings.HasPrefix(name, "mcp_") && !strings.Contains(name, "*") && !slices.Contains(geminiTools, name) && !slices.Contains(geminiReaders, name) {
		r.book.note(from, "is no tool of Gemini CLI's own%s: it holds for one of that very name only", permission.DidYouMean(name, geminiTools...))
	}
}

// geminiCommands returns the commands that tools.allowed names.
func geminiCommands(list geminiList) string {
	var names []string
	for _, from := range list {
		if given := geminiGiven.FindStringSubmatch(from.Text); given != nil && geminiShell(given[1]) == "run_shell_command" {
			names = append(names, given[2])
		}
	}
	if len(names) > 5 {
		names = append(names[:5], "…")
	}
	return strings.Join(names, ", ")
}

// geminiOld are what tools were called once, and what they are called now.
var geminiOld = map[string]string{
	"ShellTool": "run_shell_command", "LSTool": "list_directory", "ReadFileTool": "read_file", "WriteFileTool": "write_file", "EditTool": "replace",
	"GrepTool": "grep_search", "RipGrepTool": "grep_search", "GlobTool": "glob", "WebFetchTool": "web_fetch", "WebSearchTool": "google_web_search",
	"ReadManyFilesTool": "read_many_files", "MemoryTool": "save_memory", "WriteTodosTool": "write_todos", "edit": "replace",
}

// geminiTools are Gemini CLI's own tools, besides those that it allows by itself.
var geminiTools = []string{
	"run_shell_command", "read_file", "read_many_files", "write_file", "replace", "glob", "grep_search", "search_file_content", "list_directory",
	"web_fetch", "google_web_search", "write_todos", "save_memory", "ask_user", "activate_skill", "invoke_agent", "enter_plan_mode", "exit_plan_mode",
}

// prefix adds a rule for commands that begin with a text.
func (r *geminiReader) prefix(prefix string, action permission.Action, priority int, from Origin, doubts []string) {
	made := geminiRule{action: action, priority: priority, from: from, tool: "run_shell_command", prefix: prefix, patterned: true}
	made.named(made.tool)
	expression, err := jsRegexp(geminiPrefix(prefix))
	if err != nil {
		doubts = append(doubts, fmt.Sprintf("its expression %v", err))
	}
	made.args = expression
	r.add(made, doubts)
}

// geminiShell returns the name of a tool, that of the shell for its old one.
func geminiShell(name string) string {
	if name == "ShellTool" {
		return "run_shell_command"
	}
	return name
}
