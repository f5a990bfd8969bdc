package foreign

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/permctl/permctl/internal/permission"
)

// A codexRule is a prefix_rule: what the first words of a command are, with the
// alternatives for each.
type codexRule struct {
	pattern [][]string
	action  permission.Action
	why     string // for the model, or ""
	from    Origin

	// match and never are examples of commands, which the rule has to match or
	// must not match.
	match, never [][]string
}

// A codexNetwork is a network_rule.
type codexNetwork struct {
	host, protocol string
	action         permission.Action
	from           Origin
}

// codexRules are what all rule files say.
type codexRules struct {
	prefixes []codexRule
	networks []codexNetwork

	// programs are the paths at which a program of a name is the one that rules
	// mean by the name. The last host_executable for a name counts.
	programs map[string][]string
}

// codexSteps are how many steps a rule file may take. Codex's own files take a few
// for each rule.
const codexSteps = 200_000

// read reads a rule file, which is Starlark. No other file is loaded.
func (c *codexRules) read(f File) error {
	options := &syntax.FileOptions{TopLevelControl: true, GlobalReassign: true}
	tree, err := options.Parse(f.Name, f.Text, 0)
	if err != nil {
		return starlarkError(f, err)
	}
	if err := plainStarlark(tree); err != nil {
		return starlarkError(f, err)
	}
	names := starlark.StringDict{}
	for name, call := range map[string]func(*starlarkCall) error{"prefix_rule": c.prefixRule, "network_rule": c.networkRule, "host_executable": c.hostExecutable} {
		names[name] = starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
			line := int(thread.CallFrame(1).Pos.Line)
			return starlark.None, call(&starlarkCall{name, args, named, Origin{File: f.Name, Line: line}})
		})
	}
	program, err := starlark.FileProgram(tree, names.Has)
	if err != nil {
		return starlarkError(f, err)
	}
	thread := &starlark.Thread{Name: f.Name}
	thread.SetMaxExecutionSteps(codexSteps)
	_, err = program.Init(thread, names)
	return starlarkError(f, err)
}

// plainStarlark refuses what could take more memory than the file is long: all
// that operators, methods and Starlark's own functions can do.
func plainStarlark(tree *syntax.File) (err error) {
	syntax.Walk(tree, func(n syntax.Node) bool {
		what := ""
		switch n := n.(type) {
		case *syntax.LoadStmt:
			what = "load is not read: give the other file too"
		case *syntax.BinaryExpr:
			if n.Op != syntax.EQ { // a named argument
				what = "operators and methods are not read: write out what comes of them"
			}
		case *syntax.DotExpr:
			what = "operators and methods are not read: write out what comes of them"
		case *syntax.AssignStmt:
			if n.Op != syntax.EQ {
				what = "operators and methods are not read: write out what comes of them"
			}
		case *syntax.Ident:
			if _, own := starlark.Universe[n.Name]; own && n.Name != "True" && n.Name != "False" && n.Name != "None" {
				what = n.Name + " is not read: write out what comes of it"
			}
		}
		if what != "" && err == nil {
			start, _ := n.Span()
			err = syntax.Error{Pos: start, Msg: what}
		}
		return err == nil
	})
	return err
}

// starlarkError returns an error of Starlark with its file and line.
func starlarkError(f File, err error) error {
	var inSyntax syntax.Error
	var inNames resolve.ErrorList
	var inCall *starlark.EvalError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &inSyntax):
		return fmt.Errorf("%s:%d: %s", f.Name, inSyntax.Pos.Line, inSyntax.Msg)
	case errors.As(err, &inNames):
		return fmt.Errorf("%s:%d: %s: Codex's rule files have prefix_rule, network_rule and host_executable", f.Name, inNames[0].Pos.Line, inNames[0].Msg)
	case errors.As(err, &inCall):
		line := int32(0)
		for _, frame := range inCall.CallStack {
			if frame.Pos.IsValid() && frame.Pos.Filename() == f.Name {
				line = frame.Pos.Line
			}
		}
		return fmt.Errorf("%s:%d: %s", f.Name, line, inCall.Msg)
	}
	return fmt.Errorf("%s: %w", f.Name, err)
}

