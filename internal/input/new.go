package input

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/workspace"
)

// An Env is what a document says of a call's surroundings.
type Env struct {
	// Workspace is the folder in which the agent is to work. It must be set.
	Workspace *workspace.Workspace

	// User and Host are who and where the agent runs. Home is [User]'s home,
	// by which ~ and $HOME in paths are understood.
	User User
	Host Host

	// Now is when the call is decided. If zero, the document has no time.
	Now time.Time

	// Tables are what is known of programs. If nil, they are the shipped ones.
	Tables *bash.Tables

	// Variables are the values of environment variables that shell text may
	// name paths by.
	Variables map[string]string

	// Guards are further files and folders of permctl itself, such as settings
	// that a flag names. The first that a path belongs to is named.
	Guards []Guard

	// Port is the loopback port of permctl's daemon, or 0 if it has none, and
	// Socket the path of its socket, if that is not the usual one.
	Port   int
	Socket string
}

// A Guard is a file or folder that keeps the agent in bounds.
type Guard struct {
	Path string // absolute
	What string // what it belongs to, as "permctl's settings"

	// IfThere is whether it counts for what it lies in only if there is one.
	IfThere bool

	// Program is whether it is permctl's program, of which nobody may make another
	// by another name.
	Program bool
}

// New returns the document of a call. There is always at least one request,
// and each request has at least one target: a call of which nothing is
// understood is one for everything, which only a rule for everything allows.
// The error says why the call cannot be decided at all, as one of a known tool
// that does not name what the tool cannot do without.
func New(call Call, env Env) (*Document, error) {
	k := kindOf(call.Tool)
	if call.MCP != nil { // a server may call its tool as an agent calls its own
		k = kind{name: "mcp", permission: call.Tool, fallback: "*"}
	}
	b := &builder{env: env, call: call, kind: k, noted: map[Path]bool{}}
	if err := b.begin(); err != nil {
		return nil, err
	}
	b.tool()
	if err := b.impossible(); err != nil {
		return nil, err
	}
	if permission := b.doc.Tool.Permission; !b.judged(permission) {
		b.everything(permission, k.fallback)
	}
	b.external()
	b.daemon()
	for i := range b.doc.Requests {
		b.doc.Requests[i].finish()
	}
	return b.doc, nil
}

// A builder makes one document.
type builder struct {
	env  Env
	call Call
	kind kind
	cwd  string
	doc  *Document

	// refused says why the call's text was not looked at, if it was not.
	refused error

	noted  map[Path]bool // the document's paths
	pieces int           // of text that cannot be analysed
}

// modeOf returns the mode of a document for what an agent calls it. Factory Droid
// plans in spec.
func modeOf(name string) string {
	if strings.EqualFold(name, "plan") || strings.EqualFold(name, "spec") {
		return "plan"
	}
	return name
}

func (b *builder) begin() error {
	if b.call.Tool == "" {
		return ErrNoTool
	}
	if strings.ContainsRune(b.call.Cwd, 0) {
		return fmt.Errorf("the call's directory %q cannot be a path", b.call.Cwd)
	}
	root := b.env.Workspace.Root()
	b.cwd = root
	if b.call.Cwd != "" {
		b.cwd = b.env.Workspace.Resolve(root, b.call.Cwd).Abs
	}
	b.doc = &Document{
		Version:   Version,
		Call:      b.call,
		Tool:      Tool{Name: b.call.Tool, Kind: b.kind.name, Permission: b.kind.permission, Shell: shells[plain(b.call.Tool)]},
		Workspace: Workspace{Root: root, Real: b.env.Workspace.RealRoot()},
		User:      b.env.User,
		Host:      b.env.Host,
	}
	if !b.env.Now.IsZero() {
		b.doc.Time = b.env.Now.UTC().Format(time.RFC3339)
	}
	b.doc.Call.Cwd, b.doc.Call.Mode = b.cwd, modeOf(b.call.Mode)
	if b.doc.Call.Input == nil {
		b.doc.Call.Input = map[string]any{}
	}
	return nil
}

// tool adds the requests of the call's tool.
func (b *builder) tool() {
	switch b.kind.name {
	case "shell":
		b.shell()
	case "read", "grep":
		b.files(Read)
	case "list", "glob":
		b.files(Read)
	case "edit":
		b.files(Write)
	case "patch":
		b.patchTool()
	case "fetch":
		b.fetch()
	case "search", "task", "skill":
		names, odd := b.call.named(b.kind.keys...)
		for _, name := range names {
			b.plainTarget(b.kind.permission, name, name)
		}
		for _, text := range odd {
			b.opaque(b.kind.permission, "(unparsed) "+text, -1, AnyRule)
		}
	case "mcp", "other":
		b.mcp()
	}
}

