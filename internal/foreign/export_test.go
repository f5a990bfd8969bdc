package foreign

import (
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Judge returns what the agent itself answers by the files, to a call in the
// workspace of samples.
func (s *Source) Judge(files []File) (func(input.Call) permission.Action, error) {
	b, err := s.read(files)
	if err != nil {
		return nil, err
	}
	return b.answer, nil
}

// JSRegexp returns the regular expression that matches with RE2 what pattern
// matches in JavaScript.
func JSRegexp(pattern string) (string, error) { return jsRegexp(pattern) }

// WholeCall returns a call as a table has it.
func WholeCall(call input.Call) string { return wholeCall(call) }
