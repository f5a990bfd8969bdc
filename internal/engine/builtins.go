package engine

import (
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/permctl/permctl/internal/permission"
)

// The functions of the shipped policy that Go answers instead, and the modules
// that stand in for theirs.
var declarations = map[string]*ast.Builtin{
	"permctl.judge":    {Name: "permctl.judge", Decl: types.NewFunction(types.Args(types.A, types.A), types.A)},
	"permctl.meets":    {Name: "permctl.meets", Decl: types.NewFunction(types.Args(types.A, types.A), types.B)},
	"permctl.reason":   {Name: "permctl.reason", Decl: types.NewFunction(types.Args(types.S, types.A, types.A), types.S)},
	"permctl.wildcard": {Name: "permctl.wildcard", Decl: types.NewFunction(types.Args(types.S, types.S), types.B)},
}

const matchModule = `package policy.match

import data.policy.teams

verdicts := judge(input.requests, teams.rules)

judge(requests, extra) := permctl.judge(requests, extra)

meets(rule, target) if permctl.meets(rule, target)

wildcard(text, pattern) if permctl.wildcard(text, pattern)
`

const reasonModule = `package policy.reason

sentence(action, verdicts, floors) := permctl.reason(action, verdicts, floors)
`

// builtins returns the functions over the rules in the table.
func (t *table) builtins() map[string]*topdown.Builtin {
	made := map[string]*topdown.Builtin{}
	for name, f := range map[string]topdown.BuiltinFunc{
		"permctl.judge":    t.judgeBuiltin,
		"permctl.meets":    meetsBuiltin,
		"permctl.reason":   reasonBuiltin,
		"permctl.wildcard": wildcardBuiltin,
	} {
		made[name] = &topdown.Builtin{Decl: declarations[name], Func: f}
	}
	return made
}

func (t *table) judgeBuiltin(_ topdown.BuiltinContext, args []*ast.Term, iter func(*ast.Term) error) error {
	var extra []rule
	err := each(args[1].Value, func(o ast.Object) error {
		extra = append(extra, readRule(o))
		return nil
	})
	if err != nil {
		return err
	}
	var verdicts []*ast.Term
	request := 0
	err = each(args[0].Value, func(o ast.Object) error {
		name, n := text(o, "permission"), 0
		targets := o.Get(key("targets"))
		if targets == nil {
			return errShape
		}
		request++
		return each(targets.Value, func(o ast.Object) error {
			verdicts = append(verdicts, t.verdict(name, o, request-1, n, extra))
			n++
			return nil
		})
	})
	if err != nil {
		return err
	}
	return iter(ast.ArrayTerm(verdicts...))
}

func (t *table) verdict(name string, o ast.Object, request, n int, extra []rule) *ast.Term {
	said := t.judge(name, readTarget(o), extra)
	shown := ast.NullTerm()
	if said.rule != nil {
		shown = said.rule.show()
	}
	return ast.ObjectTerm(
		ast.Item(key("request"), ast.InternedTerm(request)),
		ast.Item(key("target"), ast.InternedTerm(n)),
		ast.Item(key("permission"), key(name)),
		ast.Item(key("pattern"), o.Get(key("pattern"))),
		ast.Item(key("command"), o.Get(key("command"))),
		ast.Item(key("action"), key(string(said.action))),
		ast.Item(key("rule"), shown),
		ast.Item(key("untrusted"), ast.InternedTerm(said.untrusted)),
	)
}

func meetsBuiltin(_ topdown.BuiltinContext, args []*ast.Term, iter func(*ast.Term) error) error {
	written, ok := args[0].Value.(ast.Object)
	touched, ok2 := args[1].Value.(ast.Object)
	if !ok || !ok2 {
		return errShape
	}
	r := readRule(written)
	return iter(ast.InternedTerm(meets(&r, readTarget(touched))))
}

func wildcardBuiltin(_ topdown.BuiltinContext, args []*ast.Term, iter func(*ast.Term) error) error {
	value, ok := args[0].Value.(ast.String)
	pattern, ok2 := args[1].Value.(ast.String)
	return iter(ast.InternedTerm(ok && ok2 && permission.Match(string(value), string(pattern))))
}

// reasonBuiltin says what decided. Its definition is policy/reason/reason.rego.
func reasonBuiltin(_ topdown.BuiltinContext, args []*ast.Term, iter func(*ast.Term) error) error {
	action, ok := args[0].Value.(ast.String)
	if !ok {
		return errShape
	}
	said := ""
	say := func(format string, words ...any) error {
		if said == "" {
			said = fmt.Sprintf(format, words...)
		}
		return nil
	}
	err := each(args[1].Value, func(v ast.Object) error {
		if said != "" || text(v, "action") != string(action) {
			return nil
		}
		shown, ok := v.Get(key("rule")).Value.(ast.Object)
		switch {
		case !ok && action == ast.String(permission.Allow):
			return nil
		case !ok:
			return say("%s %s: no rule speaks of it", text(v, "permission"), text(v, "pattern"))
		}
		action := text(shown, "action")
		return say("%s %s: %s by rule %s: {%q: %s} (%s)", text(v, "permission"), text(v, "pattern"), done[permission.Action(action)],
			text(shown, "permission"), text(shown, "pattern"), action, text(shown, "source"))
	})
	if err != nil {
		return err
	}
	err = each(args[2].Value, func(f ast.Object) error {
		if text(f, "action") != string(action) {
			return nil
		}
		return say("%s (floor: %s)", text(f, "reason"), text(f, "name"))
	})
	if err != nil {
		return err
	}
	_ = say("the call has nothing that could be judged")
	return iter(ast.StringTerm(said))
}

var done = map[permission.Action]string{permission.Allow: "allowed", permission.Ask: "asked", permission.Deny: "denied"}
