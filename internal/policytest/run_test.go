package policytest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/policytest"
	"github.com/permctl/permctl/internal/settings"
)

var update = flag.Bool("update", false, "rewrite the tables of the shipped policy")

func TestShippedTables(t *testing.T) {
	report := run(t, policytest.Options{Paths: []string{"../../policy/tests/tables"}, Update: *update})
	if report.Status() != policytest.Pass {
		t.Errorf("the policy answers otherwise than its tables say:\n%s", text(t, report, false))
	}
}

// git is a policy that the tests below are about.
const git = `package org.git

deny contains {"reason": "force rewrites history", "target": command.text} if {
	some command in input.commands
	command.name == "git"
	"--force" in command.options
}
`

func run(t *testing.T, o policytest.Options) *policytest.Report {
	t.Helper()
	report, err := policytest.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// runIn writes the files into a folder and runs the tests in it, which becomes
// the current one.
func runIn(t *testing.T, files map[string]string, o policytest.Options) *policytest.Report {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	for name, content := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return run(t, o)
}

func text(t *testing.T, report *policytest.Report, verbose bool) string {
	t.Helper()
	var b strings.Builder
	if err := report.Text(&b, verbose, false); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// summary tells the status and position of each case.
func summary(report *policytest.Report) []string {
	var lines []string
	for _, c := range report.Cases {
		lines = append(lines, strings.Join([]string{string(c.Status), filepath.Base(c.File), c.Name}, " "))
	}
	return lines
}

func wantCases(t *testing.T, report *policytest.Report, want ...string) {
	t.Helper()
	if diff := cmp.Diff(summary(report), want); diff != "" {
		t.Errorf("cases (-got +want)\n%s\n%s", diff, text(t, report, true))
	}
}

func wantText(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("%q is not in\n%s", w, got)
		}
	}
}

func TestRego(t *testing.T) {
	report := runIn(t, map[string]string{"git.rego": git, "git_test.rego": `package org.git_test

import data.org.git

forced := {"commands": [{"name": "git", "text": "git push --force", "options": ["--force"]}]}

test_forced if {
	print("who reads this")
	count(git.deny) == 1 with input as forced
}

test_wrong if {
	found := git.deny with input as forced
	print("found", found)
	count(found) == 5
}

test_zero if 1 / 0 == 1

todo_test_later if false

test_case[name] if {
	some name, [options, want] in {"none": [[], 0], "forced": [["--force"], 1], "wrong": [[], 7]}
	count(git.deny) == want with input as {"commands": [{"name": "git", "text": "x", "options": options}]}
}

# OPA numbers tests of the same name.
test_case[name] if {
	some name in ["again"]
}

test_decision if {
	target := {"pattern": "git push", "forms": ["git push --force"], "judges": "any", "command": 0}
	call := object.union(forced, {"requests": [{"permission": "bash", "targets": [target]}]})
	data.policy.decision.action == "deny" with input as call
}
`}, policytest.Options{})
	wantCases(t, report,
		"pass git_test.rego test_forced", "fail git_test.rego test_wrong", "error git_test.rego test_zero",
		"skip git_test.rego todo_test_later", "pass git_test.rego test_case/forced", "pass git_test.rego test_case/none",
		"fail git_test.rego test_case/wrong", "pass git_test.rego test_case#01/again", "pass git_test.rego test_decision",
	)
	if got := report.Status(); got != policytest.Error {
		t.Errorf("Status() = %s, want error", got)
	}
	plain, verbose := text(t, report, false), text(t, report, true)
	wantText(t, plain,
		"fail  git_test.rego:12: org.git_test.test_wrong\n      git_test.rego:15: not true:\n      count(found) == 5\n",
		`| found {{"reason": "force rewrites history", "target": "git push --force"}}`,
		"error git_test.rego:18: org.git_test.test_zero\n      git_test.rego:18: eval_builtin_error: div: divide by zero\n",
		"org.git_test.test_case/wrong", "5 passed, 2 failed, 1 in error, 1 skipped (",
	)
	wantText(t, verbose, "pass  git_test.rego:7: org.git_test.test_forced (", "| who reads this", "skip  git_test.rego:20: org.git_test.todo_test_later\n")
	if strings.Contains(plain, "who reads this") {
		t.Errorf("a test that passes shows what it prints:\n%s", plain)
	}
}

