package input

import (
	"maps"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/permission"
)

// A kind is what a tool does, and how its input says to what.
type kind struct {
	name       string
	permission string

	// keys are the fields in which a tool of the kind may have what it
	// touches: all that are there count.
	keys []string

	// fallback is the pattern of a call that has none of them.
	fallback string

	// needs is what the tool cannot do without, as a noun, or empty: a call
	// that does not name it is misspelt, and refused.
	needs string

	// remote is whether the tool takes a URL for a path, too.
	remote bool
}

// The fields in which agents put paths, commands and patches. Source: the
// argument table of each agent's published tools. Letter case and separators do
// not matter: filePath is file_path.
var (
	pathKeys    = []string{"file_path", "path", "notebook_path", "target_file", "absolute_path", "filename", "file", "image_paths", "target_notebook"}
	folderKeys  = []string{"path", "dir_path", "directory", "dir", "folder", "target_directory", "file_path", "directory_path"}
	commandKeys = []string{"command", "cmd", "command_line", "script", "code", "tmux_command"}
	patchKeys   = []string{"input", "patchText", "patch", "patch_text", "command", "diff"}
	workdirKeys = []string{"workdir", "cwd", "dir_path", "working_directory", "working_dir", "directory", "dir"}
)

// The kinds of tools.
var (
	shellKind    = kind{name: "shell", permission: "bash", keys: commandKeys, fallback: "*", needs: "command"}
	inputKind    = kind{name: "shell", permission: "bash", keys: []string{"input", "chars", "text", "command"}, fallback: "*"}
	readKind     = kind{name: "read", permission: "read", keys: pathKeys, fallback: "*", needs: "file"}
	imageKind    = kind{name: "read", permission: "read", keys: append([]string{"source"}, pathKeys...), fallback: "*", needs: "source", remote: true}
	editKind     = kind{name: "edit", permission: "edit", keys: pathKeys, fallback: "*", needs: "file"}
	moveKind     = kind{name: "edit", permission: "edit", keys: append([]string{"source", "destination", "from", "to", "old_path", "new_path"}, pathKeys...), fallback: "*", needs: "file"}
	folderKind   = kind{name: "edit", permission: "edit", keys: folderKeys, fallback: "*", needs: "folder"}
	patchKind    = kind{name: "patch", permission: "edit", keys: patchKeys, fallback: "*", needs: "patch"}
	grepKind     = kind{name: "grep", permission: "grep", keys: []string{"path", "dir_path", "directory", "include_path", "file_path", "target_directory", "target_directories", "folder"}, fallback: "*"}
	listKind     = kind{name: "list", permission: "list", keys: folderKeys, fallback: "."}
	globKind     = kind{name: "glob", permission: "glob", keys: []string{"path", "dir_path", "directory", "file_path", "target_directory", "folder"}, fallback: "."}
	fetchKind    = kind{name: "fetch", permission: "webfetch", keys: []string{"url", "uri", "urls"}, fallback: "*", needs: "URL"}
	browseKind   = kind{name: "fetch", permission: "webfetch", keys: []string{"url", "uri"}, fallback: "*"}
	searchKind   = kind{name: "search", permission: "websearch", keys: []string{"query", "search_query", "q"}, fallback: "*"}
	taskKind     = kind{name: "task", permission: "task", keys: []string{"subagent_type", "agent", "agent_name", "name", "agent_type"}, fallback: "*"}
	skillKind    = kind{name: "skill", permission: "skill", keys: []string{"skill", "name", "skill_name"}, fallback: "*"}
	evalKind     = kind{name: "eval", permission: "eval", fallback: "*"}
	todoKind     = kind{name: "other", permission: "todowrite", fallback: "*"}
	questionKind = kind{name: "other", permission: "question", fallback: "*"}
)

