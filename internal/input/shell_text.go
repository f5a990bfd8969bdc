package input

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/bash"
)

// shellText returns the text that the tool would give to a shell: whatever
// stands in any of the fields that may hold it, each in lines of its own. What
// is no text there is a target that nobody understands.
func (b *builder) shellText() (string, bool) {
	texts, odd := b.call.commands(append(slices.Clone(b.kind.keys), "commands", "action"))
	exports, oddExports := b.call.exports()
	for _, text := range append(odd, oddExports...) {
		b.opaque("bash", "(unparsed) "+text, -1, AnyRule)
		b.restrict(b.call.words())
	}
	if ws, ok := b.call.Input["ws"].(map[string]any); ok {
		b.url("webfetch", Call{Input: ws}.text("url"))
	}
	if len(texts) == 0 {
		return "", false
	}
	if name, ok := b.call.Input["shell"].(string); ok && !ours(name) {
		b.doc.Tool.Shell = name
	}
	return strings.Join(append(exports, texts...), "\n"), true
}

// ourShells are the shells whose text is analysed. What only zsh understands is
// not, but reads the same in bash as far as commands go.
var ourShells = []string{"sh", "bash", "dash", "zsh", "ksh"}

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

// foreign adds the targets of text for a shell that is not analysed.
func (b *builder) foreign(text string) {
	u := bash.Unparsed{Text: text, Reason: "is " + b.doc.Tool.Shell + ", which is not analysed", Words: plainWords(text)}
	b.doc.Script.Unparsed = []bash.Unparsed{u}
	b.unparsed(b.doc.Script.Unparsed)
}
