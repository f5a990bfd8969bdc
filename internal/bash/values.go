package bash

import "strings"

// A value is that of an option or a variable, which something runs.
type value struct {
	use  string // as of a [Variable] that is run
	text string
	sc   *scope
}

// A late value is one that runs after what stands where it is set.
type late struct {
	value
	at *span
}

// runs lists what runs of a value that stands at a place of the script.
func (a *analysis) runs(v value, at *span) {
	v.sc.sh = v.use != "function"
	switch v.use {
	case "run":
		a.text(strings.TrimPrefix(v.text, "|"), v.sc, at)
	case "filter":
		command := strings.ReplaceAll(strings.TrimLeft(v.text, "|-"), "%s", "")
		a.text(strings.TrimSpace(command)+` "$0"`, v.sc, at)
	case "function":
		a.text(strings.TrimPrefix(v.text, "()"), v.sc, at)
	case "prompt":
		a.hidden(`"`+v.text+`"`, at, v.sc)
	case "makecode":
		for _, m := range makeShell.FindAllStringSubmatch(v.text, maxDepth) {
			a.text(m[1], v.sc, at)
		}
	}
}

// runAssign notes what a program would run because of an assignment that stands
// at a place of the script.
func (a *analysis) runAssign(set Assign, sc *scope, at *span) {
	v, ok := a.tables.variable(set.Name, set.Value)
	if ok && v.Use == "prompt" && set.Dynamic {
		a.unparsed(set.Source, "the shell expands a prompt")
	}
	if !ok || v.Use == "" || v.Use == "write" || set.Dynamic {
		return
	}
	in := sc.inner()
	in.assigns, in.stdin = nil, input{}
	a.late = append(a.late, late{value{v.Use, set.Value, in}, at})
}
