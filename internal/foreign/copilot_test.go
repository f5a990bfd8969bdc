package foreign_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/foreign"
)

// copilotScript starts Copilot with rules of each kind.
const copilotScript = `#!/bin/sh
# How I start it.
cd "$(git rev-parse --show-toplevel)" || exit 1
exec copilot --allow-tool 'shell(git:*)' --allow-tool='shell(npm run test:*),shell(make build)' \
  --allow-tool 'write(src/*.ts)' --allow-tool 'write(docs/**)' --allow-tool 'github-mcp-server(get_issue)' \
  --allow-tool 'jira' --allow-tool memory --allow-tool 'shell(curl:*)' --allow-url github.com \
  --allow-url 'https://*.api.example' --allow-url 'http://plain.example/a' \
  --deny-tool 'shell(git push)' 'shell(rm:*)' --deny-tool 'write(src/gen.ts)' --deny-tool 'read(.env)' \
  --deny-url evil.api.example --deny-tool 'jira(delete_issue)' --add-dir ../shared -p "fix it"
`

const copilotConfig = `{
  // Where it may be started.
  "trusted_folders": ["/workspace"],
  "allowed_urls": ["https://docs.example"],
  "denied_urls": ["https://docs.example/private"],
  "theme": "dark",
}`

var copilotFiles = []foreign.File{
	{Name: "agent.sh", Text: []byte(copilotScript)},
	{Name: "config.json", Text: []byte(`{"theme": "dark", "allowed_urls": ["https://docs.example"], "denied_urls": ["*.tracker.example"]}`)},
}

// copilotRows are what Copilot answers by its documentation, to copilotFiles.
var copilotRows = []row{
	// A stem is the command by itself, or with more words, and no longer word.
	{"allow", "bash", "git", ""},
	{"allow", "bash", "git status", ""},
	{"allow", "bash", "git commit -m x", ""},
	{"ask", "bash", "gitea status", ""},
	{"ask", "bash", "gh status", ""},
	{"allow", "bash", "npm run test", ""},
	{"allow", "bash", "npm run test -- --watch", ""},
	{"ask", "bash", "npm run tests", ""},
	{"ask", "bash", "npm install", ""},
	{"allow", "bash", "make build", ""},
	{"ask", "bash", "make", ""},
	{"ask", "bash", "make builds", ""},
	{"ask", "bash", "make build all", ""}, // the stricter of two readings
	// A deny wins over any allow.
	{"deny", "bash", "git push", ""},
	{"deny", "bash", "git push origin main", ""},
	{"allow", "bash", "git pushx", ""},
	{"deny", "bash", "rm", ""},
	{"deny", "bash", "rm -rf x", ""},
	{"ask", "bash", "rmdir x", ""},
	// Each command of a line counts.
	{"allow", "bash", "git status && make build", ""},
	{"ask", "bash", "git status && make install", ""},
	{"deny", "bash", "git status; rm x", ""},
	{"deny", "bash", "git status | rm x", ""},
	{"ask", "bash", "git status || ls", ""},
	{"ask", "bash", "git log $(cat x)", ""},
	{"ask", "bash", "(git status)", ""},
	{"ask", "bash", "timeout 5 git status", ""},
	{"ask", "bash", "FOO=1 git status", ""},
	{"deny", "bash", "FOO=1 rm x", ""},
	{"ask", "powershell", "git status", ""},
	{"deny", "powershell", "git push", ""},
	// A redirection writes a file.
	{"allow", "bash", "git log > src/log.ts", ""},
	{"ask", "bash", "git log > log.txt", ""},
	{"deny", "bash", "git log > src/gen.ts", ""},
	// A command that names an address needs that, too.
	{"allow", "bash", "curl https://github.com/x", ""},
	{"ask", "bash", "curl https://a.example/x", ""},
	{"deny", "bash", "curl https://evil.api.example/x", ""},
	// Files.
	{"allow", "create", "src/a.ts", ""},
	{"allow", "edit", "src/a.ts", ""},
	{"ask", "edit", "src/a/b.ts", ""},
	{"ask", "edit", "src/a.js", ""},
	{"allow", "edit", "docs/a/b.md", ""},
	{"ask", "edit", "a.ts", ""},
	{"deny", "edit", "src/gen.ts", ""},
	{"ask", "edit", "../shared/a.ts", ""},
	{"ask", "edit", "/etc/hosts", ""},
	{"allow", "view", "a.go", ""},
	{"deny", "view", ".env", ""},
	{"allow", "view", ".env.example", ""},
	{"allow", "view", "../shared/a.go", ""},
	{"ask", "view", "../sharedx/a.go", ""},
	{"ask", "view", "/etc/hosts", ""},
	{"allow", "grep", "x", ""},
	{"deny", "grep", `{"pattern": "x", "path": ".env"}`, ""},
	{"allow", "glob", "*.go", ""},
	// Addresses.
	{"allow", "web_fetch", "https://github.com/a/b", ""},
	{"ask", "web_fetch", "http://github.com/", ""},
	{"ask", "web_fetch", "https://api.github.com/", ""},
	{"ask", "web_fetch", "https://github.com.evil.example/", ""},
	{"ask", "web_fetch", "https://github.com:8443/", ""},
	{"allow", "web_fetch", "https://a.api.example/x", ""},
	{"ask", "web_fetch", "https://api.example/x", ""},
	{"deny", "web_fetch", "https://evil.api.example/x", ""},
	{"deny", "web_fetch", "https://x.tracker.example/", ""},
	{"allow", "web_fetch", "http://plain.example/a", ""},
	{"ask", "web_fetch", "http://plain.example/b", ""},
	{"ask", "web_fetch", "https://plain.example/a", ""},
	{"allow", "web_fetch", "https://docs.example/x", ""},
	// All else.
	{"allow", "github-mcp-server-get_issue", "", ""},
	{"ask", "github-mcp-server-create_issue", "", ""},
	{"allow", "jira-search", "", ""},
	{"deny", "jira-delete_issue", "", ""},
	{"ask", "jirax-search", "", ""},
	{"allow", "store_memory", "", ""},
	{"allow", "update_todo", "", ""},
	{"ask", "web_search", "permctl", ""},
	{"ask", "sql", "", ""},
}

