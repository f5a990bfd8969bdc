package foreign

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// A geminiJudge answers calls as Gemini CLI's policy engine does in its mode
// default.
type geminiJudge struct {
	rules []geminiRule // the highest priority first
}

// answer returns what Gemini CLI answers to a call.
func (j geminiJudge) answer(call input.Call) permission.Action {
	action := j.check(call, false)
	if action != permission.Allow {
		return action
	}
	if _, more := call.Input["additional_permissions"]; more || geminiBuild(call) {
		return permission.Ask
	}
	return action
}

// check answers a call, or the text that a command in it has another shell run.
func (j geminiJudge) check(call input.Call, within bool) permission.Action {
	rule, action := j.first(call)
	line, ok := call.Input["command"].(string)
	if call.Tool != "run_shell_command" && call.Tool != "ShellTool" || !ok || line == "" {
		return action
	}
	if !within && (rule == nil || !rule.patterned) {
		action = geminiHeuristics(call, line, action)
	}
	return j.shell(call, line, rule, action)
}

// first returns the rule that decides, and what it says.
func (j geminiJudge) first(call input.Call) (*geminiRule, permission.Action) {
	text := geminiText(call.Input)
	for i, r := range j.rules {
		if r.sure && r.meets(call) && (r.args == "" || regexp.MustCompile(r.args).MatchString(text)) {
			return &j.rules[i], r.action
		}
	}
	return nil, permission.Ask
}

var geminiServer = regexp.MustCompile(`^mcp_([^_]+)_.`)

// meets reports whether a rule is for the tool of a call.
func (g *geminiRule) meets(call input.Call) bool {
	server := ""
	if call.MCP != nil {
		server = call.MCP.Server
	}
	if found := geminiServer.FindStringSubmatch(call.Tool); server == "" && found != nil {
		server = found[1]
	}
	there := call.Interactive == nil || *call.Interactive
	if g.server == "*" && server == "" || g.server != "" && g.server != "*" && g.server != server || g.interactive != nil && *g.interactive != there {
		return false
	}
	names := []string{call.Tool}
	switch call.Tool {
	case "grep_search":
		names = append(names, "search_file_content")
	case "search_file_content":
		names = append(names, "grep_search")
	case "invoke_agent":
		if agent, ok := call.Input["agent_name"].(string); ok {
			names = append(names, agent)
		}
	}
	if server != "" && !strings.HasPrefix(call.Tool, "mcp_") {
		names = append(names, "mcp_"+server+"_"+call.Tool)
	}
	if g.except != "" && slices.ContainsFunc(names, regexp.MustCompile(g.except).MatchString) {
		return false
	}
	return slices.ContainsFunc(names, regexp.MustCompile(g.names).MatchString)
}

// geminiHeuristics returns what is answered to a line of which a rule for all of
// them, or none, says an action.
func geminiHeuristics(call input.Call, line string, action permission.Action) permission.Action {
	words := geminiWords(line)
	switch dir, _ := call.Input["dir_path"].(string); {
	case action == permission.Deny:
		return action
	case geminiAway(dir), geminiDangerous(words):
		return permission.Ask
	case action == permission.Ask && geminiPlain.MatchString(line) && dir == "" && geminiSafe(words):
		return permission.Allow
	}
	return action
}

// geminiPlain are lines that are words and nothing else.
var geminiPlain = regexp.MustCompile(`^[A-Za-z0-9_./:=,@%+ -]+$`)

// geminiWords returns the words of a line, those of all of its commands.
func geminiWords(line string) []string {
	if geminiPlain.MatchString(line) {
		return strings.Fields(line)
	}
	var words []string
	for _, c := range bash.Parse(line, nil).Commands {
		if len(c.Wrappers) == 0 {
			words = append(words, c.Program)
			for _, w := range c.Args {
				words = append(words, w.Text)
			}
		}
	}
	return words
}

// geminiAway reports whether a path leads out of the workspace.
func geminiAway(name string) bool {
	if strings.ContainsAny(name, "$`~") {
		return true
	}
	place := samplePath(name)
	return place != sampleRoot && !strings.HasPrefix(place, sampleRoot+"/")
}

