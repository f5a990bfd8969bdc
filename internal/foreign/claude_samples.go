package foreign

import (
	"regexp"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// claudeSamples returns calls for each rule, and some that no rule may speak of.
func claudeSamples(s *claudeSetting) []Sample {
	var made sampler
	for _, r := range s.rules {
		for _, call := range r.calls() {
			made.add(func(c input.Call) Sample { return Sample{c, s.judge(c), oneLine(r.from.String())} }, call)
		}
	}
	for _, call := range []input.Call{
		given("Bash", "command", "ls"), given("Bash", "command", "git status"), given("Bash", "command", "make deploy"),
		given("Read", "file_path", "a.txt"), given("Read", "file_path", "/etc/hosts"), given("Edit", "file_path", "a.txt"),
		given("Write", "file_path", ".git/config"), given("WebFetch", "url", "https://a.example/"), given("mcp__server__tool", "x", "y"),
	} {
		made.add(func(c input.Call) Sample { return Sample{c, s.judge(c), "What no rule may speak of"} }, call)
	}
	return made.samples
}

// calls returns calls that the rule is about, and the nearest that it is not.
func (r claudeRule) calls() []input.Call {
	var calls []input.Call
	one := func(tool, key string, values ...string) {
		for _, value := range values {
			calls = append(calls, given(tool, key, value))
		}
	}
	switch {
	case r.forField():
		return nil
	case strings.HasPrefix(r.tool, "mcp__"):
		name := strings.NewReplacer("*", "a", "?", "a").Replace(r.tool)
		if strings.Count(r.tool, "__") < 2 {
			name += "__a"
		}
		return []input.Call{{Tool: name, Input: map[string]any{}}}
	case r.bare || strings.ContainsAny(r.tool, "*?"):
		return r.wholeCalls()
	}
	switch r.tool {
	case "Bash":
		if r.action != permission.Allow || !syntactic.MatchString(r.spec) {
			one("Bash", "command", commandSamples(r.spec)...)
		}
	case "Read", "Edit":
		for _, name := range r.pathSamples() {
			one("Read", "file_path", name)
			one("Edit", "file_path", name)
		}
	case "WebFetch":
		if host, ok := strings.CutPrefix(r.spec, "domain:"); ok {
			host = strings.ReplaceAll(host, "*", "a")
			one("WebFetch", "url", "https://"+host+"/x", "https://sub."+host+"/", "https://"+host+".evil.example/")
		}
	case "Agent", "Task":
		one("Agent", "subagent_type", r.spec, r.spec+"x")
	case "Skill":
		name, _, _ := strings.Cut(strings.TrimSuffix(r.spec, ":*"), " ")
		one("Skill", "skill", name, name+"x")
		calls = append(calls, input.Call{Tool: "Skill", Input: map[string]any{"skill": name, "args": "x"}})
	}
	return calls
}

// wholeCalls returns calls for a rule for all that a tool does.
func (r claudeRule) wholeCalls() []input.Call {
	switch r.tool {
	case "Bash":
		return []input.Call{given("Bash", "command", "make"), given("Bash", "command", "make && make test")}
	case "Read", "Edit", "Write", "MultiEdit", "NotebookEdit":
		key := "file_path"
		if r.tool == "NotebookEdit" {
			key = "notebook_path"
		}
		return []input.Call{given(r.tool, key, "a.txt"), given("Read", "file_path", "a.txt"), given("Write", "file_path", "b.txt")}
	case "WebFetch":
		return []input.Call{given("WebFetch", "url", "https://a.example/")}
	case "WebSearch":
		return []input.Call{given("WebSearch", "query", "permctl")}
	case "Agent", "Task":
		return []input.Call{given("Agent", "subagent_type", "Explore")}
	case "Skill":
		return []input.Call{given("Skill", "skill", "commit")}
	}
	return nil
}

// commandSamples returns commands that a pattern matches, and others beside it.
func commandSamples(spec string) []string {
	if head, ok := strings.CutSuffix(spec, ":*"); ok {
		spec = head + " *"
	}
	if joined(spec) || !spelled(spec) || strings.Trim(spec, "* ") == "" {
		return nil
	}
	text := strings.ReplaceAll(spec, "*", "a")
	samples := []string{text, "curl https://a.example && " + text, "timeout 5 " + text}
	if head, ok := strings.CutSuffix(spec, " *"); ok && !strings.Contains(head, "*") {
		samples = append(samples, head, head+"x")
	} else if !strings.Contains(spec, "*") {
		samples = append(samples, text+" a")
	}
	return samples
}

var bracketed = regexp.MustCompile(`\[[!^]?(.)[^\]]*\]`)

// pathSamples returns paths that a pattern is for, and others beside it.
func (r claudeRule) pathSamples() []string {
	from, pattern, err := claudeAnchor(r)
	if err != nil || from == "anywhere" || strings.Contains(pattern, `\`) {
		return nil
	}
	pattern = bracketed.ReplaceAllString(strings.TrimPrefix(pattern, "/"), "$1")
	name := strings.NewReplacer("**/", "d/", "**", "d/f", "*", "a", "?", "a").Replace(pattern)
	if name == "" {
		return nil
	}
	if strings.HasSuffix(name, "/") {
		name += "f"
	}
	names := []string{name, "other/" + name, name + "x"}
	for i := range names {
		names[i] = map[string]string{"workspace": "", "home": "~/", "claude": "~/.claude/", "/": "/"}[from] + names[i]
	}
	return names
}