func TestCopilot(t *testing.T) {
	judge := judgeOf(t, foreign.Copilot, copilotFiles)
	made := imported(t, foreign.Copilot, copilotFiles...)
	agrees(t, made, judge, copilotRows)
	holds(t, made)
}

// TestCopilotManaged has settings whose lists have to have what is allowed.
func TestCopilotManaged(t *testing.T) {
	files := []foreign.File{
		{Name: "managed-settings.json", Text: []byte(`{"permissions": {"allow": ["Shell(git *)", "Read(**)", "Write(src/**)"], "ask": ["Shell(git push *)"], "deny": ["Shell(rm)", "Read(**/*.pem)", "MyMCP"]}}`)},
		{Name: "copilot.sh", Text: []byte("copilot --allow-tool 'shell(make)' --allow-tool 'write(src/**)' --deny-tool write\n")},
	}
	judge := judgeOf(t, foreign.Copilot, files)
	made := imported(t, foreign.Copilot, files...)
	agrees(t, made, judge, []row{
		{"allow", "bash", "git status", ""},
		{"ask", "bash", "git push origin", ""},
		{"ask", "bash", "git push", ""},
		{"ask", "bash", "make", ""},
		{"deny", "bash", "rm x", ""},
		{"deny", "view", "a/b.pem", ""},
		{"deny", "edit", "src/a", ""},
		{"deny", "MyMCP-x", "", ""},
	})
	if !strings.Contains(messages(made), "copilot.sh:1: --allow-tool shell(make): is left out: what managed-settings.json allows has to have the same rule") {
		t.Error(messages(made))
	}
}

// TestCopilotTools has lists of the only tools that there are, and of those that
// there are not, by either name that Copilot has for them.
func TestCopilotTools(t *testing.T) {
	files := []foreign.File{{Name: "copilot.sh", Text: []byte("npx @github/copilot --available-tools view,bash,edit --excluded-tools edit --allow-tool shell\n")}}
	judge := judgeOf(t, foreign.Copilot, files)
	agrees(t, imported(t, foreign.Copilot, files...), judge, []row{
		{"allow", "bash", "make && make $(x)", ""},
		{"allow", "view", "a", ""},
		{"deny", "edit", "a", ""},
		{"deny", "create", "a", ""},
		{"deny", "web_fetch", "https://a.example/", ""},
		{"deny", "server-tool", "", ""},
	})
}

