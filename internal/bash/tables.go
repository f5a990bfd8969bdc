package bash

import (
	"maps"
	"slices"
	"strings"
)

// Tables are what the analyser knows of programs. They are data, and most of
// it is in commands.jsonl, a line a command: policies read it as
// data.policy.commands and so on, and settings extend it. The fields hold what
// is added to what ships and comes before it; nil has nothing to add. A Tables
// is not changed once it is used, so that it is safe for concurrent use.
type Tables struct {
	// Arity maps the leading words of a command to how many words make its
	// name. What is not in it has a name of one word.
	Arity map[string]int

	// Commands maps a command's name, "sort" or "git status", to what it does.
	// The second of three words may be a *, for any.
	Commands map[string]Row

	// Environment are the variables that make other programs do more than
	// their arguments say. The first row that matches a name holds.
	Environment []Variable
}

// A Row says what a command makes of its words.
//
// Options is a list of options, separated by blanks. Each is its spellings,
// joined by "|", and then
//
//	=use     if it takes an argument, attached or as the next word;
//	=a+b     if it takes two;
//	?use     if it can take one, attached only;
//	&use     if it makes that use of the operands as well;
//	!effect  if it has that effect (read, write, delete, run, network), or
//	         !links if it makes the command follow links on its way, or !outside
//	         if it may write anywhere;
//	>file    if the command then writes that file, or reads it if it only reads;
//	^        if its argument stands for the first operand;
//	$        if its argument stands for the last operand;
//	~        if the meaning of a subcommand does not depend on it;
//	%        if it ends the options.
//
// "-#" is any number, and "-*" means that what is no option is an operand; a
// spelling without a dash is a word such as dd's "of=FILE". The first entry that
// has a spelling holds, so that a later one may mean the same and more. Operands
// is the list of the uses of the operands, in order, where "use..." stands for
// any number of them. What has more operands than uses is not known.
//
// The uses are:
//
//	arg       nothing that matters
//	digits    digits, which other options may follow in the same word
//	read write delete         a file, and what happens to it
//	redirect                  a file to write, as > writes one
//	product   a program to write, as > does if it is in a hidden folder
//	restore   a file to write, or before others or with a plain name a revision
//	makevar   a goal, or a variable whose value make evaluates
//	edit move                 a file that is read and written, or read and deleted
//	files                     a file with the names of files to read
//	link linked               what ln makes a link to, and the link
//	argfile   a file to read, if it looks like one, or behind "@" one with more words
//	report    KIND:FILE, a file to write
//	warning   a warning of python's, whose category may be in a module
//	stem                      what the names of the files to write begin with
//	page                      a file to read, and what it names, if it holds a slash
//	response  a file to read, or behind "@" one with more words
//	shellopt  an option of the shell
//	strip     how many parts of the names in a patch do not count
//	patchdir  the directory that the names in a patch count from
//	path      a file to read, if it looks like one
//	runfile                   a file that is run
//	volume mount              a folder that a container gets
//	list      a path whose content is not read
//	at        a file to read, if it begins with @
//	base      a URL whose base name is the file to write
//	dir       the directory to work in
//	within    the directory that the operands stand in
//	gitdir    the directory of another repository
//	revision  a revision of git, a file in one, or a file
//	refspec   a name to push, by force behind "+"
//	pair      a setting to read, or to write if it holds "="
//	run       text that a shell, or a program's path that the command, runs
//	subtext   text that stands behind the command's own name
//	binding   the same behind a key
//	filter    the same, with arguments that only run time knows
//	code      text that the command itself runs
//	makecode  the same, for make
//	plugin    code by its name, behind "no:" to leave it out
//	linkflags compileflags    options for go's linker or compiler
//	modmode   where go finds modules: "mod" gets what is missing
//	property  NAME=VALUE, a property of a unit of systemd's
//	upload    a file that is sent
//	codefile  a file with such code
//	sed awk jq yq  a script in that language
//	excmd lesscmd  a command of an editor or a pager, a shell's behind "!"
//	sql       a query, or a command of a client
//	jqfile    a file with a query of jq's
//	redo      an earlier command that is run again
//	send      text that is sent to another machine
//	config    a setting of git, as key=value
//	name      a shell variable to assign to
//	assign    NAME=VALUE, an assignment
//	host      another machine
//	url       another machine to install from
//	pull push a file, or one on another machine if written HOST:PATH
//	into      a directory in which files are written
//	formfile  NAME=@FILE, a file to read
//	urlencode NAME@FILE, a file to read
//	curlout kubeout  a format that may name a file
//	pipe      a file to write, or a command behind "|"
//	pathspec  a file to write, if it stands behind "--"
//	setting   a setting of git to store; cargoconfig: one of cargo
//	transport an address that may name a program to run
//	sshoption, checkpoint, applescript  settings that may hold a command
//	cd home back  the directory of the shell itself
//	expr      a name that the shell evaluates, and evaluated its value too
//	condition what is tested
//	define    NAME or NAME=VALUE, a variable of the shell, and declare the same
//	          where the name is evaluated too
//	undefine  a variable or a function that is unset
//	arith     an arithmetic expression
//	environ   the name of a variable that the inner command gets, or does not get
//	search    where the inner command is looked for
//	entry     a program that comes before the words to run
//	module    a part of the program that may have a row of its own, "python -m pytest"
//	shellname the shell that gets the text
//
// and for those that end the options:
//
//	argv      a program and its arguments, up to the last word
//	behind    the same behind "--", and nothing that matters before
//	exec      the same, up to ";" or "{} +"
//	argvto    the same, up to ";"
//	inputs    the same up to ":::", with the inputs behind it
//	text      words that are joined with blanks for a shell
//	line      one word that is text for a shell
//	split     one word that env splits into a program and arguments
//	each      words that are each text for a shell
//	handler   text for a shell, and signals
//	marker    what stands for a word of input in the inner command
//	source    a file that the shell itself runs
//	script    a file that the program runs
//	as:NAME   the words of another command, NAME
//	tool      a package's program and its arguments
//	foreign   text for a shell that is no sh
//	alias     NAME=TEXT
//	argv:NAME NAME, if there is no operand
//	none      nothing more runs
type Row struct {
	// Wrapper is true if the command runs another, which is listed too, and
	// Through if it does nothing else: it runs as the same user, here.
	Wrapper bool `json:"wrapper,omitempty"`
	Through bool `json:"through,omitempty"`

	Effects  []Effect `json:"effects,omitempty"`
	Options  string   `json:"options,omitempty"`
	Operands string   `json:"operands,omitempty"`

	// Modes change the row by what is given; the first that holds counts.
	Modes []Mode `json:"modes,omitempty"`

	// Stdin is the use of standard input if no operand or option gave code
	// or text: "text" for a shell, "code" for other interpreters, "lines" for
	// commands of an editor or a client, a shell's behind "!" and the like, "cron"
	// for times and commands, "sent" if it goes to another machine, and "foreign"
	// for text that is not analysed.
	Stdin string `json:"stdin,omitempty"`

	// Subcommands is true if the first operand names a subcommand, which has a
	// row of its own under both words.
	Subcommands bool `json:"subcommands,omitempty"`

	// Global is true if the options may stand behind the subcommand as well.
	Global bool `json:"global,omitempty"`

	// Dash is true if options are whole words with one dash: "-name".
	Dash bool `json:"dash,omitempty"`

	// Loose is true if an option may have any number of dashes, however long it is,
	// as those of npm may. It holds for the subcommands too.
	Loose bool `json:"loose,omitempty"`

	// Bundle is true if the first word is a cluster of options without dash.
	Bundle bool `json:"bundle,omitempty"`

	// Shy is true if an option does not take a word that begins with a dash.
	Shy bool `json:"shy,omitempty"`

	// Chains is true if a ";" at the end of a word begins another subcommand.
	Chains bool `json:"chains,omitempty"`

	// Plain is true if no word is an option.
	Plain bool `json:"plain,omitempty"`

	// Walks is true if what stands for input is a path below the operands.
	Walks bool `json:"walks,omitempty"`

	// Ordered is true if no option stands behind an operand.
	Ordered bool `json:"ordered,omitempty"`

	// Apart is true if no argument is attached to an option of one letter.
	Apart bool `json:"apart,omitempty"`

	// Appends is true if words are added that only run time knows.
	Appends bool `json:"appends,omitempty"`

	// Same is true if what is run runs in the same shell, so that a cd in it
	// holds for what follows.
	Same bool `json:"same,omitempty"`

	// Bash is true if a text to run is read as bash reads it. Otherwise the shell
	// is the one called sh.
	Bash bool `json:"bash,omitempty"`

	// Away is true if what is run sees other files than the shell does.
	Away bool `json:"away,omitempty"`
}

