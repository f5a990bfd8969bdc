package doctor

import (
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/jsonc"
)

// steering are the environment variables by which a shell or a program runs other
// code before its own, or another program than it is told to.
var steering = []string{
	"BASH_ENV", "ENV", "SHELL", "LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH",
}

// steers reports whether a variable is one of these, or a function that bash takes
// over.
func steers(name string) bool {
	return slices.Contains(steering, name) || strings.HasPrefix(name, "BASH_FUNC_")
}

// bare reports whether a hook names its program without a folder.
func (o *own) bare() bool { return filepath.Base(o.entry.Program) == o.entry.Program }

// inspectVariables looks at the variables that a hook itself is given, by agents
// whose hooks can say so.
func (p *patient) inspectVariables(o *own) {
	for h := range p.members(o.entry.File, o.entry.Event, o.entry.Line) {
		for name, v := range h.Member("env").Members() {
			switch name := name.Text(); {
			case name == "PATH" || steers(name):
				p.blameAt(o, v, fmt.Sprintf("the hook's env sets %s, and with it what is run as the hook", name))
			case slices.Contains(placing, name) && !o.entry.AtHome() && v.Text() != getenv(p.m.Places, name):
				p.blameAt(o, v, fmt.Sprintf("the hook's env sets %s: permctl looks for its settings there, and not where it does for you", name))
			}
		}
	}
}

// blameAt notes a value in a hook that keeps it from being heeded.
func (p *patient) blameAt(o *own, v jsonc.Value, text string) {
	o.Counts = false
	p.find(Finding{Severity: Problem, Text: text, File: o.entry.File, Line: v.Line(), Hint: "take it out", hook: o.Hook})
}

// A setting is a line of a file of variables.
type setting struct {
	name, value string
	line        int
}

// newlines makes all ends of lines alike, and takes out a mark of the encoding.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\ufeff", "")

// dotenv returns the variables that a text sets, as most readers of such files take
// it: a value has no quotes around it.
func dotenv(text []byte) iter.Seq[setting] {
	return func(yield func(setting) bool) {
		number := 0
		for line := range strings.Lines(newlines.Replace(string(text))) {
			number++
			line = strings.TrimLeft(strings.TrimSpace(line), " \t")
			if rest, ok := strings.CutPrefix(line, "export"); ok && strings.TrimLeft(rest, " \t") != rest {
				line = strings.TrimLeft(rest, " \t")
			}
			at := strings.IndexAny(line, "=:")
			if at < 0 || strings.HasPrefix(line, "#") {
				continue
			}
			value := strings.Trim(strings.TrimSpace(line[at+1:]), "\"'`")
			if !yield(setting{strings.TrimSpace(line[:at]), value, number}) {
				return
			}
		}
	}
}

// misset notes a variable of a file that an agent gives to its hooks, if permctl
// finds its settings by it and it is not as it is here, or if other code is run by
// it.
func (p *patient) misset(file, agent string, v setting, s Severity, same bool) {
	f := Finding{Severity: s, File: file, Line: v.line, Hint: "take it out"}
	switch {
	case same:
		return
	case slices.Contains(placing, v.name) && p.misled():
		f.Text = "it sets " + v.name + ": as " + agent + "'s hook, permctl looks for its settings there, and not where it does for you"
	case steers(v.name), v.name == "PATH" && slices.ContainsFunc(p.ours, (*own).bare):
		f.Text = "it sets " + v.name + ", and with it what " + agent + " runs as its hook"
	default:
		return
	}
	p.find(f)
}
