package gate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/settings"
)

// BenchmarkDecide takes a call from the agent's JSON to the answer's bytes, in
// turns with one evaluation of "p := true" by the same OPA, and reports how
// many of the latter it costs.
func BenchmarkDecide(b *testing.B) {
	for _, rules := range []int{30, 100_000} {
		b.Run(fmt.Sprintf("rules=%d", rules), func(b *testing.B) {
			g := gateWith(b, rules)
			payload := []byte(fmt.Sprintf(`{"tool":"bash","input":{"command":"git status -s"},"cwd":%q,"session":"s"}`, b.TempDir()))
			decide(b, g, payload)
			baseline := evalTrue(b)
			var own, opa time.Duration
			b.ReportAllocs()
			for b.Loop() {
				start := time.Now()
				decide(b, g, payload)
				middle := time.Now()
				baseline()
				own, opa = own+middle.Sub(start), opa+time.Since(middle)
			}
			b.ReportMetric(float64(own)/float64(opa), "x-OPA-true")
		})
	}
}

// BenchmarkDecideApproved decides a call with 100,000 approvals, in turns with
// the same call by a gate without any, and reports how many times of that it
// costs: of a call that rules allow, and of one that is asked but for them.
func BenchmarkDecideApproved(b *testing.B) {
	for _, bm := range []struct{ name, rules string }{
		{"allowed", "bash:git status *=allow"},
		{"asked", "bash=ask"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			payload := []byte(fmt.Sprintf(`{"tool":"bash","input":{"command":"git status -s"},"cwd":%q,"session":"s"}`, b.TempDir()))
			call, err := input.ParseCall(payload)
			if err != nil {
				b.Fatal(err)
			}
			var text strings.Builder
			for i := range 100_000 - 1 {
				fmt.Fprintf(&text, `{"permission":"bash","pattern":"tool%d run *","action":"allow"}`+"\n", i)
			}
			text.WriteString(`{"permission":"bash","pattern":"git status *","action":"allow"}` + "\n")
			many, none := gateApproving(b, bm.rules, text.String()), gateApproving(b, bm.rules, "")
			once := func(g *gate.Gate) permission.Action {
				decision, err := g.Decide(b.Context(), call)
				if err != nil {
					b.Fatal(err)
				}
				return decision.Action
			}
			once(none)
			if got := once(many); got != permission.Allow {
				b.Fatalf("with approvals: %v", got)
			}
			var with, without time.Duration
			for b.Loop() {
				start := time.Now()
				once(many)
				middle := time.Now()
				once(none)
				with, without = with+middle.Sub(start), without+time.Since(middle)
			}
			b.ReportMetric(float64(with)/float64(without), "x-no-approvals")
		})
	}
}

// gateApproving returns a gate with rules and a file of approvals.
func gateApproving(b *testing.B, rules, approved string) *gate.Gate {
	home := b.TempDir()
	path := filepath.Join(home, "approved.jsonl")
	if err := os.WriteFile(path, []byte(approved), 0o600); err != nil {
		b.Fatal(err)
	}
	g, err := gate.Open(gate.Config{
		Dirs:       settings.Dirs{Home: home, Config: filepath.Join(home, "config"), State: filepath.Join(home, "state")},
		Permission: []string{rules}, Approvals: path,
	})
	if err != nil {
		b.Fatal(err)
	}
	return g
}

func decide(b *testing.B, g *gate.Gate, payload []byte) {
	call, err := input.ParseCall(payload)
	if err != nil {
		b.Fatal(err)
	}
	decision, err := g.Decide(b.Context(), call)
	if err != nil || !decision.Grant {
		b.Fatalf("%+v, %v", decision, err)
	}
	if err := json.NewEncoder(io.Discard).Encode(decision); err != nil {
		b.Fatal(err)
	}
}

// gateWith returns a gate with so many rules.
func gateWith(b *testing.B, rules int) *gate.Gate {
	home := b.TempDir()
	var text strings.Builder
	for i := range rules - 1 {
		fmt.Fprintf(&text, "bash:tool%d run *=allow,", i)
	}
	text.WriteString("bash:git status *=allow")
	g, err := gate.Open(gate.Config{
		Dirs:       settings.Dirs{Home: home, Config: filepath.Join(home, "config"), State: filepath.Join(home, "state")},
		Permission: []string{text.String()},
	})
	if err != nil {
		b.Fatal(err)
	}
	return g
}

// evalTrue returns a function that evaluates the least policy there is.
func evalTrue(b *testing.B) func() {
	ctx := context.Background()
	query, err := rego.New(rego.Query("data.x.p"), rego.Module("x.rego", "package x\np := true")).PrepareForEval(ctx)
	if err != nil {
		b.Fatal(err)
	}
	return func() {
		if _, err := query.Eval(ctx); err != nil {
			b.Fatal(err)
		}
	}
}
