package approvals

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/private"
)

// ErrBusy reports a store that another process has locked for too long.
var ErrBusy = errors.New("another process is writing approvals, and does not end")

// patience is how long a store waits for others that write.
const patience = 3 * time.Second

// A Store is a file of approvals. Many processes may use it at once: those that
// write wait for each other, and who reads needs not wait.
//
// A file that somebody else may have put there is refused by every method, with
// [private.ErrNotOwn]. Those that write fail with [ErrBusy] if another process
// does not stop writing, and if their context ends before it does; nothing is
// written then.
type Store struct {
	// Path is the file, which need not exist.
	Path string

	// Own is true if the file's folder is permctl's own: it is made when
	// something is written, and must not be anybody else's. If false, the
	// folder is as the user says.
	Own bool

	// Legacy is where another program has kept the approvals, and
	// [Store.Import] takes them from. It may be empty.
	Legacy string

	// Clock tells the time. If nil, it is [time.Now].
	Clock func() time.Time
}

func (s *Store) now() time.Time {
	if s.Clock == nil {
		return time.Now()
	}
	return s.Clock()
}

func (s *Store) lockPath() string { return s.Path + ".lock" }

// Files returns the paths of all files that the store may have.
func (s *Store) Files() []string { return []string{s.Path, s.expiryPath(), s.lockPath()} }

// Reads returns the paths of those files that say what is approved.
func (s *Store) Reads() []string { return []string{s.Path, s.expiryPath()} }

// Read returns the approvals in the order of the file, also those that have
// expired. The problems name the lines that are no approvals. If the expiries
// cannot be read, there are no approvals, and that is a problem too.
func (s *Store) Read() (found []Approval, problems []error, err error) {
	if err := s.checkFolder(); err != nil {
		return nil, nil, err
	}
	// What is appended has its expiry first, and what is revoked loses it last.
	// So the expiries are read behind the lines, and for what is revoked in
	// between, before them too.
	before, beforeErr := s.readExpiries()
	text, err := readAll(s.Path)
	if err != nil {
		return nil, nil, err
	}
	after, afterErr := s.readExpiries()
	rules, problems := Parse(text, s.Path)
	for _, err := range []error{beforeErr, afterErr} {
		switch {
		case errors.Is(err, ErrExpiry):
			return nil, append(problems, err), nil
		case err != nil:
			return nil, nil, err
		}
	}
	until := earlier(before, after)
	found = make([]Approval, len(rules))
	for i, r := range rules {
		found[i] = Approval{Rule: r}
		if len(until) > 0 {
			found[i].Until = until[pairOf(r)]
		}
	}
	return found, problems, nil
}

// Append saves rules that allow, until they expire, or for ever if until is
// zero. When it returns, they are on the disk. One that is there already is not
// written again unless it has expired, and never comes to expire earlier.
//
// Nothing is written if one of the rules is no approval, or if ctx ends before
// the writing begins. With another error, some of them may have been saved.
func (s *Store) Append(ctx context.Context, rules []permission.Rule, until time.Time) (err error) {
	for _, r := range rules {
		if err := checkRule(r); err != nil {
			return err
		}
	}
	if expired(until, s.now()) {
		return fmt.Errorf("an approval until %s would have expired", until.Format(time.RFC3339))
	}
	if len(rules) == 0 {
		return nil
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return s.append(rules, until)
}

func (s *Store) append(rules []permission.Rule, until time.Time) (err error) {
	left, err := s.readExpiries()
	if err != nil {
		return err
	}
	file, err := private.Open(s.Path, os.O_RDWR|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	there, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	present := presentIn(there, rules)
	var added []byte
	changed := maps.Clone(left)
	for _, r := range rules {
		key := pairOf(r)
		old, expires := changed[key]
		switch {
		case !present[key] || expired(old, s.now()):
			if added, err = appendLine(added, key); err != nil {
				return err
			}
		case !expires || !until.IsZero() && !until.After(old):
			continue // it holds for longer than is asked
		}
		present[key] = true
		if delete(changed, key); !until.IsZero() {
			changed[key] = until.UTC()
		}
	}
	if !maps.Equal(left, changed) {
		if err := s.writeExpiries(changed); err != nil {
			return err
		}
	}
	if err := appendTo(file, there, added); err != nil {
		return err
	}
	// Even if nothing was added: who wrote what is there may have died before
	// it was on the disk.
	if err := errors.Join(file.Sync(), private.SyncDir(filepath.Dir(s.Path))); err != nil {
		return errors.Join(err, file.Truncate(int64(len(there)))) // what was not saved must not count later
	}
	return nil
}

// presentIn returns those of the rules that the file's text has.
func presentIn(text []byte, rules []permission.Rule) map[pair]bool {
	present := make(map[pair]bool, len(rules))
	for _, r := range rules {
		present[pairOf(r)] = false
	}
	for line := range bytes.Lines(text) {
		if name, pattern, err := parseLine(line); err == nil {
			if _, wanted := present[pair{string(name), string(pattern)}]; wanted {
				present[pair{string(name), string(pattern)}] = true
			}
		}
	}
	return present
}

// appendTo writes lines behind what there is in the file, all by one write, or
// none. A torn last line is ended first, so that it spoils no other.
func appendTo(file *os.File, there, lines []byte) error {
	if len(lines) == 0 {
		return nil
	}
	if len(there) > 0 && there[len(there)-1] != '\n' {
		lines = append([]byte{'\n'}, lines...)
	}
	if _, err := file.Write(lines); err != nil {
		return errors.Join(err, file.Truncate(int64(len(there))))
	}
	return nil
}

// checkFolder refuses a folder that is not the user's own, if it has to be.
func (s *Store) checkFolder() error {
	if !s.Own {
		return nil
	}
	if err := private.Check(filepath.Dir(s.Path), fs.ModeDir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// lock waits until no other process writes, and keeps others from it until
// unlock is called. The lock is a file of its own, for the file of approvals
// may be replaced.
func (s *Store) lock(ctx context.Context) (unlock func() error, err error) {
	if s.Own {
		if err := private.MakeDir(filepath.Dir(s.Path)); err != nil {
			return nil, err
		}
	}
	path := s.lockPath()
	if err := private.Check(path, 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	waiting, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("%s: %w", path, ErrBusy))
	defer cancel()
	lock := flock.New(path, flock.SetFlag(os.O_RDWR|os.O_CREATE|private.NoFollow), flock.SetPermissions(0o600))
	if err := await(waiting, lock); err != nil {
		return nil, err
	}
	// The file may be another by now, and ctx may have ended in the meantime.
	if err := cmp.Or(private.Check(path, 0), context.Cause(ctx)); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return lock.Unlock, nil
}

// await takes a lock in the order in which processes wait for it. One that is not
// waited for any more is given back as soon as it is there.
func await(ctx context.Context, lock *flock.Flock) error {
	locked := make(chan error, 1)
	go func() { locked <- lock.Lock() }()
	select {
	case err := <-locked:
		return err
	case <-ctx.Done():
	}
	go func() {
		if <-locked == nil {
			_ = lock.Unlock() // who waits next gets it when this process ends, at the latest
		}
	}()
	return context.Cause(ctx)
}
