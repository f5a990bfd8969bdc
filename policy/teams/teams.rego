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
	some said in _listed(_document(pkg)[action])
	not _void(action, said)
	finding := {
		"policy": pkg.name,
		"action": action,
		"reason": _reason(pkg, said),
		"permission": _permission(said),
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
	[object.union(_rule(said), {"number": 1000000000 + n}) | some n, said in _computed; _whole(said.rule)],
)

# METADATA
# description: |
#   The floors of the organisation and of policies, as rules that only tighten.
#   What a policy writes that is no rule denies everything.
floors := [_floor(said) |
	some said in array.concat(_stated, [said | some said in _computed; not _whole(said.rule)])
]

_stated := array.concat(
	[{"pkg": {"name": "data.policy.managed"}, "rule": floor} | some floor in data.policy.managed.floors],
	[{"pkg": pkg, "rule": written} |
		some pkg in data.policy.packages
		pkg.floors
		some written in _listed(_document(pkg).floors)
	],
)

_computed := [{"pkg": pkg, "rule": written} |
	some pkg in data.policy.packages
	pkg.computes
	some written in _listed(_document(pkg).rules)
]

_allowances := [_allowance(finding) |
	some finding in findings
	finding.action == "allow"
]

# An allow without a target is for the whole call, and is narrower than a rule
# for everything: it does not decide what cannot be understood.
_allowance(finding) := object.union(
	{
		"permission": finding.permission, "action": "allow", "layer": finding.layer, "order": finding.order,
		"trust": finding.trust, "source": finding.policy,
	},
	_extent(finding.target),
)

_extent("") := {"pattern": "**"}

_extent(target) := {"pattern": target, "exact": true} if target != ""

# What a policy writes has no say in where its rules stand.
_rule(said) := object.union(object.filter(said.rule, _fields), {
	"layer": said.pkg.layer,
	"order": said.pkg.order,
	"trust": said.pkg.trust,
	"source": said.pkg.name,
})

_floor(said) := object.union(
	object.filter(said.rule, _fields),
	{"reason": object.get(said.rule, "reason", _default_reason(said))},
) if {
	_whole(said.rule)
	said.rule.action != "allow"
} else := {
	"permission": "*", "pattern": "*", "action": "deny",
	"reason": sprintf("%s has a rule that cannot be read: %v", [said.pkg.name, said.rule]),
}

_default_reason(said) := sprintf("%s lets nobody below %s for %s %q", [
	said.pkg.name, said.rule.action, said.rule.permission, said.rule.pattern,
])

_fields := {"permission", "pattern", "action"}

_whole(rule) if {
	is_string(rule.permission)
	is_string(rule.pattern)
	rule.action in {"allow", "ask", "deny"}
}

# One thing, or several: whatever a policy gives that is not false counts.
_listed(said) := said if {
	type_name(said) in {"array", "set"}
} else := [] if {
	said == false
} else := [_entry(key, value) | some key, value in said] if {
	is_object(said)
	object.keys(said) & {"reason", "target"} == set()
} else := [said]

_entry(key, true) := key

_entry(_, value) := value if value != true

# An allow has to be clear about what it allows.
_void("allow", said) if not type_name(said) in {"string", "object", "boolean"}

_void("allow", said) if said in {false, ""}

_void("allow", said) if said.target == ""

_void("allow", said) if {
	is_object(said)
	not "target" in object.keys(said)
	object.keys(said) - {"reason", "permission"} != set()
}

_reason(_, said) := said if is_string(said)

_reason(pkg, said) := object.get(_told(said), "reason", sprintf("%s gives no reason", [pkg.name])) if {
	not is_string(said)
}

default _told(_) := {}

_told(said) := {"reason": sprintf("%v", [reason])} if {
	reason := said.reason
	not reason in {"", null}
}

default _target(_) := ""

_target(said) := sprintf("%v", [said.target])

default _permission(_) := "*"

_permission(said) := sprintf("%v", [said.permission])

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
