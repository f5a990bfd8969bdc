package settings_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/settings"
)

// options are those of a person at /home/u, with the tools that tests speak of.
var options = settings.Options{
	Home:    "/home/u",
	Presets: []string{"full-access", "workspace", "read-only", "ask"},
	PermissionOf: func(tool string) string {
		switch strings.ToLower(tool) {
		case "write", "multiedit", "apply_patch", "notebookedit":
			return "edit"
		case "ls", "find":
			return "list"
		case "bash", "monitor":
			return "bash"
		default:
			return tool
		}
	},
}

// parse reads text as the settings file s.yaml.
func parse(t *testing.T, text string) *settings.File {
	t.Helper()
	file, err := settings.Parse(strings.NewReader(text), "s.yaml", options)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return file
}

// lines returns rules as "source: permission pattern action", without the
// file's name.
func lines(rules []permission.Rule) []string {
	var all []string
	for _, r := range rules {
		_, line, _ := strings.Cut(r.Source, ":")
		all = append(all, fmt.Sprintf("%s: %s %s %s", line, r.Permission, r.Pattern, r.Action))
	}
	return all
}

// settingsOf are permission settings with the rules that they give, and their
// lines.
var settingsOf = []struct {
	text string
	want []string
}{
	{"", nil},
	{"\n# nothing yet\n", nil},
	{"---\n# nothing yet\n", nil},
	{"permission: {}", nil},
	{"permission: allow", []string{"1: * * allow"}},
	{"permission:\n  bash: allow\n", []string{"2: bash * allow"}},

	// Order in the file is order of the rules; a late star is a late rule.
	{`permission: {bash: allow, "*": deny}`, []string{"1: bash * allow", "1: * * deny"}},
	{`
permission:
  bash: allow
  "*": ask
  edit: deny
  mcp_*: allow
`, []string{"3: bash * allow", "4: * * ask", "5: edit * deny", "6: mcp_* * allow"}},
	{`
permission:
  "*": ask
  read:
    "*": allow
    "*.env": deny
`, []string{"3: * * ask", "5: read * allow", "6: read *.env deny"}},
	{`
permission:
  bash:
    rm: deny
    "*": allow
    git status *: ask
`, []string{"4: bash rm deny", "5: bash * allow", "6: bash git status * ask"}},

	// Home at a pattern's start, and nowhere else.
	{`
permission:
  external_directory:
    ~/projects/*: allow
    $HOME/notes/*: ask
    $HOME: allow
    ~: deny
    ~/: ask
    /some/~/path: allow
    ~user/x: deny
`, []string{
		"4: external_directory /home/u/projects/* allow", "5: external_directory /home/u/notes/* ask",
		"6: external_directory /home/u allow", "7: external_directory /home/u deny", "8: external_directory /home/u/ ask",
		"9: external_directory /some/~/path allow", "10: external_directory ~user/x deny",
	}},

	// Keys are text, whatever YAML takes them for.
	{"permission: {bash: {8080: ask, true: deny, 1.0: ask}}", []string{"1: bash 8080 ask", "1: bash true deny", "1: bash 1.0 ask"}},

	// Tools that share a permission.
	{"permission:\n  write: deny\n  ls: {/etc: ask}\n", []string{"2: edit * deny", "3: list /etc ask"}},
}

