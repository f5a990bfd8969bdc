package policy.tests_test

_cat(fields) := shell([command("cat a", fields)])

_hazard := {"kind": "option", "word": "-o", "reason": "writes files"}

_unknown_file := {"path": "$X", "effect": "read", "dynamic": true, "listed": true}

_speaking(name) := object.union(package_of(["policy", "presets", name]), {
	"layer": "global", "order": 3, "trust": "user", "floors": false, "computes": false,
})

test_careful[name] if {
	some name, [document, want] in {
		"edit": [edit("a.go"), "ask"],
		"command that writes": [_cat({"effects": ["write"]}), "ask"],
		"list of things to do": [tool("todowrite", "other", "todowrite", "*"), "allow"],
		"command that reads": [_cat({}), "allow"],
		"command in a folder of the workspace": [_cat({"cwd": "/w/src"}), "allow"],
		"command in the workspace behind links": [_cat({"cwd": "/real/w"}), "allow"],
		"command outside the workspace": [_cat({"cwd": "/etc"}), "ask"],
		"command in a folder that begins like the workspace": [_cat({"cwd": "/w2"}), "ask"],
		"command in a folder that run time knows": [_cat({"cwd": ""}), "ask"],
		"command that nobody knows": [_cat({"known": false}), "ask"],
		"program of the same name elsewhere": [_cat({"system": false}), "ask"],
		"command that runs another": [_cat({"wrapper": true}), "ask"],
		"command that cannot be analysed": [_cat({"unparsed": "why"}), "ask"],
		"command that talks to other machines": [_cat({"effects": ["read", "network"]}), "ask"],
		"command with a hazard": [_cat({"hazards": [_hazard]}), "ask"],
		"command with an assignment": [_cat({"assigns": [{"name": "A", "value": "b", "source": "A=b"}]}), "ask"],
		"command with a file that run time knows": [_cat({"operations": [_unknown_file]}), "ask"],
		"command with a word that run time knows": [_cat({"args": [{"text": "$X", "dynamic": true}]}), "ask"],
	}

	got := decision(document, preset("careful")) with data.policy.packages as [_speaking("careful")]

	got.action == want
}

test_plan[name] if {
	some name, [document, want] in {
		"edit": [edit("a.go"), "deny"],
		"edit of a file that is not named": [tool("edit", "edit", "edit", "*"), "deny"],
		"command that writes": [_cat({"effects": ["write"]}), "deny"],
		"MCP tool": [mcp("create_issue", {}), "ask"],
		"list of things to do": [tool("todowrite", "other", "todowrite", "*"), "allow"],
		"fetch": [tool("webfetch", "fetch", "webfetch", "https://a.example/"), "allow"],
		"command that reads": [_cat({}), "allow"],
		"command in a folder of the workspace": [_cat({"cwd": "/w/src"}), "allow"],
		"command in the workspace behind links": [_cat({"cwd": "/real/w"}), "allow"],
		"command outside the workspace": [_cat({"cwd": "/etc"}), "ask"],
		"command in a folder that begins like the workspace": [_cat({"cwd": "/w2"}), "ask"],
		"command in a folder that run time knows": [_cat({"cwd": ""}), "ask"],
		"command that nobody knows": [_cat({"known": false}), "ask"],
		"program of the same name elsewhere": [_cat({"system": false}), "ask"],
		"command that runs another": [_cat({"wrapper": true}), "ask"],
		"command that cannot be analysed": [_cat({"unparsed": "why"}), "ask"],
		"command that talks to other machines": [_cat({"effects": ["read", "network"]}), "ask"],
		"command with a hazard": [_cat({"hazards": [_hazard]}), "ask"],
		"command with an assignment": [_cat({"assigns": [{"name": "A", "value": "b", "source": "A=b"}]}), "ask"],
		"command with a file that run time knows": [_cat({"operations": [_unknown_file]}), "ask"],
		"command with a word that run time knows": [_cat({"args": [{"text": "$X", "dynamic": true}]}), "ask"],
	}

	got := decision(document, preset("plan")) with data.policy.packages as [_speaking("plan")]

	got.action == want
}

test_writing_a_file_called_like_a_reading_command_is_not_allowed[name] if {
	some name, want in {"careful": "ask", "plan": "deny"}
	plain := shell([command("ls", {})])
	document := object.union(plain, {
		"requests": array.concat(plain.requests, edit("ls").requests),
		"paths": [path("ls", "write")],
	})

	got := decision(document, preset(name)) with data.policy.packages as [_speaking(name)]

	got.action == want
}

test_plan_lets_plan_files_be_written if {
	got := decision(edit("plans/a.md"), preset("plan")) with data.policy.packages as [_speaking("plan")]
		with data.policy.plan_files as ["/real/w/plans/*"]

	got.action == "allow"
}

test_plan_says_what_would_be_written if {
	got := decision(edit("a.go"), preset("plan")) with data.policy.packages as [_speaking("plan")]

	got.reason == "a.go would be written, and planning writes nothing (floor: policy policy.presets.plan)"
}
