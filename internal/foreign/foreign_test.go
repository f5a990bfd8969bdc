package foreign_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permctl/permctl/internal/foreign"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/policytest"
)

// A row is a call, and what an agent answers to it by its documentation. If
// permctl is stricter, it says so.
type row struct {
	action   permission.Action
	tool     string
	argument string
	stricter permission.Action
}

func (r row) call(t *testing.T) input.Call {
	t.Helper()
	if r.tool == "json" {
		call, err := input.ParseCall([]byte(r.argument))
		if err != nil {
			t.Fatal(err)
		}
		return call
	}
	call, err := input.FromArgument(r.tool, r.argument)
	if err != nil {
		t.Fatal(err)
	}
	return call
}

// imported returns what the source makes of files.
func imported(t *testing.T, source *foreign.Source, files ...foreign.File) *foreign.Import {
	t.Helper()
	made, err := source.Import(files)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// written writes an import into a folder, as permctl import does.
func written(t *testing.T, made *foreign.Import) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"settings.yaml": made.Settings, "policy/presets/imported.rego": made.Policy, "made.txt": made.Table} {
		path := filepath.Join(dir, name)
		if text == "" {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// answers returns what permctl answers to calls by the files in a folder, each with
// a reason.
func answers(t *testing.T, dir string, calls []input.Call) (actions []permission.Action, reasons []string) {
	t.Helper()
	var table strings.Builder
	table.WriteString("settings settings.yaml\n")
	for _, call := range calls {
		text := foreign.WholeCall(call)
		if strings.Contains(text, "=>") {
			text = fmt.Sprintf("%q", text)
		}
		fmt.Fprintf(&table, "allow json %s\n", text)
	}
	path := filepath.Join(dir, "asked.txt")
	if err := os.WriteFile(path, []byte(table.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := policytest.Run(t.Context(), policytest.Options{Paths: []string{filepath.Join(dir, "asked.txt"), dir}, Run: "asked|^allow json"})
	if err != nil {
		t.Fatal(err)
	}
	actions, reasons = make([]permission.Action, len(calls)), make([]string, len(calls))
	for _, c := range report.Cases {
		if c.Status == policytest.Error {
			t.Fatalf("%s:%d: %s: %s", c.File, c.Line, c.Name, c.Message)
		}
		if filepath.Base(c.File) != "asked.txt" {
			continue
		}
		i := c.Line - 2
		actions[i] = permission.Allow
		if c.Status == policytest.Fail {
			text, found := strings.CutPrefix(c.Message, "the answer is ")
			action, reason, _ := strings.Cut(text, ": ")
			if !found {
				t.Fatal(c.Message)
			}
			actions[i], reasons[i] = permission.Action(action), reason
		}
	}
	return actions, reasons
}

// judgeOf returns what answers as the agent itself would by its files.
func judgeOf(t *testing.T, source *foreign.Source, files []foreign.File) func(input.Call) permission.Action {
	t.Helper()
	judge, err := source.Judge(files)
	if err != nil {
		t.Fatal(err)
	}
	return judge
}

// agrees compares rows with the judge, and with permctl's answers.
func agrees(t *testing.T, made *foreign.Import, judge func(input.Call) permission.Action, rows []row) {
	t.Helper()
	calls := make([]input.Call, len(rows))
	for i, r := range rows {
		calls[i] = r.call(t)
	}
	actions, reasons := answers(t, written(t, made), calls)
	for i, r := range rows {
		if got := judge(calls[i]); got != r.action {
			t.Errorf("%s %s: the judge says %s, want %s", r.tool, r.argument, got, r.action)
		}
		want := r.action
		if r.stricter != "" {
			want = r.stricter
		}
		if permission.Strictest(r.action, want) != want {
			t.Errorf("%s %s: %s is not stricter than %s", r.tool, r.argument, want, r.action)
		}
		if actions[i] != want {
			t.Errorf("%s %s: permctl says %s (%s), want %s", r.tool, r.argument, actions[i], reasons[i], want)
		}
	}
}

// holds reports the rows of an import's own table that permctl answers less
// strictly.
func holds(t *testing.T, made *foreign.Import) {
	t.Helper()
	report, err := policytest.Run(t.Context(), policytest.Options{Paths: []string{written(t, made)}})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Cases) == 0 {
		t.Error("the table has no row")
	}
	for _, c := range report.Cases {
		text, _ := strings.CutPrefix(c.Message, "the answer is ")
		is, _, _ := strings.Cut(text, ":")
		was, _, _ := strings.Cut(c.Name, " ")
		stricter := c.Status == policytest.Fail && permission.Strictest(permission.Action(was), permission.Action(is)) == permission.Action(is)
		if c.Status != policytest.Pass && !stricter {
			t.Errorf("%s:%d: %s: %s", filepath.Base(c.File), c.Line, c.Name, c.Message)
		}
	}
}

// messages returns notes, a line each.
func messages(made *foreign.Import) string {
	var b strings.Builder
	for _, n := range made.Notes {
		fmt.Fprintln(&b, n)
	}
	return b.String()
}
