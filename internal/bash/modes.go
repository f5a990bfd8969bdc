package bash

import (
	"slices"
	"strings"
)

// mode returns the mode that the options and n operands switch on, or nil.
func (r *Row) mode(options []given, n int) *Mode {
	for i := range r.Modes {
		m := &r.Modes[i]
		if m.among(options) && m.holds(r, options, n) {
			return m
		}
	}
	return nil
}

// bare returns the mode for a command without the options of another, or nil.
func (r *Row) bare(options []given, n int) *Mode {
	for i := range r.Modes {
		m := &r.Modes[i]
		if m.When == "" && n <= m.most() && m.holds(r, options, n) {
			return m
		}
	}
	return nil
}

// among reports whether an option that switches the mode on is given.
func (m *Mode) among(options []given) bool {
	for _, g := range options {
		for name := range strings.SplitSeq(g.names, "|") {
			if name != "" && has(m.When, name) {
				return true
			}
		}
	}
	return false
}

// holds reports whether a mode that does less than the row is in force: no other
// option writes, and there are no more operands than it has a use for.
func (m *Mode) holds(r *Row, options []given, n int) bool {
	less := slices.ContainsFunc(r.Effects, func(e Effect) bool { return !slices.Contains(m.Effects, e) })
	if !less {
		return true
	}
	writes := slices.ContainsFunc(options, func(g given) bool { return g.effect == Write || g.effect == Delete })
	return !writes && n <= m.most()
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

// options returns the options that the mode adds.
func (r *Row) options(options []given, n int) string {
	if m := r.mode(options, n); m != nil {
		return m.Options
	}
	return ""
}

// useAt returns the use of the operand at index n, as long as no "..." stands
// before it.
func (r *Row) useAt(options []given, n int) string {
	uses := r.Operands
	if m := r.mode(options, n+1); m != nil {
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