// A starlarkCall is a call of a function in a rule file.
type starlarkCall struct {
	name  string
	args  starlark.Tuple
	named []starlark.Tuple
	from  Origin
}

func (c *codexRules) prefixRule(call *starlarkCall) error {
	if len(c.prefixes) == maxCompared {
		return fmt.Errorf("more than %d rules: nobody can read so many", maxCompared)
	}
	var pattern, match, never *starlark.List
	decision, why := "allow", starlark.Value(starlark.None)
	err := starlark.UnpackArgs(call.name, call.args, call.named, "pattern", &pattern, "decision?", &decision, "match?", &match, "not_match?", &never, "justification?", &why)
	if err != nil {
		return err
	}
	r := codexRule{from: call.from}
	if r.action, err = codexDecision(decision, "forbidden"); err != nil {
		return err
	}
	if r.why, err = justified(why); err != nil {
		return err
	}
	if r.pattern, err = codexPattern(pattern); err != nil {
		return err
	}
	if r.match, err = codexExamples(match); err != nil {
		return err
	}
	if r.never, err = codexExamples(never); err != nil {
		return err
	}
	r.from.Text = fmt.Sprintf("prefix_rule(pattern=%s, decision=%q)", pattern, decision)
	c.prefixes = append(c.prefixes, r)
	return nil
}

// codexDecision returns what a decision is for permctl. Each function has its own
// words for deny.
func codexDecision(text string, denies ...string) (permission.Action, error) {
	switch {
	case text == "allow":
		return permission.Allow, nil
	case text == "prompt":
		return permission.Ask, nil
	case slices.Contains(denies, text):
		return permission.Deny, nil
	}
	return permission.Deny, fmt.Errorf("%q is no decision: write allow, prompt or %s", text, denies[0])
}

func justified(v starlark.Value) (string, error) {
	if v == starlark.None {
		return "", nil
	}
	text, ok := starlark.AsString(v)
	if !ok || strings.TrimSpace(text) == "" {
		return "", errors.New("justification must be text, and not empty")
	}
	return text, nil
}

// codexPattern returns the alternatives for each word.
func codexPattern(list *starlark.List) ([][]string, error) {
	var pattern [][]string
	for v := range list.Elements() {
		words, err := textsOf(v)
		if err != nil {
			return nil, fmt.Errorf("pattern must be a list of words, or of lists of words that may stand there: %w", err)
		}
		pattern = append(pattern, words)
	}
	if len(pattern) == 0 {
		return nil, errors.New("pattern must have a word: an empty one would match every command")
	}
	return pattern, nil
}

