package foreign

import (
	"fmt"
	"regexp"

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
	}
	r.elsewhere(f, root)
	return nil
}

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

// elsewhere notes what settings say of permissions that is not imported.
func (r *geminiReader) elsewhere(f File, root jsonc.Value) {
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
		r.exclude(from)
	}
	for _, from := range r.last["confirmationRequired"] {
		r.plain(geminiShell(from.Text), permission.Ask, geminiUser+350, from)
	}
	allowed := r.last["allowed"]
	if at, narrow := r.allow(allowed, geminiUser+300); narrow {
		r.plain("run_shell_command", permission.Deny, geminiUser+290, at)
	}
	if core, there := r.last["core"]; there {
		r.allow(core, geminiUser+250)
		from := Origin{Text: "tools.core"}
		if len(core) > 0 {
			from.File, from.Line = core[0].File, core[0].Line
		}
		r.plain("*", permission.Deny, geminiUser+240, from)
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

// exclude adds a rule that denies. What has brackets is no tool's name.
func (r *geminiReader) exclude(from Origin) {
	given := geminiGiven.FindStringSubmatch(from.Text)
	if given == nil {
		r.plain(from.Text, permission.Deny, geminiUser+400, from)
		return
	}
	doubts := []string{"Gemini CLI compares all of it with the names of tools, so that it never denied anything"}
	if tool := geminiShell(given[1]); tool != "run_shell_command" || given[2] == "" {
		made := geminiRule{action: permission.Deny, priority: geminiUser + 400, from: from, tool: tool}
		r.add(made, append(made.named(tool), doubts...))
		return
	}
	r.prefix(given[2], permission.Deny, geminiUser+400, from, doubts)
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
