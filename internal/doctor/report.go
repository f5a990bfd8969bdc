package doctor

import (
	"encoding/json"
	"io"

	"github.com/permctl/permctl/internal/hook"
)

// A Report is what was found on a machine, and what permctl doctor --json writes:
// the fields below by the names in their tags, and those of the others in them. No
// list is null, and fields are only ever added.
type Report struct {
	// Permctl is the program that looked, and Version its own.
	Permctl string `json:"permctl"`
	Version string `json:"version"`

	// Workspace is the folder whose project's files were looked at.
	Workspace string `json:"workspace"`

	// Guarded is whether each of the agents is, which the exit status says too.
	// With none, it is true.
	Guarded bool `json:"guarded"`

	// Agents are those that are here, and those that were asked for by name.
	Agents []Agent `json:"agents"`
}

// An Agent is what was found of one.
type Agent struct {
	Name  string `json:"name"`
	Title string `json:"title"`

	// Here is whether the agent is on this machine: Program is the path of its
	// program, or empty if that is not on PATH, and Folder one that it keeps its
	// settings in, or empty.
	Here    bool   `json:"here"`
	Program string `json:"program"`
	Folder  string `json:"folder"`

	// Version is the first line that the program says of its version, or empty.
	Version string `json:"version"`

	// Guarded is whether a call that permctl denies does not run, as far as can
	// be seen from here: there is a hook that counts for each event that needs
	// one, and no finding is a problem.
	Guarded bool `json:"guarded"`

	// Missing are the events on which no hook of permctl's counts.
	Missing []string `json:"missing"`

	// Hooks are permctl's, those that do not count too.
	Hooks    []Hook    `json:"hooks"`
	Findings []Finding `json:"findings"`

	// Trials are what came of --prove, or empty.
	Trials []Trial `json:"trials"`
}

// A Hook is an entry in an agent's files by which permctl is asked.
type Hook struct {
	Event string `json:"event"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Scope string `json:"scope"`

	// Command is what the agent runs, or empty for a plugin that it loads, and
	// Program the permctl in it.
	Command string `json:"command"`
	Program string `json:"program"`

	// Seconds are how long the agent waits, 0 if nobody knows or if it waits for
	// as long as it takes.
	Seconds float64 `json:"seconds"`

	// FailClosed is whether the agent is told to refuse a call when the hook
	// fails, and can be told so.
	FailClosed bool  `json:"failClosed"`
	Trust      Trust `json:"trust"`

	// Counts is whether the agent heeds the hook, as far as its files say.
	Counts bool `json:"counts"`

	// Call is what the agent would do after the dry call (blocked, asks, granted,
	// or undecided: as without a hook), or empty if there was none, and Proven
	// whether it is blocked because a permctl has denied it.
	Call   hook.Effect `json:"call"`
	Proven bool        `json:"proven"`
}

// A Trust is what an agent thinks of a hook that it was not given by itself.
type Trust string

// The kinds of trust.
const (
	NoTrust   Trust = ""          // the agent wants none
	Trusted   Trust = "trusted"   // a person has agreed to the hook as it is
	Untrusted Trust = "untrusted" // nobody has, and the agent leaves the hook out
	Changed   Trust = "changed"   // somebody has agreed to another hook in this place
	Unknown   Trust = "unknown"   // the agent wants it, and does not say here
)

// A Severity is how bad a finding is.
type Severity string

// The severities.
const (
	Problem Severity = "problem" // a call that permctl denies may run
	Warning Severity = "warning" // there is a way round, or less is asked than could be
	Note    Severity = "note"    // good to know
)

// A Finding is something that a person should know of an agent, and what to do.
type Finding struct {
	Severity Severity `json:"severity"`
	Text     string   `json:"text"`

	// File and Line are where it is, if it is in a file. A line of 0 is none.
	File string `json:"file"`
	Line int    `json:"line"`

	Hint string `json:"hint"`

	// off is whether it is why none of the hooks counts.
	off bool

	// hook is the one of permctl's that it is about, or nil.
	hook *Hook
}

// A Trial is what an agent does after its hook has ended in some way.
type Trial struct {
	Event string `json:"event"`
	Case  Case   `json:"case"`

	// Effect is what the agent does, read by the rules of its dialect.
	Effect hook.Effect `json:"effect"`

	// Seconds are how long the hook was waited for where it hangs, and 0 in all
	// other cases. The agent waits as long as the hook says.
	Seconds float64 `json:"seconds"`

	// Plugin is whether permctl's own plugin was run in the trial, and not just
	// the program that it starts.
	Plugin bool `json:"plugin"`
}

// A Case is how the hook's program ends in a trial.
type Case string

// The cases.
const (
	Answers Case = "answers" // as it is installed
	Missed  Case = "missing" // it is not there
	Hangs   Case = "hangs"   // it takes longer than the agent waits
	Fails   Case = "fails"   // it ends with status 1, and says why on standard error
	Quiet   Case = "quiet"   // it ends with status 1, and says nothing
	Killed  Case = "killed"  // it is ended by a signal
	Text    Case = "text"    // it writes what is no JSON
	Silent  Case = "silent"  // it writes nothing, and ends with status 0
	JSON    Case = "json"    // it writes JSON that says nothing
)

// Write writes the report as one JSON object.
func (r *Report) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
