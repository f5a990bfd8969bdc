package install

import (
	"slices"
	"strings"
	"testing"
)

// TestCommand has how a path is written where a shell reads it, and that permctl
// knows it again.
func TestCommand(t *testing.T) {
	agent := func(name string) *Agent {
		return Agents[slices.IndexFunc(Agents, func(a *Agent) bool { return a.Name == name })]
	}
	for _, tt := range []struct {
		h    handler
		want string
	}{
		{handler{agent("claude"), "/opt/bin/permctl", false, ""}, "/opt/bin/permctl hook claude || exit 2"},
		{handler{agent("claude"), "/opt/my tools/permctl", false, ""}, "'/opt/my tools/permctl' hook claude || exit 2"},
		{handler{agent("claude"), "/opt/it's (1)/permctl", false, ""}, `'/opt/it'\''s (1)/permctl' hook claude || exit 2`},
		{handler{agent("claude"), "/opt/bin/permctl", false, "/home/ann"}, "/opt/bin/permctl hook --home /home/ann claude || exit 2"},
		{handler{agent("claude"), "/opt/bin/permctl", false, "/home/an n"}, "/opt/bin/permctl hook --home '/home/an n' claude || exit 2"},
		{handler{agent("windsurf"), "/opt/bin/permctl", false, ""}, "/opt/bin/permctl hook --wait 20s windsurf || exit 2"},
		{handler{agent("claude"), `C:\tools\permctl.exe`, true, ""}, "C:/tools/permctl.exe hook claude"},
		{handler{agent("claude"), `C:\Program Files\permctl.exe`, true, ""}, `"C:/Program Files/permctl.exe" hook claude`},
	} {
		got := tt.h.command(nil)
		entry := Entry{Shell: got}
		entry.recognise()
		if want := strings.ReplaceAll(tt.h.program, `\`, "/"); got != tt.want || !entry.Ours || entry.Program != want {
			t.Errorf("%q is %q, want %q; it is known as %q", tt.h.program, got, tt.want, entry.Program)
		}
	}
}

// TestPowerShell: a path in quotes is a string to PowerShell, and not a program.
func TestPowerShell(t *testing.T) {
	h := handler{Agents[4], `C:\Program Files\permctl.exe`, true, ""}
	text, err := copilotForm.put(nil, h)
	if want := `"powershell": "& \"C:/Program Files/permctl.exe\" hook copilot"`; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
	again, err := copilotForm.put(text, h)
	if err != nil || string(again) != string(text) {
		t.Errorf("once more, it is %s, %v", again, err)
	}
}

// TestNoteOfSpaces: where the agent may have PowerShell run a path in quotes, a person
// is told.
func TestNoteOfSpaces(t *testing.T) {
	for program, want := range map[string]int{"C:/tools/permctl.exe": 0, "C:/Program Files/permctl.exe": 1} {
		if notes := Agents[0].notes(Places{OS: "windows"}, User, nil, program); len(notes) != want {
			t.Errorf("%s: %q, want %d notes", program, notes, want)
		}
	}
}

// TestOurs has which commands are permctl's hook, and which are more or something
// else, and are left alone.
func TestOurs(t *testing.T) {
	for command, want := range map[string]bool{
		"permctl hook claude":                            true,
		"/usr/bin/permctl hook claude":                   true,
		"exec permctl hook claude":                       true,
		"permctl hook auto":                              true,
		"permctl --workspace /srv hook --wait 5s claude": true,
		`"C:/a b/Permctl.exe" hook claude`:               true,
		`/opt/my\ tools/permctl hook claude`:             true,
		"permctl hook claude || exit 2":                  true,
		"permctl hook claude || true":                    false,
		"permctl hook claude; true":                      false,
		"permctl hook claude &":                          false,
		"permctl hook claude > /dev/null":                false,
		"$HOME/bin/permctl hook claude":                  false,
		"~/bin/permctl hook claude":                      false,
		"PERMCTL=1 permctl hook claude":                  false,
		"echo permctl hook claude":                       false,
		"permctl check claude":                           false,
		"permctl trust --policy hook claude":             false,
		"permctl trust --policy hook --approvals claude": false,
		"permctl uninstall --workspace hook claude":      false,
		"permctl help hook claude":                       false,
		"permctl hook claude --help":                     false,
		"permctl hook -- claude":                         false,
		"permctl hook claude codex":                      false,
		"permctl hook --wait claude":                     false,
		"permctl hook --unknown claude":                  false,
		"permctl --permission=bash=allow hook claude":    true,
		"permctl hook":                                   false,
		"permctl hook nobody":                            false,
		"permctl-wrapper hook claude":                    false,
		"'permctl hook claude":                           false,
		"permctl hook claude # || exit 2":                false,
		"":                                               false,
	} {
		entry := Entry{Shell: command}
		if entry.recognise(); entry.Ours != want {
			t.Errorf("%q is permctl's: %t, want %t", command, entry.Ours, want)
		}
	}
}

// TestAnswersAnother: a hook that answers in another agent's dialect guards nothing,
// and is replaced.
func TestAnswersAnother(t *testing.T) {
	h := handler{Agents[0], "/opt/bin/permctl", false, ""}
	const wrong = `{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "/opt/bin/permctl hook codex", "timeout": 60}]}]}}`
	text, err := claudeForm.put([]byte(wrong), h)
	if err != nil || strings.Contains(string(text), "hook codex") || strings.Count(string(text), "hook claude") != len(Agents[0].Events) {
		t.Errorf("it has become %s, %v", text, err)
	}
	auto, err := claudeForm.put([]byte(strings.ReplaceAll(wrong, "codex", "auto")), h)
	if err != nil || !strings.Contains(string(auto), "hook auto || exit 2") {
		t.Errorf("what answers everybody has become %s, %v", auto, err)
	}
}

// TestFlaws has hooks of permctl's that do not guard, and are made anew.
func TestFlaws(t *testing.T) {
	h := handler{Agents[0], "/opt/bin/permctl", false, ""}
	fine, err := claudeForm.put(nil, h)
	if err != nil {
		t.Fatal(err)
	}
	for _, handler := range []string{
		`{"type": "command", "command": "permctl hook claude", "timeout": 5}`,
		`{"type": "command", "command": "permctl hook claude", "async": true}`,
		`{"type": "command", "command": "permctl hook claude", "asyncRewake": true}`,
		`{"type": "command", "command": "permctl hook claude", "once": true}`,
		`{"type": "command", "command": "permctl hook claude", "if": "Bash(git *)"}`,
		`{"type": "prompt", "prompt": "Is it safe?", "command": "permctl hook claude"}`,
	} {
		text := `{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [` + handler + `]}]}}`
		entries, err := claudeForm.entries([]byte(text))
		if err != nil || len(entries) != 1 || entries[0].Flaw == "" {
			t.Errorf("%s: %+v, %v", handler, entries, err)
		}
		got, err := claudeForm.put([]byte(text), h)
		if is, _ := claudeForm.entries(got); err != nil || len(is) != len(Agents[0].Events) || is[0].Flaw != "" || is[0].Program != h.program || !is[0].FailClosed {
			t.Errorf("%s has become %s, %v", handler, got, err)
		}
	}
	if entries, err := claudeForm.entries(fine); err != nil || entries[0].Flaw != "" {
		t.Errorf("permctl's own: %+v, %v", entries, err)
	}
}

// TestRepair: a hook that somebody wrote by hand gets what it lacks.
func TestRepair(t *testing.T) {
	h := handler{Agents[0], "/opt/bin/permctl", false, ""}
	const short = `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "permctl hook --wait 5s claude"}]}]}}`
	text, err := claudeForm.put([]byte(short), h)
	entries, _ := claudeForm.entries(text)
	if err != nil || len(entries) != len(Agents[0].Events) || entries[0].Shell != "/opt/bin/permctl hook --wait 5s claude || exit 2" || entries[0].Timeout != hookTimeout || !entries[0].FailClosed {
		t.Errorf("it has become %s, %v", text, err)
	}
	const exec = `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "/old/permctl", "args": ["hook", "claude"], "timeout": 60, "onFailure": "block"}]}]}}`
	text, err = claudeForm.put([]byte(exec), h)
	if err != nil || !strings.Contains(string(text), `"command": "/opt/bin/permctl", "args": ["hook", "claude"]`) {
		t.Errorf("without a shell, it has become %s, %v", text, err)
	}
}
