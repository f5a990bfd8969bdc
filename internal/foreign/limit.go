package foreign

import "fmt"

// maxCompared is how many rules the files of an agent may have together whose calls
// are compared with all of them, and not only with those of a tool.
const maxCompared = 1_000

// tooManyAt is the error for the first rule that is too many.
func tooManyAt(from Origin) error {
	return fmt.Errorf("%s:%d: more than %d rules in all, each counted with its alternatives: nobody can read so many; leave out those that others cover", from.File, from.Line, maxCompared)
}

// samplesOf returns how many samples there are at most of so many rules: of many,
// fewer, for each sample is compared with all rules.
func samplesOf(rules int) int { return min(maxSamples, max(40, 60_000/max(1, rules))) }
