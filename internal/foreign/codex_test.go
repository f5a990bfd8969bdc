package foreign_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/foreign"
	"github.com/permctl/permctl/internal/permission"
)

const codexRuleFile = `# What may run outside of the sandbox.
prefix_rule(pattern = ["git", ["status", "log"]], match = ["git status -s", ["git", "log"]], not_match = ["git push"])
prefix_rule(pattern = ["git", ["push", "fetch"]], decision = "prompt", justification = "talks to the server")
prefix_rule(["git", "push", "--force"], "forbidden")
for tool in ["test", "vet"]:
    prefix_rule(pattern = ["go", tool])
prefix_rule(pattern = ["npm", "run", ["build", "lint"]])
prefix_rule(pattern = ["npm"], decision = "prompt")
prefix_rule(pattern = ["make"])
prefix_rule(pattern = ["make", "deploy"], decision = "forbidden", justification = "only from CI")
prefix_rule(pattern = ["timeout", "60", "go", "test"])
prefix_rule(pattern = ["say", "a b"])
prefix_rule(pattern = ["printf", "%s*"])
prefix_rule(pattern = ["rm"], decision = "prompt")
prefix_rule(pattern = ["curl"], decision = "forbidden", match = ["curl https://example.com/ 'a b'"])
host_executable(name = "git", paths = ["/usr/bin/git"])
network_rule(host = "api.example.com", protocol = "https", decision = "allow")
network_rule(host = "Evil.example", protocol = "https", decision = "forbidden")
network_rule(host = "ask.example", protocol = "http", decision = "prompt")
`

func codexFiles(rules string, config ...string) []foreign.File {
	files := []foreign.File{{Name: "default.rules", Text: []byte(rules)}}
	for _, text := range config {
		files = append(files, foreign.File{Name: "config.toml", Text: []byte(text)})
	}
	return files
}

// codexAgrees compares the answers of rows with the judge's and with permctl's.
func codexAgrees(t *testing.T, files []foreign.File, rows []row) {
	t.Helper()
	judge := judgeOf(t, foreign.Codex, files)
	made := imported(t, foreign.Codex, files...)
	agrees(t, made, judge, rows)
}

