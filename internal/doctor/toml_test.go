package doctor

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
)

func TestLines(t *testing.T) {
	const text = `# settings
model = "x"
"a.b" = { c = 1, d = { e = 2 } }
dotted.key.deep = """
two
lines"""

[features]
hooks = false

[[hooks.PreToolUse]]
matcher = ".*"
[[hooks.PreToolUse.hooks]]
type = "command"
[[hooks.PreToolUse.hooks]]
type = "prompt"

[[hooks.PreToolUse]]

  [[hooks.PreToolUse.hooks]]
  command = '''
x'''
[hooks.state."/a/b.json:pre_tool_use:0:0"]
trusted_hash = "y"
`
	want := map[string]int{
		"model": 2, "a.b": 3, "dotted": 4, "dotted/key": 4, "dotted/key/deep": 4, "features": 8, "features/hooks": 9,
		"hooks/PreToolUse/0": 11, "hooks/PreToolUse/0/matcher": 12, "hooks/PreToolUse/0/hooks/0": 13,
		"hooks/PreToolUse/0/hooks/0/type": 14, "hooks/PreToolUse/0/hooks/1": 15, "hooks/PreToolUse/0/hooks/1/type": 16,
		"hooks/PreToolUse/1": 18, "hooks/PreToolUse/1/hooks/0": 20, "hooks/PreToolUse/1/hooks/0/command": 21,
		"hooks/state/:a:b.json:pre_tool_use:0:0": 23, "hooks/state/:a:b.json:pre_tool_use:0:0/trusted_hash": 24,
	}
	got := map[string]int{}
	for path, line := range lines([]byte(text)) {
		got[strings.ReplaceAll(strings.ReplaceAll(path, "/", ":"), "\x00", "/")] = line
	}
	for path, line := range want {
		if got[path] != line {
			t.Errorf("%s is on line %d, want %d", path, got[path], line)
		}
	}
}

// Whatever can be parsed, each of its keys at the top is on a line of the text.
func FuzzLines(f *testing.F) {
	f.Add("a = 1\n[b]\nc = 2\n[[d]]\ne = 1\n[[d]]\n[d.f]\n")
	f.Add("a.b.c = 1\n\"\" = 2\n")
	f.Add("[[a.b]]\n[[a.b.c]]\n[a.b.c.d]\n")
	f.Add("a = { b = [{ c = 1 }] }\n")
	f.Fuzz(func(t *testing.T, text string) {
		var values map[string]any
		if toml.Unmarshal([]byte(text), &values) != nil {
			return
		}
		found, most := lines([]byte(text)), 1+strings.Count(text, "\n")
		for path, line := range found {
			if line < 1 || line > most {
				t.Errorf("%q is on line %d of %d", path, line, most)
			}
		}
	})
}

// What Codex 0.171.0 says of a hook (hooks/list of its app server).
func TestHash(t *testing.T) {
	message := "asking permctl"
	got := []string{
		codexHandler{event: "PreToolUse", hasMatcher: true, matcher: ".*", command: "permctl hook codex", timeout: 60e9}.hash(),
		codexHandler{event: "PermissionRequest", command: "a && b > c", message: &message}.hash(),
	}
	want := []string{
		"sha256:9bd127b47c3b4cda38f9dcfef462a8c6bedf072461d939eda5f430cb7135b6b9",
		"sha256:3c5748c844e75a5f85e422b20d7f0b63c621cf1a96f4c6fea19f876f0c4911a4",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
