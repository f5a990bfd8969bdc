package install

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"
)

// An Entry is a hook that an agent finds in its files for an event on which it
// waits, permctl's or anybody's.
type Entry struct {
	File  string
	Line  int // counted from 1
	Scope Scope

	// Event is the agent's name for what the hook is run on.
	Event string

	// Matcher is which tools the hook is run for, as it stands in the file, and
	// All whether these are all.
	Matcher string
	All     bool

	// Shell is the command, if a shell reads it, and Argv the program and its
	// arguments if none does. A plugin, which the agent loads itself, has neither.
	Shell string
	Argv  []string

	// Timeout is how long the agent waits for the hook. If zero, it is as long as
	// the agent does by itself.
	Timeout time.Duration

	// FailClosed is true if the agent is told to refuse the call when the hook
	// fails.
	FailClosed bool

	// Ours is true if the hook is permctl's and nothing else, Program is then the
	// path of the permctl that it runs, and Flaw why it does not guard all the
	// same, or empty.
	Ours    bool
	Program string
	Flaw    string

	// at is where the entry is in its file, for a change of it.
	at address
}

// Entries returns the hooks that the agent finds in its files, in the order in
// which they stand there: those of the user first, then the project's, then the
// machine's. A file that is not there has none. With an error, which joins one
// for each file that cannot be read, it returns those of the other files.
func Entries(a *Agent, p Places) ([]Entry, error) {
	var found []Entry
	var errs []error
	seen := map[string]bool{}
	for _, f := range a.files(p) {
		paths := []string{f.path}
		if f.each {
			paths = matches(f.path)
		}
		for _, path := range paths {
			if seen[path] {
				continue
			}
			seen[path] = true
			entries, err := a.read(f, path)
			if err != nil {
				errs = append(errs, err)
			}
			found = append(found, entries...)
		}
	}
	return found, errors.Join(errs...)
}

// read returns the entries for the agent's events of the file at path.
func (a *Agent) read(f place, path string) ([]Entry, error) {
	text, _, err := contents(path, path)
	if errors.Is(err, fs.ErrNotExist) || !filepath.IsAbs(path) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entries, err := f.form.entries(text)
	if err != nil {
		return nil, in(path, err)
	}
	entries = slices.DeleteFunc(entries, func(e Entry) bool { return !a.waitsOn(e.Event) })
	for i := range entries {
		entries[i].File, entries[i].Scope = path, f.scope
		if e := entries[i]; e.Ours && e.Flaw == "" && !f.readOnly {
			entries[i].Flaw = a.answersAnother(e)
		}
	}
	return entries, nil
}
