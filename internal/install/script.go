package install

import (
	"fmt"
	"strings"
)

// A script is the form of Cline's hooks: a program that is called as its event is.
type script struct{}

// What permctl's own script has before and behind its command. Cline heeds what a
// hook writes, and not how it ends: if permctl is gone, the script has to say no
// itself.
const (
	scriptHead = "#!/usr/bin/env bash\n# Written by permctl. To take it out again: permctl uninstall cline\nif answer=$("
	scriptTail = `); then
	printf '%s\n' "$answer"
else
	printf '%s\n' '{"cancel":true,"errorMessage":"permctl could not be run, so the answer is no"}'
fi
`
)

// entries is [form.entries].
func (script) entries(text []byte) ([]Entry, error) {
	entry := Entry{Line: 1, Event: "PreToolUse", All: true}
	rest, head := strings.CutPrefix(string(text), scriptHead)
	command, tail := strings.CutSuffix(rest, scriptTail)
	if head && tail {
		entry.Line, entry.Shell, entry.FailClosed = 3, command, true
		entry.recognise()
	}
	return []Entry{entry}, nil
}

// put is [form.put].
func (s script) put(text []byte, h handler) ([]byte, error) {
	var was *Entry
	if text != nil {
		entries, err := s.entries(text)
		if err != nil {
			return nil, err
		}
		if was = &entries[0]; !was.Ours {
			return nil, hint(errNotOurs, fmt.Sprintf("Cline runs one file for an event: have it end with exec %s, or move it away",
				strings.TrimSuffix(h.command(nil), orDeny)))
		}
	}
	return []byte(scriptHead + strings.TrimSuffix(h.command(was), orDeny) + scriptTail), nil
}

// take is [form.take].
func (s script) take(text []byte) ([]byte, error) {
	entries, err := s.entries(text)
	if err != nil || !entries[0].Ours {
		return text, err
	}
	return nil, nil
}