// request returns the request for a permission, adding it if there is none.
func (b *builder) request(permission string) *Request {
	i := slices.IndexFunc(b.doc.Requests, func(r Request) bool { return r.Permission == permission })
	if i < 0 {
		i = len(b.doc.Requests)
		b.doc.Requests = append(b.doc.Requests, Request{Permission: permission, Patterns: []string{}, Always: []string{}})
	}
	return &b.doc.Requests[i]
}

// plainTarget adds a target that has one spelling, and what an "always" for it
// would save.
func (b *builder) plainTarget(permission, text string, always ...string) {
	b.request(permission).add(Target{Pattern: text, Forms: []string{text}, Judges: AnyRule, Command: -1}, always...)
}

// everything adds the request of a call that does not say what it touches.
func (b *builder) everything(permission, pattern string) {
	if pattern == "." {
		b.path(permission, ".", Read, "tool")
		return
	}
	b.plainTarget(permission, pattern, pattern)
}

// add adds a target, unless it is there already.
func (r *Request) add(t Target, always ...string) {
	same := func(other Target) bool {
		return other.Pattern == t.Pattern && other.Judges == t.Judges && other.Command == t.Command && slices.Equal(other.Forms, t.Forms)
	}
	if len(r.Targets) < 64 && slices.ContainsFunc(r.Targets, same) {
		return
	}
	r.Targets = append(r.Targets, t)
	r.Always = append(r.Always, always...)
}

// finish works out the patterns: a target that only some rules judge is shown
// only if there is no other.
func (r *Request) finish() {
	for _, t := range r.Targets {
		if t.Judges == AnyRule || t.Judges == NamedPermission {
			r.Patterns = append(r.Patterns, t.Pattern)
		}
	}
	if len(r.Patterns) == 0 && len(r.Targets) > 0 {
		r.Patterns = append(r.Patterns, r.Targets[0].Pattern)
	}
	r.Patterns, r.Always = unique(r.Patterns), unique(r.Always)
}

// unique returns texts without what stands in them twice, in their order.
func unique(texts []string) []string {
	seen := make(map[string]bool, len(texts))
	kept := texts[:0]
	for _, text := range texts {
		if !seen[text] {
			seen[text] = true
			kept = append(kept, text)
		}
	}
	return kept
}

// mcp notes the server, tool and arguments of an MCP call, and the paths that any
// unknown tool is given by fields that are named for paths. Rules that deny or ask
// for such a path count, whatever the tool does with it.
func (b *builder) mcp() {
	b.everything(b.kind.permission, b.kind.fallback)
	if m := b.call.server(); m != nil {
		b.doc.MCP = m
		name := mcpPrefix + m.Server + "__" + m.Tool // the same in all agents
		if m.Server != "" && m.Tool != "" && name != b.kind.permission {
			b.request(name).add(Target{Pattern: "*", Forms: []string{"*"}, Judges: NamedTool, Command: -1})
		}
	}
	if b.batch() {
		return
	}
	for _, l := range b.call.leaves() {
		local := strings.HasPrefix(strings.ToLower(l.text), "file:")
		switch {
		case strings.Contains(l.text, "://") && !local && !strings.ContainsAny(l.text, " \n"):
			b.doc.URLs = append(b.doc.URLs, ParseURL(l.text))
		case local, namesPath(l.key) && !strings.Contains(strings.TrimSpace(l.text), "\n"), looksLikePath(l.text), b.isGuard(l.text):
			b.mentioned(l.text)
		}
	}
}

// mentioned adds the targets of a path that an unknown tool is given, for rules that
// deny or ask for such a file.
func (b *builder) mentioned(path string) {
	p := b.notePath(path, b.cwd, Unknown, "tool", -1)
	for _, p := range append(b.misread(p, b.cwd), p) {
		b.request("read").add(p.target(Restriction))
		if !onlyReads(b.call.Tool) {
			b.request("edit").add(p.target(Restriction))
		}
	}
	if len(b.doc.Paths) > maxPaths {
		b.refused = fmt.Errorf("the call names more than %d paths", maxPaths)
	}
}

// maxPaths is how many paths a call of an unknown tool may name.
const maxPaths = 5000

// The words of tools' names that say that a tool changes nothing, at their start,
// and those that say that it does, anywhere.
var (
	readingWords = []string{
		"get", "read", "list", "find", "search", "view", "show", "lsp", "fetch", "query", "lint", "check", "describe", "ask", "question",
	}
	changingWords = []string{
		"write", "edit", "create", "update", "delete", "remove", "move", "rename", "replace", "insert", "append", "patch", "set", "put", "save", "upload",
		"fix", "apply", "run", "exec", "execute", "and", "or",
	}
)

