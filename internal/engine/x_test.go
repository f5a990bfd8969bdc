package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"github.com/open-policy-agent/opa/v1/rego"
	"testing"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

func benchEngine(n int, lean bool) *Engine {
	var rules []permission.Rule
	for i := range n {
		rules = append(rules, permission.Rule{Permission: "bash", Pattern: fmt.Sprintf("cmd%d *", i), Action: "allow", Source: "x:1"})
	}
	rules = append(rules, permission.Rule{Permission: "bash", Pattern: "git status *", Action: "allow", Source: "x:2"})
	e, err := New(Config{Layers: []permission.Layer{{Name: "default", Trust: "user", Preset: "full-access"}, {Name: "global", Trust: "user", Rules: rules}}})
	if err != nil {
		panic(err)
	}
	return e
}

func doc() *input.Document {
	c := input.Command{Command: bash.Command{Name: "git", Program: "git", System: true, Text: "git status -s", Canonical: "git status -s", Prefix: "git status", Operands: []string{"git", "status"}, Options: []string{"-s"}, Known: true, Effects: []bash.Effect{"read"}}, Cwd: "/w"}
	return &input.Document{Version: 1, Call: input.Call{Tool: "bash", Input: map[string]any{"command": "git status -s"}}, Commands: []input.Command{c}, Requests: []input.Request{{Permission: "bash", Patterns: []string{"git status"}, Always: []string{"git status"}, Targets: []input.Target{{Pattern: "git status", Forms: []string{"git status -s"}, Strict: []string{"git status", "git"}, Judges: "any", Options: c.Options, Operands: c.Operands}}}}}
}

func TestX(t *testing.T) {
	d, err := benchEngine(29, false).Eval(context.Background(), doc())
	s, _ := json.MarshalIndent(d, "", " ")
	t.Log(string(s), err)
}

func BenchmarkEval(b *testing.B) {
	for _, n := range []int{29, 100000} {
		e := benchEngine(n, false)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Eval(context.Background(), doc()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
func BenchmarkBase(b *testing.B) {
	ctx := context.Background()
	q, err := rego.New(rego.Query("data.x.p"), rego.Module("x.rego", "package x\np := true")).PrepareForEval(ctx)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		q.Eval(ctx)
	}
}
func BenchmarkValue(b *testing.B) {
	d := doc()
	b.ReportAllocs()
	for b.Loop() {
		valueOf(d, nil)
	}
}
func BenchmarkNewLean(b *testing.B) {
	d := doc()
	for b.Loop() {
		shipped.Clear()
		e := benchEngine(29, true)
		e.Eval(context.Background(), d)
	}
}
