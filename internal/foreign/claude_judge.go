package foreign

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// judge answers a call as Claude Code does by its documentation. It reads the
// rules by itself, apart from what they are translated to.
func (s *claudeSetting) judge(call input.Call) permission.Action {
	c := claudeParts(call)
	for _, action := range []permission.Action{permission.Deny, permission.Ask} {
		for _, r := range s.rules {
			if r.action == action && slices.ContainsFunc(c, func(p claudePart) bool { return r.meets(p) }) {
				return s.inMode(action)
			}
		}
	}
	for _, p := range c {
		if !s.allows(p) {
			return s.inMode(permission.Ask)
		}
	}
	return permission.Allow
}

// inMode returns an action in the mode in force.
func (s *claudeSetting) inMode(a permission.Action) permission.Action {
	if a == permission.Ask && s.mode == "dontAsk" {
		return permission.Deny
	}
	return a
}

// A claudePart is one thing of a call that has to be allowed: a command of a line,
// a file, or the call as it is.
type claudePart struct {
	tool string
	call input.Call

	command string // as it is written, without redirections
	unclear bool   // whether the line is more than a list of commands
	broken  bool   // whether it is no line at all, or too long to be read

	path string // absolute, and below which tool's rules
	host string
	line string
}

// claudeParts takes a call apart.
func claudeParts(call input.Call) []claudePart {
	text := func(key string) string { value, _ := call.Input[key].(string); return value }
	p := claudePart{tool: call.Tool, call: call}
	switch call.Tool {
	case "Bash", "Monitor":
		return bashParts(call, text("command"))
	case "Read", "Edit", "Write", "MultiEdit":
		p.path = samplePath(text("file_path"))
	case "NotebookEdit":
		p.path = samplePath(cmp.Or(text("notebook_path"), text("file_path")))
	case "Grep", "Glob", "LS":
		p.path = samplePath(text("path"))
	case "WebFetch":
		if u, err := url.Parse(text("url")); err == nil {
			p.host = strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
		}
	}
	return []claudePart{p}
}

// samplePath returns a path of a sample's call as an absolute one.
func samplePath(name string) string {
	switch {
	case name == "~" || strings.HasPrefix(name, "~/"):
		return path.Join(sampleHome, name[1:])
	case path.IsAbs(name):
		return path.Clean(name)
	}
	return path.Join(sampleRoot, name)
}

// bashParts takes a line apart at what joins commands, as far as it is a list of
// them.
func bashParts(call input.Call, line string) []claudePart {
	var parts []claudePart
	pieces, plain, whole := listOf(line)
	broken := !whole || len(line) > 10000
	for _, piece := range pieces {
		command, targets := withoutRedirections(piece)
		for _, target := range targets {
			if target != "/dev/null" && whole {
				parts = append(parts, claudePart{tool: "Edit", call: call, path: samplePath(target)})
			}
		}
		parts = append(parts, claudePart{tool: call.Tool, call: call, command: command, unclear: !plain, broken: broken, line: line})
	}
	return parts
}

// listOf splits a line at unquoted operators. It is not plain if there is more in
// it than a list of commands, and not whole if it ends before it is complete.
func listOf(line string) (pieces []string, plain, whole bool) {
	plain = true
	var piece strings.Builder
	quote, document := byte(0), false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case document && c == '\n' && quote == 0: // what follows is its text
			line = line[:i]
			continue
		case c == '\\' && quote != '\'':
			piece.WriteByte(c)
			if i++; i < len(line) {
				piece.WriteByte(line[i])
			}
			continue
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote != '\'' && (c == '`' || c == '$' && i+1 < len(line) && line[i+1] == '('), quote == 0 && strings.ContainsRune("(){}!#", rune(c)):
			plain = false
		case quote == 0 && strings.HasPrefix(line[i:], "<<"):
			plain, document = false, true
		case quote == 0 && c == '&' && (i > 0 && line[i-1] == '>' || strings.HasPrefix(line[i+1:], ">")): // part of a redirection
		case quote == 0 && strings.ContainsRune("&|;\n", rune(c)):
			pieces = append(pieces, piece.String())
			piece.Reset()
			continue
		}
		piece.WriteByte(c)
	}
	pieces = append(pieces, piece.String())
	open := 0
	for i := range pieces {
		pieces[i] = strings.TrimSpace(pieces[i])
		first, _, _ := strings.Cut(pieces[i], " ")
		switch {
		case slices.Contains([]string{"for", "while", "until", "if", "case", "select"}, first):
			open++
			plain = false
		case slices.Contains([]string{"done", "fi", "esac"}, first):
			open--
		case slices.Contains([]string{"do", "then", "function"}, first), assignment.MatchString(first) && first == pieces[i]:
			plain = false
		}
	}
	pieces = slices.DeleteFunc(pieces, func(p string) bool { return p == "" })
	return pieces, plain && len(pieces) > 0, quote == 0 && open == 0
}

