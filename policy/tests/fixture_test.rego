package policy.tests_test

# decision is what policy decides on the document by the rules, each written as
# [layer, permission, pattern, action].
decision(document, written) := answer if {
	answer := data.policy.decision with input as document
		with data.policy.rules as rules(written)
		with data.policy.index as index(rules(written))
		with data.policy.wildcards as wildcards(rules(written))
}

rules(written) := [rule |
	some number, [layer, permission, pattern, action] in written
	rule := {
		"permission": permission, "pattern": pattern, "action": action, "layer": layer, "source": "settings:1",
		"order": _layers[layer].order, "trust": _layers[layer].trust, "number": number,
	}
]

_layers := {
	"default": {"order": 0, "trust": "user"},
	"managed": {"order": 1, "trust": "managed"},
	"global": {"order": 3, "trust": "user"},
	"project": {"order": 5, "trust": "none"},
	"trusted": {"order": 5, "trust": "project"},
	"flag": {"order": 8, "trust": "user"},
	"approvals": {"order": 9, "trust": "user"},
}

# index lists all rules of a permission for every text.
index(in_force) := {permission: shelf |
	some permission in {rule.permission | some rule in in_force}
	shelf := {
		"lengths": [0],
		"prefixes": {"": [n | some n, rule in in_force; rule.permission == permission]},
		"programs": {},
	}
}

wildcards(in_force) := [permission |
	some permission in {rule.permission | some rule in in_force}
	regex.match(`[*?]`, permission)
]

preset(name) := [["global", rule.permission, rule.pattern, rule.action] |
	some rule in data.policy.presets[name].rules
]

# package_of is the entry of data.policy.packages for the package at the path.
package_of(path) := {
	"name": concat(".", path), "path": path, "layer": "managed", "order": 1, "trust": "managed",
	"floors": true, "computes": true,
}

document := {
	"version": 1,
	"call": {"tool": "bash", "input": {}, "cwd": "/w", "session": "", "agent": "", "mode": ""},
	"tool": {"name": "bash", "kind": "shell", "permission": "bash"},
	"workspace": {"root": "/w", "real": "/real/w"},
	"user": {"name": "ann", "home": "/home/ann"},
	"host": {"name": "box", "os": "linux"},
	"time": "2026-11-29T23:30:00Z",
	"requests": [], "commands": [], "paths": [], "patch": [], "urls": [], "mcp": null,
	"script": {"text": "", "assigns": [], "functions": [], "redirects": [], "unparsed": []},
}

# tool is the document of a call of a tool that makes one request.
tool(name, kind, permission, pattern) := object.union(document, {
	"tool": {"name": name, "kind": kind, "permission": permission},
	"requests": [{
		"permission": permission, "patterns": [pattern], "always": [pattern],
		"targets": [target(pattern, {})],
	}],
})

target(pattern, fields) := object.union(
	{"pattern": pattern, "forms": [pattern], "judges": "any", "command": -1},
	fields,
)

# shell is the document of a shell text that runs the commands.
shell(commands) := object.union(document, {
	"script": {
		"text": concat("\n", [c.source | some c in commands]),
		"assigns": [], "functions": [], "redirects": [], "unparsed": [],
	},
	"commands": commands,
	"requests": [{
		"permission": "bash", "patterns": [c.prefix | some c in commands], "always": [],
		"targets": [target(c.text, {
			"command": i, "strict": [c.name], "options": c.options,
			"operands": array.concat([c.name], c.operands),
		}) |
			some i, c in commands
		],
	}],
})

# unparsed is the document of a shell text that cannot be analysed.
unparsed(text, words) := object.union(document, {
	"script": {
		"text": text, "assigns": [], "functions": [], "redirects": [],
		"unparsed": [{"text": text, "reason": "syntax error", "words": words}],
	},
	"requests": [{
		"permission": "bash", "patterns": [text], "always": [],
		"targets": [target(sprintf("(unparsed) %s", [text]), {"opaque": true})],
	}],
})

# command is a command that is known to read, with words that are no options.
command(text, fields) := object.union(
	{
		"name": split(text, " ")[0], "program": split(text, " ")[0], "system": true,
		"args": [{"text": word} | some i, word in split(text, " "); i > 0],
		"text": text, "canonical": text, "transparent": true, "source": text, "prefix": text, "options": [],
		"operands": [word | some i, word in split(text, " "); i > 0; not startswith(word, "-")],
		"assigns": [], "redirects": [], "wrappers": [], "wrapper": false, "dir": "", "dir_dynamic": false,
		"stdin": "", "dynamic": false, "known": true, "effects": ["read"], "operations": [], "hazards": [],
		"line": 1, "column": 1, "start": 0, "end": count(text), "cwd": "/w",
	},
	fields,
)

# path is an entry for a path below the workspace.
path(relative, access) := {
	"path": relative, "absolute": concat("/", ["/w", relative]), "real": concat("/", ["/real/w", relative]),
	"relative": relative, "inside": true, "access": access, "origin": "tool", "command": -1,
}

# away is an entry for a path outside the workspace.
away(absolute, access) := {
	"path": absolute, "absolute": absolute, "real": absolute, "relative": "", "inside": false,
	"access": access, "origin": "tool", "command": -1,
}

# edit is the document of an edit of the file.
edit(file) := object.union(tool("edit", "edit", "edit", file), {"paths": [path(file, "write")]})

# mcp is the document of a call of the tool of a server called github.
mcp(name, arguments) := object.union(
	tool(sprintf("mcp__github__%s", [name]), "mcp", sprintf("mcp__github__%s", [name]), "*"),
	{"mcp": {"server": "github", "tool": name, "arguments": arguments}},
)

# verdict is what rules alone say of the document, as strict as the strictest.
verdict(document, written) := answer if {
	actions := {said.action | some said in data.policy.match.judge(document.requests, [])} with input as document
		with data.policy.rules as rules(written)
		with data.policy.index as index(rules(written))
		with data.policy.wildcards as wildcards(rules(written))
	answer := [action | some action in ["deny", "ask", "allow"]; action in actions][0]
}

# written is a preset's rules as those of a layer.
written(stated) := [["global", rule.permission, rule.pattern, rule.action] | some rule in stated]
