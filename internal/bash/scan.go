package bash

import (
	"slices"
	"strings"
)

// A given is an option as it was given.
type given struct {
	*option
	name   string // as it was written, without its argument
	values []word
}

// A scan is the reading of a command's words by the rows of the tables.
type scan struct {
	tables *Tables
	words  []word
	at     int    // the next word
	name   string // of the row: "git stash pop"
	row    *known
	loose  bool        // options may have any number of dashes
	deeper bool        // the next operand may name a subcommand
	list   *optionList // of the row
	above  *optionList // of the rows above, which may stand here too
	known  bool

	given    []given
	base     int // given from here on stand behind the subcommand
	operands []word
	sub      []word // the words of the subcommand
	kept     []word // the words without the program and skipped options
	skipped  bool   // an option before a subcommand is left out of kept
	opaque   bool   // one of those changes what the subcommand does
	ended    bool   // "--" was read
	dashes   int    // how many operands stand before it
	options  []string
	implies  []string // options that other words mean

	tail string // the use that ended the options, and rest its words
	rest []word

	switching
	formats    bool   // a format of tmux's runs a command
	chained    bool   // there are several commands of the program's own
	splits     int    // how many texts were split into words
	lost       string // the first option before a subcommand that the row does not have
	dynamicSub string // a subcommand that only run time knows
	unknown    string // the first option that the row does not have
	uncertain  string // a word that may turn out to be an option
	files      bool   // it is the name of a file that nobody knows
	volatile   bool   // a word that may be none or many stands among those read
}

// read reads the words by the row of the command called name.
func (s *scan) read(t *Tables, name string, words []word) {
	s.tables, s.words, s.at, s.name = t, words, 1, name
	if s.row, s.known = t.row(name); !s.known {
		if alias, ok := shippedAliases()[name]; ok {
			s.name = alias
			s.row, s.known = t.row(alias)
		}
	}
	if !s.known {
		s.row = unknown
	}
	s.list, s.above, s.loose = s.row.list, noOptions, s.row.Loose
	s.deeper = s.row.Subcommands || !s.known
	if s.row.Bundle && len(words) > 1 && !words[1].Dynamic && !strings.HasPrefix(words[1].Text, "-") {
		s.words = s.unbundle(words[1].Text, words[2:])
	}
	if s.row.Bundle && len(words) > 1 && words[1].Dynamic {
		s.uncertain = words[1].Text
	}
	s.formats = s.row.Chains && slices.ContainsFunc(words, func(w word) bool { return strings.Contains(w.Text, "#(") })
	if s.row.Chains && slices.ContainsFunc(words, func(w word) bool { return strings.HasSuffix(w.Text, ";") }) {
		s.chained = true
	}
	for s.at < len(s.words) && s.tail == "" {
		s.next()
	}
}

// unbundle returns the words with the letters of the first as options, each
// with its argument, which are the words behind in turn.
func (s *scan) unbundle(letters string, behind []word) []word {
	words := []word{s.words[0]}
	for _, r := range letters {
		option := static("-" + string(r))
		words = append(words, option)
		if o, ok := s.list.find(option.Text); ok && o.arg == '=' && len(behind) > 0 {
			words, behind = append(words, behind[0]), behind[1:]
		}
	}
	return append(words, behind...)
}

func (s *scan) next() {
	w := s.words[s.at]
	if w.split || w.Dynamic && w.head == "" && s.deeper {
		s.volatile = true
	}
	s.mayBeMany(w)
	switch {
	case s.ended || s.row.Ordered && len(s.operands) > 0:
		s.operand(w)
	case w.Text == "--" && !w.Dynamic && s.row.Walks:
		s.kept = append(s.kept, w) // it ends only those before the paths
		s.at++
	case w.Text == "--" && !w.Dynamic:
		s.ended, s.dashes = true, len(s.operands)
		s.given = append(s.given, given{option: dashes, name: "--"})
		s.kept = append(s.kept, w)
		s.at++
	case s.isOption(w):
		from := s.at
		s.option(w)
		s.kept = append(s.kept, s.words[min(from, len(s.words)):min(s.at, len(s.words))]...)
	default:
		s.operand(w)
	}
}

// mayBeMany notes a word that may become several, of which one may be an option.
func (s *scan) mayBeMany(w word) {
	if w.split && !w.process && s.uncertain == "" && !s.ended && (!s.row.Ordered || len(s.operands) <= 0) {
		s.uncertain = w.Text
	}
}