// TestCodexRules has the answers of the rules by themselves, where Codex asks for
// what no rule names.
func TestCodexRules(t *testing.T) {
	rows := []row{
		// The first words are compared one by one.
		{action: allow, tool: "bash", argument: "git status"},
		{action: allow, tool: "bash", argument: "git status --short src"},
		{action: allow, tool: "bash", argument: "git log -p"},
		{action: ask, tool: "bash", argument: "git stash"},
		{action: ask, tool: "bash", argument: "git"},
		{action: ask, tool: "bash", argument: "git statusx"},
		{action: ask, tool: "bash", argument: "git 'status -s'"},
		{action: ask, tool: "bash", argument: "git -C sub status"},
		{action: ask, tool: "bash", argument: "gitx status"},
		{action: allow, tool: "bash", argument: `git "status"`},
		{action: allow, tool: "bash", argument: "git   status"},
		{action: allow, tool: "bash", argument: "go test ./..."},
		{action: allow, tool: "bash", argument: "go vet ./..."},
		{action: ask, tool: "bash", argument: "go build ./..."},
		{action: allow, tool: "bash", argument: "say 'a b'"},
		{action: ask, tool: "bash", argument: "say a b"},
		{action: allow, tool: "bash", argument: "printf '%s*' x"},
		{action: ask, tool: "bash", argument: "printf %sx x"},
		// The strictest of the rules that match decides.
		{action: ask, tool: "bash", argument: "git push"},
		{action: ask, tool: "bash", argument: "git fetch origin"},
		{action: deny, tool: "bash", argument: "git push --force origin"},
		{action: ask, tool: "bash", argument: "git push origin --force", stricter: deny}, // wherever the option stands
		{action: ask, tool: "bash", argument: "npm run build"},
		{action: ask, tool: "bash", argument: "npm install"},
		{action: allow, tool: "bash", argument: "make build"},
		{action: deny, tool: "bash", argument: "make deploy"},
		{action: deny, tool: "bash", argument: "make deploy now"},
		{action: allow, tool: "bash", argument: "make -j deploy", stricter: deny}, // -j may be followed by a target
		{action: ask, tool: "bash", argument: "rm x"},
		{action: deny, tool: "bash", argument: "curl https://example.com/"},
		// Each command of a list is one, and so is each part of a pipe.
		{action: allow, tool: "bash", argument: "git status && go test ./..."},
		{action: ask, tool: "bash", argument: "git status; rm x"},
		{action: ask, tool: "bash", argument: "go test ./... | tee log"},
		{action: deny, tool: "bash", argument: "git status || curl x"},
		{action: allow, tool: "bash", argument: "go test ./... | tail -5"},
		// A line that is more goes to the shell as a whole.
		{action: ask, tool: "bash", argument: "git status > out"},
		{action: ask, tool: "bash", argument: "git log $X"},
		{action: ask, tool: "bash", argument: "git log *.go"},
		{action: ask, tool: "bash", argument: "FOO=1 git status"},
		{action: ask, tool: "bash", argument: "(git status)"},
		{action: ask, tool: "bash", argument: "git status &"},
		{action: ask, tool: "bash", argument: "if true; then git status; fi"},
		{action: ask, tool: "bash", argument: `g\it status`},
		{action: ask, tool: "bash", argument: "git status # x"},
		{action: ask, tool: "bash", argument: "echo $(curl x)", stricter: deny}, // permctl sees what it runs
		// Nothing is seen through.
		{action: ask, tool: "bash", argument: "timeout 5 git status"},
		{action: allow, tool: "bash", argument: "timeout 60 go test ./..."},
		{action: ask, tool: "bash", argument: "bash -c 'git status'"},
		{action: ask, tool: "bash", argument: "sudo curl x", stricter: deny},
		{action: ask, tool: "bash", argument: "env git status"},
		// A path stands for a name where the file says so.
		{action: allow, tool: "bash", argument: "/usr/bin/git status"},
		{action: ask, tool: "bash", argument: "/opt/git status"},
		{action: ask, tool: "bash", argument: "./git status"},
		{action: ask, tool: "bash", argument: "/usr/bin/go test"},
		{action: deny, tool: "bash", argument: "/usr/bin/curl x"},
		{action: deny, tool: "bash", argument: "/usr/bin/git push --force"},
		// What only reads runs without a rule.
		{action: allow, tool: "bash", argument: "ls -la"},
		{action: allow, tool: "bash", argument: "cat a.go"},
		{action: allow, tool: "bash", argument: "git diff"},
		{action: ask, tool: "bash", argument: "python3 x.py"},
		// Other tools.
		{action: allow, tool: "json", argument: `{"tool": "read", "input": {"path": "a.go"}}`},
		{action: ask, tool: "json", argument: `{"tool": "edit", "input": {"path": "a.go"}}`},
		{action: ask, tool: "json", argument: `{"tool": "github_search", "input": {}}`},
		{action: allow, tool: "json", argument: `{"tool": "update_plan", "input": {}}`},
		{action: ask, tool: "webfetch", argument: "https://api.example.com/"},
		{action: ask, tool: "webfetch", argument: "https://evil.example/x", stricter: deny},
		{action: ask, tool: "webfetch", argument: "http://ask.example/x"},
	}
	codexAgrees(t, codexFiles(codexRuleFile), rows)
}

