package engine

import (
	"fmt"
	"slices"
	"strings"
	"sync"

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
	"permctl.answer":   {Name: "permctl.answer", Decl: types.NewFunction(types.Args(types.A, types.A), types.A)},
	"permctl.wildcard": {Name: "permctl.wildcard", Decl: types.NewFunction(types.Args(types.S, types.S), types.B)},
}

// capabilities are OPA's own, with the declarations.
var capabilities = sync.OnceValue(func() *ast.Capabilities {
	c := ast.CapabilitiesForThisVersion()
	for _, declaration := range declarations {
		c.Builtins = append(c.Builtins, declaration)
	}
	return c
})

// aloneModule is the whole policy where nothing but the rules bears on a call.
const aloneModule = `package policy

decision := {
	"action": said.action,
	"grant": said.grant,
	"reason": said.reason,
	"verdicts": verdicts,
	"floors": set(),
	"findings": set(),
} if {
	verdicts := permctl.judge(input.requests, [])
	said := permctl.answer(verdicts, set())
}
`

const matchModule = `package policy.match

import data.policy.teams

verdicts := permctl.judge(input.requests, teams.rules)
` + matchFunctions

// matchAlone is matchModule where there is no policy but the rules.
const matchAlone = `package policy.match

verdicts := permctl.judge(input.requests, [])
` + matchFunctions

const matchFunctions = `
judge(requests, extra) := permctl.judge(requests, extra)

meets(rule, target) if permctl.meets(rule, target)

wildcard(text, pattern) if permctl.wildcard(text, pattern)
`

const answerModule = `package policy.answer

of(verdicts, floors) := permctl.answer(verdicts, floors)
`

// builtins returns the functions over the rules in the table.
func (t *table) builtins() map[string]*topdown.Builtin {
	made := map[string]*topdown.Builtin{}
	for name, f := range map[string]topdown.BuiltinFunc{
		"permctl.judge":    t.judgeBuiltin,
		"permctl.meets":    meetsBuiltin,
		"permctl.answer":   answerBuiltin,
		"permctl.wildcard": wildcardBuiltin,
	} {
		made[name] = &topdown.Builtin{Decl: declarations[name], Func: f}
	}
	return made
}

func (t *table) judgeBuiltin(_ topdown.BuiltinContext, args []*ast.Term, iter func(*ast.Term) error) error {
	var extra extras
	err := each(args[1].Value, func(o ast.Object) error {
		extra.add(readRule(o))
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
			verdict, err := t.verdict(name, o, request-1, n, &extra)
			verdicts = append(verdicts, verdict)
			n++
			return err
		})
	})
	if err != nil {
		return err
	}
	return iter(ast.ArrayTerm(verdicts...))
}

func (t *table) verdict(name string, o ast.Object, request, n int, extra *extras) (*ast.Term, error) {
	target := readTarget(o)
	if len(target.forms) == 0 {
		return nil, errShape // there is nothing that a rule could meet
	}
	said := t.judge(name, target, extra)
	shown := ast.NullTerm()
	if said.rule != nil {
		shown = said.rule.show()
	}
	return ast.ObjectTerm(
		ast.Item(key("request"), ast.InternedTerm(request)),
		ast.Item(key("target"), ast.InternedTerm(n)),
		ast.Item(key("permission"), key(name)),
		ast.Item(key("pattern"), o.Get(key("pattern"))),
		ast.Item(key("text"), ast.StringTerm(target.forms[0])),
		ast.Item(key("command"), o.Get(key("command"))),
		ast.Item(key("action"), key(string(said.action))),
		ast.Item(key("rule"), shown),
		ast.Item(key("untrusted"), ast.InternedTerm(said.untrusted)),
	), nil
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

// answerBuiltin makes one answer of verdicts and floors. Its definition is
// of in policy/answer/answer.rego.
func answerBuiltin(_ topdown.BuiltinContext, args []*ast.Term, iter func(*ast.Term) error) error {
	verdicts, err := objects(args[0].Value)
	if err != nil {
		return err
	}
	floors, err := objects(args[1].Value)
	if err != nil {
		return err
	}
	var actions []permission.Action
	ruled, byDefault := false, false
	for _, o := range append(slices.Clip(verdicts), floors...) {
		actions = append(actions, permission.Action(text(o, "action")))
		if rule, ok := ruleOf(o); ok {
			ruled, byDefault = true, byDefault || text(rule, "layer") == string(permission.LayerDefault)
		}
	}
	action := permission.Deny
	if len(actions) > 0 {
		action = permission.Strictest(actions...)
	}
	return iter(ast.ObjectTerm(
		ast.Item(key("action"), key(string(action))),
		ast.Item(key("grant"), ast.InternedTerm(action == permission.Allow && ruled && !byDefault)),
		ast.Item(key("reason"), ast.StringTerm(sentence(action, verdicts, floors))),
	))
}

// sentence says what decided on the action: the first rule for some things only,
// or else the first one that a person could change, or the first floor.
func sentence(action permission.Action, verdicts, floors []ast.Object) string {
	specific := func(v ast.Object) bool {
		rule, ok := ruleOf(v)
		return ok && strings.Trim(text(rule, "pattern"), "*") != ""
	}
	general := func(v ast.Object) bool { return !specific(v) }
	ordered := append(slices.DeleteFunc(slices.Clone(verdicts), general), slices.DeleteFunc(slices.Clone(verdicts), specific)...)
	for _, v := range ordered {
		if text(v, "action") != string(action) {
			continue
		}
		rule, ok := ruleOf(v)
		switch {
		case ok:
			done := map[string]string{"allow": "allowed", "ask": "asked", "deny": "denied"}[text(rule, "action")]
			return fmt.Sprintf("%s %s: %s by rule %s: {%q: %s} (%s)", text(v, "permission"), text(v, "text"), done,
				text(rule, "permission"), text(rule, "pattern"), text(rule, "action"), text(rule, "source"))
		case action != permission.Allow:
			return fmt.Sprintf("%s %s: no rule speaks of it", text(v, "permission"), text(v, "text"))
		}
	}
	for _, f := range floors {
		if text(f, "action") != string(action) {
			continue
		}
		about := permission.Floor{Reason: text(f, "reason"), Target: text(f, "target")}.About()
		return fmt.Sprintf("%s (floor: %s)", about, text(f, "name"))
	}
	return "the call has nothing that could be judged"
}

// ruleOf returns the rule behind a verdict, if there is one.
func ruleOf(verdict ast.Object) (ast.Object, bool) {
	term := verdict.Get(key("rule"))
	if term == nil {
		return nil, false
	}
	rule, ok := term.Value.(ast.Object)
	return rule, ok
}

// objects returns the objects of an array or a set.
func objects(v ast.Value) ([]ast.Object, error) {
	var made []ast.Object
	err := each(v, func(o ast.Object) error {
		made = append(made, o)
		return nil
	})
	return made, err
}
