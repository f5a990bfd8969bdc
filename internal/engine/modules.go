package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/policy"
)

// A Source is policy from one place: a folder or a bundle.
type Source struct {
	// Name is what messages call the source.
	Name string

	// Trust says who stands behind it. That of nobody, or of a project, must
	// not touch what a source of higher trust brings.
	Trust permission.Trust

	// Modules are the texts of its Rego modules by their paths.
	Modules map[string]string

	// Data is merged into data, beside "policy".
	Data map[string]any
}

// A PolicyError is a policy that does not compile, reads what a document does
// not have, or failed while it was evaluated.
type PolicyError struct {
	// Policy is where the policy is: a file, and the line if there is one.
	Policy string
	Err    error
}

func (e *PolicyError) Error() string { return fmt.Sprintf("policy %s: %v", e.Policy, e.Err) }

// Unwrap returns what is wrong with the policy.
func (e *PolicyError) Unwrap() error { return e.Err }

// A parts is a set of parts of the shipped policy.
type parts uint8

// The parts that a call may do without: each matters only if the call has what
// it speaks of.
const (
	teamsPart parts = 1 << iota
	evalPart
	hazardPart
	protectionPart
	modePart
	trustPart
	allParts = teamsPart | evalPart | hazardPart | protectionPart | modePart | trustPart
)

// partFields are the fields of the document that a part reads, beside the
// requests. Policies of sources may read all of them.
var partFields = []struct {
	part   parts
	fields []string
}{
	{hazardPart, []string{"commands", "script"}},
	{protectionPart, []string{"paths", "commands", "script", "daemon"}},
	{modePart, []string{"call", "tool", "paths", "commands", "script"}},
}

// fields returns the names of the document's fields that the parts read, or
// nil for all.
func (p parts) fields() []string {
	if p&teamsPart != 0 {
		return nil
	}
	names := []string{"requests"}
	for _, f := range partFields {
		if p&f.part != 0 {
			names = append(names, f.fields...)
		}
	}
	return names
}

// partFiles are the files of each part; all others are always in use, but for
// presets and the library.
var partFiles = map[string]parts{
	"teams/teams.rego":         teamsPart,
	"floors/floors.rego":       trustPart,
	"floors/policy.rego":       teamsPart,
	"floors/eval.rego":         evalPart,
	"floors/hazard.rego":       hazardPart,
	"floors/protection.rego":   protectionPart,
	"floors/mode.rego":         modePart,
	"lib/effects/effects.rego": modePart | teamsPart,
}

// noTeams stands in for teams.rego where there is no policy but the rules.
const noTeams = "package policy.teams\nfindings := set()\nrules := []\nfloors := []\n"

// needed returns the parts that can bear on the call.
func (e *Engine) needed(doc *input.Document) parts {
	var p parts
	if len(e.modules.sources) > 0 || len(e.config.Floors) > 0 || e.modules.speaking(e.layers) {
		p |= teamsPart
	}
	if slices.ContainsFunc(doc.Requests, func(r input.Request) bool { return r.Permission == "eval" }) {
		p |= evalPart
	}
	if slices.ContainsFunc(doc.Commands, func(c input.Command) bool { return len(c.Hazards) > 0 }) || len(doc.Script.Assigns) > 0 {
		p |= hazardPart
	}
	if len(doc.Script.Unparsed) > 0 || len(doc.Daemon) > 0 ||
		slices.ContainsFunc(doc.Paths, func(p input.Path) bool { return p.Protected != "" }) ||
		slices.ContainsFunc(doc.Commands, func(c input.Command) bool { return strings.Contains(strings.ToLower(c.Text), "permctl") }) {
		p |= protectionPart
	}
	if e.table.loose || slices.ContainsFunc(e.modules.sources, func(m module) bool { return m.trust == permission.TrustNone }) {
		p |= trustPart
	}
	if doc.Call.Mode == "plan" || slices.Contains(e.config.ReadOnlyAgents, doc.Call.Agent) {
		p |= modePart
	}
	return p
}

// A module is a Rego module with what has to be known of it.
type module struct {
	path   string
	text   string
	trust  permission.Trust
	parsed *ast.Module
}

// modules are the modules of a policy: the shipped ones are parsed when they
// are first needed, and those of sources at once.
type modules struct {
	sources []module
	presets map[string]*ast.Module // by the name that users write
	data    map[string]any

	mu       sync.Mutex
	compiled map[parts]program // guarded by mu
}

// A program is a compiled policy and the query for its decision.
type program struct {
	compiler *ast.Compiler
	query    ast.Body
}

// newModules reads the sources' modules and the presets in use.
func newModules(config Config) (*modules, error) {
	m := &modules{presets: map[string]*ast.Module{}, data: map[string]any{}, compiled: map[parts]program{}}
	for _, source := range config.Sources {
		if err := m.add(source); err != nil {
			return nil, err
		}
	}
	if err := m.unheard(); err != nil {
		return nil, err
	}
	if err := m.isolate(config.Sources); err != nil {
		return nil, err
	}
	for _, layer := range config.Layers {
		if layer.Preset == "" || m.presets[layer.Preset] != nil {
			continue
		}
		parsed, err := parseShipped(presetFile(layer.Preset))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("unknown preset %q", layer.Preset)
		}
		if err != nil {
			return nil, err
		}
		m.presets[layer.Preset] = parsed
	}
	return m, nil
}