// TestCodexConfig has what config.toml says of what no rule names.
func TestCodexConfig(t *testing.T) {
	edit := func(path string) string { return `{"tool": "edit", "input": {"path": "` + path + `"}}` }
	for name, tt := range map[string]struct {
		config string
		rows   []row
	}{
		"untrusted": {`approval_policy = "untrusted"` + "\n" + `sandbox_mode = "workspace-write"`, []row{
			{action: ask, tool: "bash", argument: "python3 x.py"},
			{action: allow, tool: "bash", argument: "cat a.go"},
			{action: ask, tool: "bash", argument: "git push"},
			{action: ask, tool: "json", argument: edit("a.go")},
		}},
		"in a sandbox that may write": {`approval_policy = "on-request"` + "\n" + `sandbox_mode = "workspace-write"`, []row{
			{action: allow, tool: "bash", argument: "python3 x.py", stricter: ask}, // permctl has no sandbox
			{action: ask, tool: "bash", argument: "rm -rf x"},
			{action: allow, tool: "json", argument: edit("a.go")},
			{action: ask, tool: "json", argument: edit(".agents/x")},
			{action: ask, tool: "json", argument: edit("/etc/x")},
		}},
		"in a sandbox that may not": {`approval_policy = "on-request"`, []row{
			{action: ask, tool: "json", argument: edit("a.go")},
		}},
		"nobody is asked": {`approval_policy = "never"` + "\n" + `sandbox_mode = "workspace-write"`, []row{
			{action: allow, tool: "bash", argument: "python3 x.py", stricter: ask},
			{action: deny, tool: "bash", argument: "git push"},
			{action: deny, tool: "bash", argument: "rm x"},
			{action: deny, tool: "bash", argument: "git reset --hard"},
			{action: allow, tool: "json", argument: edit("a.go")},
			{action: deny, tool: "json", argument: edit("/etc/x")},
		}},
		"without a sandbox": {`approval_policy = "never"` + "\n" + `sandbox_mode = "danger-full-access"`, []row{
			{action: allow, tool: "bash", argument: "python3 x.py"},
			{action: allow, tool: "bash", argument: "cat a.go > b.go"},
			{action: deny, tool: "bash", argument: "git push"},
			{action: deny, tool: "bash", argument: "git reset --hard"},
			{action: deny, tool: "bash", argument: "curl x"},
			{action: allow, tool: "json", argument: edit("a.go")},
		}},
		"by a profile": {"profile = \"p\"\napproval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\n[profiles.p]\napproval_policy = \"untrusted\"\nsandbox_mode = \"read-only\"", []row{
			{action: ask, tool: "bash", argument: "python3 x.py"},
			{action: ask, tool: "bash", argument: "git push"},
		}},
		"by kinds": {"sandbox_mode = \"workspace-write\"\n[approval_policy.granular]\nsandbox_approval = true\nrules = false\n", []row{
			{action: deny, tool: "bash", argument: "git push"},
			{action: ask, tool: "bash", argument: "git reset --hard"},
		}},
	} {
		t.Run(name, func(t *testing.T) { codexAgrees(t, codexFiles(codexRuleFile, tt.config), tt.rows) })
	}
}

// TestCodexRemoves has what Codex asks for by itself behind a program that a rule
// does not name, though one names what that runs.
func TestCodexRemoves(t *testing.T) {
	codexAgrees(t, codexFiles(`prefix_rule(["rm"])`, "sandbox_mode = \"danger-full-access\"\napproval_policy = \"never\""), []row{
		{action: allow, tool: "bash", argument: "rm -rf x"},
		{action: deny, tool: "bash", argument: "sudo rm -rf x"},
		{action: allow, tool: "bash", argument: "sudo ls"},
	})
}

func TestCodexRequirements(t *testing.T) {
	files := append(codexFiles(codexRuleFile), foreign.File{Name: "requirements.toml", Text: []byte(`allowed_sandbox_modes = ["read-only"]
[rules]
prefix_rules = [
	{ pattern = [{ token = "go" }, { any_of = ["test", "run"] }], decision = "prompt", justification = "slow" },
	{ pattern = [{ token = "make" }], decision = "forbidden" },
]
`)})
	codexAgrees(t, files, []row{
		{action: ask, tool: "bash", argument: "go test ./..."},
		{action: allow, tool: "bash", argument: "go vet ./..."},
		{action: deny, tool: "bash", argument: "make build"},
	})
}

