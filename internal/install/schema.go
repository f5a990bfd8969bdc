package install

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/permctl/permctl/internal/jsonc"
)

// A schema is what an agent wants of a file, or else leaves it out as a whole. It
// is what is known of that, and not all.
type schema struct {
	// members are those that the file may have. If nil, all.
	members []string

	// kinds are of what kind members have to be, if they are there, and lists
	// those that have to be lists of strings, both by their paths.
	kinds map[string]jsonc.Kind
	lists []string

	// needs are the members, strings, that a handler needs by its type. Without
	// types, it is that of none.
	needs map[string]string

	// types are those that a handler can have. If nil, any.
	types []string

	// handler are of what kind the members of a handler have to be, whole those
	// that have to be whole numbers from 0 on, and positive those above it.
	handler         map[string]jsonc.Kind
	whole, positive []string

	// noMark is whether the file must not begin with a byte order mark.
	noMark bool
}

// The schemas of the agents that were seen to leave out files, or whose source says
// so.
var (
	claudeSchema = &schema{
		kinds: map[string]jsonc.Kind{
			"env": jsonc.Object, "permissions": jsonc.Object, "permissions.defaultMode": jsonc.String, "disableAllHooks": jsonc.Bool,
			"model": jsonc.String, "apiKeyHelper": jsonc.String, "includeCoAuthoredBy": jsonc.Bool, "cleanupPeriodDays": jsonc.Number,
			"statusLine": jsonc.Object, "enabledPlugins": jsonc.Object, "enableAllProjectMcpServers": jsonc.Bool,
		},
		lists: []string{"permissions.allow", "permissions.deny", "permissions.ask", "permissions.additionalDirectories", "enabledMcpjsonServers", "disabledMcpjsonServers"},
		needs: map[string]string{"command": "command", "prompt": "prompt", "agent": "prompt", "http": "url"},
		types: []string{"command", "prompt", "agent", "http", "mcp_tool"}, positive: []string{"timeout"},
		handler: map[string]jsonc.Kind{
			"command": jsonc.String, "args": jsonc.Array, "timeout": jsonc.Number, "async": jsonc.Bool, "asyncRewake": jsonc.Bool, "once": jsonc.Bool,
			"if": jsonc.String, "shell": jsonc.String, "statusMessage": jsonc.String, "onFailure": jsonc.String,
		},
	}
	codexSchema = &schema{
		members: []string{"hooks"}, noMark: true, needs: map[string]string{"command": "command"},
		types: []string{"command", "prompt", "agent"}, whole: []string{"timeout"},
		handler: map[string]jsonc.Kind{
			"command": jsonc.String, "commandWindows": jsonc.String, "timeout": jsonc.Number, "async": jsonc.Bool, "statusMessage": jsonc.String,
		},
	}
	gooseSchema = &schema{
		noMark: true, needs: map[string]string{"command": "command"}, whole: []string{"timeout"},
		handler: map[string]jsonc.Kind{"command": jsonc.String, "timeout": jsonc.Number, "on_failure": jsonc.String},
	}
	kiroSchema = &schema{
		noMark: true, needs: map[string]string{"": "command"}, whole: []string{"timeout_ms", "cache_ttl_seconds"},
		handler: map[string]jsonc.Kind{"command": jsonc.String, "matcher": jsonc.String, "timeout_ms": jsonc.Number, "cache_ttl_seconds": jsonc.Number},
	}
)

// LeavesOut returns why the agent leaves out a file of its settings as a whole, of
// which root is the value, or nil if nothing is known of that.
func (a *Agent) LeavesOut(root jsonc.Value) error {
	for _, f := range a.places(Places{}) {
		if l, ok := f.form.(*layout); ok {
			return l.skipped(nil, root)
		}
	}
	return nil
}

// mark is the byte order mark of UTF-8.
var mark = []byte("\xef\xbb\xbf")

