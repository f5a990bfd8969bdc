package install

import (
	"fmt"
	"slices"
	"time"

	"github.com/permctl/permctl/internal/jsonc"
)

// kiroHooks is the form of the files in .kiro/hooks, of Kiro since its version 3:
// hooks is a list, and each hook names its trigger.
type kiroHooks struct{}

// entries is [form.entries].
func (kiroHooks) entries(text []byte) ([]Entry, error) {
	root, err := jsonc.Parse(text)
	if err != nil {
		return nil, err
	}
	list := root.Member("hooks")
	if list.Kind() != jsonc.Array && list.Kind() != jsonc.None {
		return nil, fmt.Errorf("line %d: hooks is of the kind %s, and has to be of the kind %s", list.Line(), list.Kind(), jsonc.Array)
	}
	var found []Entry
	for i, element := range list.Elements() {
		matcher := element.Member("matcher")
		entry := Entry{
			Line:    element.Line(),
			Event:   element.Member("trigger").Text(),
			Matcher: matcher.Text(),
			All:     matcher.Kind() == jsonc.None || matchesAll(matcher.Text()),
			Shell:   element.Member("action", "command").Text(),
			at:      address{group: i},
		}
		if n, ok := element.Member("timeout").Int(); ok {
			entry.Timeout = time.Duration(n) * time.Second
		}
		entry.recognise()
		if entry.Ours {
			entry.Flaw = flaw(entry, element.Member("action"))
		}
		if enabled := element.Member("enabled"); entry.Ours && enabled.Kind() != jsonc.None && !enabled.True() {
			entry.Flaw = "it is not enabled"
		}
		found = append(found, entry)
	}
	return found, nil
}

// put is [form.put]. The file is permctl's own, so that it is written anew.
func (k kiroHooks) put(text []byte, h handler) ([]byte, error) {
	entries, err := k.entries(text)
	if err != nil {
		return nil, err
	}
	var was *Entry
	for i := range entries {
		if !entries[i].Ours {
			return nil, errNotOurs
		}
		was = &entries[i]
	}
	return jsonc.Format(jsonc.Members{
		{Name: "version", Value: "v1"},
		{Name: "hooks", Value: []any{jsonc.Members{
			{Name: "name", Value: "permctl"},
			{Name: "trigger", Value: "PreToolUse"},
			{Name: "matcher", Value: ".*"},
			{Name: "action", Value: jsonc.Members{{Name: "type", Value: "command"}, {Name: "command", Value: h.command(was)}}},
			{Name: "timeout", Value: int64(hookTimeout / time.Second)},
			{Name: "enabled", Value: true},
		}}},
	})
}

// take is [form.take].
func (k kiroHooks) take(text []byte) ([]byte, error) {
	entries, err := k.entries(text)
	for i, entry := range slices.Backward(entries) {
		if err == nil && entry.Ours {
			text, err = edit(text, func(root jsonc.Value) ([]byte, error) { return root.Member("hooks").RemoveElement(i) })
		}
	}
	return text, err
}