// isOption reports whether a word begins like an option of the row.
func (s *scan) isOption(w word) bool {
	if s.row.Plain {
		return false
	}
	if s.uncertain == "" && !w.process && (w.Dynamic && strings.Trim(w.head, "-") == "" || w.Glob && strings.IndexByte("*?[", w.Text[0]) >= 0) {
		s.uncertain, s.files = w.Text, w.Glob
	}
	if len(w.head) < 2 {
		return s.list.dash != nil && w.Text == "-"
	}
	if w.head[0] == '+' {
		_, short := s.list.find(w.head[:2])
		return short || s.list.plus != nil
	}
	if w.head[0] != '-' {
		key, _, ok := strings.Cut(w.head, "=")
		if !ok || key == "" {
			return false
		}
		_, ok = s.list.find(key)
		return ok
	}
	return true
}

func (s *scan) option(w word) {
	name, value, attached := strings.Cut(w.head, "=")
	whole := false
	if s.loose && name[0] == '-' {
		name, whole = s.loosen(name)
		if w.head = name; attached {
			w.head += "=" + value
			whole = whole || len(name) == len("-x")
		}
	}
	switch {
	case whole || s.row.Dash && name[0] == '-' || name == "-" || strings.HasPrefix(name, "--") || name[0] != '-' && name[0] != '+':
		o, ok := s.lookup(name)
		if !ok && s.row.Dash && strings.HasPrefix(name, "--") {
			o, ok = s.lookup(name[1:])
		}
		if !ok && !attached && s.row.Dash && !strings.HasPrefix(name, "--") && len(name) > 2 {
			o, ok = s.attached(w)
			if ok {
				return
			}
		}
		if w.Dynamic && !attached {
			s.uncertain = w.Text
			s.at++
			return
		}
		s.options = append(s.options, name)
		s.abbreviated(name)
		s.at++
		if !ok {
			s.miss(name, value, attached, w)
			return
		}
		s.take(o, name, w.part(value), attached)
	default:
		if o := s.list.plus; o != nil && name[0] == '+' {
			s.at++
			s.take(o, "+", w.part(w.head[1:]), true)
			return
		}
		s.cluster(w)
	}
}

// loosen returns the name of an option that may have any number of dashes, and
// whether it is one name, and no cluster of letters.
func (s *scan) loosen(name string) (string, bool) {
	bare := strings.TrimLeft(name, "-")
	if bare == "" {
		return name, true
	}
	letters := true
	for _, r := range bare {
		_, known := s.exact("-" + string(r))
		letters = letters && known
	}
	for _, dashes := range [...]string{"--", "-"} {
		if _, known := s.exact(dashes + bare); known && len(bare) > 1 {
			return dashes + bare, true
		}
	}
	if letters || len(bare) == 1 {
		return "-" + bare, false
	}
	return "--" + bare, true
}

// exact returns the option of just that name.
func (s *scan) exact(name string) (*option, bool) {
	for _, list := range s.lists() {
		if o, ok := list.find(name); ok {
			return o, true
		}
	}
	return nil, false
}

// attached is for a short option of a program with long ones of one dash,
// such as -O3.
func (s *scan) attached(w word) (*option, bool) {
	o, ok := s.list.find(w.head[:2])
	if !ok || o.arg == 0 {
		return o, false
	}
	s.options = append(s.options, w.head[:2])
	s.at++
	s.take(o, w.head[:2], w.part(w.head[2:]), true)
	return o, true
}

// cluster returns the rest of a word that is a cluster of options. It starts
// nowhere, for the word has been counted.
func (w word) cluster(head string) word {
	w.head, w.start = head, -1
	return w
}

// part returns the word's part that begins with head and ends with the word.
func (w word) part(head string) word {
	p := w
	p.head = head
	if i := strings.Index(w.Text, head); !w.Dynamic && i >= 0 {
		p.Text = head
	}
	return p
}

// miss notes an option that the row does not have.
func (s *scan) miss(name, value string, attached bool, w word) {
	if s.list.any != nil {
		return
	}
	if s.unknown == "" {
		s.unknown = name
		s.lose(name)
	}
	if attached {
		s.given = append(s.given, given{name: name, option: &option{names: name, uses: "path"}, values: []word{w.part(value)}})
	}
}

// lose notes an option that the row does not have, and that may take the next
// word, which would name a subcommand.
func (s *scan) lose(name string) {
	if s.known && s.deeper && len(s.operands) == 0 && s.at < len(s.words) && s.tables.hasSubcommands(s.name) {
		s.lost = name
	}
}