// A Mode replaces the effects and operands of a [Row], and comes before its
// options, if one of the options When is given, or if When is empty and there
// are no more operands than the mode has uses. A mode without an effect of the
// row's holds only for just what it says: if there are no more operands than
// uses, and no option that is given writes or deletes.
type Mode struct {
	When     string   `json:"when"`
	Effects  []Effect `json:"effects"`
	Options  string   `json:"options,omitempty"`
	Operands string   `json:"operands,omitempty"`
}

// A Variable is a row of the table of environment variables.
type Variable struct {
	Name   string `json:"name"`   // a name, or a pattern with *
	Reason string `json:"reason"` // a phrase: "runs a program"

	// Use is "run" if the value is text that is run, "filter" if it is run with
	// arguments, "prompt" if the shell expands it, "function" if it is the body
	// of a function, "makecode" if make evaluates it, "write" if it is a file that
	// is written, and empty otherwise.
	Use string `json:"use,omitempty"`

	// Harmless are the values that mean nothing.
	Harmless []string `json:"harmless,omitempty"`

	// Words are the words of a value that means nothing, or patterns of them.
	Words []string `json:"words,omitempty"`

	// Inside are the commands that run code of the folder they work in anyway, so
	// that a list of relative paths below it means nothing to them.
	Inside []string `json:"inside,omitempty"`

	// Fold is true if the case of the name does not matter; Name is in small letters
	// then.
	Fold bool `json:"fold,omitempty"`

	// Holds are the texts of which a value that means something holds one. If
	// empty, every value does.
	Holds []string `json:"holds,omitempty"`
}

