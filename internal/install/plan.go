package install

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// A Plan is what has to be done so that a hook is in an agent's files, or is not.
// Nothing is written before [Plan.Apply].
type Plan struct {
	// Changes are the files that are to be changed, and Same those that are as
	// they have to be.
	Changes []Change
	Same    []string

	// Notes are what a person should know of, each a sentence.
	Notes []string

	store store
}

// A Change is what is to become of a file.
type Change struct {
	Path string // as the agent names it

	// Before is what is in the file, and After what is to be. Nil is no file.
	Before, After []byte

	// Backup is where the file is kept as it was before permctl first changed it,
	// or empty if there was none, or none is kept any more.
	Backup string

	file    file
	mode    mode
	record  *record  // to be saved, or nil if it is to be forgotten
	folders []string // to be removed if they are empty
}

// Diff returns the change as a unified diff.
func (c Change) Diff() []byte {
	from, to := "a"+filepath.ToSlash(c.Path), "b"+filepath.ToSlash(c.Path)
	if c.Before == nil {
		from = "/dev/null"
	}
	if c.After == nil {
		to = "/dev/null"
	}
	return diff.Diff(from, c.Before, to, c.After)
}

// Install returns what puts the program, an absolute path, as a hook into the
// agent's files for a scope. It is an error, and nothing is to be done, if one of
// them cannot be read, or is not what the agent expects.
func Install(a *Agent, scope Scope, p Places, program string) (*Plan, error) {
	if err := checkProgram(program, p); err != nil {
		return nil, err
	}
	places, err := a.writable(p, scope)
	if err != nil {
		return nil, err
	}
	h := handler{agent: a, program: program, windows: p.OS == "windows"}
	plan := &Plan{store: p.store(scope)}
	for _, at := range places {
		if err := plan.put(a, at, h); err != nil {
			return nil, err
		}
	}
	plan.Notes = append(plan.Notes, a.notes(p, scope, places, program)...)
	return plan, nil
}

// put adds what puts h into one file.
func (p *Plan) put(a *Agent, at place, h handler) error {
	f, err := readFile(at.path)
	if err != nil {
		return err
	}
	after, err := at.form.put(f.text, h)
	if err != nil {
		return in(at.path, err)
	}
	if f.text != nil && bytes.Equal(after, f.text) {
		p.Same = append(p.Same, at.path)
		return nil
	}
	if err := f.readOnly(); err != nil {
		return err
	}
	r, err := p.recordOf(a, at, f, after)
	if err != nil {
		return err
	}
	change := Change{Path: at.path, Before: f.text, After: after, file: f, mode: at.mode(), record: r}
	if r.Existed {
		change.Backup = p.store.backup(at.path)
	}
	p.Changes = append(p.Changes, change)
	return nil
}

// recordOf returns the record of a file that becomes after. What it was is what it
// would be if permctl had never been there.
func (p *Plan) recordOf(a *Agent, at place, f file, after []byte) (*record, error) {
	r := &record{Path: at.path, Agent: a.Name, Scope: at.scope, before: f.text, Folders: f.missing()}
	if old := p.store.load(at.path); old != nil {
		r.Folders = append(slices.Clone(old.Folders), r.Folders...)
		var err error
		if r.before, err = restored(at, old, f.text); err != nil {
			return nil, in(at.path, err)
		}
		if old.After == hash(f.text) {
			r.before = old.before
		}
	}
	r.Existed, r.After = r.before != nil, hash(after)
	if r.Existed {
		r.Before = hash(r.before)
	}
	r.Members = added(r.before, after)
	return r, nil
}

// Uninstall returns what takes permctl's hook out of the agent's files for a
// scope. A file that is as permctl left it becomes what it was before.
func Uninstall(a *Agent, scope Scope, p Places) (*Plan, error) {
	places, err := a.writable(p, scope)
	if err != nil {
		return nil, err
	}
	plan := &Plan{store: p.store(scope)}
	for _, at := range places {
		if err := plan.take(at); err != nil {
			return nil, err
		}
	}
	return plan, nil
}

