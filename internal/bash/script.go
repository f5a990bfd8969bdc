// Package bash finds the commands that a shell script would run.
//
// It reads, and never expands or executes, nor looks at the file system: a
// word whose value is known only at run time is reported as such, and what
// cannot be analysed is reported as unparsed, for policy to judge. It takes
// time and memory linear in the text, whatever the text.
package bash

// A Script is what a shell text would do: every simple command that it could
// run, in the order of their start in the text, a wrapper before what it runs.
type Script struct {
	Commands []Command

	// Redirects are the files that the shell itself opens, for whatever
	// command, group or none. Here-documents, here-strings and copies of
	// descriptors are not among them.
	Redirects []Redirect

	// Assigns are the assignments that are no prefix of a command, such as
	// those of "X=1; ls": they hold for what follows. What builtins assign
	// (export, declare, read, printf -v, unset) is in the command's Assigns.
	Assigns []Assign

	// Functions are the names of the functions that the text defines.
	Functions []string

	// Unparsed are the parts of the text that could not be analysed. If there
	// is one, the commands may not be all that runs.
	Unparsed []Unparsed
}

// A Command is a simple command, as its program would get it.
type Command struct {
	// Name is the base name of the program: "rm" for "rm", "/bin/rm", "r\m"
	// and "{rm,-rf,x}", and "git" for "git-push". It is empty if only run time
	// knows it.
	Name string `json:"name"`

	// Program is the program's word, unquoted: "/bin/rm".
	Program string `json:"program"`

	// System is true if Program is a bare name or lies in a system directory,
	// so that Name says which program it is.
	System bool `json:"system"`

	// Args are the words after the program's.
	Args []Word `json:"args"`

	// Text is the words, unquoted and joined by one space; a word that only
	// run time knows stands as it is in the source.
	Text string `json:"text"`

	// Canonical is Text without the global options that stand between a
	// program and its subcommand ("git push" of "git -C x push"), and with the
	// program's base name. It is Text where there is nothing to leave out.
	Canonical string `json:"canonical"`

	// Transparent is true if Canonical leaves out nothing that changes what
	// the command may touch, so that an allow rule may be matched with it.
	Transparent bool `json:"transparent"`

	// Source is the command as it stands in the text, assignments and
	// redirections included.
	Source string `json:"source"`

	// Prefix is as many words of Canonical as make the command's name, such as
	// "git push" or "npm run build".
	Prefix string `json:"prefix"`

	// Options are the options that the command is given, each in every
	// spelling that is known to mean it: "-rf" gives "-rf", "-r", "-f" and, for
	// rm, "--recursive" and "--force". What a long one may abbreviate is among
	// them. Values after = are left out.
	Options []string `json:"options"`

	// Implies are the options that other words mean, such as "--force" for the
	// +main of a git push.
	Implies []string `json:"implies,omitempty"`

	// Operands are the words of Canonical behind the program's that are no
	// options and no options' arguments, as far as the tables know: "push" and
	// "origin" for "git -C x push -f origin".
	Operands []string `json:"operands"`

	// Assigns are the assignments before the command, those of the wrappers
	// around it, and what builtins such as export and read assign, of which
	// the value may be known only at run time.
	Assigns []Assign `json:"assigns"`

	// Redirects are those that stand at the command itself.
	Redirects []Redirect `json:"redirects"`

	// Wrappers are the names of the commands that this one was found in, the
	// outermost first: "sudo" for the rm of "sudo rm x".
	Wrappers []string `json:"wrappers"`

	// Wrapper is true if the command runs another that is listed behind it.
	Wrapper bool `json:"wrapper"`

	// Through is true if running what is listed is all that it does: another
	// command, as the same user, on this machine and with its files, or a
	// function that the text defines.
	Through bool `json:"through"`

	// Dir is the directory in force: "" for where the script starts, or what
	// cd and the like have made it, relative to that, absolute, or in the home
	// directory, "~".
	Dir string `json:"dir"`

	// DirDynamic is true if only run time knows the directory.
	DirDynamic bool `json:"dir_dynamic"`

	// Stdin is what feeds the command's standard input: "", "pipe",
	// "heredoc", "herestring" or "file".
	Stdin string `json:"stdin"`

	// Input is the text of the here-document or here-string that feeds the
	// command. InputStatic is true if the text is all that is in it, so that
	// the shell expands nothing in it.
	Input       string `json:"input,omitempty"`
	InputStatic bool   `json:"input_static,omitempty"`

	// Interprets is true if the program runs what it is given as code: a shell,
	// or an interpreter.
	Interprets bool `json:"interprets,omitempty"`

	// Naming is how many of the operands say what is run, such as the script of an
	// interpreter.
	Naming int `json:"-"`

	// Strip and Into are what the options of a command that applies a patch
	// say: how many parts of the names in it do not count, and the directory
	// that they count from. They are empty if no option says so.
	Strip Word `json:"-"`
	Into  Word `json:"-"`

	// Dynamic is true if a word is known only at run time.
	Dynamic bool `json:"dynamic"`

	// Unparsed says why the command cannot be analysed, or is empty if it can.
	Unparsed string `json:"unparsed,omitempty"`

	// Known is true if the tables know what the command does, so that Effects
	// are all of its effects.
	Known bool `json:"known"`

	// Effects are what the command does, each of [Read], [Write], [Delete],
	// [Run] and [Network]: those that are known, if not Known.
	Effects []Effect `json:"effects"`

	// Operations are the files that operands and options name.
	Operations []Operation `json:"operations"`

	// Hazards are what makes a narrow grant for the command say more than its
	// author meant.
	Hazards []Hazard `json:"hazards"`

	// The place of the command in the text. A command that another was given
	// as text, as in sh -c, has the place of that one.
	Line   int `json:"line"`   // 1 for the first
	Column int `json:"column"` // in bytes, 1 for the first
	Start  int `json:"start"`  // byte offset in the text
	End    int `json:"end"`    // byte offset behind the command
}

