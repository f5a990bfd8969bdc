package policy.floors_test

import data.policy.tests_test as fixture

test_protected_path[name] if {
	some name, [access, want] in {
		"written": ["write", "ask"],
		"deleted": ["delete", "ask"],
		"used in a way that nobody knows": ["unknown", "ask"],
		"read": ["read", "allow"],
	}
	guarded := object.union(fixture.path(".permctl/settings.yaml", access), {"protected": "permctl's settings"})
	document := object.union(fixture.edit(".permctl/settings.yaml"), {"paths": [guarded]})

	fixture.decision(document, _open).action == want
}

test_own_commands[name] if {
	some name, [text, options, want] in {
		"reply": ["permctl reply per_1 once", [], "deny"],
		"reply behind an option's value": ["permctl --workspace x reply per_1", ["--workspace"], "deny"],
		"reply that pretends to ask for the status": ["permctl reply per_1 --status", ["--status"], "deny"],
		"trust": ["permctl trust", [], "deny"],
		"trust revoked": ["permctl trust --revoke", ["--revoke"], "deny"],
		"status of trust": ["permctl trust --status", ["--status"], "allow"],
		"approvals revoked": ["permctl approvals revoke 1", [], "deny"],
		"approvals verified": ["permctl approvals verify --json", ["--json"], "allow"],
		"approvals imported that are called verify": ["permctl approvals import verify", [], "deny"],
		"approvals compacted": ["permctl approvals compact", [], "deny"],
		"approvals listed": ["permctl approvals list", [], "allow"],
		"approvals revoked that are called list": ["permctl approvals revoke list", [], "deny"],
		"approvals alone": ["permctl approvals", [], "deny"],
		"on Windows": ["Permctl.exe reply per_1", [], "deny"],
		"inbox": ["permctl inbox", [], "deny"],
		"the daemon started": ["permctl serve --attended", ["--attended"], "deny"],
		"the daemon stopped": ["permctl stop", [], "deny"],
		"the console's address": ["permctl status --console", ["--console"], "deny"],
		"status of the daemon": ["permctl status", [], "allow"],
		"what is pending": ["permctl pending --json", ["--json"], "allow"],
		"what is pending, as if a person watched": ["permctl pending --watch", ["--watch"], "deny"],
		"the hook taken out": ["permctl uninstall claude", [], "deny"],
		"the hook put elsewhere": ["permctl install claude --project", ["--project"], "deny"],
		"a program called as permctl is installed": ["go install ./cmd/permctl", [], "allow"],
		"check": ["permctl check bash ls", [], "allow"],
		"another program": ["git reply", [], "allow"],
	}
	document := fixture.shell([fixture.command(text, {"options": options})])

	fixture.decision(document, _open).action == want
}

test_own_commands_in_what_cannot_be_analysed[name] if {
	some name, [text, words, want] in {
		"named": ["permctl reply $(", ["permctl", "reply"], "deny"],
		"named by a variable": ["P=permctl; $P reply x", ["P", "reply", "x"], "deny"],
		"by its path": ["/opt/permctl trust \"", ["/opt/permctl", "trust"], "deny"],
		"something else": ["ls \"", ["ls"], "allow"],
		"another program's reply": ["mail reply \"", ["mail", "reply"], "allow"],
		"permctl for something else": ["permctl check \"", ["permctl", "check"], "allow"],
	}

	fixture.decision(fixture.unparsed(text, words), _open).action == want
}

test_the_daemon_is_not_reached if {
	document := object.union(fixture.shell([fixture.command("curl x", {})]), {"daemon": ["permctl.sock"]})

	fixture.decision(document, _open).action == "deny"
}
