package engine_test

import (
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/settings"
	"github.com/permctl/permctl/internal/workspace"
)

// allowAll is the layer below all others in these tables.
var allowAll = permission.Layer{Name: permission.LayerDefault, Trust: permission.TrustUser, Rules: []permission.Rule{{Permission: "*", Pattern: "*", Action: permission.Allow}}}

// decide returns the decision on a document under the layers.
func decide(t *testing.T, doc *input.Document, layers ...permission.Layer) permission.Decision {
	t.Helper()
	e, err := engine.New(engine.Config{Layers: layers})
	if err != nil {
		t.Fatal(err)
	}
	d, err := e.Eval(t.Context(), doc)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// one returns a document that asks for one thing by one spelling.
func one(name, text string) *input.Document {
	return &input.Document{Requests: []input.Request{{Permission: name, Targets: []input.Target{
		{Pattern: text, Forms: []string{text}, Judges: input.AnyRule, Command: -1},
	}}}}
}

// rules returns the rules of a permission section of settings.
func rules(t *testing.T, section string) []permission.Rule {
	t.Helper()
	file, err := settings.Parse(strings.NewReader("permission: "+section), "settings.yaml", settings.Options{Home: "/home/u", PermissionOf: input.PermissionOf})
	if err != nil {
		t.Fatal(err)
	}
	return file.Rules
}

func layer(name permission.LayerName, trust permission.Trust, rules []permission.Rule) permission.Layer {
	return permission.Layer{Name: name, Trust: trust, Rules: rules}
}

// TestLastMatch holds that the last rule that matches decides, and that it is
// the one that is named. Rules are parted by ";", and layers by "/".
func TestLastMatch(t *testing.T) {
	for _, tt := range []struct {
		permission, text, layers string
		want                     permission.Action
		rule                     string
	}{
		{"bash", "rm", "bash * allow", permission.Allow, "bash *"},
		{"bash", "rm", "bash * allow; bash rm deny", permission.Deny, "bash rm"},
		{"bash", "rm", "bash rm deny; bash * allow", permission.Allow, "bash *"},
		{"edit", "src/foo.ts", "edit src/* allow", permission.Allow, "edit src/*"},
		{"edit", "src/components/Button.tsx", "edit src/* deny; edit src/components/* allow", permission.Allow, "edit src/components/*"},
		{"unknown_tool", "anything", "bash * allow", permission.Ask, "unknown_tool *"},
		{"edit", "etc/passwd", "edit src/* allow", permission.Ask, "edit *"},
		{"edit", "src/secret.ts", "edit * ask; edit src/* allow; edit src/secret.ts deny", permission.Deny, "edit src/secret.ts"},
		{"edit", "src/foo.ts", "edit * ask; edit test/* deny; edit src/* allow", permission.Allow, "edit src/*"},
		{"bash", "/bin/rm", "bash * allow; bash /bin/rm deny", permission.Deny, "bash /bin/rm"},
		{"bash", "/bin/rm", "bash /bin/rm deny; bash * allow", permission.Allow, "bash *"},
		{"bash", "rm", "* * deny", permission.Deny, "* *"},
		{"bash", "rm", "* rm deny", permission.Deny, "* rm"},
		{"mcp_server_tool", "anything", "mcp_* * allow", permission.Allow, "mcp_* *"},
		{"mcp_dangerous", "anything", "* * ask; mcp_* * allow; mcp_dangerous * deny", permission.Deny, "mcp_dangerous *"},
		{"bash", "rm", "bash * allow / bash rm deny", permission.Deny, "bash rm"},
		{"edit", "../x", "edit * allow", permission.Allow, "edit *"},
		{"read", "../.ssh/id", "read * allow; read /home/u/.ssh/* deny", permission.Allow, "read *"},
		{"task", "explore", "task * deny; task explore allow", permission.Allow, "task explore"},
		{"bash", "ls", "* * ask / bash * allow", permission.Allow, "bash *"},
		{"bash", "ls", "bash * allow / bash * ask", permission.Ask, "bash *"},
	} {
		var layers []permission.Layer
		for i, text := range strings.Split(tt.layers, " / ") {
			var made []permission.Rule
			for rule := range strings.SplitSeq(text, "; ") {
				words := strings.Split(rule, " ")
				made = append(made, permission.Rule{Permission: words[0], Pattern: words[1], Action: permission.Action(words[2])})
			}
			layers = append(layers, layer(permission.Layers[3+2*i], permission.TrustUser, made))
		}
		d := decide(t, one(tt.permission, tt.text), layers...)
		if d.Action != tt.want {
			t.Errorf("%s %q under %q: %s, want %s", tt.permission, tt.text, tt.layers, d.Action, tt.want)
		}
		got := tt.permission + " *" // what no rule speaks of is as if there were one to ask
		if rule := d.Requests[0].Targets[0].Rule; rule != nil {
			got = rule.Permission + " " + rule.Pattern
		}
		if got != tt.rule {
			t.Errorf("%s %q under %q: decided by %q, want %q", tt.permission, tt.text, tt.layers, got, tt.rule)
		}
	}
}

func TestSettingsDecide(t *testing.T) {
	for _, tt := range []struct {
		settings, permission, text string
		want                       permission.Action
	}{
		{`{"*": deny, "bash": allow}`, "bash", "ls", permission.Allow},
		{`{"bash": allow, "*": deny}`, "bash", "ls", permission.Deny},
		{`{"*": ask, "bash": allow}`, "edit", "foo.ts", permission.Ask},
		{`{"*": ask, "bash": allow}`, "bash", "ls", permission.Allow},
		{`{"bash": {"*": deny, "git *": allow}}`, "bash", "rm foo", permission.Deny},
		{`{"*": ask, "bash": allow, "edit": deny}`, "bash", "ls", permission.Allow},
		{`{"*": ask, "bash": allow, "edit": deny}`, "edit", "foo.ts", permission.Deny},
		{`{"*": ask, "bash": allow, "edit": deny}`, "read", "foo.ts", permission.Ask},
	} {
		d := decide(t, one(tt.permission, tt.text), layer(permission.LayerGlobal, permission.TrustUser, rules(t, tt.settings)))
		if d.Action != tt.want {
			t.Errorf("%s %q under %s: %s, want %s", tt.permission, tt.text, tt.settings, d.Action, tt.want)
		}
	}
}

// TestProjectTightens holds that layers are not merged, and that a project that
// nobody has trusted cannot loosen what the user said.
func TestProjectTightens(t *testing.T) {
	for _, tt := range []struct {
		user, project, permission, text string
		want                            permission.Action
	}{
		{`{"bash": {"*": ask, "git *": allow}}`, `{"bash": {"git push *": deny}}`, "bash", "git push origin", permission.Deny},
		{`{"bash": {"*": ask, "git *": allow}}`, `{"bash": {"*": deny}}`, "bash", "git status", permission.Deny},
		{`{"*": ask, "bash": {"ls *": allow}}`, `{"*": deny}`, "bash", "ls -l", permission.Deny},
		{`{"bash": {"ls *": allow}}`, `{"*": ask}`, "bash", "ls -l", permission.Ask},
		{`{"edit": {"*": allow, "infra/**": deny}}`, `{"edit": {"src/**": deny}}`, "edit", "infra/x", permission.Deny},
		{`{"bash": {"curl *": deny}}`, `{"bash": {"curl *": allow}}`, "bash", "curl x", permission.Deny},
	} {
		d := decide(t, one(tt.permission, tt.text), allowAll,
			layer(permission.LayerGlobal, permission.TrustUser, rules(t, tt.user)),
			layer(permission.LayerProject, permission.TrustNone, rules(t, tt.project)))
		if d.Action != tt.want {
			t.Errorf("%s %q under %s and the project's %s: %s, want %s", tt.permission, tt.text, tt.user, tt.project, d.Action, tt.want)
		}
	}
}

// TestCallDecide holds that a rule meets a call however it is spelt.
func TestCallDecide(t *testing.T) {
	for _, tt := range []struct {
		name, settings, tool, argument, cwd string
		want                                permission.Action
	}{
		{"an assignment before the command", `{"bash": {"*": allow, "rm *": deny}}`, "bash", "FOO=1 rm -rf x", "/home/u/proj", permission.Deny},
		{"inside sudo", `{"bash": {"*": allow, "rm *": deny}}`, "bash", "sudo rm -rf /", "/home/u/proj", permission.Deny},
		{"inside sh -c", `{"bash": {"*": allow, "rm *": deny}}`, "bash", "bash -c \"rm -rf /\"", "/home/u/proj", permission.Deny},
		{"by its path", `{"bash": {"*": allow, "rm *": deny}}`, "bash", "/bin/rm -rf x", "/home/u/proj", permission.Deny},
		{"quoted", `{"bash": {"*": allow, "rm *": deny}}`, "bash", "\"rm\" -rf x", "/home/u/proj", permission.Deny},
		{"run by find", `{"bash": {"*": allow, "rm *": deny}}`, "bash", "find . -exec rm {} \\;", "/home/u/proj", permission.Deny},
		{"run by xargs", `{"bash": {"*": allow, "rm *": deny}}`, "bash", "ls | xargs rm", "/home/u/proj", permission.Deny},
		{"a declaration is a command too", `{"bash": {"*": deny, "ls *": allow}}`, "bash", "export PATH=/evil:$PATH; ls", "/home/u/proj", permission.Deny},
		{"where output goes", `{"external_directory": deny, "bash": allow}`, "bash", "echo x > /tmp/out", "/home/u/proj", permission.Deny},
		{"a file that tee writes", `{"external_directory": deny, "bash": allow}`, "bash", "tee /etc/passwd", "/home/u/proj", permission.Deny},
		{"a file that head reads", `{"external_directory": deny, "bash": allow}`, "bash", "head /etc/passwd", "/home/u/proj", permission.Deny},
		{"a folder that ls lists", `{"external_directory": ask, "bash": {"*": ask, "ls*": allow}}`, "bash", "ls /etc", "/home/u/proj", permission.Ask},
		{"on a line of its own", `{"bash": {"*": allow, "git push*": ask}}`, "bash", "git switch -c p --no-track o/m 2>&1 | tail -1 | sed 's/^/  /'\ngit push -u origin p 2>&1 | tail -2", "/home/u/proj", permission.Ask},
		{"behind a here-document and a descriptor copy", `{"bash": {"*": allow, "rm -rf *": deny}}`, "bash", "git add -A . && git commit -F - <<'MSG' 2>&1 | rm -rf /tmp/x\nmsg\nMSG", "/home/u/proj", permission.Deny},
		{"an assignment is a target", `{"bash": {"*.env*": deny}}`, "bash", "f=.env && cat \"$f\"", "/home/u/proj", permission.Deny},
		{"a global option between program and subcommand", `{"bash": {"git push *": deny}}`, "bash", "git -C . push", "/home/u/proj", permission.Deny},
		{"the bare name meets the command with arguments", `{"bash": {"yarn": deny}}`, "bash", "yarn test", "/home/u/proj", permission.Deny},
		{"a lone -- hides nothing", `{"bash": {"*": ask, "git checkout": deny, "git checkout *": deny}}`, "bash", "git checkout -- a", "/home/u/proj", permission.Deny},
		{"a path in a folder", `{"read": {"*": allow, "**/.env": deny}}`, "read", "apps/.env", "/home/u/proj", permission.Deny},
		{"reading by a command", `{"read": {"*.env": deny}}`, "bash", "cat .env", "/home/u/proj", permission.Deny},
		{"a rule for a folder of the home directory", `{"edit": {"*": deny, "~/daily-notes/**": allow}}`, "edit", "../../daily-notes/t.txt", "/home/u/a/b", permission.Allow},
		{"a URL of the host", `{"webfetch": {"*": deny, "https://github.com/*": allow}}`, "webfetch", "https://github.com/a", "/home/u/proj", permission.Allow},
		{"a longer host is another", `{"webfetch": {"*": deny, "https://github.com*": allow}}`, "webfetch", "https://github.com.evil.com/", "/home/u/proj", permission.Deny},
		{"a tool among its server's", `{"srv_*": deny, "srv_read": allow}`, "srv_read", "*", "/home/u/proj", permission.Allow},
		{"a file outside", `{"external_directory": ask, "bash": {"*": allow, "rm *": ask}}`, "bash", "touch /home/u/x", "/home/u/proj", permission.Ask},
	} {
		w, err := workspace.New(tt.cwd, "/home/u")
		if err != nil {
			t.Fatal(err)
		}
		call, err := input.FromArgument(tt.tool, tt.argument)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := input.New(call, input.Env{Workspace: w, User: input.User{Home: "/home/u"}})
		if err != nil {
			t.Fatal(err)
		}
		d := decide(t, doc, allowAll, layer(permission.LayerGlobal, permission.TrustUser, rules(t, tt.settings)))
		if d.Action != tt.want {
			t.Errorf("%s: %s %q under %s: %s, want %s (%s)", tt.name, tt.tool, tt.argument, tt.settings, d.Action, tt.want, d.Reason)
		}
	}
}
