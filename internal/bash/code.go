package bash

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// code notes an argument that is run.
func (f *facts) code(use string, w word, name string) {
	switch use {
	case "run", "filter":
		f.effects(Run)
		if name != "" {
			f.hazard("option", name, "runs a program")
		}
		if w.Dynamic {
			f.reject("only run time knows the text")
			return
		}
		f.given(use, w.Text)
	case "subtext":
		name, _, _ := strings.Cut(f.scan.name, " ")
		w.Text = name + " " + w.Text
		f.code("run", w, "")
	case "binding":
		w.Text = boundKey.ReplaceAllString(w.Text, "")
		f.code("run", w, name)
	case "makecode":
		f.ran = true
		f.effects(Run)
		f.hazard("code", cmp.Or(name, w.Text), "runs inline code")
		f.given(use, w.Text)
	case "code":
		f.ran = true
		f.effects(Run)
		f.hazard("code", name, "runs inline code")
	case "plugin":
		if strings.HasPrefix(w.head, "no:") {
			return // one that is not loaded
		}
		f.code("code", w, name)
	case "warning":
		if fields := strings.Split(w.Text, ":"); w.Dynamic || len(fields) > 2 && strings.Contains(fields[2], ".") && !strings.HasPrefix(fields[2], "pytest.") {
			f.code("code", w, name)
		}
	case "codefile":
		f.ran = w.Text != "-"
		f.file(Read, w, "", nil)
		f.effects(Run)
		f.hazard("code", name, "runs code from a file")
	case "config":
		f.config(w, name)
	case "transport":
		if command, ok := strings.CutPrefix(w.head, "ext::"); ok {
			f.reject("the address runs a program")
			f.argv(addressed(command))
		}
		f.local(w)
	case "excmd":
		f.ran = true
		f.effects(Run)
		f.hazard("code", name, "runs inline code")
		f.bang(w, "")
	case "sql":
		f.ran = true
		if w.Dynamic || sqlActs.MatchString(w.Text) || clientActs(w.Text) {
			f.effects(Run)
			f.hazard("code", name, "runs inline code")
		}
		f.bang(w, "")
	case "lesscmd":
		f.bang(w, name)
	case "jq", "yq":
		f.query(use, w)
	case "sed":
		f.sed = append(f.sed, w)
	case "awk":
		f.awk(w)
	}
}

// boundKey is a key in a binding of readline's.
var boundKey = regexp.MustCompile(`^\s*"(?:[^"\\]|\\.)*"\s*:?\s*|^[^:\s]*:\s*`)

// given notes text that the command runs as the value of an option.
func (f *facts) given(use, text string) {
	in := f.below().inner()
	in.stdin = input{}
	f.values = append(f.values, value{use, text, in})
}

// addressed returns the words of a program in an address of git's, in which %20
// and "% " are blanks within a word.
func addressed(command string) []word {
	var words []word
	for part := range strings.FieldsSeq(strings.ReplaceAll(command, "% ", "%20")) {
		words = append(words, static(strings.ReplaceAll(part, "%20", " ")))
	}
	return words
}

// cargoConfig notes what a setting of cargo's runs.
func (f *facts) cargoConfig(w word) {
	key, value, _ := strings.Cut(w.Text, "=")
	if slices.ContainsFunc(cargoConfig(), func(p string) bool { return match(p, strings.TrimSpace(key)) }) {
		w.Text = strings.Trim(strings.TrimSpace(value), `"'`)
		f.code("run", w, "")
	}
}

// config notes a setting of git's that is given on the command line.
func (f *facts) config(w word, name string) {
	f.hazard("option", name, "changes git's settings")
	key, value, _ := strings.Cut(w.Text, "=")
	key = strings.ToLower(key)
	if !slices.ContainsFunc(gitConfig(), func(p string) bool { return match(p, key) }) {
		return
	}
	command, bang := strings.CutPrefix(value, "!")
	switch {
	case bang:
	case strings.HasPrefix(key, "alias."):
		command = "git " + value
	case strings.HasPrefix(key, "submodule."):
		return
	}
	w.Text = command
	f.code("run", w, name)
}

