package permctl_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/permctl/permctl/"

// layers are who may import whom, as ARCHITECTURE.md says it.
var layers = map[string][]string{
	"policy":              {},
	"internal/permission": {},
	"internal/bash":       {},
	"internal/patch":      {},
	"internal/workspace":  {},
	"internal/private":    {},
	"internal/console":    {},
	"internal/jsonc":      {},
	"internal/shim":       {},
	"internal/regular":    {},
	"internal/mcp":        {"internal/input"},
	"internal/input":      {"internal/bash", "internal/patch", "internal/permission", "internal/workspace"},
	"internal/approvals":  {"internal/permission", "internal/private"},
	"internal/settings":   {"internal/bash", "internal/permission", "internal/private"},
	"internal/bundle":     {},
	"internal/engine":     {"internal/input", "internal/permission", "policy"},
	"internal/hook":       {"internal/input", "internal/permission"},
	"internal/install":    {"internal/hook", "internal/input", "internal/jsonc", "internal/permission", "internal/private", "internal/regular", "internal/shim"},
	"internal/foreign":    {"internal/bash", "internal/input", "internal/jsonc", "internal/permission"},
	"internal/doctor":     {"internal/hook", "internal/install", "internal/jsonc", "internal/regular", "internal/shim"},
	"internal/gate": {
		"internal/approvals", "internal/bash", "internal/bundle", "internal/engine", "internal/input", "internal/permission",
		"internal/private", "internal/settings", "internal/workspace",
	},
	"internal/policytest": {
		"internal/bundle", "internal/engine", "internal/input", "internal/permission", "internal/settings", "internal/workspace",
	},
	"internal/screen":            {},
	"internal/ask":               {"internal/permission"},
	"internal/api":               {"internal/ask", "internal/input", "internal/permission"},
	"internal/client":            {"internal/api", "internal/permission", "internal/private"},
	"internal/client/clienttest": {"internal/api", "internal/permission"},
	"internal/inbox":             {"internal/api", "internal/client", "internal/permission", "internal/screen"},
	"internal/server": {
		"internal/api", "internal/ask", "internal/bash", "internal/gate", "internal/input", "internal/permission", "internal/private",
	},
	"cmd/permctl": {
		"internal/api", "internal/approvals", "internal/client", "internal/console", "internal/doctor", "internal/engine", "internal/foreign",
		"internal/gate", "internal/hook", "internal/inbox", "internal/input", "internal/install", "internal/mcp", "internal/permission",
		"internal/policytest", "internal/private", "internal/regular", "internal/screen",
		"internal/server", "internal/settings", "internal/workspace",
	},
}

// owners are the packages that may import a large dependency.
var owners = map[string][]string{
	"github.com/open-policy-agent/opa": {"internal/engine", "internal/bundle", "internal/policytest"},
	"github.com/spf13/cobra":           {"cmd/permctl"},
	"mvdan.cc/sh":                      {"internal/bash"},
	"gopkg.in/yaml.v3":                 {"internal/settings"},
	"github.com/rivo/uniseg":           {"internal/screen"},
	"github.com/tailscale/hujson":      {"internal/jsonc"},
	"github.com/pelletier/go-toml":     {"internal/doctor", "internal/foreign"},
	"go.starlark.net":                  {"internal/foreign"},

	"github.com/modelcontextprotocol/go-sdk": {"internal/mcp"},
}

// imports returns what each package imports, tests left out. It reads the files
// itself, so that the test cache knows of them.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == "testdata" {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		found[pkg] = append(found[pkg], nil...)
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			found[pkg] = append(found[pkg], name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestImports(t *testing.T) {
	for pkg, names := range imports(t) {
		allowed, known := layers[pkg]
		if !known {
			t.Errorf("package %s has no place in the layers", pkg)
		}
		for _, name := range names {
			if own, ok := strings.CutPrefix(name, module); ok && !slices.Contains(allowed, own) {
				t.Errorf("%s imports %s, which its layer does not allow", pkg, own)
			}
			for dependency, owner := range owners {
				if strings.HasPrefix(name, dependency) && !slices.Contains(owner, pkg) {
					t.Errorf("%s imports %s, which belongs to %s", pkg, name, strings.Join(owner, ", "))
				}
			}
		}
	}
}

func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range layers {
		if !strings.Contains(string(text), "| "+strings.TrimPrefix(pkg, "internal/")+" |") {
			t.Errorf("ARCHITECTURE.md has no line for %s", pkg)
		}
	}
}
