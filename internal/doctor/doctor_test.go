package doctor_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/permctl/permctl/internal/doctor"
	"github.com/permctl/permctl/internal/install"
	"github.com/permctl/permctl/internal/shim"
)

var update = flag.Bool("update", false, "write what was found into the fixtures: read the diff")

// build returns the path of the fixtures' permctl, which denies the dry call and
// nothing else.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "permctl")
	if text, err := exec.Command("go", "build", "-o", program, "./testdata/permctl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return program
}

// A bench is a machine of a fixture: the folders home, work and machine, bin with
// the programs on PATH, and permctl.
type bench struct {
	dir     string
	env     map[string]string
	node    bool // whether there is one
	machine doctor.Machine
}

// newBench lays out the files of a fixture. What begins as a script is one. In a text,
// $DIR is the folder that they are in, $HASH(EVENT) what Codex calls the hash of
// permctl's hook, and $PLUGIN(AGENT) permctl's plugin.
func newBench(t *testing.T, permctl string, files []txtar.File) *bench {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{dir: dir, env: map[string]string{"HOME": filepath.Join(dir, "home"), "SHELL": "/bin/sh"}}
	for _, sub := range []string{"home", "work", "bin", "opt"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "opt", "permctl")
	if err := os.Symlink(permctl, program); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b.add(t, f.Name, string(f.Data))
	}
	b.machine = doctor.Machine{
		Places: install.Places{
			Home: filepath.Join(dir, "home"), State: filepath.Join(dir, "state"), Workspace: filepath.Join(dir, "work"),
			Root: filepath.Join(dir, "machine"), OS: "linux", Getenv: func(name string) string { return b.env[name] },
		},
		Program: program, Version: "permctl of the test", Wait: 50 * time.Second, Cwd: filepath.Join(dir, "work"),
		Environ: []string{"PATH=" + filepath.Join(dir, "bin") + string(filepath.ListSeparator) + os.Getenv("PATH")}, LookPath: b.lookPath, Run: doctor.Run,
	}
	for name, value := range b.env {
		b.machine.Environ = append(b.machine.Environ, name+"="+value)
	}
	return b
}

var hashed, planted = regexp.MustCompile(`\$HASH\((\w+)\)`), regexp.MustCompile(`\$PLUGIN\((\w+)\)\n`)

// add makes a file of a fixture, or if it is called env, takes over its variables.
func (b *bench) add(t *testing.T, name, text string) {
	t.Helper()
	text = hashed.ReplaceAllStringFunc(strings.ReplaceAll(text, "$DIR", b.dir), func(word string) string {
		hook := fmt.Sprintf(`{"event_name":%q,"hooks":[{"async":false,"command":"%s/opt/permctl hook codex || exit 2","timeout":60,"type":"command"}],"matcher":".*"}`,
			hashed.FindStringSubmatch(word)[1], b.dir)
		return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(hook)))
	})
	text = planted.ReplaceAllStringFunc(text, func(word string) string {
		plugin, err := shim.Text(planted.FindStringSubmatch(word)[1], filepath.Join(b.dir, "opt", "permctl"))
		if err != nil {
			t.Fatal(err)
		}
		return string(plugin)
	})
	if name == "env" {
		for line := range strings.Lines(text) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			b.env[name] = value
		}
		return
	}
	path, mode := filepath.Join(b.dir, filepath.FromSlash(name)), fs.FileMode(0o600)
	if strings.HasPrefix(text, "#!") {
		mode = 0o700
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	// A program that another test starts meanwhile would have the file open, and who
	// has one open for writing keeps it from being run.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// lookPath finds the programs of the fixture, and node if it has one.
func (b *bench) lookPath(name string) (string, error) {
	path := filepath.Join(b.dir, "bin", name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if name == "node" && b.node {
		return exec.LookPath(name)
	}
	return "", exec.ErrNotFound
}

// state returns what the fixture's files are and what is in them.
func (b *bench) state(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(b.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		text := ""
		if info.Mode().IsRegular() {
			read, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text = string(read)
		}
		found[path] = fmt.Sprint(info.Mode(), " ", info.ModTime().UnixNano(), "\n", text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A fixture is a folder with the files of agents, as people have them, and what is to
// be said of it.
type fixture struct {
	names       []string // of the agents that are asked for
	cwd         string   // the folder below work in which they are started, or empty
	prove, node bool
	files       []txtar.File
	want        string
}

// readFixture returns the fixture in an archive.
func readFixture(archive *txtar.Archive) fixture {
	var f fixture
	for _, file := range archive.Files {
		switch file.Name {
		case "args":
			f.names = strings.Fields(string(file.Data))
		case "cwd":
			f.cwd = strings.TrimSpace(string(file.Data))
		case "prove":
			f.prove = true
		case "node":
			f.node = true
		case "want":
			f.want = string(file.Data)
		default:
			f.files = append(f.files, file)
		}
	}
	return f
}

func TestFixtures(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the agents of the fixtures are shell scripts")
	}
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no fixtures", err)
	}
	program, tmp := build(t), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Run("fixtures", func(t *testing.T) {
		for _, path := range paths {
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
				t.Parallel()
				examine(t, program, path)
			})
		}
	})
	if left, err := filepath.Glob(filepath.Join(tmp, "permctl-doctor-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// examine has a fixture examined, and compares what is said with what is wanted.
func examine(t *testing.T, program, path string) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := readFixture(archive)
	if _, err := exec.LookPath("node"); f.node && err != nil {
		t.Skip("there is no node")
	}
	b := newBench(t, program, f.files)
	b.node = f.node
	b.machine.Cwd = filepath.Join(b.machine.Cwd, f.cwd)
	before := b.state(t)
	report, err := b.machine.Examine(t.Context(), f.names, f.prove)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, b.state(t)); diff != "" {
		t.Errorf("files have changed:\n%s", diff)
	}
	got := strings.ReplaceAll(brief(report), b.dir, "$DIR")
	if *update {
		archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
		archive.Files = append(archive.Files, txtar.File{Name: "want", Data: []byte(got)})
		if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(f.want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// brief returns a report as fixtures have it.
func brief(r *doctor.Report) string {
	var text strings.Builder
	fmt.Fprintf(&text, "guarded: %v\n", r.Guarded)
	for _, a := range r.Agents {
		fmt.Fprintf(&text, "\n%s, version %q: guarded: %v\n", a.Title, a.Version, a.Guarded)
		for _, h := range a.Hooks {
			fmt.Fprintf(&text, "  hook %s %s:%d %s, %gs", h.Event, h.File, h.Line, h.Scope, h.Seconds)
			for _, word := range []struct {
				is   bool
				text string
			}{{h.Counts, "counts"}, {h.FailClosed, "fails closed"}, {h.Trust != "", string(h.Trust)}, {h.Call != "", "call " + string(h.Call)}, {h.Proven, "proven"}} {
				if word.is {
					text.WriteString(", " + word.text)
				}
			}
			text.WriteString("\n")
		}
		for _, event := range a.Missing {
			fmt.Fprintf(&text, "  missing %s\n", event)
		}
		for _, f := range a.Findings {
			fmt.Fprintf(&text, "  %s %s:%d: %s\n", f.Severity, f.File, f.Line, f.Text)
			if f.Hint != "" {
				fmt.Fprintf(&text, "    %s\n", f.Hint)
			}
		}
		for _, trial := range a.Trials {
			fmt.Fprintf(&text, "  trial %s %s: %s", trial.Event, trial.Case, trial.Effect)
			if trial.Plugin {
				text.WriteString(", by the plugin")
			}
			text.WriteString("\n")
		}
	}
	return text.String()
}
