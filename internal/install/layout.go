package install

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/permctl/permctl/internal/jsonc"
)

// A layout is the form of a JSON file with the member hooks, an object that has
// a list for each event.
type layout struct {
	agent string // whose it is, for people

	// grouped is true if the elements of these lists are {matcher, hooks}, with
	// the list of the handlers in it, and false if they are the handlers.
	grouped bool

	// root is what the file has to say beside its hooks.
	root jsonc.Members

	// matcher is how an element says that it is for all tools, or empty if it
	// needs not say so. all reports whether one on an event says so, if it is not
	// empty; if nil, * and .* do.
	matcher string
	all     func(event, matcher string) bool

	// first and more are members of a handler before its command and behind all
	// others, and typed is whether it has a type.
	first, more jsonc.Members
	typed       bool

	// commands are the members of a handler that can be its command, in the
	// order in which they count. If nil, it is command.
	commands []string

	// timeout is the member of a handler that says how long it may take, in
	// units of unit, and alias another name of it. If empty, there is none.
	timeout, alias string
	unit           time.Duration

	// closed is the member of a handler that makes the agent refuse when the
	// handler fails, if its value is block. If empty, there is none.
	closed string
	block  any

	// settings are the members of hooks that are no events.
	settings []string

	// off are the members of the file with which the agent runs no hooks.
	off []toggle

	// noComments and noCommas are whether the agent takes no comments, and no
	// comma behind the last element: it then leaves out the whole file.
	noComments, noCommas bool

	// schema is what else makes it do that, or nil if nothing is known.
	schema *schema
}

// with returns a layout that has root beside its hooks.
func (l *layout) with(root jsonc.Members) *layout {
	with := *l
	with.root = root
	return &with
}

// An address is where an entry is: the path of the object that is the handler.
type address struct {
	event          string
	group, handler int // the second only in layouts that have groups
}

// entries is [form.entries].
func (l *layout) entries(text []byte) ([]Entry, error) {
	root, err := jsonc.Parse(text)
	if err != nil {
		return nil, err
	}
	var found []Entry
	for event, list := range root.Member("hooks").Members() {
		if slices.Contains(l.settings, event.Text()) {
			continue
		}
		for i, element := range list.Elements() {
			if !l.grouped {
				entry := l.entry(event.Text(), element, element)
				entry.at = address{event: event.Text(), group: i}
				found = append(found, entry)
				continue
			}
			for j, handler := range element.Member("hooks").Elements() {
				entry := l.entry(event.Text(), element, handler)
				entry.at = address{event.Text(), i, j}
				found = append(found, entry)
			}
		}
	}
	if err := l.skipped(text, root); err != nil {
		for i := range found {
			if found[i].Ours && found[i].Flaw == "" {
				found[i].Flaw = err.Error()
			}
		}
	}
	return found, l.shape(root)
}

// shape returns an error if what should have hooks in it is of another kind, and
// the agent may read it in another way than permctl.
func (l *layout) shape(root jsonc.Value) error {
	wrong := func(what string, v jsonc.Value, want jsonc.Kind) error {
		return fmt.Errorf("line %d: %s is of the kind %s, and has to be of the kind %s", v.Line(), what, v.Kind(), want)
	}
	hooks := root.Member("hooks")
	switch {
	case root.Kind() != jsonc.Object && root.Kind() != jsonc.None:
		return wrong("the whole text", root, jsonc.Object)
	case hooks.Kind() != jsonc.Object && hooks.Kind() != jsonc.None:
		return wrong("hooks", hooks, jsonc.Object)
	}
	for event, list := range hooks.Members() {
		switch {
		case slices.Contains(l.settings, event.Text()):
			continue
		case list.Kind() != jsonc.Array:
			return wrong("hooks."+event.Text(), list, jsonc.Array)
		}
		for _, element := range list.Elements() {
			if element.Kind() != jsonc.Object {
				return wrong("an element of hooks."+event.Text(), element, jsonc.Object)
			}
			switch handlers := element.Member("hooks"); {
			case l.grouped && handlers.Kind() == jsonc.None:
				return fmt.Errorf("line %d: an element of hooks.%s has no hooks", element.Line(), event.Text())
			case l.grouped && handlers.Kind() != jsonc.Array:
				return wrong("hooks in an element of hooks."+event.Text(), handlers, jsonc.Array)
			}
		}
	}
	return nil
}