// geminiDangerous reports whether a line is asked for though a rule allows all.
func geminiDangerous(words []string) bool {
	for len(words) > 0 && words[0] == "sudo" {
		words = words[1:]
	}
	if len(words) == 0 {
		return false
	}
	has := func(is func(string) bool) bool { return slices.ContainsFunc(words[1:], is) }
	switch words[0] {
	case "ln":
		return has(func(w string) bool {
			return w == "--symbolic" || strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "s")
		})
	case "rm":
		return len(words) > 1 && slices.Contains([]string{"-f", "-rf", "-fr"}, words[1])
	case "find":
		return has(func(w string) bool { return slices.Contains(geminiFind, w) })
	case "git":
		return has(geminiGitOverride) || geminiGitKnown(words) && !geminiGitReads(words)
	case "base64":
		return has(func(w string) bool {
			return strings.HasPrefix(w, "-o") || w == "--output" || strings.HasPrefix(w, "--output=")
		})
	case "rg":
		return has(func(w string) bool {
			w, _, _ = strings.Cut(w, "=")
			return slices.Contains([]string{"--pre", "--hostname-bin", "--search-zip", "-z"}, w)
		})
	}
	return false
}

// geminiFind are the options of find that do more than find.
var geminiFind = []string{"-exec", "-execdir", "-ok", "-okdir", "-delete", "-fls", "-fprint", "-fprint0", "-fprintf"}

func geminiGitOverride(w string) bool {
	return strings.HasPrefix(w, "-c") || w == "--config-env" || strings.HasPrefix(w, "--config-env=")
}

// geminiGitKnown reports whether words are a subcommand of git that may only read.
func geminiGitKnown(words []string) bool {
	return len(words) > 1 && slices.Contains([]string{"status", "log", "diff", "show", "branch"}, words[1])
}

func geminiGitReads(words []string) bool {
	rest := words[2:]
	if slices.ContainsFunc(rest, func(w string) bool {
		name, _, _ := strings.Cut(w, "=")
		return name == "--output" || name == "--exec" || slices.Contains([]string{"--ext-diff", "--textconv", "--paginate"}, w)
	}) {
		return false
	}
	return words[1] != "branch" || !slices.ContainsFunc(rest, func(w string) bool {
		return !strings.HasPrefix(w, "--format=") && !slices.Contains([]string{"--list", "-l", "--show-current", "-a", "--all", "-r", "--remotes", "-v", "-vv", "--verbose"}, w)
	})
}

// The commands that Gemini CLI runs without a rule, and those of them of which it
// looks at paths.
var (
	geminiSafeNames = []string{
		"cat", "cd", "cut", "echo", "expr", "false", "grep", "head", "id", "ls", "nl", "paste", "pwd", "rev", "seq", "stat", "tail", "tr",
		"true", "uname", "uniq", "wc", "which", "whoami", "numfmt", "tac",
	}
	geminiFileNames = []string{"cat", "cd", "cut", "grep", "head", "ls", "nl", "numfmt", "paste", "rev", "stat", "tac", "tail", "uniq", "wc", "find", "base64"}
)

// geminiSafe reports whether a command is one of those that only read.
func geminiSafe(words []string) bool {
	name := words[0]
	operands := slices.DeleteFunc(slices.Clone(words[1:]), func(w string) bool { return strings.HasPrefix(w, "-") && !strings.Contains(w, "=") })
	switch {
	case slices.Contains(geminiFileNames, name):
		return !geminiDangerous(words) && (name != "cd" || len(operands) > 0) && !slices.ContainsFunc(operands, func(w string) bool {
			_, value, ok := strings.Cut(w, "=")
			return geminiAway(w) || ok && geminiAway(value)
		})
	case name == "git":
		return geminiGitKnown(words) && geminiGitReads(words) && !slices.ContainsFunc(words, geminiGitOverride)
	case name == "sed":
		return len(words) >= 3 && len(words) <= 4 && words[1] == "-n" && regexp.MustCompile(`^[0-9]+(?:,[0-9]+)?p$`).MatchString(words[2]) && (len(words) == 3 || !geminiAway(words[3]))
	}
	return slices.Contains(geminiSafeNames, name)
}