// systems are the directories whose programs are what their name says.
var systems = []string{
	"/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin", "/opt/local/bin",
}

// Document returns all that is known, what ships and what was added, as policy
// reads it.
func (t *Tables) Document() map[string]any {
	if t == nil {
		t = &Tables{}
	}
	commands := shippedRows()
	maps.Copy(commands, t.Commands)
	arity := maps.Clone(shippedArity())
	maps.Copy(arity, t.Arity)
	return map[string]any{
		"commands": commands, "arity": arity, "aliases": shippedAliases(), "git_config": gitConfig(),
		"environment": slices.Concat(t.Environment, shippedEnvironment()),
	}
}

// Prefix returns the words that make the name of the command with the given
// words, joined by a space: the longest name in Arity that words begin with
// tells how many. Options are left out; without words it is empty.
func (t *Tables) Prefix(words []string) string {
	const longest = 3 // words in a name of Arity
	var text strings.Builder
	var ends [longest + 1]int // of the words in the text
	n := 0
	for _, w := range words {
		if n == len(ends) {
			break
		}
		if n > 0 && strings.HasPrefix(w, "-") {
			continue
		}
		if n == 0 && (t == nil || len(t.Arity) == 0) {
			if _, ok := shippedArity()[w]; !ok {
				return w
			}
		}
		if n > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(w)
		ends[n] = text.Len()
		n++
	}
	if n == 0 {
		return ""
	}
	for i := min(n, longest); i > 0; i-- {
		if want, ok := t.words(text.String()[:ends[i-1]]); ok {
			return text.String()[:ends[min(want, n)-1]]
		}
	}
	return text.String()[:ends[0]]
}

