package doctor

import (
	"slices"
	"strconv"
	"strings"

	"github.com/permctl/permctl/internal/install"
	"github.com/permctl/permctl/internal/jsonc"
)

// checkClaude looks at Claude Code's settings. What it makes of them is what
// 2.1.197 was seen to do, and what its documents say.
func checkClaude(p *patient) {
	if len(p.ours) > 0 && !p.heeds() {
		p.find(Finding{
			Severity: Warning, Text: "if the hook hangs past its time-out, or prints what is no answer, the call goes on without it: only Claude Code " + onFailure + " and later are known to heed onFailure",
			Hint: "use a newer Claude Code, and see permctl doctor claude --prove",
		})
	}
	sources := p.claudeSources()
	p.variable("CLAUDE_CODE_SIMPLE", "Claude Code runs no hooks then, as with --bare")
	p.variable("CLAUDE_CODE_SAFE_MODE", "Claude Code runs no hooks then, as with --safe-mode")
	for _, s := range sources {
		for _, name := range []string{"CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"} {
			if v := s.root.Member("env", name); v.Kind() != jsonc.None && !slices.Contains([]string{"", "0", "false", "no", "off"}, strings.ToLower(v.Text())) {
				p.switchOff(Finding{Text: "env sets " + name + ": Claude Code runs no hooks then", File: s.path, Line: v.Line(), Hint: "take it out"}, nil)
			}
		}
	}
	// A file that is left out does not say that what another one switches off is on.
	p.claudeSwitches(sources)
	p.claudeSwitches(slices.DeleteFunc(slices.Clone(sources), func(s source) bool { return p.agent.LeavesOut(s.root) != nil }))
	p.claudeEnv(sources)
	for _, name := range claudeSteering {
		if value := getenv(p.m.Places, name); value != "" && len(p.ours) > 0 {
			p.find(Finding{Severity: Warning, Text: name + " is set, and with it what Claude Code runs as its hook", Hint: "unset " + name})
		}
	}
	if s, v := first(sources, "permissions", "defaultMode"); v.Text() == "bypassPermissions" {
		p.at(s.path, v, Warning, "permissions.defaultMode is bypassPermissions: what no rule of permctl's speaks of runs unasked", "take it out, or use a stricter preset than full-access")
	}
}

// claudeSwitches looks at the settings by which Claude Code leaves out hooks.
func (p *patient) claudeSwitches(sources []source) {
	machine := slices.DeleteFunc(slices.Clone(sources), func(s source) bool { return s.scope != install.Managed })
	if s, v := first(sources, "disableAllHooks"); v.True() {
		spared := managed
		if s.scope == install.Managed {
			spared = nil
		}
		p.switchOff(Finding{Text: "disableAllHooks is true", File: s.path, Line: v.Line(), Hint: "take it out"}, spared)
	}
	if s, v := first(machine, "allowManagedHooksOnly"); v.True() {
		p.switchOff(Finding{
			Text: "allowManagedHooksOnly is true: only hooks in managed settings are run", File: s.path, Line: v.Line(), Hint: "permctl install claude --managed",
		}, managed)
	}
	if s, v := first(machine, "strictPluginOnlyCustomization"); v.True() || contains(v, "hooks") {
		p.switchOff(Finding{
			Text: "strictPluginOnlyCustomization leaves out hooks that are neither managed nor a plugin's", File: s.path, Line: v.Line(), Hint: "permctl install claude --managed",
		}, managed)
	}
}

// ownHome is the first version of Claude Code that is known to keep a project's
// settings from saying where the user's home is. 2.1.197 does not.
const ownHome = "2.1.332"

// claudeEnv looks at the environment that Claude Code gives to its hooks: by some
// variables permctl finds its settings, and by PATH a hook may find permctl.
func (p *patient) claudeEnv(sources []source) {
	for _, s := range sources {
		for _, name := range placing {
			v := s.root.Member("env", name)
			severity := Warning
			if s.scope == install.Project && older(p.Version, ownHome) {
				severity = Problem
			}
			if p.misled() && v.Kind() != jsonc.None && v.Text() != getenv(p.m.Places, name) && (s.scope != install.Project || severity == Problem) {
				p.at(s.path, v, severity, "env sets "+name+": as Claude Code's hook, permctl looks for its settings there, and not where it does for you", "take it out")
			}
		}
		p.claudeSteered(s)
		v := s.root.Member("env", "PATH")
		for _, o := range p.ours {
			if v.Kind() != jsonc.None && o.bare() {
				o.Counts = false
				p.find(Finding{Severity: Problem, Text: "env sets PATH, and with it which permctl the hook starts", File: s.path, Line: v.Line(), Hint: p.reinstall(o), hook: o.Hook})
			}
		}
	}
}

// claudeSteering are the variables by which Claude Code runs its hooks' commands in
// another way: the first is a program that it runs with the command as an argument.
var claudeSteering = []string{"CLAUDE_CODE_SHELL_PREFIX", "CLAUDE_CODE_SHELL", "CLAUDE_CODE_GIT_BASH_PATH"}

// claudeSteered looks for variables in settings by which something else is run as the
// hook. Who sets them in settings of their own may have reasons.
func (p *patient) claudeSteered(s source) {
	severity := Warning
	if s.scope == install.Project {
		severity = Problem
	}
	for name, v := range s.root.Member("env").Members() {
		if len(p.ours) > 0 && (slices.Contains(claudeSteering, name.Text()) || steers(name.Text())) && v.String() != `""` {
			p.at(s.path, v, severity, "env sets "+name.Text()+", and with it what Claude Code runs as its hook", "take it out")
		}
	}
}

// claudeSources returns Claude Code's settings, those that count before others
// first.
func (p *patient) claudeSources() []source {
	const mac, windows = "/Library/Application Support/ClaudeCode/", "C:/Program Files/ClaudeCode/"
	machine := each(p.machine("/etc/claude-code/managed-settings.d/*.json", mac+"managed-settings.d/*.json", windows+"managed-settings.d/*.json"))
	machine = append(machine, p.machine("/etc/claude-code/managed-settings.json", mac+"managed-settings.json", windows+"managed-settings.json"))
	return slices.Concat(
		p.sources(install.Managed, machine...),
		p.sources(install.Project, p.projects(".claude/settings.local.json")...),
		p.sources(install.Project, p.projects(".claude/settings.json")...),
		p.sources(install.User, below(p.folder("CLAUDE_CONFIG_DIR", ".claude"), "settings.json")),
	)
}

// onFailure is the first version of Claude Code that is known to refuse a call
// when a hook that says so fails. 2.1.197 does not.
const onFailure = "2.1.332"

// claudeCloses reports whether a version of Claude Code is known to do that.
func claudeCloses(version string) bool { return version != "" && !older(version, onFailure) }

// older reports whether a version that a program says of itself is lower than
// another.
func older(said, than string) bool {
	return slices.Compare(numbers(said), numbers(than)) < 0
}

// numbers returns those of the first word of a version that begins with one.
func numbers(version string) []int {
	for word := range strings.FieldsSeq(version) {
		word = strings.TrimPrefix(word, "v")
		var found []int
		for part := range strings.SplitSeq(word, ".") {
			n, err := strconv.Atoi(part)
			if err != nil {
				break
			}
			found = append(found, n)
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// contains reports whether an array has a text.
func contains(v jsonc.Value, text string) bool {
	for _, element := range v.Elements() {
		if element.Text() == text {
			return true
		}
	}
	return false
}