// shell answers for a line of which the rule that decides says an action: the
// strictest of that and of what is said of each command in it.
func (j geminiJudge) shell(call input.Call, line string, rule *geminiRule, action permission.Action) permission.Action {
	if action == permission.Deny {
		return action
	}
	script := bash.Parse(line, nil)
	if len(script.Commands) == 0 || geminiUnread(line) {
		return permission.Ask
	}
	if geminiRedirects(line) && (rule == nil || !rule.redirects) {
		action = permission.Strictest(action, permission.Ask)
	}
	for _, c := range script.Commands {
		if len(c.Wrappers) > 0 {
			continue
		}
		if geminiOpen(c) {
			return permission.Strictest(action, permission.Ask)
		}
		text := geminiCommand(c.Source)
		if inner, ok := geminiUnwrapped(text); ok {
			action = permission.Strictest(action, j.check(geminiPart(call, inner), true))
		}
		if text != line {
			part := geminiPart(call, text)
			rule, said := j.first(part)
			if said == permission.Allow && c.Source != text && (rule == nil || !rule.redirects) {
				said = permission.Ask // each rule has to let its own command be redirected
			}
			action = permission.Strictest(action, said)
		}
	}
	return action
}

// geminiUnread reports whether Gemini CLI reads a line in another way than permctl,
// or not at all.
func geminiUnread(line string) bool {
	unread := func(u bash.Unparsed) bool { return !strings.HasPrefix(u.Reason, "only run time knows") }
	return slices.ContainsFunc(bash.Parse(line, nil).Unparsed, unread) || strings.Contains(line, "[[") || strings.Contains(line, "((") || strings.Contains(line, "@P}")
}

// geminiOpen reports whether a command is a test that is not closed, which Gemini
// CLI cannot parse.
func geminiOpen(c bash.Command) bool {
	return strings.HasPrefix(c.Program, "[") && (c.Program != "[" || len(c.Args) == 0 || c.Args[len(c.Args)-1].Text != "]")
}

// geminiPart returns the call of a part of a line.
func geminiPart(call input.Call, text string) input.Call {
	part := call
	part.Input = map[string]any{"command": text}
	if dir, there := call.Input["dir_path"]; there {
		part.Input["dir_path"] = dir
	}
	return part
}

var (
	geminiQuotes   = regexp.MustCompile(`'[^']*'|"[^"]*"`)
	geminiRedirect = regexp.MustCompile("(?s)^([^<>'\"\\\\$`#]*?)\\s*[0-9&]*[<>].*$")
)

// geminiRedirects reports whether a line has redirections, or may have.
func geminiRedirects(line string) bool {
	if !strings.ContainsAny(line, "\\$`#") {
		line = geminiQuotes.ReplaceAllString(line, "")
	}
	return strings.ContainsAny(line, "<>")
}

// geminiCommand returns the text of a command without its redirections.
func geminiCommand(source string) string {
	return strings.TrimSpace(geminiRedirect.ReplaceAllString(source, "$1"))
}

var geminiWrapper = regexp.MustCompile(`(?i)^\s*(?:(?:\S+/)?(?:sh|bash|zsh)\s+-c|cmd\.exe\s+/c|(?:powershell|pwsh)(?:\.exe)?\s+(?:-NoProfile\s+)?-Command)\s+`)

// geminiUnwrapped returns what a command has another shell run.
func geminiUnwrapped(text string) (inner string, ok bool) {
	head := geminiWrapper.FindString(text)
	if head == "" {
		return "", false
	}
	inner = strings.TrimSpace(text[len(head):])
	if len(inner) >= 2 && strings.ContainsRune(`"'`, rune(inner[0])) && inner[0] == inner[len(inner)-1] {
		inner = inner[1 : len(inner)-1]
	}
	return inner, true
}

// geminiBuild reports whether a call changes a file by which software is built.
func geminiBuild(call input.Call) bool {
	edits := regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(?:write|edit|replace|patch|update|create|append|save)(?:[^a-z0-9]|$)`)
	if !edits.MatchString(call.Tool) {
		return false
	}
	for _, key := range []string{"file_path", "path", "filePath", "file"} {
		if name, ok := call.Input[key].(string); ok && geminiBuildFile.MatchString(path.Base(strings.ReplaceAll(strings.TrimSpace(name), `\`, "/"))) {
			return true
		}
	}
	return false
}

var geminiBuildFile = regexp.MustCompile(geminiBuildFiles)

// geminiBuildFiles are the names of files by which software is built.
const geminiBuildFiles = `^(?:BUILD|WORKSPACE|\.bazelrc|\.blazerc|Makefile|makefile|GNUmakefile|CMakeLists\.txt|package(?:-lock)?\.json|pnpm-lock\.yaml|` +
	`yarn\.lock|bun\.lockb|setup\.(?:py|cfg)|pyproject\.toml|go\.(?:mod|sum)|Cargo\.(?:toml|lock)|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|` +
	`(?:Docker|Container)file(?:\..*)?|.*\.(?i:bzl|bazel|bzlmod|mk|cmake))$`
