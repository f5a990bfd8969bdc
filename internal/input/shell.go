package input

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/patch"
)

// Limits of what is looked for in text that cannot be analysed.
const (
	maxSpan  = 8     // words that one target holds
	maxWords = 20000 // words that are looked at
)

// shell adds what a shell tool's text would do.
func (b *builder) shell() {
	text, ok := b.shellText()
	if !ok {
		return
	}
	if b.refused = impossibleShell(text); b.refused != nil {
		return
	}
	b.doc.Script.Text = text
	if b.doc.Tool.Shell != "" {
		b.foreign(text)
		return
	}
	cwd, home := b.workdir(), b.env.User.Home
	script := bash.Parse(text, b.env.Tables)
	b.doc.Script.Assigns, b.doc.Script.Functions, b.doc.Script.Unparsed = script.Assigns, script.Functions, script.Unparsed
	for _, c := range script.Commands {
		b.doc.Commands = append(b.doc.Commands, Command{Command: c, Cwd: directory(cwd, home, c.Dir, c.DirDynamic)})
	}
	for i := range b.doc.Commands {
		b.command(i)
	}
	b.unparsed(script.Unparsed)
	b.assigns(script)
	for _, r := range script.Redirects {
		b.redirect(r, directory(cwd, home, r.Dir, r.DirDynamic))
	}
	if !b.judged("bash") {
		b.effectOnly(text)
	}
}

// shellText returns the text that the tool would give to a shell: whatever
// stands in any of the fields that may hold it, each in lines of its own. What
// is no text there is a target that nobody understands.
func (b *builder) shellText() (string, bool) {
	texts, odd := b.call.commands(append(slices.Clone(b.kind.keys), "commands", "action"))
	for _, text := range odd {
		b.opaque("bash", "(unparsed) "+text, -1, AnyRule)
		b.restrict(b.call.words())
	}
	if ws, ok := b.call.Input["ws"].(map[string]any); ok {
		b.url("webfetch", Call{Input: ws}.text("url"))
	}
	if len(texts) == 0 {
		return "", false
	}
	if name, ok := b.call.Input["shell"].(string); ok && !slices.Contains(ourShells, filepath.Base(name)) {
		b.doc.Tool.Shell = name
	}
	return strings.Join(append(b.call.exports(), texts...), "\n"), true
}

// ourShells are the shells whose text is analysed. What only zsh understands is
// not, but reads the same in bash as far as commands go.
var ourShells = []string{"", "sh", "bash", "dash", "zsh", "ksh"}

// commands returns the shell texts in the fields: a list of words is a command,
// and that in a field called commands is one of texts.
func (c Call) commands(keys []string) (texts, odd []string) {
	for _, key := range keys {
		value, there := c.Input[key]
		if !there || value == nil || value == "" {
			continue
		}
		words, isList := stringsOf(value)
		object, isObject := value.(map[string]any)
		text, isText := value.(string)
		switch {
		case isText:
			texts = append(texts, text)
		case isList && key == "commands":
			texts = append(texts, words...)
		case isList && len(words) > 0:
			texts = append(texts, quoted(words))
		case isList:
		case isObject:
			inner, innerOdd := Call{Input: object}.commands(keys)
			texts, odd = append(texts, inner...), append(odd, innerOdd...)
			if len(inner)+len(innerOdd) == 0 {
				odd = append(odd, fmt.Sprintf("%s: %v", key, value))
			}
		default:
			odd = append(odd, fmt.Sprintf("%s: %v", key, value))
		}
	}
	return unique(texts), odd
}

// exports returns the variables that the call sets for what it runs, as a shell
// would be told of them.
func (c Call) exports() []string {
	var lines []string
	for _, key := range []string{"env", "environment"} {
		variables, _ := c.Input[key].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(variables)) {
			lines = append(lines, "export "+quoted([]string{fmt.Sprintf("%s=%v", name, variables[name])}))
		}
	}
	return lines
}

// words returns the words of all strings in the call's input.
func (c Call) words() []string {
	var words []string
	for _, l := range c.leaves() {
		words = append(words, plainWords(l.text)...)
	}
	return words
}

// plainWords returns the words of a text whose grammar nobody knows, without
// what most shells put around and between them, as they stand and in lower
// case.
func plainWords(text string) []string {
	text = strings.NewReplacer("`", "", "^", "", "'", "", `"`, "").Replace(text)
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n;|&(){}<>", r) })
	if lower := strings.ToLower(text); lower != text {
		words = append(words, plainWords(lower)...)
	}
	return words
}

func stringsOf(v any) ([]string, bool) {
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	words := make([]string, len(list))
	for i, item := range list {
		if words[i], ok = item.(string); !ok {
			return nil, false
		}
	}
	return words, true
}