// entry returns what a handler in a group for an event says. In layouts without
// groups it is its own.
func (l *layout) entry(event string, group, handler jsonc.Value) Entry {
	matcher := group.Member("matcher")
	entry := Entry{Event: event, Line: handler.Line(), Matcher: matcher.Text(), All: l.takesAll(event, matcher)}
	var command string
	for _, name := range l.commandNames() {
		if command = handler.Member(name).Text(); command != "" {
			break
		}
	}
	if args := handler.Member("args"); args.Kind() == jsonc.Array {
		entry.Argv = []string{command}
		for _, arg := range args.Elements() {
			entry.Argv = append(entry.Argv, arg.Text())
		}
	} else {
		entry.Shell = command
	}
	var wrongTime string
	entry.Timeout, wrongTime = l.timeOf(handler)
	entry.FailClosed = l.closed != "" && l.blocks(handler.Member(l.closed))
	entry.recognise()
	if entry.Ours {
		entry.Flaw = cmp.Or(flaw(entry, handler), wrongTime)
	}
	return entry
}

// takesAll reports whether a matcher on an event is for all tools.
func (l *layout) takesAll(event string, matcher jsonc.Value) bool {
	switch {
	case matcher.Kind() != jsonc.String:
		return matcher.Kind() == jsonc.None
	case matcher.Text() == "":
		return true
	case l.all != nil:
		return l.all(event, matcher.Text())
	}
	return matchesAll(matcher.Text())
}

// longestTime is what the timers of agents can count to. A longer time is over at
// once in some of them.
const longestTime = math.MaxInt32 * time.Millisecond

// timeOf returns how long a handler may take, the shorter time if it says two, and
// zero if it says none. What is no time is a flaw.
func (l *layout) timeOf(handler jsonc.Value) (time.Duration, string) {
	var shortest time.Duration
	for _, name := range []string{l.timeout, l.alias} {
		v := handler.Member(name)
		if name == "" || v.Kind() == jsonc.None {
			continue
		}
		n, whole := v.Int()
		if !whole || n <= 0 || n > int64(longestTime/l.unit) {
			return 0, fmt.Sprintf("its %s is %s, and has to be a whole number from 1 to %d", name, v, longestTime/l.unit)
		}
		if length := time.Duration(n) * l.unit; shortest == 0 || length < shortest {
			shortest = length
		}
	}
	return shortest, ""
}

// blocks reports whether v is the value that makes the agent refuse.
func (l *layout) blocks(v jsonc.Value) bool {
	if text, ok := l.block.(string); ok {
		return v.Text() == text
	}
	return v.True()
}

func (l *layout) commandNames() []string {
	if l.commands == nil {
		return []string{"command"}
	}
	return l.commands
}

// matchesAll reports whether a matcher is for all tools.
func matchesAll(matcher string) bool { return slices.Contains([]string{"", "*", ".*"}, matcher) }

// flaw returns why an entry of permctl's does not guard, or nothing if it does.
func flaw(entry Entry, handler jsonc.Value) string {
	switch kind := handler.Member("type"); {
	case kind.Kind() != jsonc.None && kind.Text() != "command":
		return "its type is not command"
	case !entry.All:
		return fmt.Sprintf("its matcher %q leaves out other tools", entry.Matcher)
	case handler.Member("shell").Kind() != jsonc.None && handler.Member("shell").Text() != "bash":
		return "its shell is not bash, for which the command is written"
	case handler.Member("exec").Kind() != jsonc.None:
		return "it has exec beside its command, and which of them is run nobody knows"
	case handler.Member("if").Kind() != jsonc.None:
		return "its if leaves out other calls"
	case said(handler.Member("async")) || said(handler.Member("asyncRewake")):
		return "it is async, and nobody waits for it"
	case said(handler.Member("once")):
		return "it is run once only"
	case entry.Timeout > 0 && entry.Timeout < hookTimeout && !entry.hasWait():
		return fmt.Sprintf("its time of %v is less than permctl may take", entry.Timeout)
	}
	ttl := handler.Member("cache_ttl_seconds")
	if n, whole := ttl.Int(); ttl.Kind() != jsonc.None && (!whole || n != 0) {
		return "its answers are used again for other calls"
	}
	return ""
}

// said reports whether a switch is there and is anything but off.
func said(v jsonc.Value) bool {
	return v.True() || !slices.Contains([]jsonc.Kind{jsonc.None, jsonc.Null, jsonc.Bool}, v.Kind())
}
