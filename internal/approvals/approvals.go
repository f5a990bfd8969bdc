// Package approvals keeps what people approved for good: rules that allow, one
// a line of JSON.
//
// A line is a contract that other programs read: the three fields of a rule,
// and nothing else. What is no such line is reported, and never followed. Until
// when an approval holds is kept in a file beside it.
package approvals

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/private"
)

// An Approval is a rule that allows, and until when.
type Approval struct {
	permission.Rule

	// Until is when the approval expires. If zero, it never does.
	Until time.Time
}

// Expired reports whether the approval does not hold any more.
func (a Approval) Expired(now time.Time) bool { return expired(a.Until, now) }

func expired(until, now time.Time) bool { return !until.IsZero() && !now.Before(until) }

// Parse returns the approvals in a text, in its order, and what is wrong with
// the lines that are none. Messages call it by path.
func Parse(text []byte, path string) (rules []permission.Rule, problems []error) {
	for l := range linesOf(text, path) {
		switch {
		case l.problem != nil:
			problems = append(problems, l.problem)
		case !l.blank:
			rules = append(rules, l.rule)
		}
	}
	return rules, problems
}

// readAll returns the text of a file of the user's own. One that is not there
// is empty.
func readAll(path string) ([]byte, error) {
	file, err := private.Open(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}