// aliased lists what an alias of git's runs that is stored.
func (f *facts) aliased(value word) {
	i := slices.IndexFunc(f.scan.operands, func(w word) bool { return w.start == value.start && w.Text == value.Text })
	command, bang := strings.CutPrefix(value.Text, "!")
	if i > 0 && bang && !value.Dynamic && strings.HasPrefix(strings.ToLower(f.scan.operands[i-1].Text), "alias.") {
		f.given("run", command)
	}
}

// gitSettings notes the settings that git is given by variables: KEY_n with
// VALUE_n, or all in one, each in quotes.
func (f *facts) gitSettings() {
	values := map[string]string{}
	for _, a := range f.Assigns {
		values[a.Name] = a.Value
	}
	for _, a := range f.Assigns {
		if a.Dynamic {
			continue
		}
		if n, ok := strings.CutPrefix(a.Name, "GIT_CONFIG_KEY_"); ok {
			f.config(static(a.Value+"="+values["GIT_CONFIG_VALUE_"+n]), a.Source)
		}
		if a.Name == "GIT_CONFIG_PARAMETERS" {
			for _, m := range gitParameter.FindAllStringSubmatch(a.Value, maxDepth) {
				f.config(static(m[1]), a.Source)
			}
		}
	}
}

// gitParameter is a setting in GIT_CONFIG_PARAMETERS.
var gitParameter = regexp.MustCompile(`'([^']*)'`)

// variable notes a name that the shell assigns to or evaluates.
func (f *facts) variable(use string, w word) {
	if w.Glob {
		f.reject("the shell evaluates the names of files")
		return
	}
	target, value, assigns := strings.Cut(w.Text, "=")
	if use == "expr" || use == "name" {
		target = w.Text
	}
	declares := use == "define" || use == "declare"
	if declares && !f.declared && assigns && (strings.HasPrefix(value, "(") || w.Dynamic && f.scan.has("-a -A")) {
		f.reject("the shell may read an array out of a text")
		return
	}
	name, subscript, ok := strings.Cut(strings.TrimSuffix(target, "+"), "[")
	index, _, _ := strings.Cut(subscript, "]")
	if ok && !number(index) && index != "@" && index != "*" {
		f.reject("the shell evaluates a subscript")
		f.t.codes = append(f.t.codes, w.Text)
		if declares && assigns && !f.declared {
			f.Assigns = append(f.Assigns, f.t.assignment(name, word{Word: Word{Text: w.Text, Dynamic: true}}, w.Text))
		}
		return
	}
	switch {
	case w.Dynamic && (use == "expr" || use == "name" || use == "declare" && !f.declared):
		f.reject("the shell evaluates a name that only run time knows")
	case use == "expr" || declares && f.declared:
	case w.Dynamic:
		f.hazard("environment", w.Text, "sets any variable")
	case !syntax.ValidName(name) && assigns:
		f.Assigns = append(f.Assigns, f.t.assignment(target, static(value), w.Text))
	case !syntax.ValidName(name):
	case declares && !assigns:
		f.Assigns = append(f.Assigns, f.t.assignment(name, word{Word: Word{Text: w.Text, Dynamic: true}}, w.Text))
	case declares:
		f.t.assigned(name, number(value), static(value))
		f.Assigns = append(f.Assigns, f.t.assignment(name, static(value), w.Text))
		f.t.runAssign(f.Assigns[len(f.Assigns)-1], f.sc, &span{f.Start, f.End, f.Line, f.Column})
	default:
		f.t.array(name)
		f.t.assigned(name, false)
		f.Assigns = append(f.Assigns, f.t.assignment(name, word{Word: Word{Text: w.Text, Dynamic: true}}, w.Text))
	}
}

// shellScripts are the texts that an AppleScript gives to a shell, if they are
// written out.
var shellScripts = regexp.MustCompile(`(?i)do\s+shell\s+script\s+("(?:[^"\\]|\\.)*"\s*&?)?`)

