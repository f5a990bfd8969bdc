package bash

import (
	"slices"
	"strings"
)

// A switching is what the options given so far say of the modes of a row.
type switching struct {
	on     []bool // by mode: whether an option that switches it on is given
	writes bool   // an option is given that writes or deletes
	seen   int    // how many of the options have been looked at
}

// switched looks at the options that have been given since.
func (s *scan) switched() *switching {
	w := &s.switching
	if w.on == nil {
		*w = switching{on: make([]bool, len(s.row.Modes)), seen: s.base}
	}
	for ; w.seen < len(s.given); w.seen++ {
		g := s.given[w.seen]
		w.writes = w.writes || g.effect == Write || g.effect == Delete
		for i, m := range s.row.Modes {
			w.on[i] = w.on[i] || m.switchedBy(g)
		}
	}
	return w
}

// mode returns the mode that the options and n operands switch on, or nil.
func (s *scan) mode(n int) *Mode {
	if len(s.row.Modes) == 0 {
		return nil
	}
	w := s.switched()
	for i := range s.row.Modes {
		if m := &s.row.Modes[i]; w.on[i] && m.holds(&s.row.Row, w.writes, n) {
			return m
		}
	}
	return nil
}

// bare returns the mode for a command without the options of another, or nil.
func (s *scan) bare(n int) *Mode {
	for i := range s.row.Modes {
		if m := &s.row.Modes[i]; m.When == "" && n <= m.most() && m.holds(&s.row.Row, s.switched().writes, n) {
			return m
		}
	}
	return nil
}

// switchedBy reports whether the option switches the mode on.
func (m *Mode) switchedBy(g given) bool {
	for name := range strings.SplitSeq(g.names, "|") {
		if name != "" && has(m.When, name) {
			return true
		}
	}
	return false
}

// holds reports whether a mode that does less than the row is in force: no other
// option writes, and there are no more operands than it has a use for.
func (m *Mode) holds(r *Row, writes bool, n int) bool {
	less := slices.ContainsFunc(r.Effects, func(e Effect) bool { return !slices.Contains(m.Effects, e) })
	return !less || !writes && n <= m.most()
}

// most returns how many operands the mode has a use for.
func (m *Mode) most() int {
	n := 0
	for use := range strings.FieldsSeq(m.Operands) {
		switch {
		case use == "none" || strings.HasSuffix(use, "..."):
			return maxWords
		case use != "home" && use != "back" && use != "inputs" && !strings.HasPrefix(use, "argv:"):
			n++
		}
	}
	return n
}

func has(list, word string) bool {
	for w := range strings.SplitSeq(list, " ") {
		if w == word {
			return true
		}
	}
	return false
}

// useAt returns the use of the operand at index n, as long as no "..." stands
// before it.
func (s *scan) useAt(n int) string {
	uses := s.row.Operands
	if m := s.mode(n + 1); m != nil {
		uses = m.Operands
	}
	for use := range strings.SplitSeq(uses, " ") {
		if before, ok := strings.CutSuffix(use, "..."); ok {
			return before
		}
		if n == 0 {
			return use
		}
		n--
	}
	return ""
}
