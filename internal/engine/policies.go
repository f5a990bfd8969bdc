package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/permctl/permctl/internal/permission"
)

// A pkg is a package that says something of calls: data.policy.packages.
type pkg struct {
	Name  string               `json:"name"`
	Path  []string             `json:"path"`
	Layer permission.LayerName `json:"layer"`
	Order int                  `json:"order"`
	Trust permission.Trust     `json:"trust"`

	// Floors is true if the package states floors, and Computes if its rules
	// depend on the call.
	Floors   bool `json:"floors"`
	Computes bool `json:"computes"`
}

// maxPath is how many names a team's package path may have, org included.
const maxPath = 4

// leaking are the functions that a project's policy must not call before
// somebody trusts it: with them it could tell others what it sees.
var leaking = []string{"http.send", "net.lookup_ip_addr", "opa.runtime"}

// pathOf returns a module's package path, without data.
func pathOf(parsed *ast.Module) []string {
	var names []string
	for _, term := range parsed.Package.Path[1:] {
		if s, ok := term.Value.(ast.String); ok {
			names = append(names, string(s))
		}
	}
	return names
}

// presetOf returns the name of the preset that a module is, as users write it.
func presetOf(parsed *ast.Module) (name string, ok bool) {
	p := pathOf(parsed)
	if len(p) != 3 || p[0] != "policy" || p[1] != "presets" {
		return "", false
	}
	return strings.ReplaceAll(p[2], "_", "-"), true
}

// check reports what a module of a source may not be or do.
func (m module) check() error {
	names := pathOf(m.parsed)
	name := strings.Join(names, ".")
	preset, isPreset := presetOf(m.parsed)
	switch {
	case isPreset && slices.Contains(Presets(), preset):
		return fmt.Errorf("package %s is a preset that permctl ships: choose another name", name)
	case isPreset:
	case names[0] != "org":
		return fmt.Errorf("package %s: a policy's package is below org (package org.git) or a preset (package policy.presets.mine)", name)
	case len(names) > maxPath || len(names) < 2:
		return fmt.Errorf("package %s: org is followed by one to %d names", name, maxPath-1)
	}
	if err := misspelt(m.parsed); err != nil {
		return err
	}
	if m.trust != permission.TrustNone {
		return nil
	}
	var found error
	ast.WalkTerms(m.parsed, func(term *ast.Term) bool {
		if ref, ok := term.Value.(ast.Ref); ok && slices.Contains(leaking, ref.String()) {
			found = fmt.Errorf("%s may not be called by the policy of a project that is not trusted (permctl trust)", ref)
		}
		return found != nil
	})
	return found
}

// spoken are the names by which a policy says something of calls.
var spoken = []string{"allow", "ask", "deny", "floors", "rules"}

// misspelt reports a rule that its author most likely means to be heard, and
// that nobody would hear: a function, one of another letter case, or one inside
// another name.
func misspelt(parsed *ast.Module) error {
	for _, r := range parsed.Rules {
		ref := r.Head.Ref()
		first := strings.Trim(ref[0].String(), `"`)
		lower := strings.ToLower(first)
		switch {
		case slices.Contains(spoken, first) && len(r.Head.Args) > 0:
			return fmt.Errorf("line %d: %s is a function, which nobody calls: write %s contains {…} if {…}", r.Location.Row, first, first)
		case lower != first && slices.Contains(spoken, lower):
			return fmt.Errorf("line %d: %s says nothing: write %s", r.Location.Row, first, lower)
		}
		for _, term := range ref[1:] {
			if name, ok := term.Value.(ast.String); ok && slices.Contains(spoken, string(name)) && !slices.Contains(spoken, first) {
				return fmt.Errorf("line %d: %s is in a package of its own: write that package's name, or just %s", r.Location.Row, ref, name)
			}
		}
	}
	return nil
}

