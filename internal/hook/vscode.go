package hook

import "github.com/permctl/permctl/internal/permission"

// VSCode is the agent in Visual Studio Code. Its payload is that of Claude
// Code's PreToolUse, its tools are its own, and as it reads Copilot's hooks, too,
// its answers are Copilot's.
var VSCode = &Agent{
	Name:    "vscode",
	Aliases: []string{"vs-code"},
	dialect: vscodeDialect,
	decode:  vscodeDialect.decodeClaude,
	answer:  answerVSCode,
	hearing: hearing{reads: readsClaudeLike}, // as far as is known
	marks: []mark{
		"hook_event_name timestamp transcript_path !permission_mode !prompt_id !turn_id !cursor_version !generation_id " +
			"hook_event_name!=BeforeTool|AfterTool|BeforeAgent|AfterAgent|BeforeModel|AfterModel|BeforeToolSelection|PreCompress",
		"hook_event_name timestamp tool_use_id !transcript_path !permission_mode !prompt_id !turn_id !cursor_version !generation_id",
	},
}

// vscodeDialect is how VS Code names its events.
var vscodeDialect = dialect{
	agent:   "VS Code",
	field:   "hook_event_name",
	tools:   []string{preToolUse},
	reports: claudeDialect.reports,
}

// answerVSCode is [Agent.Answer] for VS Code.
func answerVSCode(_ Event, d permission.Decision) Answer {
	if d.Action == permission.Allow && !d.Grant {
		return Answer{} // VS Code's own rules and questions go on
	}
	return copilotToolAnswer(d)
}
