package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/permission"
)

// An Agent is a coding agent into whose files hooks can be installed.
type Agent struct {
	// Name is the agent's, as package hook has it, and Title what people call
	// it.
	Name, Title string

	// Events are those on which the agent waits, and for which permctl is
	// installed.
	Events []string

	// Next is what a person still has to do once a hook is installed, a
	// sentence, or empty.
	Next string

	// misleads is whether a project can give the agent's hooks another home, and
	// with it other settings of permctl's.
	misleads bool

	// wait is the flag that makes permctl's hook end before the agent gives up
	// on it, where the agent gives it less than a minute.
	wait string

	places func(Places) []place
}

// A place is a file in which an agent looks for hooks.
type place struct {
	scope Scope
	path  string // empty if there is none
	form  form

	// readOnly is true for a file that permctl does not write to, but in which
	// somebody may have put a hook.
	readOnly bool

	// each is true if path is a pattern, of files that are there.
	each bool

	// own is true if the file is permctl's alone, and goes when its hook does.
	own bool

	// program is true if the agent runs the file.
	program bool

	// last is true for a file that is made only where there is none of the
	// others.
	last bool

	// of is the file to which this one belongs: it stays as long as that does.
	of string

	// unless is the file in favour of which the agent does not look at this one.
	// Nothing is put here but where the file has hooks already, and the other
	// is not there, for then these hooks would not count any more.
	unless string
}

// hookTimeout is the time that an agent is told to give the hook: more than the
// hook takes to decide and to wait for a person, which are 5 and 50 seconds.
const hookTimeout = 60 * time.Second

// Agents are the agents that permctl can be installed into.
var Agents = []*Agent{
	{
		// The last is for shell lines in skills, of which the first is not told. A
		// Claude Code that does not know it reads the rest all the same.
		Name: "claude", Title: "Claude Code", Events: []string{"PreToolUse", "PermissionRequest", "PreSkillShellCommand"}, places: claudePlaces,
		misleads: true, // in 2.1.197, by env in its settings
	},
	{
		Name: "codex", Title: "Codex", Events: []string{"PreToolUse", "PermissionRequest"}, places: codexPlaces,
		Next: "Codex skips the hook without a word until you trust it: start codex, and do so in /hooks.",
	},
	{
		Name: "gemini", Title: "Gemini CLI", Events: []string{"BeforeTool"}, places: geminiPlaces,
		misleads: true, // in 0.61.0, by .gemini/.env
		Next:     "Gemini CLI runs a project's hooks only in a folder that you trust: start gemini in it, and see /hooks.",
	},
	{
		Name: "cursor", Title: "Cursor", Events: []string{"preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"},
		places: cursorPlaces,
	},
	{
		Name: "copilot", Title: "GitHub Copilot CLI", Events: []string{"preToolUse"}, places: copilotPlaces,
	},
	{
		Name: "vscode", Title: "VS Code", Events: []string{"PreToolUse"}, places: vscodePlaces,
	},
	{
		Name: "opencode", Title: "opencode", Events: []string{"tool.execute.before"}, places: opencodePlaces,
		Next: "opencode loads the plugin when it starts next.",
	},
	{
		Name: "senpi", Title: "senpi", Events: []string{"tool_call"}, places: piPlaces("senpi", "SENPI_CODING_AGENT_DIR"),
		Next: "senpi loads the extension when it starts next.",
	},
	{
		Name: "pi", Title: "pi", Events: []string{"tool_call"}, places: piPlaces("pi", "PI_CODING_AGENT_DIR"),
		Next: "pi loads the extension when it starts next.",
	},
	{
		Name: "factory", Title: "Factory Droid", Events: []string{"PreToolUse"}, places: factoryPlaces,
		Next: "Droid does not run a hook that it has not shown you: review it in /hooks.",
	},
	{
		Name: "kiro", Title: "Kiro", Events: []string{"preToolUse"}, places: kiroPlaces,
		Next: "Only the agents whose files were changed have the hook: an agent that you make later needs permctl install kiro again.",
	},
	{
		Name: "windsurf", Title: "Windsurf", Events: []string{"pre_run_command", "pre_write_code", "pre_read_code", "pre_mcp_tool_use"},
		places: windsurfPlaces, wait: "20s",
	},
	{
		Name: "cline", Title: "Cline", Events: []string{"PreToolUse"}, places: clinePlaces, wait: "20s",
		Next: "Cline runs hooks only if they are enabled: turn on Enable Hooks in its settings. With --yolo it runs none.",
	},
	{
		Name: "goose", Title: "Goose", Events: []string{"PreToolUse"}, places: goosePlaces,
	},
}

