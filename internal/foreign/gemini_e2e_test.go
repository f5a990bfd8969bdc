//go:build e2e

package foreign_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/foreign"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// geminiPackage is the Gemini CLI that judges the judge.
const geminiPackage = "@google/gemini-cli@0.61.0"

// geminiBundle returns the folder of the real Gemini CLI's program, which is
// installed where it is not.
func geminiBundle(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "permctl-e2e", filepath.Base(geminiPackage))
	bundle := filepath.Join(dir, "node_modules", "@google", "gemini-cli", "bundle")
	if _, err := os.Stat(bundle); err == nil {
		return bundle
	}
	npm := exec.CommandContext(t.Context(), "npm", "install", "--prefix", dir, "--no-audit", "--no-fund", geminiPackage)
	if out, err := npm.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bundle
}

// geminiSays returns what the real policy engine answers to calls.
func geminiSays(t *testing.T, policies []string, settings string, calls []input.Call) []permission.Action {
	t.Helper()
	type call struct {
		Tool        string         `json:"tool"`
		Input       map[string]any `json:"input"`
		Interactive *bool          `json:"interactive,omitempty"`
		MCP         *input.MCP     `json:"mcp,omitempty"`
	}
	asked := map[string]any{"user": policies, "settings": json.RawMessage(settings)}
	made := make([]call, len(calls))
	for i, c := range calls {
		made[i] = call{c.Tool, c.Input, c.Interactive, c.MCP}
	}
	asked["calls"] = made
	text, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "asked.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	node := exec.CommandContext(t.Context(), "node", filepath.Join("testdata", "gemini.mjs"), geminiBundle(t), file)
	node.Env = append(os.Environ(), "HOME="+t.TempDir())
	var stderr bytes.Buffer
	node.Stderr = &stderr
	out, err := node.Output()
	_, said, ok := strings.Cut(string(out), "DECISIONS ")
	if err != nil || !ok {
		t.Fatalf("node: %v\n%s%s", err, out, stderr.String())
	}
	var decisions []string
	if err := json.Unmarshal([]byte(said), &decisions); err != nil {
		t.Fatal(err)
	}
	actions := make([]permission.Action, len(decisions))
	for i, d := range decisions {
		actions[i] = permission.Action(strings.TrimSuffix(d, "_user"))
	}
	return actions
}

// TestRealGemini has the real policy engine answer the rows of the tables.
func TestRealGemini(t *testing.T) {
	for _, tt := range []struct {
		policies []string
		settings string
		rows     []row
	}{
		{[]string{geminiPolicy}, "{}", geminiRows},
		{[]string{geminiAll}, "{}", geminiAllRows},
		{nil, withoutComments(geminiSettings), geminiSettingsRows},
		{nil, geminiServers, geminiServersRows},
	} {
		calls := make([]input.Call, len(tt.rows))
		for i, r := range tt.rows {
			calls[i] = r.call(t)
		}
		for i, got := range geminiSays(t, tt.policies, tt.settings, calls) {
			r, want := tt.rows[i], tt.rows[i].action
			if nobody := calls[i].Interactive; want == ask && nobody != nil && !*nobody {
				want = deny // there is nobody to ask
			}
			if got != want {
				t.Errorf("%s %s: Gemini CLI says %s, want %s", r.tool, r.argument, got, want)
			}
		}
	}
}

// withoutComments returns JSON without its comments, which stand in lines of their
// own, and without what stands for folders that are not there.
func withoutComments(text string) string {
	return regexp.MustCompile(`(?m)^\s*//.*$|,\s*"policyPaths": \[.*\]`).ReplaceAllString(text, "")
}

// TestRealGeminiRandom compares what permctl answers by random policies to random
// lines with the real policy engine: never less strictly.
func TestRealGeminiRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	policies := []string{geminiPolicy, geminiAll}
	for range 6 {
		policies = append(policies, geminiRandom(r))
	}
	same, judged, all := 0, 0, 0
	for _, policy := range policies {
		var calls []input.Call
		for range 6 {
			for _, text := range randomTexts(r) {
				calls = append(calls, geminiCalls(text)[:2]...)
			}
		}
		files := []foreign.File{{Name: "p.toml", Text: []byte(policy)}}
		g, err := newGuard(imported(t, foreign.Gemini, files...))
		if err != nil {
			t.Fatal(err)
		}
		judge, err := foreign.Gemini.Judge(files)
		if err != nil {
			t.Fatal(err)
		}
		for i, real := range geminiSays(t, []string{policy}, "{}", calls) {
			ours, judges := g.decide(t, calls[i]).Action, judge(calls[i])
			all++
			if ours == real {
				same++
			}
			if judges == real {
				judged++
			} else if testing.Verbose() {
				t.Logf("%s: the judge says %s, and Gemini CLI %s", foreign.WholeCall(calls[i]), judges, real)
			}
			if permission.Strictest(ours, real) != ours {
				t.Errorf("%s: permctl says %s, and Gemini CLI %s (the judge %s)\n%s", foreign.WholeCall(calls[i]), ours, real, judges, policy)
			}
		}
	}
	t.Logf("of %d answers, permctl's are the same in %d, and the judge's in %d", all, same, judged)
}

// TestRealRegexp compares random regular expressions with JavaScript's own.
func TestRealRegexp(t *testing.T) {
	type row struct {
		Pattern string   `json:"pattern"`
		Texts   []string `json:"texts"`
	}
	r := rand.New(rand.NewPCG(7, 8))
	text := func() string {
		var b strings.Builder
		for range r.IntN(6) {
			b.WriteString(random(r, "a", "b", "-", "]", "{", "\\", " ", "\u00a0", "\n", "\r", "\v", "\u2028", "\x00", "\b", "1", "_", "é", "^", "[", ",", "2", "}"))
		}
		return b.String()
	}
	rows := make([]row, 20000)
	for i := range rows {
		var b strings.Builder
		for range 1 + r.IntN(8) {
			b.WriteString(random(r, "a", "b", ".", "*", "+", "?", "(", ")", "(?:", "|", "[", "[^", "]", "-", "{2}", "{1,}", "{", "}", ",", "^", "$", `\`, `\s`, `\S`, `\w`, `\d`, `\b`, `\B`,
				`\x41`, `\u00a0`, `\0`, `\-`, `\]`, " ", "1", "é", `\v`, "[a-b]", `[\s"]`, "(a|b)"))
		}
		rows[i].Pattern = b.String()
		for range 12 {
			rows[i].Texts = append(rows[i].Texts, text())
		}
	}
	asked, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "asked.json")
	if err := os.WriteFile(file, asked, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "node", filepath.Join("testdata", "regexp.mjs"), file).Output()
	if err != nil {
		t.Fatal(err)
	}
	var matched [][]bool
	if err := json.Unmarshal(out, &matched); err != nil {
		t.Fatal(err)
	}
	taken, refused := 0, 0
	for i, row := range rows {
		made, err := foreign.JSRegexp(row.Pattern)
		if err != nil {
			if matched[i] != nil {
				refused++
			}
			continue
		}
		taken++
		if matched[i] == nil {
			t.Errorf("%s is taken for %s, and JavaScript does not take it", row.Pattern, made)
			continue
		}
		re := regexp.MustCompile(made)
		for j, text := range row.Texts {
			if got := re.MatchString(text); got != matched[i][j] {
				t.Errorf("%s is taken for %s, which matches %q: %v, and JavaScript says %v", row.Pattern, made, text, got, matched[i][j])
			}
		}
	}
	t.Logf("%d expressions are taken, and %d that JavaScript takes are not", taken, refused)
}
