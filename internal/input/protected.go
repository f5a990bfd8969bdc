package input

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/permctl/permctl/internal/permission"
)

// guards are the files and folders that keep an agent in bounds, wherever they
// lie: a pattern for the absolute path in lower case, and what it belongs to. Writing to
// them would let an agent change what it may do. Source: where each agent's
// published documents say that its hooks and permissions are configured.
var guards = []struct{ pattern, what string }{
	{"*/.permctl", "permctl's settings"},
	{"*/.permctl/*", "permctl's settings"},
	{"/var/lib/permctl*", "permctl's settings"},
	{"*/application support/permctl*", "permctl's settings"},
	{"*/programdata/permctl*", "permctl's settings"},
	{"*/.claude", "Claude Code's settings"},
	{"*/.claude/settings*.json", "Claude Code's settings"},
	{"*/.claude/hooks*", "Claude Code's hooks"},
	{"*/.claude/plugins*", "Claude Code's hooks"},
	{"*/.claude.json", "Claude Code's settings"},
	{"*/.mcp.json", "Claude Code's settings"},
	{"/etc/claude-code*", "Claude Code's settings"},
	{"*/claudecode/managed-settings*", "Claude Code's settings"},
	{"*/.codex", "Codex's settings"},
	{"*/.codex/hooks.json", "Codex's hooks"},
	{"*/.codex/config.toml", "Codex's settings"},
	{"*/.codex/.env", "Codex's settings"},
	{"*/.codex/rules*", "Codex's settings"},
	{"/etc/codex*", "Codex's settings"},
	{"*/.gemini", "Gemini CLI's settings"},
	{"*/.gemini/settings.json", "Gemini CLI's settings"},
	{"*/.gemini/.env", "Gemini CLI's settings"},
	{"*/.gemini/trustedfolders.json", "Gemini CLI's settings"},
	{"*/.gemini/policies*", "Gemini CLI's settings"},
	{"/etc/gemini-cli*", "Gemini CLI's settings"},
	{"*/application support/geminicli*", "Gemini CLI's settings"},
	{"*/programdata/gemini-cli*", "Gemini CLI's settings"},
	{"*/.cursor", "Cursor's settings"},
	{"*/.cursor/hooks.json", "Cursor's hooks"},
	{"*/.cursor/permissions.json", "Cursor's settings"},
	{"*/.cursor/cli*.json", "Cursor's settings"},
	{"/etc/cursor*", "Cursor's settings"},
	{"*/application support/cursor/hooks.json", "Cursor's hooks"},
	{"*/programdata/cursor*", "Cursor's settings"},
	{"*/.copilot", "Copilot's settings"},
	{"*/.copilot/hooks*", "Copilot's hooks"},
	{"*/.copilot/*.json", "Copilot's settings"},
	{"*/.github/hooks*", "Copilot's hooks"},
	{"*/.github/copilot*", "Copilot's settings"},
	{"/etc/github-copilot*", "Copilot's settings"},
	{"*/programdata/github/copilot*", "Copilot's settings"},
	{"*/.opencode", "opencode's settings"},
	{"*/.opencode/plugin*", "opencode's plugins"},
	{"*/opencode/plugin*", "opencode's plugins"},
	{"*/opencode.json*", "opencode's settings"},
	{"*/.senpi", "senpi's settings"},
	{"*/.senpi/*.json*", "senpi's settings"},
	{"*/.senpi/agent*", "senpi's settings"},
	{"*/.senpi/extensions*", "senpi's extensions"},
	{"*/.pi", "pi's settings"},
	{"*/.pi/extensions*", "pi's extensions"},
	{"*/.pi/agent*", "pi's extensions"},
	{"*/.factory", "Factory's settings"},
	{"*/.factory/hooks.json", "Factory's hooks"},
	{"*/.factory/settings*.json", "Factory's settings"},
	{"*/.amazonq", "Amazon Q's settings"},
	{"*/.amazonq/cli-agents*", "Amazon Q's settings"},
	{"*/.aws/amazonq*", "Amazon Q's settings"},
	{"*/.kiro", "Kiro's settings"},
	{"*/.kiro/agents*", "Kiro's settings"},
	{"*/.kiro/hooks*", "Kiro's hooks"},
	{"*/.windsurf", "Windsurf's settings"},
	{"*/.windsurf/hooks.json", "Windsurf's hooks"},
	{"*/.codeium/windsurf*", "Windsurf's settings"},
	{"/etc/windsurf*", "Windsurf's settings"},
	{"*/application support/windsurf/hooks.json", "Windsurf's hooks"},
	{"*/programdata/windsurf*", "Windsurf's settings"},
	{"*/.clinerules/hooks*", "Cline's hooks"},
	{"*/.cline", "Cline's settings"},
	{"*/.cline/hooks*", "Cline's hooks"},
	{"*/cline/hooks*", "Cline's hooks"},
	{"*/.agents", "Goose's settings"},
	{"*/.agents/plugins*", "Goose's hooks"},
	{"*/.config/goose*", "Goose's settings"},
}

// guardFolders are the folders of the guards that lie in a project or a home:
// who removes what they lie in removes them.
var guardFolders = []string{
	".permctl", ".claude", ".codex", ".gemini", ".cursor", ".copilot", ".opencode", ".senpi", ".pi", ".factory", ".amazonq", ".kiro",
	".windsurf", ".cline", ".clinerules/hooks", ".agents", ".github/hooks", ".codeium/windsurf", ".aws/amazonq",
}

// counts reports whether what the guard lies in is guarded, too.
func (g Guard) counts() bool {
	if !g.IfThere {
		return true
	}
	_, err := os.Lstat(g.Path)
	return err == nil
}

// holds returns the guard's folder that lies in a folder, or "".
func holds(folder string) string {
	for _, guard := range guardFolders {
		parts := strings.Split(guard, "/")
		for n := range parts {
			above, below := strings.Join(parts[:n], "/"), filepath.Join(parts[n:]...)
			if above != "" && !strings.HasSuffix(strings.ToLower(filepath.ToSlash(folder)), "/"+above) {
				continue
			}
			if _, err := os.Lstat(filepath.Join(folder, below)); err == nil {
				return guard
			}
		}
	}
	return ""
}

// isGuard reports whether a text names one of the guards.
func (b *builder) isGuard(text string) bool {
	if strings.ContainsAny(text, " \n\t") || !strings.Contains(text, ".") {
		return false
	}
	found := b.env.Workspace.ResolveHome(b.cwd, text)
	return b.protected(&Path{Absolute: found.Abs, Real: found.Real, Access: Unknown}) != ""
}

// protected returns what a path belongs to, if that guards the agent, or "".
// Both where it says it is and where it really is count, and letter case does
// not, for there are file systems that do not know it.
func (b *builder) protected(p *Path) string {
	for _, path := range unique([]string{p.Absolute, p.Real}) {
		path = filepath.ToSlash(path)
		lower := strings.ToLower(path)
		for _, g := range b.env.Guards {
			folder := strings.ToLower(filepath.ToSlash(g.Path))
			if lower == folder || strings.HasPrefix(lower, folder+"/") || strings.HasPrefix(folder, strings.TrimSuffix(lower, "/")+"/") && p.Access != Read && g.counts() {
				return g.What
			}
		}
		for _, g := range guards {
			if permission.Match(lower, g.pattern) {
				return g.what
			}
		}
		if folder := holds(filepath.FromSlash(path)); p.Access == Delete && folder != "" {
			return "what lies in it (" + folder + ")"
		}
	}
	return ""
}