// lists are the options that may be given where the scan is.
func (s *scan) lists() [4]*optionList {
	mode := noOptions
	if m := s.mode(len(s.operands)); m != nil {
		mode = optionsOf(m.Options)
	}
	return [...]*optionList{mode, s.list, s.above, generalOptions()}
}

// abbreviated notes every option that a long one may stand for.
func (s *scan) abbreviated(name string) {
	if !strings.HasPrefix(name, "--") {
		return
	}
	for _, list := range s.lists() {
		if _, exact := list.find(name); exact {
			return
		}
	}
	for _, list := range s.lists() {
		for i := range list.entries {
			o := &list.entries[i]
			if !strings.HasPrefix(o.names, name) && !strings.Contains(o.names, "|"+name) {
				continue
			}
			for n := range strings.SplitSeq(o.names, "|") {
				s.options = append(s.options, n)
			}
		}
	}
}

func (s *scan) lookup(name string) (*option, bool) {
	if o, ok := s.exact(name); ok {
		return o, true
	}
	lists := s.lists()
	if !strings.HasPrefix(name, "--") {
		return nil, false
	}
	for _, list := range lists {
		if o, ok := list.findLong(name); ok {
			return o, true
		}
	}
	return nil, false
}

// cluster reads short options in one word.
func (s *scan) cluster(w word) {
	s.options = append(s.options, w.head)
	if w.start >= 0 {
		s.at++
	}
	if o := s.list.number; o != nil && number(w.head[1:]) {
		s.take(o, w.head, word{}, false)
		return
	}
	sign := w.head[:1]
	for i, r := range w.head[1:] {
		name := sign + string(r)
		rest := w.head[1+i+len(string(r)):]
		o, ok := s.lookup(name)
		if !ok && s.list.number != nil && '0' <= r && r <= '9' {
			continue
		}
		if !ok {
			s.letters(w.head[1+i:], sign)
			return
		}
		if name != w.head {
			s.options = append(s.options, name)
		}
		if o.uses == "digits" {
			rest = strings.TrimLeft(rest, "0123456789abcdefxABCDEFX"[:10])
			s.take(o, name, word{}, false)
			if rest == "" {
				break
			}
			s.cluster(w.cluster(sign + rest))
			return
		}
		attached := (rest != "" || w.Dynamic) && !s.row.Apart
		if o.arg != 0 && attached {
			s.take(o, name, w.part(rest), true)
			return
		}
		s.take(o, name, word{}, false)
		if o.arg == '=' && !s.row.Apart {
			return
		}
	}
	if w.Dynamic && !w.numeric {
		s.uncertain = w.Text
	}
}

// letters notes a cluster of which the row does not know the first option.
func (s *scan) letters(cluster, sign string) {
	if s.list.any == nil && s.unknown == "" {
		s.unknown = sign + cluster
		s.lose(s.unknown)
	}
	const most = 6 // letters of what is likely a cluster
	if len(cluster) > most {
		return
	}
	for _, r := range cluster {
		s.options = append(s.options, sign+string(r))
	}
}

// take notes the option o, with an argument from the same word if attached.
func (s *scan) take(o *option, name string, value word, attached bool) {
	g := given{option: o, name: name}
	for n := range strings.SplitSeq(o.names, "|") {
		if n != "-#" {
			s.options = append(s.options, n)
		}
	}
	switch {
	case o.arg == 0:
	case attached:
		g.values = []word{value}
	case o.arg == '=':
		for use := range strings.SplitSeq(o.uses, "+") {
			s.argument(&g, use)
		}
	}
	s.given = append(s.given, g)
	s.ended = s.ended || o.ends
	if o.uses == "split" && len(g.values) == 1 {
		s.split(g.values[0])
	}
}