func presetFile(name string) string {
	folder := strings.ReplaceAll(name, "-", "_")
	return "presets/" + folder + "/" + folder + ".rego"
}

// Presets returns the names of the shipped presets, as users write them.
func Presets() []string {
	folders, err := fs.ReadDir(policy.FS, "presets")
	if err != nil {
		return nil
	}
	names := make([]string, 0, len(folders))
	for _, f := range folders {
		names = append(names, strings.ReplaceAll(f.Name(), "_", "-"))
	}
	return names
}

var shipped sync.Map // of *ast.Module by file

// parseShipped returns a module of the shipped policy, to be copied before it
// is compiled.
func parseShipped(file string) (*ast.Module, error) {
	if known, ok := shipped.Load(file); ok {
		return known.(*ast.Module), nil
	}
	text, err := policy.FS.ReadFile(file)
	if err != nil {
		return nil, err
	}
	parsed, err := ast.ParseModuleWithOpts(path.Join("policy", file), string(text), ast.ParserOptions{ProcessAnnotation: false})
	if err != nil {
		return nil, err
	}
	shipped.Store(file, parsed)
	return parsed, nil
}

// add parses the modules of a source.
func (m *modules) add(source Source) error {
	files := make([]string, 0, len(source.Modules))
	for file := range source.Modules {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		parsed, err := ast.ParseModuleWithOpts(file, source.Modules[file], ast.ParserOptions{ProcessAnnotation: true})
		if err != nil {
			return compileError(err)
		}
		added := module{path: file, text: source.Modules[file], trust: source.Trust, parsed: parsed}
		if err := added.check(); err != nil {
			return &PolicyError{Policy: file, Err: err}
		}
		m.sources = append(m.sources, added)
		if name, ok := presetOf(parsed); ok && !strings.HasSuffix(file, "_test.rego") {
			m.presets[name] = parsed
		}
	}
	if _, ok := source.Data["policy"]; ok {
		return &PolicyError{Policy: source.Name, Err: errors.New(`its data has "policy", where permctl's own is: choose another name`)}
	}
	if at, ok := mergeData(m.data, source.Data, nil); !ok {
		return &PolicyError{Policy: source.Name, Err: fmt.Errorf("its data has %s, which other data has too: choose another name", strings.Join(at, "."))}
	}
	return nil
}

// mergeData puts more into data, object by object. It is not ok where both have
// something else that is not the same.
func mergeData(data, more map[string]any, at []string) (where []string, ok bool) {
	for name, value := range more {
		old, taken := data[name]
		inner, isObject := value.(map[string]any)
		oldInner, wasObject := old.(map[string]any)
		here := append(slices.Clip(at), name)
		switch {
		case isObject && (wasObject || !taken):
			merged := maps.Clone(oldInner)
			if merged == nil {
				merged = map[string]any{}
			}
			if where, ok := mergeData(merged, inner, here); !ok {
				return where, false
			}
			data[name] = merged
		case taken && !reflect.DeepEqual(old, value):
			return here, false
		default:
			data[name] = value
		}
	}
	return nil, true
}

// dataPaths returns the paths of what is in data, down to what is no object.
func dataPaths(data map[string]any, at []string) [][]string {
	var paths [][]string
	for name, value := range data {
		here := append(slices.Clip(at), name)
		if inner, ok := value.(map[string]any); ok && len(inner) > 0 {
			paths = append(paths, dataPaths(inner, here)...)
			continue
		}
		paths = append(paths, here)
	}
	return paths
}

// program returns the policy with the given parts, compiled once.
func (m *modules) program(p parts) (program, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if made, ok := m.compiled[p]; ok {
		return made, nil
	}
	compiler, err := m.compile(p)
	if err != nil {
		return program{}, err
	}
	query, err := compiler.QueryCompiler().Compile(ast.MustParseBody("decision = data.policy.decision"))
	if err != nil {
		return program{}, fmt.Errorf("compile query: %w", err)
	}
	m.compiled[p] = program{compiler: compiler, query: query}
	return m.compiled[p], nil
}

// compile returns the policy with the given parts. The shipped part has been
// checked before it was shipped, so that only what others add is checked here.
func (m *modules) compile(p parts) (*ast.Compiler, error) {
	set, err := m.collect(p)
	if err != nil {
		return nil, err
	}
	compiler := ast.NewCompiler().WithCapabilities(capabilities())
	if len(m.sources) == 0 {
		compiler = compiler.WithSkipStages(shippedStages...)
	} else {
		schemas, err := schemaSet()
		if err != nil {
			return nil, err
		}
		compiler = compiler.WithSchemas(schemas).WithUseTypeCheckAnnotations(true)
	}
	compiler.Compile(set)
	if compiler.Failed() {
		return nil, compileError(compiler.Errors)
	}
	return compiler, nil
}

