// Package bundles_test loads the bundles of this folder as those who use them
// do.
package bundles_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/gate"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/policytest"
	"github.com/permctl/permctl/internal/settings"
)

func TestSampleDecides(t *testing.T) {
	dir, err := filepath.Abs("sample")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	g, err := gate.Open(gate.Config{
		Dirs:     settings.Dirs{Home: home, Config: filepath.Join(home, "config"), State: filepath.Join(home, "state")},
		Policies: []string{dir},
	})
	if err != nil {
		t.Fatal(err)
	}
	call, err := input.FromArgument("bash", "cd pkg && npm --silent publish")
	if err != nil {
		t.Fatal(err)
	}
	call.Cwd = home
	got, err := g.Decide(t.Context(), call)
	if err != nil || got.Action != permission.Deny || !strings.Contains(got.Reason, "npm publish is for CI to run") {
		t.Errorf("decision = %v %q, %v; want a deny that speaks of CI", got.Action, got.Reason, err)
	}
}

// TestManifests holds each bundle to what stock OPA asks of it: all that it
// brings lies below its roots, and its Rego is of version 1. That OPA itself
// loads it is for "opa test -b" to show.
func TestManifests(t *testing.T) {
	manifests, err := filepath.Glob("*/.manifest")
	if err != nil || len(manifests) == 0 {
		t.Fatalf("manifests = %v, %v", manifests, err)
	}
	for _, file := range manifests {
		var manifest struct {
			Roots   []string `json:"roots"`
			Version int      `json:"rego_version"`
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &manifest); err != nil || manifest.Version != 1 {
			t.Errorf("%s: rego_version = %d, %v; want 1", file, manifest.Version, err)
		}
		for path, owner := range brought(t, filepath.Dir(file)) {
			if !slices.ContainsFunc(manifest.Roots, func(root string) bool { return strings.HasPrefix(path+"/", root+"/") }) {
				t.Errorf("%s: %s is outside of the bundle's roots %v", owner, path, manifest.Roots)
			}
		}
	}
}

// brought returns the places in data that a bundle's files fill, with slashes,
// and the file of each.
func brought(t *testing.T, dir string) map[string]string {
	t.Helper()
	name := regexp.MustCompile(`(?m)^package (\S+)`)
	places := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case filepath.Ext(file) == ".rego":
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			places[strings.ReplaceAll(name.FindStringSubmatch(string(text))[1], ".", "/")] = file
		case filepath.Base(file) == "data.json":
			folder, err := filepath.Rel(dir, filepath.Dir(file))
			if err != nil {
				return err
			}
			places[filepath.ToSlash(folder)] = file
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return places
}

func TestSampleTests(t *testing.T) {
	report, err := policytest.Run(t.Context(), policytest.Options{Paths: []string{"sample"}})
	if err != nil {
		t.Fatal(err)
	}
	if report.Status() != policytest.Pass {
		t.Errorf("the sample's tests do not pass: permctl test bundles/sample: %+v", report.Cases)
	}
}