// A Word is an argument.
type Word struct {
	// Text is the word unquoted, or as it stands in the source if it is
	// Dynamic.
	Text    string `json:"text"`
	Dynamic bool   `json:"dynamic,omitempty"`

	// Glob is true if the word holds an unquoted wildcard, so that the program
	// gets the names of the files that match it.
	Glob bool `json:"glob,omitempty"`
}

// An Effect is a kind of thing that a command does.
type Effect string

// The effects of commands.
const (
	Read    Effect = "read"    // reads files or state
	Write   Effect = "write"   // writes files or state
	Delete  Effect = "delete"  // deletes files or state
	Run     Effect = "run"     // runs programs or code that are not listed
	Network Effect = "network" // talks to other machines
)

// Effects are all of them.
var Effects = []Effect{Read, Write, Delete, Run, Network}

// An Operation is a file that a command names, and what it does with it.
type Operation struct {
	Path    string `json:"path"`
	Effect  Effect `json:"effect"` // Read, Write or Delete
	Dynamic bool   `json:"dynamic,omitempty"`
	Glob    bool   `json:"glob,omitempty"`

	// Away is true if the file is not one of this machine, but of a container or
	// of another machine. It is Dynamic then.
	Away bool `json:"away,omitempty"`

	// Listed is true if the tables know the operand to be a path. Otherwise
	// it merely looks like one, and Effect is Read.
	Listed bool `json:"listed"`
}

// A Redirect is a file that the shell opens.
type Redirect struct {
	// Op is one of > >> >| &> &>> <> < >&, or empty for a file that a command in
	// a text which stays unparsed names.
	Op      string `json:"op"`
	Path    string `json:"path"` // unquoted, or as in the source if Dynamic
	Effect  Effect `json:"effect"`
	Dynamic bool   `json:"dynamic,omitempty"`

	// Glob is true if Path holds an unquoted wildcard: bash opens the file
	// that matches it, if there is one and no other.
	Glob bool `json:"glob,omitempty"`

	// Dir and DirDynamic are as those of [Command].
	Dir        string `json:"dir"`
	DirDynamic bool   `json:"dir_dynamic"`
}

// An Assign is an assignment to a variable.
type Assign struct {
	Name    string `json:"name"`
	Value   string `json:"value"` // unquoted, or as in the source if Dynamic
	Dynamic bool   `json:"dynamic,omitempty"`
	Source  string `json:"source"` // the assignment as it stands in the text

	// Hazard says what the assignment makes other programs do, or is empty.
	Hazard string `json:"hazard,omitempty"`
}

// A Hazard is a reason why a grant for a command does not cover this use of it.
type Hazard struct {
	// Kind is one of environment, option, code, download, redirect, glob.
	Kind   string `json:"kind"`
	Word   string `json:"word"`   // the word or assignment that it is about
	Reason string `json:"reason"` // what it does, as a phrase: "runs a program"
}

// An Unparsed is a part of a text that could not be analysed.
type Unparsed struct {
	Text   string `json:"text"`
	Reason string `json:"reason"`

	// Words are its plain words, each once, as far as they can be told; see
	// [Pieces].
	Words []string `json:"words"`
}
