package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/input"
)

// Guards returns the files in which agents look for hooks: those that are there, so
// that nobody removes what they lie in, and those that are looked for only because
// a variable says so. All others package input knows. Where anybody can add a file, it
// is the folder.
func Guards(p Places) []input.Guard {
	usual := p
	usual.Getenv = nil
	var found []input.Guard
	for _, a := range Agents {
		known := a.files(usual)
		for _, f := range a.files(p) {
			_, err := os.Lstat(f.path)
			if err != nil && slices.ContainsFunc(known, func(k place) bool { return k.path == f.path }) || !filepath.IsAbs(f.path) {
				continue
			}
			guard := input.Guard{Path: f.path, What: a.Title + "'s hooks"}
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
