package foreign

import (
	"fmt"
	"strings"

	"github.com/permctl/permctl/internal/permission"
)

// A fileRule is a rule for files that wildcards cannot say: where the paths
// begin, a regular expression for what is below, and what is done to the files.
type fileRule struct {
	action permission.Action

	// accesses are those of paths in the input document: read, write, delete and
	// unknown.
	accesses []string

	// from is where the paths begin: workspace, home or /, and up how many
	// folders above that.
	from  string
	up    int
	paths string

	// except is a tool that the rule is not for, or "".
	except string

	origin Origin
}

// The accesses of rules for reading and for writing. One that allows must not
// speak of what nobody knows.
var (
	mayRead    = []string{"read", "unknown"}
	mayWrite   = []string{"write", "delete", "unknown"}
	anyAccess  = []string{"read", "write", "delete", "unknown"}
	sureReads  = []string{"read"}
	sureWrites = []string{"write", "delete"}
)

// everyPath is the regular expression for all paths.
const everyPath = "(?s)^.*$"

// filesPreset returns Rego that decides by the rules: those that deny and ask are
// floors, whatever other rules say.
func filesPreset(rules []fileRule) string {
	if len(rules) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("# The rules for files: where their paths begin, and what stands behind that.\n_files := [\n")
	for _, r := range rules {
		comment(&b, "\t", r.origin)
		fmt.Fprintf(&b, "\t{\n\t\t\"action\": %q, \"accesses\": %s, \"from\": %q, \"up\": %d, \"except\": %q,\n\t\t\"paths\": %s,\n\t\t\"rule\": %s,\n\t},\n",
			string(r.action), quoted(r.accesses), r.from, r.up, r.except, quoted(r.paths), quoted(ruleName(r.origin)))
	}
	b.WriteString("]\n" + filesRego)
	return b.String()
}

// ruleName is how answers name a rule.
func ruleName(from Origin) string {
	return fmt.Sprintf("%s (%s:%d)", oneLine(from.Text), oneLine(from.File), from.Line)
}

const filesRego = `
# To allow needs every name of the path, the one behind links too.
allow contains {"reason": rule.rule, "permission": permission, "target": path.absolute} if {
	some path in input.paths
	not path.error
	some rule in _files
	rule.action == "allow"
	path.access in rule.accesses
	every place in {path.absolute, path.real} {
		_meets(place, rule)
	}
	some permission in _permissions[path.access]
}

_permissions := {
	"read": ["read", "list", "glob", "grep", "external_directory"],
	"write": ["edit", "external_directory"],
	"delete": ["edit", "external_directory"],
}

ask contains {"reason": rule.rule, "target": path.path} if {
	some path in input.paths
	some rule in _files
	rule.action == "ask"
	rule.except != input.tool.name
	path.access in rule.accesses
	_touches(path, rule)
}

deny contains {"reason": rule.rule, "target": path.path} if {
	some path in input.paths
	some rule in _files
	rule.action == "deny"
	rule.except != input.tool.name
	path.access in rule.accesses
	_touches(path, rule)
}

# Where a file is, or which one it is, nobody can tell.
ask contains {"reason": "may be a file that is asked for or denied", "target": path.path} if {
	some path in input.paths
	path.error
	_restricted
}

ask contains {"reason": "may be a file that is asked for or denied", "target": command.text} if {
	some command in input.commands
	some operation in command.operations
	operation.dynamic
	operation.listed
	_restricted
}

_restricted if {
	some rule in _files
	rule.action != "allow"
}

# To ask or deny, any name is enough; and who writes or removes a folder, touches
# what is in it.
_touches(path, rule) if {
	some place in {path.absolute, path.real}
	_meets(place, rule)
}

_touches(path, rule) if {
	path.access != "read"
	some place in {path.absolute, path.real}
	_meets(concat("", [place, "/"]), rule)
}

_meets(place, rule) if {
	some start in _starts(rule)
	regex.match(rule.paths, _below(place, start))
}

_starts(rule) := {concat("/", array.slice(names, 0, count(names) - rule.up)) |
	some root in {input.workspace.root, input.workspace.real}
	names := split(trim_suffix(root, "/"), "/")
} if {
	rule.from == "workspace"
}

_starts(rule) := {trim_suffix(input.user.home, "/")} if {
	rule.from == "home"
	input.user.home != ""
}

_starts(rule) := {""} if rule.from == "/"

_below(place, start) := "" if place == start

_below(place, start) := substring(place, count(start) + 1, -1) if startswith(place, concat("", [start, "/"]))
`
