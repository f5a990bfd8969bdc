package foreign

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// A cursorJudge answers calls as Cursor does by its documentation. It reads the
// rules by itself, apart from what they are translated to.
type cursorJudge struct{ rules []cursorRule }

// answer returns what Cursor answers to a call: what a rule denies is denied, what
// one allows is allowed, and all else is asked.
func (j cursorJudge) answer(call input.Call) permission.Action {
	if call.Tool != "Shell" {
		return j.said(func(r cursorRule) bool { return r.meets(call) })
	}
	line, _ := call.Input["command"].(string)
	script := bash.Parse(line, nil)
	if len(script.Commands) == 0 || len(script.Unparsed) > 0 {
		return permission.Ask
	}
	action := permission.Allow
	for _, c := range script.Commands {
		if len(c.Wrappers) == 0 {
			action = permission.Strictest(action, j.said(func(r cursorRule) bool { return r.meetsCommand(c) }))
		}
	}
	return action
}

// said returns what the rules that meet something say of it.
func (j cursorJudge) said(meets func(cursorRule) bool) permission.Action {
	action := permission.Ask
	for _, r := range j.rules {
		if meets(r) && action != permission.Deny {
			action = r.action
		}
	}
	return action
}

// meetsCommand reports whether a rule is for a command. One that allows has to be
// for it as it is written.
func (r cursorRule) meetsCommand(c bash.Command) bool {
	if r.tool != "Shell" {
		return false
	}
	words := []string{c.Program}
	for _, w := range c.Args {
		words = append(words, w.Text)
	}
	text := strings.Join(words, " ")
	if r.action == permission.Allow && (r.prefix || r.spec != "**") {
		first, _, _ := strings.Cut(c.Source, " ")
		return first == c.Program && r.matches(c.Program, text) && r.matches(c.Program, c.Source)
	}
	return r.matches(c.Program, text)
}

// matches reports whether a rule is for a command, by its first word and its text.
func (r cursorRule) matches(first, text string) bool {
	if r.prefix {
		prefix := strings.Join(strings.Fields(r.spec), " ")
		return text == prefix || strings.HasPrefix(text, prefix+" ")
	}
	name, rest, given := strings.Cut(r.spec, ":")
	if !r.globs(name, first) {
		return false
	}
	return !given || strings.Trim(rest, "*") == "" || strings.HasPrefix(text, first+" ") && r.globs(rest, text[len(first)+1:])
}

// globs reports whether a pattern is for all of a text. One star does not go
// beyond a slash in a rule that allows.
func (r cursorRule) globs(pattern, text string) bool {
	return r.globsOnce(pattern, text, tried{})
}

// tried are the ends of a pattern and of what it is matched with, by their lengths,
// that have been found not to match: many stars meet them again and again.
type tried map[[2]int]bool

// again reports whether the ends have been tried, and notes them.
func (t tried) again(pattern, rest int) bool {
	key := [2]int{pattern, rest}
	before := t[key]
	t[key] = true
	return before
}

func (r cursorRule) globsOnce(pattern, text string, seen tried) bool {
	switch {
	case seen.again(len(pattern), len(text)):
		return false
	case pattern == "":
		return text == ""
	case strings.HasPrefix(pattern, "**"):
		rest := strings.TrimLeft(pattern, "*")
		for i := range len(text) + 1 {
			if r.globsOnce(rest, text[i:], seen) {
				return true
			}
		}
		return false
	case pattern[0] == '*':
		for i := range len(text) + 1 {
			if r.globsOnce(pattern[1:], text[i:], seen) {
				return true
			}
			if i < len(text) && text[i] == '/' && r.action == permission.Allow {
				return false
			}
		}
		return false
	case text == "":
		return false
	case pattern[0] == '?':
		return (text[0] != '/' || r.action != permission.Allow) && r.globsOnce(pattern[1:], text[1:], seen)
	}
	return pattern[0] == text[0] && r.globsOnce(pattern[1:], text[1:], seen)
}

// meets reports whether a rule is for a call of a tool other than the shell.
func (r cursorRule) meets(call input.Call) bool {
	text := func(keys ...string) string {
		for _, key := range keys {
			if s, ok := call.Input[key].(string); ok {
				return s
			}
		}
		return ""
	}
	switch {
	case r.tool == "Read" && slices.Contains([]string{"Read", "Grep", "Glob", "LS"}, call.Tool), r.tool == "Write" && slices.Contains([]string{"Write", "Edit", "Delete"}, call.Tool):
		return r.meetsPath(samplePath(text("file_path", "path", "target_directory")))
	case r.tool == "WebFetch" && call.Tool == "WebFetch":
		address := text("url")
		if !strings.Contains(address, "://") {
			address = "https://" + address
		}
		u, err := url.Parse(address)
		return err == nil && r.meetsHost(strings.TrimSuffix(strings.ToLower(u.Hostname()), "."))
	case r.tool == "Mcp" && (call.MCP != nil || strings.HasPrefix(call.Tool, "MCP:")):
		server, tool := "", strings.TrimPrefix(call.Tool, "MCP:")
		if call.MCP != nil {
			server, tool = call.MCP.Server, call.MCP.Tool
		}
		wide := cursorRule{action: permission.Deny}
		name, rest, _ := strings.Cut(r.spec, ":")
		return wide.globs(name, server) && wide.globs(rest, tool)
	}
	return false
}

