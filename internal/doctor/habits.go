package doctor

import (
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/permctl/permctl/internal/install"
)

// A habit is what doctor knows of an agent beside what package install does.
type habit struct {
	// programs are the names of its program, the most usual first, and folders
	// those by which one sees that it has been used.
	programs []string
	folders  func(install.Places) []string

	// namesakes are how others' programs of the same name begin to say their version.
	namesakes []string

	// shell reads its hooks' commands. If nil, it is sh.
	shell []string

	// plugin is true if its hook is permctl's plugin, which it loads, and speaks the
	// dialect in which that asks permctl, if it is another's.
	plugin bool
	speaks string

	// program is true if its hook is a file that it runs, with permctl's command in
	// it.
	program bool

	// timeout is how long it waits for a hook that does not say. If zero, for as
	// long as it takes, or nobody knows.
	timeout time.Duration

	// extra are the events on which a hook makes no call safer that one on
	// another event has judged.
	extra []string

	// closes reports whether a version heeds the setting by which an agent refuses
	// calls when its hook fails. If nil, all do.
	closes func(version string) bool

	// rewrites is true if a hook can change what is called.
	rewrites bool

	// variables are the environment variables that it sets for a hook to the
	// folder that it works in.
	variables []string

	// dir returns the folder in which a hook is run, if that is another than the
	// agent's own.
	dir func(*patient, install.Entry) string

	// reach is in which folders of a project it looks for its files.
	reach reach

	// commands are the members of a hook that can be its command, by operating
	// system, in the order in which they count. If nil, there is only one.
	commands map[string][]string

	// entries returns the hooks in files that package install does not read.
	entries func(*patient) []install.Entry

	// check looks at what else the agent's files say.
	check func(*patient)

	// payload is what the agent sends for a shell command. Events not in it are
	// those of other tools, for none of which permctl always says no.
	payload func(event string, c canary) any
}

// homeVariables are the environment variables by which agents have their folder
// elsewhere.
var homeVariables = []string{
	"CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "COPILOT_HOME", "OPENCODE_CONFIG_DIR", "SENPI_CODING_AGENT_DIR", "PI_CODING_AGENT_DIR",
}

// placing are the environment variables by which permctl finds its settings, and
// what has been approved.
var placing = []string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_STATE_HOME"}

// misled reports whether one of permctl's hooks finds its settings by these
// variables.
func (p *patient) misled() bool {
	return slices.ContainsFunc(p.ours, func(o *own) bool { return !o.entry.AtHome() })
}

// home returns folders of the user's home.
func home(paths ...string) func(install.Places) []string {
	return func(p install.Places) []string {
		var found []string
		for _, path := range paths {
			found = append(found, filepath.Join(p.Home, filepath.FromSlash(path)))
		}
		return found
	}
}

// homeOr is home for an agent whose folder can be elsewhere.
func homeOr(variable, path string) func(install.Places) []string {
	return func(p install.Places) []string {
		if value := getenv(p, variable); value != "" {
			return []string{value}
		}
		return home(path)(p)
	}
}

// configured returns a folder among those of programs that follow the XDG
// specification.
func configured(name string) func(install.Places) []string {
	return func(p install.Places) []string {
		return []string{filepath.Join(configFolder(p), name)}
	}
}

func configFolder(p install.Places) string {
	if value := getenv(p, "XDG_CONFIG_HOME"); value != "" {
		return value
	}
	return filepath.Join(p.Home, ".config")
}

func getenv(p install.Places, name string) string {
	if p.Getenv == nil {
		return ""
	}
	return p.Getenv(name)
}

// shell returns the start of a command line by which the agent has a shell read
// a hook's command.
func (p *patient) shell() []string {
	if runtime.GOOS == "windows" {
		return []string{"cmd", "/C"}
	}
	if p.habit.shell != nil {
		shell := append([]string{}, p.habit.shell...)
		if shell[0] == "$SHELL" {
			if shell[0] = getenv(p.m.Places, "SHELL"); shell[0] == "" {
				shell[0] = "/bin/sh"
			}
		}
		return shell
	}
	return []string{"sh", "-c"}
}

