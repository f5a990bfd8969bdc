package engine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/permctl/permctl/internal/permission"
)

// A rule is a rule in force, with what is made of it beforehand so that it can
// be found and matched fast.
type rule struct {
	permission.Rule

	Trust permission.Trust `json:"trust"`

	// Order is the number of the rule's layer, and Number that of the rule
	// among all of them. Of the rules that match, the last one decides.
	Order  int `json:"order"`
	Number int `json:"number"`

	// Options and Operands are those of a pattern that holds options: a rule
	// that denies or asks meets a command by them too. The program's name and
	// its subcommands are the first operands.
	Options  []string `json:"options,omitempty"`
	Operands []string `json:"operands,omitempty"`

	// Authority and Rest are the two parts of a pattern for URLs.
	Authority string `json:"authority,omitempty"`
	Rest      string `json:"rest,omitempty"`

	// Exact is true for the allowance of a policy, whose pattern is a text and
	// has no wildcards.
	Exact bool `json:"exact,omitempty"`
}

func newRule(r permission.Rule, trust permission.Trust, order, number int) rule {
	made := rule{Rule: r, Trust: trust, Order: order, Number: number}
	if r.Action != permission.Allow {
		made.Options, made.Operands = meaning(r.Pattern)
		return made
	}
	made.Authority, made.Rest = urlParts(r.Pattern)
	return made
}

// meaning splits a pattern that holds options into options and operands. A
// pattern without any has no meaning beyond its text.
func meaning(pattern string) (options, operands []string) {
	words := strings.Fields(pattern)
	for i, word := range words {
		switch {
		case i == len(words)-1 && word == "*":
		case len(word) < 2 || word[0] != '-' || word == "--":
			operands = append(operands, word)
		case strings.ContainsAny(word, "*?"):
			return nil, nil
		case strings.HasPrefix(word, "--"):
			name, _, _ := strings.Cut(word, "=")
			options = append(options, name)
		default:
			for _, letter := range word[1:] {
				options = append(options, "-"+string(letter))
			}
		}
	}
	if len(options) == 0 || len(operands) == 0 {
		return nil, nil
	}
	return options, operands
}

// urlParts splits a pattern into what has to match a URL's scheme and
// authority, and what the rest. A star behind a host does not lengthen it: it
// belongs to the rest.
func urlParts(pattern string) (authority, rest string) {
	from := 0
	if i := strings.Index(pattern, "://"); i >= 0 {
		from = i + len("://")
	}
	end := len(pattern)
	if i := strings.IndexAny(pattern[from:], "/?#"); i >= 0 {
		end = from + i
	}
	authority, rest = pattern[:end], pattern[end:]
	host := strings.TrimRight(authority, "*")
	switch {
	case host == authority, host == "" && rest != "":
	case host == "" || strings.HasSuffix(host, "://") || strings.HasPrefix("https://", host) || strings.HasPrefix("http://", host):
		authority, rest = host+"*", "*"+rest
	default:
		authority, rest = host, "*"+rest
	}
	if rest == "" {
		rest = "/"
	}
	return authority, rest
}

// An index finds the rules that may match a target without looking at the
// others: by the permission that they name, and by how their patterns begin.
type index struct {
	rules     []rule
	exact     map[string]*shelf // by permission
	wildcards []*shelf          // of permissions with wildcards
}

// A shelf holds the numbers of the rules of one permission, highest first.
type shelf struct {
	permission string

	// prefixes has them by what their patterns begin with, and lengths are the
	// lengths of its keys.
	prefixes map[string][]int
	lengths  []int

	// restrictions has those that deny or ask for some things only.
	restrictions []int

	// programs has those with a meaning, by the program that they name, or by
	// * where that is a pattern.
	programs map[string][]int
}

func newIndex(rules []rule) *index {
	ix := &index{rules: rules, exact: map[string]*shelf{}}
	shelves := map[string]*shelf{}
	for _, r := range slices.Backward(rules) {
		s := shelves[r.Permission]
		if s == nil {
			s = &shelf{permission: r.Permission, prefixes: map[string][]int{}, programs: map[string][]int{}}
			shelves[r.Permission] = s
			if strings.ContainsAny(r.Permission, "*?") {
				ix.wildcards = append(ix.wildcards, s)
			} else {
				ix.exact[r.Permission] = s
			}
		}
		s.add(r)
	}
	return ix
}

func (s *shelf) add(r rule) {
	prefix := prefixOf(r)
	if _, ok := s.prefixes[prefix]; !ok && !slices.Contains(s.lengths, len(prefix)) {
		s.lengths = append(s.lengths, len(prefix))
	}
	s.prefixes[prefix] = append(s.prefixes[prefix], r.Number)
	if restricts(&r) {
		s.restrictions = append(s.restrictions, r.Number)
	}
	if len(r.Operands) > 0 {
		program := r.Operands[0]
		if strings.ContainsAny(program, "*?") {
			program = "*"
		}
		s.programs[program] = append(s.programs[program], r.Number)
	}
}

// prefixOf returns what every text that the rule matches begins with.
func prefixOf(r rule) string {
	prefix, _ := permission.Literal(r.Pattern)
	return prefix
}

// last returns the last rule that meets the target and that pass lets pass, or
// nil.
func (ix *index) last(name string, t *target, pass func(*rule) bool) *rule {
	best := -1
	if s := ix.exact[name]; s != nil {
		best = ix.search(s, name, t, pass, best)
	}
	for _, s := range ix.wildcards {
		if permission.Match(name, s.permission) {
			best = ix.search(s, name, t, pass, best)
		}
	}
	if best < 0 {
		return nil
	}
	return &ix.rules[best]
}

// restriction returns the last rule that names the permission and denies or
// asks for some things only, or nil.
func (ix *index) restriction(name string) *rule {
	if s := ix.exact[name]; s != nil && len(s.restrictions) > 0 {
		return &ix.rules[s.restrictions[0]]
	}
	return nil
}

// search returns the number of the last matching rule of the shelf, or best if
// there is none higher.
func (ix *index) search(s *shelf, name string, t *target, pass func(*rule) bool, best int) int {
	try := func(numbers []int) {
		for _, n := range numbers {
			if n <= best {
				return
			}
			if r := &ix.rules[n]; pass(r) && judges(r, name, t) && meets(r, t) {
				best = n
				return
			}
		}
	}
	for _, texts := range [][]string{t.forms, t.strict} {
		for _, text := range texts {
			for _, length := range s.lengths {
				if length <= len(text) {
					try(s.prefixes[text[:length]])
				}
			}
		}
	}
	if len(s.programs) > 0 && len(t.operands) > 0 {
		try(s.programs[t.operands[0]])
		try(s.programs["*"])
	}
	return best
}

// document returns the index as policy reads it, with lengths in characters.
func (ix *index) document() (shelves map[string]any, wildcards []string) {
	shelves, wildcards = map[string]any{}, []string{}
	put := func(s *shelf) {
		var lengths []int
		for prefix := range s.prefixes {
			if n := utf8.RuneCountInString(prefix); !slices.Contains(lengths, n) {
				lengths = append(lengths, n)
			}
		}
		slices.Sort(lengths)
		shelves[s.permission] = map[string]any{"lengths": lengths, "prefixes": s.prefixes, "programs": s.programs, "restrictions": asAny(s.restrictions)}
	}
	for _, s := range ix.exact {
		put(s)
	}
	for _, s := range ix.wildcards {
		put(s)
		wildcards = append(wildcards, s.permission)
	}
	return shelves, wildcards
}
