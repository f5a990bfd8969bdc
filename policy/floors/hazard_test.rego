package policy.floors_test

import data.policy.tests_test as fixture

_sort := fixture.command("sort -o x y", {"hazards": [{"kind": "option", "word": "-o", "reason": "writes files"}]})

_tee := fixture.command("tee build/log", {"hazards": [{
	"kind": "redirect",
	"word": "build/log",
	"reason": "writes a file",
}]})

_env := fixture.command("env sort -o x y", {"wrapper": true})

test_hazard[name] if {
	some name, [commands, rules, want] in {
		"allowed by everything": [[_sort], [["global", "bash", "*", "allow"]], "allow"],
		"allowed by a narrow rule": [[_sort], [["global", "bash", "sort *", "allow"]], "ask"],
		"allowed by all stars but not by one": [[_sort], [["global", "bash", "**", "allow"]], "ask"],
		"denied anyway": [[_sort], [["global", "bash", "sort *", "deny"]], "deny"],
		"another command is allowed narrowly": [
			[fixture.command("ls", {}), _sort],
			[["global", "bash", "*", "allow"], ["global", "bash", "ls", "allow"]],
			"allow",
		],
		"a file that the rule does not name": [[_tee], [["global", "bash", "tee *", "allow"]], "ask"],
		"a file that the rule names": [[_tee], [["global", "bash", "tee build/*", "allow"]], "allow"],
		"no hazard": [[fixture.command("sort y", {})], [["global", "bash", "sort *", "allow"]], "allow"],
	}

	fixture.decision(fixture.shell(commands), rules).action == want
}

test_hazard_says_why if {
	got := fixture.decision(fixture.shell([_sort]), [["global", "bash", "sort *", "allow"]])

	got.floors == {{
		"name": "hazard", "action": "ask", "target": "sort -o x y",
		"reason": "-o writes files, which the rule for sort -o x y does not cover",
	}}
}

test_hazard_leaves_derived_targets_alone if {
	plain := fixture.shell([_sort])
	derived := {
		"permission": "edit", "patterns": ["x"], "always": [],
		"targets": [fixture.target("x", {"judges": "permission", "command": 0})],
	}
	document := object.union(plain, {"requests": array.concat(plain.requests, [derived])})

	got := fixture.decision(document, [["global", "bash", "*", "allow"], ["global", "edit", "x", "allow"]])

	got.action == "allow"
}

test_hazard_of_a_wrapper_that_no_rule_judges_is_for_all if {
	hazardous := object.union(_env, {"hazards": [{"kind": "environment", "word": "PATH=x", "reason": "runs a program"}]})
	plain := fixture.shell([hazardous, fixture.command("sort y", {})])
	document := json.patch(plain, [{"op": "replace", "path": "/requests/0/targets/0/judges", "value": "pattern"}])

	fixture.decision(document, [["global", "bash", "sort *", "allow"]]).action == "ask"
}

test_hazard_of_an_assignment[name] if {
	some name, [assign, pattern, want] in {
		"narrow": [{"name": "PATH", "value": "x", "source": "PATH=x", "hazard": "runs programs"}, "ls", "ask"],
		"everything": [{"name": "PATH", "value": "x", "source": "PATH=x", "hazard": "runs programs"}, "*", "allow"],
		"harmless": [{"name": "A", "value": "x", "source": "A=x"}, "ls", "allow"],
	}
	document := json.patch(fixture.shell([fixture.command("ls", {})]), [
		{"op": "replace", "path": "/script/assigns", "value": [assign]},
	])

	fixture.decision(document, [["global", "bash", pattern, "allow"]]).action == want
}

test_hazard_floor_is_met_only_by_a_narrow_allow[name] if {
	some name, [commands, rules] in {
		"denied": [[_sort], [["global", "bash", "sort *", "deny"]]],
		"of another command that no rule judges": [
			[fixture.command("ls", {}), _sort, _env],
			[["global", "bash", "*", "allow"], ["global", "bash", "ls", "allow"]],
		],
	}
	plain := fixture.shell(commands)
	judged := [object.union(target, {"judges": {true: "pattern", false: "any"}[target.pattern == _env.text]}) |
		some target in plain.requests[0].targets
	]
	document := json.patch(plain, [{"op": "replace", "path": "/requests/0/targets", "value": judged}])

	fixture.decision(document, rules).floors == set()
}

test_hazard_of_a_command_is_not_met_by_its_files_that_no_rule_judges if {
	plain := fixture.shell([fixture.command("ls", {}), _sort])
	derived := {
		"permission": "edit", "patterns": ["x"], "always": [],
		"targets": [fixture.target("x", {"judges": "permission", "command": 1})],
	}
	document := object.union(plain, {"requests": array.concat(plain.requests, [derived])})

	got := fixture.decision(document, [["global", "bash", "*", "allow"], ["global", "bash", "ls", "allow"]])

	got.floors == set()
}

test_hazard_of_an_assignment_that_a_rule_names if {
	document := object.union(fixture.tool("bash", "shell", "bash", "PATH=x"), {"script": {
		"text": "PATH=x", "functions": [], "unparsed": [],
		"assigns": [{"name": "PATH", "value": "x", "source": "PATH=x", "hazard": "runs programs"}],
	}})

	fixture.decision(document, [["global", "bash", "PATH=*", "allow"]]).action == "allow"
}