// files returns where the agent looks for hooks, with the scopes and the files
// that there are in these places alone.
func (a *Agent) files(p Places) []place {
	return slices.DeleteFunc(a.places(p), func(f place) bool { return f.path == "" })
}

// holds returns the files of a scope in which permctl's hook may be: for a pattern,
// those that are there.
func (a *Agent) holds(p Places, scope Scope) []place {
	var found []place
	for _, f := range a.files(p) {
		if f.readOnly || f.scope != scope {
			continue
		}
		if !f.each {
			found = append(found, f)
			continue
		}
		for _, path := range matches(f.path) {
			one := f
			one.path, one.each = path, false
			found = append(found, one)
		}
	}
	return found
}

// matches returns the files that a pattern stands for. Only below the folder of its
// first star is it one: what the folders above are called is not for permctl to say.
func matches(pattern string) []string {
	above, _, _ := strings.Cut(filepath.ToSlash(pattern), "*")
	dir := filepath.Dir(filepath.FromSlash(above + "x"))
	rest, err := filepath.Rel(dir, pattern)
	if err != nil {
		return nil
	}
	names, err := fs.Glob(os.DirFS(dir), filepath.ToSlash(rest))
	if err != nil {
		return nil // no pattern of this package's
	}
	for i, name := range names {
		names[i] = filepath.Join(dir, filepath.FromSlash(name))
	}
	return names
}

// writes returns the files of a scope into which permctl's hook is to be put.
func (a *Agent) writes(p Places, scope Scope) []place {
	found := inUse(a.holds(p, scope))
	listed := func(f place) bool {
		return slices.ContainsFunc(found, func(other place) bool { return !other.last && other.path == f.path })
	}
	others := slices.ContainsFunc(found, func(f place) bool { return !f.last })
	return slices.DeleteFunc(found, func(f place) bool { return f.last && (listed(f) || others) })
}

// inUse returns places without those at which the agent does not look, by
// [place.unless].
func inUse(places []place) []place {
	var not []string
	for _, f := range places {
		switch {
		case f.unless == "":
		case f.hasHooks() && !exists(f.unless):
			not = append(not, f.unless)
		default:
			not = append(not, f.path)
		}
	}
	return slices.DeleteFunc(places, func(f place) bool { return slices.Contains(not, f.path) })
}

// hasHooks reports whether there are hooks in the file, or may be.
func (at place) hasHooks() bool {
	text, _, err := contents(at.path, at.path)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	entries, err := at.form.entries(text)
	return err != nil || len(entries) > 0
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// Find returns the agent with the name or alias name, into whose files permctl can
// be put. The error lists them.
func Find(name string) (*Agent, error) {
	known, err := hook.Find(name)
	if err == nil && known != hook.Auto {
		for _, a := range Agents {
			if a.Name == known.Name {
				return a, nil
			}
		}
		return nil, hint(fmt.Errorf("%s has no hooks to install: it is a protocol, between an editor and an agent", known.Name),
			"install permctl into the agent, or have the program between the two run permctl hook "+known.Name)
	}
	var names []string
	for _, a := range Agents {
		names = append(names, a.Name)
	}
	return nil, fmt.Errorf("unknown agent %q%s: use %s", name, permission.DidYouMean(name, names...), strings.Join(names, ", "))
}

// Scopes returns the scopes that the agent's hooks can be installed for.
func (a *Agent) Scopes(p Places) []Scope {
	if p.Workspace == "" {
		p.Workspace = p.Home // it may have one
	}
	var scopes []Scope
	for _, f := range a.files(p) {
		if !f.readOnly && !slices.Contains(scopes, f.scope) {
			scopes = append(scopes, f.scope)
		}
	}
	return scopes
}