// argument takes the next words for a use.
func (s *scan) argument(g *given, use string) {
	switch use {
	case "exec", "argvto":
		from := s.at
		for s.at < len(s.words) {
			w := s.words[s.at]
			s.at++
			if w.Dynamic && !w.bounded && s.uncertain == "" {
				s.uncertain = w.Text // it may be what ends the words
			}
			plus := use == "exec" && w.Text == "+" && s.at-2 >= from && s.words[s.at-2].Text == "{}"
			if w.Text == ";" || plus {
				g.values = append(g.values, s.words[from:s.at-1]...)
				return
			}
		}
		g.values = append(g.values, s.words[from:]...)
		return
	}
	if s.at >= len(s.words) || s.row.Shy && len(s.words[s.at].head) > 1 && s.words[s.at].head[0] == '-' {
		return
	}
	w := s.words[s.at]
	if w.split {
		s.volatile = true
	}
	s.mayBeMany(w)
	if w.Glob && s.uncertain == "" && strings.IndexByte("*?[", w.Text[0]) >= 0 {
		s.uncertain, s.files = w.Text, true // of several, the second is a word of its own
	}
	if s.at++; len(g.values) == 0 {
		g.values = s.words[s.at-1 : s.at : s.at]
		return
	}
	g.values = append(g.values, w)
}

// split puts the words that env splits off a text before those that follow.
func (s *scan) split(text word) {
	words, ok := splitText(text)
	if s.splits++; !ok || s.splits > maxDepth {
		s.unknown = "-S"
		return
	}
	s.words = slices.Concat(s.words[:s.at], words, s.words[s.at:])
}

// operand reads a word that is no option.
func (s *scan) operand(w word) {
	if s.deeper && len(s.operands) == 0 {
		if s.enter(w) {
			return
		}
	}
	use := s.useAt(len(s.operands))
	if use == "behind" {
		if use = "arg"; s.ended {
			use = "argv"
		}
	}
	if use == "assign" {
		if name, _, ok := strings.Cut(w.head, "="); ok && name != "" {
			s.given = append(s.given, given{option: assigning, name: w.Text, values: []word{w}})
			s.kept = append(s.kept, w)
			s.at++
			return
		}
		use = s.useAt(len(s.operands) + 1)
	}
	if use == "refspec" {
		s.refspec(w)
	}
	if ends(use) {
		s.tail, s.rest = use, s.words[s.at:]
		s.kept = append(s.kept, s.rest...)
		return
	}
	s.operands = append(s.operands, w)
	s.kept = append(s.kept, w)
	s.at++
}

// refspec notes the options that the sign before a name that is pushed stands
// for.
func (s *scan) refspec(w word) {
	switch {
	case strings.HasPrefix(w.head, "+"):
		s.implies = append(s.implies, "--force", "-f")
	case strings.HasPrefix(w.head, ":"):
		s.implies = append(s.implies, "--delete", "-d")
	}
}

// dashes is the option that ends the options, and assigning what stands for a
// NAME=VALUE among the operands.
var (
	dashes    = &option{names: "--", harmless: true}
	assigning = &option{uses: "assign"}
)

// has reports whether one of the options is given.
func (s *scan) has(list string) bool {
	return slices.ContainsFunc(s.given[s.base:], (&Mode{When: list}).switchedBy)
}

// enter goes on with the row of the subcommand that w names.
func (s *scan) enter(w word) bool {
	var row *known
	ok := false
	name := s.name + " " + w.Text
	if (w.Dynamic || w.Glob) && s.known {
		s.dynamicSub = w.Text
	}
	if !w.Dynamic {
		row, ok = s.tables.row(name)
	}
	if !ok && (!s.known || s.row.Operands != "") {
		s.deeper = false
		return false
	}
	s.leave()
	s.kept = append(append(s.kept[:0], s.sub...), w)
	if !ok {
		s.known = false
		row := *s.row
		row.Operands, row.Modes, row.Options, row.Effects, row.Stdin = "", nil, "", nil, ""
		s.row, s.deeper, s.list = &row, false, s.above
		s.kept = s.kept[:len(s.kept)-1]
		return false
	}
	s.name, s.row, s.base, s.switching = name, row, len(s.given), switching{}
	s.list, s.deeper = row.list, row.Subcommands
	s.sub = append(s.sub, w)
	s.at++
	return true
}

// leave judges the options that stand before a subcommand.
func (s *scan) leave() {
	if s.row.Global {
		s.above = s.above.with(s.list)
	}
	if len(s.kept) > len(s.sub) {
		s.skipped = true
	}
	for _, g := range s.given {
		if !g.harmless && g.uses != "dir" {
			s.opaque = true
		}
	}
	if s.unknown != "" || s.uncertain != "" {
		s.opaque = true
	}
}

// ends reports whether what has that use ends the options.
func ends(use string) bool {
	if strings.HasPrefix(use, "as:") {
		return true
	}
	switch use {
	case "argv", "argvto", "inputs", "text", "line", "each", "source", "script", "foreign", "none", "alias", "tool", "handler":
		return true
	}
	return false
}