var redirection = regexp.MustCompile(`\s*[0-9]*(&>>|&>|>>|>\||>&|>|<)\s*([^\s<>&|;'"()\x60]+)`)

// withoutRedirections returns a command without them, and the files they write.
func withoutRedirections(command string) (rest string, targets []string) {
	if strings.ContainsAny(command, `"'\`) {
		return command, nil
	}
	for _, found := range redirection.FindAllStringSubmatch(command, -1) {
		if found[1] != "<" && (found[1] != ">&" || strings.Trim(found[2], "0123456789-") != "") {
			targets = append(targets, found[2])
		}
	}
	return strings.TrimSpace(redirection.ReplaceAllString(command, "")), targets
}

// spellings returns the texts that a rule may match for a command: with what
// Claude Code strips before it, and the variables set for it, if all of them count.
func spellings(command string, anyVariable bool) []string {
	all := []string{command}
	for {
		words := strings.Fields(command)
		if len(words) < 2 {
			return all
		}
		skip := 0
		switch first := words[0]; {
		case slices.Contains([]string{"time", "nohup", "builtin", "noglob"}, first), slices.Contains([]string{"command", "xargs"}, first) && !strings.HasPrefix(words[1], "-"):
			skip = 1
		case first == "timeout" && regexp.MustCompile(`^[0-9.]+[smhd]?$`).MatchString(words[1]):
			skip = 2
		case first == "nice" && words[1] == "-n":
			skip = 3
		case first == "nice", first == "stdbuf":
			for skip = 1; skip < len(words) && strings.HasPrefix(words[skip], "-"); skip++ {
				continue
			}
		case assignment.MatchString(first) && (anyVariable || strings.HasPrefix(first, "NODE_ENV=")):
			skip = 1
		}
		if skip == 0 || skip >= len(words) {
			return all
		}
		for range skip {
			_, command, _ = strings.Cut(strings.TrimLeft(command, " "), " ")
		}
		command = strings.TrimLeft(command, " ")
		all = append(all, command)
	}
}

// matchesCommand reports whether the pattern of a Bash rule matches a text.
func matchesCommand(spec, text string) bool {
	if head, ok := strings.CutSuffix(spec, ":*"); ok {
		spec = head + " *"
	}
	if head, ok := strings.CutSuffix(spec, " *"); ok && starMatch(head, text) {
		return true
	}
	return starMatch(spec, text)
}

// starMatch reports whether a pattern matches all of a text: * is any text.
func starMatch(pattern, text string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, head)
	for ok && rest != "" {
		var part string
		part, rest, star = strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(text, part)
		}
		_, text, ok = strings.Cut(text, part)
	}
	return ok
}

// meets reports whether a rule is for a part of a call, whatever it says of it.
func (r claudeRule) meets(p claudePart) bool {
	switch {
	case r.forField():
		return r.action != permission.Allow && r.meetsField(p)
	case strings.ContainsAny(r.tool, "*?"):
		return r.bare && permission.Match(p.tool, r.tool) && (r.action != permission.Allow || strings.HasPrefix(r.tool, "mcp__"))
	case strings.HasPrefix(r.tool, "mcp__"):
		return r.bare && (p.tool == r.tool || strings.Count(r.tool, "__") == 1 && strings.HasPrefix(p.tool, r.tool+"__"))
	}
	switch r.tool {
	case "Bash":
		return r.meetsCommand(p)
	case "Read", "Edit":
		return r.meetsFile(p)
	case "WebFetch":
		host, ok := strings.CutPrefix(r.spec, "domain:")
		return p.tool == r.tool && (r.bare || ok && hostMatch(strings.ToLower(host), p.host))
	case "Agent", "Task":
		name, _ := p.call.Input["subagent_type"].(string)
		return (p.tool == "Agent" || p.tool == "Task") && (r.bare || r.spec == name || name == "" && r.spec == "general-purpose")
	case "Skill":
		return p.tool == r.tool && (r.bare || r.meetsSkill(p))
	}
	return r.bare && p.tool == r.tool
}

func (r claudeRule) meetsSkill(p claudePart) bool {
	name, _ := p.call.Input["skill"].(string)
	args, _ := p.call.Input["args"].(string)
	given := strings.TrimSpace(name + " " + args)
	return matchesCommand(r.spec, given)
}

// forField reports whether a rule is for a field of a tool's input.
func (r claudeRule) forField() bool {
	name, _, ok := strings.Cut(r.spec, ":")
	return ok && identifier.MatchString(name) && (strings.HasPrefix(r.tool, "mcp__") || slices.Contains(claudeTools[r.tool], name))
}

// meetsField reports whether the call has the field with a value that the rule is
// for.
func (r claudeRule) meetsField(p claudePart) bool {
	name, value, _ := strings.Cut(r.spec, ":")
	given, there := p.call.Input[name]
	return there && p.call.Tool == r.tool && starMatch(value, fmt.Sprint(given))
}

func (r claudeRule) meetsCommand(p claudePart) bool {
	if p.tool != "Bash" && p.tool != "Monitor" || p.command == "" {
		return false
	}
	if r.bare {
		return true
	}
	if r.action == permission.Allow && (p.unclear || slices.ContainsFunc([]string{"watch ", "setsid ", "ionice ", "flock "}, func(w string) bool { return strings.HasPrefix(p.command, w) })) {
		return false
	}
	if r.action == permission.Allow && strings.HasPrefix(p.command, "find ") && regexp.MustCompile(` -(exec|execdir|ok|okdir|delete)\b`).MatchString(p.command) {
		return false
	}
	return slices.ContainsFunc(spellings(p.command, r.action != permission.Allow), func(text string) bool { return matchesCommand(r.spec, text) })
}

// readers are the tools for which rules for Read hold.
var readers = []string{"Read", "Grep", "Glob", "LS", "LSP", "NotebookRead"}

// writers are the tools for which rules for Edit hold.
var writers = []string{"Edit", "Write", "MultiEdit", "NotebookEdit"}

func (r claudeRule) meetsFile(p claudePart) bool {
	if p.path == "" {
		return r.meetsFileCommand(p)
	}
	reads, writes := slices.Contains(readers, p.tool), slices.Contains(writers, p.tool)
	denied := r.action == permission.Deny && writes && p.tool != "NotebookEdit" // what must not be read must not be written
	if r.tool == "Edit" && !writes || r.tool == "Read" && !reads && !denied {
		return false
	}
	return r.bare || r.meetsPath(p.path)
}

// meetsFileCommand reports whether a rule that denies a file is for a command that
// is known to read or change it.
func (r claudeRule) meetsFileCommand(p claudePart) bool {
	words := strings.Fields(p.command)
	if r.action != permission.Deny || len(words) == 0 || !slices.Contains([]string{"cat", "head", "tail", "sed"}, words[0]) || r.tool == "Edit" && words[0] != "sed" {
		return false
	}
	return slices.ContainsFunc(words[1:], func(word string) bool {
		return !strings.ContainsAny(word, `-"'$`) && (r.bare || r.meetsPath(samplePath(word)))
	})
}

