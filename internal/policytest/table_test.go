package policytest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/policytest"
)

// tables are texts with the rows that they hold.
var tables = []struct {
	name, text string
	want       []policytest.Row
}{
	{"nothing", "", nil},
	{"comments and blank lines", "# allow bash ls\n\n   \n\t# deny bash ls\n", nil},
	{"a row", "allow  bash  ls -la\n", []policytest.Row{{1, "allow", "bash", "ls -la", "", ""}}},
	{"a last line without an end", "deny bash rm", []policytest.Row{{1, "deny", "bash", "rm", "", ""}}},
	{"lines that end as on Windows", "ask\tread\t.env\r\n", []policytest.Row{{1, "ask", "read", ".env", "", ""}}},
	{"space within the argument is kept", "ask bash echo  a   b  \n", []policytest.Row{{1, "ask", "bash", "echo  a   b", "", ""}}},
	{"no argument", "ask  question", []policytest.Row{{1, "ask", "question", "", "", ""}}},
	{"a tool that is called as an action is", "ask ask", []policytest.Row{{1, "ask", "ask", "", "", ""}}},
	{"a comment sign in a command", "ask bash ls # all", []policytest.Row{{1, "ask", "bash", "ls # all", "", ""}}},
	{"a reason", "deny bash rm -rf / => floor: hazard", []policytest.Row{{1, "deny", "bash", "rm -rf /", "floor: hazard", ""}}},
	{"a reason without an argument", "ask question => no rule", []policytest.Row{{1, "ask", "question", "", "no rule", ""}}},
	{"an arrow within a word", "ask bash node -e x=>y", []policytest.Row{{1, "ask", "bash", "node -e x=>y", "", ""}}},
	{"an arrow within quotes", `ask bash "node -e 'x => y'" => node`, []policytest.Row{{1, "ask", "bash", "node -e 'x => y'", "node", ""}}},
	{"newlines within quotes", `ask bash "a\nb"`, []policytest.Row{{1, "ask", "bash", "a\nb", "", ""}}},
	{"quotes of the shell", `ask bash "a b" c`, []policytest.Row{{1, "ask", "bash", `"a b" c`, "", ""}}},
	{"a whole call", `ask json {"tool": "bash"}`, []policytest.Row{{1, "ask", "json", `{"tool": "bash"}`, "", ""}}},
	{"quotes of the shell around what Go does not know", `ask bash "\$x" c`, []policytest.Row{{1, "ask", "bash", `"\$x" c`, "", ""}}},
	{"a tool that nobody knows", "ask deploy", []policytest.Row{{1, "ask", "deploy", "", "", ""}}},
	{"a tool with a name like another's", `ask json {"tool": "bsh"}`, []policytest.Row{{1, "ask", "json", `{"tool": "bsh"}`, "", ""}}},
	{"a directive", "preset careful\nask bash ls", []policytest.Row{{2, "ask", "bash", "ls", "", "preset careful"}}},
	{
		"settings in the table keep their lines", "settings\n  permission:\n    # no shell\n\n    bash: deny\nask bash ls",
		[]policytest.Row{{6, "ask", "bash", "ls", "", "settings \n  permission:\n\n\n    bash: deny\n"}},
	},
	{
		"a comment ends no settings", "project\n# mine\n  permission: ask\n\nask bash ls",
		[]policytest.Row{{5, "ask", "bash", "ls", "", "project \n\n  permission: ask\n"}},
	},
}

func TestParseTable(t *testing.T) {
	for _, tt := range tables {
		got, _, err := policytest.ParseTable("a.txt", []byte(tt.text))
		if diff := cmp.Diff(got, tt.want); diff != "" || err != nil {
			t.Errorf("%s: %v (-got +want)\n%s", tt.name, err, diff)
		}
	}
}

