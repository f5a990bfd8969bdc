package foreign

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// OpenCode is opencode 1: https://opencode.ai/v1/docs/permissions.
var OpenCode = &Source{
	Name:  "opencode",
	Files: "opencode.json, opencode.jsonc, config.json: those that are merged first come first",
	read:  readOpenCode,
}

// openCodeDefaults are the rules that opencode puts before all others.
var openCodeDefaults = []Rule{
	{"*", "*", permission.Allow, Origin{File: "opencode's defaults"}},
	{"doom_loop", "*", permission.Ask, Origin{}},
	{"external_directory", "*", permission.Ask, Origin{}},
	{"external_directory", "~/.local/share/opencode/tool-output/*", permission.Allow, Origin{}},
	{"external_directory", "/tmp/opencode/*", permission.Allow, Origin{}},
	{"plan_exit", "*", permission.Deny, Origin{}},
	{"read", "*", permission.Allow, Origin{}},
	{"read", "*.env", permission.Ask, Origin{}},
	{"read", "*.env.*", permission.Ask, Origin{}},
	{"read", "*.env.example", permission.Allow, Origin{}},
}

// openCodeAgents are the rules that opencode's own agents have, which it puts
// between its defaults and the rules of files.
var openCodeAgents = map[string][]Rule{
	"plan": {
		{"task", "general", permission.Deny, Origin{}},
		{"external_directory", "~/.local/share/opencode/plans/*", permission.Allow, Origin{}},
		{"edit", "*", permission.Deny, Origin{}},
		{"edit", ".opencode/plans/*.md", permission.Allow, Origin{}},
	},
	"general": {{"todowrite", "*", permission.Deny, Origin{}}},
	"explore": {
		{"*", "*", permission.Deny, Origin{}},
		{"grep", "*", permission.Allow, Origin{}},
		{"glob", "*", permission.Allow, Origin{}},
		{"list", "*", permission.Allow, Origin{}},
		{"bash", "*", permission.Allow, Origin{}},
		{"webfetch", "*", permission.Allow, Origin{}},
		{"websearch", "*", permission.Allow, Origin{}},
		{"read", "*", permission.Allow, Origin{}},
		{"external_directory", "*", permission.Ask, Origin{}},
		{"external_directory", "~/.local/share/opencode/tool-output/*", permission.Allow, Origin{}},
		{"external_directory", "/tmp/opencode/*", permission.Allow, Origin{}},
	},
}

// readOpenCode reads the permissions of configuration files, as opencode merges
// them: a key that comes again keeps its place, and a new one goes to the end.
func readOpenCode(files []File) (*book, error) {
	c := openCodeConfig{agents: map[string]*openCodeMap{}, modes: map[string]*openCodeMap{}}
	b := &book{base: openCodeDefaults, agents: map[string][]Rule{}}
	for _, f := range files {
		r := openCodeReader{f.Name}
		root, err := r.parse(f.Text)
		if err != nil {
			return nil, err
		}
		alone := openCodeConfig{agents: map[string]*openCodeMap{}, modes: map[string]*openCodeMap{}}
		if err := r.config(root, &alone); err != nil {
			return nil, err
		}
		if alone.empty() {
			b.note(Origin{File: f.Name}, "has no rule: opencode's own hold, which allow nearly everything")
		}
		if err := r.config(root, &c); err != nil {
			return nil, err
		}
	}
	all, agents := c.merged()
	if err := limited(all, agents); err != nil {
		return nil, err
	}
	own := &lastMatch{
		agent: "opencode", rules: slices.Concat(openCodeDefaults, all), agents: map[string][]Rule{},
		left: map[Rule]bool{}, copied: map[Rule]bool{}, asks: openCodeAsks, texts: openCodeTexts, normal: slashes,
	}
	b.rules = withMoves(openCodeSettings(b, own, all))
	for name := range openCodeAgents {
		if len(agents[name]) == 0 {
			own.untold = append(own.untold, name)
		}
		agents[name] = slices.Clip(agents[name]) // so that it is there
	}
	for _, name := range slices.Sorted(maps.Keys(agents)) {
		inner, kept := own.again(name, openCodeAgents[name], all)
		own.agents[name] = slices.Concat(inner, agents[name])
		own.setAgent(b, name, withMoves(slices.Concat(kept, openCodeSettings(b, own, agents[name]))))
	}
	own.finish(b)
	return b, nil
}

// limited refuses more rules than anybody can read.
func limited(all []Rule, agents map[string][]Rule) error {
	every := all
	for _, name := range slices.Sorted(maps.Keys(agents)) {
		every = slices.Concat(every, agents[name])
	}
	if len(every) > maxCompared {
		return tooManyAt(every[maxCompared].From)
	}
	return nil
}

