package engine

import (
	"errors"
	"fmt"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// known are the words that documents are full of: their terms are made once.
var known = []string{
	"action", "allow", "always", "any", "ask", "authority", "bash", "command", "commands", "default", "deny", "edit", "exact",
	"findings", "floors", "forms", "grant", "judges", "layer", "name", "number", "opaque", "operands", "options", "order",
	"pattern", "patterns", "permission", "policy", "read", "reason", "request", "requests", "rest", "rule", "source", "strict",
	"target", "targets", "trust", "untrusted", "user", "verdicts", "*", "global", "project", "flag", "approvals", "managed",
}

var internOnce = sync.OnceFunc(func() { ast.InternStringTerm(known...) })

// key returns the term of a word, by which a field is looked up, or which is
// its value.
func key(word string) *ast.Term { return ast.InternedTerm(word) }

// text returns the object's string called name, or "".
func text(o ast.Object, name string) string {
	if term := o.Get(key(name)); term != nil {
		if s, ok := term.Value.(ast.String); ok {
			return string(s)
		}
	}
	return ""
}

// truth reports whether the object's field called name is true.
func truth(o ast.Object, name string) bool {
	term := o.Get(key(name))
	return term != nil && term.Value.Compare(ast.InternedTerm(true).Value) == 0
}

// number returns the object's whole number called name, or -1.
func number(o ast.Object, name string) int {
	if term := o.Get(key(name)); term != nil {
		if n, ok := term.Value.(ast.Number); ok {
			if i, ok := n.Int(); ok {
				return i
			}
		}
	}
	return -1
}

// texts returns the object's array of strings called name.
func texts(o ast.Object, name string) []string {
	term := o.Get(key(name))
	if term == nil {
		return nil
	}
	array, ok := term.Value.(*ast.Array)
	if !ok {
		return nil
	}
	made := make([]string, 0, array.Len())
	array.Foreach(func(t *ast.Term) {
		if s, ok := t.Value.(ast.String); ok {
			made = append(made, string(s))
		}
	})
	return made
}

// each calls f with the objects of an array or a set. What is no object is an
// error, and so is a value that is neither.
func each(v ast.Value, f func(ast.Object) error) error {
	visit := func(t *ast.Term) error {
		o, ok := t.Value.(ast.Object)
		if !ok {
			return fmt.Errorf("%v is no object", t)
		}
		return f(o)
	}
	switch v := v.(type) {
	case *ast.Array:
		return v.Iter(visit)
	case ast.Set:
		return v.Iter(visit)
	default:
		return fmt.Errorf("%s is neither an array nor a set", ast.ValueName(v))
	}
}

// readTarget reads a target of a request out of a document.
func readTarget(o ast.Object) *target {
	return &target{
		forms: texts(o, "forms"), strict: texts(o, "strict"),
		options: texts(o, "options"), operands: texts(o, "operands"),
		authority: text(o, "authority"), rest: text(o, "rest"),
		judges: text(o, "judges"), opaque: truth(o, "opaque"),
	}
}

// readRule reads a rule that a policy made, and works out what it does not say.
func readRule(o ast.Object) rule {
	r := rule{
		Rule: readShown(o), Trust: permission.Trust(text(o, "trust")), Order: number(o, "order"), Number: number(o, "number"),
		Options: texts(o, "options"), Operands: texts(o, "operands"),
		Authority: text(o, "authority"), Rest: text(o, "rest"),
		Exact: truth(o, "exact"),
	}
	switch {
	case r.Exact:
	case r.Action != permission.Allow && len(r.Operands) == 0:
		r.Options, r.Operands = meaning(r.Pattern)
	case r.Action == permission.Allow && r.Authority == "":
		r.Authority, r.Rest = urlParts(r.Pattern)
	}
	return r
}

// readShown reads what is shown of a rule.
func readShown(o ast.Object) permission.Rule {
	return permission.Rule{
		Permission: text(o, "permission"), Pattern: text(o, "pattern"), Action: permission.Action(text(o, "action")),
		Layer: permission.LayerName(text(o, "layer")), Source: text(o, "source"),
	}
}

// show returns the rule as a verdict shows it.
func (r *rule) show() *ast.Term {
	return ast.ObjectTerm(
		ast.Item(key("permission"), key(r.Permission)),
		ast.Item(key("pattern"), ast.StringTerm(r.Pattern)),
		ast.Item(key("action"), key(string(r.Action))),
		ast.Item(key("layer"), key(string(r.Layer))),
		ast.Item(key("source"), ast.StringTerm(r.Source)),
	)
}

var errShape = errors.New("the policy's answer has not the shape of a decision")

// readDecision joins what policy decided with the requests that it decided.
// Whatever is missing in the answer is an error, for the caller to deny.
func readDecision(v ast.Value, doc *input.Document) (permission.Decision, error) {
	o, ok := v.(ast.Object)
	if !ok {
		return permission.Decision{}, errShape
	}
	d := permission.Decision{
		Action: permission.Action(text(o, "action")), Grant: truth(o, "grant"),
		Reason:   text(o, "reason"),
		Requests: requestsOf(doc), Floors: []permission.Floor{}, Findings: []permission.Finding{},
	}
	for _, part := range []struct {
		name string
		read func(ast.Object) error
	}{
		{"verdicts", func(v ast.Object) error { return readVerdict(v, d.Requests) }},
		{"floors", func(f ast.Object) error {
			d.Floors = append(d.Floors, permission.Floor{
				Name: text(f, "name"), Action: permission.Action(text(f, "action")), Reason: text(f, "reason"), Target: text(f, "target"),
			})
			return nil
		}},
		{"findings", func(f ast.Object) error {
			d.Findings = append(d.Findings, permission.Finding{
				Policy: text(f, "policy"), Action: permission.Action(text(f, "action")), Reason: text(f, "reason"), Target: text(f, "target"),
			})
			return nil
		}},
	} {
		term := o.Get(key(part.name))
		if term == nil {
			return permission.Decision{}, fmt.Errorf("%w: no %s", errShape, part.name)
		}
		if err := each(term.Value, part.read); err != nil {
			return permission.Decision{}, fmt.Errorf("%w: %s: %w", errShape, part.name, err)
		}
	}
	if _, err := permission.ParseAction(string(d.Action)); err != nil {
		return permission.Decision{}, fmt.Errorf("%w: %w", errShape, err)
	}
	return d, nil
}

// requestsOf returns the requests without verdicts. A target without one keeps
// the zero action, which counts as deny.
func requestsOf(doc *input.Document) []permission.Request {
	requests := make([]permission.Request, len(doc.Requests))
	for i, r := range doc.Requests {
		targets := make([]permission.Target, len(r.Targets))
		for j, t := range r.Targets {
			targets[j] = permission.Target{Pattern: t.Pattern, Forms: t.Forms, Derived: t.Derived()}
		}
		requests[i] = permission.Request{Permission: r.Permission, Patterns: r.Patterns, Always: r.Always, Targets: targets}
	}
	return requests
}

func readVerdict(o ast.Object, requests []permission.Request) error {
	r, t := number(o, "request"), number(o, "target")
	if r < 0 || r >= len(requests) || t < 0 || t >= len(requests[r].Targets) {
		return fmt.Errorf("a verdict on target %d of request %d, which the call has not", t, r)
	}
	target := &requests[r].Targets[t]
	target.Action = permission.Action(text(o, "action"))
	if term := o.Get(key("rule")); term != nil {
		if shown, ok := term.Value.(ast.Object); ok {
			rule := readShown(shown)
			target.Rule = &rule
		}
	}
	return nil
}