// habits are those of the agents. Where an agent's documents do not say what
// reads a command, it is sh.
var habits = map[string]habit{
	"claude": {
		programs: []string{"claude"}, folders: homeOr("CLAUDE_CONFIG_DIR", ".claude"), timeout: 600 * time.Second,
		extra: []string{"PermissionRequest"}, rewrites: true, variables: []string{"CLAUDE_PROJECT_DIR"},
		reach: here, closes: claudeCloses, check: checkClaude, payload: claudeCall,
	},
	"codex": {
		programs: []string{"codex"}, folders: homeOr("CODEX_HOME", ".codex"), shell: []string{"$SHELL", "-lc"}, timeout: 600 * time.Second,
		extra: []string{"PermissionRequest"}, rewrites: true, reach: gitward, commands: codexCommands, entries: codexEntries, check: checkCodex, payload: codexCall,
	},
	"gemini": {
		programs: []string{"gemini"}, folders: geminiFolders, shell: []string{"bash", "-c"}, timeout: 60 * time.Second,
		rewrites: true, variables: []string{"GEMINI_PROJECT_DIR", "GEMINI_CWD", "CLAUDE_PROJECT_DIR"}, reach: here, check: checkGemini, payload: geminiCall,
	},
	"cursor": {
		programs: []string{"cursor-agent", "cursor"}, folders: home(".cursor"), rewrites: true,
		extra:     []string{"beforeShellExecution", "beforeMCPExecution", "beforeReadFile"},
		variables: []string{"CURSOR_PROJECT_DIR", "CLAUDE_PROJECT_DIR"}, reach: opened, dir: cursorDir, check: checkCursor, payload: cursorCall,
	},
	"copilot": {
		programs: []string{"copilot"}, folders: homeOr("COPILOT_HOME", ".copilot"), shell: []string{"bash", "-c"}, timeout: 30 * time.Second,
		rewrites: true, commands: copilotCommands, check: checkCopilot, payload: copilotCall,
	},
	"vscode": {
		programs: []string{"code"}, folders: home(".vscode", ".config/Code", "Library/Application Support/Code", "AppData/Roaming/Code"),
		timeout: 30 * time.Second, rewrites: true, reach: opened, commands: vscodeCommands, check: checkVSCode, payload: vscodeCall,
	},
	"opencode": {
		programs: []string{"opencode"}, folders: configured("opencode"), plugin: true, reach: gitward, check: checkOpenCode, payload: openCodeCall,
	},
	"senpi": {
		programs: []string{"senpi"}, folders: homeOr("SENPI_CODING_AGENT_DIR", ".senpi"), plugin: true, speaks: "pi", reach: here, check: checkPi, payload: piCall,
	},
	"pi": {
		programs: []string{"pi"}, folders: homeOr("PI_CODING_AGENT_DIR", ".pi"), plugin: true, reach: here, check: checkPi, payload: piCall,
	},
	"factory": {
		programs: []string{"droid"}, folders: home(".factory"), timeout: 60 * time.Second, rewrites: true,
		variables: []string{"FACTORY_PROJECT_DIR"}, check: checkFactory, payload: factoryCall,
	},
	"kiro": {
		programs: []string{"kiro-cli", "kiro", "q"}, namesakes: []string{"q version "}, folders: home(".kiro", ".aws/amazonq"), shell: []string{"bash", "-c"},
		timeout: 30 * time.Second, check: checkKiro, payload: kiroCall,
	},
	"windsurf": {
		programs: []string{"windsurf"}, folders: home(".codeium/windsurf"), shell: []string{"bash", "-c"}, reach: opened, check: checkWindsurf, payload: windsurfCall,
	},
	"cline": {
		programs: []string{"cline"}, folders: home(".cline", "Documents/Cline"), program: true, timeout: 30 * time.Second,
		rewrites: true, reach: opened, check: checkCline, payload: clineCall,
	},
	"goose": {
		programs: []string{"goose"}, namesakes: []string{"goose version:"}, folders: configured("goose"), timeout: 30 * time.Second, check: checkGoose, payload: gooseCall,
	},
}