// openCodeSettings returns the rules that permctl's settings can have, and notes
// the others. What those deny or ask is held by the preset.
func openCodeSettings(b *book, own *lastMatch, rules []Rule) []Rule {
	var kept []Rule
	unknown(b, "opencode", rules)
	for _, r := range rules {
		out := matchesNothing("opencode", r)
		pattern, home := homeless(r.Pattern)
		lies := (r.Permission == "read" || r.Permission == "edit") && (home || strings.HasPrefix(r.Pattern, "/"))
		allows := r.Action == permission.Allow
		switch {
		case out != "":
		case home && pattern != "" && pattern[0] != '/':
			out = "is left to the preset: in permctl's patterns, nothing may follow ~ and $HOME but a slash"
		case lies && allows:
			out = "is left out: opencode compares paths within the workspace with it, so that it never allows anything"
		case lies:
			b.note(r.From, "holds from now on: opencode compares paths within the workspace with it, so that it never did")
		case r.Permission == "doom_loop":
			b.note(r.From, "stays in opencode's settings: permctl does not count calls that come again")
		case (r.Permission == "glob" || r.Permission == "grep") && strings.Trim(r.Pattern, "*") != "":
			out = "is left to the preset, where it can deny and ask: in permctl's settings, it counts where a search looks, and not for what"
		}
		if out == "" {
			kept = append(kept, r)
			continue
		}
		own.left[r] = true
		b.note(r.From, "%s", out)
	}
	return kept
}

// openCodeAsks returns what opencode asks its rules about a call.
func openCodeAsks(call input.Call) []asked {
	name := input.PermissionOf(call.Tool)
	text := func(keys ...string) string {
		for _, key := range keys {
			if s, ok := call.Input[key].(string); ok {
				return slashes(s)
			}
		}
		return ""
	}
	switch name {
	case "bash":
		line, _ := call.Input["command"].(string)
		return openCodeShell(line)
	case "read", "edit":
		file := sampleAbsolute(text("filePath", "file_path", "path"))
		return append(openCodeOutside(path.Dir(file), file), asked{name, sampleRelative(file)})
	case "glob", "grep":
		made := []asked{{name, text("pattern")}}
		if dir := text("path"); dir != "" {
			made = append(made, openCodeOutside(sampleAbsolute(dir), sampleAbsolute(dir))...)
		}
		return made
	case "webfetch":
		return []asked{{name, text("url")}}
	case "websearch":
		return []asked{{name, text("query")}}
	case "task":
		return []asked{{name, text("subagent_type")}}
	case "skill":
		return []asked{{name, text("name")}}
	}
	return []asked{{call.Tool, "*"}}
}

// slashes returns a text or a pattern as opencode compares it.
func slashes(text string) string { return strings.ReplaceAll(text, `\`, "/") }

// openCodeMoves are the commands of which opencode asks nothing but where they
// lead, and openCodeTouches those whose operands it takes for paths besides.
var (
	openCodeMoves   = []string{"cd", "chdir", "popd", "pushd"}
	openCodeTouches = []string{"rm", "cp", "mv", "mkdir", "touch", "chmod", "chown", "cat"}
)

// withMoves returns rules of which those for bash allow what opencode asks no rule
// about, if it has the tool.
func withMoves(rules []Rule) []Rule {
	last, restricts := -1, false
	for i, r := range rules {
		if permission.Match("bash", r.Permission) {
			restricts = restricts || r.Action != permission.Allow
		}
		if r.Permission == "bash" {
			last = i
		}
	}
	if !restricts || hidden(rules, "bash") {
		return rules
	}
	if last < 0 {
		last = len(rules) - 1
	}
	var moves []Rule
	for _, program := range openCodeMoves {
		moves = append(moves, Rule{"bash", program + " *", permission.Allow, Origin{File: "opencode asks for where these lead only"}})
	}
	return slices.Insert(slices.Clip(rules), last+1, moves...)
}

// openCodeShell returns what opencode asks of a shell line: each command as it
// stands in the text, with its redirections and here-documents, and with the word
// time before it.
func openCodeShell(text string) []asked {
	var made []asked
	for _, c := range bash.Parse(text, nil).Commands {
		if len(c.Wrappers) > 0 {
			continue // it does not look into what runs another
		}
		keyword := keywordBefore(text, c)
		moves := slices.Contains(openCodeMoves, c.Program)
		if !moves {
			made = append(made, asked{"bash", slashes(strings.TrimSpace(keyword + c.Source + hereBehind(text, c)))})
		}
		if !moves && !slices.Contains(openCodeTouches, c.Program) {
			continue
		}
		for _, w := range c.Args {
			if strings.HasPrefix(w.Text, "-") || strings.ContainsAny(w.Text, "$`(?*[") {
				continue
			}
			file := sampleAbsolute(w.Text)
			dir := path.Dir(file)
			if moves || strings.HasSuffix(w.Text, "/") {
				dir = file
			}
			made = append(made, openCodeOutside(dir, file)...)
		}
	}
	return made
}

