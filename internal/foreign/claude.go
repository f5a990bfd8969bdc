package foreign

import (
	"fmt"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/jsonc"
	"github.com/permctl/permctl/internal/permission"
)

// Claude is Claude Code: https://code.claude.com/docs/en/permissions.
var Claude = &Source{
	Name:  "claude",
	Files: "settings.json, settings.local.json, managed-settings.json",
	read:  readClaude,
}

// readClaude reads the permissions of settings files.
func readClaude(files []File) (*book, error) {
	b := &book{base: []Rule{{Permission: "*", Pattern: "*", Action: permission.Ask}}}
	for _, action := range permission.Actions {
		for _, f := range files {
			root, err := jsonc.Parse(f.Text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
			for _, v := range root.Member("permissions", string(action)).Elements() {
				spec, ok := strings.CutPrefix(v.Text(), "Bash(")
				spec, closed := strings.CutSuffix(spec, ")")
				from := Origin{f.Name, v.Line(), v.Text()}
				if !ok || !closed {
					b.note(from, "is left out")
					continue
				}
				b.rules = append(b.rules, Rule{"bash", spec, action, from})
				b.samples = append(b.samples, Sample{input.Call{Tool: "bash", Input: map[string]any{"command": spec}}, action, v.Text()})
			}
		}
	}
	return b, nil
}