// TestCopilotNotes has every rule that cannot be carried over as it is.
func TestCopilotNotes(t *testing.T) {
	made := imported(t, foreign.Copilot,
		foreign.File{Name: "copilot.sh", Text: []byte(`copilot --allow-all-tools --yolo --allow-tool 'shell(git push)' --allow-tool 'shell(g*)' --allow-tool 'shell(a?:*)' --allow-tool 'shell(:*)' --allow-tool 'shell(*)' --allow-tool 'shell(a && b)' --allow-tool 'read(.env)' --allow-tool 'write(/etc/*)' --allow-tool 'write(~/x)' --allow-tool 'write(../x)' --allow-tool 'write([ab])' --allow-tool 'url(a b)' --allow-tool 'url(a.example/*/x)' --allow-tool 'url(*)' --allow-tool 'url(ftp://a.example)' --allow-tool view --allow-tool 'jira(get_*)' --allow-tool 'memory(x)' --allow-tool 'shell(a:*)' 'shell(b:*)' --allow-tool "$TOOLS" --add-dir '~/../x' $MORE -p "$PROMPT" --deny-tool 'shell(a | b)' --deny-tool 'write([ab])' --deny-tool 'url(a b)' --deny-url https://a.example/x --deny-tool 'jira(get_*)' --deny-tool 'memory(x)'
`)},
		foreign.File{Name: "config.json", Text: []byte(copilotConfig)},
		foreign.File{Name: "settings.json", Text: []byte(`{"permissions": {"disableBypassPermissionsMode": "disable", "denny": []},
"chat.tools.terminal.autoApprove": {"/^git/": true}}`)},
		foreign.File{Name: "permissions-config.json", Text: []byte(`{"locations": {}}`)})
	want := strings.TrimLeft(`
copilot.sh:1: --allow-all-tools: is left out: what no rule allows is asked; if you want all else to be allowed, write rules for that yourself
copilot.sh:1: --yolo: is left out: what no rule allows is asked; if you want all else to be allowed, write rules for that yourself
copilot.sh:1: shell(b:*): is left out: write --allow-tool before it, too
copilot.sh:1: --allow-tool "$TOOLS": is left out: what a variable holds nobody can tell; write it out
copilot.sh:1: $MORE: is left out: what a variable holds nobody can tell; if it denies something, write that out
copilot.sh:1: --allow-tool shell(git push): holds for just this text, as that is not documented for more: write shell(git push:*) to allow it with anything behind
copilot.sh:1: --allow-tool shell(g*): is left out, and asked: a star is none but in :* at the end
copilot.sh:1: --allow-tool shell(a?:*): is left out, and asked: what ? stands for is not documented
copilot.sh:1: --allow-tool shell(:*): is left out, and asked: write shell for all commands
copilot.sh:1: --allow-tool shell(*): is left out, and asked: write shell for all commands
copilot.sh:1: --allow-tool shell(a && b): is left out: each command of a line is matched by itself; write a rule for each of them
copilot.sh:1: --allow-tool read(.env): is left out: what is in its folders Copilot reads freely, and permctl too; for others write --add-dir FOLDER
copilot.sh:1: --allow-tool write(/etc/*): is left out, and asked: write a path below the folder where Copilot is started, with * and ** alone
copilot.sh:1: --allow-tool write(~/x): is left out, and asked: write a path below the folder where Copilot is started, with * and ** alone
copilot.sh:1: --allow-tool write(../x): is left out, and asked: write a path below the folder where Copilot is started, with * and ** alone
copilot.sh:1: --allow-tool write([ab]): is left out, and asked: write a path below the folder where Copilot is started, with * and ** alone
copilot.sh:1: --allow-tool url(a b): is left out, and asked: write url(HOST), or url(https://HOST/PATH) without a star in the path
copilot.sh:1: --allow-tool url(a.example/*/x): is left out, and asked: write url(HOST), or url(https://HOST/PATH) without a star in the path
copilot.sh:1: --allow-tool url(*): is left out, and asked: write url for all addresses
copilot.sh:1: --allow-tool url(ftp://a.example): is left out, and asked: write url(HOST), or url(https://HOST/PATH) without a star in the path
copilot.sh:1: --allow-tool view: is left out, and asked: Copilot's own tools are allowed by kind: shell, write, read, url or memory
copilot.sh:1: --allow-tool jira(get_*): is left out, and asked: write SERVER for all tools of a server, or the name of one
copilot.sh:1: --allow-tool memory(x): is left out, and asked: memory is given nothing in brackets
copilot.sh:1: --deny-tool shell(a | b): holds for a line that is just so: each command of a line is matched by itself; write a rule for each of them
copilot.sh:1: --deny-tool write([ab]): holds for all files: it holds what may be read in two ways; write it with * and ** alone
copilot.sh:1: --deny-tool url(a b): holds for every address: nobody can tell the host; write url(HOST)
copilot.sh:1: --deny-url https://a.example/x: holds for all addresses of that host
copilot.sh:1: --deny-tool jira(get_*): holds for all tools of that server
copilot.sh:1: --deny-tool memory(x): holds for all that is remembered: memory is given nothing in brackets
copilot.sh:1: --add-dir ~/../x: is left out, and what is in it is asked as an external_directory: write a folder that is not /, and without .. but at the beginning of a path from the project
config.json:3: trusted_folders: stays in Copilot's settings: it says where Copilot may be started; permctl trust says whose rules count
config.json:5: https://docs.example/private: holds for all addresses of that host
settings.json:1: permissions.disableBypassPermissionsMode: stays in Copilot's settings: it is about Copilot's own modes, and permctl knows none that allows everything
settings.json:1: permissions.denny: is left out: it is no list of permissions that is known (did you mean "deny"?)
settings.json:2: chat.tools.terminal.autoApprove: is left out, and asked: it is a setting of VS Code, and no rule of Copilot's CLI
permissions-config.json:1: locations: is left out, and asked again: how Copilot writes down what was approved is not documented
`, "\n")
	if diff := cmp.Diff(want, messages(made)); diff != "" {
		t.Error(diff)
	}
	holds(t, made)
}

