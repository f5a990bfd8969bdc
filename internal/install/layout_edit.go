package install

import (
	"fmt"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/jsonc"
)

// put is [form.put].
func (l *layout) put(text []byte, h handler) ([]byte, error) {
	root, err := l.parse(text)
	if err != nil {
		return nil, err
	}
	if root.Kind() == jsonc.None {
		if text, err = jsonc.Format(jsonc.Members{}); err != nil {
			return nil, err
		}
	}
	for _, member := range l.root {
		if root.Member(member.Name).Kind() != jsonc.None {
			continue
		}
		if text, err = edit(text, func(root jsonc.Value) ([]byte, error) { return root.Set(member.Name, member.Value) }); err != nil {
			return nil, err
		}
	}
	for _, event := range h.agent.Events {
		if text, err = l.putEvent(text, event, h); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// edit returns a text after a change of the value in it.
func edit(text []byte, change func(root jsonc.Value) ([]byte, error)) ([]byte, error) {
	root, err := jsonc.Parse(text)
	if err != nil {
		return nil, err
	}
	return change(root)
}

// parse returns the value of a text of which the agent is sure to read the same.
func (l *layout) parse(text []byte) (jsonc.Value, error) {
	root, err := jsonc.Parse(text)
	if err != nil {
		return root, err
	}
	if err := l.skipped(text, root); err != nil {
		return root, err
	}
	return root, l.shape(root)
}

// skipped returns an error if the agent leaves out the whole file with a text, of
// which root is the value.
func (l *layout) skipped(text []byte, root jsonc.Value) error {
	comment, comma := root.Extras()
	switch {
	case l.noComments && comment > 0:
		return hint(fmt.Errorf("line %d: there is a comment, for which %s leaves out the whole file", comment, l.agent), "take the comments out")
	case l.noCommas && comma > 0:
		return hint(fmt.Errorf("line %d: there is a comma behind the last element, for which %s leaves out the whole file", comma, l.agent), "take the comma out")
	}
	return l.refused(text, root)
}

// putEvent returns a text with h as the hook for one event.
func (l *layout) putEvent(text []byte, event string, h handler) ([]byte, error) {
	mine, err := l.mine(text, event)
	if err != nil {
		return nil, err
	}
	if len(mine) == 0 {
		return l.appendTo(text, event, h, h.command(nil))
	}
	for i, e := range mine {
		if e.Flaw == "" {
			mine[i].Flaw = h.agent.answersAnother(e)
		}
	}
	kept := max(0, slices.IndexFunc(mine, func(e Entry) bool { return e.Flaw == "" }))
	command := h.command(&mine[kept])
	if h.agent.answersAnother(mine[kept]) != "" {
		command = h.command(nil)
	}
	for i, entry := range slices.Backward(mine) {
		if i == kept && entry.Flaw == "" {
			continue
		}
		if text, err = l.without(text, entry.at); err != nil {
			return nil, err
		}
	}
	if mine[kept].Flaw != "" {
		return l.appendTo(text, mine[kept].Event, h, command)
	}
	return l.repair(text, event, h, command)
}

// mine returns permctl's entries for an event, however that is spelled, or for
// all if it is empty.
func (l *layout) mine(text []byte, event string) ([]Entry, error) {
	entries, err := l.entries(text)
	return slices.DeleteFunc(entries, func(e Entry) bool { return !e.Ours || event != "" && !strings.EqualFold(e.Event, event) }), err
}

// appendTo returns a text with a new element behind those for an event.
func (l *layout) appendTo(text []byte, event string, h handler, command string) ([]byte, error) {
	element := l.element(h, command)
	return edit(text, func(root jsonc.Value) ([]byte, error) {
		hooks := root.Member("hooks")
		list := hooks.Member(event)
		switch {
		case hooks.Kind() == jsonc.None:
			return root.Set("hooks", jsonc.Members{{Name: event, Value: []any{element}}})
		case list.Kind() == jsonc.None:
			return hooks.Set(event, []any{element})
		}
		return list.Append(element)
	})
}

// element returns the element of an event's list that runs command.
func (l *layout) element(h handler, command string) jsonc.Members {
	handler := slices.Clone(l.first)
	if l.typed {
		handler = append(handler, jsonc.Member{Name: "type", Value: "command"})
	}
	handler = append(handler, jsonc.Member{Name: l.commandName(h), Value: l.called(h, command)})
	if l.timeout != "" {
		handler = append(handler, jsonc.Member{Name: l.timeout, Value: l.time()})
	}
	if l.closed != "" {
		handler = append(handler, jsonc.Member{Name: l.closed, Value: l.block})
	}
	handler = append(handler, l.more...)
	var matcher jsonc.Members
	if l.matcher != "" {
		matcher = jsonc.Members{{Name: "matcher", Value: l.matcher}}
	}
	if !l.grouped {
		return append(matcher, handler...)
	}
	return append(matcher, jsonc.Member{Name: "hooks", Value: []any{handler}})
}

// commandName returns the member of a handler to which the command is written.
func (l *layout) commandName(h handler) string {
	names := l.commandNames()
	if h.windows {
		if i := slices.Index(names, "powershell"); i >= 0 {
			return names[i]
		}
	}
	return names[0]
}

// time returns the time that the hook gets, in the layout's unit.
func (l *layout) time() int64 { return int64(hookTimeout / l.unit) }

// repair returns a text in which permctl's only entry for an event runs command,
// has its time, and fails closed.
func (l *layout) repair(text []byte, event string, h handler, command string) ([]byte, error) {
	set := func(name string, value any) error {
		mine, err := l.mine(text, event)
		if err != nil {
			return err
		}
		text, err = edit(text, func(root jsonc.Value) ([]byte, error) { return l.at(root, mine[0].at).Set(name, value) })
		return err
	}
	mine, err := l.mine(text, event)
	if err != nil {
		return nil, err
	}
	entry := mine[0]
	if command = l.called(h, command); entry.Argv == nil && entry.Shell != command {
		err = set(l.commandName(h), command)
	}
	if entry.Argv != nil && entry.Program != h.program {
		err = set("command", h.program)
	}
	if err == nil && l.timeout != "" && entry.Timeout == 0 {
		err = set(l.timeout, l.time())
	}
	if err == nil && l.closed != "" && !entry.FailClosed {
		err = set(l.closed, l.block)
	}
	return text, err
}

// at returns the handler at an address, and none if there is none.
func (l *layout) at(root jsonc.Value, at address) jsonc.Value {
	found := element(root.Member("hooks", at.event), at.group)
	if l.grouped {
		return element(found.Member("hooks"), at.handler)
	}
	return found
}

// element returns an element of a list.
func element(list jsonc.Value, i int) jsonc.Value {
	for j, found := range list.Elements() {
		if i == j {
			return found
		}
	}
	return jsonc.Value{}
}

// without returns a text without the handler at an address, and without its group
// if that has no other.
func (l *layout) without(text []byte, at address) ([]byte, error) {
	return edit(text, func(root jsonc.Value) ([]byte, error) {
		list := root.Member("hooks", at.event)
		if group := element(list, at.group).Member("hooks"); l.grouped && element(group, 1).Kind() != jsonc.None {
			return group.RemoveElement(at.handler)
		}
		return list.RemoveElement(at.group)
	})
}

// take is [form.take]. It leaves the lists that it empties.
func (l *layout) take(text []byte) ([]byte, error) {
	if _, err := l.entries(text); err != nil {
		return nil, err
	}
	mine, err := l.mine(text, "")
	for _, entry := range slices.Backward(mine) {
		if err == nil {
			text, err = l.without(text, entry.at)
		}
	}
	return text, err
}

// called returns a command as the shell takes it that the member is for.
func (l *layout) called(h handler, command string) string {
	if l.commandName(h) == "powershell" && strings.HasPrefix(command, `"`) {
		return callOperator + command
	}
	return command
}
