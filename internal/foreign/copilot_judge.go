package foreign

import (
	"cmp"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// judge answers a call as Copilot does by its documentation, and where that says
// too little, as it may do at the strictest. It reads the rules by itself, apart
// from what they are translated to.
func (s *copilotSetting) judge(call input.Call) permission.Action {
	for _, list := range s.available {
		if !slices.Contains(list.names, call.Tool) {
			return permission.Deny
		}
	}
	parts := copilotParts(call)
	for _, action := range []permission.Action{permission.Deny, permission.Ask} {
		for _, r := range s.rules {
			if r.action == action && slices.ContainsFunc(parts, r.holds) {
				return action
			}
		}
	}
	for _, p := range parts {
		if !s.allows(p) {
			return permission.Ask
		}
	}
	return permission.Allow
}

// A copilotPart is one thing of a call that has to be allowed.
type copilotPart struct {
	kind string // shell, write, read, url, memory, or "" for another tool
	tool string
	text string // a command, an absolute path, or an address

	plain  bool // whether a line is only a list of commands
	broken bool // whether it is no line at all
}

// copilotParts takes a call apart.
func copilotParts(call input.Call) []copilotPart {
	text := func(key string) string { value, _ := call.Input[key].(string); return value }
	file := func(kind string) []copilotPart {
		return []copilotPart{{kind: kind, tool: call.Tool, text: samplePath(cmp.Or(text("path"), text("file_path")))}}
	}
	switch call.Tool {
	case "bash":
		return commandParts(text("command"))
	case "powershell":
		return []copilotPart{{kind: "shell", tool: call.Tool, text: text("command"), broken: true}}
	case "create", "edit", "str_replace_editor":
		return file("write")
	case "view", "grep", "rg", "glob":
		return file("read")
	case "web_fetch":
		return []copilotPart{{kind: "url", tool: call.Tool, text: text("url")}}
	case "store_memory":
		return []copilotPart{{kind: "memory", tool: call.Tool}}
	}
	return []copilotPart{{tool: call.Tool}}
}

var addressInText = regexp.MustCompile(`https?://[^\s'"<>|&;]+`)

// commandParts takes a line apart: its commands, what they write, and the addresses
// in it.
func commandParts(line string) []copilotPart {
	var parts []copilotPart
	pieces, plain, whole := listOf(line)
	for _, piece := range pieces {
		command, targets := withoutRedirections(piece)
		for _, target := range targets {
			if target != "/dev/null" && whole {
				parts = append(parts, copilotPart{kind: "write", tool: "bash", text: samplePath(target)})
			}
		}
		parts = append(parts, copilotPart{kind: "shell", tool: "bash", text: command, plain: plain, broken: !whole})
		if whole {
			_, words, _ := strings.Cut(command, " ")
			for _, address := range addressInText.FindAllString(words, -1) {
				parts = append(parts, copilotPart{kind: "url", tool: "bash", text: address})
			}
		}
	}
	return parts
}

// holds reports whether a rule that denies or asks is for a part of a call.
func (r copilotRule) holds(p copilotPart) bool {
	if r.kind != p.kind {
		return p.kind == "" && !slices.Contains(copilotKinds, r.kind) && (p.tool == r.kind && r.spec == "" || r.spec != "" && p.tool == r.kind+"-"+r.spec ||
			r.spec == "" && strings.HasPrefix(p.tool, r.kind+"-")) || r.spec == "" && p.tool == r.kind
	}
	switch {
	case r.spec == "":
		return true
	case r.kind == "shell":
		spec := strings.TrimSuffix(strings.TrimSuffix(r.spec, ":*"), " *")
		return slices.ContainsFunc(assigned(p.text), func(text string) bool {
			return r.starred && starMatch(spec, text) || text == spec || strings.HasPrefix(text, spec+" ")
		})
	case r.kind == "url":
		host, below := strings.CutPrefix(strings.ToLower(addressOf(r.spec).Hostname()), "*.")
		given := hostOf(p.text)
		return given != "" && (given == host && !below || below && strings.HasSuffix(given, "."+host))
	case r.kind == "read", r.kind == "write":
		rest, inside := strings.CutPrefix(p.text, sampleRoot+"/")
		spec, _ := strings.CutPrefix(r.spec, "./")
		return inside && ignored(strings.Split(spec, "/"), strings.Split(rest, "/")) || p.text == r.spec
	}
	return true
}

// assigned returns a command, and what of it stands behind variables that are set
// for it.
func assigned(command string) []string {
	all := []string{command}
	for {
		first, rest, more := strings.Cut(command, " ")
		if !more || !assignment.MatchString(first) {
			return all
		}
		command = strings.TrimLeft(rest, " ")
		all = append(all, command)
	}
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
}

// allows reports whether a part of a call that nothing denies is allowed.
func (s *copilotSetting) allows(p copilotPart) bool {
	switch {
	case p.broken:
		return false
	case p.kind == "read":
		return s.inside(p.text)
	case p.kind == "write" && !s.inside(p.text):
		return false
	case p.kind == "" && slices.Contains([]string{"ask_user", "update_todo"}, p.tool):
		return true
	}
	return slices.ContainsFunc(s.rules, func(r copilotRule) bool { return r.action == permission.Allow && r.lets(p) })
}

// lets reports whether a rule allows a part of a call.
func (r copilotRule) lets(p copilotPart) bool {
	switch {
	case p.kind == "" && !slices.Contains(copilotKinds, r.kind):
		tool, ok := strings.CutPrefix(p.tool, r.kind+"-")
		return ok && (r.spec == tool || r.spec == "" && tool != "" && !strings.Contains(tool, "-"))
	case r.kind != p.kind:
		return false
	case r.spec == "", r.kind == "shell" && r.starred && strings.Trim(r.spec, "* ") == "":
		return true
	case r.kind == "shell":
		head, stem := strings.CutSuffix(r.spec, ":*")
		return p.plain && (p.text == head || stem && strings.HasPrefix(p.text, head+" ") || r.starred && starMatch(r.spec, p.text))
	case r.kind == "url":
		return r.letsAddress(p.text)
	}
	rest, inside := strings.CutPrefix(p.text, sampleRoot+"/")
	pattern, names := strings.Split(strings.TrimPrefix(r.spec, "./"), "/"), strings.Split(rest, "/")
	return inside && ignored(pattern, names) && (slices.Contains(pattern, "**") || len(pattern) == len(names))
}

// letsAddress reports whether a rule allows an address: of the same scheme, host
// and port, and if it has a path, of that.
func (r copilotRule) letsAddress(address string) bool {
	u, err := url.Parse(address)
	want := addressOf(r.spec)
	if err != nil || !strings.EqualFold(u.Scheme, want.Scheme) || u.Port() != want.Port() && (want.Port() != "" || u.Port() != map[string]string{"https": "443", "http": "80"}[want.Scheme]) {
		return false
	}
	if strings.Trim(want.Path, "/*") != "" && (path.Clean(want.Path) != path.Clean("/"+u.Path) || u.RawQuery != "") {
		return false
	}
	names, wanted := strings.Split(hostOf(address), "."), strings.Split(strings.ToLower(want.Hostname()), ".")
	return slices.EqualFunc(names, wanted, func(name, want string) bool { return name != "" && starMatch(want, name) })
}

// inside reports whether a path lies where Copilot reads and writes.
func (s *copilotSetting) inside(name string) bool {
	roots := []string{sampleRoot}
	for _, d := range s.dirs {
		roots = append(roots, samplePath(d.path))
	}
	return slices.ContainsFunc(roots, func(root string) bool {
		return name == root || strings.HasPrefix(name, strings.TrimSuffix(root, "/")+"/")
	})
}

// copilotSamples returns calls for each rule, and some that no rule may speak of.
func copilotSamples(s *copilotSetting) []Sample {
	var made sampler
	for _, r := range s.rules {
		for _, call := range r.calls() {
			made.add(func(c input.Call) Sample { return Sample{c, s.judge(c), oneLine(r.from.String())} }, call)
		}
	}
	for _, call := range []input.Call{
		given("bash", "command", "ls"), given("bash", "command", "make deploy"), given("view", "path", "a.txt"), given("view", "path", "/etc/hosts"),
		given("edit", "path", "a.txt"), given("web_fetch", "url", "https://a.example/"), given("server-tool", "x", "y"),
	} {
		made.add(func(c input.Call) Sample { return Sample{c, s.judge(c), "What no rule may speak of"} }, call)
	}
	return made.samples
}

// calls returns calls that a rule is about, and the nearest that it is not.
func (r copilotRule) calls() []input.Call {
	switch r.kind {
	case "shell":
		head := strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(r.spec, ":*"), " *"), "*", "a")
		if !spelled(head) || joined(head) || head == "" || r.action == permission.Allow && syntactic.MatchString(head) {
			return []input.Call{given("bash", "command", "make")}
		}
		return []input.Call{
			given("bash", "command", head), given("bash", "command", head+" a"), given("bash", "command", head+"x"),
			given("bash", "command", "ls && "+head), given("bash", "command", head+" > out.txt"),
		}
	case "read", "write":
		if strings.ContainsAny(r.spec, `[{\!~`) || strings.HasPrefix(r.spec, "/") || strings.HasSuffix(r.spec, "/") {
			return nil
		}
		name := cmp.Or(strings.NewReplacer("**/", "d/", "**", "d/f", "*", "a", "?", "a").Replace(strings.TrimPrefix(r.spec, "./")), "a.txt")
		return []input.Call{given("view", "path", name), given("edit", "path", name), given("create", "path", name+"x"), given("edit", "path", "other/"+name)}
	case "url":
		u := addressOf(strings.ReplaceAll(r.spec, "*", "a"))
		if r.spec == "" || u.Host == "" {
			return []input.Call{given("web_fetch", "url", "https://a.example/x")}
		}
		return []input.Call{given("web_fetch", "url", u.String()), given("web_fetch", "url", u.Scheme+"://"+u.Host+".evil.example/"), given("bash", "command", "curl "+u.Scheme+"://"+u.Host+"/")}
	case "memory":
		return []input.Call{given("store_memory", "fact", "x")}
	}
	if _, own := copilotTools[r.kind]; own {
		return nil
	}
	return []input.Call{given(r.kind+"-"+cmp.Or(r.spec, "tool"), "x", "y"), given(r.kind+"x-tool", "x", "y")}
}
