package foreign

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/jsonc"
	"github.com/permctl/permctl/internal/permission"
)

// Copilot is GitHub Copilot's CLI. Its rules stand in JSON, or behind the command
// that starts it. It is taken to be started in the workspace's root.
var Copilot = &Source{
	Name: "copilot",
	Files: "~/.copilot/config.json, settings with the lists in permissions, and shell\n" +
		"scripts that start copilot with --allow-tool, --deny-tool, --allow-url,\n" +
		"--deny-url, --available-tools, --excluded-tools or --add-dir.",
	strictest: true, read: readCopilot,
}

// A copilotRule is a rule of a list.
type copilotRule struct {
	action permission.Action

	// kind is shell, write, read, url or memory, or the name of an MCP server or of
	// a tool; spec is what stands in the brackets, or "".
	kind, spec string

	// starred is whether stars in a spec are wildcards, as in settings. Flags know
	// but :* at the end.
	starred bool

	from Origin
}

// copilotKinds are the kinds of rules that are for no MCP server.
var copilotKinds = []string{"shell", "write", "read", "url", "memory"}

// A copilotSetting is all that the files say.
type copilotSetting struct {
	rules []copilotRule
	dirs  []claudeDir

	// available are the lists of the only tools that there are.
	available []copilotList

	// starts are what is said each time that a script starts Copilot.
	starts []copilotSetting
	from   Origin // of a start
}

// A copilotList is a list of tools.
type copilotList struct {
	names []string
	from  Origin
}

