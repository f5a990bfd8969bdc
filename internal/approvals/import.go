package approvals

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/private"
)

// An Import is what [Store.Import] has done.
type Import struct {
	Rules    []permission.Rule // that are approved now, as the other file has them
	Problems []error           // lines that are no approvals
	Removed  bool              // whether the other file is gone
}

// Import saves the approvals of a file that another program has written. A
// project's own file should be imported only if a person has trusted the
// project: it comes with it.
//
// The file stays as it is, unless it is [Store.Legacy] and each of its lines is
// an approval: then it is removed once they are saved. If there is no file, the
// error is an [fs.ErrNotExist].
func (s *Store) Import(ctx context.Context, from string) (Import, error) {
	legacy := from == s.Legacy
	if legacy {
		if err := private.Check(filepath.Dir(from), fs.ModeDir); err != nil {
			return Import{}, err
		}
	}
	text, err := readAll(from)
	if err != nil {
		return Import{}, err
	}
	if text == nil {
		return Import{}, &fs.PathError{Op: "import", Path: from, Err: fs.ErrNotExist}
	}
	var done Import
	done.Rules, done.Problems = Parse(text, from)
	if err := s.Append(ctx, done.Rules, time.Time{}); err != nil {
		return Import{}, err
	}
	if !legacy || len(done.Problems) > 0 {
		return done, nil
	}
	again, err := readAll(from)
	if err != nil {
		return done, err
	}
	if !bytes.Equal(text, again) {
		return done, fmt.Errorf("%s: has changed meanwhile, and is not removed: import it again", from)
	}
	if err := os.Remove(from); err != nil {
		return done, err
	}
	done.Removed = true
	return done, private.SyncDir(filepath.Dir(from))
}
