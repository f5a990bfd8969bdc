package doctor

import (
	"fmt"
	"iter"
	"path/filepath"
	"strings"

	"github.com/permctl/permctl/internal/install"
	"github.com/permctl/permctl/internal/jsonc"
)

// What agents run on an operating system, where a hook can have a command for each.
// The systems that are not named are as the empty one.
var (
	copilotCommands = map[string][]string{"": {"bash", "command"}, "windows": {"powershell", "command"}}
	codexCommands   = map[string][]string{"": {"command"}, "windows": {"commandWindows", "command"}}
	vscodeCommands  = map[string][]string{
		"": {"linux", "bash", "command"}, "darwin": {"osx", "bash", "command"}, "windows": {"windows", "powershell", "command"},
	}
)

// says reports whether one of a hook's members is a command.
func says(handler jsonc.Value, command string) bool {
	for _, v := range handler.Members() {
		if v.Text() == command {
			return true
		}
	}
	return false
}

// members returns the objects that stand on a line of a file of JSON as hooks on an
// event.
func (p *patient) members(file, event string, line int) iter.Seq[jsonc.Value] {
	return func(yield func(jsonc.Value) bool) {
		if filepath.Ext(file) != ".json" {
			return
		}
		for name, list := range p.json(file).Member("hooks").Members() {
			for _, element := range list.Elements() {
				handlers := []jsonc.Value{element}
				for _, handler := range element.Member("hooks").Elements() {
					handlers = append(handlers, handler)
				}
				for _, handler := range handlers {
					if name.Text() == event && handler.Line() == line && !yield(handler) {
						return
					}
				}
			}
		}
	}
}

// taken returns a hook with the command that the agent runs on this operating
// system. If it is permctl's by another one, that is a flaw, and the other's command
// is not taken over: it would be run.
func (p *patient) taken(e install.Entry) install.Entry {
	names, known := p.habit.commands[p.m.Places.OS]
	if !known {
		names = p.habit.commands[""]
	}
	said := e.Shell
	for h := range p.members(e.File, e.Event, e.Line) {
		member, command := "", ""
		if !says(h, said) {
			continue // another one on the same line
		}
		for _, name := range names {
			if v := h.Member(name); v.Kind() != jsonc.None {
				member, command = name, v.Text()
				break
			}
		}
		switch now := install.Recognise(install.Entry{Shell: command}); {
		case !e.Ours || e.Argv != nil || command == e.Shell:
		case command == "":
			e.Flaw = fmt.Sprintf("on %s, the agent runs what is its %s, and there is none", p.m.Places.OS, strings.Join(names, " or "))
		case !now.Ours:
			e.Flaw = fmt.Sprintf("on %s, the agent runs its %s, which is not permctl's hook", p.m.Places.OS, member)
		default:
			e.Shell, e.Program = command, now.Program
		}
	}
	return e
}