func TestRules(t *testing.T) {
	for _, tt := range settingsOf {
		if diff := cmp.Diff(tt.want, lines(parse(t, tt.text).Rules)); diff != "" {
			t.Errorf("%s: rules (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestJSON(t *testing.T) {
	text := `{
  "permission": {
    "bash": {
      "git\tpush \ud83d\ude00 \/*": "deny",

      "*": "allow"},
	"edit": "ask"
  },
  "permissionPreset": "workspace",
  "agents": {"plan": {"readOnly": true}},
  "arity": {"my  tool": 3},
  "planFiles": ["~/plans/*"],
  "commands": {"frob": {"effects": ["read"], "operands": "read..."}}
}`
	file, err := settings.Parse(strings.NewReader("\ufeff"+text), "s.json", options)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"4: bash git\tpush 😀 /* deny", "6: bash * allow", "7: edit * ask"}
	if diff := cmp.Diff(want, lines(file.Rules)); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	file.Rules = nil
	wantFile := &settings.File{
		Path: "s.json", Preset: "workspace", PresetSource: "s.json:9",
		Agents:    map[string]settings.Agent{"plan": {ReadOnly: true}},
		Arity:     map[string]int{"my tool": 3},
		PlanFiles: []string{"/home/u/plans/*"},
		Commands:  map[string]bash.Row{"frob": {Effects: []bash.Effect{bash.Read}, Operands: "read..."}},
	}
	if diff := cmp.Diff(wantFile, file); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

func TestFile(t *testing.T) {
	file := parse(t, `
permissionPreset: read-only
agents:
  build:
    permission: {bash: ask}
  plan:
    readOnly: true
    permission:
      edit: {"*": deny, ~/plans/*: allow}
approvals: {beat: deny}
arity: {terragrunt run-all: 3}
commands:
  frob: {effects: [read]}
planFiles: [~/plans/*, notes.md]
`)
	if diff := cmp.Diff(map[string]bash.Row{"frob": {Effects: []bash.Effect{bash.Read}}}, file.Commands); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
	file.Commands = nil
	agentRule := func(permissionName, pattern string, action permission.Action, line int) permission.Rule {
		return permission.Rule{
			Permission: permissionName, Pattern: pattern, Action: action,
			Layer: permission.LayerAgent, Source: "s.yaml:" + strconv.Itoa(line),
		}
	}
	want := &settings.File{
		Path: "s.yaml", Preset: "read-only", PresetSource: "s.yaml:2",
		Agents: map[string]settings.Agent{
			"build": {Rules: []permission.Rule{agentRule("bash", "*", "ask", 5)}},
			"plan": {ReadOnly: true, Rules: []permission.Rule{
				agentRule("edit", "*", "deny", 9), agentRule("edit", "/home/u/plans/*", "allow", 9),
			}},
		},
		ApprovalsBeatDeny: true,
		Arity:             map[string]int{"terragrunt run-all": 3},
		PlanFiles:         []string{"/home/u/plans/*", "notes.md"},
	}
	if diff := cmp.Diff(want, file); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

func TestWarnings(t *testing.T) {
	for _, tt := range []struct{ permission, want string }{
		{"bash", ""},
		{"external_directory", ""},
		{"mcp_*", ""},
		{"mcp__github__bsh", ""},
		{"srv_read_file", ""},
		{"AskUserQuestion", ""},
		{"BashOutput", ""},
		{"ToolSearch", ""},
		{"LSP", ""},
		{"doom_loop", ""},
		{"*", ""},
		{"web*", ""},
		{"write", `s.yaml:2: "write" is read as "edit", the permission that the tool shares: write that`},
		{"find", `s.yaml:2: "find" is read as "list", the permission that the tool shares: write that`},
		{"monitor", `s.yaml:2: "monitor" is read as "bash", the permission that the tool shares: write that`},
		{"bsh", `s.yaml:2: no tool that permctl knows needs the permission "bsh" (did you mean "bash"?)`},
		{"external-directory", `s.yaml:2: no tool that permctl knows needs the permission "external-directory" (did you mean "external_directory"?)`},
		{"kubernetes", `s.yaml:2: no tool that permctl knows needs the permission "kubernetes"`},
		{"Web*", `s.yaml:2: "Web*" matches no permission that permctl knows (did you mean "web*"?)`},
	} {
		file := parse(t, fmt.Sprintf("permission:\n  %q: ask\n", tt.permission))
		if got := strings.Join(file.Warnings, "\n"); got != tt.want {
			t.Errorf("%s: warnings %q, want %q", tt.permission, got, tt.want)
		}
	}
}

// mistakes are settings with the whole message that they give.
var mistakes = []struct{ text, want string }{
	// Actions.
	{"permission: alow", `s.yaml:1: unknown action "alow" (did you mean "allow"?): use allow, ask or deny`},
	{"permission:\n  bash: true", `s.yaml:2: unknown action "true": use allow, ask or deny`},
	{"permission:\n  bash:", `s.yaml:2: "bash" has no action: use allow, ask or deny`},
	{"permission:\n", `s.yaml:1: "permission" has no action: use allow, ask or deny`},
	{"permission:\n  bash:\n    ls: {a: b}", `s.yaml:3: "ls" must be an action, but is a map: use allow, ask or deny`},

	// Names.
	{"permission:\n  Bash: deny", `s.yaml:2: unknown permission "Bash" (did you mean "bash"?): permissions are written in lower case`},
	{"permission: {Write: deny}", `s.yaml:1: unknown permission "Write" (did you mean "edit"?): permissions are written in lower case`},
	{"permission: {ExternalDirectory: deny}", `s.yaml:1: unknown permission "ExternalDirectory" (did you mean "external_directory"?): permissions are written in lower case`},
	{"permission: {'bash ': deny}", `s.yaml:1: permission "bash " has a space at an end: write "bash"`},
	{"permission: {'': deny}", `s.yaml:1: an empty permission matches nothing: write "*" for all`},
	{"permission: {'bash:git push': deny}", `s.yaml:1: unknown permission "bash:git push": write the pattern below the permission: bash: {"git push": …}`},
	{"permission: {'Bash(rm:*)': deny}", `s.yaml:1: unknown permission "Bash(rm:*)": write the pattern below the permission, as in bash: {"git status *": allow}`},

	// Patterns.
	{"permission:\n  bash: {}", `s.yaml:2: bash has no patterns, and so protects nothing: give it an action or patterns, or leave it out`},
	{"permission: {bash: {'': ask}}", `s.yaml:1: an empty pattern matches nothing: write "*" for everything`},
	{"permission: {bash: [ask]}", `s.yaml:1: bash must be an action or a map of patterns to actions, but is a list`},
	{"permission: [ask]", `s.yaml:1: permission must be a map, but is a list`},
	{"permission:\n  *: ask", `s.yaml:2: did not find expected alphabetic or numeric character (what begins with * has to be quoted: "*.env")`},
	{"permission:\n\n  *foo: ask", `s.yaml:3: unknown anchor 'foo' referenced (what begins with * has to be quoted: "*.env")`},

	// Keys.
	{"permissions: ask", `s.yaml:1: unknown key "permissions" (did you mean "permission"?): settings may have permission, permissionPreset, agents, approvals, arity, commands, planFiles`},
	{"agents:\n  build:\n    readonly: true", `s.yaml:3: unknown key "readonly" (did you mean "readOnly"?): agents.build may have permission, readOnly`},
	{"permission: ask\npermission: deny", `s.yaml:2: "permission" is there twice, first in line 1`},
	{"permission:\n  bash:\n    ls: ask\n    rm: ask\n    'ls': deny", `s.yaml:5: "ls" is there twice, first in line 3`},
	{"[a, b]: ask", `s.yaml:1: a key must be a word, but is a list`},

	// The rest.
	{"permissionPreset: workspaces", `s.yaml:1: unknown preset "workspaces" (did you mean "workspace"?): there are full-access, workspace, read-only, ask`},
	{"permissionPreset:", `s.yaml:1: permissionPreset must be text, but is empty`},
	{"permissionPreset: 3", `s.yaml:1: permissionPreset must be text, but is the number 3`},
	{"agents: build", `s.yaml:1: agents must be a map, but is "build"`},
	{"agents: {plan: {readOnly: yes}}", `s.yaml:1: readOnly must be true or false, but is "yes"`},
	{"approvals: {beat: ask}", `s.yaml:1: approvals.beat can only be deny, not "ask": approvals always beat an ask`},
	{"arity: {my tool: 1}", `s.yaml:1: arity of "my tool" must be how many words make the command's name: a whole number, 2 or more`},
	{"arity: {make: 1.5}", `s.yaml:1: arity of "make" must be how many words make the command's name: a whole number, 1 or more`},
	{"arity: {' ': 1}", `s.yaml:1: arity needs the words that a command begins with`},
	{"planFiles: '*.md'", `s.yaml:1: planFiles must be a list of patterns, but is "*.md"`},
	{"planFiles: [[a]]", `s.yaml:1: a pattern of planFiles must be text, but is a list`},
	{"just text", `s.yaml:1: settings must be a map, but is "just text"`},

	// What YAML has and settings have not.
	{"a: &x ask\npermission: *x", "s.yaml:1: anchors and aliases are not supported (what begins with & or * has to be quoted: \"*.env\")\n" +
		"s.yaml:2: anchors and aliases are not supported (what begins with & or * has to be quoted: \"*.env\")"},
	{"permission: {<<: {bash: ask}}", `s.yaml:1: merge keys are not supported`},
	{"permission: !deny ask", `s.yaml:1: tags such as !deny are not supported (what begins with ! has to be quoted)`},
	{"permission: ask\n---\npermission: deny", `s.yaml:2: a second document begins: settings are one`},
	{"commands: {x: {effect: [read]}}", `s.yaml:1: unknown key "effect" (did you mean "effects"?): the command "x" may have wrapper, through, effects, options, operands, modes, stdin, subcommands, global, dash, loose, bundle, shy, chains, plain, walks, ordered, apart, appends, same, bash, away`},
	{"commands: {x: {effects: [reads]}}", `s.yaml:1: the command "x" has the unknown effect "reads": use read write delete run network`},
	{"commands: {x: {modes: [{when: -x, options: -o!wirte}]}}", `s.yaml:1: a mode of the command "x" has the unknown effect "wirte": use read write delete run network`},
	{"commands: {x: {effects: read}}", `s.yaml:1: effects of the command "x" must be a list of words, but is "read"`},
	{"commands:\n  x:\n    effects: [read]\n    options: [-q]\n    dash: 1", "s.yaml:4: options of the command \"x\" must be text, but is a list\n" +
		`s.yaml:5: dash of the command "x" must be true or false, but is the number 1`},
	{"commands:\n  x:\n    effects:\n      - read\n      - reed\n    modes:\n      - when: -x\n        operands: raed", "s.yaml:5: the command \"x\" has the unknown effect \"reed\": use read write delete run network\n" +
		`s.yaml:8: a mode of the command "x" has the unknown use "raed" (did you mean "read"?): docs/settings.md says under commands what there is`},
	{"commands: " + strings.Repeat("[", 40) + strings.Repeat("]", 40), `s.yaml:1: nested deeper than 32 levels`},
	{"permission:\n  bash:\n    ls: ask\n   rm: deny\n", `s.yaml:4: did not find expected key`},
	{"permission:\n  'a'b: ask\n", `s.yaml:2: did not find expected key`},
	{"permission:\n  bash: {a: ask\n  edit: deny\n", `s.yaml:2: did not find expected ',' or '}'`},
	{"permission: {bash: ask", `s.yaml:1: did not find expected ',' or '}'`},

	// All that is wrong is told at once.
	{"permission:\n  Bash: ask\n  bash: alow\nfoo: 1", `s.yaml:2: unknown permission "Bash" (did you mean "bash"?): permissions are written in lower case
s.yaml:3: unknown action "alow" (did you mean "allow"?): use allow, ask or deny
s.yaml:4: unknown key "foo": settings may have permission, permissionPreset, agents, approvals, arity, commands, planFiles`},
}

func TestMistakes(t *testing.T) {
	for _, tt := range mistakes {
		file, err := settings.Parse(strings.NewReader(tt.text), "s.yaml", options)
		if err == nil || file != nil {
			t.Errorf("%q: no error, or a file with it: %v, want %s", tt.text, err, tt.want)
			continue
		}
		if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
			t.Errorf("%q: message (-want +got):\n%s", tt.text, diff)
		}
	}
}

// TestUnknownUse holds that what a row says of words is something that the
// analyser knows.
func TestUnknownUse(t *testing.T) {
	for _, row := range []string{"options: -q -o=wirte", "options: '-o?wirte'", "options: '-o&wirte'", "options: -o=arg+wirte", "operands: arg wirte...", "modes: [{when: -x, operands: wirte}]"} {
		_, err := settings.Parse(strings.NewReader("commands: {x: {"+row+"}}"), "s.yaml", options)
		if want := `the command "x" has the unknown use "wirte" (did you mean "write"?): docs/settings.md says under commands what there is`; err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: error = %v, want one that ends with %q", row, err, want)
		}
	}
	_, err := settings.Parse(strings.NewReader("commands: {x: {stdin: wirte}}"), "s.yaml", options)
	if want := `s.yaml:1: the command "x" has the unknown use "wirte" of standard input: use one of text `; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("stdin: error = %v, want one that begins with %q", err, want)
	}
}

// jsonMistakes are texts that are YAML, or nearly JSON.
var jsonMistakes = []struct{ text, want string }{
	{`{"permission": "ask", "permission": "deny"}`, `s.json:1: "permission" is there twice, first in line 1`},
	{"{\"permission\": {\"bash\": \"ask\",\n\"edit\": \"deny\",\n\"bash\": \"deny\"}}", `s.json:3: "bash" is there twice, first in line 1`},
	{"{\"permission\":\n{\"Bash\": \"ask\"}}", `s.json:2: unknown permission "Bash" (did you mean "bash"?): permissions are written in lower case`},
	{"{\"permission\":\n \"ask\",\n}", `s.json:3: invalid character '}'`},
	{"{\n// note\n}", `s.json:2: invalid character '/'`},
	{"permission: ask", `s.json:1: invalid character 'p'`},
	{"{permission: \"ask\"}", `s.json:1: invalid character 'p'`},
	{"{'permission': \"ask\"}", `s.json:1: invalid character '\''`},
	{"{\"permission\": 'ask'}", `s.json:1: invalid character '\''`},
	{"{\"permission\": \"ask\"}\n{}", `s.json:2: more than one value: settings are one object`},
	{"{\"permission\":\n", `s.json:1: unexpected end of JSON`},
	{`{"permission": 01}`, `s.json:1: invalid character '1'`},
	{`{"permission": "ask"]`, `s.json:1: invalid character ']'`},
	{`["permission"]`, `s.json:1: settings must be a map, but is a list`},
	{strings.Repeat("[", 100_000), `s.json:1: nested deeper than 32 levels`},
	{"{\"permission\": \"\xff\"}", `s.json: not UTF-8`},
}

func TestJSONMistakes(t *testing.T) {
	for _, tt := range jsonMistakes {
		file, err := settings.Parse(strings.NewReader(tt.text), "s.json", options)
		if err == nil || file != nil {
			t.Errorf("%.80q: no error, or a file with it: %v, want %s", tt.text, err, tt.want)
		} else if !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%.80q: %.200v, want %s…", tt.text, err, tt.want)
		}
	}
}