func TestCopilotErrors(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"config.json", "{\n\"a\" 1}", "config.json: line 2, column 5"},
		{"config.json", "x", "config.json: line 1, column 1"},
		{"config", "[]", "config:1: settings are an object, and not of the kind array"},
		{"config.json", "{\"permissions\":\n[]}", "config.json:2: permissions must be an object with the lists allow, ask and deny"},
		{"config.json", "{\"permissions\": {\"deny\":\n\"x\"}}", "config.json:2: the rules that deny must be a list"},
		{"config.json", "{\"permissions\": {\"deny\": [\n\"Shell(x\"]}}", `config.json:2: "Shell(x" is no rule: write shell(git status), `},
		{"config.json", "{\"denied_urls\": [\n1]}", `config.json:2: "" is no rule: write shell(git status), `},
		{"run.sh", "echo copilot --allow-tool shell\n", "run.sh:1: has no rules: it is no JSON, and no shell script that starts copilot"},
		{"run.sh", "echo x\n", "run.sh:1: has no rules: it is no JSON, and no shell script that starts copilot"},
		{"run.sh", "copilot 'x\n", "run.sh:1: is neither JSON nor a shell script that can be read: "},
		{"run.sh", "\ncopilot --deny-tool \"$X\"\n", `run.sh:2: --deny-tool "$X": what a variable holds nobody can tell; write it out`},
		{"run.sh", "\ncopilot --available-tools=$X\n", "run.sh:2: --available-tools $X: what a variable holds nobody can tell; write it out"},
		{"run.sh", "copilot --deny-tool\n", "run.sh:1: --deny-tool is given nothing"},
		{"run.sh", "copilot --deny-tool 'shell(rm'\n", `run.sh:1: --deny-tool: "shell(rm" is no rule: write shell(git status), `},
	} {
		made, err := foreign.Copilot.Import([]foreign.File{{Name: tt.name, Text: []byte(tt.text)}})
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || made != nil {
			t.Errorf("%s:\ngot  %v\nwant %s", tt.text, err, tt.want)
		}
	}
}

// randomCopilot returns a script that starts Copilot with rules.
func randomCopilot(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("copilot")
	for range r.IntN(9) {
		rule := random(r, "shell", "write", "read", "url", "memory", "github", "github(get)", "jira", "view")
		switch r.IntN(6) {
		case 0:
			rule = random(r, "write", "read") + "(" + random(r, "src/**", "*.go", "src/*.go", "./x", "**/.env", "/etc/**", "~/notes/*", "../x", "*", "**", "src/", "a*b", "?", "..") + ")"
		case 1:
			rule = "url(" + random(r, "a.example", "*.example", "https://a.example", "http://a.example/x", "*", "sub.*.example", "evil.example") + ")"
		case 2, 3, 4:
			rule = "shell(" + strings.ReplaceAll(randomPattern(r), "'", "") + random(r, "", ":*", ":*") + ")"
		}
		fmt.Fprintf(&b, " --%s-tool '%s'", random(r, "allow", "allow", "allow", "deny"), rule)
	}
	return b.String() + random(r, "", "", " --add-dir ../shared", " --add-dir /", " --available-tools bash,view,edit", " --excluded-tools grep")
}

