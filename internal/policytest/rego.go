package policytest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/tester"
	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/permctl/permctl/internal/engine"
)

// rego runs Rego tests with the policy. Those that fail are run once more, to
// find the expression that did.
func (r *runner) rego(ctx context.Context, config engine.Config, tests map[string]string) {
	if len(tests) == 0 {
		return
	}
	results, err := suite(ctx, config, tests, func(name string, _ *ast.Location) bool { return r.filter.MatchString(name) }, false)
	if err != nil {
		r.brokenRego(err)
		return
	}
	failed := map[string]*tester.Result{}
	for _, result := range results {
		if result.Fail {
			failed[result.Location.String()] = nil
		}
	}
	if len(failed) > 0 {
		again, err := suite(ctx, config, tests, func(_ string, at *ast.Location) bool {
			_, ok := failed[at.String()]
			return ok
		}, true)
		if err != nil {
			r.brokenRego(err)
			return
		}
		for _, result := range again {
			failed[result.Location.String()] = result
		}
	}
	for _, result := range results {
		r.report.Cases = append(r.report.Cases, cases(result, failed[result.Location.String()])...)
	}
}

// suite runs the tests that are wanted, with their traces or without. A test is
// known by its package and name, and by where it stands.
func suite(ctx context.Context, config engine.Config, tests map[string]string, wanted func(string, *ast.Location) bool, trace bool) ([]*tester.Result, error) {
	e, err := engine.New(config)
	if err != nil {
		return nil, err
	}
	suite, err := e.Suite(tests)
	if err != nil {
		return nil, err
	}
	for file := range tests {
		suite.Modules[file].Rules = slices.DeleteFunc(suite.Modules[file].Rules, func(rule *ast.Rule) bool {
			name := rule.Head.Ref()[0].String()
			isTest := strings.HasPrefix(name, tester.TestPrefix) || strings.HasPrefix(name, tester.SkipTestPrefix)
			return isTest && !wanted(packageName(rule.Module.Package.Path.String())+"."+name, rule.Location)
		})
	}
	txn, err := suite.Store.NewTransaction(ctx)
	if err != nil {
		return nil, err
	}
	defer suite.Store.Abort(ctx, txn)
	running, err := tester.NewRunner().
		SetCompiler(suite.Compiler).
		SetModules(suite.Modules).
		SetStore(suite.Store).
		AddCustomBuiltins([]*tester.Builtin{{Func: options(suite)}}).
		EnableTracing(trace).
		RunTests(ctx, txn)
	if err != nil {
		return nil, err
	}
	var results []*tester.Result
	for result := range running {
		results = append(results, result)
	}
	return results, nil
}

// options makes an evaluation like the engine's: any error in it is one of the
// test, and the engine's functions can be called.
func options(suite *engine.Suite) func(*rego.Rego) {
	return func(r *rego.Rego) {
		rego.StrictBuiltinErrors(true)(r)
		for name, f := range suite.Functions {
			declared := &rego.Function{Name: name, Decl: f.Decl.Decl}
			rego.FunctionDyn(declared, func(bctx rego.BuiltinContext, terms []*ast.Term) (answer *ast.Term, err error) {
				err = f.Func(bctx, terms, func(t *ast.Term) error {
					answer = t
					return nil
				})
				return answer, err
			})(r)
		}
	}
}

// packageName returns a test's package as it is written.
func packageName(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, "data."), engine.TestRoot+".")
}

// cases returns the cases of a test: itself, or each of those it names. The
// traced result is that of the same test, or nil if it did not fail.
func cases(result, traced *tester.Result) []Case {
	c := Case{
		Suite:    packageName(result.Package),
		Name:     result.Name,
		Status:   Pass,
		Duration: result.Duration,
		Output:   string(result.Output),
	}
	if result.Location != nil {
		c.File, c.Line = result.Location.File, result.Location.Row
	}
	switch {
	case result.Skip:
		c.Status = Skip
	case result.Error != nil:
		c.Status, c.Message = Error, result.Error.Error()
	case len(result.SubResults) > 0:
		return named(c, result.SubResults, traced)
	case result.Fail:
		c.Status, c.Message = Fail, failing(trace(traced))
	}
	return []Case{c}
}

// named returns the cases that a test names, each its share of the time.
func named(whole Case, results tester.SubResultMap, traced *tester.Result) []Case {
	var made []Case
	traces := map[string][]*topdown.Event{}
	if traced != nil {
		for path, sub := range traced.SubResults.Iter {
			traces[strings.Join(path, "/")] = sub.Trace
		}
	}
	for path, sub := range results.Iter {
		if len(sub.SubResults) > 0 {
			continue
		}
		c := whole
		name := strings.Join(path, "/")
		c.Name = whole.Name + "/" + name
		if sub.Fail {
			c.Status, c.Message = Fail, failing(traces[name])
		}
		made = append(made, c)
	}
	for i := range made {
		made[i].Duration = whole.Duration / time.Duration(len(made))
		if i > 0 {
			made[i].Output = "" // OPA does not say which case printed
		}
	}
	return made
}

func trace(result *tester.Result) []*topdown.Event {
	if result == nil {
		return nil
	}
	return result.Trace
}

// failing describes the expression that failed last, with its position and the
// values in it.
func failing(trace []*topdown.Event) string {
	for _, event := range slices.Backward(trace) {
		if event.Op != topdown.FailOp || event.Location == nil || event.QueryID == 0 {
			continue
		}
		expr, ok := event.Node.(*ast.Expr)
		if !ok {
			continue
		}
		if _, every := expr.Terms.(*ast.Every); every {
			continue // what fails is in its body
		}
		var text bytes.Buffer
		if err := topdown.PrettyEvent(&text, event, topdown.PrettyEventOpts{PrettyVars: true}); err != nil {
			break
		}
		shown := strings.TrimSpace(strings.ReplaceAll(text.String(), "\n\t", "\n"))
		return fmt.Sprintf("%s:%d: not true:\n%s", event.Location.File, event.Location.Row, shown)
	}
	return "it is not true"
}

// brokenRego adds each of OPA's errors to the report as a case.
func (r *runner) brokenRego(err error) {
	several, ok := errors.AsType[ast.Errors](err)
	if !ok {
		r.broken("", err)
		return
	}
	for _, one := range several {
		c := Case{Suite: ownSuite, Name: "the test does not compile", Status: Error, Message: one.Code + ": " + one.Message}
		if one.Location != nil {
			c.File, c.Line = one.Location.File, one.Location.Row
		}
		r.report.Cases = append(r.report.Cases, c)
	}
}