// TestHostile reads texts that are made to cost much.
func TestHostile(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("commands: {a0: &a0 [x, x]\n")
	for i := 1; i < 100; i++ {
		fmt.Fprintf(&bomb, ", a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
	}
	bomb.WriteString("}")
	for _, text := range []string{
		bomb.String(),
		strings.Repeat("[", 1<<20),
		strings.Repeat("{a: ", 1<<18),
		strings.Repeat("- ", 1<<19),
		strings.Repeat("a:\n", 20_000),
		"permission:\n" + strings.Repeat("  Bash: x\n", 10_000),
	} {
		for _, path := range []string{"s.yaml", "s.json"} {
			_, err := settings.Parse(strings.NewReader(text), path, options)
			if err == nil {
				t.Errorf("%.20q as %s: no error", text, path)
			} else if n := strings.Count(err.Error(), "\n"); n > 50 {
				t.Errorf("%.20q as %s: %d lines of errors", text, path, n)
			}
		}
	}

	var names strings.Builder
	names.WriteString("permission:\n")
	for i := range 5_000 {
		fmt.Fprintf(&names, "  bash%d: ask\n", i)
	}
	file := parse(t, names.String())
	if len(file.Rules) != 5_000 || len(file.Warnings) != 50 {
		t.Errorf("5000 odd names: %d rules, %d warnings, want all rules and 50 warnings", len(file.Rules), len(file.Warnings))
	}
}

func TestProjectSettings(t *testing.T) {
	project := options
	project.Project = true
	file, err := settings.Parse(strings.NewReader("permission: ask"), "s.yaml", project)
	if err != nil || len(file.Rules) != 1 || file.Rules[0].Layer != permission.LayerProject {
		t.Errorf("a project's rules: %+v, %v, want one of its layer", file, err)
	}
	_, err = settings.Parse(strings.NewReader("approvals: {beat: deny}"), "s.yaml", project)
	want := "s.yaml:1: approvals can only be set in the global settings: a project must not weaken a deny"
	if err == nil || err.Error() != want {
		t.Errorf("approvals in a project: %v, want %s", err, want)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	if _, err := settings.Read(filepath.Join(dir, "none.yaml"), options); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading no file: %v, want fs.ErrNotExist", err)
	}
	large := filepath.Join(dir, "large.yaml")
	if err := os.WriteFile(large, []byte(strings.Repeat("#", 1<<20+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := settings.Read(large, options); err == nil || err.Error() != large+": larger than 1 MiB: settings are never that long" {
		t.Errorf("reading a large file: %v", err)
	}
	if err := os.Truncate(large, 1<<20); err != nil {
		t.Fatal(err)
	}
	if file, err := settings.Read(large, options); err != nil || file.Path != large {
		t.Errorf("reading a file of 1 MiB: %v, %v", file, err)
	}
}

// TestNoHome shows that a pattern which would protect nothing for want of a
// home directory is not passed over.
func TestNoHome(t *testing.T) {
	text := "permission:\n  read:\n    ~/.ssh/*: deny\n    ~x: deny\nplanFiles: [$HOME/plans/*]\n"
	_, err := settings.Parse(strings.NewReader(text), "s.yaml", settings.Options{})
	want := `s.yaml:3: "~/.ssh/*" needs the home directory, which is not known: set $HOME
s.yaml:5: "$HOME/plans/*" needs the home directory, which is not known: set $HOME`
	if err == nil || err.Error() != want {
		t.Errorf("settings without a home: %v, want %s", err, want)
	}
	_, _, err = settings.ParsePermissionFlag([]string{"read:~/.ssh/*=deny"}, settings.Options{})
	want = `--permission "read:~/.ssh/*=deny": "~/.ssh/*" needs the home directory, which is not known: set $HOME`
	if err == nil || err.Error() != want {
		t.Errorf("a flag without a home: %v, want %s", err, want)
	}
}

func TestExpandHome(t *testing.T) {
	for _, tt := range []struct{ pattern, want string }{
		{"~", "/home/u"},
		{"~/", "/home/u/"},
		{"~/a", "/home/u/a"},
		{"$HOME", "/home/u"},
		{"$HOME/", "/home/u/"},
		{"$HOME/a", "/home/u/a"},
		{"$HOMEX", "$HOMEX"},
		{"~a", "~a"},
		{"${HOME}/x", "${HOME}/x"},
		{"/abs", "/abs"},
		{"/a/~/b", "/a/~/b"},
		{"", ""},
	} {
		if got := settings.ExpandHome(tt.pattern, "/home/u"); got != tt.want {
			t.Errorf("ExpandHome(%q) = %q, want %q", tt.pattern, got, tt.want)
		}
	}
	if got := settings.ExpandHome("~/*", ""); got != "~/*" {
		t.Errorf("without a home, ~/* became %q", got)
	}
	if got := settings.ExpandHome("~/*", "/"); got != "/*" {
		t.Errorf("with / as home, ~/* became %q, want /*", got)
	}
}

// FuzzParse holds every text, as YAML and as JSON, to this: an error, or rules
// with known actions whose sources are lines of the text.
func FuzzParse(f *testing.F) {
	for _, tt := range settingsOf {
		f.Add(tt.text, false)
	}
	for _, tt := range mistakes {
		f.Add(tt.text, false)
	}
	for _, tt := range jsonMistakes {
		f.Add(tt.text, true)
	}
	f.Add(`{"permission": {"bash": {"a\nb": "ask"}}, "agents": {"x": {"permission": "deny"}}}`, true)
	f.Fuzz(func(t *testing.T, text string, isJSON bool) {
		path := "s.yaml"
		if isJSON {
			path = "s.json"
		}
		file, err := settings.Parse(strings.NewReader(text), path, options)
		if err != nil {
			if file != nil || !strings.HasPrefix(err.Error(), path+":") {
				t.Errorf("%.80q: file %v with the error %.200v", text, file, err)
			}
			return
		}
		rules := file.Rules
		for _, agent := range file.Agents {
			rules = append(rules, agent.Rules...)
		}
		for _, rule := range rules {
			if _, err := permission.ParseAction(string(rule.Action)); err != nil {
				t.Errorf("%q: rule %+v: %v", text, rule, err)
			}
			line, err := strconv.Atoi(strings.TrimPrefix(rule.Source, path+":"))
			if err != nil || line < 1 || line > 1+strings.Count(text, "\n")+strings.Count(text, "\r")+strings.Count(text, "\u0085")+strings.Count(text, "\u2028")+strings.Count(text, "\u2029") {
				t.Errorf("%q: rule %+v is from a line that is not there", text, rule)
			}
		}
	})
}

// BenchmarkParse reads what a person might have: 30 rules.
func BenchmarkParse(b *testing.B) {
	var text strings.Builder
	text.WriteString("permission:\n  bash:\n")
	for i := range 30 {
		fmt.Fprintf(&text, "    \"tool%d *\": allow\n", i)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := settings.Parse(strings.NewReader(text.String()), "s.yaml", options); err != nil {
			b.Fatal(err)
		}
	}
}
