package install

import (
	"fmt"
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

// quoteWindows returns a word so that cmd and a POSIX shell read it as it is. Both
// take a slash in a path.
func quoteWindows(word string) string {
	word = strings.ReplaceAll(word, `\`, "/")
	if word != "" && strings.Trim(word, plainRunes) == "" {
		return word
	}
	return `"` + word + `"`
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

// command returns the shell's text for the hook. If was is an entry of permctl's,
// all but the program is as it stands there.
func (h handler) command(was *Entry) string {
	words := []string{h.program, "hook"}
	if h.agent.wait != "" {
		words = append(words, "--wait", h.agent.wait)
	}
	if h.home != "" {
		words = append(words, homeFlag, h.home)
	}
	words = append(words, h.agent.Name)
	if was != nil {
		words = append([]string{h.program}, was.words()[1:]...)
	}
	for i, word := range words {
		if h.windows {
			words[i] = quoteWindows(word)
		} else {
			words[i] = quote(word)
		}
	}
	if h.windows {
		return strings.Join(words, " ")
	}
	return strings.Join(words, " ") + orDeny
}

// orDeny is what a hook's command ends with. Where the program is gone, the
// shell's exit status is one that most agents take for no objection; that of
// permctl itself is 0 or 2.
const orDeny = " || exit 2"

// callOperator is what PowerShell needs before a program whose path is quoted.
const callOperator = "& "

// words returns the words of permctl's hook in the entry, or nil if its command is
// anything else, or more.
func (e *Entry) words() []string {
	argv := e.Argv
	if argv == nil {
		argv, _ = words(strings.TrimPrefix(strings.TrimSuffix(e.Shell, orDeny), callOperator))
		if len(argv) > 0 && argv[0] == "exec" {
			argv = argv[1:]
		}
	}
	if !isHook(argv) {
		return nil
	}
	return argv
}

// recognise sets Ours and Program if the entry's command is permctl's hook, and
// nothing else.
func (e *Entry) recognise() {
	if words := e.words(); words != nil {
		e.Ours, e.Program = true, words[0]
	}
}

// answers returns the name of the agent that permctl's hook in the entry answers,
// which may be in files that another agent reads too; or a's, if it does not say.
func (e Entry) answers(a *Agent) string {
	argv := e.words()
	if argv == nil {
		return a.Name
	}
	words, _, _ := flagsOf(argv[1:])
	if known, err := hook.Find(words[1]); err == nil && known != hook.Auto {
		return known.Name
	}
	return a.Name
}

// answersAnother returns why an entry of permctl's is no hook of the agent's, or
// nothing if it is one.
func (a *Agent) answersAnother(e Entry) string {
	name := e.answers(a)
	if name == a.Name {
		return ""
	}
	title := name
	if known, err := hook.Find(name); err == nil {
		title = known.Title()
	}
	return fmt.Sprintf("it answers %s, and not %s", title, a.Title)
}

// isHook reports whether argv is a program called permctl that is told to answer
// an agent's hook, and nothing else.
func isHook(argv []string) bool {
	if len(argv) < 3 {
		return false
	}
	name := strings.ToLower(filepath.Base(strings.ReplaceAll(argv[0], `\`, "/")))
	words, _, ok := flagsOf(argv[1:])
	return strings.TrimSuffix(name, ".exe") == "permctl" && ok && len(words) == 2 && words[0] == "hook" && isAgent(words[1])
}

// A Flag is one of a command's.
type Flag struct{ Name, Value string }

// The flags of permctl's hook that have a value, and those that need none. All but
// these are those of no hook.
var (
	valueFlags = []string{
		"workspace", "global-settings", "project-settings", "policy", "approvals", "permission-preset", "permission",
		"wait", "deadline", "event", "home", "socket",
	}
	switches = []string{"non-interactive", "own-prompt"}
)

// flagsOf takes arguments apart into flags and other words. It is not ok if one is
// neither, as far as permctl's hook is concerned.
func flagsOf(args []string) (words []string, flags []Flag, ok bool) {
	for i := 0; i < len(args); i++ {
		rest, isFlag := strings.CutPrefix(args[i], "--")
		name, value, joined := strings.Cut(rest, "=")
		switch {
		case !isFlag && !strings.HasPrefix(args[i], "-"):
			words = append(words, args[i])
		case isFlag && slices.Contains(valueFlags, name) && (joined || i+1 < len(args)):
			if !joined {
				i++
				value = args[i]
			}
			flags = append(flags, Flag{name, value})
		case isFlag && slices.Contains(switches, name):
			flags = append(flags, Flag{name, value})
		default:
			return nil, nil, false
		}
	}
	return words, flags, true
}

// Flags returns the flags of permctl's hook in the entry.
func (e Entry) Flags() []Flag {
	argv := e.words()
	if argv == nil {
		return nil
	}
	_, flags, _ := flagsOf(argv[1:])
	return flags
}

func isAgent(name string) bool {
	_, err := hook.Find(name)
	return err == nil
}

// homeFlag is the flag of permctl's hook that says where the user's home is.
const homeFlag = "--home"

// AtHome reports whether permctl's hook in the entry looks for its settings in the
// home that it was installed with, whatever the agent's environment says.
func (e Entry) AtHome() bool {
	return slices.ContainsFunc(e.Flags(), func(f Flag) bool { return "--"+f.Name == homeFlag })
}

// hasWait reports whether the command says itself how long it waits.
func (e *Entry) hasWait() bool {
	return strings.Contains(strings.Join(append([]string{e.Shell}, e.Argv...), " "), "--wait")
}

// waitsOn reports whether the agent waits for a hook on the event.
func (a *Agent) waitsOn(event string) bool {
	return slices.ContainsFunc(a.Events, func(known string) bool { return strings.EqualFold(known, event) })
}
