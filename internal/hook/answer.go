package hook

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/permctl/permctl/internal/permission"
)

// An Answer is what the program that an agent started as its hook has to leave
// behind: the bytes on standard output, which are one JSON object in a line of
// its own or nothing; the text on standard error, a line or nothing; and the
// exit status.
type Answer struct {
	Stdout []byte
	Stderr string
	Status int
}

// object returns the answer that is v as JSON.
func object(v any) Answer {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // a person reads it
	if err := enc.Encode(v); err != nil {
		return refusal(err.Error())
	}
	return Answer{Stdout: out.Bytes()}
}

// refusal returns the answer that most agents take for a deny whatever the
// event: nothing to parse, the reason on standard error, and exit status 2.
func refusal(reason string) Answer { return Answer{Stderr: reason + "\n", Status: 2} }

// answerStatus is [Agent.Answer] for agents that heed the exit status alone.
func answerStatus(_ Event, d permission.Decision) Answer {
	if d.Action == permission.Allow {
		return Answer{}
	}
	return refusal(d.Reason)
}

// unasked returns what becomes of d where the agent cannot ask anybody: an ask
// is a deny.
func unasked(d permission.Decision) permission.Decision {
	if d.Action == permission.Ask {
		d.Action = permission.Deny
	}
	return d
}

// maxReason is the size in bytes of the longest reason that is handed on. With
// its quotes and line ends escaped and its object around it, it stays below the
// 10,000 characters at which agents cut.
const maxReason = 4096

// plain returns reason as agents and terminals can show it: valid UTF-8, free
// of characters that steer a terminal or turn the direction of text, and if it
// is long, without its middle, for what decided may stand at either end.
func plain(reason string) string {
	reason = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return utf8.RuneError
		}
		return r
	}, strings.TrimSpace(reason)) // an invalid byte comes as utf8.RuneError, too
	if len(reason) <= maxReason {
		return reason
	}
	const gap = " … "
	head, tail := maxReason*3/4, len(reason)-maxReason/4+len(gap)
	for !utf8.RuneStart(reason[head]) {
		head--
	}
	for !utf8.RuneStart(reason[tail]) {
		tail++
	}
	return reason[:head] + gap + reason[tail:]
}
