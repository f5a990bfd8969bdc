package input

import (
	"encoding/json"
	"reflect"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/patch"
)

// Version is the version of the document. It changes when a field goes or
// comes to mean something else, not when one is added.
const Version = 1

// A Document is the input of policy: a call, the requests it makes, and the
// facts about it. Its JSON form is described by policy/schema/input.json.
type Document struct {
	Version   int       `json:"version"`
	Call      Call      `json:"call"`
	Tool      Tool      `json:"tool"`
	Workspace Workspace `json:"workspace"`
	User      User      `json:"user"`
	Host      Host      `json:"host"`

	// Time is when the call is decided, in RFC 3339 and UTC.
	Time string `json:"time"`

	// Requests are the permissions that the call needs. There is at least
	// one, and each has at least one target.
	Requests []Request `json:"requests"`

	// Commands are the simple commands that the call's shell text would run.
	Commands []Command `json:"commands"`

	// Script is what else the shell text holds.
	Script Script `json:"script"`

	Paths []Path       `json:"paths"`
	Patch []patch.File `json:"patch"`
	URLs  []URL        `json:"urls"`

	// MCP is the server and tool of an MCP call, or nil.
	MCP *MCP `json:"mcp"`

	// Daemon are the ways by which the call would reach permctl's daemon, as far
	// as its text tells: "permctl.sock", or "port " and the number.
	Daemon []string `json:"daemon"`
}

// A Tool is the tool that is called.
type Tool struct {
	Name string `json:"name"`

	// Kind is what the tool does: shell, read, edit, patch, grep, list, glob,
	// fetch, search, task, skill, eval, mcp or other.
	Kind string `json:"kind"`

	// Permission is the permission that rules for the tool speak of.
	Permission string `json:"permission"`

	// Shell names the shell that a shell tool's text is for.
	Shell string `json:"shell,omitempty"`
}

// A Workspace is the folder in which the agent is to work.
type Workspace struct {
	Root string `json:"root"` // absolute
	Real string `json:"real"` // with symbolic links resolved
}

// A User is who runs the agent.
type User struct {
	Name string `json:"name"`
	Home string `json:"home"`
}

// A Host is the machine on which the agent runs.
type Host struct {
	Name string `json:"name"`
	OS   string `json:"os"`
}

// A Request is one permission that the call needs.
type Request struct {
	Permission string `json:"permission"`

	// Patterns are what the call touches, as a person reads it; Always are
	// the patterns that an answer of "always" would save.
	Patterns []string `json:"patterns"`
	Always   []string `json:"always"`

	Targets []Target `json:"targets"`
}

// A Target is one thing that a request touches, with all the spellings by
// which a rule may meet it.
type Target struct {
	Pattern string `json:"pattern"`

	// Forms are the spellings that any rule may match, and Strict those that
	// only rules that deny or ask match besides.
	Forms  []string `json:"forms"`
	Strict []string `json:"strict,omitempty"`

	// Options and Operands are those of the command that the target is, with
	// its name before the operands: rules that deny or ask also meet it by
	// them, wherever they stand.
	Options  []string `json:"options,omitempty"`
	Operands []string `json:"operands,omitempty"`

	// Authority and Rest are the two parts of a URL: "https://example.com" and
	// "/a?b". A rule that allows has to match each by itself.
	Authority string `json:"authority,omitempty"`
	Rest      string `json:"rest,omitempty"`

	// Judges says which rules judge the target.
	Judges Judges `json:"judges"`

	// Opaque is true if nobody can say what the target really is, so that only
	// a rule for everything (pattern *) can decide it.
	Opaque bool `json:"opaque,omitempty"`

	// Command is the index in the document's commands of the command that the
	// target comes from, or -1.
	Command int `json:"command"`
}

// Judges says which rules judge a target.
type Judges string

