package foreign

import "fmt"

// maxRules is how many rules an agent's files may have together. Each call is
// compared with all of them, and nobody can read more.
const maxRules = 1_000

// tooMany is the error for the first rule that is too many.
func tooMany(from Origin) error {
	return fmt.Errorf("%s:%d: more than %d rules in all, each counted with its alternatives: nobody can read so many; leave out those that others cover", from.File, from.Line, maxRules)
}

// samplesOf returns how many samples there are at most of so many rules: of many,
// fewer, for each sample is compared with all rules.
func samplesOf(rules int) int { return min(maxSamples, max(40, 60_000/max(1, rules))) }
