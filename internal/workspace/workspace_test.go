package workspace_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/workspace"
)

// A tree is a folder with a workspace ws in it, and a home beside that.
type tree struct {
	t   testing.TB
	dir string
	*workspace.Workspace
}

// newTree makes entries below a new folder: "x/" is a folder, "x -> y" a link
// to y, as it stands or below the folder if it begins with "/", and all else a
// file. ws, home and out are always there.
func newTree(t testing.TB, entries ...string) tree {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tr := tree{t: t, dir: dir}
	for _, entry := range append([]string{"ws/", "home/", "out/"}, entries...) {
		tr.make(entry)
	}
	tr.Workspace, err = workspace.New(tr.path("/ws"), tr.path("/home"))
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func (tr tree) make(entry string) {
	tr.t.Helper()
	name, target, link := strings.Cut(entry, " -> ")
	at := filepath.Join(tr.dir, name)
	err := os.MkdirAll(filepath.Dir(at), 0o700)
	switch {
	case err != nil:
	case link:
		err = os.Symlink(tr.path(target), at)
	case strings.HasSuffix(name, "/"):
		err = os.MkdirAll(at, 0o700)
	default:
		err = os.WriteFile(at, nil, 0o600)
	}
	if err != nil {
		tr.t.Fatal(err)
	}
}

// path returns path in the tree if it is absolute, and else as it is.
func (tr tree) path(path string) string {
	if strings.HasPrefix(path, "/") {
		return tr.dir + path
	}
	return path
}

// short is the inverse of path.
func (tr tree) short(path string) string { return strings.TrimPrefix(path, tr.dir) }

var entries = []string{
	"ws/a.go",
	"ws/d/b.go",
	"ws/d/e/",
	"out/secret",
	"out/d/e/",
	"ws/in -> d",
	"ws/in.go -> d/b.go",
	"ws/escape -> /out",
	"ws/escape.go -> ../out/secret",
	"ws/dangling -> /out/new/file",
	"ws/dangling-in -> d/new",
	"ws/chain -> in/../escape",
	"ws/loop -> loop",
	"ws/ping -> pong",
	"ws/pong -> ping/x",
	"ws/deep -> /out/d/e",
	"ws/shallow -> d/e",
	"ws/abs -> /ws/d",
	"out/back -> /ws/d",
	"alias -> /ws",
	"ws2/x",
}

func TestResolve(t *testing.T) {
	tr := newTree(t, entries...)
	for _, tt := range []struct {
		name   string
		cwd    string
		path   string
		real   string
		rel    string
		inside bool
	}{
		{"a file", "/ws", "a.go", "/ws/a.go", "a.go", true},
		{"a file by its absolute path", "/ws", "/ws/d/b.go", "/ws/d/b.go", "d/b.go", true},
		{"a file from a folder", "/ws/d", "b.go", "/ws/d/b.go", "d/b.go", true},
		{"a file above the folder", "/ws/d", "../a.go", "/ws/a.go", "a.go", true},
		{"a folder with a slash at its end", "/ws", "d/", "/ws/d", "d", true},
		{"dots and slashes", "/ws", ".//./d///./b.go", "/ws/d/b.go", "d/b.go", true},
		{"the root", "/ws", ".", "/ws", ".", true},
		{"an empty path", "/ws/d", "", "/ws/d", "d", true},
		{"no working directory", "", "a.go", "/ws/a.go", "a.go", true},
		{"a working directory below the root", "d", "b.go", "/ws/d/b.go", "d/b.go", true},
		{"a working directory outside", "/out", "secret", "/out/secret", "", false},
		{"a missing file", "/ws", "new/dir/x", "/ws/new/dir/x", "new/dir/x", true},
		{"a missing file outside", "/ws", "../new/x", "/new/x", "", false},
		{"a way out through what is missing", "/ws", "new/../../out/x", "/out/x", "", false},
		{"a way below a file", "/ws", "a.go/x", "/ws/a.go/x", "a.go/x", true},
		{"the folder above", "/ws", "..", "", "", false},
		{"a way out and back", "/ws", "../ws/a.go", "/ws/a.go", "a.go", true},
		{"a sibling with the same beginning", "/ws", "../ws2/x", "/ws2/x", "", false},
		{"a tilde is a name", "/ws", "~/x", "/ws/~/x", "~/x", true},

		{"a link to a folder inside", "/ws", "in/b.go", "/ws/d/b.go", "in/b.go", true},
		{"a link to a file inside", "/ws", "in.go", "/ws/d/b.go", "in.go", true},
		{"an absolute link inside", "/ws", "abs/b.go", "/ws/d/b.go", "abs/b.go", true},
		{"a link to a folder outside", "/ws", "escape/secret", "/out/secret", "escape/secret", false},
		{"a link to a file outside", "/ws", "escape.go", "/out/secret", "escape.go", false},
		{"a missing file through a link outside", "/ws", "escape/new/x", "/out/new/x", "escape/new/x", false},
		{"a dangling link outside", "/ws", "dangling", "/out/new/file", "dangling", false},
		{"a dangling link inside", "/ws", "dangling-in", "/ws/d/new", "dangling-in", true},
		{"a link through links", "/ws", "chain/secret", "/out/secret", "chain/secret", false},
		{"a link from outside into the workspace", "/ws", "/out/back/b.go", "/ws/d/b.go", "d/b.go", false},
		{"the root by another name", "/ws", "/alias/a.go", "/ws/a.go", "a.go", false},

		{"back from a link outside", "/ws", "deep/../x", "/out/d/x", "x", false},
		{"back from a link outside, into the workspace", "/ws", "deep/../../../ws/a.go", "/ws/a.go", "a.go", false},
		{"back from a link inside", "/ws", "shallow/../b.go", "/ws/d/b.go", "b.go", true},
		{"back from a link inside, to a link outside", "/ws", "shallow/../escape", "/out", "escape", false},
		{"back from a working directory that is a link", "/ws/deep", "../x", "/out/d/x", "x", false},
		{"back from a folder", "/ws", "d/../a.go", "/ws/a.go", "a.go", true},
	} {
		got := tr.Resolve(tr.path(tt.cwd), tr.path(tt.path))
		if got.Err != "" {
			t.Errorf("%s: %s", tt.name, got.Err)
		}
		if tr.short(got.Real) != tt.real || got.Rel != tt.rel || got.Inside != tt.inside {
			t.Errorf("%s: Resolve(%q, %q) = %s (%q), inside %v; want %s (%q), inside %v",
				tt.name, tt.cwd, tt.path, tr.short(got.Real), got.Rel, got.Inside, tt.real, tt.rel, tt.inside)
		}
	}
}

func TestResolveFields(t *testing.T) {
	tr := newTree(t, entries...)
	got := tr.Resolve(tr.path("/ws/d"), "../shallow/../b.go")
	want := workspace.Path{
		Abs:    tr.path("/ws/b.go"),
		Real:   tr.path("/ws/d/b.go"),
		Rel:    "b.go",
		Also:   []string{"d/b.go"},
		Inside: true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Resolve (-want +got):\n%s", diff)
	}
}

// A rule may speak of a file by any of its names.
func TestResolveAlso(t *testing.T) {
	tr := newTree(t, entries...)
	for _, tt := range []struct {
		path string
		want []string
	}{
		{"a.go", nil},
		{"in/b.go", []string{"d/b.go"}},
		{"escape/secret", nil},
		{"deep/../a.go", []string{"/ws/a.go"}},
		{"shallow/../in.go", []string{"d/in.go", "d/b.go", "/ws/d/b.go"}},
	} {
		p := tr.Resolve(tr.path("/ws"), tt.path)
		names := append(slices.Clone(p.Also), p.Rel, p.Abs, p.Real)
		for _, want := range tt.want {
			if !slices.Contains(names, tr.path(want)) {
				t.Errorf("Resolve(%q) = %+v, want also %q", tt.path, p, want)
			}
		}
		if tt.want == nil && p.Also != nil {
			t.Errorf("Resolve(%q).Also = %q, want none", tt.path, p.Also)
		}
	}
}

func TestResolveFailsClosed(t *testing.T) {
	tr := newTree(t, entries...)
	for _, tt := range []struct{ name, path, want string }{
		{"a loop", "loop", "too many links"},
		{"a loop of two", "ping", "too many links"},
		{"a file below a loop", "loop/x", "too many links"},
		{"a loop that is left again", "loop/../a.go", "too many links"},
		{"a NUL byte", "a\x00.go", "NUL"},
		{"a path that no system takes", strings.Repeat("d/../", 10000) + "a.go", "too long"},
		{"a name that no system takes", strings.Repeat("x", 5000), "too long"},
	} {
		got := tr.Resolve(tr.path("/ws"), tt.path)
		if got.Inside || !strings.Contains(got.Err, tt.want) {
			t.Errorf("%s: inside %v, error %q; want outside, error %q", tt.name, got.Inside, got.Err, tt.want)
		}
	}
}

func TestRootIsALink(t *testing.T) {
	tr := newTree(t, entries...)
	w, err := workspace.New(tr.path("/alias"), "")
	if err != nil {
		t.Fatal(err)
	}
	if w.Root() != tr.path("/alias") || w.RealRoot() != tr.path("/ws") {
		t.Errorf("Root and RealRoot are %s and %s", w.Root(), w.RealRoot())
	}
	for path, inside := range map[string]bool{
		"a.go":           true,
		"/alias/a.go":    true,
		"/ws/a.go":       true,
		"escape/x":       false,
		"/alias/../ws/x": true,
		"/out/back":      false,
	} {
		if got := w.Resolve(w.Root(), tr.path(path)); got.Inside != inside {
			t.Errorf("Resolve(%q) = %+v, want inside %v", path, got, inside)
		}
	}
}

func TestRootOfTheFileSystem(t *testing.T) {
	w, err := workspace.New(string(filepath.Separator), "")
	if err != nil {
		t.Fatal(err)
	}
	for path, rel := range map[string]string{"/": ".", "/x-y-z/q": "x-y-z/q", "..": "."} {
		if got := w.Resolve("/", path); got.Inside || got.Rel != rel {
			t.Errorf("Resolve(%q) = %+v, want not inside, %q", path, got, rel)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	tr := newTree(t, entries...)
	for _, root := range []string{"", ".", "ws", tr.path("/ws/loop"), tr.path("/ws\x00")} {
		if _, err := workspace.New(root, ""); err == nil {
			t.Errorf("New(%q) succeeds, want an error", root)
		}
	}
	if _, err := workspace.New(tr.path("/not/yet"), ""); err != nil {
		t.Errorf("New of a missing root: %v", err)
	}
}

func TestFind(t *testing.T) {
	tr := newTree(t, "ws/.git/", "ws/d/e/", "ws/sub/.permctl/", "ws/sub/x/", "ws/tree/.git", "ws/tree/x/")
	for dir, want := range map[string]string{
		"/ws":         "/ws",
		"/ws/d/e":     "/ws",
		"/ws/d/e/../": "/ws",
		"/ws/missing": "/ws",
		"/ws/sub/x":   "/ws/sub",
		"/ws/tree/x":  "/ws/tree",
	} {
		if got := workspace.Find(tr.path(dir)); got != tr.path(want) {
			t.Errorf("Find(%q) = %q, want %q", dir, got, want)
		}
	}
	if got := workspace.Find("/no/such/folder"); got != filepath.FromSlash("/no/such/folder") {
		t.Errorf("Find of no workspace = %q, want the folder", got)
	}
}

func TestExpandHome(t *testing.T) {
	for _, tt := range []struct{ path, home, want string }{
		{"~", "/home/u", "/home/u"},
		{"~/x", "/home/u", "/home/u/x"},
		{"$HOME", "/home/u", "/home/u"},
		{"$HOME/x", "/home/u", "/home/u/x"},
		{"~/x", "/home/u/", "/home/u/x"},
		{"~", "/", "/"},
		{"~/x", "/", "/x"},
		{"~u/x", "/home/u", "~u/x"},
		{"$HOMEX/x", "/home/u", "$HOMEX/x"},
		{"${HOME}/x", "/home/u", "${HOME}/x"},
		{"x/~", "/home/u", "x/~"},
		{"", "/home/u", ""},
		{"~/x", "", "~/x"},
	} {
		if got := workspace.ExpandHome(tt.path, tt.home); got != tt.want {
			t.Errorf("ExpandHome(%q, %q) = %q, want %q", tt.path, tt.home, got, tt.want)
		}
	}
}

func TestResolveHome(t *testing.T) {
	tr := newTree(t)
	got := tr.ResolveHome(tr.path("/ws"), "~/x")
	if got.Abs != tr.path("/home/x") || got.Inside {
		t.Errorf("ResolveHome(~/x) = %+v, want %s, outside", got, tr.path("/home/x"))
	}
}

// FuzzInside compares with what the file system says of paths that exist. To
// path it adds a component for each of steps, so as to meet the links.
func FuzzInside(f *testing.F) {
	parts := []string{
		"..", ".", "", "a.go", "d", "e", "b.go", "in", "in.go", "escape", "escape.go", "chain", "loop", "deep",
		"shallow", "abs", "dangling", "dangling-in", "back", "out", "ws", "alias", "secret", "new",
	}
	for _, seed := range []string{
		"a.go", "in/b.go", "escape/secret", "chain/secret", "deep/..", "shallow/../b.go", "../out/back/b.go",
		"loop", "ping", "dangling", "d/e/../../in/../a.go", "deep/../../back", "./in//e/.", "/", "~/x", "a\x00b",
	} {
		f.Add(seed, []byte{})
	}
	f.Add("deep", []byte{0, 0, 18, 6})
	tr := newTree(f, entries...)
	f.Fuzz(func(t *testing.T, path string, steps []byte) {
		var pathSb347 strings.Builder
		for _, step := range steps {
			pathSb347.WriteString("/" + parts[int(step)%len(parts)])
		}
		path += pathSb347.String()
		got := tr.Resolve(tr.path("/ws"), path)
		full := path
		if !filepath.IsAbs(path) {
			full = tr.path("/ws") + "/" + path
		}
		kernel, err1 := filepath.EvalSymlinks(full)
		lexical, err2 := filepath.EvalSymlinks(filepath.Clean(full))
		if err1 == nil && err2 == nil && got.Err == "" {
			want := within(tr, kernel) && within(tr, lexical) && within(tr, filepath.Clean(full))
			if got.Inside != want {
				t.Errorf("Resolve(%q) = %+v, want inside %v: it leads to %s and %s", path, got, want, kernel, lexical)
			}
		}
		for way, err := range map[string]error{kernel: err1, lexical: err2} {
			if err != nil || got.Err != "" || strings.HasPrefix(way, "/proc") || strings.HasPrefix(way, "/dev") {
				continue
			}
			if way != got.Real && way != got.Abs && !slices.Contains(got.Also, way) {
				t.Errorf("Resolve(%q) = %+v, which lacks %s", path, got, way)
			}
		}
		if got.Inside && (got.Err != "" || !within(tr, got.Real)) {
			t.Errorf("Resolve(%q) = %+v, want outside", path, got)
		}
	})
}

func within(tr tree, path string) bool {
	return path == tr.path("/ws") || strings.HasPrefix(path, tr.path("/ws/"))
}

func BenchmarkResolve(b *testing.B) {
	tr := newTree(b, entries...)
	for _, path := range []string{"d/b.go", "in/b.go", "d/../a.go"} {
		b.Run(path, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tr.Resolve(tr.path("/ws"), path)
			}
		})
	}
}