// applescript notes a script, and what it gives to a shell.
func (f *facts) applescript(w word, name string) {
	f.ran = true
	f.hazard("code", name, "runs inline code")
	for _, m := range shellScripts.FindAllStringSubmatch(w.Text, maxDepth) {
		text := strings.TrimRight(m[1], " \t\n&")
		if w.Dynamic || text == "" || strings.HasSuffix(m[1], "&") {
			f.reject("only run time knows the text")
			continue
		}
		f.run(unescape(text[1:len(text)-1], `"\`), f.below().inner())
	}
}

// sshOption notes a setting of ssh's that is text to run here.
func (f *facts) sshOption(w word, name string) {
	key, value, ok := strings.Cut(strings.TrimSpace(strings.ReplaceAll(w.Text, "=", " ")), " ")
	if w.Dynamic && (!ok || strings.ContainsAny(key, "$`")) {
		f.reject("only run time knows the setting")
		return
	}
	switch strings.ToLower(strings.Trim(key, `"' `)) {
	case "pkcs11provider", "securitykeyprovider", "xauthlocation":
		f.hazard("option", name, "loads code")
	case "remotecommand":
		w.Text = strings.TrimSpace(value)
		f.code("run", w, name)
	case "proxycommand", "localcommand", "knownhostscommand", "match":
		w.Text = strings.TrimSpace(w.Text[len(w.Text)-len(value):])
		remote := f.below()
		f.in = f.sc.inner()
		f.in.wrappers = remote.wrappers
		f.code("run", w, name)
		f.in = remote
	}
}

// bangs are the commands of editors and pagers that run what is behind "!".
var bangs = regexp.MustCompile(`^\s*(?:\\!|\\?system\s|\.(?:shell|system)\s|shell\s|[:\s%+]*(?:sil\w*!?\s+|exe\w*\s+|r\w*\s*|w\w*\s+)?!)(.+)`)

// clientActs reports whether a text holds a command of the client's own that does
// more than show something.
func clientActs(text string) bool {
	for line := range strings.Lines(text) {
		if m := clientCommand.FindStringSubmatch(line); m != nil && (!slices.Contains(clientShows, m[1]) || strings.Contains(line, "`")) {
			return true
		}
	}
	return false
}

var (
	clientCommand = regexp.MustCompile(`^\s*[.\\](\S*)`)
	clientShows   = strings.Fields("tables schema headers header mode databases indexes indices dump stats timer width nullvalue separator show help quit exit version fullschema eqp changes echo bail print q d dt d+ dt+ di dv df du dn l l+ x a t timing conninfo ?")
)

// sqlActs is what goes beyond the database in a query: files, programs and
// extensions.
var sqlActs = regexp.MustCompile(`(?i)\\[!ogiwc]|\bvacuum\s+into\b|\b(program|system|source|tee|pager|outfile|dumpfile|infile|load_file|load_extension|copy|writefile|readfile|edit|attach|pg_read\w*|pg_ls\w*|lo_import|lo_export|install|load)\b`)

// bang lists what a command of an editor, a pager or a client gives to a shell.
func (f *facts) bang(w word, name string) {
	if m := bangs.FindStringSubmatch(w.Text); m != nil {
		f.code("run", word{Word: Word{Text: m[1], Dynamic: w.Dynamic}}, name)
	}
}

// loads are the words with which queries read files of their own.
var loads = regexp.MustCompile(`\b(import|include)(?:\s|#(?:[^\n]|\\\n)*\n)*"|load\w*\s*\(|\bload_|\bmodulemeta\b`)

// query notes what a query of jq or yq reads.
func (f *facts) query(use string, w word) {
	words := []word{w}
	if use == "yq" {
		words = f.scan.operands // the first may be "eval"
	}
	for _, w := range words {
		if m := loads.FindString(w.Text); m != "" {
			f.effects(Read)
			f.hazard("code", strings.TrimRight(m, " \t\n\"("), "reads files")
		}
	}
}
