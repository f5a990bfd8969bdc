package bash

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// shellOptions are the options of the shell that change nothing of what is
// known of the commands behind.
var shellOptions = strings.Fields(`
	errexit nounset pipefail xtrace verbose noclobber noglob errtrace functrace monitor notify hashall braceexpand histexpand history
	nullglob failglob dotglob globstar globasciiranges nocasematch extglob lastpipe inherit_errexit checkwinsize
	histappend cmdhist expand_aliases interactive_comments
`)

// named notes a use in which the word holds the name of a file and more. It
// reports whether the use is such a one.
func (f *facts) named(use string, w word, name string, effects []Effect) bool {
	switch use {
	case "at", "formfile", "urlencode", "curlout", "kubeout":
		f.marked(use, w, name, effects)
	case "base":
		w.Text = path.Base(w.Text)
		f.file(Write, w, name, effects)
	case "stem":
		w.Text += "aa"
		f.file(Write, w, name, effects)
	case "files":
		f.file(Read, w, name, nil)
		f.hazard("option", name, "reads files that another names")
	case "within":
		w = f.inside(w)
		f.within = &w
		f.operation(Operation{Path: w.Text, Effect: Read, Dynamic: w.Dynamic})
	case "page":
		if strings.Contains(w.Text, "/") {
			f.use("files", w, name, effects)
		}
	case "argfile":
		if strings.HasPrefix(w.head, "@") {
			f.use("files", w.part(w.head[1:]), w.Text, effects)
			return true
		}
		f.likely(w)
	case "product":
		if strings.HasPrefix(w.Text, ".") && !strings.HasPrefix(w.Text, "./") && !strings.HasPrefix(w.Text, "../") || strings.Contains(strings.ReplaceAll(w.Text, "/../", "/"), "/.") {
			f.redirect(w, name)
			return true
		}
		f.file(Write, w, name, effects)
	case "report":
		if kind, file, ok := strings.Cut(w.head, ":"); ok && !strings.HasPrefix(kind, "term") {
			f.file(Write, w.part(file), name, effects)
		}
	case "response":
		if strings.HasPrefix(w.head, "@") {
			f.use("files", w.part(w.head[1:]), w.Text, effects)
			return true
		}
		f.file(Read, w, name, effects)
	case "strip":
		f.Strip = w.Word
	case "patchdir":
		f.Into = w.Word
		f.file(Write, w, "", nil)
	case "shellopt":
		if w.Dynamic || w.Glob || !slices.Contains(shellOptions, w.Text) {
			f.hazard("environment", w.Text, "changes what commands mean")
		}
	case "makevar":
		f.makeOperand(w)
	case "gitdir":
		f.file(Read, w, "", nil)
		f.hazard("option", name, "takes another repository, whose settings may run code")
	case "revision":
		f.revision(w)
	case "runfile":
		f.effects(Run)
		f.operation(Operation{Path: w.Text, Effect: Read, Dynamic: w.Dynamic, Glob: w.Glob, Listed: true})
	case "link", "linked":
		f.link(use, w)
	case "volume":
		f.volume(w)
	case "mount":
		f.mount(w)
	case "pair":
		if w.Dynamic || strings.Contains(w.Text, "=") {
			f.effects(Write)
			f.hazard("option", w.Text, "changes a setting")
		}
	case "refspec": // read with the options
	default:
		return false
	}
	return true
}

// marked notes a file whose name stands behind a mark.
func (f *facts) marked(use string, w word, name string, effects []Effect) {
	switch use {
	case "at":
		f.sends(w)
		if w.Text == "@-" && f.sc.stdin.kind != "" && !f.sc.stdin.static {
			f.hazard("code", w.Text, "sends what it is fed")
		}
		if strings.HasPrefix(w.head, "@") && w.Text != "@-" {
			file := w
			file.Text = strings.TrimPrefix(w.Text, "@")
			f.file(Read, file, name, effects)
		}
	case "formfile":
		_, at, _ := strings.Cut(w.head, "=")
		if strings.HasPrefix(at, "<") {
			at = "@" + at[1:]
			w.head, w.Text = at, at
		}
		f.marked("at", w.part(at), name, effects)
	case "urlencode":
		if before, file, ok := strings.Cut(w.head, "@"); ok && !strings.Contains(before, "=") {
			f.file(Read, w.part(file), name, effects)
		}
	case "curlout":
		if strings.Contains(w.Text, "%output{") {
			f.effects(Write)
			f.hazard("option", name, reasons[Write])
		}
		f.marked("at", w, name, effects)
	case "kubeout":
		kind, file, ok := strings.Cut(w.head, "=")
		if ok && (strings.HasSuffix(kind, "-file") || kind == "templatefile") {
			f.file(Read, w.part(file), name, effects)
			f.hazard("option", name, reasons[Read])
		}
	}
}

// url notes a word that is a URL, and reports whether it is one.
func (f *facts) url(w word) bool {
	scheme, rest, ok := strings.Cut(w.Text, "://")
	if !ok || scheme == "" || strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+-.") != "" {
		return false
	}
	if strings.EqualFold(scheme, "file") {
		f.operation(Operation{Path: "/" + strings.TrimLeft(rest, "/"), Effect: Read, Dynamic: w.Dynamic, Listed: true})
		return true
	}
	f.effects(Network)
	if f.scan.known && !slices.Contains(f.scan.row.Effects, Network) {
		f.hazard("option", w.Text, reasons[Network])
	}
	return true
}

