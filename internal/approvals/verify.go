package approvals

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/permctl/permctl/internal/private"
)

// A Report is what [Store.Verify] has found.
type Report struct {
	Valid      int        // approvals that count
	Duplicates []Approval // those that a later line says again
	Expired    []Approval
	Problems   []error // with lines, expiries, modes and owners
}

// Verify looks at all that the store has, and changes nothing. The error is of
// what keeps it from looking.
func (s *Store) Verify() (Report, error) {
	var report Report
	files := s.Files()
	if s.Own {
		files = append(files, filepath.Dir(s.Path))
	}
	for _, path := range files {
		if err := private.CheckMode(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			report.Problems = append(report.Problems, err)
		}
	}
	if err := private.Check(s.lockPath(), 0); errors.Is(err, private.ErrNotOwn) {
		report.Problems = append(report.Problems, err)
	}
	found, problems, err := s.Read()
	if errors.Is(err, private.ErrNotOwn) {
		report.Problems = append(report.Problems, err)
		return report, nil
	}
	if err != nil {
		return Report{}, err
	}
	report.Problems = append(report.Problems, problems...)
	kept, duplicates, gone := sortOut(found, s.now())
	report.Valid, report.Duplicates, report.Expired = len(kept), duplicates, gone
	return report, nil
}