// quoted returns words as a shell text that stands for just them.
func quoted(words []string) string {
	made := make([]string, len(words))
	for i, word := range words {
		made[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return strings.Join(made, " ")
}

// directory returns the absolute directory that is in force, or "" if only run
// time knows it.
func directory(cwd, home, dir string, dynamic bool) string {
	switch {
	case dynamic:
		return ""
	case dir == "~" || strings.HasPrefix(dir, "~/"):
		return filepath.Join(home, strings.TrimPrefix(dir, "~"))
	case filepath.IsAbs(dir):
		return filepath.Clean(dir)
	default:
		return filepath.Join(cwd, dir)
	}
}

// foreign adds the targets of text for a shell that is not analysed.
func (b *builder) foreign(text string) {
	u := bash.Unparsed{Text: text, Reason: "is " + b.doc.Tool.Shell + ", which is not analysed", Words: plainWords(text)}
	b.doc.Script.Unparsed = []bash.Unparsed{u}
	b.unparsed(b.doc.Script.Unparsed)
}

// command adds the targets of a command: the command itself, and what its
// operands say that it does to files.
func (b *builder) command(i int) {
	c := &b.doc.Commands[i]
	t := Target{Pattern: c.Prefix, Options: c.Options, Operands: slices.Concat([]string{c.Name}, c.Operands), Judges: AnyRule, Command: i}
	t.Forms = []string{c.Text}
	if c.System && c.Transparent && b.insideDir(c) {
		t.Forms = unique(append(t.Forms, c.Canonical))
	}
	base := strings.TrimPrefix(c.Text, c.Program)
	t.Strict = unique([]string{c.Source, c.Canonical, c.Name + base, c.Prefix, c.Name})
	if t.Pattern == "" {
		t.Pattern = c.Text
	}
	always := offered(c)
	switch {
	case c.Unparsed != "":
		t.Judges = Restriction // the call has a target for what cannot be analysed
		always = nil
	case b.seesThrough(c):
		t.Judges = NamedPattern
		always = nil
	}
	b.request("bash").add(t, always...)
	b.whereabouts(i)
	b.operations(i)
	b.patches(i)
	for _, arg := range c.Args {
		if !arg.Dynamic && strings.Contains(arg.Text, "://") {
			b.doc.URLs = append(b.doc.URLs, ParseURL(arg.Text))
		}
	}
}

// insideDir reports whether the command runs in the workspace: what leaves out
// a change of directory may be granted only there.
func (b *builder) insideDir(c *Command) bool {
	if c.Canonical == c.Text || c.Dir == "" {
		return true
	}
	return c.Cwd != "" && b.env.Workspace.Resolve(b.cwd, c.Cwd).Inside
}

// offered returns what an "always" for the command would save: nothing for one
// that runs whatever it is given.
func offered(c *Command) []string {
	if c.Unparsed != "" || c.Wrapper || c.Prefix == "" || len(c.Hazards) > 0 || slices.Contains(c.Effects, bash.Run) && c.Prefix == c.Name && c.Stdin != "" {
		return nil
	}
	return []string{c.Prefix, c.Prefix + " *"}
}

// seesThrough reports whether the command does nothing of its own: what it
// runs is listed, and judged instead of it.
func (b *builder) seesThrough(c *Command) bool {
	return c.Through || slices.Contains(b.doc.Script.Functions, c.Program)
}

// unparsed adds a target for each part that could not be analysed, which only a
// rule for everything allows, and for its plain words, which rules may deny.
func (b *builder) unparsed(parts []bash.Unparsed) {
	for _, u := range parts {
		b.opaque("bash", "(unparsed) "+u.Text, -1, AnyRule)
		b.restrict(u.Words)
	}
}

// restrict adds targets for words of which nobody knows what they mean, for
// rules that deny or ask.
func (b *builder) restrict(words []string) {
	if len(words) > maxWords {
		b.refused = fmt.Errorf("the shell text cannot be analysed, and has more than %d words", maxWords)
		return
	}
	r := b.request("bash")
	for i, word := range words {
		if word == "" || strings.HasPrefix(word, "-") {
			continue
		}
		span := words[i:min(i+maxSpan, len(words))]
		name := filepath.Base(word)
		text := strings.Join(span, " ")
		r.Targets = append(r.Targets, Target{
			Pattern: text, Forms: []string{text}, Strict: unique([]string{word, name, strings.Join(slices.Concat([]string{name}, span[1:]), " ")}),
			Judges: Restriction, Command: -1,
		})
	}
}

// assigns adds the assignments as targets, for rules that name them.
func (b *builder) assigns(script bash.Script) {
	for _, a := range script.Assigns {
		b.request("bash").add(Target{Pattern: a.Source, Forms: unique([]string{a.Source, a.Name + "=" + a.Value}), Judges: NamedPattern, Command: -1})
	}
	for i, c := range b.doc.Commands {
		for _, a := range c.Assigns {
			b.request("bash").add(Target{Pattern: a.Source, Forms: unique([]string{a.Source, a.Name + "=" + a.Value}), Judges: NamedPattern, Command: i})
		}
	}
}

// judged reports whether a request has a target that all rules judge: without
// one, it would be allowed where no rule speaks of it.
func (b *builder) judged(permission string) bool {
	for _, r := range b.doc.Requests {
		if r.Permission == permission && slices.ContainsFunc(r.Targets, func(t Target) bool { return t.Judges == AnyRule }) {
			return true
		}
	}
	return false
}

// effectOnly adds the target of a text that runs no command of its own, but may
// still do something, such as "> file" or "X=1".
func (b *builder) effectOnly(text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		text = "*"
	}
	b.request("bash").add(Target{Pattern: text, Forms: []string{text}, Judges: AnyRule, Command: -1})
}

// redirect adds the target of a file that the shell itself opens. Writing is
// an edit in full, for no command's grant speaks of it.
func (b *builder) redirect(r bash.Redirect, cwd string) {
	permission, judges, access := "edit", AnyRule, Write
	if r.Effect == bash.Read {
		permission, judges, access = "read", NamedPermission, Read
	}
	b.file(shellFile{r.Path, r.Dynamic, false, cwd}, permission, access, judges, "redirect", -1)
}

// operations adds the targets of the files that a command names.
func (b *builder) operations(i int) {
	c := &b.doc.Commands[i]
	for _, o := range c.Operations {
		switch {
		case !o.Listed:
			b.looks(o, c.Cwd, i)
		case o.Effect == bash.Read:
			b.file(shellFile{o.Path, o.Dynamic, o.Glob, c.Cwd}, "read", Read, NamedPermission, "operand", i)
		case o.Effect == bash.Delete:
			b.file(shellFile{o.Path, o.Dynamic, o.Glob, c.Cwd}, "edit", Delete, NamedPermission, "operand", i)
		default:
			b.file(shellFile{o.Path, o.Dynamic, o.Glob, c.Cwd}, "edit", Write, NamedPermission, "operand", i)
		}
	}
}

// looks notes an operand that merely looks like a path.
func (b *builder) looks(o bash.Operation, cwd string, i int) {
	access := Unknown
	if b.doc.Commands[i].Known {
		access = Read
	}
	paths := []string{o.Path}
	if o.Dynamic {
		paths = b.guesses(o.Path)
	}
	for _, path := range paths {
		if cwd != "" || filepath.IsAbs(path) {
			b.notePath(path, cwd, access, "operand", i)
		}
	}
}

// known returns the part of a path that is known before it is run, where that
// says where the path lies: the home directory, or an absolute beginning. It
// is empty if the path may lie anywhere.
func (b *builder) known(path string) string {
	path = strings.Trim(path, `"`)
	for _, home := range []string{"$HOME", "${HOME}", "~"} {
		if rest, ok := strings.CutPrefix(path, home); ok && (rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `"/`)) {
			path = b.env.User.Home + strings.ReplaceAll(rest, `"`, "")
		}
	}
	if !strings.HasPrefix(path, "/") {
		return ""
	}
	if i := strings.IndexAny(path, "$`*?[{\"'\\"); i >= 0 {
		path = path[:strings.LastIndexByte(path[:i+1], '/')+1]
	}
	return filepath.Clean(path)
}

