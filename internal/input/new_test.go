package input_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/workspace"
)

// env returns the surroundings of a workspace with a folder src, a link out to
// /etc, and one that leads to itself.
func env(t testing.TB) input.Env {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"out": "/etc", "loop": "loop", "in": "src"} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	w, err := workspace.New(root, "/home/u")
	if err != nil {
		t.Fatal(err)
	}
	return input.Env{Workspace: w, User: input.User{Name: "u", Home: "/home/u"}}
}

// document returns the document of a tool's call with its argument.
func document(t testing.TB, e input.Env, tool, argument string) *input.Document {
	t.Helper()
	call, err := input.FromArgument(tool, argument)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := input.New(call, e)
	if err != nil {
		t.Fatalf("New(%s %q): %v", tool, argument, err)
	}
	return doc
}

// targets returns a line for each target: the permission, the pattern, and how
// it is judged where that is not by every rule.
func targets(doc *input.Document) []string {
	var lines []string
	for _, r := range doc.Requests {
		for _, target := range r.Targets {
			line := r.Permission + ": " + target.Pattern
			if target.Judges != input.AnyRule {
				line += " (by " + string(target.Judges) + ")"
			}
			if target.Opaque {
				line += " (opaque)"
			}
			lines = append(lines, strings.ReplaceAll(line, doc.Workspace.Root, "ROOT"))
		}
	}
	return lines
}

