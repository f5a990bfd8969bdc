package hook_test

import (
	"testing"

	"github.com/permctl/permctl/internal/hook"
)

func TestGoose(t *testing.T) {
	testAgent(t, hook.Goose, said, map[string]map[string]hook.Answer{
		"PreToolUse": {
			"granted": out(`{"decision":"allow"}`),
			"asked":   out(`{"decision":"block","reason":"settings.yaml:3 asks"}`),
			"denied":  out(`{"decision":"block","reason":"settings.yaml:4 denies"}`),
		},
	})
}

func TestGooseRefuses(t *testing.T) {
	testRefusesLines(t, hook.Goose, map[string]string{
		``:     "empty",
		`null`: "no event",
		`[]`:   "array",
		`{"event":"PreToolUse","tool_name":"developer__shell","tool_input":{"comm`:          "not JSON",
		`{"event":"PreToolUse","tool_input":{"command":"ls"}}`:                              "no tool_name",
		`{"event":"PreToolUse","tool_name":{}}`:                                             `"tool_name"`,
		`{"event":"PreToolUse","tool_name":"developer__shell","tool_input":"ls"}`:           `"tool_input"`,
		`{"event":"PreToolUse","tool_name":"developer__shell","working_dir":7}`:             `"working_dir"`,
		`{"event":"preToolUse","tool_name":"developer__shell"}`:                             `Goose's is "PreToolUse"`,
		`{"event":"BeforeTool","tool_name":"developer__shell"}`:                             "no event of Goose",
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`: "no event",
		`{"event":"PreToolUse","tool_name":"developer__shell","Event":"PostToolUse"}`:       "twice",
	})
}

func FuzzGoose(f *testing.F) { fuzzLines(f, hook.Goose, said) }