// copilotTexts are texts that Copilot's rules are about.
var copilotTexts = []string{
	"https://a.example/x", "https://sub.a.example:8080/", "https://user@evil.example/", "http://a.example/x", "http://a.example/x?y", "../shared/a.go", "~/notes/a", "curl https://a.example/x",
	"make > src/a.go", "cd src && git status", "git push\tmain", "ls;git push", "git status > /dev/null 2>&1", "git status &> out", "git log --output=x", "ls $(git push)",
	"A=1 B=2 git push", "https://a.example./", "https://A.EXAMPLE/", "src/.env", "src",
}

// copilotSeeds are files, and a call for each.
var copilotSeeds = [][3]string{
	{"run.sh", copilotScript, "git push"},
	{"config.json", copilotConfig, "https://docs.example/private"},
	{"managed.json", `{"permissions": {"allow": ["Shell(*)", "Write(**)", "Url(*)"], "deny": ["Read(**)"], "ask": ["Shell(git * x)"]}}`, "git a x"},
	{"run.sh", "copilot --allow-tool 'shell(a\\ b:*)' --deny-tool 'write(a\nb)' --available-tools bash", "a  b"},
}

func TestCopilotNeverLooser(t *testing.T) {
	for _, s := range copilotSeeds {
		neverLooser(t, foreign.Copilot, []foreign.File{{Name: s[0], Text: []byte(s[1])}}, append(copilotTexts, fuzzTexts...)...)
	}
	r, seed := randomly()
	for range *rounds {
		text := randomCopilot(r)
		neverLooser(t, foreign.Copilot, []foreign.File{{Name: "copilot.sh", Text: []byte(text)}}, append(randomTexts(r), copilotTexts...)...)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzCopilot(f *testing.F) {
	for _, s := range copilotSeeds {
		f.Add(s[0], s[1], s[2])
	}
	f.Fuzz(func(t *testing.T, name, text, call string) {
		neverLooser(t, foreign.Copilot, []foreign.File{{Name: name, Text: []byte(text)}}, call)
	})
}

// TestCopilotStarts has scripts that start Copilot more than once: what each time is
// allowed is allowed, and what is denied once is denied.
func TestCopilotStarts(t *testing.T) {
	once := "copilot --allow-tool 'shell(make:*)' --allow-tool write --add-dir ../shared --deny-tool 'shell(make install)'\n"
	again := "copilot --allow-tool 'shell(make:*)' --allow-tool 'shell(go:*)' --deny-tool 'shell(make clean)'\n"
	rows := []row{
		{"allow", "bash", "make build", ""},
		{"ask", "bash", "go build", ""},
		{"deny", "bash", "make install", ""},
		{"deny", "bash", "make clean", ""},
		{"ask", "edit", "a.go", ""},
		{"ask", "view", "../shared/a", ""},
	}
	for _, files := range [][]foreign.File{
		{{Name: "a.sh", Text: []byte(once + again)}},
		{{Name: "a.sh", Text: []byte(once)}, {Name: "b.sh", Text: []byte(again)}},
	} {
		judge := judgeOf(t, foreign.Copilot, files)
		made := imported(t, foreign.Copilot, files...)
		agrees(t, made, judge, rows)
		for _, want := range []string{"write: is left out, and asked: Copilot is started more than once", "shell(go:*): is left out, and asked: Copilot is", "--add-dir ../shared: is left out, and asked: Copilot is", "copilot: Copilot is started more than once: "} {
			if !strings.Contains(messages(made), want) {
				t.Errorf("no note %q in\n%s", want, messages(made))
			}
		}
	}
}

// TestCopilotOddRules has rules for what is no command.
func TestCopilotOddRules(t *testing.T) {
	for _, rule := range []string{"time", "! x", "-x", "[[ -f", "#x", "((x", "2>&1", "if:*", "{"} {
		for _, flag := range []string{"--deny-tool", "--allow-tool"} {
			made := imported(t, foreign.Copilot, foreign.File{Name: "a.sh", Text: []byte("copilot " + flag + " 'shell(" + rule + ")'\n")})
			holds(t, made)
			if !strings.Contains(messages(made), "shell("+rule+"): ") {
				t.Errorf("%s %s: there is no note", flag, rule)
			}
		}
	}
	files := []foreign.File{{Name: "a.sh", Text: []byte("copilot --deny-tool 'shell(time)'\n")}}
	judge := judgeOf(t, foreign.Copilot, files)
	agrees(t, imported(t, foreign.Copilot, files...), judge, []row{{"deny", "bash", "time make", ""}, {"deny", "bash", "ls && time make", ""}, {"ask", "bash", "make", ""}})
}