// TestCodexRequired has what requirements say besides rules, where config.toml says
// more than they allow.
func TestCodexRequired(t *testing.T) {
	const full = "sandbox_mode = \"danger-full-access\"\napproval_policy = \"never\"\n"
	for name, tt := range map[string]struct {
		config, requirements string
		note                 string
		rows                 []row
	}{
		"no full access": {full, `allowed_sandbox_modes = ["read-only", "workspace-write"]`, `sandbox_mode = "danger-full-access": is not among allowed_sandbox_modes (requirements.toml:1): read-only holds`, []row{
			{action: allow, tool: "bash", argument: "python3 x.py", stricter: ask},
			{action: deny, tool: "json", argument: `{"tool": "edit", "input": {"path": "a.go"}}`},
			{action: ask, tool: "json", argument: `{"tool": "mcp__a__b", "input": {}}`},
		}},
		"somebody is asked": {full, `allowed_approval_policies = ["on-request", "untrusted"]`, `approval_policy = "never": is not among allowed_approval_policies (requirements.toml:1): untrusted holds`, []row{
			{action: ask, tool: "bash", argument: "python3 x.py"},
			{action: ask, tool: "json", argument: `{"tool": "edit", "input": {"path": "a.go"}}`},
		}},
		"nothing is allowed": {full, `allowed_sandbox_modes = []` + "\n" + `allowed_approval_policies = ["nevr"]`, `"nevr" is nothing that permctl knows of (did you mean "never"?), and allows nothing`, []row{
			{action: ask, tool: "bash", argument: "python3 x.py"},
		}},
		"nobody is asked": {`sandbox_mode = "read-only"`, `allowed_approval_policies = ["never"]`, "", []row{
			{action: deny, tool: "json", argument: `{"tool": "edit", "input": {"path": "a.go"}}`},
		}},
		"files": {full, "[permissions.filesystem]\ndeny_read = [\"/etc/shadow\", \"~/.ssh\", \"/srv/**/*.pem\", \"secrets\"]", "holds in every folder", []row{
			{action: allow, tool: "json", argument: `{"tool": "read", "input": {"path": "a.go"}}`},
			{action: deny, tool: "json", argument: `{"tool": "read", "input": {"path": "/etc/shadow"}}`},
			{action: deny, tool: "json", argument: `{"tool": "read", "input": {"path": "/home/user/.ssh/id"}}`},
			{action: deny, tool: "json", argument: `{"tool": "read", "input": {"path": "/srv/a/b/x.pem"}}`},
			{action: deny, tool: "json", argument: `{"tool": "read", "input": {"path": "/srv/x.pem"}}`},
			{action: deny, tool: "json", argument: `{"tool": "read", "input": {"path": "sub/secrets/x"}}`},
			{action: allow, tool: "json", argument: `{"tool": "read", "input": {"path": "sub/secret"}}`},
			{action: allow, tool: "bash", argument: "cat /etc/shadow", stricter: deny}, // the sandbox keeps it from that
		}},
	} {
		t.Run(name, func(t *testing.T) {
			files := append(codexFiles("", tt.config), foreign.File{Name: "requirements.toml", Text: []byte(tt.requirements)})
			codexAgrees(t, files, tt.rows)
			if notes := messages(imported(t, foreign.Codex, files...)); !strings.Contains(notes, tt.note) {
				t.Errorf("the notes lack %q:\n%s", tt.note, notes)
			}
		})
	}
	for text, want := range map[string]string{
		"\n[[rule]]\npriority = 1":                    "requirements.toml:2: requirements have no rule: give another agent's file to permctl import with that agent",
		"allowed_sandbox_modes = 1":                   "requirements.toml:1: allowed_sandbox_modes must be a list of texts",
		"[permissions.filesystem]\ndeny_read = [1]":   "requirements.toml:2: permissions.filesystem.deny_read must be a list of texts",
		"[permissions.filesystem]\ndeny_read = \"/\"": "requirements.toml:2: permissions.filesystem.deny_read must be a list of texts",
	} {
		if _, err := foreign.Codex.Import([]foreign.File{{Name: "requirements.toml", Text: []byte(text)}}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestCodexServers has the tools of MCP servers that config.toml takes away.
func TestCodexServers(t *testing.T) {
	const servers = "[mcp_servers.a]\ndisabled_tools = [\"drop\", \"x y\"]\n[mcp_servers.b]\nenabled_tools = [\"get\", \"put\"]\ndisabled_tools = [\"put\"]\n[projects.\"/srv/x\"]\ntrust_level = \"trusted\"\n"
	mcp := func(name string) string { return `{"tool": "` + name + `", "input": {}}` }
	for left, config := range map[permission.Action]string{ask: "", allow: "sandbox_mode = \"danger-full-access\"\napproval_policy = \"never\"\n"} {
		files := codexFiles("", config+servers)
		codexAgrees(t, files, []row{
			{action: left, tool: "json", argument: mcp("mcp__a__get")},
			{action: deny, tool: "json", argument: mcp("mcp__a__drop")},
			{action: left, tool: "json", argument: mcp("mcp__a__dropped")},
			{action: deny, tool: "json", argument: mcp("mcp__a__x_y")},
			{action: left, tool: "json", argument: mcp("mcp__b__get")},
			{action: deny, tool: "json", argument: mcp("mcp__b__put")},
			{action: deny, tool: "json", argument: mcp("mcp__b__list")},
			{action: left, tool: "json", argument: mcp("mcp__c__list")},
		})
		if notes := messages(imported(t, foreign.Codex, files...)); !strings.Contains(notes, "projects: which are trusted stays in Codex's settings") {
			t.Errorf("the notes are:\n%s", notes)
		}
	}
}

// TestCodexMany has more rules than there may be, by themselves or by what each of
// them stands for.
func TestCodexMany(t *testing.T) {
	words := `["a", "b", "c", "d", "e", "f", "g", "h"]`
	var wide, long strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&wide, "prefix_rule([\"c%d\", %s, %s])\n", i, words, words)
	}
	for i := range 2000 {
		fmt.Fprintf(&long, "prefix_rule([\"c%d\"])\n", i)
	}
	for text, want := range map[string]string{
		wide.String(): "default.rules:16: more than 1000 rules in all, each counted with its alternatives: nobody can read so many; leave out those that others cover",
		long.String(): "default.rules:1001: more than 1000 rules: nobody can read so many",
	} {
		if _, err := foreign.Codex.Import(codexFiles(text)); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	names := strings.TrimSuffix(strings.Repeat(`"x", `, 2000), ", ")
	for name, text := range map[string]string{
		"config.toml":       "[mcp_servers.a]\ndisabled_tools = [" + names + "]\n",
		"requirements.toml": "[permissions.filesystem]\ndeny_read = [" + names + "]\n",
	} {
		if _, err := foreign.Codex.Import([]foreign.File{{Name: name, Text: []byte(text)}}); err == nil || !strings.HasPrefix(err.Error(), name+":2: more than 1000 rules in all") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCodexNotes(t *testing.T) {
	made := imported(t, foreign.Codex, codexFiles(`prefix_rule(pattern = ["bash", "-lc"])
prefix_rule(pattern = ["x", ""])
prefix_rule(pattern = ["~/x"], decision = "forbidden")
network_rule(host = "a.example", protocol = "https", decision = "allow")
network_rule(host = "b.example", protocol = "https", decision = "deny")
`, "\napproval_policy = \"on-request\"\n[sandbox_workspace_write]\nnetwork_access = true\n")...)
	want := `default.rules:1: prefix_rule(pattern=["bash", "-lc"], decision="allow"): allows a shell by itself, and not what it is given: Codex allows with it each line that is more than a list of commands
default.rules:2: prefix_rule(pattern=["x", ""], decision="allow"): is left out: it has more than 64 alternatives, or words that no pattern can have
default.rules:3: prefix_rule(pattern=["~/x"], decision="forbidden"): holds only for the command as it is written: it has more than 64 alternatives, or words that no pattern can have
default.rules:4: network_rule(host="a.example", protocol="https", decision="allow"): is left out: it is about Codex's sandbox, from which it lets commands through
default.rules:5: network_rule(host="b.example", protocol="https", decision="deny"): holds for calls that fetch a page: what commands send goes through Codex's sandbox only
config.toml:2: approval_policy = "on-request": commands that no rule names are asked, but for those that are known only to read: permctl has no sandbox to run them in
config.toml:3: sandbox_workspace_write: stays in Codex's settings: it is about its own sandbox and its own reviewer
`
	if diff := cmp.Diff(want, messages(made)); diff != "" {
		t.Error(diff)
	}
}

// TestCodexErrors has what Codex refuses too, and what permctl does not run.
func TestCodexErrors(t *testing.T) {
	for rules, want := range map[string]string{
		"prefix_rule(pattern=[])":                       "default.rules:1: pattern must have a word",
		"\nprefix_rule(pattern=[\"a\", []])":            "default.rules:2: ",
		`prefix_rule(pattern=["a", ["b", ["c"]]])`:      `["c"] is not text`,
		`prefix_rule(pattern=[1])`:                      "1 is neither text nor a list",
		`prefix_rule(pattern=("a", "b"))`:               "got tuple, want list",
		`prefix_rule(pattern=["a"], decision="deny")`:   `"deny" is no decision: write allow, prompt or forbidden`,
		`prefix_rule(pattern=["a"], decision="Allow")`:  `"Allow" is no decision`,
		`prefix_rule(pattern=["a"], justification=" ")`: "justification must be text",
		`prefix_rule(pattern=["a"], why="x")`:           `unexpected keyword argument "why"`,
		`prefix_rule(pattern=["a"], match=["b"])`:       `default.rules:1: the rule does not match its own example "b"`,
		`prefix_rule(pattern=["a"], not_match=["a b"])`: `default.rules:1: the rule matches "a b", which it says it must not`,
		`prefix_rule(pattern=["a"], match=["a 'b"])`:    "a quote that stays open",
		`prefix_rule(pattern=["a"], match=[[]])`:        "an example must be a command",
		`prefix_rule(pattern=["a"]`:                     "default.rules:1: ",
		`prefix_rules(pattern=["a"])`:                   "default.rules:1: undefined: prefix_rules: Codex's rule files have prefix_rule",
		`load("b.rules", "b")`:                          "load is not read",
		`prefix_rule(pattern=["a"] * 1000000000)`:       "operators and methods are not read",
		`x = list(range(1000000000))`:                   "list is not read",
		"x = [1]\nx += x":                               "default.rules:2: operators",
		`prefix_rule(pattern=["a".upper()])`:            "operators and methods are not read",
		"x = [1,2,3,4,5,6,7,8,9,0]\n[1 for a in x for b in x for c in x for d in x for e in x for f in x]": "too many steps",
		"a = [1,2,3,4,5,6,7,8,9,0]\n[prefix_rule([\"x\"]) for _ in a for _ in a for _ in a for _ in a]":    "more than 1000 rules",
		"def f(): f()\nf()":                                               "default.rules:1: ",
		`host_executable(name="/bin/a", paths=[])`:                        "must be a program's name without a folder",
		`host_executable(name="a", paths=["a"])`:                          "must be absolute",
		`host_executable(name="a", paths=["/bin/b"])`:                     "end in a",
		`network_rule(host="*", protocol="https", decision="allow")`:      "without wildcards",
		`network_rule(host="a.example", protocol="ftp", decision="deny")`: `"ftp" is no protocol`,
	} {
		_, err := foreign.Codex.Import(codexFiles(rules))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "default.rules:") {
			t.Errorf("%s: %v, want %s", rules, err, want)
		}
	}
	for config, want := range map[string]string{
		"approval_policy = ":                              "config.toml:1: ",
		"\napproval_policy = \"nevr\"":                    `config.toml:2: approval_policy must be untrusted, on-request or never (did you mean "never"?)`,
		"approval_policy = true":                          "config.toml:1: approval_policy must be",
		"approval_policy = { granul = 1 }":                "config.toml:1: approval_policy must be a word",
		"sandbox_mode = \"full\"":                         "config.toml:1: sandbox_mode must be read-only",
		"profile = \"p\"\n[profiles.p]\nsandbox_mode = 1": "config.toml:3: profiles.p.sandbox_mode must be",
	} {
		_, err := foreign.Codex.Import(codexFiles("", config))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", config, err, want)
		}
	}
	for config, want := range map[string]string{
		"[[rule]]\ntoolName = \"run_shell_command\"\ndecision = \"deny\"\npriority = 1": "config.toml:1: config.toml has no rule: ",
		"\n[rules]\nprefix_rules = []":                 "config.toml:2: config.toml has no rules: ",
		"allowed_sandbox_modes = [\"read-only\"]":      "config.toml:1: config.toml has no allowed_sandbox_modes: ",
		"[mcp_servers.a]\ndisabled_tools = \"x\"":      "config.toml:2: mcp_servers.a.disabled_tools must be a list of texts",
		"[mcp_servers.a]\n\nenabled_tools = [\"\", 1]": "config.toml:3: mcp_servers.a.enabled_tools must be a list of texts",
	} {
		_, err := foreign.Codex.Import(codexFiles("", config))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", config, err, want)
		}
	}
	for name, want := range map[string]string{"hooks.json": "is no file of Codex's", "requirements.toml": "requirements.toml:1: rule 1 must have the decision prompt or forbidden"} {
		_, err := foreign.Codex.Import([]foreign.File{{Name: name, Text: []byte(`rules = { prefix_rules = [{ pattern = [{ token = "a" }], decision = "allow" }] }`)}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