func (r claudeRule) meetsPath(name string) bool {
	spec, root := r.spec, sampleRoot
	lone := loneFolder(spec)
	switch {
	case strings.HasPrefix(spec, "//"):
		spec, root = spec[1:], ""
	case strings.HasPrefix(spec, "~/"):
		spec, root = spec[1:], sampleHome
	case strings.HasPrefix(spec, "/") && r.scope == User:
		root = sampleHome + "/.claude"
	case strings.HasPrefix(spec, "/") && r.scope == Managed:
		return false
	}
	rest, below := strings.CutPrefix(name, root+"/")
	if !below {
		return false
	}
	spec = strings.TrimPrefix(spec, "./")
	if lone && r.action != permission.Allow || !strings.Contains(strings.TrimSuffix(spec, "/"), "/") {
		spec = "**/" + spec
	}
	return ignored(strings.Split(strings.Trim(spec, "/"), "/"), strings.Split(rest, "/"))
}

// ignored reports whether a gitignore pattern is for a path, or for a folder that
// it lies in.
func ignored(pattern, names []string) bool { return ignoredOnce(pattern, names, tried{}) }

func ignoredOnce(pattern, names []string, seen tried) bool {
	switch {
	case seen.again(len(pattern), len(names)):
		return false
	case len(pattern) == 0:
		return true
	case pattern[0] == "**" && len(pattern) == 1:
		return len(names) > 0
	case pattern[0] == "**":
		return ignoredOnce(pattern[1:], names, seen) || len(names) > 0 && ignoredOnce(pattern, names[1:], seen)
	case len(names) == 0:
		return false
	}
	ok, err := path.Match(strings.Replace(pattern[0], "[!", "[^", 1), names[0])
	return err == nil && ok && ignoredOnce(pattern[1:], names[1:], seen)
}