// A shellFile is a file as shell text names it: what is dynamic only run time
// knows, and a glob stands for the files that it matches in cwd.
type shellFile struct {
	path          string
	dynamic, glob bool
	cwd           string
}

// file adds the target of a file that shell text names. If only run time knows
// the file, only a rule for everything decides it, but what it may be for all
// that the text says is a target too.
func (b *builder) file(f shellFile, permission string, access Access, judges Judges, origin string, command int) {
	if harmlessDevice(f.path) {
		return
	}
	if f.dynamic || f.cwd == "" && !filepath.IsAbs(f.path) {
		b.opaque(permission, f.path, command, judges)
		for _, path := range b.guesses(f.path) {
			if f.cwd != "" || filepath.IsAbs(path) {
				p := b.notePath(path, f.cwd, access, origin, command)
				b.touch(permission, p, NamedPermission, p.name())
			}
		}
		return
	}
	paths := []string{f.path}
	if f.glob {
		var ok bool
		if paths, ok = expand(f.cwd, f.path); !ok {
			b.notePath(f.path, f.cwd, access, origin, command)
			b.opaque(permission, f.path, command, judges)
			return
		}
	}
	for _, path := range paths {
		p := b.notePath(path, f.cwd, access, origin, command)
		b.touch(permission, p, judges, p.name())
	}
}