// words returns how many words make the name of a command that begins so.
func (t *Tables) words(name string) (int, bool) {
	if t != nil {
		if n, ok := t.Arity[name]; ok {
			return n, true
		}
	}
	n, ok := shippedArity()[name]
	return n, ok
}

// A known is a row with its options, read.
type known struct {
	Row
	list *optionList
}

// unknown is the row of a program of which nothing is known.
var unknown = &known{list: noOptions}

// row returns the row of a command's name.
func (t *Tables) row(name string) (*known, bool) {
	if r, ok := t.named(name); ok {
		return r, true
	}
	if strings.Count(name, " ") != 2 {
		return nil, false
	}
	words := strings.Split(name, " ")
	return t.named(words[0] + " * " + words[2])
}

func (t *Tables) named(name string) (*known, bool) {
	if t != nil {
		if r, ok := t.Commands[name]; ok {
			return &known{r, optionsOf(r.Options)}, true
		}
	}
	return shippedRow(name)
}

// hasSubcommands reports whether a subcommand of the command has a row.
func (t *Tables) hasSubcommands(name string) bool {
	if t != nil {
		for other := range t.Commands {
			if strings.HasPrefix(other, name+" ") {
				return true
			}
		}
	}
	return strings.Contains(commands, "\n"+nameField+name+" ")
}

// variable returns the row for an assignment that means something.
func (t *Tables) variable(name, value string) (Variable, bool) {
	var v *Variable
	if t != nil {
		v = rowOfVariable(t.Environment, name)
	}
	if v == nil {
		v = shippedVariables().find(name)
	}
	if v == nil {
		return Variable{}, false
	}
	if len(v.Words) > 0 && !slices.ContainsFunc(strings.Fields(value), func(w string) bool { return !v.harmless(w) }) {
		return Variable{}, false
	}
	holds := len(v.Holds) == 0 || slices.ContainsFunc(v.Holds, func(part string) bool { return strings.Contains(value, part) })
	if !holds || slices.Contains(v.Harmless, value) {
		return Variable{}, false
	}
	return *v, v.Reason != ""
}

// harmless reports whether a word of a value is one that means nothing. What only
// run time knows may be several.
func (v *Variable) harmless(w string) bool {
	return !strings.ContainsAny(w, "$`") && slices.ContainsFunc(v.Words, func(p string) bool { return match(p, w) })
}

// inside reports whether an assignment lists paths below the directory alone, which
// is what the command looks at anyway. One that only runs others leaves it to them.
func (t *Tables) inside(a Assign, command string, through bool) bool {
	if v, ok := t.variable(a.Name, a.Value); !ok || a.Dynamic || len(v.Inside) == 0 || !through && !slices.Contains(v.Inside, command) {
		return false
	}
	for entry := range strings.SplitSeq(a.Value, ":") {
		if strings.HasPrefix(entry, "/") || strings.HasPrefix(entry, "~") || slices.Contains(strings.Split(entry, "/"), "..") {
			return false
		}
	}
	return true
}

// named reports whether the row is for the name.
func (v *Variable) named(name string) bool {
	if v.Fold {
		name = strings.ToLower(name)
	}
	return match(v.Name, name)
}

// rowOfVariable returns the first row for the name in a list, or nil.
func rowOfVariable(list []Variable, name string) *Variable {
	for i := range list {
		if list[i].named(name) {
			return &list[i]
		}
	}
	return nil
}

// match reports whether s is pattern, in which each * is any text.
func match(pattern, s string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == s
	}
	if !strings.HasPrefix(s, head) {
		return false
	}
	s = s[len(head):]
	for {
		part, more, star := strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(s, part)
		}
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s, rest = s[i+len(part):], more
	}
}
