package policy.lib.shell_test

import data.policy.lib.shell
import data.policy.tests_test as fixture

_command(text, fields) := fixture.command(text, fields)

# What is undefined counts as false.
default _runs(_, _) := false

_runs(command, name) if shell.runs(command, name)

test_runs[name] if {
	some name, [text, wanted, want] in {
		"that command": ["git push origin main", "git push", true],
		"program alone": ["git push", "git", true],
		"option in between": ["git --no-pager push", "git push", true],
		"another subcommand": ["git pull", "git push", false],
		"fewer words": ["git", "git push", false],
		"another program": ["echo git push", "git push", false],
		"subcommand as an operand": ["git log push", "git push", false],
		"a star": ["npm run build", "npm run *", true],
		"a star within a word": ["git pull", "git pu*", true],
	}

	_runs(_command(text, {}), wanted) == want
}

default _has(_, _) := false

_has(command, flag) if shell.has_flag(command, flag)

default _may_have(_, _) := false

_may_have(command, flag) if shell.may_have_flag(command, flag)

test_flags[name] if {
	some name, [fields, flag, has, may] in {
		"given": [{"options": ["-f", "--force"]}, "--force", true, true],
		"not given": [{"options": ["-q"]}, "--force", false, false],
		"abbreviated, and unknown": [{"options": ["--forc"], "known": false}, "--force", true, true],
		"shorter option that is known": [{"options": ["--force"]}, "--force-with-lease", false, false],
		"short option is no abbreviation": [{"options": ["-f"], "known": false}, "--force", false, false],
		"two dashes are none": [{"options": ["--"], "known": false}, "--force", false, false],
		"run time knows a word": [{"options": [], "dynamic": true}, "--force", false, true],
		"not to be analysed": [{"options": [], "unparsed": "why"}, "--force", false, true],
	}
	command := _command("git push", fields)

	[_has(command, flag), _may_have(command, flag)] == [has, may]
}

test_option_values[name] if {
	some name, [text, want] in {
		"next word": ["curl -o out x", {"out"}],
		"with an equals sign": ["curl --output=out x", {"out"}],
		"in the same word": ["curl -oout x", {"out"}],
		"long and apart": ["curl --output out x", {"out"}],
		"several": ["curl -o a --output=b x", {"a", "b"}],
		"missing": ["curl -o", set()],
		"longer option": ["curl --output-dir=x y", set()],
		"none": ["curl x", set()],
	}

	shell.option_values(_command(text, {}), {"-o", "--output"}) == want
}

test_names if {
	shell.names(_command("git push origin main", {}), "m*n")
	not shell.names(_command("git push origin dev", {}), "main")
}

test_dynamic if {
	shell.dynamic(_command("ls $X", {"dynamic": true}))
	shell.dynamic(_command("$X", {"unparsed": "only run time knows the command"}))
	not shell.dynamic(_command("ls", {}))
}

test_through if {
	shell.through(_command("rm x", {"wrappers": ["sudo", "env"]}), "env")
	not shell.through(_command("rm x", {}), "sudo")
}

default _does(_, _) := false

_does(command, effect) if shell.does(command, effect)

default _may_do(_, _) := false

_may_do(command, effect) if shell.may_do(command, effect)

test_effects[name] if {
	some name, [fields, does, may] in {
		"has it": [{"effects": ["network"]}, true, true],
		"has not": [{"effects": ["read"]}, false, false],
		"nobody knows": [{"effects": ["read"], "known": false}, false, true],
		"runs code": [{"effects": ["run"]}, false, true],
		"runs what is listed": [{"effects": [], "known": false, "wrapper": true}, false, false],
	}
	command := _command("x", fields)

	[_does(command, "network"), _may_do(command, "network")] == [does, may]
}

default _pushes(_, _) := false

_pushes(command, branch) if shell.pushes_to(command, branch)

test_pushes_to[name] if {
	some name, [text, fields, want] in {
		"named": ["git push origin main", {}, true],
		"another": ["git push origin dev", {}, false],
		"of a longer name": ["git push origin main2", {}, false],
		"in a folder": ["git push origin feature/main", {}, false],
		"by force": ["git push origin +main", {}, true],
		"as destination": ["git push origin HEAD:main", {}, true],
		"as destination in full": ["git push origin +dev:refs/heads/main", {}, true],
		"as source only": ["git push origin main:dev", {}, false],
		"deleted": ["git push origin :main", {}, true],
		"the one in use": ["git push origin HEAD", {}, true],
		"those on both sides": ["git push origin :", {}, true],
		"by a pattern": ["git push origin refs/heads/*:refs/heads/*", {}, true],
		"none": ["git push origin", {}, true],
		"none, and no remote": ["git push", {}, true],
		"all": ["git push origin dev --all", {"options": ["--all"]}, true],
		"one that run time knows": ["git push origin $B", {"dynamic": true}, true],
		"no push": ["git fetch origin main", {}, false],
	}

	_pushes(_command(text, fields), "main") == want
}

test_unclear if {
	unclear := shell.unclear with input as fixture.unparsed("ls \"", ["ls"])

	{thing.target | some thing in unclear} == {"ls \""}
}

test_force_push_to_main_is_denied[name] if {
	some name, [text, fields, want] in {
		"short": ["git push -f origin main", {"options": ["-f", "--force"]}, {"deny"}],
		"variable": ["git push origin $X", {"dynamic": true}, {"deny"}],
		"without force": ["git push origin main", {}, set()],
		"elsewhere": ["git push -f origin dev", {"options": ["-f", "--force"]}, set()],
	}
	document := fixture.shell([_command(text, fields)])

	said := {"deny" |
		some command in document.commands
		shell.pushes_to(command, "main")
		shell.may_have_flag(command, "--force")
	}

	said == want
}
