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
			All:     matcher.Kind() == jsonc.None || slices.Contains([]string{"", "*", ".*"}, matcher.Text()),
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