// urls notes the files that a program that talks to other machines is given as
// URLs.
func (f *facts) urls() {
	if !slices.Contains(f.Effects, Network) {
		return
	}
	for _, w := range f.words[1:] {
		i := strings.Index(strings.ToLower(w.Text), "file:")
		if i < 0 || i > 0 && strings.IndexByte("=+", w.Text[i-1]) < 0 {
			continue
		}
		file := strings.TrimPrefix(strings.TrimPrefix(w.Text[i+len("file:"):], "//"), "localhost")
		if plain, err := url.PathUnescape(file); err == nil {
			file = plain
		}
		e := Read
		if f.scan.name == "git push" {
			e = Write
		}
		f.operation(Operation{Path: file, Effect: e, Dynamic: w.Dynamic, Listed: true})
	}
}

// revision notes an operand of git's that is a revision, a file in one, or a
// file.
func (f *facts) revision(w word) {
	if w.Dynamic {
		return
	}
	at, file, ok := strings.Cut(w.Text, ":")
	switch {
	case strings.Contains(w.Text, "://"):
	case !ok:
		if looksLikeFile(w.Text) || f.scan.name == "git grep" && !strings.Contains(w.Text, "..") {
			f.file(Read, w, "", nil)
		}
	case at != "":
		w.Text = file
		f.file(Read, w, "", nil)
	default:
		w.Text = strings.TrimLeft(file, "/0123:")
		if strings.HasPrefix(file, "(") {
			_, w.Text, _ = strings.Cut(file, ")")
		}
		if !strings.HasPrefix(file, "!") && !strings.HasPrefix(file, "^") {
			f.file(Read, w, "", nil)
		}
	}
}

// outside reports whether a word is a path that may lead out of the directory.
func outside(w word) bool {
	return w.Text == ".." || strings.HasPrefix(w.Text, "../") || strings.HasPrefix(w.Text, "/") || strings.HasPrefix(w.Text, "~")
}

// extension is what a file's name may end with, but hardly a branch's.
var extension = regexp.MustCompile(`[^.]\.[A-Za-z][A-Za-z0-9_]*$`)

// looksLikeFile reports whether a word that may be a revision is rather a file:
// no name of a revision is a path from elsewhere or has a part that begins with
// a dot.
func looksLikeFile(s string) bool {
	if outside(static(s)) {
		return true
	}
	if strings.Contains(s, "..") {
		return false
	}
	return strings.HasPrefix(s, ".") || strings.Contains(s, "/.") || extension.MatchString(s)
}

// link notes the file that a link is made to: with another name of its own, a
// file is written by both. A link with a target that is relative starts where
// the link is.
func (f *facts) link(use string, w word) {
	s := f.scan
	if use == "linked" {
		if len(s.operands) > 1 {
			f.file(Write, w, "", nil)
			return
		}
		base := w
		base.Text = path.Base(w.Text)
		f.file(Write, base, "", nil)
	}
	if !s.has("-s") {
		f.file(Read, w, "", nil)
		f.file(Write, w, "", nil)
		return
	}
	if !w.Dynamic && !strings.HasPrefix(w.Text, "/") && !strings.HasPrefix(w.Text, "~") {
		dir, dynamic := f.linkDir()
		w.Dynamic = dynamic
		w.Text = path.Join(dir, w.Text)
	}
	f.file(Read, w, "", nil)
}

// linkDir returns the directory in which ln makes its links.
func (f *facts) linkDir() (dir string, dynamic bool) {
	s := f.scan
	for _, g := range s.given {
		if g.last && len(g.values) > 0 {
			return g.values[0].Text, g.values[0].Dynamic
		}
	}
	if len(s.operands) < 2 {
		return "", false
	}
	to := s.operands[len(s.operands)-1]
	if base := path.Base(to.Text); strings.HasSuffix(to.Text, "/") || base == "." || base == ".." {
		return to.Text, to.Dynamic
	}
	return path.Dir(to.Text), to.Dynamic
}

// volume notes a folder that a container gets, SOURCE:TARGET:OPTIONS. A source
// without a slash is the name of a volume.
func (f *facts) volume(w word) {
	from, rest, ok := strings.Cut(w.Text, ":")
	if !ok || !strings.ContainsAny(from, "/$") && !strings.HasPrefix(from, ".") && !strings.HasPrefix(from, "~") {
		return
	}
	e := Write
	if _, options, ok := strings.Cut(rest, ":"); ok && slices.Contains(strings.Split(options, ","), "ro") {
		e = Read
	}
	f.operation(Operation{Path: from, Effect: e, Dynamic: w.Dynamic, Listed: true})
}

// mount notes the same written as KEY=VALUE,KEY=VALUE.
func (f *facts) mount(w word) {
	e, from := Write, ""
	for part := range strings.SplitSeq(w.Text, ",") {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "src", "source":
			from = value
		case "readonly", "ro":
			if value != "false" && value != "0" {
				e = Read
			}
		case "type":
			if value == "volume" || value == "tmpfs" {
				return
			}
		}
	}
	if from != "" {
		f.operation(Operation{Path: from, Effect: e, Dynamic: w.Dynamic, Listed: true})
	}
}

// local notes an address of git's that is a folder of this machine.
func (f *facts) local(w word) {
	host, _, remote := strings.Cut(w.Text, ":")
	if strings.Contains(w.Text, "://") || remote && !strings.Contains(host, "/") || w.Dynamic {
		return
	}
	if !strings.HasPrefix(w.Text, ".") && !strings.HasPrefix(w.Text, "/") && !strings.HasPrefix(w.Text, "~") && f.scan.name != "git clone" {
		return // the name of a remote
	}
	e := Read
	if f.scan.name == "git push" {
		e = Write
	}
	f.operation(Operation{Path: w.Text, Effect: e, Dynamic: w.Dynamic, Listed: true})
}