// openCodeOutside returns what is asked about a path outside of the workspace.
func openCodeOutside(dir, file string) []asked {
	if file == sampleRoot || strings.HasPrefix(file, sampleRoot+"/") {
		return nil
	}
	return []asked{{"external_directory", strings.TrimSuffix(dir, "/") + "/*"}}
}

// sampleAbsolute returns the absolute path of what a sample names.
func sampleAbsolute(name string) string {
	name = atHome(name)
	if !path.IsAbs(name) {
		name = path.Join(sampleRoot, name)
	}
	return path.Clean(name)
}

// sampleRelative returns an absolute path relative to the workspace of samples.
func sampleRelative(file string) string {
	if file == sampleRoot {
		return ""
	}
	if rest, ok := strings.CutPrefix(file, sampleRoot+"/"); ok {
		return rest
	}
	return "../" + strings.TrimPrefix(file, "/")
}

// openCodeTexts is openCodeAsks in Rego.
var openCodeTexts = strings.ReplaceAll(keywordsRego, "AGENT", "opencode") + hereRego + `
_text contains {"permission": "bash", "text": text, "target": target} if {
	some i, command in input.commands
	count(command.wrappers) == 0
	some head in _heads(command)
	some here in _here(command)
	text := _normal(trim_space(concat("", [head, command.source, here])))
	some request in input.requests
	request.permission == "bash"
	some target in request.targets
	target.command == i
	target.operands[0] == command.name
}

_heads(command) := set() if {
	command.program in {"cd", "chdir", "popd", "pushd"}
} else := {_keyword(command)} if {
	_keyword(command)
} else := {""}

# What only moves is asked for as any command if it is no command by itself.
_text contains {"permission": "bash", "text": text, "target": {"judges": "none"}} if {
	some command in input.commands
	count(command.wrappers) == 0
	command.program in {"cd", "chdir", "popd", "pushd"}
	text := _normal(trim_space(concat("", [_keyword(command), command.source])))
}

_text contains {"permission": request.permission, "text": text, "target": target} if {
	some request in input.requests
	request.permission in {"read", "edit"}
	some target in request.targets
	target.judges == "any"
	some path in input.paths
	path.origin in {"tool", "patch"}
	path.absolute in target.forms
	text := _normal(_relative(path.absolute))
}

_text contains {"permission": "external_directory", "text": text, "target": target} if {
	some request in input.requests
	request.permission == "external_directory"
	some target in request.targets
	some path in input.paths
	path.absolute in target.forms
	text := concat("", [trim_suffix(_directory(path), "/"), "/*"])
}

_text contains {"permission": request.permission, "text": text, "target": target} if {
	some request in input.requests
	key := _searches[request.permission]
	some target in request.targets
	target.judges == "any"
	text := _normal(input.call.input[key])
}

_searches := {
	"glob": "pattern", "grep": "pattern", "webfetch": "url", "websearch": "query",
	"task": "subagent_type", "skill": "name",
}

_text contains {"permission": request.permission, "text": "*", "target": target} if {
	some request in input.requests
	not _searches[request.permission]
	not request.permission in {"bash", "read", "edit", "external_directory"}
	some target in request.targets
}

_normal(text) := replace(text, ` + "`\\`" + `, "/")

# The path as opencode names it, also where it is outside of the workspace.
_relative(absolute) := concat("/", array.concat(back, array.slice(names, common, count(names)))) if {
	root := [name | some name in split(input.workspace.root, "/"); name != ""]
	names := [name | some name in split(absolute, "/"); name != ""]
	common := max({n |
		some n in numbers.range(0, count(root))
		array.slice(root, 0, n) == array.slice(names, 0, n)
	})
	back := [".." | some _ in array.slice(root, common, count(root))]
}

_directory(path) := path.absolute if {
	path.origin == "directory"
} else := path.absolute if {
	input.tool.kind in {"glob", "grep", "list"}
} else := regex.replace(path.absolute, "/[^/]*$", "")
`
