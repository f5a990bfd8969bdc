package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/permctl/permctl/internal/private"
)

// Run makes a plan and applies it, and no other permctl changes the files between
// the two. Where there is nothing to do, it writes nothing at all.
func Run(plan func() (*Plan, error)) (*Plan, error) {
	p, err := plan()
	if err != nil || p.done() {
		return p, err
	}
	unlock, err := p.store.lock(patience)
	if err != nil {
		return nil, err
	}
	if p, err = plan(); err == nil { // another may just have done it
		err = p.apply()
	}
	return p, errors.Join(err, unlock())
}

// lock waits until no other permctl changes files of which the records are here, and
// keeps others from it until unlock is called. To wait longer is an error.
func (s store) lock(patience time.Duration) (unlock func() error, err error) {
	if err := private.MakeDir(s.dir); err != nil {
		return nil, denied(err)
	}
	path := filepath.Join(s.dir, "lock")
	if err := private.Check(path, 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, hint(err, "see what it is, and remove it")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	lock := flock.New(path, flock.SetFlag(os.O_RDWR|os.O_CREATE|private.NoFollow), flock.SetPermissions(0o600))
	switch _, err := lock.TryLockContext(ctx, 10*time.Millisecond); {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, hint(fmt.Errorf("%s: another permctl has been changing hooks for %v", path, patience), "run the command again when it has ended")
	case err != nil:
		return nil, denied(err)
	}
	return lock.Unlock, nil
}