func TestRegoSeesTheRulesThatItSets(t *testing.T) {
	report := runIn(t, map[string]string{"a_test.rego": `package a_test

call := {"requests": [{"permission": "bash", "targets": [{"pattern": "ls", "forms": ["ls"], "judges": "any", "command": -1}]}]}

rule := {
	"permission": "bash", "pattern": "ls", "action": "deny",
	"layer": "flag", "source": "a test", "order": 8, "number": 0, "trust": "user",
}

test_in_force if data.policy.decision.action == "allow" with input as call

test_set if {
	index := {"bash": {"lengths": [2], "prefixes": {"ls": [0]}, "programs": {}}}
	data.policy.decision.action == "deny" with input as call
		with data.policy.rules as [rule] with data.policy.index as index with data.policy.wildcards as []
}
`}, policytest.Options{})
	wantCases(t, report, "pass a_test.rego test_in_force", "pass a_test.rego test_set")
}

func TestTable(t *testing.T) {
	report := runIn(t, map[string]string{"git.rego": git, "calls.txt": `# What git may do.
preset ask
permission bash:git *=allow

allow  bash  git push            => bash: {"git *": allow}
ask    bash  git push --force
deny   bash  git push --force    => force rewrites history
deny   bash  git push -f         => nobody knows
`}, policytest.Options{})
	wantCases(t, report,
		`pass calls.txt allow  bash  git push            => bash: {"git *": allow}`,
		"fail calls.txt ask    bash  git push --force",
		"pass calls.txt deny   bash  git push --force    => force rewrites history",
		"fail calls.txt deny   bash  git push -f         => nobody knows",
	)
	if got := report.Status(); got != policytest.Fail {
		t.Errorf("Status() = %s, want fail", got)
	}
	wantText(t, text(t, report, false), `--- calls.txt
+++ the policy's answers
@@ -3,6 +3,6 @@
 permission bash:git *=allow
 
 allow  bash  git push            => bash: {"git *": allow}
-ask    bash  git push --force
+deny   bash  git push --force  => git push --force: force rewrites history (floor: policy org.git)
 deny   bash  git push --force    => force rewrites history
-deny   bash  git push -f         => nobody knows
+deny   bash  git push -f  => git push -f: force rewrites history (floor: policy org.git)
2 passed, 2 failed (`)
}

