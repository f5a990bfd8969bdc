package gate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
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