func TestNew(t *testing.T) {
	e := env(t)
	for _, tt := range []struct {
		tool, argument string
		want           []string
	}{
		// A shell line asks for each command, and for the files it touches.
		{"bash", "git push --force origin main", []string{"bash: git push"}},
		{"bash", "cat .env > /tmp/x", []string{"bash: cat", "read: .env (by permission)", "edit: /tmp/x", "external_directory: /tmp/x"}},
		{"bash", "rm a b", []string{"bash: rm", "edit: a (by permission)", "edit: b (by permission)"}},
		{"bash", "cp a b", []string{"bash: cp", "read: a (by permission)", "edit: b (by permission)"}},
		{"bash", "sort < in.txt", []string{"bash: sort", "read: in.txt (by permission)"}},
		{"bash", "echo x >/dev/null 2>&1", []string{"bash: echo"}},
		{"bash", "cd src && rm x", []string{"bash: cd", "bash: rm", "edit: src/x (by permission)"}},
		{"bash", "cd /etc && cat passwd", []string{"bash: cd", "bash: cat", "read: /etc/passwd (by permission)", "external_directory: /etc", "external_directory: /etc/passwd"}},
		{"bash", "frobnicate /etc/x ~/y", []string{"bash: frobnicate", "external_directory: /etc/x", "external_directory: /home/u/y"}},
		{"bash", "cat out/passwd", []string{"bash: cat", "read: /etc/passwd (by permission)", "external_directory: /etc/passwd"}},
		{"bash", "timeout 5 git status", []string{"bash: timeout (by pattern)", "bash: git status"}},
		{"bash", "sudo rm x", []string{"bash: sudo", "bash: rm", "edit: x (by permission)"}},
		{"bash", "FOO=1 git status", []string{"bash: git status", "bash: FOO=1 (by pattern)"}},
		{"bash", `echo x > "$F"`, []string{"bash: echo", `edit: "$F" (opaque)`}},
		{"bash", `rm "$F"`, []string{"bash: rm", `edit: "$F" (by permission) (opaque)`}},

		// A line that runs no command still asks for itself.
		{"bash", "> out.txt", []string{"edit: out.txt", "bash: > out.txt"}},
		{"bash", "X=1", []string{"bash: X=1 (by pattern)", "bash: X=1"}},
		{"bash", `{"restart": true}`, []string{"bash: *"}},
		{"bash_input", "", []string{"bash: *"}},
		{"bash", " \n", []string{"bash: *"}},

		// What cannot be read is for a rule for everything, and for those that deny.
		{"bash", "if rm", []string{"bash: (unparsed) if rm (opaque)", "bash: if rm (by restriction)", "bash: rm (by restriction)"}},
		{"powershell", "rm x", []string{"bash: (unparsed) rm x (opaque)", "bash: rm x (by restriction)", "bash: rm", "edit: x (by permission)"}},

		{"write_bash", `{"input": "git status{enter}rm x{enter}"}`, []string{"bash: (unparsed) git status{enter}rm x{enter} (opaque)", "bash: git status{enter}rm x{enter} (by restriction)", "bash: git status{enter}rm"}},

		// Agents name what they search and change in ways of their own.
		{"Grep", `{"pattern": "root", "file_path": "/etc/passwd"}`, []string{"grep: /etc/passwd", "read: /etc/passwd (by permission)", "external_directory: /etc/passwd"}},
		{"Glob", `{"patterns": ["*.go"], "folder": "/srv"}`, []string{"glob: /srv", "external_directory: /srv"}},
		{"LS", `{"directory_path": "/etc"}`, []string{"list: /etc", "external_directory: /etc"}},
		{"task", `{"agent_type": "explore"}`, []string{"task: explore"}},
		{"multi_replace_string_in_file", `{"replacements": [{"filePath": "/etc/a"}, {"filePath": "b"}]}`, []string{"edit: /etc/a", "edit: b", "external_directory: /etc/a"}},

		// A patch asks for every file, also where a file is moved to.
		{"apply_patch", "*** Begin Patch\n*** Update File: a\n*** Move to: /etc/b\n@@\n-x\n+y\n*** End Patch", []string{"edit: a", "edit: /etc/b", "external_directory: /etc/b"}},
		{"apply_patch", "*** Begin Patch\n*** End Patch", []string{"edit: (unparsed) patch line 1: names no file (opaque)"}},
		{"bash", "apply_patch <<'E'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nE", []string{"bash: apply_patch", "edit: a"}},
		{"bash", "cd src && apply_patch <<'E'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nE", []string{"bash: cd", "bash: apply_patch", "edit: src/a"}},
		{"bash", "apply_patch <<E\n*** Begin Patch\n*** Delete File: $X\n*** End Patch\nE", []string{"bash: apply_patch", "edit: (unparsed) apply_patch (opaque)"}},
		{"bash", "git apply <<'E'\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nE", []string{"bash: git apply", "edit: x"}},
		{"bash", "patch -p0 < x.diff", []string{"bash: patch", "edit: (unparsed) patch -p0 (opaque)", "read: x.diff (by permission)"}},

		// Tools for files.
		{"Read", "src/a.go", []string{"read: src/a.go"}},
		{"read", "in/a.go", []string{"read: in/a.go"}},
		{"read", "~/x", []string{"read: /home/u/x", "read: ~/x (by restriction)", "external_directory: /home/u/x"}},
		{"Write", "/etc/hosts", []string{"edit: /etc/hosts", "external_directory: /etc/hosts"}},
		{"MultiEdit", "a.go", []string{"edit: a.go"}},
		{"NotebookEdit", `{"notebook_path": "a.ipynb"}`, []string{"edit: a.ipynb"}},
		{"read_many_files", `{"include": ["a", "b"]}`, []string{"read: a", "read: b"}},
		{"fs_read", `{"operations": [{"mode": "Line", "path": "a"}, {"mode": "Image", "image_paths": ["b", "c"]}]}`, []string{"read: a", "read: b", "read: c"}},
		{"read_files", `{"files": [{"path": "a", "start_line": 1}]}`, []string{"read: a"}},
		{"fs_write", `{"command": "str_replace", "path": "a"}`, []string{"edit: a"}},
		{"replace_in_file", `{"path": "a", "diff": "x"}`, []string{"edit: a"}},
		{"write_code", `{"file_path": "a", "edits": [{"old_string": "x"}]}`, []string{"edit: a"}},
		{"read_code", "a", []string{"read: a"}},
		{"run_command", `{"command_line": "ls"}`, []string{"bash: ls"}},
		{"search_files", `{"path": "src", "regex": "x"}`, []string{"grep: src", "read: src (by permission)"}},
		{"list_code_definition_names", `{"path": "src"}`, []string{"grep: src", "read: src (by permission)"}},
		{"skills", "release", []string{"skill: release"}},
		{"grep", "TODO", []string{"grep: TODO"}},
		{"grep", `{"pattern": "TODO", "path": "src"}`, []string{"grep: src", "read: src (by permission)"}},
		{"glob", "*.go", []string{"glob: ."}},
		{"ls", "", []string{"list: ."}},
		{"find", "src", []string{"list: src"}},

		// Whatever stands in any field that may hold it counts, and what is of
		// another kind is for a rule for everything.
		{"bash", `{"command": "ls", "cmd": "rm x"}`, []string{"bash: ls", "bash: rm", "edit: x (by permission)"}},
		{"bash", `{"commands": ["ls", "rm x"]}`, []string{"bash: ls", "bash: rm", "edit: x (by permission)"}},
		{"local_shell", `{"action": {"type": "exec", "command": ["rm", "x"]}}`, []string{"bash: rm", "edit: x (by permission)"}},
		{"shell", `{"command": ["bash", "-lc", "rm x"], "workdir": "src"}`, []string{"bash: bash (by pattern)", "bash: rm", "edit: src/x (by permission)"}},
		{"exec_command", `{"cmd": "rm x", "shell": "/bin/bash", "login": true}`, []string{"bash: rm", "edit: x (by permission)"}},
		{"spawn_agent", `{"agent_type": "explorer", "prompt": "Count"}`, []string{"task: explorer"}},
		{"spawn_agent", `{"prompt": "Count"}`, []string{"task: *"}},
		{"run_shell_command", `{"command": "rm x", "dir_path": "src"}`, []string{"bash: rm", "edit: src/x (by permission)"}},
		{"replace", `{"file_path": "a", "old_string": "x", "new_string": "/etc/y"}`, []string{"edit: a"}},
		{"web_fetch", `{"prompt": "Compare https://a.example/ with (http://10.0.0.5/b)"}`, []string{"webfetch: https://a.example/", "webfetch: http://10.0.0.5/b"}},
		{"list_directory", `{"dir_path": "src"}`, []string{"list: src"}},
		{"invoke_agent", `{"agent_name": "cook", "prompt": "Cook"}`, []string{"task: cook"}},
		{"activate_skill", `{"name": "cooking"}`, []string{"skill: cooking"}},
		{"developer__shell", "rm x", []string{"bash: rm", "edit: x (by permission)"}},
		{"developer__edit", `{"path": "a", "before": "x", "after": "y"}`, []string{"edit: a"}},
		{"developer__tree", `{"path": "src", "depth": 2}`, []string{"list: src"}},
		{"developer__read_image", "a.png", []string{"read: a.png"}},
		{"developer__read_image", "https://a.example/b.png", []string{"read: https://a.example/b.png", "webfetch: https://a.example/b.png"}},
		{"developer__read_image", "file:///etc/%70asswd", []string{"read: (unparsed) file:///etc/%70asswd (opaque)"}},
		{"execute", `{"command": "rm", "args": ["x"], "cmd": {"command": ["rm", "x"], "cmd": null}}`, []string{"bash: rm", "bash: rm", "edit: x (by permission)"}},
		{"move", `{"source": "a", "destination": "/etc/b"}`, []string{"edit: a", "edit: /etc/b", "external_directory: /etc/b"}},
		{"edit", `{"paths": ["a", "b", ["c"]]}`, []string{"edit: a", "edit: b", "edit: c"}},
		{"bash", `{"command": ["rm", 5]}`, []string{"bash: (unparsed) command: [rm 5] (opaque)", "bash: rm (by restriction)"}},
		{"bash", `{"command": "ls &>f", "shell": "/bin/dash"}`, []string{"bash: ls", "edit: f"}},
		{"sh", `{"command": "ls &>f pwd"}`, []string{
			"bash: ls", "bash: ls", "bash: pwd", "bash: (unparsed) ls &>f pwd (opaque)", "bash: ls (by restriction)", "bash: f pwd (by restriction)", "edit: f",
		}},
		{"bash", `{"command": "ls", "shell": "python"}`, []string{"bash: (unparsed) ls (opaque)", "bash: ls (by restriction)", "bash: ls"}},
		{"read", `{"file_path": "a", "path": "/etc/b", "files": ["c"]}`, []string{"read: a", "read: /etc/b", "read: c", "external_directory: /etc/b"}},
		{"read", `{"file_path": ["a"]}`, []string{"read: a"}},
		{"read", `{"file_path": 5}`, []string{"read: (unparsed) file_path: 5 (opaque)"}},
		{"webfetch", `{"url": "https://a.example/", "uri": "https://b.example/"}`, []string{"webfetch: https://a.example/", "webfetch: https://b.example/"}},
		{"Write", `{"file_path": "a", "command": "view"}`, []string{"edit: a"}},
		{"str_replace_editor", `{"path": "a", "command": "view"}`, []string{"read: a"}},
		{"str_replace_editor", `{"path": "a", "command": "create"}`, []string{"edit: a"}},
		{"glob", `{"pattern": "/etc/**"}`, []string{"glob: .", "external_directory: /etc"}},
		{"apply_patch", `{"input": "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n*** Begin Patch\n*** Add File: k\n+x\n*** End Patch"}`, []string{
			"edit: k", "edit: a/x", "edit: x", "edit: b/x", "edit: Begin Patch", "edit: Begin", "edit: Add File: k", "edit: Add", "edit: End Patch", "edit: End",
			"edit: (unparsed) the text holds two kinds of patches (opaque)",
		}},
		{"move_file", `{"source": "x", "destination": "/etc/x"}`, []string{
			"move_file: *", "read: /etc/x (by restriction)", "read: x (by restriction)", "edit: /etc/x (by restriction)", "edit: x (by restriction)",
			"external_directory: /etc/x",
		}},

		// What the text itself says of a file that only run time knows counts too.
		{"bash", "f=/etc/x; cat $f", []string{"bash: cat", "bash: f=/etc/x (by pattern)", "read: $f (by permission) (opaque)", "read: /etc/x (by permission)", "external_directory: /etc/x"}},
		{"bash", "cd; cat x", []string{"bash: cd", "bash: cat", "read: /home/u/x (by permission)", "external_directory: /home/u", "external_directory: /home/u/x"}},
		{"bash", "cat a > /dev/fd/../../etc/x", []string{"bash: cat", "read: a (by permission)", "edit: /etc/x", "external_directory: /etc/x"}},
		{"bash", "echo x > s?c/y", []string{"bash: echo", "edit: src/y"}},
		{"bash", "echo x > n*ne", []string{"bash: echo", "edit: n*ne"}},
		{"bash", "cat /et?/x", []string{"bash: cat", "read: /etc/x (by permission)", "external_directory: /etc/x"}},
		{"bash", "cat a > /dev/fd/2", []string{"bash: cat", "read: a (by permission)"}},

		// All others.
		{"WebFetch", "https://example.com/a", []string{"webfetch: https://example.com/a"}},
		{"webfetch", "http://[::1", []string{"webfetch: http://[::1 (opaque)", "webfetch: http://[::1 (by restriction)"}},
		{"websearch", "golang", []string{"websearch: golang"}},
		{"Task", "explore", []string{"task: explore"}},
		{"Skill", "pdf", []string{"skill: pdf"}},
		{"eval", "1 + 1", []string{"eval: *"}},
		{"mcp__db__query", `{"sql": "drop"}`, []string{"mcp__db__query: *"}},
		{"FutureTool", `{"path": "/etc/x"}`, []string{
			"FutureTool: *", "read: /etc/x (by restriction)", "edit: /etc/x (by restriction)", "external_directory: /etc/x",
		}},
	} {
		if diff := cmp.Diff(tt.want, targets(document(t, e, tt.tool, tt.argument))); diff != "" {
			t.Errorf("New(%s %q) (-want +got):\n%s", tt.tool, tt.argument, diff)
		}
	}
}