func TestUpdate(t *testing.T) {
	report := runIn(t, map[string]string{"calls.txt": `# A comment stays.
preset ask
allow  bash  ls   # so does this

deny   read  a.go => preset ask
deny   bash  ls   => a wrong reason
`, "right.txt": "ask bash ls\n", "preset.rego": `package policy.presets.mine

rules := [{"permission": "*", "pattern": "*", "action": "ask"}]
`}, policytest.Options{Paths: []string{"calls.txt"}, Update: true})
	wantCases(t, report,
		"pass calls.txt ask  bash  ls   # so does this", "pass calls.txt ask   read  a.go => preset ask",
		"fail calls.txt deny   bash  ls   => a wrong reason",
	)
	got, err := os.ReadFile("calls.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := `# A comment stays.
preset ask
ask    bash  ls   # so does this

ask    read  a.go => preset ask
ask    bash  ls   => a wrong reason
`
	if diff := cmp.Diff(string(got), want); diff != "" {
		t.Errorf("the table (-got +want)\n%s", diff)
	}
	if diff := cmp.Diff(report.Updated, []string{"calls.txt"}); diff != "" {
		t.Errorf("updated (-got +want)\n%s", diff)
	}
	wantText(t, text(t, report, false), "-ask    bash  ls   => a wrong reason\n+ask    bash  ls  => bash ls: asked by rule", "updated calls.txt\n")
	if again := run(t, policytest.Options{Paths: []string{"calls.txt"}, Update: true}); len(again.Updated) > 0 {
		t.Errorf("a second update rewrites %q", again.Updated)
	}
}

func TestDirectives(t *testing.T) {
	report := runIn(t, map[string]string{
		"org.rego": `package org.hours

import data.limits

ask contains "it is late" if {
	[hour, _, _] := time.clock(time.parse_rfc3339_ns(input.time))
	hour >= limits.hour
}

deny contains sprintf("not for %s in %s", [input.call.agent, input.call.cwd]) if {
	input.call.agent == "intern"
	startswith(input.call.cwd, sprintf("%s/prod", [input.workspace.root]))
}
`,
		"limits/data.yaml":   "hour: 22\n",
		"rules/strict.yaml":  "permissionPreset: ask\npermission: {read: allow}\n",
		"preset/mine.rego":   "package policy.presets.mine\n\nrules := [{\"permission\": \"*\", \"pattern\": \"*\", \"action\": \"deny\"}]\n",
		"tables/default.txt": "allow bash ls => full-access\n",
		"tables/calls.txt": `settings ../rules/strict.yaml
allow  read  main.go                 => strict.yaml:2
ask    bash  ls                      => full
ask    bash  ls                      => preset ask
preset mine
deny   bash  ls                      => preset mine
allow  read  main.go
preset full-access
time   2026-01-05T23:00:00Z
ask    bash  ls                      => it is late
time   2026-01-05T09:00:00+02:00
allow  bash  ls
agent  intern
cwd    prod/eu
deny   bash  ls                      => not for intern in /workspace/prod/eu
cwd    /workspace/test
allow  bash  ls
deny   json  {"tool": "bash", "cwd": "/workspace/prod", "input": {"command": "ls"}}
file   src/main.go
link   out -> /etc
link   src/in.go -> main.go
permission external_directory=deny
deny   read  ../out/passwd           => external_directory
allow  read  /workspace/src/in.go
settings
  arity: {just: 2}
permission bash:just build=ask
ask    bash  just build --all
arity
`,
	}, policytest.Options{Paths: []string{"."}})
	wantText(t, text(t, report, false), "error tables/calls.txt:29: the table cannot be read\n      unknown word \"arity\"", "1 passed, 1 in error")

	content, err := os.ReadFile("tables/calls.txt")
	if err == nil {
		err = os.WriteFile("tables/calls.txt", bytes.TrimSuffix(content, []byte("arity\n")), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	report = run(t, policytest.Options{Paths: []string{"."}})
	wantText(t, text(t, report, false), "-ask    bash  ls                      => full\n", "13 passed, 1 failed")
}

func TestBrokenTables(t *testing.T) {
	for _, tt := range []struct{ table, want string }{
		{"preset carful", `a.txt:1: the table cannot be read` + "\n" + `      unknown preset "carful" (did you mean "careful"?)`},
		{"settings gone.yaml", "a.txt:1: the table cannot be read\n      open gone.yaml: no such file"},
		{"settings\n  permission:\n    bash: alow", `a.txt:3: the table cannot be read` + "\n" + `      unknown action "alow" (did you mean "allow"?)`},
		{"settings\n\tpermission: ask", "a.txt:2: the table cannot be read\n"},
		{"project\n  approvals: {beat: deny}", "a.txt:2: the table cannot be read\n      approvals can only be set in the global settings"},
		{"permission bash", "a.txt:1: the table cannot be read\n      --permission \"bash\": want tool=action"},
		{"permission Bash=deny", `"bash"`},
		{"link a", "a.txt:1: the table cannot be read\n      a link is NAME -> TARGET"},
		{"link ../a -> b", `"../a" is not in the workspace`},
		{"file /etc/passwd", `"/etc/passwd" is not in the workspace`},
		{"cwd ..", `".." is not in the workspace`},
		{"time noon", "a.txt:1: the table cannot be read\n      parsing time"},
		{"file a\nlink a -> b", "a.txt:2: the table cannot be read\n      symlink b /workspace/a: file exists"},
	} {
		report := runIn(t, map[string]string{"a.txt": tt.table + "\nask bash ls\n"}, policytest.Options{})
		if report.Status() != policytest.Error {
			t.Errorf("%q is no error", tt.table)
		}
		wantText(t, text(t, report, false), tt.want)
	}
}

func TestPolicyThatDividesByZero(t *testing.T) {
	report := runIn(t, map[string]string{"zero.rego": `package org.zero

deny contains "never" if 1 / (count(input.commands) - 1) == 0
`, "a.txt": "deny bash ls\ndeny bash ls => divide by zero\nallow read a.go\n"}, policytest.Options{})
	wantCases(t, report, "error a.txt deny bash ls", "pass a.txt deny bash ls => divide by zero", "pass a.txt allow read a.go")
	wantText(t, text(t, report, false), "error a.txt:1: deny bash ls\n      policy zero.rego:3: div: divide by zero\n")
}

func TestBrokenPolicies(t *testing.T) {
	for _, tt := range []struct {
		name, file, text, want string
	}{
		{"a test that does not parse", "a_test.rego", "package a_test\n\ntest_x if {\n", "error a_test.rego:4: the test does not compile\n      rego_parse_error"},
		{"a test of what is not there", "a_test.rego", "package a_test\n\ntest_x if nothing\n", "error a_test.rego:3: the test does not compile\n      rego_unsafe_var_error"},
		{"a policy that does not parse", "a.rego", "package org.a\n\ndeny contains\n", "error a.rego:"},
		{
			"a policy that reads what no document has", "a.rego", "package org.a\n\ndeny contains \"x\" if input.comands\n",
			"error a.rego:3: the policy does not compile\n",
		},
		{"a policy in a wrong package", "a.rego", "package git\n", "error a.rego: the policy does not compile\n      package git: a policy's package is below org"},
		{"data that is no object", "data.json", "[1]", "error data.json: the test cannot be read\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			report := runIn(t, map[string]string{tt.file: tt.text, "b.txt": "allow bash ls\n"}, policytest.Options{})
			if report.Status() != policytest.Error {
				t.Errorf("Status() = %s, want error", report.Status())
			}
			wantText(t, text(t, report, false), tt.want)
		})
	}
}

func TestNoTests(t *testing.T) {
	report := runIn(t, nil, policytest.Options{})
	wantCases(t, report, "fail . there is no test")
	if report.Status() != policytest.Fail {
		t.Errorf("Status() = %s, want fail", report.Status())
	}
	wantText(t, text(t, report, false), "no test found in .: tests are *_test.rego files")

	report = runIn(t, map[string]string{"a.txt": "allow bash ls\n"}, policytest.Options{Run: "rm"})
	wantText(t, text(t, report, false), `no test found in . that matches "rm"`)

	report = runIn(t, map[string]string{"README.md": ""}, policytest.Options{Paths: []string{"gone", "README.md"}})
	wantCases(t, report, "error README.md the test cannot be read", "error gone the test cannot be read")
}

func TestRun(t *testing.T) {
	files := map[string]string{
		"a/a.rego": git, "a/a_test.rego": "package org.a_test\n\ntest_git if data.org.git.deny == set() with input as {}\n\ntest_other if true\n",
		"b/git.txt": "allow bash git status\nallow bash ls\n", "b/.hidden/c.txt": "nonsense", "c/calls.txt": "allow bash git log\nallow bash ls\n",
	}
	for _, tt := range []struct {
		run   string
		paths []string
		want  []string
	}{
		{"", []string{"a", "b/git.txt"}, []string{"pass a_test.rego test_git", "pass a_test.rego test_other", "pass git.txt allow bash git status", "pass git.txt allow bash ls"}},
		{"git", []string{"a", "b", "c"}, []string{"pass a_test.rego test_git", "pass git.txt allow bash git status", "pass git.txt allow bash ls", "pass calls.txt allow bash git log"}},
		{`^org\.a_test\.test_o`, nil, []string{"pass a_test.rego test_other"}},
		{"bash ls$", []string{"c", "c/calls.txt", "c"}, []string{"pass calls.txt allow bash ls"}},
		{"", []string{"a/a_test.rego"}, []string{"pass a_test.rego test_git", "pass a_test.rego test_other"}},
	} {
		wantCases(t, runIn(t, files, policytest.Options{Paths: tt.paths, Run: tt.run}), tt.want...)
	}
	if _, err := policytest.Run(context.Background(), policytest.Options{Run: "("}); err == nil {
		t.Error("Run takes a wrong expression")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := policytest.Run(ctx, policytest.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that is cancelled returns %v", err)
	}
}

func TestPolicyInForce(t *testing.T) {
	global, err := settings.Parse(strings.NewReader("permission: ask\nplanFiles: [a.md]\nagents: {looker: {readOnly: true}}"), "here.yaml", settings.Options{})
	if err != nil {
		t.Fatal(err)
	}
	config := engine.Config{
		Sources: []engine.Source{{Name: "elsewhere", Trust: permission.TrustUser, Modules: map[string]string{"/etc/git.rego": git}}},
	}
	report := runIn(t, map[string]string{
		"git.rego":  git, // the same, and not twice
		"git.txt":   "ask bash ls => here\ndeny bash git push --force\npermission read=allow\nallow read a.go\nask bash ls => here\npreset workspace\nallow bash ls\nsettings\n  permission: {bash: ask}\nask bash ls => git.txt:9\n",
		"agent.txt": "permission edit=allow\nallow edit a.go\nagent looker\ndeny edit a.go => read-only\nagent other\nmode plan\nallow edit a.md\ndeny edit b.md => plan\n",
	}, policytest.Options{Config: config, Settings: settings.Config{Global: global}})
	if report.Status() != policytest.Pass {
		t.Error(text(t, report, false))
	}
}

// report is one with a case of every kind, and with what XML cannot hold.
func report() *policytest.Report {
	return &policytest.Report{Cases: []policytest.Case{
		{Suite: "a", Name: "test_a", File: "a_test.rego", Line: 1, Status: policytest.Pass, Output: "\x00\x1b[31m]]>"},
		{Suite: "a", Name: "<&>\"", File: "a_test.rego", Line: 2, Status: policytest.Fail, Message: "x < 1\n& more"},
		{Suite: "b.txt", Name: "deny bash \xff", File: "b.txt", Line: 3, Status: policytest.Error, Message: "broken", Table: true},
		{Suite: "b.txt", Name: "later", File: "b.txt", Line: 4, Status: policytest.Skip},
	}}
}

func TestJUnit(t *testing.T) {
	var b bytes.Buffer
	if err := report().JUnit(&b); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
	}
	wantText(t, b.String(), `<testsuites tests="4" failures="1" errors="1" skipped="1"`, `<testsuite name="a" tests="2" failures="1" errors="0"`,
		`<testcase classname="a" name="&lt;&amp;&gt;&#34;" file="a_test.rego" line="2"`, `<failure message="x &lt; 1&#xA;&amp; more">`,
		`<error message="broken">b.txt:3: broken</error>`, "<skipped></skipped>")
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := report().JSON(&b); err != nil {
		t.Fatal(err)
	}
	var got policytest.Report
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Cases) != 4 || got.Cases[1].Message != "x < 1\n& more" {
		t.Errorf("JSON is %s", b.String())
	}
}

func TestColor(t *testing.T) {
	var b bytes.Buffer
	r := report()
	r.Diffs = []policytest.Diff{{File: "b.txt", Text: "-a\n+b\n"}}
	if err := r.Text(&b, true, true); err != nil {
		t.Fatal(err)
	}
	wantText(t, b.String(), "\x1b[32mpass \x1b[0m", "\x1b[31mfail \x1b[0m", "\x1b[33mskip \x1b[0m", "\x1b[31m-a\x1b[0m", "\x1b[32m+b\x1b[0m")
}
