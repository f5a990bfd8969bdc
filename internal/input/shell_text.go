package input

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/bash"
)

// shellTexts returns the texts that the tool would give to a shell: whatever
// stands in any of the fields that may hold one. What is no text there is a target
// that nobody understands.
func (b *builder) shellTexts() []string {
	texts, odd := b.call.commands(append(slices.Clone(b.kind.keys), "commands", "action"))
	exports, oddExports := b.call.exports()
	for _, text := range append(odd, oddExports...) {
		b.opaque("bash", "(unparsed) "+text, -1, AnyRule)
		for _, l := range b.call.leaves() {
			b.restrict(foreignPieces(l.text))
		}
	}
	if ws, ok := b.call.Input["ws"].(map[string]any); ok {
		b.url("webfetch", Call{Input: ws}.text("url"))
	}
	if name, ok := b.call.Input["shell"].(string); ok && !ours(name) {
		b.doc.Tool.Shell = name
	}
	for i, text := range texts {
		texts[i] = strings.Join(append(slices.Clone(exports), text), "\n")
	}
	return texts
}

// scripts returns what the texts would do, one after the other in one shell. If
// that is something else than what each would do in a shell of its own, as some
// tools run them, the scripts of these follow.
func (b *builder) scripts(texts []string) []bash.Script {
	parse := bash.Parse
	if b.forSh() {
		parse = bash.ParseSh
	}
	whole := parse(strings.Join(texts, "\n"), b.env.Tables)
	if len(texts) == 1 {
		return []bash.Script{whole}
	}
	scripts, apart := []bash.Script{whole}, bash.Script{}
	for _, text := range texts {
		one := parse(text, b.env.Tables)
		scripts = append(scripts, one)
		apart.Commands, apart.Unparsed = append(apart.Commands, one.Commands...), append(apart.Unparsed, one.Unparsed...)
	}
	runsSame := func(c, other bash.Command) bool {
		return c.Text == other.Text && c.Dir == other.Dir && c.DirDynamic == other.DirDynamic
	}
	if slices.EqualFunc(whole.Commands, apart.Commands, runsSame) && len(whole.Unparsed) == len(apart.Unparsed) {
		return scripts[:1]
	}
	return scripts
}

// ourShells are the shells whose text is analysed. What only zsh understands is
// not, but reads the same in bash as far as commands go.
var ourShells = []string{"sh", "bash", "dash", "zsh", "ksh"}

// forSh reports whether the call says that a shell other than bash and zsh reads
// the text.
func (b *builder) forSh() bool {
	name, _ := b.call.Input["shell"].(string)
	name = path.Base(name)
	return name == "sh" || name == "dash" || name == "ksh" || plain(b.call.Tool) == "sh"
}

// ours reports whether a shell is one of them, by its name or by its path in a
// folder of the system.
func ours(shell string) bool {
	dir, name := path.Split(shell)
	return shell == "" || slices.Contains(ourShells, name) && slices.Contains([]string{"", "/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"}, dir)
}

// commands returns the shell texts in the fields: a list of words is a command,
// and that in a field called commands is one of texts.
func (c Call) commands(keys []string) (texts, odd []string) {
	for _, f := range c.fields(keys...) {
		words, isList := stringsOf(f.value)
		object, isObject := f.value.(map[string]any)
		text, isText := f.value.(string)
		switch {
		case text != "":
			texts = append(texts, text)
		case isText:
		case isList && plain(f.name) == "commands":
			texts = append(texts, words...)
		case isList && len(words) > 0:
			texts = append(texts, quoted(words))
		case isList:
		case isObject:
			inner, innerOdd := Call{Input: object}.commands(keys)
			texts, odd = append(texts, inner...), append(odd, innerOdd...)
			if len(inner)+len(innerOdd) == 0 {
				odd = append(odd, f.String())
			}
		default:
			odd = append(odd, f.String())
		}
	}
	return unique(texts), odd
}

// exports returns the variables that the call sets for what it runs, as a shell
// would be told of them.
func (c Call) exports() (lines, odd []string) {
	for _, f := range c.fields("env", "environment") {
		assignments, ok := stringsOf(f.value)
		if variables, isObject := f.value.(map[string]any); isObject {
			ok = true
			for _, name := range slices.Sorted(maps.Keys(variables)) {
				assignments = append(assignments, fmt.Sprintf("%s=%v", name, variables[name]))
			}
		}
		if !ok {
			odd = append(odd, f.String())
		}
		for _, assignment := range assignments {
			lines = append(lines, "export "+quoted([]string{assignment}))
		}
	}
	return lines, odd
}

// foreignPieces are the pieces of a text for a shell that is not analysed, in
// which other marks may stand within words, and letter case may not count.
func foreignPieces(text string) [][]string {
	text = strings.NewReplacer("`", "", "^", "").Replace(text)
	pieces := bash.Pieces(text)
	if lower := strings.ToLower(text); lower != text {
		pieces = append(pieces, bash.Pieces(lower)...)
	}
	return pieces
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

// foreign adds the targets of text for a shell that is not analysed. The text counts
// as one for bash besides, for the shell may be nothing but the model's word.
func (b *builder) foreign(text string) {
	pieces := foreignPieces(text)
	u := bash.Unparsed{Text: text, Reason: "is " + b.doc.Tool.Shell + ", which is not analysed", Words: unique(slices.Concat(pieces...))}
	b.doc.Script.Unparsed = []bash.Unparsed{u}
	b.opaque("bash", "(unparsed) "+text, -1, AnyRule)
	b.restrict(pieces)
}