// shippedStages only check, or serve what the shipped policy does not use.
var shippedStages = []ast.StageID{
	ast.StageCheckTypes, ast.StageCheckRecursion, ast.StageCheckUndefinedFuncs, ast.StageCheckSafetyRuleHeads,
	ast.StageCheckUnsafeBuiltins, ast.StageCheckDeprecatedBuiltins, ast.StageBuildRequiredCapabilities,
	ast.StageCheckRuleConflicts, ast.StageRewriteTestRulesForTracing, ast.StageCheckUnusedImports, ast.StageCheckVoidCalls,
	ast.StageCheckKeywordOverrides, ast.StageCheckDuplicateImports, ast.StageSetAnnotationSet, ast.StageParseMetadataBlocks,
	ast.StageRewritePrintCalls, ast.StageRewriteRegoMetadataCalls,
}

// collect returns the modules of the parts, of presets that say more than
// rules, and of the sources, each a copy.
func (m *modules) collect(p parts) (map[string]*ast.Module, error) {
	if p == 0 {
		parsed, err := ast.ParseModuleWithOpts("permctl/alone.rego", aloneModule, ast.ParserOptions{})
		return map[string]*ast.Module{"permctl/alone.rego": parsed}, err
	}
	stand := map[string]string{"permctl/match.rego": matchModule, "permctl/answer.rego": answerModule}
	files := []string{"decision.rego"}
	for file, part := range partFiles {
		if p&part != 0 {
			files = append(files, file)
		}
	}
	if p&teamsPart == 0 {
		stand["permctl/match.rego"], stand["permctl/teams.rego"] = matchAlone, noTeams
	}
	files = append(files, m.library()...)
	set := map[string]*ast.Module{}
	for _, file := range files {
		parsed, err := parseShipped(file)
		if err != nil {
			return nil, err
		}
		set[file] = parsed.Copy()
	}
	for file, text := range stand {
		parsed, err := ast.ParseModuleWithOpts(file, text, ast.ParserOptions{})
		if err != nil {
			return nil, err
		}
		set[file] = parsed
	}
	for name, parsed := range m.presets {
		if p&teamsPart != 0 && !slices.ContainsFunc(m.sources, func(s module) bool { return s.parsed == parsed }) {
			set["presets/"+name] = parsed.Copy()
		}
	}
	for _, source := range m.sources {
		set[source.path] = source.parsed.Copy()
	}
	return set, nil
}

// library returns the files of the library for policy writers that sources may
// use, and those that these use.
func (m *modules) library() []string {
	var used []string
	texts := make([]string, len(m.sources))
	for i, source := range m.sources {
		texts[i] = source.text
	}
	for len(texts) > 0 {
		var next []string
		for _, file := range libraryFiles() {
			if slices.Contains(used, file) || !slices.ContainsFunc(texts, func(text string) bool { return mentions(text, file) }) {
				continue
			}
			text, err := policy.FS.ReadFile(file)
			if err != nil {
				continue // it is not there to be used
			}
			used, next = append(used, file), append(next, string(text))
		}
		texts = next
	}
	return used
}

// mentions reports whether a module's text may use a file of the library:
// whether it names the package, or the library as a whole.
func mentions(text, file string) bool {
	name := path.Base(path.Dir(file))
	return strings.Contains(text, "lib") && strings.Contains(text, name)
}

func libraryFiles() []string {
	files, err := fs.Glob(policy.FS, "lib/*/*.rego")
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(files, func(file string) bool { return strings.HasSuffix(file, "_test.rego") })
}

var schemaSet = sync.OnceValues(func() (*ast.SchemaSet, error) {
	text, err := policy.FS.ReadFile("schema/input.json")
	if err != nil {
		return nil, err
	}
	var schema any
	if err := json.Unmarshal(text, &schema); err != nil {
		return nil, fmt.Errorf("schema/input.json: %w", err)
	}
	set := ast.NewSchemaSet()
	set.Put(ast.SchemaRootRef, schema)
	set.Put(ast.SchemaRootRef.Append(ast.StringTerm("input")), schema)
	return set, nil
})

// compileError returns the first of OPA's errors as a PolicyError, with the
// others behind it.
func compileError(err error) error {
	var several ast.Errors
	if !errors.As(err, &several) || len(several) == 0 {
		return err
	}
	where := "?"
	if first := several[0].Location; first != nil {
		where = fmt.Sprintf("%s:%d", first.File, first.Row)
	}
	rest := make([]error, 0, len(several))
	for _, e := range several {
		rest = append(rest, errors.New(strings.TrimPrefix(e.Error(), where+": ")))
	}
	return &PolicyError{Policy: where, Err: errors.Join(rest...)}
}

// failure returns an error of evaluation with the policy in which it arose.
func failure(err error) error {
	var failed *topdown.Error
	if !errors.As(err, &failed) || failed.Location == nil {
		return err
	}
	return &PolicyError{Policy: fmt.Sprintf("%s:%d", failed.Location.File, failed.Location.Row), Err: errors.New(failed.Message)}
}
