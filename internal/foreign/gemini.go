package foreign

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/permctl/permctl/internal/permission"
)

// Gemini is Gemini CLI 0.61: its documentation (docs/reference/policy-engine.md),
// and its source (packages/core/src/policy), in its mode default.
var Gemini = &Source{
	Name: "gemini",
	Files: "~/.gemini/policies/*.toml, /etc/gemini-cli/policies/*.toml (managed),\n" +
		"settings.json: tools, mcp, and mcpServers. Those that are merged first come first.",
	read: readGemini,
}

// The tiers of Gemini CLI's rules, in thousandths, of which a rule's own priority
// is one or more.
const (
	geminiBuiltIn   = 1000
	geminiExtension = 2000
	geminiWorkspace = 3000
	geminiUser      = 4000
	geminiAdmin     = 5000
)

// A geminiRule is a rule of Gemini CLI. The one with the highest priority that
// matches decides.
type geminiRule struct {
	// names is a regular expression for the names of tools, and server the MCP
	// server whose tools they are: "*" for that of any, and "" whether or not
	// there is one.
	names  string
	server string

	// except is a regular expression for names of tools that the rule is not for,
	// or "".
	except string

	// args is a regular expression for what the tool is given, as JSON, or "" if
	// that does not matter, and patterned whether it does to Gemini CLI.
	args      string
	patterned bool

	action   permission.Action
	priority int

	// interactive is whether there has to be somebody to ask, or nobody; or nil.
	interactive *bool

	redirects bool // whether it lets commands be redirected

	// sure is whether nothing but the above has a say in whether it matches. One
	// that is not may only ask or deny, and hides no rule below it.
	sure bool

	message string
	from    Origin

	// tool and prefix are as the rule has them, for samples.
	tool, prefix string
}

// geminiReaders are what Gemini CLI by itself allows in its mode default.
var geminiReaders = []string{
	"glob", "grep_search", "list_directory", "read_file", "google_web_search", "codebase_investigator", "cli_help", "get_internal_docs",
	"tracker_create_task", "tracker_update_task", "tracker_get_task", "tracker_list_tasks", "tracker_add_dependency", "tracker_visualize",
	"update_topic", "complete_task", "read_mcp_resource", "list_mcp_resources", "invoke_agent",
}

// readGemini makes a book of policy files and settings.
func readGemini(files []File) (*book, error) {
	r := geminiReader{book: &book{base: []Rule{{"*", "*", permission.Ask, Origin{}}}}}
	for _, admin := range []bool{true, false} {
		for _, f := range files {
			if !strings.HasSuffix(f.Name, ".json") && (geminiTier(f) == geminiAdmin) == admin {
				if err := r.policies(f); err != nil {
					return nil, err
				}
			}
		}
	}
	r.builtIn()
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".json") {
			if err := r.settings(f); err != nil {
				return nil, err
			}
		}
	}
	r.lists()
	if err := r.limit(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(r.rules, func(a, b geminiRule) int { return b.priority - a.priority })
	j := geminiJudge{r.rules}
	r.book.preset = geminiPreset(r.rules)
	r.book.answer = j.answer
	r.book.samples = geminiSamples(r.rules, j.answer)
	return r.book, nil
}

// limit refuses more rules than anybody can read, each counted with its tools and
// prefixes.
func (r *geminiReader) limit() error {
	sum := 0
	for _, rule := range r.rules {
		if rule.from.Line == 0 {
			continue // Gemini CLI's own
		}
		if sum++; sum > maxCompared {
			return tooManyAt(rule.from)
		}
	}
	return nil
}

// A geminiReader gathers rules.
type geminiReader struct {
	book  *book
	rules []geminiRule

	// last are the lists of settings of which the last file's counts.
	last map[string]geminiList
}

