package install

import (
	"errors"

	"github.com/permctl/permctl/internal/shim"
)

// A plugin is the form of a file that an agent loads into itself.
type plugin struct{ agent, event string }

// entries is [form.entries]. What others' plugins do, nobody can tell.
func (p *plugin) entries(text []byte) ([]Entry, error) {
	program, ours := shim.Program(p.agent, text)
	if !ours {
		return nil, nil
	}
	return []Entry{{Line: 1, Event: p.event, All: true, FailClosed: true, Ours: true, Program: program}}, nil
}

// errNotOurs reports a file of somebody else's where permctl's own would be.
var errNotOurs = hint(errors.New("the file is there, and is not permctl's"), "move it elsewhere first")

// put is [form.put].
func (p *plugin) put(text []byte, h handler) ([]byte, error) {
	if _, ours := shim.Program(p.agent, text); text != nil && !ours {
		return nil, errNotOurs
	}
	return shim.Text(p.agent, h.program)
}

// take is [form.take].
func (p *plugin) take(text []byte) ([]byte, error) {
	if _, ours := shim.Program(p.agent, text); !ours {
		return text, nil
	}
	return nil, nil
}