// TestIncomplete holds that a call is refused that does not name what its tool
// is to work on, rather than judged as one for everything.
func TestIncomplete(t *testing.T) {
	e := env(t)
	for _, tt := range []struct{ tool, argument, want string }{
		{"bash", "", `the call of bash names no command: give it as "command"`},
		{"bash", `{"command": ""}`, `the call of bash names no command: give it as "command"`},
		{"bash", `{"comand": "ls"}`, `the call of bash names no command: "comand" is unknown (did you mean "command"?)`},
		{"bash", `{"restart": true, "comand": "ls"}`, `the call of bash names no command: "comand" is unknown (did you mean "command"?)`},
		{"powershell", "", `the call of powershell names no command: give it as "command"`},
		{"read", "", `the call of read names no file: give it as "file_path"`},
		{"Write", `{"filePaht": "a", "content": "x"}`, `the call of Write names no file: "filePaht" is unknown (did you mean "file_path"?)`},
		{"edit", `{"old_string": "x"}`, `the call of edit names no file: give it as "file_path"`},
		{"apply_patch", "", `the call of apply_patch names no patch: give it as "input"`},
		{"apply_patch", `{"input": "*** Begin Patch\n*** Delete File: a\n*** End Patch", "cwd": "src", "workdir": "in"}`, `the call names more than one working directory: ["in" "src"]`},
		{"webfetch", `{"prompt": "x"}`, `the call of webfetch names no URL: give it as "url"`},
	} {
		call, err := input.FromArgument(tt.tool, tt.argument)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := input.New(call, e); err == nil || err.Error() != tt.want {
			t.Errorf("New(%s %q) says %v, want %s", tt.tool, tt.argument, err, tt.want)
		}
	}
}

