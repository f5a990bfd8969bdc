// Command permctl stands in for permctl: it denies the reply of the dry call, as
// the real one does, and allows all else. A script of cmd/permctl has the real one
// do it.
package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/hook"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if slices.Equal(args, []string{"version"}) {
		fmt.Fprintln(os.Stdout, "permctl of the test")
		return 0
	}
	agent, err := hook.Find(args[len(args)-1])
	if err != nil || args[0] != "hook" {
		fmt.Fprintln(os.Stderr, "permctl: what is that?", args, err)
		return 2
	}
	answer := hook.Run(context.Background(), agent, os.Stdin, decide, hook.Limits{})
	_, _ = os.Stdout.Write(answer.Stdout)
	fmt.Fprint(os.Stderr, answer.Stderr)
	return answer.Status
}

func decide(_ context.Context, call input.Call) (hook.Verdict, error) {
	d := permission.Decision{Action: permission.Allow}
	if strings.Contains(fmt.Sprint(call.Input), "permctl reply per_doctor reject") {
		d = permission.Decision{Action: permission.Deny, Reason: "no (floor: self-protection)"}
	}
	return hook.Verdict{Decision: d}, nil
}
