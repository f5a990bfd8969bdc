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

	places Places
	store  store
	stale  []Change // of which only the record is to be forgotten, for the file has nothing of permctl's any more
}

// A Change is what is to become of a file.
type Change struct {
	Path string // as the agent names it

	// Before is what is in the file, and After what is to be. Nil is no file.
	Before, After []byte

	// Backup is where the file is kept as it was before permctl first changed it,
	// or empty if there was none, or none is kept any more.
	Backup string

	file   file
	mode   mode
	record *record // to be saved, or nil if it is to be forgotten
	old    *record // that there is, or nil
	of     string  // as in place
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
	if err := a.has(p, scope); err != nil {
		return nil, err
	}
	places := a.writes(p, scope)
	h := handler{agent: a, program: program, windows: p.OS == "windows"}
	if a.misleads && scope == User && p.atHome() {
		h.home = p.Home
	}
	plan := &Plan{places: p, store: p.store(scope)}
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
	if err := f.check(at.scope, p.places); err != nil {
		return err
	}
	old, err := p.store.load(at.path)
	if err != nil {
		return err
	}
	r, err := recordOf(a, at, old, f, after)
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

// recordOf returns the record of a file that becomes after, from the old one, if there
// is one. What the file was is what it would be if permctl had never been there.
func recordOf(a *Agent, at place, old *record, f file, after []byte) (*record, error) {
	r := &record{Path: at.path, Agent: a.Name, Scope: at.scope, before: f.text, Folders: f.missing()}
	if old != nil {
		r.Folders = append(slices.Clone(old.Folders), r.Folders...)
		var err error
		if r.before, err = restored(at, old, f); err != nil {
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
	if err := a.has(p, scope); err != nil {
		return nil, err
	}
	plan, seen := &Plan{places: p, store: p.store(scope)}, map[string]bool{}
	for _, at := range a.holds(p, scope) {
		if seen[at.path] {
			continue
		}
		seen[at.path] = true
		if err := plan.take(at); err != nil {
			return nil, err
		}
	}
	plan.keepParts()
	plan.Notes = append(plan.links(), a.remains(p, plan)...)
	return plan, nil
}

// keepParts takes out of the plan to remove a file that belongs to another, which
// permctl has made, and stays because others have put something into it.
func (p *Plan) keepParts() {
	stays := func(path string) bool {
		return slices.ContainsFunc(p.Changes, func(c Change) bool {
			return c.Path == path && c.After != nil && c.old != nil && !c.old.Existed
		})
	}
	p.Changes = slices.DeleteFunc(slices.Clone(p.Changes), func(c Change) bool { return c.of != "" && c.After == nil && stays(c.of) })
}

// take adds what takes permctl's hook out of one file.
func (p *Plan) take(at place) error {
	f, err := readFile(at.path)
	if err != nil {
		return err
	}
	old, err := p.store.load(at.path)
	if err != nil || f.text == nil && old == nil {
		return err
	}
	after, err := restored(at, old, f)
	if err != nil {
		return in(at.path, err)
	}
	if (after == nil) == (f.text == nil) && bytes.Equal(after, f.text) {
		if f.text != nil {
			p.Same = append(p.Same, at.path)
		}
		if old != nil {
			p.stale = append(p.stale, Change{Path: at.path, file: f, old: old})
		}
		return nil
	}
	if err := f.check(at.scope, p.places); err != nil {
		return err
	}
	p.Changes = append(p.Changes, Change{Path: at.path, Before: f.text, After: after, file: f, mode: at.mode(), old: old, of: at.of})
	return nil
}

// restored returns what the text of a file is without permctl, by its record, if
// there is one. A file to which somebody's link leads stays, if only as an empty one.
func restored(at place, old *record, f file) ([]byte, error) {
	if f.text == nil {
		return nil, nil
	}
	if old != nil && hash(f.text) == old.After && (old.Existed || !f.linked) {
		if !old.Existed {
			return nil, nil
		}
		return at.form.take(old.before) // somebody may have put it there by hand
	}
	after, err := at.form.take(f.text)
	if err != nil || after == nil || bytes.Equal(after, f.text) {
		return after, err
	}
	members, err := at.madeIn(f.text, old)
	if err != nil {
		return nil, err
	}
	if after, err = prune(after, members); err != nil {
		return nil, err
	}
	entries, err := at.form.entries(after)
	if err != nil {
		return nil, err
	}
	made := at.own || (old == nil || !old.Existed) && at.saysNothing(after)
	if len(entries) == 0 && made && !f.linked {
		return nil, nil
	}
	return after, nil
}

// Apply does what is planned, a file after the other, and each as a whole. With an
// error, those before it are done, and the error names them.
func (p *Plan) Apply() error {
	if p.done() {
		return nil
	}
	unlock, err := p.store.lock(patience)
	if err != nil {
		return err
	}
	return errors.Join(p.apply(), unlock())
}

// done reports whether there is nothing to do.
func (p *Plan) done() bool { return len(p.Changes) == 0 && len(p.stale) == 0 }

// apply is [Plan.Apply], of which the lock is held.
func (p *Plan) apply() error {
	var done []string
	for _, c := range p.Changes {
		apply := p.takeOut
		if c.record != nil {
			apply = p.putIn
		}
		switch err := apply(c); {
		case err != nil && len(done) > 0:
			return fmt.Errorf("%w (changed before that: %s)", err, strings.Join(done, ", "))
		case err != nil:
			return err
		}
		done = append(done, c.Path)
	}
	for _, c := range p.stale {
		c.file.removeEmpty(c.old.Folders)
		if err := p.store.forget(c.Path); err != nil {
			return err
		}
	}
	return nil
}

// putIn makes a change of a file that permctl's hook comes into.
func (p *Plan) putIn(c Change) error {
	if err := c.file.unchanged(); err != nil {
		return err
	}
	old, err := p.store.load(c.Path)
	if err != nil {
		return err
	}
	// The record is there before the change: nobody else knows what the file was.
	if err := p.store.save(c.record); err != nil {
		return err
	}
	err = c.file.replace(c.After, c.mode)
	switch {
	case err == nil:
		return nil
	case old == nil:
		c.file.removeEmpty(c.record.Folders)
		return errors.Join(err, p.store.forget(c.Path))
	}
	return errors.Join(err, p.store.save(old))
}

// takeOut makes a change of a file that permctl's hook goes from.
func (p *Plan) takeOut(c Change) error {
	var err error
	if c.After == nil {
		err = c.file.remove()
	} else {
		err = c.file.replace(c.After, c.mode)
	}
	if err != nil {
		return err
	}
	if c.old != nil {
		c.file.removeEmpty(c.old.Folders)
	}
	return p.store.forget(c.Path)
}

// has returns an error if the agent has no file for a scope that permctl writes to,
// which says for which scopes it has.
func (a *Agent) has(p Places, scope Scope) error {
	scopes := a.Scopes(p)
	var flags []string
	for _, s := range scopes {
		flags = append(flags, "--"+string(s))
	}
	switch {
	case len(scopes) == 0:
		return fmt.Errorf("%s has no file for hooks on %s that permctl knows of", a.Title, p.OS)
	case !slices.Contains(scopes, scope):
		return hint(fmt.Errorf("%s has no file for the scope %s that permctl knows of", a.Title, scope), "use "+strings.Join(flags, " or "))
	case scope == User && !filepath.IsAbs(p.Home):
		return hint(fmt.Errorf("$HOME is %q, which is not an absolute path, so your own files cannot be found", p.Home), "set HOME to your home")
	case scope == Project && p.Workspace == "":
		return hint(errors.New("there is no project here"), "run permctl in the project's folder, or name it with --workspace")
	}
	return nil
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