// unheard reports a rule that nobody would hear, and whose author most likely
// means one that is heard: its name is a slip away from that one's, and no other
// rule uses it.
func (m *modules) unheard() error {
	for _, source := range m.sources {
		for _, r := range source.parsed.Rules {
			name := strings.Trim(r.Head.Ref()[0].String(), `"`)
			meant := permission.Slip(name, spoken...)
			if meant == "" || m.used(name, pathOf(source.parsed)) {
				continue
			}
			return &PolicyError{
				Policy: fmt.Sprintf("%s:%d", source.path, r.Location.Row),
				Err:    fmt.Errorf("%s says nothing, and no rule uses it (did you mean %q?): write that, or give it another name", name, meant),
			}
		}
	}
	return nil
}

// used reports whether any rule may use the one of that name in the package at
// path: whether it has the name in it, as a variable or as part of a reference.
func (m *modules) used(name string, path []string) bool {
	var found bool
	look := func(term *ast.Term) bool {
		switch value := term.Value.(type) {
		case ast.Var:
			found = found || string(value) == name
		case ast.String:
			found = found || string(value) == name
		}
		return found
	}
	for _, source := range m.sources {
		for _, r := range source.parsed.Rules {
			if slices.Equal(pathOf(source.parsed), path) && strings.Trim(r.Head.Ref()[0].String(), `"`) == name {
				continue // what only uses itself is used by nobody
			}
			ast.WalkTerms(r, look) // leaves out the rule's own name, and what is behind it
			ast.WalkTerms(r.Head.Ref()[1:], look)
		}
		for _, i := range source.parsed.Imports {
			ast.WalkTerms(i, look)
		}
	}
	return found
}

// isolate reports a source that reaches into what one of another trust brings:
// what it adds there could change what the other says.
func (m *modules) isolate(sources []Source) error {
	for i, a := range m.sources {
		for _, b := range m.sources[i+1:] {
			if a.trust != b.trust && overlap(pathOf(a.parsed), pathOf(b.parsed)) {
				return &PolicyError{Policy: b.path, Err: fmt.Errorf("%s and that of %s overlap: choose another package", b.parsed.Package.Path[1:], a.path)}
			}
		}
		for _, source := range sources {
			if source.Trust == a.trust {
				continue
			}
			for _, at := range dataPaths(source.Data, nil) {
				if overlap(at, pathOf(a.parsed)) {
					return &PolicyError{Policy: source.Name, Err: fmt.Errorf("its data has %s, where %s has its package: choose another name", strings.Join(at, "."), a.path)}
				}
			}
		}
	}
	for _, a := range m.sources {
		if err := m.selfReliant(a, sources); err != nil {
			return &PolicyError{Policy: a.path, Err: err}
		}
	}
	return isolateData(sources)
}

// selfReliant reports a module that refers to what a source of a lower trust
// brings: whoever is behind that could change what the module says.
func (m *modules) selfReliant(a module, sources []Source) error {
	refused := func(at []string, by string) error {
		return fmt.Errorf("it refers to data.%s, which %s brings, and that is trusted less: choose another name", strings.Join(at, "."), by)
	}
	for _, at := range references(a.parsed) {
		for _, b := range m.sources {
			if trustOf(b.trust) < trustOf(a.trust) && overlap(at, pathOf(b.parsed)) {
				return refused(pathOf(b.parsed), b.path)
			}
		}
		for _, source := range sources {
			if trustOf(source.Trust) >= trustOf(a.trust) {
				continue
			}
			for _, path := range dataPaths(source.Data, nil) {
				if overlap(at, path) {
					return refused(path, source.Name)
				}
			}
		}
	}
	return nil
}

// references returns the places in data that a module refers to, as far as they
// can be told without running it.
func references(parsed *ast.Module) [][]string {
	var found [][]string
	ast.WalkRefs(parsed, func(ref ast.Ref) bool {
		if !ref.HasPrefix(ast.DefaultRootRef) {
			return false
		}
		var at []string
		for _, term := range ref[1:] {
			name, ok := term.Value.(ast.String)
			if !ok {
				break
			}
			at = append(at, string(name))
		}
		found = append(found, at)
		return false
	})
	return found
}

