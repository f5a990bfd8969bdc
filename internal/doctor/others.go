package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/install"
	"github.com/permctl/permctl/internal/jsonc"
)

// late notes that an agent lets calls pass when its hook takes too long, whatever
// it is told.
func (p *patient) late() {
	if len(p.ours) > 0 {
		p.find(Finding{Severity: Note, Text: "a hook that takes too long is as none, and the agent has no setting against it: permctl's own deadline is what holds"})
	}
}

// checkCursor looks at what Cursor takes over from Claude Code.
func checkCursor(p *patient) {
	if len(p.ours) == 0 {
		return
	}
	p.find(Finding{Severity: Note, Text: "which tools of Cursor a hook is asked about depends on its version: preToolUse was not there in the first that had hooks"})
}

// checkCopilot looks at the settings of GitHub Copilot CLI.
func checkCopilot(p *patient) {
	home := p.folder("COPILOT_HOME", ".copilot")
	for _, s := range p.sources(install.User, slices.Concat(
		[]string{filepath.Join(home, "settings.json"), filepath.Join(home, "config.json")},
		p.projects(".github/copilot/settings.local.json"), p.projects(".github/copilot/settings.json"))...) {
		if v := s.root.Member("disableAllHooks"); v.True() {
			p.switchOff(Finding{Text: "disableAllHooks is true: only the administrator's hooks are run", File: s.path, Line: v.Line(), Hint: "take it out"}, managed)
		}
	}
	for _, o := range p.ours {
		if v := p.json(o.entry.File).Member("disableAllHooks"); v.True() && !managed(o) {
			o.Counts = false
			p.find(Finding{Severity: Problem, Text: "disableAllHooks is true in the hook's own file", File: o.entry.File, Line: v.Line(), Hint: "take it out", hook: o.Hook})
		}
	}
	p.late()
}

// checkVSCode says what is not known of VS Code.
func checkVSCode(p *patient) {
	if len(p.ours) > 0 {
		p.find(Finding{Severity: Note, Text: "which settings of VS Code switch hooks off is not known to permctl", Hint: "see that the hook is listed in its chat view's hooks"})
	}
	p.late()
}

// checkOpenCode looks at what keeps opencode from loading a plugin.
func checkOpenCode(p *patient) {
	p.variable("OPENCODE_PURE", "opencode loads no plugins then, as with --pure")
	if !p.setting("OPENCODE_DISABLE_PROJECT_CONFIG") {
		return
	}
	p.switchOff(Finding{Text: "OPENCODE_DISABLE_PROJECT_CONFIG is set: opencode does not load the project's plugins", Hint: "permctl install opencode --user"},
		func(o *own) bool { return o.entry.Scope != install.Project })
}

// checkPi looks at the settings of pi and senpi that leave out extensions, and says by
// which option they load none.
func checkPi(p *patient) {
	name := p.habit.programs[0]
	user := filepath.Join(p.folder(strings.ToUpper(name)+"_CODING_AGENT_DIR", "."+name+"/agent"), "settings.json")
	for _, s := range append(p.sources(install.User, user), p.sources(install.Project, p.projects("."+name+"/settings.json")...)...) {
		for _, v := range s.root.Member("extensions").Elements() {
			for _, o := range p.ours {
				if excludes(v.Text(), filepath.Base(o.entry.File)) && (s.scope == install.Project || o.entry.Scope != install.Project) {
					o.Counts = false
					p.find(Finding{Severity: Problem, Text: fmt.Sprintf("extensions leaves out permctl's: %s", v), File: s.path, Line: v.Line(), Hint: "take it out", hook: o.Hook})
				}
			}
		}
	}
	if len(p.ours) > 0 {
		p.find(Finding{Severity: Note, Text: name + " --no-extensions loads none, and permctl with them"})
	}
}

// excludes reports whether an element of a list of extensions may leave out the one in
// a file with a name: of patterns, all that are more than another name may.
func excludes(element, name string) bool {
	if !strings.HasPrefix(element, "-") && !strings.HasPrefix(element, "!") {
		return false
	}
	last := filepath.Base(filepath.FromSlash(element[1:]))
	return last == name || strings.ContainsAny(last, "*?[]{}()@+!") || filepath.Ext(last) == "" || strings.Trim(last, ".") == ""
}

// checkFactory looks at what Factory Droid wants of hooks.
func checkFactory(p *patient) {
	for _, path := range append(p.projects(".factory/settings.json"), p.home(".factory/settings.json")) {
		if v := p.json(path).Member("allowManagedHooksOnly"); v.True() {
			p.switchOff(Finding{Text: "allowManagedHooksOnly is true: only the organisation's hooks are run", File: path, Line: v.Line(), Hint: "ask who manages your organisation"}, nil)
		}
	}
	for _, o := range p.ours {
		o.Trust = Unknown
	}
	if len(p.ours) > 0 {
		p.find(Finding{Severity: Warning, Text: "Droid does not run a hook before it has been reviewed, and whether it has been is not to be seen here", Hint: "start droid, and look in /hooks"})
	}
	p.late()
}

