package policy.answer_test

import data.policy.answer

_verdict(action, rule) := {"permission": "edit", "pattern": "a", "text": "a", "action": action, "rule": rule}

_rule(action) := {"permission": "edit", "pattern": "*.go", "action": action, "source": "settings.yaml:3"}

_floor := {"name": "mode", "action": "deny", "reason": "a would be written", "target": "a"}

test_sentence[name] if {
	some name, [action, verdicts, floors, want] in {
		"allowed by a rule": [
			"allow", [_verdict("allow", _rule("allow"))], [],
			`edit a: allowed by rule edit: {"*.go": allow} (settings.yaml:3)`,
		],
		"asked by a rule": [
			"ask", [_verdict("ask", _rule("ask"))], [],
			`edit a: asked by rule edit: {"*.go": ask} (settings.yaml:3)`,
		],
		"denied by a rule and a floor": [
			"deny", [_verdict("deny", _rule("deny"))], [_floor],
			`edit a: denied by rule edit: {"*.go": deny} (settings.yaml:3)`,
		],
		"denied by a floor": ["deny", [_verdict("allow", _rule("allow"))], [_floor], "a would be written (floor: mode)"],
		"asked for want of a rule": ["ask", [_verdict("ask", null)], [], "edit a: no rule speaks of it"],
		"the first that decides": [
			"ask", [_verdict("allow", _rule("allow")), _verdict("ask", null)], [],
			"edit a: no rule speaks of it",
		],
		"allowed for want of a rule explains nothing": [
			"allow", [_verdict("allow", null), _verdict("allow", _rule("allow"))], [],
			`edit a: allowed by rule edit: {"*.go": allow} (settings.yaml:3)`,
		],
		"nothing": ["deny", [], [], "the call has nothing that could be judged"],
	}

	answer.sentence(action, verdicts, floors) == want
}
