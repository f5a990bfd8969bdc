package foreign

import "github.com/permctl/permctl/internal/input"

// Where the calls of samples are made.
const (
	sampleRoot = "/workspace"
	sampleHome = "/home/user"
)

// maxSamples is how many samples there are at most of the rules of files.
const maxSamples = 300

// A sampler gathers calls, each once, with what a judge answers to them.
type sampler struct {
	samples []Sample
	seen    map[string]bool
}

// add adds a call with what is answered to it.
func (s *sampler) add(answer func(input.Call) Sample, call input.Call) {
	key := wholeCall(call)
	if len(s.samples) == maxSamples || s.seen[key] {
		return
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	s.seen[key] = true
	s.samples = append(s.samples, answer(call))
}

// given returns the call of a tool that is given one thing.
func given(tool, key, value string) input.Call {
	return input.Call{Tool: tool, Input: map[string]any{key: value}}
}