// take adds what takes permctl's hook out of one file.
func (p *Plan) take(at place) error {
	f, err := readFile(at.path)
	if err != nil {
		return err
	}
	old := p.store.load(at.path)
	if f.text == nil && old == nil {
		return nil
	}
	after, err := restored(at, old, f.text)
	if err != nil {
		return in(at.path, err)
	}
	if old == nil && after != nil && bytes.Equal(after, f.text) {
		p.Same = append(p.Same, at.path)
		return nil
	}
	if err := f.readOnly(); err != nil {
		return err
	}
	change := Change{Path: at.path, Before: f.text, After: after, file: f, mode: at.mode()}
	if old != nil {
		change.folders = old.Folders
	}
	p.Changes = append(p.Changes, change)
	return nil
}

// restored returns what the text of a file is without permctl, by its record, if
// there is one.
func restored(at place, old *record, text []byte) ([]byte, error) {
	if text == nil {
		return nil, nil
	}
	if old != nil && hash(text) == old.After {
		if !old.Existed {
			return nil, nil
		}
		return at.form.take(old.before) // somebody may have put it there by hand
	}
	after, err := at.form.take(text)
	if err != nil || after == nil {
		return nil, err
	}
	if old != nil && !bytes.Equal(after, text) {
		if after, err = prune(after, old.Members); err != nil {
			return nil, err
		}
	}
	entries, err := at.form.entries(after)
	if err != nil {
		return nil, err
	}
	gone := !bytes.Equal(after, text) && len(entries) == 0
	if gone && (at.own || old != nil && !old.Existed && blank(after)) {
		return nil, nil
	}
	return after, nil
}

// Apply does what is planned, a file after the other, and each as a whole. With an
// error, those before it are done.
func (p *Plan) Apply() error {
	for _, c := range p.Changes {
		if err := p.apply(c); err != nil {
			return err
		}
	}
	return nil
}

func (p *Plan) apply(c Change) error {
	if c.record != nil {
		if err := c.file.unchanged(); err != nil {
			return err
		}
		// It is there before the change, for which nobody would know the file else.
		fresh := p.store.load(c.Path) == nil
		if err := p.store.save(c.record); err != nil {
			return err
		}
		err := c.file.replace(c.After, c.mode)
		if err != nil && fresh {
			err = errors.Join(err, p.store.forget(c.Path))
		}
		return err
	}
	var err error
	switch {
	case c.Before == nil || bytes.Equal(c.Before, c.After):
	case c.After == nil:
		err = c.file.remove()
	default:
		err = c.file.replace(c.After, c.mode)
	}
	if err != nil {
		return err
	}
	removeEmpty(c.folders)
	return p.store.forget(c.Path)
}

// writable returns the files of a scope that permctl writes to. If the agent has
// none, the error says for which scopes it has.
func (a *Agent) writable(p Places, scope Scope) ([]place, error) {
	if scopes := a.Scopes(p); !slices.Contains(scopes, scope) {
		var flags []string
		for _, s := range scopes {
			flags = append(flags, "--"+string(s))
		}
		if len(flags) == 0 {
			return nil, fmt.Errorf("%s has no file for hooks on %s that permctl knows of", a.Title, p.OS)
		}
		return nil, hint(fmt.Errorf("%s has no file for the scope %s that permctl knows of", a.Title, scope), "use "+strings.Join(flags, " or "))
	}
	places, err := a.writes(p, scope)
	if err == nil && len(places) == 0 {
		err = hint(errors.New("there is no project here"), "run permctl in the project's folder, or name it with --workspace")
	}
	return places, err
}

// in returns an error about the file at path, which names its line if err does.
func in(path string, err error) error {
	text := err.Error()
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		line, what, _ := strings.Cut(rest, ": ")
		text = strings.ReplaceAll(line, ", column ", ":") + ": " + what
	} else {
		text = " " + text
	}
	found := fileError{err, path + ":" + text}
	if _, hinted := errors.AsType[hintError](err); hinted {
		return found
	}
	return hint(found, "correct the file, and run the command again")
}

// A fileError is an error that says in which file it is.
type fileError struct {
	error
	text string
}

func (e fileError) Error() string { return e.text }

// Unwrap returns the error itself.
func (e fileError) Unwrap() error { return e.error }
