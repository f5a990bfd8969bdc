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

// WholeCall returns a call as a table has it.
func WholeCall(call input.Call) string { return wholeCall(call) }
