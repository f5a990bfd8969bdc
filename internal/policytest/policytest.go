// Package policytest runs the tests of policies: Rego tests and decision
// tables.
//
// A table is decided by the engine that decides calls, and a Rego test runs on
// the same policy with the same checks. Nothing is taken from the machine: a
// table's calls are those of a made-up user in an empty workspace, so that the
// answers are the same everywhere.
package policytest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/settings"
)

// Options say what is tested, and by which policy.
type Options struct {
	// Paths are the files and folders of tests: *_test.rego, and *.txt for
	// decision tables. Other Rego files, and data.json and data.yaml, are
	// policies under test, also where they lie beside a test that is given.
	// Folders are searched to the bottom, but for hidden ones other than
	// .permctl, and a *.txt in them that has no row of a table is no test. If
	// empty, it is .permctl, or the current directory where there is none.
	Paths []string

	// Run is a regular expression for what is run: Rego tests whose name
	// matches, such as org.git_test.test_push, and rows of tables whose
	// file or text does. If empty, everything is.
	Run string

	// Update is whether tables are rewritten to say what the policy answers.
	// What is only a wrong reason is not.
	Update bool

	// Config is the policy in force besides that under test. Its layers, and
	// what else settings say, are for Rego tests; without layers, it is the
	// default preset, as on a machine without settings.
	Config engine.Config

	// Settings are those in force. With the approvals in Config, they are for
	// tables that do not say themselves by which preset and settings they are
	// decided.
	Settings settings.Config
}

// Run runs the tests. What fails and what is broken is told in the report,
// which always has a case; the error is only for a wrong Run expression, or
// the context's.
func Run(ctx context.Context, o Options) (*Report, error) {
	filter, err := regexp.Compile(o.Run)
	if err != nil {
		return nil, fmt.Errorf("--run: %w", err)
	}
	r := &runner{options: o, filter: filter, report: &Report{Cases: []Case{}, Diffs: []Diff{}, Updated: []string{}}}
	start := time.Now()
	found := r.find()
	config, err := r.config(found)
	if err != nil {
		r.broken("", err)
	} else {
		r.rego(ctx, config, found.Tests)
		for _, file := range found.tables {
			r.table(ctx, config, file)
		}
	}
	if len(r.report.Cases) == 0 {
		r.report.Cases = append(r.report.Cases, Case{
			Suite: ownSuite, Name: "there is no test", Status: Fail, Message: r.nothing(),
		})
	}
	r.report.sort()
	r.report.Duration = time.Since(start)
	return r.report, ctx.Err()
}

// A runner runs the tests of one call of [Run].
type runner struct {
	options Options
	filter  *regexp.Regexp
	report  *Report
}

// nothing says that there is no test.
func (r *runner) nothing() string {
	where := "no test found in " + strings.Join(r.options.paths(), ", ")
	if r.options.Run != "" {
		return fmt.Sprintf("%s that matches %q", where, r.options.Run)
	}
	return where + ": tests are *_test.rego files, and *.txt files with decision tables"
}

func (o Options) paths() []string {
	if len(o.Paths) > 0 {
		return o.Paths
	}
	if info, err := os.Stat(".permctl"); err == nil && info.IsDir() {
		return []string{".permctl"}
	}
	return []string{"."}
}

// config returns the policy in force with that under test. What is in force
// already, or shipped, is not added again.
func (r *runner) config(found *files) (engine.Config, error) {
	config := r.options.Config
	known := map[string]bool{}
	for _, source := range config.Sources {
		for _, text := range source.Modules {
			known[text] = true
		}
		subtract(found.Data, source.Data)
	}
	for file, text := range found.Modules {
		if known[text] || engine.Ships(text) {
			delete(found.Modules, file)
		}
	}
	if len(found.Modules) > 0 || len(found.Data) > 0 {
		config.Sources = append(slices.Clone(config.Sources), engine.Source{
			Name:    strings.Join(r.options.paths(), ", "),
			Trust:   permission.TrustManaged,
			Modules: found.Modules,
			Data:    found.Data,
		})
	}
	if len(config.Layers) == 0 {
		config.Layers = settings.Config{}.Layers()
	}
	if _, err := engine.New(config); err != nil {
		return config, err
	}
	return config, nil
}

// subtract deletes from data what is in known with the same value.
func subtract(data, known map[string]any) {
	for key, value := range data {
		inner, isMap := value.(map[string]any)
		if below, ok := known[key].(map[string]any); ok && isMap {
			subtract(inner, below)
			if len(inner) == 0 {
				delete(data, key)
			}
		} else if other, ok := known[key]; ok && reflect.DeepEqual(value, other) {
			delete(data, key)
		}
	}
}

// broken adds what could not be run to the report, and the file that it is
// about unless err itself says where it is.
func (r *runner) broken(file string, err error) {
	c := Case{Suite: ownSuite, Name: "the test cannot be read", File: file, Status: Error, Message: err.Error()}
	if policy, ok := errors.AsType[*engine.PolicyError](err); ok {
		c.File, c.Line = splitPosition(policy.Policy)
		c.Name, c.Message = "the policy does not compile", policy.Err.Error()
	}
	r.report.Cases = append(r.report.Cases, c)
}

// sort puts the cases in the order of their files and lines.
func (r *Report) sort() {
	slices.SortStableFunc(r.Cases, func(a, b Case) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
	})
}