// isolateData reports data of two trusts at one place.
func isolateData(sources []Source) error {
	for i, a := range sources {
		for _, b := range sources[i+1:] {
			for _, at := range dataPaths(a.Data, nil) {
				for _, other := range dataPaths(b.Data, nil) {
					if a.Trust != b.Trust && overlap(at, other) {
						return &PolicyError{Policy: b.Name, Err: fmt.Errorf("its data has %s, and so has that of %s: choose another name", strings.Join(other, "."), a.Name)}
					}
				}
			}
		}
	}
	return nil
}

func overlap(a, b []string) bool {
	n := min(len(a), len(b))
	return slices.Equal(a[:n], b[:n])
}

// ruleNames returns the names of what a module defines.
func ruleNames(parsed *ast.Module) []string {
	var names []string
	for _, r := range parsed.Rules {
		if name, ok := r.Head.Ref()[0].Value.(ast.Var); ok {
			names = append(names, string(name))
		}
	}
	return names
}

// packages returns the packages that say more of a call than fixed rules: those
// of sources, and the presets in force.
func (m *modules) packages(layers []permission.Layer) []pkg {
	made := []pkg{}
	for _, source := range m.sources {
		if _, ok := presetOf(source.parsed); ok {
			continue
		}
		p := pkg{Path: pathOf(source.parsed), Layer: permission.LayerManaged, Order: slices.Index(permission.Layers, permission.LayerManaged), Trust: source.trust}
		p.Name = strings.Join(p.Path, ".")
		i := slices.IndexFunc(made, func(other pkg) bool { return other.Name == p.Name })
		if i < 0 {
			i, made = len(made), append(made, p)
		}
		made[i].note(source.parsed)
	}
	for _, layer := range presetsInForce(layers) {
		parsed := m.presets[layer.Preset]
		if !speaks(parsed) {
			continue
		}
		p := pkg{Name: "preset " + layer.Preset, Path: pathOf(parsed), Layer: layer.Name, Order: slices.Index(permission.Layers, layer.Name), Trust: layer.Trust}
		p.note(parsed)
		made = append(made, p)
	}
	return made
}

func (p *pkg) note(parsed *ast.Module) {
	p.Floors = p.Floors || slices.Contains(ruleNames(parsed), "floors")
	p.Computes = p.Computes || slices.ContainsFunc(parsed.Rules, func(r *ast.Rule) bool {
		return r.Head.Ref().String() == "rules" && fixedRules(r) == nil
	})
}

// speaks reports whether a preset says more than fixed rules.
func speaks(parsed *ast.Module) bool {
	return slices.ContainsFunc(parsed.Rules, func(r *ast.Rule) bool {
		return slices.Contains([]string{"allow", "ask", "deny", "floors"}, r.Head.Ref()[0].String()) ||
			r.Head.Ref().String() == "rules" && fixedRules(r) == nil
	})
}

// speaking reports whether a preset in force does.
func (m *modules) speaking(layers []permission.Layer) bool {
	return slices.ContainsFunc(presetsInForce(layers), func(l permission.Layer) bool { return speaks(m.presets[l.Preset]) })
}

// presetsInForce returns the layers that are presets, but for those that a
// later one of the same or a higher trust has taken the place of.
func presetsInForce(layers []permission.Layer) []permission.Layer {
	var inForce []permission.Layer
	for i, layer := range layers {
		if layer.Preset == "" {
			continue
		}
		replaced := slices.ContainsFunc(layers[i+1:], func(l permission.Layer) bool {
			return l.Preset != "" && trustOf(l.Trust) >= trustOf(layer.Trust)
		})
		if !replaced {
			inForce = append(inForce, layer)
		}
	}
	return inForce
}

