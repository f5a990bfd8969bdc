package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDotenv(t *testing.T) {
	for text, want := range map[string][]setting{
		"":                                    nil,
		"# HOME=/a\n\nHOME\n":                 nil,
		"HOME=/a":                             {{"HOME", "/a", 1}},
		"\ufeffHOME=/a\r\n":                   {{"HOME", "/a", 1}},
		"A=1\rHOME=/a\r\nB=2\n":               {{"A", "1", 1}, {"HOME", "/a", 2}, {"B", "2", 3}},
		"  export\tHOME = '/a b'  ":           {{"HOME", "/a b", 1}},
		"exported=1":                          {{"exported", "1", 1}},
		"HOME: \"/a\"":                        {{"HOME", "/a", 1}},
		"HOME=":                               {{"HOME", "", 1}},
		"KEY='one\nHOME=/a'\nBASH_ENV=`/b=c`": {{"KEY", "one", 1}, {"HOME", "/a", 2}, {"BASH_ENV", "/b=c", 3}},
	} {
		if diff := cmp.Diff(want, slices.Collect(dotenv([]byte(text))), cmp.AllowUnexported(setting{})); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", text, diff)
		}
	}
}

func TestExcludes(t *testing.T) {
	for element, want := range map[string]bool{
		"": false, "permctl.js": false, "+extensions/permctl.js": false, "extensions/*.js": false,
		"-extensions/permctl.js": true, "!permctl.js": true, "-/home/dev/.pi/agent/extensions/permctl.js": true,
		"!*": true, "!**/*.js": true, "!perm?tl.js": true, "!{a,permctl}.js": true, "-extensions": true, "!.": true, "-..": true, "-": true,
		"-extensions/other.js": false, "!other.ts": false,
	} {
		if got := excludes(element, "permctl.js"); got != want {
			t.Errorf("%q: %v", element, got)
		}
	}
}

func TestFolders(t *testing.T) {
	work := t.TempDir()
	repository := filepath.Join(work, "repository")
	if err := os.MkdirAll(filepath.Join(repository, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	for cwd, want := range map[string][]string{
		work:                   {work},
		work + "/a":            {work + "/a", work},
		work + "/a/b":          {work + "/a/b", work + "/a", work},
		work + "/../elsewhere": {work},
	} {
		p := &patient{}
		p.m.Places.Workspace, p.m.Cwd = work, cwd
		if diff := cmp.Diff(want, p.folders()); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", cwd, diff)
		}
	}
	for workspace, want := range map[string][]string{
		repository:          {repository + "/a/b", repository + "/a", repository},
		repository + "/a":   {repository + "/a/b", repository + "/a", repository},
		repository + "/a/b": {repository + "/a/b", repository + "/a", repository},
	} {
		p := &patient{}
		p.m.Places.Workspace, p.m.Cwd = workspace, repository+"/a/b"
		if diff := cmp.Diff(want, p.folders()); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", workspace, diff)
		}
	}
}
