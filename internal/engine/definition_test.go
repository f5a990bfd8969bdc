package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage/inmem"

	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/workspace"
	"github.com/permctl/permctl/policy"
)

// A stockDecision is what the shipped policy answers without permctl's own
// functions.
type stockDecision struct {
	Action   permission.Action    `json:"action"`
	Grant    bool                 `json:"grant"`
	Reason   string               `json:"reason"`
	Verdicts []stockVerdict       `json:"verdicts"`
	Floors   []permission.Floor   `json:"floors"`
	Findings []permission.Finding `json:"findings"`
}

type stockVerdict struct {
	Request int               `json:"request"`
	Target  int               `json:"target"`
	Action  permission.Action `json:"action"`
	Rule    *permission.Rule  `json:"rule"`
}

// stock returns a function that decides as any OPA would: by the shipped Rego
// and the engine's data.
func stock(t *testing.T, e *engine.Engine, sources []engine.Source) func(*input.Document) stockDecision {
	t.Helper()
	options := []func(*rego.Rego){
		rego.Query("decision = data.policy.decision"), rego.StrictBuiltinErrors(true), rego.Store(inmem.NewFromObject(plain(t, e.Data()))),
	}
	err := fs.WalkDir(policy.FS, ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".rego") && !strings.HasSuffix(name, "_test.rego") {
			text, readErr := policy.FS.ReadFile(name)
			options, err = append(options, rego.Module(name, string(text))), readErr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		for name, text := range source.Modules {
			options = append(options, rego.Module(name, text))
		}
	}
	query, err := rego.New(options...).PrepareForEval(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return func(doc *input.Document) stockDecision {
		results, err := query.Eval(context.Background(), rego.EvalInput(plain(t, doc)))
		if err != nil || len(results) != 1 {
			t.Fatalf("stock OPA: %d results, %v", len(results), err)
		}
		var d stockDecision
		text, err := json.Marshal(results[0].Bindings["decision"])
		if err == nil {
			err = json.Unmarshal(text, &d)
		}
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
}

// plain returns v as encoding/json reads it back.
func plain(t *testing.T, v any) map[string]any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var made map[string]any
	if err := json.Unmarshal(text, &made); err != nil {
		t.Fatal(err)
	}
	return made
}

// The words of which random rules and calls are made: few, so that they meet.
var (
	programs = []string{"git", "rm", "ls", "npm", "sudo", "cat", "/bin/rm", "./rm", "python3", "permctl", "echo"}
	words    = []string{"push", "status", "-f", "--force", "-rf", "-r", "x", ".env", "src/a.go", "/etc/passwd", "origin", "main", "trust", "$X", "*", "'a b'"}
	joints   = []string{" && ", " | ", "; ", " > out.txt; ", "\n"}
	targets  = []string{"*", "**", "git *", "git push *", "git push", "rm -rf *", "rm -f *", "?s *", "git push --force origin *", "*.env", "src/*", "*o*", "cat *", "rm", "sudo *", "x=1", "https://a.example/*", "https://a.example*", "http*"}
	names    = []string{"bash", "edit", "read", "*", "b*", "webfetch", "external_directory", "eval", "srv_*"}
	urls     = []string{"https://a.example/", "https://a.example.evil.example/x", "http://127.0.0.1/x", "https://u@a.example/y?q"}
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func randomLayers(r *rand.Rand) []permission.Layer {
	layers := []permission.Layer{{Name: permission.LayerDefault, Trust: permission.TrustUser, Preset: pick(r, engine.Presets())}}
	for _, name := range []permission.LayerName{permission.LayerManaged, permission.LayerGlobal, permission.LayerProject, permission.LayerFlag, permission.LayerApprovals} {
		layer := permission.Layer{Name: name, Trust: permission.TrustUser}
		if name == permission.LayerProject {
			layer.Trust = pick(r, []permission.Trust{permission.TrustNone, permission.TrustProject})
		}
		for n := range r.IntN(6) {
			action := pick(r, permission.Actions)
			if name == permission.LayerApprovals {
				action = permission.Allow
			}
			layer.Rules = append(layer.Rules, permission.Rule{Permission: pick(r, names), Pattern: pick(r, targets), Action: action, Source: fmt.Sprintf("%s:%d", name, n)})
		}
		layers = append(layers, layer)
	}
	return layers
}

func randomCall(r *rand.Rand) input.Call {
	call := input.Call{Tool: pick(r, []string{"bash", "bash", "bash", "bash", "read", "edit", "webfetch", "eval", "srv_x", "grep"}), Mode: pick(r, []string{"", "", "", "plan"})}
	var text strings.Builder
	switch call.Tool {
	case "webfetch":
		text.WriteString(pick(r, urls))
	case "bash":
		for i := range 1 + r.IntN(3) {
			if i > 0 {
				text.WriteString(pick(r, joints))
			}
			if r.IntN(6) == 0 {
				text.WriteString(pick(r, []string{"x=1 ", "PATH=/x ", "env ", "timeout 5 "}))
			}
			text.WriteString(pick(r, programs))
			for range r.IntN(4) {
				text.WriteString(" " + pick(r, words))
			}
		}
	default:
		text.WriteString(pick(r, words))
	}
	made, err := input.FromArgument(call.Tool, text.String())
	if err != nil {
		return call
	}
	made.Mode = call.Mode
	return made
}

var team = engine.Source{Name: "team", Trust: permission.TrustUser, Modules: map[string]string{
	"team.rego": `package org.team
deny contains {"reason": "no force", "target": command.text} if { some command in input.commands; "--force" in command.options }
ask contains "reads secrets" if { some path in input.paths; endswith(path.path, ".env") }
allow contains {"reason": "harmless", "target": command.text} if { some command in input.commands; command.name == "ls" }
rules := [{"permission": "bash", "pattern": "npm *", "action": "allow"}, {"permission": "bash", "pattern": "rm -f *", "action": "ask"}]
floors := [
	{"permission": "edit", "pattern": "*.go", "action": "ask", "reason": "sources are reviewed"},
	{"permission": "bash", "pattern": "git push --force *", "action": "deny", "reason": "no force"},
]
`,
	"deep/more.rego": `package org.team.deep
rules := [{"permission": "bash", "pattern": concat(" ", [command.name, "x", "*"]), "action": "deny"} | some command in input.commands; command.name == "echo"]
`,
}}

// TestDefinition holds permctl's own functions, and what it leaves out call by
// call, to the Rego that defines them.
func TestDefinition(t *testing.T) {
	w, err := workspace.New(t.TempDir(), "/home/u")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 30 {
		config := engine.Config{Layers: randomLayers(r), ApprovalsBeatDeny: r.IntN(4) == 0}
		if n%3 == 0 {
			config.Sources = []engine.Source{team}
			config.Floors = []engine.Floor{{Permission: "bash", Pattern: "rm *", Action: permission.Ask, Reason: "the organisation asks"}}
		}
		e, err := engine.New(config)
		if err != nil {
			t.Fatal(err)
		}
		decide := stock(t, e, config.Sources)
		for range 20 {
			call := randomCall(r)
			doc, err := input.New(call, input.Env{Workspace: w, User: input.User{Home: "/home/u"}})
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.Eval(t.Context(), doc)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(decide(doc), asStock(got)); diff != "" {
				t.Fatalf("%s %v under %v: stock OPA and permctl differ (-stock +permctl):\n%s", call.Tool, call.Input, config.Layers, diff)
			}
		}
	}
}

// asStock returns a decision in the shape of the shipped policy's answer.
func asStock(d permission.Decision) stockDecision {
	made := stockDecision{Action: d.Action, Grant: d.Grant, Reason: d.Reason, Floors: d.Floors, Findings: d.Findings}
	for r, request := range d.Requests {
		for n, target := range request.Targets {
			made.Verdicts = append(made.Verdicts, stockVerdict{Request: r, Target: n, Action: target.Action, Rule: target.Rule})
		}
	}
	return made
}
