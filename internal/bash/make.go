package bash

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// makeShell is what gives a shell text in what make evaluates.
var makeShell = regexp.MustCompile(`\$\(shell\s+([^()]*)\)`)

// quotedParts are the parts of a text in quotes.
var quotedParts = regexp.MustCompile(`'[^']*'|"[^"$\x60]*"`)

// makeAssign is an operand of make's that sets a variable, by any of the operators
// of a makefile.
var makeAssign = regexp.MustCompile(`(?s)^\s*([^\s:+?!=]+)\s*(:{1,3}|[+?!]|)=\s*(.*)$`)

// makeOperand notes a goal or a variable.
func (f *facts) makeOperand(w word) {
	m := makeAssign.FindStringSubmatch(w.Text)
	if m == nil {
		if leadsOut(w) {
			f.use("into", w, "", nil) // it is made there
		}
		return
	}
	name, operator, value := m[1], m[2], w.part(m[3])
	if operator == "!" {
		f.code("run", value, w.Text)
	}
	if o, ok := f.scan.list.find(name); ok && o.arg == '=' {
		f.use(o.uses, value, name, f.scan.row.Effects)
	}
	f.exported(name, value, w.Text)
	if w.Dynamic && !w.bounded || strings.ContainsAny(quotedParts.ReplaceAllString(m[3], ""), ";|&`\n") {
		f.hazard("code", w.Text, "goes into what make runs")
	}
	if !w.Dynamic && (strings.Contains(w.Text, "$") || operator == "!") {
		f.hazard("code", w.Text, "has make evaluate it")
		f.reject("make evaluates a variable")
	}
	if leadsOut(value) && (slices.Contains(destinations, name) || strings.HasSuffix(name, "dir")) {
		f.use("into", value, "", nil)
	} else {
		f.likely(value)
	}
}

// leadsOut reports whether a path ends outside of the directory.
func leadsOut(w word) bool { return outside(static(path.Clean(w.Text))) }

// destinations are the variables that makefiles install and build below, beside
// those that end in "dir".
var destinations = strings.Fields("DESTDIR PREFIX prefix exec_prefix INSTALL_ROOT INSTALLDIR BINDIR LIBDIR MANDIR DATADIR SYSCONFDIR O OUT OUTPUT OUTDIR BUILDDIR BUILD_DIR DIST_DIR")

// exported notes a variable that make is given, which it hands to what it runs.
func (f *facts) exported(name string, value word, src string) {
	v, found := f.t.tables.variable(name, value.Text)
	if !found || f.t.tables.inside(Assign{Name: name, Value: value.Text, Dynamic: value.Dynamic}, "make", false) {
		return
	}
	f.hazard("environment", src, v.Reason)
	if v.Use == "run" || v.Use == "filter" {
		f.code(v.Use, value, src)
	}
}