// The folders of policies of which the path says the tier.
var (
	geminiAdminPath     = regexp.MustCompile(`(?:/etc|ProgramData)/gemini-cli/policies/|GeminiCli/policies/`)
	geminiExtensionPath = regexp.MustCompile(`(?:^|/)\.gemini/extensions/`)
	geminiPolicyPath    = regexp.MustCompile(`(?:^|/)\.gemini/`)
)

// geminiTier returns the tier of a policy file. What lies in a folder .gemini that
// is not the home directory's is a project's.
func geminiTier(f File) int {
	name := strings.ReplaceAll(f.Name, `\`, "/")
	switch {
	case f.Scope == Managed:
		return geminiAdmin
	case f.Scope == Project, f.Scope == Local:
		return geminiWorkspace
	case f.Scope == User:
		return geminiUser
	case geminiAdminPath.MatchString(name):
		return geminiAdmin
	case geminiExtensionPath.MatchString(name):
		return geminiExtension
	case geminiPolicyPath.MatchString(name) && !inHome(f.Name):
		return geminiWorkspace
	}
	return geminiUser
}

// inHome reports whether a file lies in the home directory's folder .gemini.
func inHome(name string) bool {
	if strings.HasPrefix(name, "~/.gemini/") {
		return true
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return false
	}
	file, err := filepath.Abs(name)
	return err == nil && strings.HasPrefix(filepath.ToSlash(file), strings.TrimSuffix(filepath.ToSlash(home), "/")+"/.gemini/")
}

// builtIn adds what Gemini CLI has by itself.
func (r *geminiReader) builtIn() {
	from := Origin{File: "Gemini CLI's own policies"}
	for _, name := range geminiReaders {
		r.rules = append(r.rules, geminiRule{names: geminiExactly(name), action: permission.Allow, priority: geminiBuiltIn + 50, sure: true, from: from})
	}
	r.rules = append(r.rules, geminiRule{names: geminiExactly("exit_plan_mode"), action: permission.Deny, priority: geminiBuiltIn + 50, sure: true, from: from})
}

func geminiExactly(name string) string { return "^" + regexp.QuoteMeta(name) + "$" }

// policies reads a policy file.
func (r *geminiReader) policies(f File) error {
	tables, err := tomlTables(f)
	if err != nil {
		return err
	}
	for _, table := range tables {
		t := geminiTable{tomlTable: table, file: f.Name}
		switch table.name {
		case "rule":
			r.rule(&t, geminiTier(f))
		case "safety_checker":
			r.checker(&t, geminiTier(f))
		default:
			t.wrong(table.line, "[[%s]] is nothing that policies have%s: write [[rule]]", table.name, permission.DidYouMean(table.name, "rule", "safety_checker"))
		}
		if t.err != nil {
			return t.err
		}
	}
	return nil
}

// rule reads a rule. It may be several of Gemini CLI's: one for each tool and
// prefix.
func (r *geminiReader) rule(t *geminiTable, tier int) {
	made := geminiRule{action: t.decision(), priority: tier + t.priority(true), sure: true, from: Origin{t.file, t.line, "rule"}}
	made.redirects, _ = t.is("allowRedirection")
	if old, there := t.is("allow_redirection"); there && t.fields["allowRedirection"].kind == unstable.Invalid {
		made.redirects = old
	}
	if there, ok := t.is("interactive"); ok {
		made.interactive = &there
	}
	made.message = t.text("denyMessage")
	if made.message == "" {
		made.message = t.text("deny_message")
	}
	var doubts []string
	modes := t.list("modes")
	for _, mode := range modes {
		if !slices.Contains(geminiModes, mode) {
			t.wrong(t.fields["modes"].line, "unknown mode %q%s: use default, autoEdit, yolo or plan", mode, permission.DidYouMean(mode, geminiModes...))
		}
	}
	if len(modes) > 0 && !slices.Contains(modes, "default") {
		doubts = append(doubts, "Gemini CLI tells no hook its mode, and it is taken for default")
	}
	if tier == geminiWorkspace {
		doubts = append(doubts, "Gemini CLI reads no policies of a project: give --scope FILE=user if they are the user's")
	}
	if tier == geminiExtension && made.action == permission.Allow {
		doubts = append(doubts, "Gemini CLI lets no extension allow anything")
	}
	if t.text("subagent") != "" {
		doubts = append(doubts, "Gemini CLI tells no hook which agent calls")
	}
	if _, there := t.fields["toolAnnotations"]; there {
		doubts = append(doubts, "Gemini CLI tells no hook a tool's annotations")
	}
	for _, name := range sortedKeys(t.fields) {
		if !slices.Contains(geminiFields, name) {
			r.book.note(Origin{t.file, t.fields[name].line, name}, "has no effect: Gemini CLI's rules have no such field%s", permission.DidYouMean(name, geminiFields...))
		}
	}
	r.each(t, made, doubts)
}

// checker reads a safety checker: what it would look at is asked.
func (r *geminiReader) checker(t *geminiTable, tier int) {
	made := geminiRule{action: permission.Ask, priority: tier + 1000 + t.priority(false), from: Origin{t.file, t.line, "safety_checker"}}
	r.each(t, made, []string{"permctl runs no safety checkers"})
}

// each adds a rule for each of a table's tools and patterns.
func (r *geminiReader) each(t *geminiTable, made geminiRule, doubts []string) {
	tools := t.list("toolName")
	server := t.text("mcpName")
	if _, there := t.fields["mcpName"]; there && server == "" {
		t.wrong(t.line, "mcpName must not be empty")
	}
	if _, there := t.fields["toolName"]; !there {
		if server == "" {
			t.wrong(t.line, "the rule has no toolName: write the name of a tool, or * for all")
		}
		tools = []string{"*"}
	}
	patterns, prefixes := t.patterns()
	if t.err != nil {
		return
	}
	for i, pattern := range patterns {
		for _, tool := range tools {
			one, why := made, slices.Clone(doubts)
			one.tool, one.prefix = geminiFullName(server, tool), prefixes[i]
			one.from.Text = strings.TrimSpace(one.tool + " " + prefixes[i])
			if why = append(why, one.named(one.tool)...); server != "" {
				one.server = server
			}
			if pattern != "" {
				one.patterned = true
				expression, err := jsRegexp(pattern)
				if err == nil && geminiNested.MatchString(pattern) {
					err = errGeminiNested
				}
				if err != nil && one.action != permission.Allow {
					why = append(why, fmt.Sprintf("it %s every %s, because its expression %v: rewrite the expression without it, or leave the rule out", geminiDoes[one.action], geminiCalls(one.tool), err))
				} else if err != nil {
					why = append(why, fmt.Sprintf("its expression %v", err))
				}
				one.args = expression
			}
			r.add(one, why)
		}
	}
}

// geminiDoes are actions as a note tells them.
var geminiDoes = map[permission.Action]string{permission.Ask: "asks for", permission.Deny: "denies"}

// geminiCalls returns what calls of a tool are called.
func geminiCalls(tool string) string {
	if tool == "run_shell_command" {
		return "shell command"
	}
	return "call of " + tool
}

// geminiNested are the expressions that Gemini CLI does not take, and with them
// not the rule.
var (
	geminiNested    = regexp.MustCompile(`\([^)]*[*+?{].*\)[*+?{]`)
	errGeminiNested = errors.New("is one that Gemini CLI does not take: it repeats what has repetitions")
)

// add adds a rule, or notes why it is not sure to match and what becomes of it.
func (r *geminiReader) add(made geminiRule, doubts []string) {
	switch {
	case len(doubts) == 0:
		made.sure = true
	case made.action == permission.Allow:
		r.book.note(made.from, "is left out: %s", strings.Join(doubts, "; "))
		return
	default:
		made.sure = false
		r.book.note(made.from, "may hold for more than in Gemini CLI: %s", strings.Join(doubts, "; "))
	}
	if made.sure && made.action == permission.Allow && !made.patterned && regexp.MustCompile(made.names).MatchString("run_shell_command") {
		r.book.note(made.from, "allows no command that permctl cannot analyse")
	}
	r.rules = append(r.rules, made)
}

// patterns returns the expressions in JavaScript for what the tool is given, of
// which "" is for whatever that is, and for each the prefix that it is made of.
func (t *geminiTable) patterns() (patterns, prefixes []string) {
	have := map[string]bool{}
	for _, name := range []string{"argsPattern", "commandRegex"} {
		if v, there := t.fields[name]; there {
			have[name] = true
			if t.text(name) == "" {
				t.wrong(v.line, "%s must not be empty: leave it out if it does not matter", name)
			}
		}
	}
	prefixes = t.list("commandPrefix")
	_, have["commandPrefix"] = t.fields["commandPrefix"]
	tool := t.fields["toolName"]
	switch {
	case (have["commandPrefix"] || have["commandRegex"]) && (tool.kind != unstable.String || tool.text != "run_shell_command"):
		t.wrong(t.line, `commandPrefix and commandRegex need toolName = "run_shell_command"`)
	case have["commandPrefix"] && have["commandRegex"], have["argsPattern"] && (have["commandPrefix"] || have["commandRegex"]):
		t.wrong(t.line, "only one of argsPattern, commandPrefix and commandRegex can be there: write a rule for each")
	case have["commandPrefix"]:
		for _, prefix := range prefixes {
			patterns = append(patterns, geminiPrefix(prefix))
		}
		return patterns, prefixes
	case have["commandRegex"]:
		return []string{`"command":"` + t.text("commandRegex")}, []string{""}
	}
	return []string{t.text("argsPattern")}, []string{""}
}

// geminiPrefix returns the expression for commands that begin with a prefix, which
// ends at a blank, a quote or the end of the text.
func geminiPrefix(prefix string) string {
	text := strings.TrimSuffix(geminiJSON(prefix), `"`)
	return regexp.QuoteMeta(`"command":`+text) + `(?:[\s"]|\\")`
}

// geminiJSON returns a text as JavaScript writes it in JSON.
func geminiJSON(v any) string {
	return strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029").Replace(quoted(v))
}

// geminiFullName returns the name of a tool, of an MCP server if there is one.
func geminiFullName(server, tool string) string {
	switch {
	case server == "":
		return tool
	case server == "*" && tool == "*":
		return "mcp_*"
	}
	return "mcp_" + server + "_" + tool
}

// named sets for which tools a rule is, and returns why that is not sure.
func (g *geminiRule) named(name string) (doubts []string) {
	server, all := strings.CutSuffix(strings.TrimPrefix(name, "mcp_"), "_*")
	switch {
	case name == "*":
		g.names = "(?s)^.*$"
	case name == "mcp_*":
		g.names, g.server = "(?s)^.*$", "*"
	case strings.HasPrefix(name, "mcp_") && all && !strings.Contains(server, "*"):
		g.names, g.server = "^"+regexp.QuoteMeta("mcp_"+server+"_"), server
	case strings.Contains(name, "*"):
		g.names = "(?s)^" + starred(name) + "$"
		return []string{"Gemini CLI itself knows a star only as *, mcp_* and mcp_SERVER_*"}
	default:
		g.names = geminiExactly(name)
	}
	return nil
}

// geminiText returns what a tool is given as Gemini CLI's expressions are matched
// with it: JSON in which each field at the top stands between zero characters.
func geminiText(args map[string]any) string {
	var pairs []string
	for _, name := range sortedKeys(args) {
		value, err := json.Marshal(args[name])
		if err != nil {
			continue // nothing that was read as JSON fails to be written
		}
		var again any
		if json.Unmarshal(value, &again) == nil {
			pairs = append(pairs, "\x00"+geminiJSON(name)+":"+geminiJSON(again)+"\x00")
		}
	}
	return "{" + strings.Join(pairs, ",") + "}"
}
