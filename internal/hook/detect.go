package hook

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/input"
)

// Auto is whichever agent a payload is from. A payload that does not tell is
// refused in the way that refuses the most agents.
var Auto = &Agent{Name: "auto", guests: Agents, Patience: Cline.Patience}

// A mark is what the payloads of one agent have in common, and nobody else's. It
// is written in words: a field that is there, one that is not after a !, and what
// a field does or does not say, one of several, after a = or a !=. Only the
// fields of the payload itself count: those further in are the model's to choose.
type mark string

// on reports whether a payload with the fields bears the mark.
func (m mark) on(fields map[string]json.RawMessage) bool {
	for word := range strings.FieldsSeq(string(m)) {
		name, values, isValue := strings.Cut(word, "=")
		name, isnt := strings.CutSuffix(name, "!")
		name, not := strings.CutPrefix(name, "!")
		value, has := fields[name]
		if isValue {
			var text string
			has = json.Unmarshal(value, &text) == nil && slices.Contains(strings.Split(values, "|"), text)
		}
		if has == (not || isnt) {
			return false
		}
	}
	return true
}

// wrote reports whether a payload with the fields bears a mark of the agent's.
func (a *Agent) wrote(fields map[string]json.RawMessage) bool {
	return slices.ContainsFunc(a.marks, func(m mark) bool { return m.on(fields) })
}

// Detect returns the agent whose mark payload bears. If there are several, none
// of them waits for a decision on it, so that whichever it is will be told
// nothing.
func Detect(payload []byte) (*Agent, error) { return Auto.speaker(payload) }

// errUnmarked reports a payload that does not tell whose it is.
var errUnmarked = errors.New("the payload does not tell which agent it is from: name the agent in its settings, as in permctl hook claude")

// speaker returns the agent that has written payload: the agent itself, or a guest
// whose mark it bears. There is an error if it may be from anybody, and that is
// not the agent.
func (a *Agent) speaker(payload []byte) (*Agent, error) {
	if len(a.guests) == 0 {
		return a, nil
	}
	var fields map[string]json.RawMessage
	unread := input.Decode(payload, &fields)
	if unread != nil { // the agent may still be told, in words that it understands
		fields = texts(payload)
	}
	if a.wrote(fields) {
		return a, nil
	}
	var found []*Agent
	for _, guest := range a.guests {
		if guest.wrote(fields) {
			found = append(found, guest)
		}
	}
	switch {
	case len(found) == 0:
		return a.unless(cmp.Or(unread, errUnmarked))
	case len(found) > 1 && slices.ContainsFunc(found, func(agent *Agent) bool { return agent.waitsOn(payload) }):
		return a.unless(fmt.Errorf("the payload may be %s's or %s's: name the agent in its settings, as in permctl hook %s",
			found[0].Title(), found[1].Title(), found[0].Name))
	}
	return found[0], nil
}

// unless returns the agent itself, or err if it has no payloads of its own.
func (a *Agent) unless(err error) (*Agent, error) {
	if a.decode == nil {
		return nil, err
	}
	return a, nil
}

// waitsOn reports whether the agent waits for a decision on payload, or may do.
func (a *Agent) waitsOn(payload []byte) bool {
	event, err := a.decode(payload)
	return err != nil || event.Decides
}
