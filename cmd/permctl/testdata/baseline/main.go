// Command baseline is the least that a program with OPA in it can do: it
// evaluates "p := true". The cold start of permctl is measured against it.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/open-policy-agent/opa/v1/rego"
)

func main() {
	results, err := rego.New(rego.Query("data.x.p"), rego.Module("x.rego", "package x\np := true")).Eval(context.Background())
	if err != nil || !results[0].Expressions[0].Value.(bool) {
		fmt.Fprintln(os.Stderr, "p is not true:", err)
		os.Exit(1)
	}
}
