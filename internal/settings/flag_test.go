package settings_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/settings"
)

func TestParsePermissionFlag(t *testing.T) {
	for _, tt := range []struct {
		values []string
		want   []string
	}{
		{nil, nil},
		{[]string{"bash=ask"}, []string{"bash * ask"}},
		{[]string{"*=deny"}, []string{"* * deny"}},
		{[]string{"bash=ask, edit = deny ,read: *.env = ask"}, []string{"bash * ask", "edit * deny", "read *.env ask"}},
		{[]string{"bash=ask", "bash:git status *=allow"}, []string{"bash * ask", "bash git status * allow"}},

		// The first colon and the last equals sign count.
		{[]string{"bash:git commit -m a=b=allow"}, []string{"bash git commit -m a=b allow"}},
		{[]string{"webfetch:https://example.com:8080/?q=*=allow"}, []string{"webfetch https://example.com:8080/?q=* allow"}},

		// Only a comma is escaped.
		{[]string{`bash:echo a\, b=deny,edit=ask`}, []string{"bash echo a, b deny", "edit * ask"}},
		{[]string{`bash:grep \w\\=deny`}, []string{`bash grep \w\\ deny`}},

		{[]string{"read:~/.ssh/*=deny"}, []string{"read /home/u/.ssh/* deny"}},
		{[]string{"write=deny"}, []string{"edit * deny"}},
	} {
		rules, _, err := settings.ParsePermissionFlag(tt.values, options)
		var got []string
		for _, r := range rules {
			if r.Source != "--permission" || r.Layer != permission.LayerFlag {
				t.Errorf("%q: a rule is of %s, %s", tt.values, r.Layer, r.Source)
			}
			got = append(got, r.Permission+" "+r.Pattern+" "+string(r.Action))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", tt.values, err, diff)
		}
	}
}

func TestParsePermissionFlagMistakes(t *testing.T) {
	for _, tt := range []struct{ value, want string }{
		{"", `--permission "": want tool=action or tool:pattern=action (a comma in a pattern is written \,)`},
		{"bash=ask,", `--permission "": want tool=action or tool:pattern=action (a comma in a pattern is written \,)`},
		{"bash", `--permission "bash": want tool=action or tool:pattern=action (a comma in a pattern is written \,)`},
		{"bash:echo a,b=deny", `--permission "bash:echo a": want tool=action or tool:pattern=action (a comma in a pattern is written \,)`},
		{"bash:=deny", `--permission "bash:=deny": the pattern is missing: want tool=action or tool:pattern=action`},
		{"=deny", `--permission "=deny": the tool is missing: want tool=action or tool:pattern=action`},
		{"bash=", `--permission "bash=": unknown action "": use allow, ask or deny`},
		{"bash=deni", `--permission "bash=deni": unknown action "deni" (did you mean "deny"?): use allow, ask or deny`},
		{"edit=ask,Bash=deny", `--permission "Bash=deny": unknown permission "Bash" (did you mean "bash"?): permissions are written in lower case`},
	} {
		rules, _, err := settings.ParsePermissionFlag([]string{"read=ask", tt.value}, options)
		if err == nil || err.Error() != tt.want || rules != nil {
			t.Errorf("%q: %v, rules %v, want %s and none", tt.value, err, rules, tt.want)
		}
	}
}

func TestParsePermissionFlagWarnings(t *testing.T) {
	_, warnings, err := settings.ParsePermissionFlag([]string{"bash=ask,write=deny,bsh=deny"}, options)
	want := []string{
		`--permission: "write" is read as "edit", the permission that the tool shares: write that`,
		`--permission: no tool that permctl knows needs the permission "bsh" (did you mean "bash"?)`,
	}
	if diff := cmp.Diff(want, warnings); diff != "" || err != nil {
		t.Errorf("warnings: %v (-want +got):\n%s", err, diff)
	}
}

func TestCheckPreset(t *testing.T) {
	if err := settings.CheckPreset("read-only", options.Presets); err != nil {
		t.Error(err)
	}
	want := `unknown preset "readonly" (did you mean "read-only"?): there are full-access, workspace, read-only, ask`
	if err := settings.CheckPreset("readonly", options.Presets); err == nil || err.Error() != want {
		t.Errorf("readonly: %v, want %s", err, want)
	}
}
