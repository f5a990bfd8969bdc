// Package foreign turns the permission rules of other agents into permctl's:
// settings, a preset in Rego for what settings cannot say, and a decision table
// of what the agent itself would answer.
//
// What comes of a rule is never looser than the rule. Where permctl cannot say
// the same, it is stricter, and a note says so. Nothing is read but the files,
// and nothing is run.
package foreign

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// A File is one of an agent's files.
type File struct {
	// Name is the file's, as it was named to permctl. Messages have it, and a
	// source may tell by it whose rules these are.
	Name string
	Text []byte

	// Scope says whose rules these are. If empty, the source tells it by Name.
	Scope Scope

	// Home is the file's path below the user's home, with slashes, or "" if it lies
	// elsewhere: .claude/settings.json there is the user's, and no project's.
	Home string
}

// own reports whether a file lies in one of the folders at the top of the user's
// home in which programs keep their settings.
func (f File) own() bool { return strings.HasPrefix(f.Home, ".") && strings.Contains(f.Home, "/") }

// scope returns whose rules a file has, whatever the agent, or "" if its name does
// not say.
func (f File) scope() Scope {
	folder := path.Base(path.Dir(strings.ReplaceAll(f.Name, `\`, "/")))
	switch {
	case f.Scope != "":
		return f.Scope
	case f.own():
		return User
	case strings.HasPrefix(folder, ".") && strings.Trim(folder, ".") != "":
		return Project
	}
	return ""
}

// A Scope is whose rules a file has. Some agents read a path or an order by it.
type Scope string

// The scopes.
const (
	User    Scope = "user"
	Project Scope = "project"
	Local   Scope = "local" // the user's own, for one project
	Managed Scope = "managed"
)

// Scopes are all scopes, in the order in which messages list them.
var Scopes = []Scope{User, Project, Local, Managed}

// ParseScope returns the scope named s. No name is no scope.
func ParseScope(s string) (Scope, error) {
	if s == "" || slices.Contains(Scopes, Scope(s)) {
		return Scope(s), nil
	}
	return "", fmt.Errorf("unknown scope %q%s: use user, project, local or managed", s, permission.DidYouMean(s, "user", "project", "local", "managed"))
}

// An Origin is where a rule was written, and the rule as it stands there.
type Origin struct {
	File string
	Line int
	Text string
}

func (o Origin) String() string {
	at := o.File
	if o.Line > 0 {
		at = fmt.Sprintf("%s:%d", o.File, o.Line)
	}
	if o.Text == "" {
		return at
	}
	return at + ": " + o.Text
}

// A Note is what a person has to know of a rule that could not be carried over
// as it is: what became of it.
type Note struct {
	Origin

	Message string
}

func (n Note) String() string { return n.Origin.String() + ": " + n.Message }

// A Rule is one of permctl's own, with what it was made of.
type Rule struct {
	Permission string
	Pattern    string
	Action     permission.Action
	From       Origin
}

// A Sample is a call, and what the agent itself answers to it. Calls are made in
// the workspace /workspace by a user whose home is /home/user.
type Sample struct {
	Call   input.Call
	Action permission.Action

	// Why is what the answer rests on, in a few words; neighbours with the same
	// are shown together.
	Why string
}

// A book is what an importer makes of an agent's files.
type book struct {
	// base are the rules for what no other speaks of, and lie below them.
	base []Rule

	// rules are those that wildcards can say. The last that matches decides.
	rules []Rule

	// agents are rules for single agents by their names, behind all others.
	agents map[string][]Rule

	// preset is Rego for what wildcards cannot say, or "": allow, ask and deny
	// (sets of findings), floors, and what these need, all but rules. What it
	// allows, later rules can deny; what it denies or asks, nothing lifts.
	preset string

	// files is how many rules for files the preset has.
	files int

	notes   []Note
	samples []Sample

	// answer returns what the agent itself answers to a call in the workspace of
	// samples: their judge.
	answer func(input.Call) permission.Action
}

// note adds a note.
func (b *book) note(from Origin, format string, args ...any) {
	b.notes = append(b.notes, Note{from, fmt.Sprintf(format, args...)})
}

// A Source is an agent whose rules can be imported.
type Source struct {
	// Name is what people call the agent, and Files what files of it there are to
	// import, for a list.
	Name  string
	Files string

	// strictest is whether what one file denies or asks, no other allows. Else a
	// project's file may allow what the user's denies.
	strictest bool

	// read makes a book of the files, of which there is at least one. Its error
	// names file and line.
	read func(files []File) (*book, error)
}

// Sources are all sources, by their names.
var Sources = []*Source{Claude, Codex, Copilot, Cursor, Gemini, OpenCode, Senpi}

// Find returns the source called name.
func Find(name string) (*Source, error) {
	names := make([]string, len(Sources))
	for i, s := range Sources {
		if s.Name == name {
			return s, nil
		}
		names[i] = s.Name
	}
	return nil, fmt.Errorf("unknown agent %q%s: rules are imported from %s", name, permission.DidYouMean(name, names...), strings.Join(names, ", "))
}

// An Import is what comes of an agent's files.
type Import struct {
	// Settings is a settings file of permctl in YAML.
	Settings string

	// Policy is a preset in Rego, and Preset its name, which the settings name
	// too. They are empty if settings alone can say it.
	Policy string
	Preset string

	// Table is a decision table: what the agent itself would answer. It names the
	// settings as settings.yaml beside it.
	Table string

	// Notes are in the order of files and lines.
	Notes []Note
}

// The limits of an import. What is longer is no list that people keep.
const (
	maxRules  = 5000    // in all files
	maxFiles  = 1000    // rules for files, each of which meets each path
	maxPreset = 4 << 20 // bytes
	maxRule   = 4096    // bytes of one rule
	maxStars  = 64      // in one rule
)

// unwieldy says why a rule is too much to be matched with calls, or returns "".
func unwieldy(rule string) string {
	switch {
	case len(rule) > maxRule:
		return fmt.Sprintf("a rule of %d bytes is more than permctl takes, which is %d: write a shorter one", len(rule), maxRule)
	case strings.Count(rule, "*") > maxStars:
		return fmt.Sprintf("a rule with %d stars is more than permctl takes, which is %d: write one with fewer", strings.Count(rule, "*"), maxStars)
	}
	return ""
}

// tooMany returns an error if there are more rules than permctl takes.
func tooMany(file string, count int) error {
	if count <= maxRules {
		return nil
	}
	return fmt.Errorf("%s: more than %d rules: permctl imports no list that long; put rules together by wildcards", file, maxRules)
}

// Import returns what the files say. What is wrong in a file is an error with
// its line, and nothing is imported then.
func (s *Source) Import(files []File) (*Import, error) { return s.ImportTo("", files) }

// ImportTo is [Source.Import] for the settings of a scope: User or Project. What is
// imported to both may be in force at once.
func (s *Source) ImportTo(scope Scope, files []File) (*Import, error) {
	if len(files) == 0 {
		return nil, errors.New("there is no file to import")
	}
	b, err := s.read(files)
	if err != nil {
		return nil, err
	}
	if len(b.rules) > maxRules || len(b.preset) > maxPreset {
		return nil, fmt.Errorf("%s: more than %d rules, or too long ones: permctl imports no list that long; put rules together by wildcards", files[0].Name, maxRules)
	}
	if b.files > maxFiles {
		return nil, fmt.Errorf("%s: %d rules for files are more than permctl takes, which is %d: put them together by wildcards", files[0].Name, b.files, maxFiles)
	}
	if s.strictest && scope == User {
		b.preset = floors(b.rules) + b.preset
	}
	b.strangers(scope, files)
	name := "imported_" + s.Name
	if scope == Project {
		name = "imported_project_" + s.Name
	}
	made := &Import{Table: table(s.Name, b.samples)}
	sections, ok := sectionsOf(slices.Concat(b.base, b.rules))
	if b.preset != "" || !ok {
		fixed := b.base
		if sections, ok = sectionsOf(b.rules); !ok {
			fixed, sections = slices.Concat(b.base, b.rules), nil
		}
		made.Preset = strings.ReplaceAll(name, "_", "-")
		made.Policy = policy(name, s.Name, fixed, b.preset)
	}
	made.Settings = settings(s.Name, made.Preset, sections) + agentSettings(b.agents)
	made.Notes = slices.Clone(b.notes)
	order := map[string]int{}
	for i, f := range files {
		order[f.Name] = i
	}
	slices.SortStableFunc(made.Notes, func(a, b Note) int {
		return cmp.Or(cmp.Compare(order[a.File], order[b.File]), cmp.Compare(a.Line, b.Line))
	})
	return made, nil
}

// floors returns Rego by which no settings of a project lift the rules that ask or
// deny.
func floors(rules []Rule) string {
	var b strings.Builder
	for _, r := range rules {
		if r.Action != permission.Allow {
			comment(&b, "\t", r.From)
			fmt.Fprintf(&b, "\t{\"permission\": %s, \"pattern\": %s, \"action\": %q, \"reason\": %s},\n", quoted(r.Permission), regoPattern(r.Pattern), string(r.Action), quoted(ruleName(r.From)))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "# METADATA\n# description: What no project's settings lift.\nfloors := [\n" + b.String() + "]\n\n"
}

// strangers notes the files whose rules hold for more or for others than before,
// in settings of a scope.
func (b *book) strangers(scope Scope, files []File) {
	for _, f := range files {
		switch of := f.scope(); {
		case scope == User && (of == Project || of == Local):
			b.note(Origin{File: f.Name}, "its rules hold in every project now, and held in one: import it with --output .permctl in that project, if they are not meant for all")
		case scope == Project && of == User:
			b.note(Origin{File: f.Name}, "its rules hold in this project alone now, and for whoever trusts it: import it with --output ~/.config/permctl, if they are yours for all projects")
		}
	}
}