// readCopilot makes a book of files.
func readCopilot(files []File) (*book, error) {
	b := &book{}
	s := &copilotSetting{}
	managed := map[string][]string{} // what the lists of managed files allow, by file
	for _, f := range files {
		name := strings.ReplaceAll(f.Name, `\`, "/")
		r := copilotReader{book: b, setting: s, file: f.Name, managed: f.Scope == Managed || strings.HasPrefix(path.Base(name), "managed")}
		before := len(s.rules) + len(s.dirs) + len(s.available) + len(b.notes) + len(s.starts)
		var err error
		if text := strings.TrimSpace(string(f.Text)); strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") || strings.Contains(path.Ext(f.Name), "json") {
			err = r.settings(f.Text)
		} else {
			err = r.script(string(f.Text))
		}
		if err != nil {
			return nil, err
		}
		if err := tooMany(f.Name, len(s.rules)); err != nil {
			return nil, err
		}
		if before == len(s.rules)+len(s.dirs)+len(s.available)+len(b.notes)+len(s.starts) {
			if err := b.nothing(f, r.known || f.Scope != "" || path.Base(path.Dir(name)) == ".copilot", "Copilot"); err != nil {
				return nil, err
			}
		}
		if r.managed && r.allows {
			managed[f.Name] = []string{}
		}
	}
	s.unite(b)
	s.admit(b, managed)
	order := map[permission.Action]int{permission.Allow: 0, permission.Ask: 1, permission.Deny: 2}
	slices.SortStableFunc(s.rules, func(x, y copilotRule) int { return order[x.action] - order[y.action] })
	t := copilotTranslation{book: b, setting: s}
	t.translate()
	return b, nil
}

// admit leaves out what the lists of managed files do not allow, each of which has
// to: a rule has to stand in all of them.
func (s *copilotSetting) admit(b *book, managed map[string][]string) {
	said := func(r copilotRule) string { return strings.ToLower(r.kind) + "(" + r.spec + ")" }
	for _, r := range s.rules {
		if _, ok := managed[r.from.File]; ok && r.action == permission.Allow {
			managed[r.from.File] = append(managed[r.from.File], said(r))
		}
	}
	s.rules = slices.DeleteFunc(s.rules, func(r copilotRule) bool {
		if r.action != permission.Allow {
			return false
		}
		for _, file := range sortedKeys(managed) {
			if !slices.Contains(managed[file], said(r)) {
				b.note(r.from, "is left out: what %s allows has to have the same rule", file)
				return true
			}
		}
		return false
	})
}

// A copilotReader reads one file.
type copilotReader struct {
	book    *book
	setting *copilotSetting
	file    string
	managed bool
	allows  bool // whether there is a list of what is allowed
	known   bool // whether there is what only Copilot's files have, with rules or without
}

func (r *copilotReader) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.file, line, fmt.Sprintf(format, args...))
}

// settings reads a file of JSON.
func (r *copilotReader) settings(text []byte) error {
	root, err := settingsOf(File{Name: r.file, Text: text})
	if err != nil {
		return err
	}
	approvals := strings.HasPrefix(path.Base(strings.ReplaceAll(r.file, `\`, "/")), "permissions-config")
	for key, value := range root.Members() {
		if err := r.member(key.Text(), value, approvals); err != nil {
			return err
		}
	}
	if managed := root.Member("managedSettings", "permissions"); managed.Kind() != jsonc.None {
		r.managed = true
		return r.permissions(managed)
	}
	return nil
}

// unite adds what the scripts say. Each time that they start Copilot, other rules may
// hold: what all of them allow is allowed, and what one denies is denied.
func (s *copilotSetting) unite(b *book) {
	for i, start := range s.starts {
		for _, r := range start.rules {
			if r.action == permission.Allow && !s.everyStart(func(other copilotSetting) bool {
				return slices.ContainsFunc(other.rules, func(same copilotRule) bool {
					return same.action == r.action && same.kind == r.kind && same.spec == r.spec
				})
			}) {
				b.note(r.from, "is left out, and asked: Copilot is started more than once, and not each time with it; import a script that starts it once")
				continue
			}
			if i == 0 || r.action != permission.Allow {
				s.rules = append(s.rules, r)
			}
		}
		for _, d := range start.dirs {
			switch {
			case !s.everyStart(func(other copilotSetting) bool {
				return slices.ContainsFunc(other.dirs, func(same claudeDir) bool { return same.path == d.path })
			}):
				b.note(d.from, "is left out, and asked: Copilot is started more than once, and not each time with it; import a script that starts it once")
			case i == 0:
				s.dirs = append(s.dirs, d)
			}
		}
		s.available = append(s.available, start.available...)
		if i > 0 && len(start.rules)+len(start.available) > 0 {
			b.note(start.from, "Copilot is started more than once: what one start denies is denied, and what not all of them allow is asked")
		}
	}
}

func (s *copilotSetting) everyStart(has func(copilotSetting) bool) bool {
	return !slices.ContainsFunc(s.starts, func(start copilotSetting) bool { return !has(start) })
}

// member reads a field of settings.
func (r *copilotReader) member(name string, value jsonc.Value, approvals bool) error {
	at := Origin{r.file, value.Line(), name}
	switch {
	case approvals:
		r.book.note(at, "is left out, and asked again: how Copilot writes down what was approved is not documented")
		return nil
	case strings.HasPrefix(name, "chat.tools."):
		r.book.note(at, "is left out, and asked: it is a setting of VS Code, and no rule of Copilot's CLI")
		return nil
	}
	switch plainKey(name) {
	case "permissions":
		return r.permissions(value)
	case "allowedtools":
		return r.list(permission.Allow, "", false, value)
	case "deniedtools":
		return r.list(permission.Deny, "", false, value)
	case "allowedurls":
		return r.list(permission.Allow, "url", false, value)
	case "deniedurls":
		return r.list(permission.Deny, "url", false, value)
	case "trustedfolders":
		r.book.note(at, "stays in Copilot's settings: it says where Copilot may be started; permctl trust says whose rules count")
	case "managedsettings":
	default:
		if permissionKey.MatchString(name) {
			r.book.note(at, "is left out: Copilot has no such setting; write denied_tools, allowed_tools, denied_urls or allowed_urls, or start it with --excluded-tools or --available-tools")
		}
	}
	return nil
}

// plainKey returns a name without letter case and separators.
func plainKey(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
}

// permissions reads the lists of settings.
func (r *copilotReader) permissions(v jsonc.Value) error {
	if v.Kind() != jsonc.Object {
		return r.errorf(v.Line(), "permissions must be an object with the lists allow, ask and deny")
	}
	r.known = true
	for key, value := range v.Members() {
		at := Origin{r.file, value.Line(), "permissions." + key.Text()}
		switch name := key.Text(); name {
		case "allow", "ask", "deny":
			if err := r.list(permission.Action(name), "", true, value); err != nil {
				return err
			}
		case "disableBypassPermissionsMode":
			r.book.note(at, "stays in Copilot's settings: it is about Copilot's own modes, and permctl knows none that allows everything")
		default:
			r.book.note(at, "is left out: it is no list of permissions that is known%s", permission.DidYouMean(name, "allow", "ask", "deny"))
		}
	}
	return nil
}

// list reads a list of rules, or of what is given to rules of a kind.
func (r *copilotReader) list(action permission.Action, kind string, starred bool, v jsonc.Value) error {
	if v.Kind() != jsonc.Array {
		return r.errorf(v.Line(), "the rules that %s must be a list", action)
	}
	r.allows = r.allows || starred && action == permission.Allow
	for _, item := range v.Elements() {
		text := strings.TrimSpace(item.Text())
		if why := unwieldy(text); why != "" {
			return r.errorf(item.Line(), "%s", why)
		}
		if kind != "" && text != "" {
			text = kind + "(" + text + ")"
		}
		rule, ok := copilotRuleOf(text)
		if !ok {
			return r.errorf(item.Line(), "%s is no rule: %s", quoted(item.Text()), copilotRuleForms)
		}
		rule.from = Origin{r.file, item.Line(), strings.TrimSpace(item.Text())}
		rule.starred = starred
		r.add(action, rule)
	}
	return nil
}

const copilotRuleForms = "write shell(git status), shell(git:*), write, read(.env), url(github.com), memory, SERVER or SERVER(TOOL)"

// add adds a rule. A kind in capitals is one in settings, and is taken for one if
// that is stricter.
func (r *copilotReader) add(action permission.Action, rule copilotRule) {
	rule.action = action
	if lower := strings.ToLower(rule.kind); slices.Contains(copilotKinds, lower) && (rule.starred || action != permission.Allow) {
		rule.kind = lower
	}
	r.setting.rules = append(r.setting.rules, rule)
}

var copilotName = regexp.MustCompile(`^[A-Za-z0-9_.@/-]+$`)

// copilotRuleOf returns the rule that a text is.
func copilotRuleOf(text string) (rule copilotRule, ok bool) {
	kind, spec, open := strings.Cut(text, "(")
	inner, closed := strings.CutSuffix(spec, ")")
	inner = strings.TrimSpace(inner)
	if open != closed || open && inner == "" || !copilotName.MatchString(kind) {
		return rule, false
	}
	return copilotRule{kind: kind, spec: inner}, true
}

// script reads what stands behind copilot in a shell script.
func (r *copilotReader) script(text string) error {
	if line := notUTF8([]byte(text)); line > 0 {
		return r.errorf(line, "the text is not UTF-8")
	}
	parsed := bash.Parse(text, nil)
	found := false
	for _, c := range parsed.Commands {
		words := c.Args
		switch {
		case c.Name == "alias" && slices.ContainsFunc(words, func(w bash.Word) bool { return copilotAlias.MatchString(w.Text) }):
			found = true
			r.book.note(Origin{r.file, c.Line, "alias"}, "is left out: what an alias starts is not read; write it out as a command, copilot with its flags, in a script of its own")
			continue
		case c.Name == "copilot":
		case slices.Contains([]string{"npx", "bunx", "pnpx", "gh"}, c.Name) && len(words) > 0 && path.Base(words[0].Text) == "copilot":
			words = words[1:]
		default:
			continue
		}
		found = true
		one := *r
		one.setting = &copilotSetting{from: Origin{r.file, c.Line, "copilot"}}
		if err := one.words(words, c.Line); err != nil {
			return err
		}
		r.setting.starts = append(r.setting.starts, *one.setting)
	}
	if len(parsed.Unparsed) > 0 {
		return r.errorf(1, "is neither JSON nor a shell script that can be read: %s", parsed.Unparsed[0].Reason)
	}
	if !found {
		return r.errorf(1, "has no rules: it is no JSON, and no shell script that starts copilot")
	}
	return nil
}

// copilotAll are the flags that let everything run.
var copilotAll = []string{"--allow-all-tools", "--allow-all", "--yolo", "--allow-all-paths", "--allow-all-urls"}

// copilotFlags are the flags that are given rules, copilotFlag what sounds like one,
// and copilotAlias an alias that starts Copilot.
var (
	copilotFlags = []string{"--allow-tool", "--deny-tool", "--allow-url", "--deny-url", "--add-dir", "--available-tools", "--excluded-tools"}
	copilotFlag  = regexp.MustCompile(`^--(?:allow|deny|disallow|exclude|available|block|no-tool)`)
	copilotAlias = regexp.MustCompile(`=(?:.*[\s/])?copilot(?:\s|$)`)
)

// words reads the words behind copilot.
func (r *copilotReader) words(words []bash.Word, line int) error {
	for i := 0; i < len(words); i++ {
		flag, value, has := strings.Cut(words[i].Text, "=")
		from := Origin{r.file, line, flag}
		if slices.Contains(copilotAll, flag) {
			r.book.note(from, "is left out: what no rule allows is asked; if you want all else to be allowed, write rules for that yourself")
			continue
		}
		if !slices.Contains(copilotFlags, flag) {
			if words[i].Dynamic && (i == 0 || !strings.HasPrefix(words[i-1].Text, "-")) {
				from.Text = words[i].Text
				r.book.note(from, "is left out: what a variable holds nobody can tell; if it denies something, write that out")
			} else if copilotFlag.MatchString(flag) {
				r.book.note(from, "is left out: Copilot has no such flag%s", permission.DidYouMean(flag, copilotFlags...))
			}
			continue
		}
		dynamic := words[i].Dynamic
		if !has {
			if i+1 == len(words) {
				return r.errorf(line, "%s is given nothing", flag)
			}
			i++
			value, dynamic = words[i].Text, words[i].Dynamic
		}
		from.Text = flag + " " + value
		if err := r.flag(flag, value, dynamic, from); err != nil {
			return err
		}
		for ; i+1 < len(words) && furtherRule(words[i+1].Text); i++ {
			from.Text = words[i+1].Text
			if flag == "--excluded-tools" || strings.HasPrefix(flag, "--deny") {
				if err := r.flag(flag, from.Text, words[i+1].Dynamic, from); err != nil {
					return err
				}
				continue
			}
			r.book.note(from, "is left out: write %s before it, too", flag)
		}
	}
	return nil
}

// furtherRule reports whether a word behind a rule may be one more, and no flag.
func furtherRule(word string) bool {
	_, ok := copilotRuleOf(word)
	return ok && !strings.HasPrefix(word, "-")
}

// flag reads what a flag is given.
func (r *copilotReader) flag(flag, value string, dynamic bool, from Origin) error {
	if dynamic && strings.HasPrefix(flag, "--a") && flag != "--available-tools" {
		r.book.note(from, "is left out: what a variable holds nobody can tell; write it out")
		return nil
	}
	if dynamic {
		return r.errorf(from.Line, "%s: what a variable holds nobody can tell; write it out", from.Text)
	}
	if flag == "--add-dir" {
		r.setting.dirs = append(r.setting.dirs, claudeDir{value, from})
		return nil
	}
	items := splitRules(value)
	if flag == "--available-tools" {
		r.setting.available = append(r.setting.available, copilotList{items, from})
		return nil
	}
	action := permission.Deny
	if strings.HasPrefix(flag, "--allow") {
		action = permission.Allow
	}
	for _, item := range items {
		text := item
		if strings.HasSuffix(flag, "-url") {
			text = "url(" + item + ")"
		}
		if why := unwieldy(text); why != "" {
			return r.errorf(from.Line, "%s: %s", flag, why)
		}
		rule, ok := copilotRuleOf(text)
		if !ok {
			return r.errorf(from.Line, "%s: %q is no rule: %s", flag, item, copilotRuleForms)
		}
		rule.from = Origin{from.File, from.Line, flag + " " + item}
		r.add(action, rule)
	}
	return nil
}

// splitRules splits a list at commas outside brackets.
func splitRules(text string) []string {
	depth, start := 0, 0
	var items []string
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				items = append(items, strings.TrimSpace(text[start:i]))
				start = i + 1
			}
		}
	}
	return append(items, strings.TrimSpace(text[start:]))
}
