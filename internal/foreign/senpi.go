package foreign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/jsonc"
	"github.com/permctl/permctl/internal/permission"
)

// Senpi is senpi's permission-system extension.
var Senpi = &Source{
	Name:  "senpi",
	Files: "settings.json: the user's comes before the project's",
	read:  readSenpi,
}

// senpiPresets are senpi's presets, each with its rules, after a rule that asks
// for everything.
var senpiPresets = map[string][]Rule{
	"full-access": {{Permission: "*", Pattern: "*", Action: permission.Allow}},
	"workspace": {
		{Permission: "read", Pattern: "*", Action: permission.Allow},
		{Permission: "list", Pattern: "*", Action: permission.Allow},
		{Permission: "grep", Pattern: "*", Action: permission.Allow},
		{Permission: "edit", Pattern: "*", Action: permission.Allow},
		{Permission: "bash", Pattern: "*", Action: permission.Allow},
	},
	"read-only": {
		{Permission: "read", Pattern: "*", Action: permission.Allow},
		{Permission: "list", Pattern: "*", Action: permission.Allow},
		{Permission: "grep", Pattern: "*", Action: permission.Allow},
	},
	"ask": nil,
}

// readSenpi reads settings, whose rules come one after the other.
func readSenpi(files []File) (*book, error) {
	base := Origin{File: "senpi's default"}
	b := &book{base: []Rule{{"*", "*", permission.Allow, base}}}
	own := &lastMatch{agent: "senpi", rules: slices.Clone(b.base), left: map[Rule]bool{}, asks: senpiAsks, texts: senpiTexts}
	for _, f := range files {
		r := openCodeReader{f.Name}
		root, err := r.parse(f.Text)
		if err != nil {
			return nil, err
		}
		if err := r.misspelt(root, "senpi", nil, []string{"permission", "permissionPreset"}); err != nil {
			return nil, err
		}
		for _, key := range []string{"agent", "agents", "mode", "tools"} {
			if v := root.Member(key); v.Kind() != jsonc.None {
				b.note(Origin{f.Name, v.Line(), key}, "is not read: senpi has its rules below permission and permissionPreset")
			}
		}
		rules, err := r.senpiPreset(root.Member("permissionPreset"))
		if err != nil {
			return nil, err
		}
		var m openCodeMap
		if err := r.permission(root.Member("permission"), &m); err != nil {
			return nil, err
		}
		rules = append(rules, m.rules()...)
		if len(rules) == 0 {
			b.note(Origin{File: f.Name}, "has no rule: senpi's default holds, which allows everything")
		}
		own.rules = append(own.rules, rules...)
		if err := limited(own.rules, nil); err != nil {
			return nil, err
		}
		b.rules = append(b.rules, senpiSettings(b, own, rules)...)
	}
	own.finish(b)
	return b, nil
}

// senpiPreset returns the rules of the preset that a file names.
func (r openCodeReader) senpiPreset(v jsonc.Value) ([]Rule, error) {
	if v.Kind() == jsonc.None {
		return nil, nil
	}
	preset, ok := senpiPresets[v.Text()]
	if !ok {
		return nil, r.errorf(v, "senpi has no preset %s%s: it has full-access, workspace, read-only and ask",
			v, permission.DidYouMean(v.Text(), "full-access", "workspace", "read-only", "ask"))
	}
	from := Origin{r.file, v.Line(), "permissionPreset: " + v.String()}
	rules := []Rule{{"*", "*", permission.Ask, from}}
	for _, rule := range preset {
		rule.From = from
		rules = append(rules, rule)
	}
	return rules, nil
}

// senpiSettings returns the rules that permctl's settings can have, and notes the
// others. senpi compares patterns with as many words of a command as make its
// name, and with paths as the agent writes them.
func senpiSettings(b *book, own *lastMatch, rules []Rule) []Rule {
	var kept []Rule
	unknown(b, "senpi", rules)
	for _, r := range rules {
		out := matchesNothing("senpi", r)
		name, unlike := senpiName(r)
		switch {
		case out != "":
		case unlike && r.Action == permission.Allow:
			out = fmt.Sprintf("is left out: senpi compares it with the name of a command, %s, so that it never allows anything", name)
		case unlike:
			b.note(r.From, "holds from now on: senpi compares it with the name of a command, %s, so that it never did", name)
		}
		if out != "" {
			own.left[r] = true
			b.note(r.From, "%s", out)
			continue
		}
		if r.Action == permission.Allow && r.Permission == "bash" && name == r.Pattern {
			kept = append(kept, Rule{r.Permission, r.Pattern + " *", r.Action, r.From}) // with arguments too
			continue
		}
		kept = append(kept, r)
	}
	return kept
}

// senpiName returns the name of the command that a pattern is for, as far as it
// says one, and whether the pattern says more than any name could.
func senpiName(r Rule) (name string, unlike bool) {
	literal, _ := permission.Literal(r.Pattern)
	rest := r.Pattern[len(literal):]
	if r.Permission != "bash" || strings.Trim(rest, " *") != "" || strings.TrimSpace(literal) == "" {
		return "", false
	}
	commands := bash.Parse(literal+" x y", nil).Commands
	if len(commands) != 1 {
		return "", false
	}
	name = senpiWords(commands[0])
	return name, !strings.HasPrefix(name, strings.TrimSpace(literal))
}