// wrong are texts that are no tables, with the error of each.
var wrong = []struct{ text, want string }{
	{"\nalow bash ls", `a.txt:2: unknown word "alow" (did you mean "allow"?): a row is ACTION TOOL ARGUMENT`},
	{"pre careful", `a.txt:1: unknown word "pre"`},
	{"allow", "a.txt:1: allow what? A row is ACTION TOOL ARGUMENT, such as"},
	{"allow bash ls =>", "a.txt:1: nothing stands behind =>"},
	{"allow json {", "a.txt:1: the call is not JSON"},
	{`allow json {"input": {}}`, "a.txt:1: the call names no tool"},
	{"\nallow bsh ls", `a.txt:2: column 7: no tool is called "bsh" (did you mean "bash"?): write that, or `},
	{"deny  Raed  .env", `a.txt:1: column 7: no tool is called "Raed" (did you mean "read"?)`},
	{`ask  bash  "ls => x`, "a.txt:1: column 12: the quotes have no end: close them"},
	{`ask  bash  "grep '\d'" => x`, `a.txt:1: column 12: "grep '\d'" is no text as Go quotes it`},
	{`ask json {"tool": "bash", "inptu": {}}`, `a.txt:1: no call has the field "inptu" (did you mean "input"?)`},
	{"preset", "a.txt:1: preset needs the name of a preset"},
	{"  allow bash ls", "a.txt:1: only what belongs to settings"},
	{"settings a.yaml\n  permission: ask", "a.txt:2: only what belongs to settings"},
	{"settings\nallow bash ls\n  permission: ask", "a.txt:3: only what belongs to settings"},
	{"x\ny\nz", "a.txt:3: unknown word \"z\""},
	{strings.Repeat("x\n", 50), "a.txt: and 30 more"},
}

func TestParseTableErrors(t *testing.T) {
	for _, tt := range wrong {
		_, _, err := policytest.ParseTable("a.txt", []byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("ParseTable(%q) says %v, want %q", tt.text, err, tt.want)
		}
	}
}

func TestUpdateKeepsColumns(t *testing.T) {
	for _, tt := range []struct {
		text   string
		action permission.Action
		want   string
	}{
		{"ask    bash  ls\n", "allow", "allow  bash  ls\n"},
		{"allow  bash  ls\n", "ask", "ask    bash  ls\n"},
		{"deny\tbash\tls -la  \n", "ask", "ask  bash\tls -la  \n"},
		{"ask bash ls", "allow", "allow bash ls"},
		{"ask ask => ask\r\n", "deny", "deny ask => ask\r\n"},
		{"allow bash \"a\\nb\" => allow\n", "ask", "ask   bash \"a\\nb\" => allow\n"},
	} {
		_, update, err := policytest.ParseTable("a.txt", []byte("# a comment\n"+tt.text+"\n# another"))
		if err != nil {
			t.Fatal(err)
		}
		got := update(map[int]permission.Action{1: "deny", 2: tt.action})
		if want := "# a comment\n" + tt.want + "\n# another"; got != want {
			t.Errorf("%q with %s is %q, want %q", tt.text, tt.action, got, want)
		}
	}
}

// FuzzParseTable holds that a table says the same after a rewrite but for the
// actions, that a rewrite without any is no change, and that errors have lines.
func FuzzParseTable(f *testing.F) {
	for _, tt := range tables {
		f.Add([]byte(tt.text))
	}
	for _, tt := range wrong {
		f.Add([]byte(tt.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		rows, update, err := policytest.ParseTable("a.txt", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "a.txt:") {
				t.Errorf("no line in %q", err)
			}
			return
		}
		if got := update(nil); got != string(text) {
			t.Fatalf("without a change, %q becomes %q", text, got)
		}
		actions := map[int]permission.Action{}
		for i := range rows {
			rows[i].Action = permission.Actions[rows[i].Line%3]
			actions[rows[i].Line] = rows[i].Action
		}
		again, _, err := policytest.ParseTable("a.txt", []byte(update(actions)))
		if diff := cmp.Diff(again, rows); err != nil || diff != "" {
			t.Errorf("%q was rewritten as %q: %v\n%s", text, update(actions), err, diff)
		}
	})
}