// onlyReads reports whether a tool's name says that it changes nothing. The name of
// its server says nothing of that.
func onlyReads(tool string) bool {
	words := wordsOf(tool[strings.LastIndex(tool, "__")+1:])
	changes := slices.ContainsFunc(words, func(word string) bool { return slices.Contains(changingWords, word) })
	return len(words) > 0 && slices.Contains(readingWords, words[0]) && !changes
}

// wordsOf returns the words of a name in lower case, whatever parts them: a letter's
// case, too.
func wordsOf(name string) []string {
	var parted strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) || !unicode.IsLetter(r) {
			parted.WriteRune(' ')
		}
		if unicode.IsLetter(r) {
			parted.WriteRune(unicode.ToLower(r))
		}
		before = r
	}
	return strings.Fields(parted.String())
}

// server returns the MCP server, tool and arguments of a call of one, or nil.
func (c Call) server() *MCP {
	if c.MCP != nil {
		return &MCP{Server: c.MCP.Server, Tool: c.MCP.Tool, Arguments: c.Input}
	}
	if server, tool, ok := splitMCP(c.Tool); ok {
		return &MCP{Server: server, Tool: tool, Arguments: c.Input}
	}
	return nil
}

// batchers are the tools that make several calls, without separators.
var batchers = []string{"batch", "multitooluseparallel", "parallel"}

// batch adds the requests of the calls in a call of a tool that makes several, and
// reports whether there are any. One that is not understood leaves the tool's own, or
// if the tool is for nothing else, the call is refused.
func (b *builder) batch() bool {
	outer, kind, shell := b.call, b.kind, b.doc.Tool.Shell
	found := false
	for _, f := range outer.fields("tool_calls", "tool_uses") {
		list, isList := f.value.([]any)
		odd := !isList
		for _, item := range list {
			inner, ok := batched(item)
			if odd = odd || !ok; !ok {
				continue
			}
			b.call.Tool, b.call.Input, b.call.MCP, b.kind = inner.Tool, inner.Input, nil, kindOf(inner.Tool)
			b.one()
			found = true
			b.call, b.kind, b.doc.Tool.Shell = outer, kind, shell
		}
		if odd && slices.Contains(batchers, plain(outer.Tool)) {
			b.refused = fmt.Errorf("the call's %s is no list of calls, each with a tool and an object of what that is given", f.name)
		}
	}
	return found
}

// batched returns a call in a batch. It is not ok if it is none.
func batched(item any) (call Call, ok bool) {
	var outer Call
	outer.Input, _ = item.(map[string]any)
	call.Tool = strings.TrimPrefix(outer.text("tool", "name", "tool_name", "recipient_name"), "functions.")
	call.Input = map[string]any{}
	for _, f := range outer.fields("parameters", "input", "args", "arguments") {
		given, isObject := f.value.(map[string]any)
		if !isObject {
			return Call{}, false
		}
		maps.Copy(call.Input, given)
	}
	return call, call.Tool != ""
}

// one adds the requests of a call in a batch.
func (b *builder) one() {
	b.doc.Tool.Shell = shells[plain(b.call.Tool)]
	permission, before := b.kind.permission, len(b.doc.Requests)
	b.tool()
	if b.kind.needs != "" && len(b.doc.Requests) == before && !b.judged(permission) && b.refused == nil {
		b.refused = fmt.Errorf("the call of %s in a batch names no %s", b.call.Tool, b.kind.needs)
	}
	if !b.judged(permission) {
		b.everything(permission, b.kind.fallback)
	}
}

// workdirs returns the directories that the tool may work in: the one that the call
// asks for in a field that the agent's tools have, or else the call's own; and then
// those in fields that they may not have. A call that names several in fields that
// count, or something else, is refused.
func (b *builder) workdirs() []string {
	known := b.call.Workdirs
	if known == nil {
		known = workdirKeys
	}
	dirs, odd := b.call.named(known...)
	others, oddOthers := b.call.named(slices.DeleteFunc(slices.Clone(workdirKeys), func(key string) bool { return slices.Contains(known, key) })...)
	odd = append(odd, oddOthers...)
	switch {
	case len(odd) > 0:
		b.refused = fmt.Errorf("the call's working directory is no text: %s", odd[0])
	case len(dirs) > 1:
		b.refused = fmt.Errorf("the call names more than one working directory: %q", dirs)
	}
	if len(dirs) == 0 {
		dirs = append(dirs, b.cwd)
	} else {
		dirs[0] = b.goes(dirs[0])
	}
	for _, dir := range others {
		dirs = append(dirs, b.goes(dir))
	}
	return unique(dirs)
}

// goes returns the directory that the tool would work in, and notes it.
func (b *builder) goes(dir string) string {
	return filepath.Clean(b.notePath(dir, b.cwd, Read, "directory", -1).Absolute)
}