func TestForms(t *testing.T) {
	e := env(t)
	root := e.Workspace.Root()
	for _, tt := range []struct {
		tool, argument string
		forms, strict  []string
	}{
		{"bash", "git -C src push", []string{"git -C src push", "git push"}, []string{"git -C src push", "git push", "git"}},
		{"bash", "git -C /x push", []string{"git -C /x push"}, []string{"git -C /x push", "git push", "git"}},
		{"bash", "/bin/rm x", []string{"/bin/rm x", "rm x"}, []string{"/bin/rm x", "rm x", "rm"}},
		{"bash", "./rm x", []string{"./rm x"}, []string{"./rm x", "rm x", "rm"}},
		{"bash", `r\m "x"`, []string{"rm x"}, []string{`r\m "x"`, "rm x", "rm"}},
		{"read", "src/a.go", []string{"src/a.go", root + "/src/a.go"}, nil},
		{"read", "./src/a.go", []string{"src/a.go", root + "/src/a.go"}, nil},
		{"read", "src/../b", []string{"b", root + "/b"}, []string{"src/../b"}},
		{"read", "src", []string{"src", root + "/src"}, []string{"src/", root + "/src/"}},
		{"edit", "b", []string{"b", root + "/b"}, []string{"b/", root + "/b/"}},
		{"read", `{"FilePath": "b"}`, []string{"b", root + "/b"}, nil},
		{"read", `{"file-path": "b"}`, []string{"b", root + "/b"}, nil},
		{"read", "in/a", []string{"in/a", root + "/in/a", root + "/src/a"}, []string{"src/a"}},
	} {
		target := document(t, e, tt.tool, tt.argument).Requests[0].Targets[0]
		if diff := cmp.Diff(tt.forms, target.Forms); diff != "" {
			t.Errorf("forms of %s %q (-want +got):\n%s", tt.tool, tt.argument, diff)
		}
		if diff := cmp.Diff(tt.strict, target.Strict); diff != "" && len(tt.strict)+len(target.Strict) > 0 {
			t.Errorf("strict forms of %s %q (-want +got):\n%s", tt.tool, tt.argument, diff)
		}
	}
}

