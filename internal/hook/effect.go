package hook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// An Effect is what an agent does with a call after its hook.
type Effect string

// The effects. Where an agent could not tell what its hook meant, most take the
// call for undecided.
const (
	Blocked   Effect = "blocked"   // the call does not run
	Asks      Effect = "asks"      // a person is asked
	Granted   Effect = "granted"   // it runs, and nobody is asked
	Undecided Effect = "undecided" // it goes on as it would without a hook
)

// An Outcome is how the program that an agent started as its hook has ended. The
// Answer does not count if there was no program, or if it did not end in time.
type Outcome struct {
	Answer

	// Missing is whether nothing was started at all, no shell either: one that
	// finds no program says so by its exit status.
	Missing  bool
	TimedOut bool
}

// A hearing is how an agent takes what its hook leaves behind. Its sources are
// those of the agent's dialect.
type hearing struct {
	// reads is what an answer to an event that the agent waits on does. What is
	// broken is an answer that the agent has no use for; its effect is that of
	// an agent without a setting that says otherwise.
	reads func(event Event, answer Answer) (effect Effect, broken bool)

	// missing and late are the effects of no program and of one that takes too
	// long. If empty, the call is undecided.
	missing, late Effect

	// failClosed is the setting with which the agent blocks what its hook leaves
	// undecided because it broke, or is empty if the agent has none.
	failClosed string
}

// Reads returns what the agent that wrote payload does once its hook has ended.
// FailClosed is whether the hook has the setting that [Agent.FailClosed] names.
// In an event on which the agent does not wait, all is undecided.
func (a *Agent) Reads(payload []byte, o Outcome, failClosed bool) Effect {
	event, err := a.decode(payload)
	switch {
	case err != nil:
		event = a.glimpse(payload) // refused, therefore: an agent that waits
	case !event.Decides:
		return Undecided
	}
	event.payload = payload
	effect, broken := a.missing, true
	switch {
	case o.TimedOut:
		effect = a.late
	case !o.Missing:
		effect, broken = a.reads(event, o.Answer)
	}
	dialog := slices.Contains(a.dialect.dialogs, event.Name)
	switch {
	case dialog && (o.Missing || o.TimedOut || effect == Undecided):
		return Asks // it was about to
	case broken && failClosed && a.failClosed != "":
		return Blocked
	}
	return cmp.Or(effect, Undecided)
}

// FailClosed returns the setting of a hook with which the agent blocks calls of
// which its hook has not decided, or "" if the agent has none.
func (a *Agent) FailClosed() string { return a.failClosed }

// words are the effects of what agents call them.
var words = map[string]Effect{
	"allow": Granted, "approve": Granted, "deny": Blocked, "block": Blocked, "ask": Asks,
}

// object fills v with the JSON object on standard output, and reports whether
// that is one.
func (a Answer) object(v any) bool {
	return bytes.HasPrefix(bytes.TrimSpace(a.Stdout), []byte("{")) && json.Unmarshal(a.Stdout, v) == nil
}

// strict is object for agents that take an object with other fields than v's for
// none.
func (a Answer) strict(v any) bool {
	dec := json.NewDecoder(bytes.NewReader(a.Stdout))
	dec.DisallowUnknownFields()
	return dec.Decode(v) == nil && !dec.More()
}

// silent reports whether there is nothing on standard output.
func (a Answer) silent() bool { return len(bytes.TrimSpace(a.Stdout)) == 0 }

// mute reports whether there is nothing on standard error.
func (a Answer) mute() bool { return strings.TrimSpace(a.Stderr) == "" }

// readsStatus is how agents read that heed the exit status alone.
func readsStatus(_ Event, a Answer) (Effect, bool) {
	if a.Status == 2 {
		return Blocked, false
	}
	return Undecided, a.Status != 0
}

// readsPlugin is how permctl's own plugins read: they take for a no whatever they
// cannot read. say returns what an answer says, or "" if it says nothing that the
// plugin knows.
func readsPlugin(say func(Answer) Effect) func(Event, Answer) (Effect, bool) {
	return func(_ Event, a Answer) (Effect, bool) {
		if a.Status != 0 {
			return Blocked, false
		}
		return cmp.Or(say(a), Blocked), false
	}
}
