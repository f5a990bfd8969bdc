package hook_test

import (
	"testing"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
)

func TestFactory(t *testing.T) {
	pre := func(permission, tool string, in map[string]any) reported {
		return reported{"PreToolUse", input.Call{Tool: tool, Input: in, Cwd: "/srv/inn", Session: "fd-3"}, permission}
	}
	spec := pre("bash", "Execute", map[string]any{"command": "ls"})
	spec.call.Mode = "plan"
	checkAgent(t, hook.Factory, []reported{
		pre("bash", "Execute", map[string]any{"command": "npm publish"}),
		pre("edit", "Create", map[string]any{"file_path": "/srv/inn/a.txt", "content": "x"}),
		pre("edit", "Edit", map[string]any{"file_path": "/srv/inn/a.txt", "old_string": "x", "new_string": "y"}),
		pre("edit", "ApplyPatch", map[string]any{"input": "*** Begin Patch\n*** Delete File: a\n*** End Patch"}),
		pre("read", "Read", map[string]any{"file_path": "/srv/inn/.env"}),
		pre("glob", "Glob", map[string]any{"patterns": []any{"*.go"}, "folder": "/srv"}),
		pre("grep", "Grep", map[string]any{"pattern": "token", "path": "/srv"}),
		pre("list", "LS", map[string]any{"directory_path": "/srv"}),
		pre("task", "Task", map[string]any{"subagent_type": "worker", "prompt": "Count"}),
		pre("webfetch", "FetchUrl", map[string]any{"url": "https://bread.example.org"}),
		pre("websearch", "WebSearch", map[string]any{"query": "rye"}),
		pre("mcp__till__charge", "mcp__till__charge", map[string]any{"cents": 500.0}),
		spec,
		{event: "PostToolUse"},
		{event: "Stop"},
	}, map[string]map[string]hook.Answer{"PreToolUse": outcomes["PreToolUse"]})
}

func TestFactoryRefuses(t *testing.T) {
	checkRefuses(t, hook.Factory, toolUseRefused("Factory Droid"))
}

func FuzzFactory(f *testing.F) { fuzzAgent(f, hook.Factory) }
