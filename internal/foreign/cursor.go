package foreign

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/jsonc"
	"github.com/permctl/permctl/internal/permission"
)

// Cursor is Cursor and its CLI: https://cursor.com/docs/cli/reference/permissions.
// What its documentation leaves open is read as the stricter of both.
var Cursor = &Source{
	Name: "cursor",
	Files: "~/.cursor/cli-config.json, .cursor/cli.json: permissions; permissions.json:\n" +
		"terminalAllowlist and mcpAllowlist. Those that are merged first come first.",
	strictest: true, read: readCursor,
}

// A cursorRule is a rule of a list: a tool, and what it is given.
type cursorRule struct {
	action permission.Action
	tool   string // Shell, Read, Write, WebFetch or Mcp
	spec   string

	// prefix is whether spec is the beginning of a command, as in
	// terminalAllowlist, and not its name.
	prefix bool

	from Origin
}

// readCursor makes a book of settings files.
func readCursor(files []File) (*book, error) {
	r := cursorReader{book: &book{base: []Rule{{"*", "*", permission.Ask, Origin{}}}}}
	for _, f := range files {
		root, err := settingsOf(f)
		if err != nil {
			return nil, err
		}
		before := len(r.rules()) + len(r.book.notes)
		if err := r.file(f, root); err != nil {
			return nil, err
		}
		if err := tooMany(f.Name, len(r.rules())); err != nil {
			return nil, err
		}
		if before == len(r.rules())+len(r.book.notes) {
			known := root.Member("permissions").Kind() != jsonc.None || path.Base(path.Dir(strings.ReplaceAll(f.Name, `\`, "/"))) == ".cursor" || f.Scope != ""
			if err := r.book.nothing(f, known, "Cursor"); err != nil {
				return nil, err
			}
		}
	}
	t := cursorTranslation{book: r.book}
	for _, rule := range r.rules() {
		t.rule(rule)
	}
	t.finish()
	return r.book, nil
}

// A cursorReader gathers rules.
type cursorReader struct {
	book *book

	// allow are those of the last file that has the list, and deny those of all.
	allow, deny []cursorRule

	listed []cursorRule // those of permissions.json
}

// file reads one file.
func (r *cursorReader) file(f File, root jsonc.Value) error {
	permissions := root.Member("permissions")
	if kind := permissions.Kind(); kind != jsonc.Object && kind != jsonc.None {
		return fmt.Errorf("%s:%d: permissions must be an object with the lists allow and deny", f.Name, permissions.Line())
	}
	for key, value := range permissions.Members() {
		rules, err := r.list(f, permission.Action(key.Text()), value)
		switch {
		case err != nil:
			return err
		case key.Text() == "deny":
			r.deny = append(r.deny, rules...)
		case key.Text() == "allow":
			for _, rule := range r.allow {
				r.book.note(rule.from, "is left out: the list in %s takes the place of this one", f.Name)
			}
			r.allow = rules
		default:
			return fmt.Errorf("%s:%d: permissions has no list %s%s: write allow or deny", f.Name, key.Line(), key.Text(), permission.DidYouMean(key.Text(), "allow", "deny"))
		}
	}
	for _, list := range []struct{ name, tool string }{{"terminalAllowlist", "Shell"}, {"mcpAllowlist", "Mcp"}} {
		texts, err := cursorTexts(f, list.name, root.Member(list.name))
		if err != nil {
			return err
		}
		for _, from := range texts {
			r.listed = append(r.listed, cursorRule{permission.Allow, list.tool, from.Text, list.tool == "Shell", from})
		}
	}
	if v := root.Member("autoRun"); v.Kind() != jsonc.None {
		r.book.note(Origin{f.Name, v.Line(), "autoRun"}, "is left out: it is words for a model, and what no rule allows is asked")
	}
	for key := range root.Members() {
		if name := key.Text(); permissionKey.MatchString(name) && !slices.Contains([]string{"permissions", "terminalAllowlist", "mcpAllowlist"}, name) {
			r.book.note(Origin{f.Name, key.Line(), name}, "is left out: Cursor has no such setting; what it denies stands in permissions.deny")
		}
	}
	return nil
}

// cursorTexts reads a list of texts.
func cursorTexts(f File, name string, v jsonc.Value) ([]Origin, error) {
	if v.Kind() == jsonc.None {
		return nil, nil
	}
	if v.Kind() != jsonc.Array {
		return nil, fmt.Errorf("%s:%d: %s must be a list of texts", f.Name, v.Line(), name)
	}
	var texts []Origin
	for _, item := range v.Elements() {
		if strings.TrimSpace(item.Text()) == "" {
			return nil, fmt.Errorf("%s:%d: what is in %s must be text", f.Name, item.Line(), name)
		}
		if why := unwieldy(item.Text()); why != "" {
			return nil, fmt.Errorf("%s:%d: %s", f.Name, item.Line(), why)
		}
		texts = append(texts, Origin{f.Name, item.Line(), strings.TrimSpace(item.Text())})
	}
	return texts, nil
}

var cursorForm = regexp.MustCompile(`^([A-Za-z]+)\((.+)\)$`)

// cursorTools are the tools of rules.
var cursorTools = []string{"Shell", "Read", "Write", "WebFetch", "Mcp"}

// list reads allow or deny.
func (r *cursorReader) list(f File, action permission.Action, v jsonc.Value) ([]cursorRule, error) {
	texts, err := cursorTexts(f, "permissions."+string(action), v)
	if err != nil {
		return nil, err
	}
	rules := []cursorRule{}
	for _, from := range texts {
		found := cursorForm.FindStringSubmatch(from.Text)
		if found == nil || strings.TrimSpace(found[2]) == "" {
			return nil, fmt.Errorf("%s:%d: %q is no rule: write a tool, and what it is given in brackets, such as Shell(git)", f.Name, from.Line, from.Text)
		}
		tool := found[1]
		if !slices.Contains(cursorTools, tool) {
			i := slices.IndexFunc(cursorTools, func(name string) bool { return strings.EqualFold(name, tool) })
			if i < 0 || action == permission.Allow {
				r.book.note(from, "is left out: Cursor has no rules for %s%s", tool, permission.DidYouMean(tool, cursorTools...))
				continue
			}
			tool = cursorTools[i]
			r.book.note(from, "is taken for one of %s: Cursor itself may not consult it", tool)
		}
		rules = append(rules, cursorRule{action, tool, strings.TrimSpace(found[2]), false, from})
	}
	return rules, nil
}

// rules returns all rules.
func (r *cursorReader) rules() []cursorRule { return slices.Concat(r.allow, r.listed, r.deny) }

// A cursorTranslation makes a book of rules.
type cursorTranslation struct {
	book  *book
	rules []cursorRule // those that count
	files []fileRule
	tools []cursorTool
	lines []cursorRule // those that deny what is no command
}

// A cursorTool is a rule for commands, hosts or MCP servers as regular
// expressions: for a command's name, a host or a server, and for what a command is
// given or a server's tool.
type cursorTool struct {
	cursorRule

	name, rest string
}

// rule translates one rule.
func (t *cursorTranslation) rule(r cursorRule) {
	switch r.tool {
	case "Read", "Write":
		t.file(r)
	case "WebFetch":
		t.host(r)
	case "Mcp":
		t.mcp(r)
	default:
		t.shell(r)
	}
}

// keep keeps a rule for the preset and the judge.
func (t *cursorTranslation) keep(r cursorRule, name, rest string) {
	t.tools = append(t.tools, cursorTool{r, "(?s)^(?:" + name + ")$", "(?s)^(?:" + rest + ")$"})
	t.rules = append(t.rules, r)
}

// shell translates Shell(NAME), Shell(NAME:ARGS), and the beginning of a command.
func (t *cursorTranslation) shell(r cursorRule) {
	name, rest, given := strings.Cut(r.spec, ":")
	if r.prefix {
		name, rest, given = strings.Cut(strings.Join(strings.Fields(r.spec), " "), " ")
		if strings.ContainsAny(r.spec, "*?[]{}\"'\\$`") {
			t.book.note(r.from, "is left out: whether what is in it stands for something else, Cursor's documentation does not say")
			return
		}
		expression := regexp.QuoteMeta(rest) + "(?: .*)?"
		if !given {
			expression = ".*"
		}
		t.keep(r, regexp.QuoteMeta(name), expression)
		return
	}
	if strings.ContainsAny(r.spec, cursorOpen) || strings.ContainsAny(name, " \t") {
		if r.action == permission.Allow {
			t.book.note(r.from, "is left out: a command's name has no blanks, and of wildcards only *, ** and ? are documented")
			return
		}
		first, more, _ := strings.Cut(name, " ")
		if strings.ContainsAny(r.spec, cursorOpen) {
			t.book.note(r.from, "holds for every command that begins so: a command's name has no blanks, and of wildcards only *, ** and ? are documented")
		} else {
			t.book.note(r.from, "holds for every command %s: Cursor's rules name the first word of a command, and what is behind it may count for nothing; write Shell(%s:%s*) for less", first, first, strings.TrimSpace(more))
		}
		name, rest, given = strings.Fields(r.spec)[0], "", false
		name, _, _ = strings.Cut(name, ":")
		if i := strings.IndexAny(name, cursorOpen); i >= 0 {
			name = name[:i] + "**"
		}
	}
	expression := ".*"
	if given && strings.Trim(rest, "*") != "" {
		expression = r.wild(rest)
	}
	if r.action == permission.Allow {
		t.keep(r, cursorWild(name, "[^/\\s]", `\S`), expression)
		return
	}
	if syntactic.MatchString(r.spec) {
		t.book.note(r.from, syntaxHeld)
		t.lines = append(t.lines, r)
	}
	t.keep(r, r.wild(name), expression)
}

// cursorOpen are the characters that some programs take for wildcards, and of
// which Cursor's documentation does not say what they are.
const cursorOpen = `[]{}()!+@\`

// wild returns the regular expression for a text with wildcards, of which one
// stands for one character, and many for any number of them.
func (r cursorRule) wild(text string) string {
	one := "[^/]" // in a rule that allows, a single star does not reach beyond a slash
	if r.action != permission.Allow {
		one = "."
	}
	return cursorWild(text, one, ".")
}

// cursorWild returns the regular expression for a text in which ? is a character
// of one, * any number of these, and ** any number of those of any.
func cursorWild(text, one, any string) string {
	var b strings.Builder
	last := 0
	for _, at := range cursorStars.FindAllStringIndex(text, -1) {
		b.WriteString(regexp.QuoteMeta(text[last:at[0]]))
		last = at[1]
		switch star := text[at[0]:at[1]]; {
		case star == "?":
			b.WriteString(one)
		case len(star) > 1:
			b.WriteString(any + "*")
		default:
			b.WriteString(one + "*")
		}
	}
	return b.String() + regexp.QuoteMeta(text[last:])
}

var cursorStars = regexp.MustCompile(`\*+|\?`)

// host translates WebFetch(…).
func (t *cursorTranslation) host(r cursorRule) {
	expression, ok := hostExpression(r.spec)
	switch {
	case !ok && r.action == permission.Allow:
		t.book.note(r.from, "is left out: no host is called so; write WebFetch(example.com)")
		return
	case !ok:
		t.book.note(r.from, "holds for every address: no host is called so; write WebFetch(example.com)")
		r.spec, expression = "*", "^.*$"
	case r.action == permission.Allow:
		expression = strings.Replace(expression, `(?:[^.]+\.)+`, `[^.]+\.`, 1) // how deep, nobody says
	}
	t.keep(r, strings.TrimSuffix(strings.TrimPrefix(expression, "^"), "$"), ".*")
}

// mcp translates Mcp(SERVER:TOOL).
func (t *cursorTranslation) mcp(r cursorRule) {
	server, tool, ok := strings.Cut(r.spec, ":")
	if !ok {
		server, tool, ok = strings.Cut(r.spec, ",")
	}
	server, tool = strings.TrimSpace(server), strings.TrimSpace(tool)
	if !ok || server == "" || tool == "" || strings.ContainsAny(r.spec, cursorOpen) {
		if r.action == permission.Allow {
			t.book.note(r.from, "is left out: write Mcp(SERVER:TOOL), with * for any")
			return
		}
		t.book.note(r.from, "holds for every tool of every server: write Mcp(SERVER:TOOL), with * for any")
		server, tool = "*", "*"
	}
	if strings.Trim(server, "*") != "" {
		switch r.action {
		case permission.Allow:
			t.book.note(r.from, "allows only where the server is named so: Cursor's hooks name it by its command or address, and its tools are asked then")
		default:
			t.book.note(r.from, "holds for the tool of every server: Cursor's hooks do not say how a server is named")
		}
	}
	r.spec = server + ":" + tool
	wide := r
	wide.action = permission.Deny // a name has no segments
	name := wide.wild(server)
	if r.action != permission.Allow {
		name = ".*"
	}
	t.keep(r, name, wide.wild(tool))
}

// file translates Read(…) and Write(…).
func (t *cursorTranslation) file(r cursorRule) {
	sure, may := sureReads, mayRead
	if r.tool == "Write" {
		sure, may = sureWrites, mayWrite
	}
	accesses := may
	if r.action == permission.Allow {
		accesses = sure
	}
	from, paths, ok := r.paths()
	below, home := strings.CutPrefix(r.spec, "~/")
	if home && r.action != permission.Allow {
		inHome, inFolder := r, r
		inHome.spec, inFolder.spec = below, "./"+r.spec
		_, homePaths, okHome := inHome.paths()
		if _, folderPaths, okFolder := inFolder.paths(); okHome && okFolder {
			t.book.note(r.from, "holds below your home, and below a folder called ~: Cursor's documentation does not say which of them it is")
			t.files = append(t.files, fileRule{r.action, accesses, "home", 0, homePaths, "", r.from}, fileRule{r.action, accesses, "workspace", 0, folderPaths, "", r.from})
			t.rules = append(t.rules, r)
			return
		}
	}
	switch {
	case !ok && r.action == permission.Allow:
		t.book.note(r.from, "is left out: of a path with ~, .. or other wildcards than *, ** and ?, Cursor's documentation does not say what it is")
		return
	case !ok:
		t.book.note(r.from, "holds for every file: of a path with ~, .. or other wildcards than *, ** and ?, Cursor's documentation does not say what it is")
		r.spec = "/**"
	}
	t.files = append(t.files, fileRule{r.action, accesses, from, 0, paths, "", r.from})
	t.rules = append(t.rules, r)
}

// paths returns where the paths of a rule begin, and the regular expression for
// the rest. It is not ok if nobody can tell, and then they are all.
func (r cursorRule) paths() (from, expression string, ok bool) {
	spec, here := strings.CutPrefix(r.spec, "./")
	from = "workspace"
	if strings.HasPrefix(spec, "/") {
		from, spec = "/", spec[1:]
	}
	names := strings.Split(spec, "/")
	if strings.ContainsAny(spec, cursorOpen) || !here && strings.HasPrefix(spec, "~") || slices.ContainsFunc(names, func(n string) bool { return n == "." || n == ".." || n == "" }) {
		return "/", "(?s)^.*$", false
	}
	allows := r.action == permission.Allow
	flags, dots := "(?is)", "" // some file systems do not know letter case
	if allows {
		flags, dots = "(?s)", "[^/.]" // a star is for no name that begins with a dot
	}
	var b strings.Builder
	b.WriteString(flags + "^")
	for i, name := range names {
		last := i == len(names)-1
		switch {
		case name == "**" && last && allows:
			b.WriteString("(?:[^/.][^/]*/)*[^/.][^/]*")
		case name == "**" && last:
			b.WriteString(".*")
		case name == "**" && allows:
			b.WriteString("(?:[^/.][^/]*/)*")
		case name == "**":
			b.WriteString("(?:.*/)?")
		default:
			b.WriteString(cursorName(name, dots))
			if !last {
				b.WriteString("/")
			}
		}
	}
	if !allows {
		b.WriteString("(?:/.*)?") // what lies in it
	}
	return from, b.String() + "$", true
}

// cursorName returns the regular expression for one name in a path, of which the
// first character has to be one of first if a wildcard stands for it.
func cursorName(name, first string) string {
	var b strings.Builder
	for i, c := range name {
		switch {
		case c == '*' && i == 0 && first != "":
			b.WriteString(first + "[^/]*")
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?' && i == 0 && first != "":
			b.WriteString(first)
		case c == '?':
			b.WriteString("[^/]")
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	return b.String()
}