// The judges of targets.
const (
	// AnyRule: all rules. If none matches, the answer is ask.
	AnyRule Judges = "any"

	// NamedPermission: rules that name the permission literally. If none
	// matches, the target is allowed. Targets that were derived from what a
	// command's operands say are judged so.
	NamedPermission Judges = "permission"

	// NamedTool: rules whose permission is more than stars. If none matches, the
	// target is allowed. Tools of MCP servers are judged so by a second name.
	NamedTool Judges = "tool"

	// NamedPattern: rules whose pattern is more than stars. If none matches,
	// the target is allowed.
	NamedPattern Judges = "pattern"

	// Restriction: rules that deny or ask, and whose pattern is more than
	// stars. If none matches, the target is allowed.
	Restriction Judges = "restriction"
)

// Derived reports whether the target was derived from a command's operands.
func (t Target) Derived() bool { return t.Judges == NamedPermission }

// A Command is a simple command of the call's shell text.
type Command struct {
	bash.Command

	// Cwd is the absolute directory in which the command would run, or empty
	// if only run time knows it.
	Cwd string `json:"cwd"`
}

// A Script is what a call's shell text holds beside its commands.
type Script struct {
	Text      string          `json:"text"`
	Assigns   []bash.Assign   `json:"assigns"`
	Functions []string        `json:"functions"`
	Redirects []bash.Redirect `json:"redirects"`
	Unparsed  []bash.Unparsed `json:"unparsed"`
}

// A Path is a file or directory that the call names.
type Path struct {
	Path     string `json:"path"`     // as the agent wrote it
	Absolute string `json:"absolute"` // resolved by its words alone
	Real     string `json:"real"`     // with symbolic links resolved
	Relative string `json:"relative"` // to the workspace's root, or empty if outside

	// Inside is whether the path lies in the workspace, both by its words and
	// with symbolic links resolved.
	Inside bool `json:"inside"`

	// Access is what happens to the file: read, write, delete or unknown.
	Access Access `json:"access"`

	// Origin is where the path was found: tool, redirect, operand, patch or
	// directory.
	Origin string `json:"origin"`

	// Protected says what the path belongs to, if it is something that guards
	// the agent, such as "permctl's settings" or "Claude Code's hooks".
	Protected string `json:"protected,omitempty"`

	// Error says why the path could not be resolved. It counts as outside.
	Error string `json:"error,omitempty"`

	// Command is the index of the command that names the path, or -1.
	Command int `json:"command"`
}

// An Access is what a call does to a file.
type Access string

// The accesses to files.
const (
	Read    Access = "read"
	Write   Access = "write"
	Delete  Access = "delete"
	Unknown Access = "unknown"
)

// A URL is an address that the call names.
type URL struct {
	URL    string `json:"url"`
	Scheme string `json:"scheme"`
	User   string `json:"user"`
	Host   string `json:"host"` // in lower case, without the port
	Port   string `json:"port"` // the scheme's own if none is given
	Path   string `json:"path"`
	Query  string `json:"query"`

	// Address is true if the host is an IP address, in any notation that
	// programs take for one, and Private if that, or the name, is of the
	// machine itself, of a private network, or link-local.
	Address   bool `json:"address"`
	Private   bool `json:"private"`
	LinkLocal bool `json:"link_local"`

	// Error says why the URL could not be taken apart.
	Error string `json:"error,omitempty"`
}

// An MCP is a call of a tool of an MCP server.
type MCP struct {
	Server    string         `json:"server"`
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
}

// MarshalJSON returns the document as policy reads it: a list that holds nothing
// is an empty array. It must not run while others use the document.
func (d Document) MarshalJSON() ([]byte, error) {
	type plain Document // without this method
	fill(reflect.ValueOf(&d))
	return json.Marshal(plain(d))
}

// fill makes lists that hold nothing empty rather than nil, so that they are
// arrays wherever the document is written.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem())
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			fill(field)
		}
	case reflect.Slice:
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		if v.Type().Elem().Kind() == reflect.Struct {
			for i := range v.Len() {
				fill(v.Index(i))
			}
		}
	default: // holds no lists
	}
}