// hostMatch reports whether a pattern is for a host.
func hostMatch(pattern, host string) bool {
	if pattern == "*" {
		return true
	}
	want, names := strings.Split(pattern, "."), strings.Split(host, ".")
	if want[0] == "*" && len(names) > len(want) {
		names = names[len(names)-len(want):]
	}
	if len(names) != len(want) {
		return false
	}
	for i := range want {
		if !starMatch(want[i], names[i]) || names[i] == "" {
			return false
		}
	}
	return true
}

// allows reports whether a rule or the mode allows a part of a call that no rule
// asks for.
func (s *claudeSetting) allows(p claudePart) bool {
	rule := slices.ContainsFunc(s.rules, func(r claudeRule) bool { return r.action == permission.Allow && r.meets(p) })
	switch {
	case p.path != "" && slices.Contains(writers, p.tool):
		return !steers(p.path) && (rule || s.mode == "acceptEdits" && s.inside(p.path))
	case p.path != "":
		return rule || s.inside(p.path)
	case p.command != "":
		return (rule || s.freeCommand(p) && !p.unclear) && !p.broken && !critical(p.command)
	}
	if slices.Contains([]string{"Agent", "Task", "TodoWrite", "LSP"}, p.tool) || slices.Contains(free, p.tool) {
		return true
	}
	return rule
}

// inside reports whether a path lies where Claude Code works.
func (s *claudeSetting) inside(name string) bool {
	roots := []string{sampleRoot}
	for _, d := range s.dirs {
		roots = append(roots, samplePath(d.path))
	}
	return slices.ContainsFunc(roots, func(root string) bool {
		return name == root || strings.HasPrefix(name, strings.TrimSuffix(root, "/")+"/")
	})
}

// freeCommand reports whether a command is one of those that only read.
func (s *claudeSetting) freeCommand(p claudePart) bool {
	words := strings.Fields(p.command)
	name := words[0]
	if name == "git" && len(words) > 1 {
		return slices.Contains([]string{"status", "log", "diff", "show"}, words[1]) && !strings.Contains(p.line, "cd ")
	}
	if !slices.Contains([]string{"ls", "cat", "echo", "pwd", "head", "tail", "grep", "find", "wc", "which", "diff", "stat", "du", "cd"}, name) {
		return false
	}
	if name == "find" && strings.Contains(p.command, " -") && !strings.Contains(p.command, " -name ") {
		return false
	}
	return !slices.ContainsFunc(words[1:], func(w string) bool {
		return strings.ContainsAny(w, "$") || (strings.HasPrefix(w, "/") || strings.HasPrefix(w, "~") || strings.HasPrefix(w, "..")) && !s.inside(samplePath(w))
	})
}

// critical reports whether a command removes what much depends on.
func critical(command string) bool {
	for _, text := range spellings(command, true) {
		words := strings.Fields(text)
		if words[0] != "rm" && words[0] != "rmdir" {
			continue
		}
		for _, w := range words[1:] {
			if place := samplePath(w); !strings.HasPrefix(w, "-") && (strings.Contains(w, "$") || strings.HasPrefix(sampleRoot+"/", place+"/") || place == "/" || place == sampleHome || strings.Count(place, "/") == 1) {
				return true
			}
		}
	}
	return false
}

// steers reports whether a path is one that Claude Code writes only if a person
// says so. A worktree below .claude is a folder like others.
func steers(name string) bool {
	names := strings.Split(name, "/")
	for i, n := range names {
		next := ""
		if i+1 < len(names) {
			next = names[i+1]
		}
		switch {
		case n == ".claude" && next == "worktrees":
		case n == ".config" && next == "git", slices.Contains(steeringFolders, n):
			return true
		}
	}
	base := path.Base(name)
	return slices.Contains(steeringFiles, base) || slices.ContainsFunc([]string{".pnp.", ".bazel", "lefthook."}, func(start string) bool { return strings.HasPrefix(base, start) })
}

var (
	steeringFolders = []string{".git", ".vscode", ".idea", ".husky", ".cargo", ".devcontainer", ".yarn", ".mvn", ".claude"}
	steeringFiles   = []string{
		".gitconfig", ".gitmodules", ".envrc", ".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml", ".pre-commit-config.yaml", "gradle-wrapper.properties",
		"maven-wrapper.properties", ".devcontainer.json", ".ripgreprc", "pyrightconfig.json", ".mcp.json", ".claude.json", ".profile",
		".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc",
	}
)