// checkKiro looks for agents of Kiro that have no hook of their own.
func checkKiro(p *patient) {
	look := func(pattern, hint string) {
		for _, path := range each(pattern) {
			if !slices.ContainsFunc(p.ours, func(o *own) bool { return o.entry.File == path && o.Counts }) {
				p.find(Finding{Severity: Problem, Text: fmt.Sprintf("the agent %s has no hook of permctl's that counts", strings.TrimSuffix(filepath.Base(path), ".json")), File: path, Hint: hint})
			}
		}
	}
	p.kiroTimes()
	look(p.home(".kiro/agents/*.json"), p.install())
	look(p.home(".aws/amazonq/cli-agents/*.json"), p.install())
	for _, pattern := range append(p.projects(".kiro/agents/*.json"), p.projects(".amazonq/cli-agents/*.json")...) {
		look(pattern, p.install()+" --project")
	}
	if len(p.ours) > 0 {
		p.find(Finding{Severity: Warning, Text: "hooks are an agent's own, and Kiro's built-in agent has no file that could have one", Hint: "start Kiro with an agent that has the hook"})
	}
	p.late()
}

// kiroTimes looks at how long the hooks in files of Kiro 3 may take.
func (p *patient) kiroTimes() {
	for _, o := range p.ours {
		for _, h := range p.json(o.entry.File).Member("hooks").Elements() {
			v := h.Member("timeout")
			if n, whole := v.Int(); v.Kind() != jsonc.None && h.Line() == o.entry.Line && (!whole || n <= 0) {
				p.blameAt(o, v, fmt.Sprintf("the hook's timeout is %s, and has to be a whole number above zero", v))
			}
		}
	}
}

// checkWindsurf says what is not known of Windsurf.
func checkWindsurf(p *patient) {
	if len(p.ours) > 0 {
		p.find(Finding{Severity: Note, Text: "how long Windsurf waits for a hook is not known to permctl: its own deadline is what holds"})
	}
}

// checkCline looks at whether Cline can run its hook, which is a program in a file
// of its own.
func checkCline(p *patient) {
	for _, o := range p.ours {
		info, err := os.Stat(o.entry.File)
		if err == nil && info.Mode()&0o111 == 0 && runtime.GOOS != "windows" {
			o.callable = false
			p.blame(o, "the hook is not executable", "chmod +x "+quoted(o.entry.File))
		}
	}
	if dir := getenv(p.m.Places, "CLINE_HOOKS_DIR"); dir != "" {
		p.find(Finding{Severity: Note, Text: "CLINE_HOOKS_DIR is set: hooks in " + dir + " were not looked at"})
	}
	if len(p.ours) > 0 {
		p.find(Finding{Severity: Warning, Text: "Cline runs hooks only if Enable Hooks is on in its settings, which is not to be seen here, and none with --yolo", Hint: "see that Enable Hooks is on"})
	}
	p.late()
}

// checkGoose looks at what keeps Goose from heeding a hook.
func checkGoose(p *patient) {
	path := filepath.Join(configFolder(p.m.Places), "goose", "settings.json")
	for _, v := range p.json(path).Member("disabledPlugins").Elements() {
		for _, o := range p.ours {
			if pluginOf(o.entry.File) == v.Text() {
				o.Counts = false
				p.find(Finding{Severity: Problem, Text: "disabledPlugins names " + v.Text(), File: path, Line: v.Line(), Hint: "take it out", hook: o.Hook})
			}
		}
	}
	for _, o := range p.ours {
		manifest := filepath.Join(filepath.Dir(filepath.Dir(o.entry.File)), "plugin.json")
		if p.json(manifest).Member("name").Kind() != jsonc.String {
			p.blame(o, fmt.Sprintf("the hook's plugin has no %s that names it, and Goose does not load it", manifest), p.reinstall(o))
		}
		for h := range handlersIn(p.json(o.entry.File)) {
			if v := h.value.Member("on_failure"); v.Kind() != jsonc.None && !slices.Contains([]string{"allow", "block"}, v.Text()) {
				o.Counts = false
				p.find(Finding{Severity: Problem, Text: fmt.Sprintf("on_failure is %s, and Goose skips the whole file then", v), File: o.entry.File, Line: v.Line(), Hint: `it is "block" or "allow"`, hook: o.Hook})
			}
		}
	}
}

// pluginOf returns the name of the plugin whose hooks are in a file.
func pluginOf(file string) string { return filepath.Base(filepath.Dir(filepath.Dir(file))) }
