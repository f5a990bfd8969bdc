package install

import (
	"bytes"
	"strings"
)

// A script is the form of a file that is a hook as a whole: a program that the
// agent runs, or a plugin that it loads.
type script struct {
	event string
}

// marker is in the first lines of each script that permctl writes.
const marker = "permctl install"

// entries is [form.entries].
func (s *script) entries(text []byte) ([]Entry, error) {
	entry := Entry{Line: 1, Event: s.event, All: true}
	for line := range strings.Lines(string(text)) {
		command, isExec := strings.CutPrefix(strings.TrimSpace(line), "exec ")
		if !isExec {
			continue
		}
		entry.Shell = command
		entry.recognise()
		break
	}
	entry.Ours = entry.Ours || bytes.Contains(text, []byte(marker))
	return []Entry{entry}, nil
}