func TestAlways(t *testing.T) {
	e := env(t)
	for _, tt := range []struct {
		tool, argument, permission string
		want                       []string
	}{
		{"bash", "git push origin && ls", "bash", []string{"git push", "git push *", "ls", "ls *"}},
		{"bash", "sudo rm x", "bash", []string{"rm", "rm *"}},
		{"bash", "bash -c ls", "bash", []string{"ls", "ls *"}},
		{"bash", "if ls", "bash", []string{}},
		{"bash", "X=1", "bash", []string{}},
		{"read", "a", "read", []string{"a"}},
		{"grep", `{"path": "src"}`, "grep", []string{"*"}},
		{"webfetch", "https://example.com/a/b", "webfetch", []string{"https://example.com/*"}},
		{"read", "/etc/ssh/x", "external_directory", []string{"/etc/ssh/*"}},
		{"read", "/x", "external_directory", []string{"/x"}},
	} {
		for _, r := range document(t, e, tt.tool, tt.argument).Requests {
			if diff := cmp.Diff(tt.want, r.Always); r.Permission == tt.permission && diff != "" {
				t.Errorf("always of %s %q (-want +got):\n%s", tt.tool, tt.argument, diff)
			}
		}
	}
}

func TestProtected(t *testing.T) {
	e := env(t)
	if err := os.Mkdir(filepath.Join(e.Workspace.Root(), ".claude"), 0o755); err != nil {
		t.Fatal(err)
	}
	e.Guards = []input.Guard{{Path: "/home/u/.config/permctl", What: "permctl's settings"}}
	for _, tt := range []struct{ tool, argument, want string }{
		{"write", ".permctl/settings.yaml", "permctl's settings"},
		{"bash", "rm -rf .permctl", "permctl's settings"},
		{"write", "~/.config/permctl/settings.yaml", "permctl's settings"},
		{"bash", "rm -rf ~/.config", "permctl's settings"},
		{"write", "~/.config/PERMCTL/Settings.yaml", "permctl's settings"},
		{"bash", "rm -rf ~/.Config", "permctl's settings"},
		{"write", "~/.claude/settings.json", "Claude Code's settings"},
		{"write", ".CLAUDE/Settings.json", "Claude Code's settings"},
		{"bash", "cp x .cursor/hooks.json", "Cursor's hooks"},
		{"write", "src/settings.json", ""},
		{"bash", "rm -rf .", "what lies in it (.claude)"},
		{"rename", `{"from": "x", "to": ".cursor/hooks.json"}`, "Cursor's hooks"},
		{"bash", `d=.claude; echo x > $d/settings.json`, "Claude Code's settings"},
	} {
		got := ""
		for _, p := range document(t, e, tt.tool, tt.argument).Paths {
			if p.Protected != "" {
				got = p.Protected
			}
		}
		if got != tt.want {
			t.Errorf("%s %q belongs to %q, want %q", tt.tool, tt.argument, got, tt.want)
		}
	}
}

