package install

import (
	"strings"
	"testing"
)

const (
	claudeHook  = `{"type": "command", "command": "permctl hook claude", "timeout": 60}`
	codexHook   = `{"type": "command", "command": "permctl hook codex", "timeout": 60}`
	gooseHook   = `{"type": "command", "command": "permctl hook goose", "timeout": 60}`
	kiroHook    = `{"command": "permctl hook kiro", "timeout_ms": 60000}`
	copilotHook = `"type": "command", "bash": "permctl hook copilot"`
)

// flawOf returns the flaw of permctl's only entry in a text.
func flawOf(t *testing.T, l *layout, text string) string {
	t.Helper()
	entries, err := l.entries([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var found []Entry
	for _, e := range entries {
		if e.Ours {
			found = append(found, e)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%s: %d entries of permctl's", text, len(found))
	}
	return found[0].Flaw
}

func TestSchema(t *testing.T) {
	claude := func(root, hooks string) string {
		return "{" + root + "\"hooks\": {\n\"PreToolUse\": [{\"hooks\": [" + claudeHook + "]}]" + hooks + "}}"
	}
	codex := func(root, hooks string) string {
		return "{" + root + "\"hooks\": {\n\"PreToolUse\": [{\"hooks\": [" + codexHook + "]}]" + hooks + "}}"
	}
	stop := func(handler string) string { return ",\n\"Stop\": [{\"hooks\": [" + handler + "]}]" }
	kiro := func(hooks string) string { return `{"hooks": {"preToolUse": [` + kiroHook + hooks + "]}}" }
	goose := func(hooks string) string {
		return "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [" + gooseHook + hooks + "]}]}}"
	}
	const bom = "\xef\xbb\xbf"
	for _, test := range []struct {
		l          *layout
		text, want string // how the flaw begins, or nothing for none
	}{
		{claudeForm, claude("", ""), ""},
		{claudeForm, claude(`"permissions": {"allow": ["Bash"], "defaultMode": "plan"}, "env": {"A": 1}, "unknown": [],`, stop(`{"type": "http", "url": "http://localhost"}`)), ""},
		{claudeForm, claude(`"permissions": {"allow": "Bash"},`, ""), "line 1: permissions.allow is of the kind string"},
		{claudeForm, claude(`"permissions": {"deny": [1]},`, ""), "line 1: an element of permissions.deny is of the kind number"},
		{claudeForm, claude(`"permissions": [],`, ""), "line 1: permissions is of the kind array"},
		{claudeForm, claude(`"env": [1],`, ""), "line 1: env is of the kind array"},
		{claudeForm, claude(`"disableAllHooks": "no",`, ""), "line 1: disableAllHooks is of the kind string"},
		{claudeForm, claude("", stop(`{"type": "command", "command": 7}`)), "line 3: command of a hook on Stop is of the kind number"},
		{claudeForm, claude("", stop(`{"type": "command"}`)), "line 3: a hook on Stop has no command"},
		{claudeForm, claude("", stop(`{"command": "true"}`)), "line 3: a hook on Stop has no type"},
		{claudeForm, claude("", stop(`{"type": "prompt"}`)), "line 3: a hook on Stop has no prompt"},
		{claudeForm, claude("", stop(`{"type": "command", "command": "true", "async": "true"}`)), "line 3: async of a hook on Stop is of the kind string"},
		{claudeForm, claude("", stop(`{"type": "command", "command": "true", "args": [1]}`)), "line 3: an element of args of a hook on Stop is of the kind number"},
		{claudeForm, claude("", stop(`{"type": "command", "command": "true", "timeout": 0.5}`)), ""},
		{claudeForm, claude("", stop(`{"type": "command", "command": "true", "timeout": 0}`)), "line 3: timeout of a hook on Stop is 0"},
		{claudeForm, claude("", stop(`{"type": "script", "command": "true"}`)), "line 3: a hook on Stop has the type \"script\""},
		{claudeForm, claude("", stop(`"true"`)), "line 3: a hook on Stop is of the kind string"},
		{claudeForm, claude("", ",\n"+`"Stop": [{"matcher": 1, "hooks": []}]`), "line 3: matcher of an element of hooks.Stop is of the kind number"},

		{codexForm, codex("", stop(`{"type": "command", "command": "true"}`)), ""},
		{codexForm, codex(`"version": 1,`, ""), `line 1: "version" is no member that Codex knows`},
		{codexForm, codex("", stop(`{"type": "command"}`)), "line 3: a hook on Stop has no command"},
		{codexForm, codex("", stop(`{"type": "command", "command": "true", "timeout": 0}`)), ""},
		{codexForm, codex("", stop(`{"type": "command", "command": "true", "timeout": 0.5}`)), "line 3: timeout of a hook on Stop is 0.5"},
		{codexForm, codex("", stop(`{"type": "command", "command": "true", "timeout": -1}`)), "line 3: timeout of a hook on Stop is -1"},
		{codexForm, codex("", stop(`{"type": "http", "url": "http://localhost"}`)), "line 3: a hook on Stop has the type \"http\""},
		{codexForm, bom + codex("", ""), "line 1: there is a byte order mark"},
		{gooseForm, goose(""), ""},
		{gooseForm, goose(`, {"type": "command"}`), "line 1: a hook on PreToolUse has no command"},
		{gooseForm, bom + goose(""), "line 1: there is a byte order mark"},
		{kiroForm, kiro(""), ""},
		{kiroForm, kiro(`, {"matcher": "fs_*"}`), "line 1: an element of hooks.preToolUse has no command"},
		{kiroForm, bom + kiro(""), "line 1: there is a byte order mark"},
	} {
		got := flawOf(t, test.l, test.text)
		if !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%q: flaw %q, want %q", test.text, got, test.want)
		}
		// What the agent would not read is not written to.
		_, err := test.l.put([]byte(test.text), handler{agent: Agents[0], program: "/opt/permctl"})
		if (err != nil) != (test.want != "") {
			t.Errorf("%q: put: %v", test.text, err)
		}
	}
}

func TestFlawsOfHandlers(t *testing.T) {
	claude := func(more string) string {
		return `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "permctl hook claude"` + more + `}]}]}}`
	}
	copilot := func(event, more string) string {
		return `{"hooks": {"` + event + `": [{` + copilotHook + more + `}]}}`
	}
	kiro := func(matcher string) string {
		return `{"hooks": {"preToolUse": [{` + matcher + `"command": "permctl hook kiro"}]}}`
	}
	for _, test := range []struct {
		l    *layout
		text string
		flaw bool
	}{
		{claudeForm, claude(`, "shell": "bash", "async": false, "once": false`), false},
		{claudeForm, claude(`, "shell": "powershell"`), true},
		{claudeForm, claude(`, "timeout": 60`), false},
		{claudeForm, claude(`, "timeout": 2147483`), false},
		{claudeForm, claude(`, "timeout": 0.001`), true},
		{claudeForm, claude(`, "timeout": 60.5`), true},
		{claudeForm, claude(`, "timeout": 0`), true},
		{claudeForm, claude(`, "timeout": -1`), true},
		{claudeForm, claude(`, "timeout": 1e-9`), true},
		{claudeForm, claude(`, "timeout": "60"`), true},
		{claudeForm, claude(`, "timeout": 2147484`), true}, // more than a timer of node counts to
		{claudeForm, claude(`, "timeout": 9223372036854775807`), true},
		{copilotForm, copilot("preToolUse", ``), false},
		{copilotForm, copilot("preToolUse", `, "timeout": 60`), false},
		{copilotForm, copilot("preToolUse", `, "timeoutSec": 60, "timeout": 1`), true},
		{copilotForm, copilot("preToolUse", `, "timeout": 1`), true},
		{copilotForm, copilot("preToolUse", `, "timeout": 0.5`), true},
		{copilotForm, copilot("preToolUse", `, "exec": "other"`), true},
		{copilotForm, copilot("preToolUse", `, "matcher": ".*"`), false},
		{copilotForm, copilot("preToolUse", `, "matcher": ""`), false},
		{copilotForm, copilot("preToolUse", `, "matcher": "*"`), true},
		{copilotForm, copilot("PreToolUse", `, "matcher": "*"`), false},
		{copilotForm, copilot("preToolUse", `, "matcher": ["bash"]`), true},
		{kiroForm, kiro(``), false},
		{kiroForm, kiro(`"matcher": "", `), false},
		{kiroForm, kiro(`"matcher": "*", `), false},
		{kiroForm, kiro(`"matcher": ".*", `), true},
		{kiroForm, kiro(`"matcher": "fs_*", `), true},
		{kiroForm, kiro(`"cache_ttl_seconds": 0, `), false},
		{kiroForm, kiro(`"cache_ttl_seconds": 0.5, `), true},
	} {
		if got := flawOf(t, test.l, test.text); (got != "") != test.flaw {
			t.Errorf("%s: flaw %q", test.text, got)
		}
	}
}