// textsOf returns a text, or the texts in a list that is not empty.
func textsOf(v starlark.Value) ([]string, error) {
	if text, ok := starlark.AsString(v); ok {
		return []string{text}, nil
	}
	list, ok := v.(*starlark.List)
	if !ok || list.Len() == 0 {
		return nil, fmt.Errorf("%s is neither text nor a list with texts", v)
	}
	var texts []string
	for item := range list.Elements() {
		text, ok := starlark.AsString(item)
		if !ok {
			return nil, fmt.Errorf("%s is not text", item)
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// codexExamples returns commands that stand in a rule, as text for a shell or as
// lists of words.
func codexExamples(list *starlark.List) ([][]string, error) {
	if list == nil {
		return nil, nil
	}
	var examples [][]string
	for v := range list.Elements() {
		words, err := textsOf(v)
		if text, ok := starlark.AsString(v); ok {
			words, err = shellWords(text)
		}
		if err != nil {
			return nil, fmt.Errorf("an example must be a command: %w", err)
		}
		examples = append(examples, words)
	}
	return examples, nil
}

// shellWords splits a text into words, of which quotes are part only.
func shellWords(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	open, begun := rune(0), false
	rest := []rune(text)
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case open == 0 && strings.ContainsRune(" \t\n", c):
			if begun {
				words, begun = append(words, word.String()), false
				word.Reset()
			}
		case open == 0 && (c == '\'' || c == '"'):
			open, begun = c, true
		case c == open:
			open = 0
		case c == '\\' && open != '\'' && i+1 < len(rest):
			if i++; open == '"' && !strings.ContainsRune("\"\\$`", rest[i]) {
				word.WriteRune(c)
			}
			word.WriteRune(rest[i])
			begun = true
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	if open != 0 || len(words) == 0 {
		return nil, fmt.Errorf("%q has no words, or a quote that stays open", text)
	}
	return words, nil
}

func (c *codexRules) networkRule(call *starlarkCall) error {
	n := codexNetwork{from: call.from}
	decision, why := "", starlark.Value(starlark.None)
	err := starlark.UnpackArgs(call.name, call.args, call.named, "host", &n.host, "protocol", &n.protocol, "decision", &decision, "justification?", &why)
	if err != nil {
		return err
	}
	if n.action, err = codexDecision(decision, "forbidden", "deny"); err != nil {
		return err
	}
	if _, err = justified(why); err != nil {
		return err
	}
	if !slices.Contains([]string{"http", "https", "https_connect", "http-connect", "socks5_tcp", "socks5_udp"}, n.protocol) {
		return fmt.Errorf("%q is no protocol: write http, https, socks5_tcp or socks5_udp", n.protocol)
	}
	if n.host == "" || strings.ContainsAny(n.host, "*?/ \t") {
		return fmt.Errorf("%q is no host: write a name or an address, without wildcards", n.host)
	}
	n.from.Text = fmt.Sprintf("network_rule(host=%q, protocol=%q, decision=%q)", n.host, n.protocol, decision)
	c.networks = append(c.networks, n)
	return nil
}

func (c *codexRules) hostExecutable(call *starlarkCall) error {
	var name string
	var list *starlark.List
	if err := starlark.UnpackArgs(call.name, call.args, call.named, "name", &name, "paths", &list); err != nil {
		return err
	}
	if name == "" || strings.ContainsAny(name, `/\`) {
		return fmt.Errorf("name must be a program's name without a folder, and is %q", name)
	}
	paths := []string{}
	for v := range list.Elements() {
		at, ok := starlark.AsString(v)
		if !ok || !path.IsAbs(at) || path.Base(at) != name {
			return fmt.Errorf("paths must be absolute, and end in %s: %s is not", name, v)
		}
		paths = append(paths, at)
	}
	c.programs[name] = paths
	return nil
}

// checkExamples compares the rules with their examples, as Codex does.
func (c *codexRules) checkExamples() error {
	for _, r := range c.prefixes {
		for _, words := range r.match {
			if form, _ := c.resolved(words); !r.matches(form) && !r.matches(words) {
				return fmt.Errorf("%s:%d: the rule does not match its own example %q", r.from.File, r.from.Line, strings.Join(words, " "))
			}
		}
		for _, words := range r.never {
			if form, _ := c.resolved(words); r.matches(form) || r.matches(words) {
				return fmt.Errorf("%s:%d: the rule matches %q, which it says it must not", r.from.File, r.from.Line, strings.Join(words, " "))
			}
		}
	}
	return nil
}

// matches reports whether a command begins as the rule says.
func (r *codexRule) matches(words []string) bool {
	if len(words) < len(r.pattern) {
		return false
	}
	for i, alternatives := range r.pattern {
		if !slices.Contains(alternatives, words[i]) {
			return false
		}
	}
	return true
}

// resolved returns a command with the program's name for its path, unless the
// files say that the program of this name is elsewhere. It is listed if they say
// that it is there.
func (c *codexRules) resolved(words []string) (form []string, listed bool) {
	name := path.Base(words[0])
	paths, known := c.programs[name]
	listed = slices.Contains(paths, words[0])
	if !path.IsAbs(words[0]) || known && !listed {
		return words, false
	}
	return append([]string{name}, words[1:]...), listed
}

// matching returns the rules that match a command: those that name its path come
// before those that name its program. Where no file says that the program is
// there, Codex's commands differ in whether the latter match: they allow nothing.
func (c *codexRules) matching(words []string) []codexRule {
	form, listed := c.resolved(words)
	var exact, named []codexRule
	for _, r := range c.prefixes {
		if r.matches(words) {
			exact = append(exact, r)
		}
		if r.matches(form) && (listed || r.action != permission.Allow) {
			named = append(named, r)
		}
	}
	if exact != nil {
		return exact
	}
	return named
}
