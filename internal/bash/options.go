package bash

import (
	"strings"
	"sync"
)

// An option is one entry of a [Row]'s Options.
type option struct {
	names    string // joined by "|"
	arg      byte   // '=', '?' or 0 for a flag
	uses     string // of the arguments, joined by "+"
	operands string // the use of the operands
	effect   Effect // or links
	file     string // that the command reads, or writes if it writes at all
	first    bool   // the argument stands for the first operand
	last     bool   // the argument stands for the last operand
	harmless bool
	ends     bool // what stands behind are operands
}

// general are the options that every program may have.
const general = "--help~ --version~"

var generalOptions = sync.OnceValue(func() *optionList { return optionsOf(general) })

// marks are the characters that end the spellings of an option.
const marks = "=?&!^$~>%"

// parseOption reads one entry of a list of options.
func parseOption(entry string) option {
	end := strings.IndexAny(entry, marks)
	if end < 0 {
		return option{names: entry}
	}
	o := option{names: entry[:end]}
	for rest := entry[end:]; rest != ""; {
		mark := rest[0]
		value := rest[1:]
		end := strings.IndexAny(value, marks)
		if mark == '>' {
			end = -1 // a path may begin with a tilde
		}
		if end >= 0 {
			value = value[:end]
		}
		rest = rest[1+len(value):]
		switch mark {
		case '=', '?':
			o.arg, o.uses = mark, value
		case '&':
			o.operands = value
		case '!':
			o.effect = Effect(value)
		case '^':
			o.first = true
		case '$':
			o.last = true
		case '>':
			o.file = value
		case '~':
			o.harmless = true
		case '%':
			o.ends = true
		}
	}
	return o
}

// An optionList is a list of options that has been read.
type optionList struct {
	text    string
	entries []option
	named   map[string]*option // by each spelling

	number *option // -# for any number
	any    *option // -* for any option
	plus   *option // + for what begins so
	dash   *option // - alone
}

// readLists has the lists that have been read, by their text.
var readLists cache[*optionList]

// noOptions is a list without options.
var noOptions = &optionList{}

// optionsOf reads a list of options, once.
func optionsOf(text string) *optionList {
	if text == "" {
		return noOptions
	}
	return readLists.get(text, func() *optionList {
		l := &optionList{text: text, named: map[string]*option{}, entries: make([]option, 0, 1+strings.Count(text, " "))}
		for entry := range strings.FieldsSeq(text) {
			l.entries = append(l.entries, parseOption(entry))
			o := &l.entries[len(l.entries)-1]
			for name := range strings.SplitSeq(o.names, "|") {
				if _, again := l.named[name]; !again {
					l.named[name] = o
				}
			}
		}
		l.number, l.any, l.plus, l.dash = l.named["-#"], l.named["-*"], l.named["+"], l.named["-"]
		return l
	})
}

// with returns a list of the options of both.
func (l *optionList) with(more *optionList) *optionList {
	if l.text == "" {
		return more
	}
	return optionsOf(l.text + " " + more.text)
}

// find returns the option of that name.
func (l *optionList) find(name string) (*option, bool) {
	o, ok := l.named[name]
	return o, ok
}

// findLong is find for a long option, which may be abbreviated. Of several that
// it may stand for, it is one whose argument matters, if there is one.
func (l *optionList) findLong(name string) (*option, bool) {
	if o, ok := l.named[name]; ok {
		return o, true
	}
	var found *option
	matches := 0
	for i := range l.entries {
		o := &l.entries[i]
		if !strings.Contains(o.names, name) {
			continue
		}
		for n := range strings.SplitSeq(o.names, "|") {
			if strings.HasPrefix(n, name) {
				if matches == 0 || !found.matters() {
					found = o
				}
				matches++
				break
			}
		}
	}
	return found, matches == 1 || matches > 1 && found.matters()
}

// matters reports whether the option does more than change the output.
func (o *option) matters() bool {
	return o.effect != "" || o.operands != "" || o.uses != "" && o.uses != "arg"
}
