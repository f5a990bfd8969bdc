package install

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/input"
)

// Guards returns the files in which agents look for hooks, so that nobody removes
// what they lie in. By themselves package input knows those that are not looked for
// only because a variable says so. Where anybody can add a file, it is the folder.
// Which files there are makes no difference: a hook and the daemon have to agree.
func Guards(p Places) []input.Guard {
	usual := p
	usual.Getenv = nil
	var found []input.Guard
	for _, a := range Agents {
		known := a.files(usual)
		for _, f := range a.files(p) {
			if !filepath.IsAbs(f.path) {
				continue
			}
			usually := slices.ContainsFunc(known, func(k place) bool { return k.path == f.path })
			guard := input.Guard{Path: f.path, What: a.Title + "'s hooks", IfThere: usually}
			if above, _, each := strings.Cut(f.path, "*"); f.own || each {
				guard.Path = filepath.Dir(above)
			}
			if !slices.Contains(found, guard) {
				found = append(found, guard)
			}
		}
	}
	return found
}

// variables are those that say where an agent looks for its files.
var variables = []string{
	"CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", "COPILOT_HOME", "SENPI_CODING_AGENT_DIR", "PI_CODING_AGENT_DIR",
}

// Variables returns the variables that say where an agent looks for its files, with
// the values of those that are set.
func Variables(getenv func(string) string) map[string]string {
	found := map[string]string{}
	for _, name := range variables {
		if value := getenv(name); filepath.IsAbs(value) {
			found[name] = value
		}
	}
	return found
}
