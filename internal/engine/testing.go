package engine

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/permctl/permctl/policy"
)

// TestRoot is where the packages of tests are moved that end in _test: under
// data, before their own names. In a package below org, which any decision may
// read, a test that asks for the decision would be recursive.
const TestRoot = "permctl_tests"

// A Suite is a policy together with its tests, as OPA's own test runner takes
// it. It serves for one run.
type Suite struct {
	// Compiler checks what is compiled as the engine checks policies, but has
	// not compiled anything yet.
	Compiler *ast.Compiler

	// Modules are the whole shipped policy with all presets and the library,
	// the sources' modules, and the tests, by file.
	Modules map[string]*ast.Module

	// Store holds [Engine.Data].
	Store storage.Store

	// Functions are what Rego can call besides OPA's own functions.
	Functions map[string]*topdown.Builtin
}

// Suite returns the engine's policy with tests, the texts of Rego modules by
// their files. The rules are judged by the Rego that defines the engine's Go
// functions: only so a test may put others into data.policy. The error is an
// [ast.Errors] if a test does not parse.
func (e *Engine) Suite(tests map[string]string) (*Suite, error) {
	modules, err := shippedModules()
	if err != nil {
		return nil, err
	}
	for _, source := range e.modules.sources {
		modules[source.path] = source.parsed.Copy()
	}
	var broken ast.Errors
	for file, text := range tests {
		parsed, err := ast.ParseModuleWithOpts(file, text, ast.ParserOptions{ProcessAnnotation: true})
		if err != nil {
			broken = append(broken, errorsOf(err, file)...)
			continue
		}
		modules[file] = parsed
	}
	if len(broken) > 0 {
		return nil, broken
	}
	if err := move(modules, tests); err != nil {
		return nil, err
	}
	schemas, err := schemaSet()
	if err != nil {
		return nil, err
	}
	data, ok := asAny(e.Data()).(map[string]any)
	if !ok {
		return nil, errors.New("data.policy is no JSON")
	}
	return &Suite{
		Compiler: ast.NewCompiler().
			WithCapabilities(capabilities()).
			WithSchemas(schemas).
			WithUseTypeCheckAnnotations(true).
			WithEnablePrintStatements(true),
		Modules:   modules,
		Store:     inmem.NewFromObject(data),
		Functions: e.table.functions,
	}, nil
}

// move puts the packages of tests under [TestRoot], and has the tests mean them
// there.
func move(modules map[string]*ast.Module, tests map[string]string) error {
	var moved []ast.Ref
	for file := range tests {
		path := modules[file].Package.Path
		if name, ok := path[len(path)-1].Value.(ast.String); ok && strings.HasSuffix(string(name), "_test") {
			moved = append(moved, path.Copy())
		}
	}
	for file := range tests {
		_, err := ast.TransformRefs(modules[file], func(ref ast.Ref) (ast.Value, error) {
			if slices.ContainsFunc(moved, ref.HasPrefix) {
				return ast.Ref{ref[0], ast.StringTerm(TestRoot)}.Concat(ref[1:]), nil
			}
			return ref, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// errorsOf returns OPA's errors in err, or err itself as one of the file.
func errorsOf(err error, file string) ast.Errors {
	if several, ok := errors.AsType[ast.Errors](err); ok {
		return several
	}
	return ast.Errors{ast.NewError(ast.ParseErr, ast.NewLocation(nil, file, 1, 1), "%v", err)}
}

// shippedModules returns copies of all shipped modules but their tests.
func shippedModules() (map[string]*ast.Module, error) {
	modules := map[string]*ast.Module{}
	err := fs.WalkDir(policy.FS, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".rego") || strings.HasSuffix(file, "_test.rego") {
			return err
		}
		parsed, err := parseShipped(file)
		if err != nil {
			return err
		}
		modules["policy/"+file] = parsed.Copy()
		return nil
	})
	return modules, err
}

// Ships reports whether permctl itself ships a Rego module with this text.
func Ships(text string) bool {
	found := false
	_ = fs.WalkDir(policy.FS, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".rego") {
			return err
		}
		shipped, err := policy.FS.ReadFile(file)
		if found = err == nil && string(shipped) == text; found {
			return fs.SkipAll
		}
		return err
	})
	return found
}

// PresetsOf returns the names of all presets that there are with the sources,
// shipped or theirs, as users write them. A module that does not parse has
// none.
func PresetsOf(sources []Source) []string {
	names := Presets()
	for _, source := range sources {
		for file, text := range source.Modules {
			if !strings.Contains(text, "policy.presets.") {
				continue // parsing costs more than looking
			}
			parsed, err := ast.ParseModule(file, text)
			if err != nil {
				continue
			}
			if name, ok := presetOf(parsed); ok {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