// variable is a variable in a word, and nothing that changes its value.
var variable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})`)
})

// maxGuesses is how many paths a word that only run time knows is tried as.
const maxGuesses = 20

// guesses returns the paths that a word may be that only run time knows: with
// the values that the text itself gives the variables in it, or as far as its
// beginning tells.
func (b *builder) guesses(word string) []string {
	if path := b.known(word); path != "" && path != "/" {
		return []string{path}
	}
	words := []string{strings.ReplaceAll(word, `"`, "")}
	for range 3 { // variables in a word
		var next []string
		for _, w := range words {
			at := variable().FindStringSubmatchIndex(w)
			if at == nil {
				next = append(next, w)
				continue
			}
			name := variable().FindStringSubmatch(w)
			for _, value := range b.values(cmp.Or(name[1], name[2])) {
				next = append(next, w[:at[0]]+value+w[at[1]:])
			}
		}
		if words = next; len(words) > maxGuesses {
			return nil
		}
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" || strings.ContainsAny(w, "$`") })
}

// values returns the values that the text gives a variable, as far as they are
// plain.
func (b *builder) values(name string) []string {
	var values []string
	add := func(assigns []bash.Assign) {
		for _, a := range assigns {
			if a.Name == name && !a.Dynamic {
				values = append(values, a.Value)
			}
		}
	}
	add(b.doc.Script.Assigns)
	for _, c := range b.doc.Commands {
		add(c.Assigns)
	}
	values = append(values, b.env.Variables[name])
	return slices.DeleteFunc(unique(values), func(v string) bool { return v == "" })
}

// movers are the commands that change the directory for those behind them.
var movers = []string{"cd", "chdir", "pushd"}

// whereabouts notes the directory that the command works in, or goes to, if
// that lies outside: what it reads there is not always named.
func (b *builder) whereabouts(i int) {
	c := &b.doc.Commands[i]
	dir := c.Cwd
	if slices.Contains(movers, c.Name) {
		for _, arg := range c.Args {
			if !arg.Dynamic && !strings.HasPrefix(arg.Text, "-") && !strings.HasPrefix(arg.Text, "+") {
				dir = arg.Text
			}
		}
	}
	if dir == "" || c.Cwd == "" && !filepath.IsAbs(dir) || dir == b.doc.Workspace.Root {
		return
	}
	if !b.env.Workspace.ResolveHome(c.Cwd, dir).Inside {
		b.notePath(dir, c.Cwd, Read, "directory", i)
	}
}

// patches adds the files that a patch would touch that shell text applies.
func (b *builder) patches(i int) {
	c := &b.doc.Commands[i]
	switch {
	case c.Name == "apply_patch" || c.Name == "applypatch":
		text, ok := c.Input, c.Input != "" && c.InputStatic
		if len(c.Args) > 0 {
			text, ok = c.Args[0].Text, !c.Args[0].Dynamic && len(c.Args) == 1
		}
		b.shellPatch(i, text, ok && c.Cwd != "", patch.ApplyPatch)
	case c.Name == "patch" || c.Name == "git" && len(c.Operands) > 0 && (c.Operands[0] == "apply" || c.Operands[0] == "am"):
		strip, dir := patchOptions(c)
		if dir != "" && c.Cwd != "" {
			c.Cwd = filepath.Join(c.Cwd, dir)
		}
		b.shellPatch(i, c.Input, c.Input != "" && c.InputStatic && c.Cwd != "", func(text string) ([]patch.File, error) {
			return patch.Unified(text, strip)
		})
	}
}

// shellPatch adds the files of a patch. The command's own grant covers no more
// than running it: the files are edits in full.
func (b *builder) shellPatch(i int, text string, known bool, read func(string) ([]patch.File, error)) {
	c := &b.doc.Commands[i]
	if !known {
		b.opaque("edit", "(unparsed) "+c.Text, i, AnyRule)
		return
	}
	files, err := read(text)
	b.patched(files, err, c.Cwd, i, AnyRule)
}

// patchOptions returns how many parts of a path the command strips, -1 if it
// guesses, and the directory that it works in.
func patchOptions(c *Command) (strip int, dir string) {
	strip = -1
	if c.Name == "git" {
		strip = 1
	}
	for i, arg := range c.Args {
		value := func(option string) (string, bool) {
			if rest, ok := strings.CutPrefix(arg.Text, option); ok && rest != "" {
				return strings.TrimPrefix(rest, "="), true
			}
			if arg.Text == option && i+1 < len(c.Args) {
				return c.Args[i+1].Text, true
			}
			return "", false
		}
		for _, option := range []string{"-p", "--strip"} {
			if text, ok := value(option); ok {
				if n, err := strconv.Atoi(text); err == nil {
					strip = n
				}
			}
		}
		for _, option := range []string{"-d", "--directory"} {
			if text, ok := value(option); ok {
				dir = text
			}
		}
	}
	return strip, dir
}