// refused returns why the agent leaves out a text, with the line, or nil if nothing
// is known of that.
func (l *layout) refused(text []byte, root jsonc.Value) error {
	s := l.schema
	if s == nil {
		return nil
	}
	if s.noMark && bytes.HasPrefix(text, mark) {
		return fmt.Errorf("line 1: there is a byte order mark, for which %s leaves out the whole file", l.agent)
	}
	for name, v := range root.Members() {
		if s.members != nil && !slices.Contains(s.members, name.Text()) {
			return fmt.Errorf("line %d: %q is no member that %s knows, and it leaves out the whole file for it", v.Line(), name.Text(), l.agent)
		}
	}
	if err := l.mistyped("", root, s.kinds); err != nil {
		return err
	}
	for _, path := range s.lists {
		if err := l.mistyped("", root, map[string]jsonc.Kind{path: jsonc.Array}); err != nil {
			return err
		}
		for _, v := range member(root, path).Elements() {
			if v.Kind() != jsonc.String {
				return l.mistake("an element of "+path, v, jsonc.String)
			}
		}
	}
	return l.refusedHooks(root)
}

// refusedHooks is [layout.refused] for the hooks, on whatever event.
func (l *layout) refusedHooks(root jsonc.Value) error {
	for event, list := range root.Member("hooks").Members() {
		for _, element := range list.Elements() {
			where := "an element of hooks." + event.Text()
			if !l.grouped {
				if err := l.refusedHandler(where, element); err != nil {
					return err
				}
				continue
			}
			if err := l.mistyped(where, element, map[string]jsonc.Kind{"matcher": jsonc.String}); err != nil {
				return err
			}
			for _, handler := range element.Member("hooks").Elements() {
				if err := l.refusedHandler("a hook on "+event.Text(), handler); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// refusedHandler is [layout.refused] for one handler.
func (l *layout) refusedHandler(where string, handler jsonc.Value) error {
	if handler.Kind() != jsonc.Object {
		return l.mistake(where, handler, jsonc.Object)
	}
	kind := handler.Member("type")
	if l.typed && kind.Kind() != jsonc.String {
		return fmt.Errorf("line %d: %s has no type, for which %s leaves out the whole file", handler.Line(), where, l.agent)
	}
	typed := ""
	if l.typed {
		typed = kind.Text()
	}
	if l.schema.types != nil && !slices.Contains(l.schema.types, typed) {
		return fmt.Errorf("line %d: %s has the type %q, for which %s leaves out the whole file", kind.Line(), where, typed, l.agent)
	}
	if need := l.schema.needs[typed]; need != "" && handler.Member(need).Kind() == jsonc.None {
		return fmt.Errorf("line %d: %s has no %s, for which %s leaves out the whole file", handler.Line(), where, need, l.agent)
	}
	if err := l.mistyped(where, handler, l.schema.handler); err != nil {
		return err
	}
	if err := l.miscounted(where, handler); err != nil {
		return err
	}
	for _, arg := range handler.Member("args").Elements() {
		if arg.Kind() != jsonc.String {
			return l.mistake("an element of args of "+where, arg, jsonc.String)
		}
	}
	return nil
}

// miscounted returns an error if a number in a handler is none that the agent takes.
func (l *layout) miscounted(where string, handler jsonc.Value) error {
	for _, name := range slices.Concat(l.schema.whole, l.schema.positive) {
		v := handler.Member(name)
		if v.Kind() == jsonc.None {
			continue
		}
		n, whole := v.Int()
		f, err := strconv.ParseFloat(v.String(), 64)
		if slices.Contains(l.schema.whole, name) && (!whole || n < 0) || slices.Contains(l.schema.positive, name) && (err != nil || f <= 0) {
			return fmt.Errorf("line %d: %s of %s is %s, for which %s leaves out the whole file", v.Line(), name, where, v, l.agent)
		}
	}
	return nil
}

// mistyped returns an error if a member of v is of another kind than it has to be.
func (l *layout) mistyped(where string, v jsonc.Value, kinds map[string]jsonc.Kind) error {
	for _, path := range slices.Sorted(maps.Keys(kinds)) {
		if found := member(v, path); found.Kind() != jsonc.None && found.Kind() != kinds[path] {
			what := path
			if where != "" {
				what += " of " + where
			}
			return l.mistake(what, found, kinds[path])
		}
	}
	return nil
}

func (l *layout) mistake(what string, v jsonc.Value, want jsonc.Kind) error {
	return fmt.Errorf("line %d: %s is of the kind %s and not of the kind %s, for which %s leaves out the whole file", v.Line(), what, v.Kind(), want, l.agent)
}

// member returns the member with a path of names with dots between them.
func member(v jsonc.Value, path string) jsonc.Value { return v.Member(strings.Split(path, ".")...) }
