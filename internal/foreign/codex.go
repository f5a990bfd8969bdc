package foreign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Codex is the Codex CLI: https://developers.openai.com/codex/rules.
var Codex = &Source{
	Name: "codex",
	Files: "*.rules, config.toml, requirements.toml: of several config.toml, the one that\n" +
		"counts comes last",
	read: readCodex,
}

// A codexBook is what Codex's files say together: of all rules that match, the
// strictest decides.
type codexBook struct {
	rules    codexRules
	config   codexConfig
	required codexRequired
}

// readCodex reads Codex's files.
func readCodex(files []File) (*book, error) {
	c := &codexBook{rules: codexRules{programs: map[string][]string{}}}
	b := &book{}
	for _, f := range files {
		kind, err := codexKind(f.Name)
		if err != nil {
			return nil, err
		}
		switch kind {
		case "rules":
			err = c.rules.read(f)
		case "config":
			err = c.config.read(f, b)
		default:
			err = c.requirements(f, b)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := c.rules.checkExamples(); err != nil {
		return nil, err
	}
	if err := c.limit(); err != nil {
		return nil, err
	}
	c.required.hold(&c.config, b)
	b.base = c.base()
	c.notes(b, files[0].Name)
	c.commands(b)
	c.networks(b)
	c.servers(b)
	b.preset = c.rego() + filesPreset(c.required.unread)
	b.samples = c.samples()
	b.answer = c.answer
	return b, nil
}

// full is whether all that no rule names runs without a sandbox, and nobody is
// asked.
func (c *codexBook) full() bool {
	return c.config.sandbox.word == "danger-full-access" && c.config.approval.word != "untrusted" && c.config.approval.word != ""
}

// askedOr is what becomes of what a person would be asked, if there may be none.
func askedOr(never bool) permission.Action {
	if never {
		return permission.Deny
	}
	return permission.Ask
}

// codexFree are the permissions of tools for which Codex asks nobody.
var codexFree = []string{"read", "list", "glob", "grep", "todowrite", "question"}

// codexKept are the folders that Codex's sandbox keeps from being written, though
// they lie in the workspace.
var codexKept = []string{".git", ".codex", ".agents"}

// base returns the rules for what no rule of Codex's speaks of.
func (c *codexBook) base() []Rule {
	from := c.config.approval.from
	if c.config.approval.word == "" {
		from = Origin{File: "Codex's defaults"}
	}
	if c.full() {
		return []Rule{{"*", "*", permission.Allow, c.config.sandbox.from}}
	}
	rules := []Rule{{"*", "*", permission.Ask, from}}
	for _, name := range codexFree {
		rules = append(rules, Rule{name, "*", permission.Allow, from})
	}
	outside := askedOr(c.config.noSandbox)
	edits := outside
	if c.config.sandbox.word == "workspace-write" && c.config.approval.word != "untrusted" && c.config.approval.word != "" {
		edits = permission.Allow
	}
	rules = append(rules, Rule{"edit", "*", edits, c.config.sandbox.from})
	if edits == permission.Allow {
		for _, dir := range codexKept {
			rules = append(rules, Rule{"edit", dir + "/*", outside, c.config.sandbox.from})
		}
	}
	return append(rules, Rule{"external_directory", "*", outside, c.config.sandbox.from})
}

// notes notes what of Codex's own sandbox permctl does not have.
func (c *codexBook) notes(b *book, file string) {
	switch {
	case c.config.approval.word == "":
		b.note(Origin{File: file}, "no config.toml says what happens to commands that no rule names: they are asked, but for those that are known only to read")
	case c.full():
	default:
		b.note(c.config.approval.from, "commands that no rule names are asked, but for those that are known only to read: permctl has no sandbox to run them in")
	}
	for _, r := range c.rules.prefixes {
		if r.action == permission.Allow && slices.ContainsFunc(r.pattern[0], isShell) {
			b.note(r.from, "allows a shell by itself, and not what it is given: Codex allows with it each line that is more than a list of commands")
		}
	}
}

func isShell(program string) bool { return slices.Contains([]string{"bash", "sh", "zsh"}, program) }

// maxAlternatives is how many patterns a rule becomes at most.
const maxAlternatives = 64

// limit refuses more rules than anybody can read, each counted with all of its
// alternatives.
func (c *codexBook) limit() error {
	sum := 0
	for _, r := range c.rules.prefixes {
		patterns, _ := r.patterns()
		if sum += max(1, len(patterns)); sum > maxCompared {
			return tooManyAt(r.from)
		}
	}
	for _, n := range c.rules.networks {
		if sum++; sum > maxCompared {
			return tooManyAt(n.from)
		}
	}
	for _, r := range c.required.unread {
		if sum++; sum > maxCompared {
			return tooManyAt(r.origin)
		}
	}
	for _, tools := range c.config.tools {
		from := tools.never.from
		if sum += len(tools.never.words); tools.only != nil {
			from = tools.only.from
			sum += 1 + len(tools.only.words)
		}
		if sum > maxCompared {
			return tooManyAt(from)
		}
	}
	return nil
}

// commands adds the rules for commands, the strictest last. They hold for what
// permctl makes out of a line, and what they say too much is taken back by the
// preset.
func (c *codexBook) commands(b *book) {
	for _, action := range []permission.Action{permission.Allow, permission.Ask, permission.Deny} {
		for _, r := range c.rules.prefixes {
			if r.action != action {
				continue
			}
			if r.action == permission.Ask {
				r.action = askedOr(c.config.noRules)
			}
			patterns, ok := r.patterns()
			if !ok && action == permission.Allow {
				b.note(r.from, "is left out: it has more than %d alternatives, or words that no pattern can have", maxAlternatives)
			} else if !ok {
				b.note(r.from, "holds only for the command as it is written: it has more than %d alternatives, or words that no pattern can have", maxAlternatives)
			}
			for _, pattern := range patterns {
				b.rules = append(b.rules, Rule{"bash", pattern, r.action, r.from})
			}
		}
	}
}

// patterns returns the patterns that a rule becomes. It is not ok if there is none
// for all of it.
func (r *codexRule) patterns() (patterns []string, ok bool) {
	patterns = []string{""}
	for _, alternatives := range r.pattern {
		var longer []string
		for _, pattern := range patterns {
			for _, word := range alternatives {
				if word == "" || oneLine(word) != word || strings.TrimSpace(word) != word || strings.HasPrefix(word, "~") || len(longer) == maxAlternatives {
					return nil, false
				}
				longer = append(longer, strings.TrimPrefix(pattern+" "+word, " "))
			}
		}
		patterns = longer
	}
	for i := range patterns {
		patterns[i] += " *"
	}
	return patterns, true
}

// networks adds what rules for the network say of calls that fetch a page.
func (c *codexBook) networks(b *book) {
	for _, action := range []permission.Action{permission.Allow, permission.Ask, permission.Deny} {
		for _, n := range c.rules.networks {
			if n.action != action {
				continue
			}
			if action == permission.Allow {
				b.note(n.from, "is left out: it is about Codex's sandbox, from which it lets commands through")
				continue
			}
			b.note(n.from, "holds for calls that fetch a page: what commands send goes through Codex's sandbox only")
			for _, pattern := range []string{"*://" + strings.ToLower(n.host), "*://" + strings.ToLower(n.host) + "/*", "*://" + strings.ToLower(n.host) + ":*"} {
				b.rules = append(b.rules, Rule{"webfetch", pattern, n.action, n.from})
			}
		}
	}
}

// samples returns the examples in rules, commands that rules are for, and some
// that none is for.
func (c *codexBook) samples() []Sample {
	var made sampler
	why := ""
	answer := func(call input.Call) Sample { return Sample{call, c.answer(call), why} }
	add := func(words ...string) {
		quoted := make([]string, len(words))
		for i, word := range words {
			quoted[i] = shellQuoted(word)
		}
		made.add(answer, given("bash", "command", strings.Join(quoted, " ")))
	}
	for _, r := range c.rules.prefixes {
		why = r.from.String()
		for _, words := range slices.Concat(r.match, r.never) {
			add(words...)
		}
		first := make([]string, len(r.pattern))
		for i, alternatives := range r.pattern {
			first[i] = alternatives[0]
		}
		for last := range r.pattern {
			for _, word := range r.pattern[last] {
				words := slices.Clone(first)
				words[last] = word
				add(words...)
			}
		}
		add(append(slices.Clone(first), "x")...)
	}
	why = "no rule is for these"
	add("ls")
	add("rm", "-rf", "x")
	made.add(answer, given("read", "path", "a.go"))
	made.add(answer, given("edit", "path", "a.go"))
	return made.samples
}

// shellQuoted returns a word as a shell reads it.
func shellQuoted(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:@,%") == "" && !strings.Contains(strings.SplitN(word, "/", 2)[0], "=") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// ruleWhy is the reason that an answer gives for a rule.
func (r *codexRule) ruleWhy() string {
	if r.why == "" {
		return ruleName(r.from)
	}
	return fmt.Sprintf("%s (%s:%d)", oneLine(r.why), oneLine(r.from.File), r.from.Line)
}
