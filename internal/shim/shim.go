// Package shim holds permctl's plugins for the agents that have no hook which is a
// command: JavaScript that runs inside the agent, starts permctl for each call of a
// tool, and blocks the call unless permctl says that it may run.
//
// It installs nothing, and knows nothing of the answers but their form.
package shim

import (
	"bytes"
	_ "embed" // the plugins
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

var (
	//go:embed judge.js
	judge string
	//go:embed opencode.js
	openCode string
	//go:embed pi.js
	pi string
)

// plugins are the agents' plugins behind what all have in common, and the names
// under which permctl hook knows the agents.
var plugins = []struct{ agent, dialect, text string }{
	{"opencode", "opencode", openCode},
	{"pi", "pi", pi},
	{"senpi", "pi", pi}, // made from pi, whose events it has
}

// Text returns the plugin for an agent (opencode, pi or senpi), which starts the
// program at an absolute path. It is a module of JavaScript, and the same for the
// same arguments. The error says what is wrong with them.
func Text(agent, program string) ([]byte, error) {
	switch {
	case !filepath.IsAbs(program):
		return nil, fmt.Errorf("the path %q of the program is not absolute, and what it means would be the agent's to say", program)
	case !utf8.ValidString(program) || strings.ContainsRune(program, 0):
		return nil, fmt.Errorf("the path %q of the program cannot be written in JavaScript", program)
	}
	for _, plugin := range plugins {
		if plugin.agent != agent {
			continue
		}
		quoted, err := json.Marshal(program)
		if err != nil {
			return nil, err
		}
		return fmt.Appendf(nil, "%s%s\nconst program = %s\nconst dialect = %q\n%s%s",
			marker, agent, quoted, plugin.dialect, judge, plugin.text), nil
	}
	return nil, fmt.Errorf("there is no plugin for %q", agent)
}

// marker is the start of a plugin's first line. The agent's name is its end.
const marker = "// Written by permctl. To take it out of the agent again: permctl uninstall "

// Program returns the program that a plugin in text starts, if an agent's plugin
// is what [Text] has written there, now or in an earlier version, and nobody
// else. It says nothing of the rest, which may have been changed since: compare
// it with what [Text] returns.
func Program(agent string, text []byte) (string, bool) {
	rest, marked := bytes.CutPrefix(text, []byte(marker+agent+"\nconst program = "))
	line, _, whole := bytes.Cut(rest, []byte("\n"))
	var program string
	if !marked || !whole || json.Unmarshal(line, &program) != nil {
		return "", false
	}
	return program, true
}
