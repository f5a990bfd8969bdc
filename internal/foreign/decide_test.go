package foreign_test

import (
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/foreign"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/settings"
	"github.com/permctl/permctl/internal/workspace"
)

const home = "/home/user"

// A guard decides calls with what was imported in force.
type guard struct {
	engines map[string]*engine.Engine // by the agent
	config  settings.Config
	base    engine.Config
	env     input.Env
}

// newGuard has an import decide. What does not load is an error.
func newGuard(made *foreign.Import) (*guard, error) {
	g := &guard{engines: map[string]*engine.Engine{}}
	options := settings.Options{Home: home, PermissionOf: input.PermissionOf, Presets: engine.PresetsOf(nil)}
	if made.Policy != "" {
		g.base.Sources = []engine.Source{{Name: "imported", Trust: permission.TrustUser, Modules: map[string]string{"imported.rego": made.Policy}}}
		options.Presets = engine.PresetsOf(g.base.Sources)
	}
	file, err := settings.Parse(strings.NewReader(made.Settings), "settings.yaml", options)
	if err != nil {
		return nil, err
	}
	g.config = settings.Config{Global: file}
	w, err := workspace.New("/workspace", home)
	if err != nil {
		return nil, err
	}
	g.env = input.Env{Workspace: w, User: input.User{Name: "user", Home: home}, Host: input.Host{Name: "host", OS: "linux"}}
	_, err = g.engine("")
	return g, err
}

func (g *guard) engine(agent string) (*engine.Engine, error) {
	if e := g.engines[agent]; e != nil {
		return e, nil
	}
	config, c := g.base, g.config
	c.Agent = agent
	config.Layers, config.Tables = c.Layers(), c.Tables().Document
	e, err := engine.New(config)
	g.engines[agent] = e
	return e, err
}

// decide returns the decision on a call. With an error it is a deny.
func (g *guard) decide(t *testing.T, call input.Call) permission.Decision {
	t.Helper()
	e, err := g.engine(call.Agent)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := input.New(call, g.env)
	if err != nil {
		return engine.Failed(nil, err)
	}
	d, err := e.Eval(t.Context(), doc)
	if err != nil {
		t.Errorf("%+v: %v", call, err)
	}
	return d
}

// A verdict is a call, and what the agent's documentation has it answer.
type verdict struct {
	want permission.Action
	tool string
	text string // or the whole input, as JSON
}

// same imports files, and compares the documented answers with the judge's and
// with permctl's.
func same(t *testing.T, source *foreign.Source, files []foreign.File, agent string, verdicts []verdict) {
	t.Helper()
	made, err := source.Import(files)
	if err != nil {
		t.Fatal(err)
	}
	g, err := newGuard(made)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, made.Settings, made.Policy)
	}
	judge := judgeOf(t, source, files)
	for _, v := range verdicts {
		call, err := input.FromArgument(v.tool, v.text)
		if err != nil {
			t.Fatalf("%s %s: %v", v.tool, v.text, err)
		}
		call.Agent = agent
		if got := judge(call); got != v.want {
			t.Errorf("%s %s: the judge says %s, and the documentation %s", v.tool, v.text, got, v.want)
		}
		if d := g.decide(t, call); d.Action != v.want {
			t.Errorf("%s %s: permctl says %s (%s), and the documentation %s", v.tool, v.text, d.Action, d.Reason, v.want)
		}
	}
}
