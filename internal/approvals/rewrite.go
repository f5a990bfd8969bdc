package approvals

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/private"
)

// A Compaction is what [Store.Compact] has done.
type Compaction struct {
	Kept       int        // approvals that are still there
	Duplicates []Approval // those that a later line says again
	Expired    []Approval
	Dropped    []Dropped
}

// A Dropped is a line that was no approval.
type Dropped struct {
	Problem error  // names the line
	Text    string // the line, without its end
}

// Revoke removes the approval of a permission and a pattern, just as they are
// written, and returns the lines that it stood in. If there are none, nothing
// is changed.
func (s *Store) Revoke(ctx context.Context, name, pattern string) ([]Approval, error) {
	return s.revoke(ctx, func(p pair) bool { return p == pair{name, pattern} })
}

// RevokeAll removes all approvals, and returns them. It does so too if the
// expiries cannot be read, which are removed as well.
func (s *Store) RevokeAll(ctx context.Context) ([]Approval, error) {
	return s.revoke(ctx, nil)
}

// revoke removes the approvals that gone holds of, or all if it is nil. What is
// no approval stays.
func (s *Store) revoke(ctx context.Context, gone func(pair) bool) (revoked []Approval, err error) {
	if _, err := os.Lstat(s.Path); errors.Is(err, fs.ErrNotExist) {
		return nil, s.checkFolder()
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	until, err := s.readExpiries()
	if err != nil && (gone != nil || !errors.Is(err, ErrExpiry)) {
		return nil, err
	}
	unreadable := err != nil
	left := expiries{}
	maps.Copy(left, until)
	before, err := readAll(s.Path)
	if err != nil {
		return nil, err
	}
	var kept []byte
	for l := range linesOf(before, s.Path) {
		key := pairOf(l.rule)
		if l.blank || l.problem != nil || gone != nil && !gone(key) {
			kept = append(kept, l.text...)
			continue
		}
		revoked = append(revoked, Approval{l.rule, until[key]})
		delete(left, key)
	}
	if len(revoked) == 0 && !unreadable {
		return nil, nil
	}
	if gone == nil {
		clear(left)
	}
	return revoked, s.replace(before, kept, unreadable || !maps.Equal(until, left), left)
}

// Compact rewrites the file: of equal approvals the last one stays, and what has
// expired or is no approval goes.
func (s *Store) Compact(ctx context.Context) (done Compaction, err error) {
	if _, err := os.Lstat(s.Path); errors.Is(err, fs.ErrNotExist) {
		return Compaction{}, s.checkFolder()
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return Compaction{}, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	until, err := s.readExpiries()
	if err != nil {
		return Compaction{}, err
	}
	before, err := readAll(s.Path)
	if err != nil {
		return Compaction{}, err
	}
	var all []Approval
	for l := range linesOf(before, s.Path) {
		switch {
		case l.problem != nil:
			done.Dropped = append(done.Dropped, Dropped{l.problem, strings.TrimRight(string(l.text), "\r\n")})
		case !l.blank:
			all = append(all, Approval{l.rule, until[pairOf(l.rule)]})
		}
	}
	var kept []Approval
	kept, done.Duplicates, done.Expired = sortOut(all, s.now())
	done.Kept = len(kept)
	var lines []byte
	left := expiries{}
	for _, a := range kept {
		key := pairOf(a.Rule)
		if lines, err = appendLine(lines, key); err != nil {
			return Compaction{}, err
		}
		if !a.Until.IsZero() {
			left[key] = a.Until
		}
	}
	return done, s.replace(before, lines, !maps.Equal(until, left), left)
}

// sortOut parts approvals into those that count, those that a later one says
// again, and those that have expired.
func sortOut(all []Approval, now time.Time) (kept, duplicates, gone []Approval) {
	last := make(map[pair]int, len(all))
	for i, a := range all {
		last[pairOf(a.Rule)] = i
	}
	for i, a := range all {
		switch {
		case last[pairOf(a.Rule)] != i:
			duplicates = append(duplicates, a)
		case a.Expired(now):
			gone = append(gone, a)
		default:
			kept = append(kept, a)
		}
	}
	return kept, duplicates, gone
}

// replace writes the lines, and then the expiries if they have changed, so that
// no approval is ever there without its own. The store must be locked.
func (s *Store) replace(before, lines []byte, changed bool, left expiries) error {
	if !bytes.Equal(before, lines) {
		if err := private.Replace(s.Path, lines); err != nil {
			return err
		}
	}
	if !changed {
		return nil
	}
	return s.writeExpiries(left)
}
