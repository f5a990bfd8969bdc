package foreign

import (
	"maps"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/permission"
)

// codexTools are the tools of an MCP server that config.toml leaves: only those
// that one list has, if there is it, and none of the other's.
type codexTools struct {
	server string
	only   *codexWords
	never  codexWords
}

// elsewhere notes what a config.toml says of permissions that is not imported, and
// denies the tools that it takes from servers.
func (c *codexConfig) elsewhere(t *tomlFile, b *book) error {
	for _, key := range []string{"sandbox_workspace_write", "permissions", "default_permissions", "approvals_reviewer"} {
		if _, set := t.root[key]; set {
			b.note(Origin{t.name, t.line(key), key}, "stays in Codex's settings: it is about its own sandbox and its own reviewer")
		}
	}
	if projects := tableIn(t.root, "projects"); len(projects) > 0 {
		b.note(Origin{t.name, t.line("projects"), "projects"}, "which are trusted stays in Codex's settings: permctl trust says it for permctl")
	}
	servers := tableIn(t.root, "mcp_servers")
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		if err := c.serverTools(t, name, tableIn(servers, name)); err != nil {
			return err
		}
	}
	return nil
}

// serverTools reads which tools of a server there are.
func (c *codexConfig) serverTools(t *tomlFile, name string, server map[string]any) error {
	key := "mcp_servers." + name + "."
	tools := codexTools{server: name}
	if v, there := server["enabled_tools"]; there {
		texts, err := t.texts(key+"enabled_tools", v)
		if err != nil {
			return err
		}
		tools.only = &codexWords{texts, Origin{t.name, t.line(key + "enabled_tools"), key + "enabled_tools"}}
	}
	if v, there := server["disabled_tools"]; there {
		texts, err := t.texts(key+"disabled_tools", v)
		if err != nil {
			return err
		}
		tools.never = codexWords{texts, Origin{t.name, t.line(key + "disabled_tools"), key + "disabled_tools"}}
	}
	if tools.only != nil || tools.never.listed() {
		c.tools = append(c.tools, tools)
	}
	return nil
}

// codexTool returns the pattern for the name of a server's tool. What no name may
// have, Codex writes in another way.
func codexTool(server, tool string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-*", r) || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '?'
	}, "mcp__"+server+"__"+tool)
}

// servers adds rules for the tools of servers: what config.toml takes away is
// denied, and for what it leaves, the base has the say.
func (c *codexBook) servers(b *book) {
	left := permission.Ask
	if c.full() {
		left = permission.Allow
	}
	deny := func(server, tool string, from Origin) {
		b.rules = append(b.rules, Rule{codexTool(server, tool), "*", permission.Deny, from})
	}
	for _, tools := range c.config.tools {
		if tools.only == nil {
			continue
		}
		deny(tools.server, "*", tools.only.from)
		for _, tool := range tools.only.words {
			if name := codexTool(tools.server, tool); !strings.ContainsAny(name, "?*") {
				b.rules = append(b.rules, Rule{name, "*", left, tools.only.from})
			}
		}
	}
	for _, tools := range c.config.tools {
		for _, tool := range tools.never.words {
			deny(tools.server, tool, tools.never.from)
		}
	}
}

// gone reports whether config.toml takes a tool away.
func (c *codexConfig) gone(name string) bool {
	for _, tools := range c.tools {
		prefix := codexTool(tools.server, "")
		if !permission.Match(name, prefix+"*") {
			continue
		}
		has := func(words []string) bool {
			return slices.ContainsFunc(words, func(tool string) bool { return permission.Match(name, codexTool(tools.server, tool)) })
		}
		if has(tools.never.words) || tools.only != nil && !has(tools.only.words) {
			return true
		}
	}
	return false
}