func TestParseURL(t *testing.T) {
	for _, tt := range []struct {
		text string
		want input.URL
	}{
		{"https://example.com", input.URL{Scheme: "https", Host: "example.com", Port: "443", Path: "/"}},
		{"HTTPS://u:p@Example.COM.:8443/a/../b?q=1#f", input.URL{Scheme: "https", User: "u:p", Host: "example.com", Port: "8443", Path: "/b", Query: "q=1"}},
		{"example.com/x/", input.URL{Scheme: "https", Host: "example.com", Port: "443", Path: "/x/"}},
		{"http://127.0.0.1/", input.URL{Scheme: "http", Host: "127.0.0.1", Port: "80", Path: "/", Address: true, Private: true}},
		{"http://2130706433/", input.URL{Scheme: "http", Host: "2130706433", Port: "80", Path: "/", Address: true, Private: true}},
		{"http://0x7f.1/", input.URL{Scheme: "http", Host: "0x7f.1", Port: "80", Path: "/", Address: true, Private: true}},
		{"http://169.254.169.254/latest", input.URL{Scheme: "http", Host: "169.254.169.254", Port: "80", Path: "/latest", Address: true, Private: true, LinkLocal: true}},
		{"http://[::ffff:10.0.0.1]/", input.URL{Scheme: "http", Host: "::ffff:10.0.0.1", Port: "80", Path: "/", Address: true, Private: true}},
		{"http://8.8.8.8/", input.URL{Scheme: "http", Host: "8.8.8.8", Port: "80", Path: "/", Address: true}},
		{"http://localhost:3000/", input.URL{Scheme: "http", Host: "localhost", Port: "3000", Path: "/", Private: true}},
		{`https://good.example\@evil.example/`, input.URL{Error: "it holds a character that clients read in different ways"}},
		{"https:///x", input.URL{Error: "it has no host"}},
		{"https://evil.example:0443/", input.URL{Scheme: "https", Host: "evil.example", Port: "443", Path: "/"}},
		{"https://ｅvil.example/", input.URL{Error: "its host is not plain ASCII: write it as its Punycode (xn--)"}},
		{"https://evil／x.ok.example/", input.URL{Error: "its host is not plain ASCII: write it as its Punycode (xn--)"}},
	} {
		tt.want.URL = tt.text
		if diff := cmp.Diff(tt.want, input.ParseURL(tt.text)); diff != "" {
			t.Errorf("ParseURL(%q) (-want +got):\n%s", tt.text, diff)
		}
	}
}