// trustOf ranks a trust. One that is not known ranks lowest.
func trustOf(t permission.Trust) int {
	return slices.Index([]permission.Trust{permission.TrustNone, permission.TrustProject, permission.TrustUser, permission.TrustManaged}, t)
}

// layers returns the layers with the rules of presets filled in, where these
// do not depend on the call.
func (m *modules) layers(config []permission.Layer) ([]permission.Layer, error) {
	filled := slices.Clone(config)
	for i, layer := range filled {
		if layer.Preset == "" {
			continue
		}
		for _, r := range m.presets[layer.Preset].Rules {
			if value := fixedRules(r); r.Head.Ref().String() == "rules" && value != nil {
				rules, err := rulesOf(value.Value, "preset "+layer.Preset)
				if err != nil {
					return nil, &PolicyError{Policy: "preset " + layer.Preset, Err: err}
				}
				filled[i].Rules = append(filled[i].Rules, rules...)
			}
		}
	}
	return filled, nil
}

// fixedRules returns the value of a rule that is the same for every call, as
// it stands in the text, or nil.
func fixedRules(r *ast.Rule) *ast.Term {
	if r.Head.Value == nil || !r.Head.Value.IsGround() || r.Else != nil || r.Default {
		return nil
	}
	if len(r.Body) != 1 || !r.Body[0].Equal(ast.NewExpr(ast.BooleanTerm(true))) {
		return nil
	}
	var calls bool
	ast.WalkTerms(r.Head.Value, func(t *ast.Term) bool {
		switch t.Value.(type) {
		case ast.Ref, ast.Call, *ast.ArrayComprehension, *ast.SetComprehension, *ast.ObjectComprehension:
			calls = true
		}
		return calls
	})
	if calls {
		return nil
	}
	return r.Head.Value
}

var errRule = errors.New(`a rule is {"permission": …, "pattern": …, "action": "allow", "ask" or "deny"}`)

// rulesOf returns the rules that a policy states.
func rulesOf(v ast.Value, source string) ([]permission.Rule, error) {
	var rules []permission.Rule
	err := each(v, func(o ast.Object) error {
		r := readShown(o)
		if _, err := permission.ParseAction(string(r.Action)); err != nil || r.Permission == "" || o.Get(key("pattern")) == nil {
			return fmt.Errorf("%w, and not %v", errRule, o)
		}
		r.Layer, r.Source = "", source
		rules = append(rules, r)
		return nil
	})
	return rules, err
}

// addRules puts the fixed rules of teams' packages into the managed layer, one
// layer a trust, and those of presets that are computed but do not depend on
// the call.
func (e *Engine) addRules() error {
	managed := map[permission.Trust][]permission.Rule{}
	for _, source := range e.modules.sources {
		if _, ok := presetOf(source.parsed); ok {
			continue
		}
		for _, r := range source.parsed.Rules {
			value := fixedRules(r)
			if r.Head.Ref().String() != "rules" || value == nil {
				continue
			}
			rules, err := rulesOf(value.Value, fmt.Sprintf("%s:%d", source.path, r.Location.Row))
			if err != nil {
				return &PolicyError{Policy: source.path, Err: err}
			}
			managed[source.trust] = append(managed[source.trust], rules...)
		}
	}
	managedOrder := slices.Index(permission.Layers, permission.LayerManaged)
	at := slices.IndexFunc(e.layers, func(l permission.Layer) bool { return slices.Index(permission.Layers, l.Name) > managedOrder })
	if at < 0 {
		at = len(e.layers)
	}
	for _, trust := range []permission.Trust{permission.TrustManaged, permission.TrustUser, permission.TrustProject, permission.TrustNone} {
		if rules := managed[trust]; len(rules) > 0 {
			e.layers = slices.Insert(e.layers, at, permission.Layer{Name: permission.LayerManaged, Trust: trust, Source: "policies", Rules: rules})
		}
	}
	return nil
}
