# METADATA
# title: Teams' policies
# description: |
#   Collects what policies say of a call: the packages of teams below org, and
#   the presets in force. data.policy.packages lists them.
# schemas:
#   - input: schema.input
package policy.teams

# METADATA
# description: What the policies find, each with its reason and what it is about.
findings contains finding if {
	some pkg in data.policy.packages
	some action in ["allow", "ask", "deny"]
	some said in _said(pkg, action)
	finding := {
		"policy": pkg.name,
		"action": action,
		"reason": _reason(pkg, said),
		"target": _target(said),
		"layer": pkg.layer,
		"order": pkg.order,
		"trust": pkg.trust,
	}
}

# METADATA
# description: |
#   The rules that policies compute from the call, and their allow findings as
#   rules for just the target that they name.
rules := array.concat(
	[object.union(allowance, {"number": 2000000000 + n}) | some n, allowance in _allowances],
	[object.union(rule, {"number": 1000000000 + n}) | some n, rule in _computed],
)

# METADATA
# description: The floors that policies state, as rules that only tighten.
floors := [floor |
	some pkg in data.policy.packages
	pkg.floors
	some written in _document(pkg).floors
	floor := object.union({"reason": "the policy asks for it"}, object.union(_placed(pkg), written))
]

_allowances := [_allowance(finding) |
	some finding in findings
	finding.action == "allow"
]

_computed := [object.union(_placed(pkg), written) |
	some pkg in data.policy.packages
	pkg.computes
	some written in _document(pkg).rules
]

# An allow without a target is for the whole call, and is narrower than a rule
# for everything: it does not decide what cannot be understood.
_allowance(finding) := object.union(
	{
		"permission": "*", "action": "allow", "layer": finding.layer, "order": finding.order,
		"trust": finding.trust, "source": finding.policy,
	},
	_extent(finding.target),
)

_extent("") := {"pattern": "**"}

_extent(target) := {"pattern": target, "exact": true} if target != ""

_placed(pkg) := {
	"layer": pkg.layer,
	"order": pkg.order,
	"trust": pkg.trust,
	"source": pkg.name,
}

_said(pkg, action) := said if {
	said := _document(pkg)[action]
	not is_boolean(said)
} else := [true] if {
	_document(pkg)[action] == true
}

_reason(_, said) := said if is_string(said)

_reason(pkg, said) := object.get(said, "reason", sprintf("%s gives no reason", [pkg.name])) if is_object(said)

_reason(pkg, said) := sprintf("%s gives no reason", [pkg.name]) if {
	not is_string(said)
	not is_object(said)
}

default _target(_) := ""

_target(said) := sprintf("%v", [said.target]) if is_object(said)

# Only the document that is asked for is evaluated, not its neighbours.
_document(pkg) := data.policy.presets[pkg.path[2]] if pkg.path[0] == "policy"

_document(pkg) := data.org[pkg.path[1]] if {
	pkg.path[0] == "org"
	count(pkg.path) == 2
}

_document(pkg) := data.org[pkg.path[1]][pkg.path[2]] if {
	pkg.path[0] == "org"
	count(pkg.path) == 3
}

_document(pkg) := data.org[pkg.path[1]][pkg.path[2]][pkg.path[3]] if {
	pkg.path[0] == "org"
	count(pkg.path) == 4
}
