package policy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/format"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/tester"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/workspace"
)

// modules returns all Rego modules of this folder, by file.
func modules(t *testing.T) map[string]*ast.Module {
	t.Helper()
	parsed := map[string]*ast.Module{}
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != ".rego" {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		parsed[file], err = ast.ParseModuleWithOpts(file, string(text), ast.ParserOptions{ProcessAnnotation: true})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func isTest(file string) bool { return strings.HasSuffix(file, "_test.rego") }

// TestStyle checks what Regal would.
func TestStyle(t *testing.T) {
	parsed := modules(t)
	titled, described, entrypoints := map[string]bool{}, map[string]bool{}, []string{}
	for file, module := range parsed {
		for _, a := range module.Annotations {
			at := a.GetTargetPath().String()
			switch {
			case a.Scope == "package":
				titled[at] = titled[at] || a.Title != "" && a.Description != ""
			case a.Description != "":
				described[at] = true
			}
			if a.Entrypoint {
				entrypoints = append(entrypoints, at)
			}
			if isTest(file) {
				t.Errorf("%s: tests need no metadata", a.Location)
			}
		}
	}
	if want := []string{"data.policy.decision"}; !slices.Equal(entrypoints, want) {
		t.Errorf("the entrypoints are %q, want %q", entrypoints, want)
	}
	for file, module := range parsed {
		checkText(t, file)
		want := path.Join("policy", path.Dir(file))
		if isTest(file) {
			want += "_test"
		}
		if got := strings.Join(names(module.Package.Path[1:]), "/"); got != want {
			t.Errorf("%s: the package is %s, want %s", file, got, want)
		}
		ast.WalkTerms(module, func(term *ast.Term) bool {
			if ref, ok := term.Value.(ast.Ref); ok && ref.String() == "print" {
				t.Errorf("%s: a print is left", term.Location)
			}
			return false
		})
		if isTest(file) {
			continue
		}
		if !titled[module.Package.Path.String()] {
			t.Errorf("%s: the package has no title or no description", file)
		}
		for _, rule := range module.Rules {
			name := names(rule.Head.Ref())[0]
			if full := module.Package.Path.String() + "." + name; !strings.HasPrefix(name, "_") && !described[full] {
				t.Errorf("%s: %s has no description", rule.Location, full)
			}
		}
	}
}

// names returns the words of a reference up to the first variable behind its
// head.
func names(ref ast.Ref) []string {
	var words []string
	for i, term := range ref {
		switch v := term.Value.(type) {
		case ast.String:
			words = append(words, string(v))
		case ast.Var:
			if i > 0 {
				return words
			}
			words = append(words, string(v))
		}
	}
	return words
}

func checkText(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	formatted, err := format.Source(file, text)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, formatted) {
		t.Errorf("%s: not formatted: opa fmt -w %s", file, file)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if len([]rune(line)) > 121 {
			t.Errorf("%s:%d: longer than 120 characters", file, n)
		}
	}
	if n > 500 {
		t.Errorf("%s: longer than 500 lines", file)
	}
}

// TestRego runs the tests that are written in Rego.
func TestRego(t *testing.T) {
	_, store, err := tester.Load([]string{"."}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	txn := storage.NewTransactionOrDie(ctx, store)
	defer store.Abort(ctx, txn)
	results, err := tester.NewRunner().
		SetModules(modules(t)).
		SetStore(store).
		SetTimeout(time.Minute).
		RaiseBuiltinErrors(true).
		RunTests(ctx, txn)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for result := range results {
		count++
		if !result.Pass() {
			t.Errorf("%s: %s: %s", result.Location, result.Name, complaint(result))
		}
	}
	if count == 0 {
		t.Error("there are no tests")
	}
}

func complaint(result *tester.Result) string {
	if result.Error != nil {
		return result.Error.Error()
	}
	var failed []string
	for _, name := range slices.Sorted(maps.Keys(result.SubResults)) {
		if sub := result.SubResults[name]; sub.Fail {
			failed = append(failed, name)
		}
	}
	return fmt.Sprintf("failed %q", failed)
}

// TestPresetsAreTested compares the presets of policy/tests with the folders.
func TestPresetsAreTested(t *testing.T) {
	folders, err := os.ReadDir("presets")
	if err != nil {
		t.Fatal(err)
	}
	var want []any
	for _, folder := range folders {
		want = append(want, folder.Name())
	}
	if diff := cmp.Diff(want, eval(t, compiled(t), "data.policy.tests_test.presets", nil)); diff != "" {
		t.Errorf("presets of the tests (-folders +tests):\n%s", diff)
	}
}

// TestLibraryReadsDocuments holds the library against documents as they are
// made of real calls.
func TestLibraryReadsDocuments(t *testing.T) {
	root := t.TempDir()
	space, err := workspace.New(root, "/home/ann")
	if err != nil {
		t.Fatal(err)
	}
	compiler := compiled(t)
	for _, tt := range []struct {
		script, expr string
		want         bool
	}{
		{"git -C x push -f origin main", `shell.runs(command, "git push")`, true},
		{"git -C x push -f origin main", `shell.has_flag(command, "--force")`, true},
		{"git -C x push -f origin main", `shell.pushes_to(command, "main")`, true},
		{"git push origin dev", `shell.pushes_to(command, "main")`, false},
		{"sudo env A=1 git push", `shell.runs(command, "git push"); shell.through(command, "sudo")`, true},
		{"sh -c 'git push origin +main'", `shell.pushes_to(command, "main")`, true},
		{"git pull", `shell.runs(command, "git push")`, false},
		{"rm x --recursive", `shell.has_flag(command, "-r")`, true},
		{"git push origin $B", `shell.pushes_to(command, "main")`, true},
		{"curl -o out https://a.example/", `"out" in shell.option_values(command, {"-o", "--output"})`, true},
		{"curl https://a.example/", `shell.does(command, "network"); urls.host_in(input.urls[_], ["a.example"])`, true},
		{"curl evil.example", `command.text in urls.unclear`, true},
		{"curl https://a.example/", `command.text in urls.unclear`, false},
		{"curl http://2130706433/", `urls.private(input.urls[_])`, true},
		{"rm doc/a", `some path in paths.writes; paths.outside(path, "src")`, true},
		{"rm src/a", `some path in paths.writes; paths.outside(path, "src")`, false},
		{"rm src/../a", `some path in paths.writes; paths.outside(path, "src")`, true},
		{"rm $X", `count(paths.unclear) > 0`, true},
		{"cat s*/.en?", `some path in paths.reads; paths.named(path, {".env"})`, true},
		{"echo x | tee ~/.ssh/config", `some path in paths.writes; paths.touches(path, "~/.ssh")`, true},
		{"permctl reply per_1 once", `some floor in floors.floors; floor.action == "deny"`, true},
		{"permctl check bash ls", `some floor in floors.floors`, false},
		{"cd /etc && ls", `command.name == "ls"; effects.only_reads(command)`, false},
		{"ls", `command.name == "ls"; effects.only_reads(command)`, true},
	} {
		call := input.Call{Tool: "bash", Input: map[string]any{"command": tt.script}}
		doc, err := input.New(call, input.Env{Workspace: space, User: input.User{Home: "/home/ann"}, Now: time.Unix(0, 0)})
		if err != nil {
			t.Fatal(err)
		}
		query := "holds := count([1 | some command in input.commands; " + tt.expr + "]) > 0"
		if got := eval(t, compiler, query, doc); got != tt.want {
			t.Errorf("%s: %s = %v, want %v", tt.script, tt.expr, got, tt.want)
		}
	}
}

// compiled returns all modules of this folder, compiled.
func compiled(t *testing.T) *ast.Compiler {
	t.Helper()
	compiler := ast.NewCompiler()
	if compiler.Compile(modules(t)); compiler.Failed() {
		t.Fatal(compiler.Errors)
	}
	return compiler
}

// eval returns the value of a query to the policy.
func eval(t *testing.T, compiler *ast.Compiler, query string, doc *input.Document) any {
	t.Helper()
	options := []func(*rego.Rego){
		rego.Query(query), rego.Compiler(compiler), rego.StrictBuiltinErrors(true),
		rego.Imports([]string{
			"data.policy.floors", "data.policy.lib.effects", "data.policy.lib.paths", "data.policy.lib.shell", "data.policy.lib.urls",
		}),
	}
	if doc != nil {
		options = append(options, rego.Input(plain(t, doc)))
	}
	results, err := rego.New(options...).Eval(t.Context())
	if err != nil || len(results) != 1 {
		t.Fatalf("%s: %v and the error %v", query, results, err)
	}
	if held, ok := results[0].Bindings["holds"]; ok {
		return held
	}
	return results[0].Expressions[0].Value
}

// plain returns the document as JSON, where lists that are nil are empty.
func plain(t *testing.T, doc *input.Document) any {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	for name, v := range value {
		if v == nil && name != "mcp" {
			value[name] = []any{}
		}
	}
	return value
}
