package policy.lib.paths_test

import data.policy.lib.paths
import data.policy.tests_test as fixture

_document := fixture.document

# What is undefined counts as false.
default _within(_, _) := false

_within(path, folder) if paths.within(path, folder) with input as _document

default _touches(_, _) := false

_touches(path, folder) if paths.touches(path, folder) with input as _document

default _matches(_, _) := false

_matches(path, pattern) if paths.matches(path, pattern) with input as _document

_in_work(relative) := fixture.path(relative, "write")

test_places[name] if {
	some name, [path, folder, within, touches] in {
		"in the folder": [_in_work("src/a.go"), "src", true, true],
		"in a folder of it": [_in_work("src/b/a.go"), "src/", true, true],
		"the folder itself": [_in_work("src"), "src", true, true],
		"in another": [_in_work("doc/a.md"), "src", false, false],
		"in one that begins so": [_in_work("src2/a.go"), "src", false, false],
		"in the workspace": [_in_work("a"), ".", true, true],
		"in the workspace by another spelling": [_in_work("src/a"), "./src", true, true],
		"holds the folder": [_in_work("src"), "src/secret", false, true],
		"outside": [fixture.away("/etc/x", "write"), "src", false, false],
		"outside, in an absolute folder": [fixture.away("/etc/x", "write"), "/etc", true, true],
		"in the root": [fixture.away("/etc/x", "write"), "/", true, true],
		"in the home": [fixture.away("/home/ann/.ssh/id", "read"), "~/.ssh", true, true],
		"in another's home": [fixture.away("/home/bob/.ssh/id", "read"), "~/.ssh", false, false],
		"a link that leads out": [object.union(_in_work("src/a"), {"real": "/etc/x"}), "src", false, true],
		"a link that leads in": [object.union(_in_work("doc/a"), {"real": "/real/w/src/x"}), "src", false, true],
		"nobody can say": [object.union(_in_work("src/a"), {"error": "a loop"}), "src", false, true],
		"wildcard below": [_in_work("src/*.go"), "src", true, true],
		"wildcard that may be the folder": [_in_work("s*/a.go"), "src", false, true],
		"wildcard that may hold it": [_in_work("s*"), "src/secret", false, true],
		"wildcard that cannot be": [_in_work("d*/a.go"), "src", false, false],
		"text": ["src/a.go", "src", true, true],
		"text of an absolute path": ["/w/src/a.go", "src", true, true],
		"text with a way back": ["src/../a.go", "src", false, true],
		"text with a variable": ["src/$X", "src", false, true],
		"text of a path at home": ["~/.ssh/id", "~/.ssh", true, true],
	}

	[_within(path, folder), _touches(path, folder)] == [within, touches]
}

test_outside if {
	paths.outside(_in_work("doc/a"), "src") with input as _document
	not paths.outside(_in_work("src/a"), "src") with input as _document
}

test_matches[name] if {
	some name, [path, pattern, want] in {
		"relative": [_in_work("config/.env"), "config/.env", true],
		"absolute": [_in_work(".env"), "/w/.env", true],
		"resolved": [_in_work(".env"), "/real/w/.env", true],
		"as written": [object.union(_in_work(".env"), {"path": "./.env"}), "./.env", true],
		"star over slashes": [_in_work("a/b/c.pem"), "*.pem", true],
		"letter case does not count": [_in_work("a.PEM"), "*.pem", true],
		"no": [_in_work("a.go"), "*.pem", false],
		"home": [fixture.away("/home/ann/.aws/credentials", "read"), "~/.aws/*", true],
		"text": ["a/.env", "*/.env", true],
		"wildcard that may be": [_in_work(".en?"), ".env", true],
		"wildcard that may be, by a set": [_in_work(".e[mn]v"), ".env", true],
		"wildcard that may be, in a folder": [_in_work("*/*.p*"), "*.pem", true],
		"wildcard that cannot be": [_in_work("*.go"), "*.pem", false],
		"wildcard beside signs": [_in_work("a+(b)-{c}^$|.en*"), "*.env", true],
		"set that is not closed": [_in_work("a[b"), "*.pem", false],
		"many wildcards may be anything": [_in_work("a*b*c*d*e*f*g*"), "x", true],
	}

	_matches(path, pattern) == want
}

test_named[name] if {
	some name, [relative, want] in {
		"at the top": [".env", true],
		"below": ["a/b/.env", true],
		"by a pattern": ["a/key.pem", true],
		"longer": ["a/x.env", false],
		"may be": ["a/.e*", true],
	}
	names := {".env", "*.pem"}

	_named(_in_work(relative), names) == want
}

default _named(_, _) := false

_named(path, names) if paths.named(path, names) with input as _document

test_has_extension if {
	paths.has_extension(_in_work("a/b.PEM"), ["key", "pem"]) with input as _document
	not paths.has_extension(_in_work("a/pem"), ["key", "pem"]) with input as _document
}

test_reads_and_writes if {
	document := object.union(_document, {"paths": [
		fixture.path("r", "read"), fixture.path("w", "write"), fixture.path("d", "delete"), fixture.path("u", "unknown"),
	]})

	reads := {path.path | some path in paths.reads} with input as document
	writes := {path.path | some path in paths.writes} with input as document

	[reads, writes] == [{"r", "u"}, {"w", "d", "u"}]
}

test_unclear[name] if {
	some name, [document, want] in {
		"file that run time knows": [
			object.union(_document, {"requests": [{"permission": "edit", "targets": [fixture.target("$X", {"opaque": true})]}]}),
			{"$X"},
		],
		"file that is not named": [fixture.tool("read", "read", "read", "*"), {"*"}],
		"command that nobody knows": [fixture.shell([fixture.command("frob", {"known": false})]), {"frob"}],
		"text that cannot be analysed": [fixture.unparsed("ls \"", ["ls"]), {"ls \""}],
		"MCP tool": [fixture.mcp("create", {}), {"mcp__github__create"}],
		"edit": [fixture.edit("a"), set()],
		"command that reads": [fixture.shell([fixture.command("ls", {})]), set()],
	}

	got := paths.unclear with input as document

	got == want
}
