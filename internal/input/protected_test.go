package input_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/workspace"
)

// TestGuardedLines has shell lines that change what guards the agent without naming
// it as a file that is written, and such that only look like it.
func TestGuardedLines(t *testing.T) {
	home := t.TempDir()
	ws := filepath.Join(home, "ws")
	for _, file := range []string{
		".config/permctl/settings.yaml", ".config/opencode/plugins/permctl.js", ".claude/settings.json", ".codeium/windsurf/hooks.json",
		"Documents/Cline/Hooks/PreToolUse", "bin/permctl", "notes/a", "ws/.github/hooks/permctl.json", "ws/.clinerules/hooks/PreToolUse", "ws/src/a.go",
	} {
		path := filepath.Join(home, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := workspace.New(ws, home)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(home, "bin/permctl")
	e := input.Env{Workspace: w, User: input.User{Name: "u", Home: home}, Guards: []input.Guard{
		{Path: filepath.Join(home, ".config/permctl"), What: "permctl's settings"},
		{Path: filepath.Join(home, ".config/opencode/plugins"), What: "opencode's hooks"},
		{Path: filepath.Join(home, "Documents/Cline/Hooks/PreToolUse"), What: "Cline's hooks"},
		{Path: program, What: "permctl itself", Program: true},
	}}
	for line, want := range map[string]bool{
		"sed -i s/a/b/ ~/.config/p*/settings.yaml": true,
		"rm -rf ~/.c*":                                           true,
		"echo x > ~/.cl*/settings.json":                          true,
		"rm ~/.claude/*.json":                                    true,
		"mv ~/.cl* /tmp/q":                                       true,
		"rm ~/**/settings.json":                                  true,
		"ln -s ~/.config/permctl p && echo > p/s":                true,
		"ln -s ~ h && echo > h/.claude/settings.json":            true,
		"mount --bind /tmp/x ~/.claude":                          true,
		"find ~/.config/permctl -exec sed -i s/a/b/ {} +":        true,
		"find ~ -name settings.json -delete":                     true,
		"find . -delete":                                         true,
		"ls ~/.config/permctl/settings.yaml | xargs rm":          true,
		`f=$(ls ~/.claude/settings.json); rm "$f"`:               true,
		`for f in ~/.claude/*; do rm "$f"; done`:                 true,
		"cp " + program + " ./x":                                 true,
		"dd if=" + program + " of=x":                             true,
		"cat ~/bin/permctl > x":                                  true,
		"ln ~/bin/permctl x":                                     true,
		"mv ~/.config/opencode ~/oc":                             true,
		"rm -rf ~/Documents":                                     true,
		"rm -rf ~/.codeium":                                      true,
		"rm -rf .github":                                         true,
		"rm -rf .clinerules":                                     true,
		"echo HOME=/x >> ~/.codex/.env":                          true,
		"echo x >> ~/.gemini/trustedFolders.json":                true,
		"codex features disable hooks":                           true,
		"claude config set disableAllHooks true":                 true,
		"npm --prefix ~/.claude install x":                       true,
		"npm --prefix=" + home + "/.claude i x":                  true,
		"split -b 10 x ~/.claude/settings.json":                  true,
		"patch -d ~/.claude -p0 -i p.patch":                      true,
		"rm -rf /":                                               true,
		"ln -s / r":                                              true,
		"find -delete":                                           true,
		"find . ! -name '*.md' -delete":                          true,
		"find . -name x -o -name y -delete":                      true,
		"find . -name settings.json -exec rm {} +":               true,
		"find . -path './.github/*' -delete":                     true,
		"for d in .github docs; do rm -rf \"$d\"; done":          true,
		"for f in .c*; do rm -rf \"$f\"; done":                   true,
		"ls -d .c* | xargs rm -rf":                               true,
		"cd .github && for f in hooks/*; do echo > \"$f\"; done": true,
		`ln -s "$HOME/.config/permctl" c`:                        true,
		"cp -s ~/.config/permctl/settings.yaml c":                true,
		"find . -empty -o -name x -delete":                       true,
		"find . ! -empty -delete":                                true,
		"find . -name '*.go' -o -name '*.md' | xargs gofmt -w":   false,
		"vercel deploy .":                                        false,
		"terraform -chdir=. apply":                               false,
		"find . -empty -type d -delete":                          false,
		"find . -path '*/dist/*' -delete":                        false,
		"find dist -name '*.json' -delete":                       false,
		`for d in */; do rm -rf "$d/node_modules"; done`:         false,
		`for f in ./*; do mv "$f" "x-$f"; done`:                  false,
		"mytool *":                                               false,
		`ls ..; touch "$OUT"`:                                    false,
		`ls ~ > "$OUT"`:                                          false,
		"git add .claude/settings.json":                          false,
		"find . -name '*.pyc' -delete":                           false,
		"find . -name '*.go' | xargs gofmt -w":                   false,
		"cat ~/.claude/settings.json":                            false,
		"cp ~/.claude/settings.json /tmp/x":                      false,
		"cp -r src /tmp/x":                                       false,
		"rm -rf build":                                           false,
		"rm -rf src/*":                                           false,
		`for f in src/*.go; do gofmt -w "$f"; done`:              false,
		"ls -l ~/bin/permctl":                                    false,
		"ln -s src s":                                            false,
		`grep x ~/notes/a | while read l; do rm "$l"; done`:      false,
		"codex features list":                                    false,
		"claude --version":                                       false,
		"npm install":                                            false,
		"ls -a ~":                                                false,
	} {
		call := input.Call{Tool: "bash", Input: map[string]any{"command": line}}
		doc, err := input.New(call, e)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		var changed []string
		for _, p := range doc.Paths {
			if p.Protected != "" && p.Access != input.Read {
				changed = append(changed, p.Path+" ("+p.Protected+")")
			}
		}
		if got := len(changed) > 0; got != want {
			t.Errorf("%s: changes what guards the agent: %t (%s), want %t", line, got, strings.Join(slices.Compact(changed), ", "), want)
		}
	}
}