// tools are the tools whose calls are understood, by name in lower case and
// without separators.
var tools = map[string]kind{
	"bash": shellKind, "shell": shellKind, "sh": shellKind, "monitor": shellKind, "execute": shellKind,
	"runshellcommand": shellKind, "executebash": shellKind, "execcommand": shellKind, "localshell": shellKind,
	"runinterminal": shellKind, "runcommands": shellKind, "runcommand": shellKind, "executecommand": shellKind,
	"developershell": shellKind, "terminal": shellKind, "runterminalcmd": shellKind,
	"exec": shellKind, "shellexec": shellKind, "containerexec": shellKind, "functionsbash": shellKind, "functionsshell": shellKind,
	"zsh": shellKind, "fish": shellKind, "interactivebash": shellKind, "shellcommand": shellKind, "bashtool": shellKind,
	"powershell": shellKind, "pwsh": shellKind, "cmd": shellKind,
	"bashinput": inputKind, "writestdin": inputKind,
	"writebash": inputKind, "writepowershell": inputKind,

	"read": readKind, "readfile": readKind, "view": readKind, "readfiles": readKind, "readmanyfiles": readKind,
	"fsread": readKind, "readimage": readKind, "viewimage": readKind, "notebookread": readKind,
	"readcode": readKind,

	"edit": editKind, "write": editKind, "multiedit": editKind, "notebookedit": editKind, "writefile": editKind,
	"replace": editKind, "create": editKind, "createfile": editKind, "strreplace": editKind, "delete": editKind,
	"deletefile": editKind, "strreplaceeditor": editKind, "replacestringinfile": editKind, "fswrite": editKind,
	"searchreplace": editKind, "editfile": editKind, "editfiles": editKind, "editor": editKind,
	"developerwrite": editKind, "developeredit": editKind, "insert": editKind,
	"inserteditintofile": editKind, "multireplacestringinfile": editKind, "editnotebookfile": editKind,
	"writecode": editKind, "writetofile": editKind, "replaceinfile": editKind,
	"strreplacebasededittool": editKind, "texteditor": editKind, "developertexteditor": editKind,

	"applypatch": patchKind, "patch": patchKind,

	"grep": grepKind, "grepsearch": grepKind, "searchfilecontent": grepKind, "codebasesearch": grepKind,
	"rg":          grepKind,
	"searchfiles": grepKind, "searchcodebase": grepKind, "listcodedefinitionnames": grepKind,

	"ls": listKind, "list": listKind, "find": listKind, "listdirectory": listKind, "listdir": listKind, "listfiles": listKind, "developertree": listKind,
	"glob": globKind, "filesearch": globKind, "globsearch": globKind,

	"webfetch": fetchKind, "fetch": fetchKind, "fetchurl": fetchKind, "fetchwebpage": fetchKind, "fetchwebcontent": fetchKind,
	"websearch": searchKind, "googlewebsearch": searchKind,

	"task": taskKind, "agent": taskKind, "subagent": taskKind, "runsubagent": taskKind,
	"skill": skillKind, "skills": skillKind,
	"eval": evalKind,

	"todowrite": todoKind, "question": questionKind,
	"updatetodo": todoKind, "managetodolist": todoKind, "askuser": questionKind,

	// Codex.
	"spawnagent": taskKind, "updateplan": todoKind, "requestuserinput": questionKind, "jsrepl": evalKind,

	// Gemini CLI.
	"shelltool": shellKind, "invokeagent": taskKind, "delegatetoagent": taskKind, "activateskill": skillKind,
	"writetodos": todoKind,

	// Goose.
	"developerreadimage": imageKind,

	// VS Code.
	"createdirectory": folderKind, "sendtoterminal": inputKind, "opensimplebrowser": browseKind,

	// Kiro.
	"executepwsh": shellKind, "controlbashprocess": inputKind, "controlpwshprocess": inputKind,
	"fsappend": editKind, "readmultiplefiles": readKind,

	// Cursor and Cline.
	"editnotebook": editKind, "semanticsearch": grepKind, "newrule": editKind, "browseraction": browseKind,

	// Claude Code.
	"workflow": evalKind,

	// The kinds of the Agent Client Protocol.
	"move": moveKind,
	"todo": todoKind, "todoread": todoKind, "todolist": todoKind, "askquestion": questionKind,
}

// shells are the tools whose text is for another shell than bash, or are keys,
// as {enter}, pressed in one.
var shells = map[string]string{
	"powershell": "powershell", "pwsh": "powershell", "executepwsh": "powershell", "cmd": "cmd", "fish": "fish",
	"writebash": "keys", "writepowershell": "keys",
}

// mcpPrefix is the start of a name that also tells the MCP server, as most agents
// write it.
const mcpPrefix = "mcp__"

// kindOf returns the kind of the tool called name. An unknown tool is a
// permission of its own.
func kindOf(name string) kind {
	if k, ok := tools[plain(name)]; ok && !strings.HasPrefix(name, mcpPrefix) {
		return k
	}
	other := kind{name: "other", permission: name, fallback: "*"}
	if strings.HasPrefix(name, mcpPrefix) || strings.HasPrefix(name, "mcp_") {
		other.name = "mcp"
	}
	return other
}

// PermissionOf returns the permission that rules for the tool called name
// speak of: edit for write, and its own name for a tool that is not known.
func PermissionOf(name string) string { return kindOf(name).permission }

// Needs returns what the tool called name cannot do without, as a noun, or "" if
// that is nothing or the tool is not known.
func Needs(name string) string { return kindOf(name).needs }

// Misspelt returns ` (did you mean "tool"?)` if no known tool is called name but
// one has a name like it, or "".
func Misspelt(name string) string {
	if _, known := tools[plain(name)]; known || kindOf(name).name != "other" {
		return ""
	}
	return permission.DidYouMean(plain(name), slices.Sorted(maps.Keys(tools))...)
}

// SlipOf returns the known tool whose name is a slip away from name, as it is
// written in lower case and without separators, or "". Those of two or three
// letters are near too many others.
func SlipOf(name string) string {
	if kindOf(name).name != "other" || name == "ask" || name == "batch" {
		return "" // agents have tools of these names
	}
	var long []string
	for tool := range tools {
		if len(tool) > 3 {
			long = append(long, tool)
		}
	}
	slices.Sort(long)
	return permission.Slip(plain(name), long...)
}

// plain returns name in lower case and without separators.
func plain(name string) string { return separators.Replace(strings.ToLower(name)) }

var separators = strings.NewReplacer("_", "", "-", "", ".", "")

// splitMCP takes an MCP tool's name apart, at the first separator behind the
// prefix: where a server's name holds one too, only the agent can tell.
func splitMCP(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, mcpPrefix)
	if !ok {
		return "", "", false
	}
	server, tool, ok = strings.Cut(rest, "__")
	return server, tool, ok && server != "" && tool != ""
}

// KnownPermission reports whether a rule for the permission can meet a call: a
// tool that is known needs it, or it may be the name of a tool of an MCP server
// or an agent's own, which hold an underscore or a capital letter.
func KnownPermission(name string) bool {
	if strings.ContainsAny(name, "*?_") || strings.ToLower(name) != name {
		return true
	}
	for _, k := range tools {
		if k.permission == name {
			return true
		}
	}
	return name == "lsp" || name == "prompt"
}