// senpiWords returns as many words of a command as make its name.
func senpiWords(c bash.Command) string {
	words := []string{c.Program}
	for _, w := range c.Args {
		words = append(words, w.Text)
	}
	return strings.Join(words[:min(len(words), max(1, len(strings.Fields(c.Prefix))))], " ")
}

// senpiAsks returns what senpi asks its rules about a call.
func senpiAsks(call input.Call) []asked {
	name := input.PermissionOf(call.Tool)
	text := func(fallback string, keys ...string) string {
		for _, key := range keys {
			if s, ok := call.Input[key].(string); ok && s != "" {
				return s
			}
		}
		return fallback
	}
	var made []asked
	file := ""
	switch name {
	case "bash":
		return senpiShell(text("", "command", "input"))
	case "read", "edit":
		file = text("*", "path", "file_path", "filePath")
		made = []asked{{name, file}}
	case "list":
		file = text(".", "path")
		made = []asked{{name, file}}
	case "grep":
		file = text("", "path")
		made = []asked{{name, text("*", "path", "pattern")}}
	default:
		return []asked{{call.Tool, "*"}}
	}
	if file != "" && file != "*" && senpiOutside(file) {
		made = append(made, asked{"external_directory", file})
	}
	return made
}

// senpiShell returns what senpi asks of a shell line: the names of the commands,
// and all words that look like paths outside.
func senpiShell(text string) []asked {
	if text == "" {
		return []asked{{"bash", "*"}}
	}
	var made []asked
	for _, c := range bash.Parse(text, nil).Commands {
		if len(c.Wrappers) > 0 {
			continue
		}
		made = append(made, asked{"bash", senpiWords(c)})
		if keyword := strings.Fields(keywordBefore(text, c)); len(keyword) > 0 {
			made = append(made, asked{"bash", keyword[0]}) // for who takes it for a program
		}
		for _, w := range c.Args {
			if strings.Contains(w.Text, "/") && !strings.HasPrefix(w.Text, "-") && !strings.Contains(w.Text, "=") && senpiOutside(w.Text) {
				made = append(made, asked{"external_directory", w.Text})
			}
		}
	}
	return made
}

// senpiOutside reports whether a path lies outside of the workspace of samples.
func senpiOutside(name string) bool {
	file := sampleAbsolute(name)
	return file != sampleRoot && !strings.HasPrefix(file, sampleRoot+"/")
}

// senpiTexts is senpiAsks in Rego. What looks like a path outside and is none that
// permctl knows of has no target that its settings would judge.
var senpiTexts = strings.ReplaceAll(keywordsRego, "AGENT", "senpi") + `
_text contains {"permission": "bash", "text": text, "target": target} if {
	some i, command in input.commands
	count(command.wrappers) == 0
	text := regex.find_n("^[a-z]+", _keyword(command), 1)[0]
	some request in input.requests
	request.permission == "bash"
	some target in request.targets
	target.command == i
	target.operands[0] == command.name
}

_text contains {"permission": "bash", "text": text, "target": target} if {
	some i, command in input.commands
	count(command.wrappers) == 0
	words := array.concat([command.program], [word.text | some word in command.args])
	text := concat(" ", array.slice(words, 0, max([1, count(split(command.prefix, " "))])))
	some request in input.requests
	request.permission == "bash"
	some target in request.targets
	target.command == i
	target.operands[0] == command.name
}

_text contains {"permission": request.permission, "text": path.path, "target": target} if {
	some request in input.requests
	request.permission in {"read", "edit", "list", "grep", "external_directory"}
	some target in request.targets
	target.judges == "any"
	some path in input.paths
	path.absolute in target.forms
}

_text contains {"permission": "grep", "text": input.call.input.pattern, "target": target} if {
	not input.call.input.path
	some request in input.requests
	request.permission == "grep"
	some target in request.targets
	target.judges == "any"
}

_text contains {"permission": request.permission, "text": "*", "target": target} if {
	some request in input.requests
	not request.permission in {"bash", "read", "edit", "list", "grep", "external_directory"}
	some target in request.targets
}

_text contains {"permission": "external_directory", "text": word.text, "target": {"judges": "none"}} if {
	some command in input.commands
	count(command.wrappers) == 0
	some word in command.args
	regex.match("^(/|~|\\$HOME/|([^-=][^=]*/)?\\.\\.(/|$))", word.text)
	absolute := regex.replace(word.text, "^(~|\\$HOME)(/|$)", concat("", [input.user.home, "$2"]))
	not absolute in {path.absolute | some path in input.paths; not path.inside}
	not word.text in {path.path | some path in input.paths; not path.inside}
	not absolute == input.workspace.root
	not _below(absolute)
}

_below(absolute) if {
	startswith(absolute, concat("", [input.workspace.root, "/"]))
	not contains(absolute, "/../")
	not endswith(absolute, "/..")
}

_normal(text) := text
`
