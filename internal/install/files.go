package install

import "path/filepath"

func claudePlaces(p Places) []place {
	const mac, windows = "/Library/Application Support/ClaudeCode/", "C:/Program Files/ClaudeCode/"
	return []place{
		{scope: User, form: claudeForm, path: filepath.Join(p.env("CLAUDE_CONFIG_DIR", p.home(".claude")), "settings.json")},
		{scope: Project, form: claudeForm, path: p.project(".claude/settings.json")},
		{scope: Project, form: claudeForm, path: p.project(".claude/settings.local.json"), readOnly: true},
		{scope: Managed, form: claudeForm, path: p.machine("/etc/claude-code/managed-settings.json", mac+"managed-settings.json", windows+"managed-settings.json")},
		{scope: Managed, form: claudeForm, path: p.machine("/etc/claude-code/managed-settings.d/*.json", mac+"managed-settings.d/*.json", windows+"managed-settings.d/*.json"), readOnly: true, each: true},
	}
}

// codexPlaces has what Codex does not document: a hooks.json beside the machine's
// settings, whose hooks it takes for managed, so that they need no trust.
func codexPlaces(p Places) []place {
	return []place{
		{scope: User, form: codexForm, path: filepath.Join(p.env("CODEX_HOME", p.home(".codex")), "hooks.json")},
		{scope: Project, form: codexForm, path: p.project(".codex/hooks.json")},
		{scope: Managed, form: codexForm, path: p.machine("/etc/codex/hooks.json", "/etc/codex/hooks.json", "")},
	}
}

func geminiPlaces(p Places) []place {
	return []place{
		{scope: User, form: geminiForm, path: filepath.Join(p.env("GEMINI_CLI_HOME", p.Home), ".gemini", "settings.json")},
		{scope: Project, form: geminiForm, path: p.project(".gemini/settings.json")},
		{scope: Managed, form: geminiForm, path: p.env("GEMINI_CLI_SYSTEM_SETTINGS_PATH",
			p.machine("/etc/gemini-cli/settings.json", "/Library/Application Support/GeminiCli/settings.json", "C:/ProgramData/gemini-cli/settings.json"))},
	}
}

func cursorPlaces(p Places) []place {
	return []place{
		{scope: User, form: cursorForm, path: p.home(".cursor/hooks.json")},
		{scope: Project, form: cursorForm, path: p.project(".cursor/hooks.json")},
		{scope: Managed, form: cursorForm, path: p.machine("/etc/cursor/hooks.json", "/Library/Application Support/Cursor/hooks.json", "C:/ProgramData/Cursor/hooks.json")},
	}
}

// copilotPlaces has the policy folder where Copilot's documents name one.
func copilotPlaces(p Places) []place {
	home := p.env("COPILOT_HOME", p.home(".copilot"))
	const policies = "/etc/github-copilot/policy.d/"
	return []place{
		{scope: User, form: copilotForm, own: true, path: filepath.Join(home, "hooks", "permctl.json")},
		{scope: User, form: copilotForm, path: filepath.Join(home, "hooks", "*.json"), readOnly: true, each: true},
		{scope: User, form: copilotForm, path: filepath.Join(home, "settings.json"), readOnly: true},
		{scope: Project, form: copilotForm, own: true, path: p.project(".github/hooks/permctl.json")},
		{scope: Project, form: copilotForm, path: p.project(".github/hooks/*.json"), readOnly: true, each: true},
		{scope: Project, form: copilotForm, path: p.project(".github/copilot/settings.json"), readOnly: true},
		{scope: Project, form: copilotForm, path: p.project(".github/copilot/settings.local.json"), readOnly: true},
		{scope: Managed, form: copilotForm, own: true, path: p.machine(policies+"permctl.json", "", "C:/ProgramData/GitHub/Copilot/policy.d/permctl.json")},
		{scope: Managed, form: copilotForm, path: p.machine(policies+"*.json", "", "C:/ProgramData/GitHub/Copilot/policy.d/*.json"), readOnly: true, each: true},
	}
}

func vscodePlaces(p Places) []place {
	return []place{
		{scope: Project, form: vscodeForm, own: true, path: p.project(".github/hooks/permctl-vscode.json")},
		{scope: Project, form: vscodeForm, path: p.project(".github/hooks/*.json"), readOnly: true, each: true},
	}
}

