package install

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/hook"
)

// plainRunes are those that no shell reads anything into.
const plainRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@+,="

// quote returns a word so that a POSIX shell reads it as it is.
func quote(word string) string {
	if word != "" && strings.Trim(word, plainRunes) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// words returns the words of a command as shells split it, or false if it is more
// than one simple command, or has a word that only a shell knows.
func words(command string) ([]string, bool) {
	var found []string
	word, open := "", false
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case c == '\'' || c == '"':
			text, quoted := strings.CutPrefix(command[i:], string(c))
			text, _, ended := strings.Cut(text, string(c))
			if !quoted || !ended || c == '"' && strings.ContainsAny(text, "$`\n") {
				return nil, false
			}
			word, open = word+text, true
			i += len(text) + 1
		case c == '\\' && i+1 < len(command) && strings.IndexByte("' \"", command[i+1]) >= 0:
			word, open = word+command[i+1:i+2], true
			i++
		case c == ' ' || c == '\t':
			if open {
				found = append(found, word)
			}
			word, open = "", false
		case strings.IndexByte("|&;<>()$`{}*?[]!#~%^\n\r", c) >= 0:
			return nil, false
		default:
			word, open = word+string(c), true
		}
	}
	if open {
		found = append(found, word)
	}
	return found, len(found) > 0
}

// recognise sets Ours and Program if the entry's command is permctl's hook, and
// nothing else.
func (e *Entry) recognise() {
	argv := e.Argv
	if argv == nil {
		var simple bool
		if argv, simple = words(e.Shell); !simple {
			return
		}
	}
	if argv[0] == "exec" && e.Argv == nil {
		argv = argv[1:]
	}
	if isHook(argv) {
		e.Ours, e.Program = true, argv[0]
	}
}

// isHook reports whether argv is a program called permctl that is told to answer
// an agent's hook.
func isHook(argv []string) bool {
	if len(argv) < 3 {
		return false
	}
	name := strings.ToLower(filepath.Base(strings.ReplaceAll(argv[0], `\`, "/")))
	if strings.TrimSuffix(name, ".exe") != "permctl" {
		return false
	}
	at := slices.Index(argv, "hook")
	return at > 0 && slices.ContainsFunc(argv[at+1:], isAgent)
}

func isAgent(name string) bool {
	_, err := hook.Find(name)
	return err == nil || name == "auto"
}

// hasWait reports whether the command says itself how long it waits.
func (e *Entry) hasWait() bool {
	return strings.Contains(strings.Join(append([]string{e.Shell}, e.Argv...), " "), "--wait")
}

// waitsOn reports whether the agent waits for a hook on the event.
func (a *Agent) waitsOn(event string) bool {
	return slices.ContainsFunc(a.Events, func(known string) bool { return strings.EqualFold(known, event) })
}