// TestBrowserForm holds that a rule that denies a host meets it in whatever way
// browsers would get there.
func TestBrowserForm(t *testing.T) {
	e := env(t)
	for _, text := range []string{
		"https://evil.example/x", "https://u:p@evil.example/x", "https://:@evil.example/x", "https:evil.example/x", "https:/evil.example/x",
		"https:///evil.example/x", "//evil.example/x", "https://evil.example:0443/x", "https://evil%2eexample/x", "https://%65vil.example/x",
		`https://evil.example\x`, "https://ev\til.example/x", "\u0001https://evil.example/x", "https://ｅvil.example/x", "https://evil。example/x",
		"https://evil\u00ad.example/x", "HTTPS://EVIL.example./x", "https://evil.example/y/../x",
	} {
		met := false
		for _, r := range document(t, e, "webfetch", text).Requests {
			for _, target := range r.Targets {
				met = met || slices.Contains(slices.Concat(target.Forms, target.Strict), "https://evil.example/x")
			}
		}
		if !met {
			t.Errorf("%q is not met as https://evil.example/x", text)
		}
	}
}

func TestPermissionOf(t *testing.T) {
	for tool, want := range map[string]string{
		"Bash": "bash", "run_shell_command": "bash", "Write": "edit", "apply_patch": "edit", "LS": "list", "Glob": "glob",
		"WebFetch": "webfetch", "Agent": "task", "mcp__x__read": "mcp__x__read", "FutureTool": "FutureTool",
		"write_bash": "bash", "rg": "grep", "update_todo": "todowrite", "ask_user": "question", "runSubagent": "task",
		"multi_replace_string_in_file": "edit", "MCP:read_file": "MCP:read_file",
		"update_plan": "todowrite", "view_image": "read", "write_stdin": "bash", "request_user_input": "question", "js_repl": "eval",
		"write_file": "edit", "search_file_content": "grep", "google_web_search": "websearch", "write_todos": "todowrite",
		"exit_plan_mode": "exit_plan_mode", "mcp_till_charge": "mcp_till_charge",
	} {
		if got := input.PermissionOf(tool); got != want {
			t.Errorf("PermissionOf(%q) = %q, want %q", tool, got, want)
		}
	}
}

// FuzzNew holds that a document always has something for every rule to judge.
func FuzzNew(f *testing.F) {
	for _, seed := range [][2]string{
		{"bash", "ls && rm -rf /"},
		{"bash", "X=1"},
		{"bash", "f() { f; }; f"},
		{"bash", "env"},
		{"edit", "a"},
		{"read", "\x00"},
		{"apply_patch", "*** Begin Patch\n"},
		{"webfetch", "http://"},
		{"x", `{"path": "/"}`},
		{"powershell", "'"},
		{"monitor", `{"ws": {"url": ""}}`},
	} {
		f.Add(seed[0], seed[1])
	}
	e := env(f)
	f.Fuzz(func(t *testing.T, tool, argument string) {
		call, err := input.FromArgument(tool, argument)
		if err != nil {
			return
		}
		doc, err := input.New(call, e)
		if err != nil {
			return
		}
		judged := false
		for _, r := range doc.Requests {
			if len(r.Targets) == 0 || len(r.Patterns) == 0 {
				t.Errorf("a request for %s without targets or patterns", r.Permission)
			}
			for _, target := range r.Targets {
				judged = judged || target.Judges == input.AnyRule
				if len(target.Forms) == 0 {
					t.Errorf("a target of %s without a form", r.Permission)
				}
			}
		}
		if !judged {
			t.Errorf("nothing in the call of %s with %q is judged by every rule", tool, argument)
		}
	})
}