func opencodePlaces(p Places) []place {
	return []place{
		{scope: User, form: &plugin{"opencode", "tool.execute.before"}, own: true, path: filepath.Join(p.config(), "opencode", "plugins", "permctl.js")},
		{scope: Project, form: &plugin{"opencode", "tool.execute.before"}, own: true, path: p.project(".opencode/plugins/permctl.js")},
	}
}

// piPlaces are those of pi, and of senpi, which came from it.
func piPlaces(name, variable string) func(Places) []place {
	return func(p Places) []place {
		form := &plugin{name, "tool_call"}
		return []place{
			{scope: User, form: form, own: true, path: filepath.Join(p.env(variable, p.home("."+name+"/agent")), "extensions", "permctl.js")},
			{scope: Project, form: form, own: true, path: p.project("." + name + "/extensions/permctl.js")},
		}
	}
}

func factoryPlaces(p Places) []place {
	user, project := p.home(".factory/hooks.json"), p.project(".factory/hooks.json")
	return []place{
		{scope: User, form: factoryForm, path: user},
		{scope: User, form: factoryForm, path: p.home(".factory/settings.json"), unless: user},
		{scope: Project, form: factoryForm, path: project},
		{scope: Project, form: factoryForm, path: p.project(".factory/settings.json"), unless: project},
	}
}

func kiroPlaces(p Places) []place {
	return []place{
		{scope: User, form: kiroForm, path: p.home(".kiro/agents/*.json"), each: true},
		{scope: User, form: kiroForm, path: p.home(".aws/amazonq/cli-agents/*.json"), each: true},
		{scope: User, form: kiroAgent, path: p.home(".kiro/agents/permctl.json"), last: true},
		{scope: Project, form: kiroForm, path: p.project(".kiro/agents/*.json"), each: true},
		{scope: Project, form: kiroForm, path: p.project(".amazonq/cli-agents/*.json"), each: true},
		{scope: Project, form: kiroHooks{}, own: true, path: p.project(".kiro/hooks/permctl.json")},
		{scope: Project, form: kiroHooks{}, path: p.project(".kiro/hooks/*.json"), readOnly: true, each: true},
	}
}

func windsurfPlaces(p Places) []place {
	return []place{
		{scope: User, form: windsurfForm, path: p.home(".codeium/windsurf/hooks.json")},
		{scope: Project, form: windsurfForm, path: p.project(".windsurf/hooks.json")},
		{scope: Managed, form: windsurfForm, path: p.machine("/etc/windsurf/hooks.json", "/Library/Application Support/Windsurf/hooks.json", "C:/ProgramData/Windsurf/hooks.json")},
	}
}

func clinePlaces(p Places) []place {
	if p.OS == "windows" {
		return nil // Cline runs no hooks there that permctl could write
	}
	return []place{
		{scope: User, form: script{}, own: true, program: true, path: p.home("Documents/Cline/Hooks/PreToolUse")},
		{scope: User, form: script{}, path: p.home(".cline/hooks/PreToolUse"), readOnly: true},
		{scope: Project, form: script{}, own: true, program: true, path: p.project(".clinerules/hooks/PreToolUse")},
		{scope: Project, form: script{}, path: p.project(".cline/hooks/PreToolUse"), readOnly: true},
	}
}

func goosePlaces(p Places) []place {
	const manifest, hooks, others = ".agents/plugins/permctl/plugin.json", ".agents/plugins/permctl/hooks/hooks.json", ".agents/plugins/*/hooks/hooks.json"
	return []place{
		{scope: User, form: gooseManifest{}, own: true, path: p.home(manifest), of: p.home(hooks)},
		{scope: User, form: gooseForm, own: true, path: p.home(hooks)},
		{scope: User, form: gooseForm, path: p.home(others), readOnly: true, each: true},
		{scope: Project, form: gooseManifest{}, own: true, path: p.project(manifest), of: p.project(hooks)},
		{scope: Project, form: gooseForm, own: true, path: p.project(hooks)},
		{scope: Project, form: gooseForm, path: p.project(others), readOnly: true, each: true},
	}
}