// meetsHost reports whether a rule is for a host. What allows reaches one name
// below a star.
func (r cursorRule) meetsHost(host string) bool {
	pattern := strings.TrimSuffix(strings.ToLower(r.spec), ".")
	if r.action == permission.Allow && strings.Count(pattern, ".") != strings.Count(host, ".") && pattern != "*" {
		return false
	}
	return hostMatch(pattern, host)
}

func (r cursorRule) meetsPath(name string) bool {
	spec := strings.TrimPrefix(r.spec, "./")
	if rest, ok := strings.CutPrefix(r.spec, "~/"); ok && r.action != permission.Allow {
		if names, below := strings.CutPrefix(name, sampleHome+"/"); below && r.below(strings.Split(rest, "/"), strings.Split(names, "/")) {
			return true
		}
	}
	if rest, ok := strings.CutPrefix(spec, "/"); ok {
		return r.below(strings.Split(rest, "/"), strings.Split(strings.TrimPrefix(name, "/"), "/"))
	}
	rest, ok := strings.CutPrefix(name, sampleRoot+"/")
	return ok && r.below(strings.Split(spec, "/"), strings.Split(rest, "/"))
}

// below reports whether a pattern is for a path. Stars in one that allows are for
// no name that begins with a dot, and one that denies is for what lies below, too.
func (r cursorRule) below(pattern, names []string) bool { return r.belowOnce(pattern, names, tried{}) }

func (r cursorRule) belowOnce(pattern, names []string, seen tried) bool {
	allows := r.action == permission.Allow
	hidden := len(names) > 0 && strings.HasPrefix(names[0], ".")
	switch {
	case seen.again(len(pattern), len(names)):
		return false
	case len(pattern) == 0:
		return len(names) == 0 || !allows
	case pattern[0] == "**" && len(pattern) == 1 && len(names) == 0:
		return !allows
	case pattern[0] == "**" && len(names) > 0 && (!allows || !hidden) && (r.belowOnce(pattern, names[1:], seen) || len(pattern) == 1 && len(names) == 1):
		return true
	case pattern[0] == "**":
		return len(pattern) > 1 && r.belowOnce(pattern[1:], names, seen)
	case len(names) == 0, allows && hidden && strings.ContainsAny(pattern[0][:1], "*?"):
		return false
	}
	ok, err := path.Match(pattern[0], names[0])
	return err == nil && ok && names[0] != "" && r.belowOnce(pattern[1:], names[1:], seen)
}

// cursorSamples returns calls for each rule, and some that no rule may speak of.
func cursorSamples(rules []cursorRule, answer func(input.Call) permission.Action) []Sample {
	var made sampler
	for _, r := range rules {
		for _, call := range r.calls() {
			made.add(func(c input.Call) Sample { return Sample{c, answer(c), oneLine(r.from.String())} }, call)
		}
	}
	for _, call := range []input.Call{
		given("Shell", "command", "make deploy"), given("Read", "file_path", "a.txt"), given("Write", "file_path", "a.txt"),
		given("WebFetch", "url", "https://a.example/"),
		{Tool: "MCP:tool", Input: map[string]any{}, MCP: &input.MCP{Server: "server", Tool: "tool"}},
	} {
		made.add(func(c input.Call) Sample { return Sample{c, answer(c), "What no rule may speak of"} }, call)
	}
	return made.samples
}

// calls returns calls that the rule is about, and the nearest that it is not.
func (r cursorRule) calls() []input.Call {
	var calls []input.Call
	spec := cursorStars.ReplaceAllString(r.spec, "a")
	switch r.tool {
	case "Shell":
		name, rest, _ := strings.Cut(spec, ":")
		if !spelled(spec) || oneLine(spec) != spec || strings.ContainsAny(spec, "<>|&;(){}!#[]~=") {
			return nil
		}
		for _, line := range []string{name, name + " x", name + "x", "make deploy && " + name, name + " " + rest} {
			calls = append(calls, given("Shell", "command", strings.TrimSpace(line)))
		}
	case "Read", "Write":
		for _, name := range []string{spec, spec + "x", "other/" + spec} {
			calls = append(calls, given(r.tool, "file_path", path.Clean(name)))
		}
	case "WebFetch":
		for _, host := range []string{spec, "sub." + spec, spec + ".evil.example"} {
			calls = append(calls, given("WebFetch", "url", "https://"+host+"/"))
		}
	case "Mcp":
		server, tool, _ := strings.Cut(spec, ":")
		for _, name := range []string{tool, tool + "x"} {
			calls = append(calls, input.Call{Tool: "MCP:" + name, Input: map[string]any{}, MCP: &input.MCP{Server: server, Tool: name}})
		}
	}
	return calls
}
