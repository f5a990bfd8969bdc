package install

import (
	"time"
	"unicode"

	"github.com/permctl/permctl/internal/jsonc"
)

// A form is how a file says what hooks there are. It is safe for concurrent use.
type form interface {
	// entries returns the hooks in a text. The error names the line, and not the
	// file.
	entries(text []byte) ([]Entry, error)

	// put returns a text with h in it, once for each event, and behind what
	// others have put there. A nil text is that of no file.
	put(text []byte, h handler) ([]byte, error)

	// take returns a text without what permctl has put in, or nil if the file
	// was nothing else.
	take(text []byte) ([]byte, error)
}

// A handler is permctl as the hook of an agent.
type handler struct {
	agent   *Agent
	program string // an absolute path
	windows bool

	// home is the user's home, if the agent could tell the hook another.
	home string
}

// The layouts of agents' JSON files. Which of them the agents read with comments,
// and which with a comma too many, is what the programs do that were tried or
// whose source says so (Claude Code 2.1.197, Codex 0.171, Gemini CLI 0.61, Goose,
// Amazon Q); the others are taken as they are.
var (
	claudeForm = &layout{
		agent: "Claude Code", grouped: true, matcher: "*", typed: true, timeout: "timeout", unit: time.Second,
		closed: "onFailure", block: "block", noComments: true, noCommas: true, off: disableAllHooks, schema: claudeSchema,
	}
	codexForm = &layout{
		agent: "Codex", grouped: true, matcher: ".*", typed: true, timeout: "timeout", unit: time.Second, noComments: true, noCommas: true,
		schema: codexSchema,
	}
	geminiForm = &layout{
		agent: "Gemini CLI", grouped: true, matcher: ".*", typed: true, timeout: "timeout", unit: time.Millisecond, noCommas: true,
		first: jsonc.Members{{Name: "name", Value: "permctl"}}, settings: []string{"enabled", "disabled", "notifications"},
		off: []toggle{{[]string{"hooksConfig", "enabled"}, false}, {[]string{"hooks", "enabled"}, false}, {[]string{"tools", "enableHooks"}, false}},
	}
	factoryForm = &layout{agent: "Factory Droid", grouped: true, matcher: "*", typed: true, timeout: "timeout", unit: time.Second}
	gooseForm   = &layout{
		agent: "Goose", grouped: true, matcher: ".*", all: expression, typed: true, timeout: "timeout", unit: time.Second,
		closed: "on_failure", block: "block", noComments: true, noCommas: true, schema: gooseSchema,
	}
	cursorForm = &layout{
		agent: "Cursor", timeout: "timeout", unit: time.Second, closed: "failClosed", block: true, root: version1,
	}
	copilotForm = &layout{
		agent: "Copilot", typed: true, timeout: "timeoutSec", alias: "timeout", unit: time.Second, all: copilotAll,
		commands: []string{"bash", "powershell", "command"}, root: version1, off: disableAllHooks,
	}
	vscodeForm = &layout{agent: "VS Code", typed: true, timeout: "timeout", alias: "timeoutSec", unit: time.Second}
	kiroForm   = &layout{
		agent: "Kiro", matcher: "*", all: glob, timeout: "timeout_ms", unit: time.Millisecond, noComments: true, noCommas: true,
		more: jsonc.Members{{Name: "cache_ttl_seconds", Value: 0}}, schema: kiroSchema,
	}
	windsurfForm = &layout{agent: "Windsurf", more: jsonc.Members{{Name: "show_output", Value: true}}}
)

// expression and glob report whether a matcher is for all tools of an agent to which
// it is a regular expression, or a pattern as for files.
func expression(_, matcher string) bool { return matcher == ".*" }
func glob(_, matcher string) bool       { return matcher == "*" }

// copilotAll is for Copilot, to which it is a regular expression on events that
// begin with a small letter, and on the others what it is to Claude Code.
func copilotAll(event, matcher string) bool {
	if event != "" && unicode.IsLower(rune(event[0])) {
		return expression(event, matcher)
	}
	return matchesAll(matcher)
}

// kiroAgent is the form of an agent of permctl's own, for who has made none.
var kiroAgent = kiroForm.with(jsonc.Members{
	{Name: "name", Value: "permctl"},
	{Name: "description", Value: "Kiro's usual agent, with permctl as its hook"},
	{Name: "tools", Value: []string{"*"}},
})

var disableAllHooks = []toggle{{[]string{"disableAllHooks"}, true}}

var version1 = jsonc.Members{{Name: "version", Value: 1}}
