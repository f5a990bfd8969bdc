package approvals_test

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/approvals"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/private"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// newStore returns a store in a folder that is not there yet, and its clock.
func newStore(t *testing.T) (*approvals.Store, *time.Time) {
	t.Helper()
	now := noon
	return &approvals.Store{
		Path: filepath.Join(t.TempDir(), "state", "approved", "p.jsonl"), Own: true, Clock: func() time.Time { return now },
	}, &now
}

// bash returns rules that allow commands.
func bash(patterns ...string) []permission.Rule {
	var rules []permission.Rule
	for _, pattern := range patterns {
		rules = append(rules, permission.Rule{Permission: "bash", Pattern: pattern, Action: permission.Allow})
	}
	return rules
}

func add(t *testing.T, s *approvals.Store, until time.Time, patterns ...string) {
	t.Helper()
	if err := s.Append(t.Context(), bash(patterns...), until); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// counting returns the patterns of the approvals that count.
func counting(t *testing.T, s *approvals.Store) []string {
	t.Helper()
	found, _, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	var patterns []string
	for _, a := range found {
		if !a.Expired(s.Clock()) {
			patterns = append(patterns, a.Pattern)
		}
	}
	return patterns
}

func wantCounting(t *testing.T, s *approvals.Store, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, counting(t, s)); diff != "" {
		t.Errorf("what counts (-want +got):\n%s", diff)
	}
}

// lineOf returns the line of an approved command that needs no escapes.
func lineOf(pattern string) string {
	return `{"permission":"bash","pattern":"` + pattern + `","action":"allow"}` + "\n"
}

func TestAppend(t *testing.T) {
	s, _ := newStore(t)
	add(t, s, time.Time{}, "git status *", "a && b <c>", "git status *")
	add(t, s, time.Time{}, "git status *", "make")
	if diff := cmp.Diff(lineOf("git status *")+lineOf("a && b <c>")+lineOf("make"), content(t, s.Path)); diff != "" {
		t.Errorf("the file (-want +got):\n%s", diff)
	}
	found, problems, err := s.Read()
	if err != nil || len(problems) > 0 || len(found) != 3 {
		t.Fatalf("Read() = %v, %v, %v, want 3 approvals", found, problems, err)
	}
	want := approvals.Approval{Rule: permission.Rule{
		Permission: "bash", Pattern: "make", Action: permission.Allow, Layer: permission.LayerApprovals, Source: s.Path + ":3",
	}}
	if diff := cmp.Diff(want, found[2]); diff != "" {
		t.Errorf("the last approval (-want +got):\n%s", diff)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]fs.FileMode{
		s.Path: 0o600, s.Path + ".lock": 0o600, filepath.Dir(s.Path): 0o700, filepath.Dir(filepath.Dir(s.Path)): 0o700,
	} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v, want %v", path, info.Mode().Perm(), err, want)
		}
	}
}

// TestAppendKnowsOtherForms asserts that a line that another program has written
// in its own way is not written again.
func TestAppendKnowsOtherForms(t *testing.T) {
	s, _ := newStore(t)
	text := ` {"action":"allow", "pattern":"m\u0061ke", "permission":"bash"}` + "\r\n"
	write(t, s.Path, text)
	add(t, s, time.Time{}, "make")
	if got := content(t, s.Path); got != text {
		t.Errorf("the file is now %q, want %q", got, text)
	}
}

func TestAppendRefuses(t *testing.T) {
	for _, tt := range []struct {
		name  string
		rule  permission.Rule
		until time.Time
	}{
		{"a deny", permission.Rule{Permission: "bash", Pattern: "*", Action: permission.Deny}, time.Time{}},
		{"an ask", permission.Rule{Permission: "bash", Pattern: "*", Action: permission.Ask}, time.Time{}},
		{"no action", permission.Rule{Permission: "bash", Pattern: "*"}, time.Time{}},
		{"no permission", permission.Rule{Pattern: "*", Action: permission.Allow}, time.Time{}},
		{"bytes that are no text", permission.Rule{Permission: "bash", Pattern: "\xff", Action: permission.Allow}, time.Time{}},
		{"a line that is too long", bash(strings.Repeat("x", 64<<10))[0], time.Time{}},
		{"a line that escapes make too long", bash(strings.Repeat("\x01", 12<<10))[0], time.Time{}},
		{"what would have expired", bash("make")[0], noon},
	} {
		s, _ := newStore(t)
		if err := s.Append(t.Context(), []permission.Rule{bash("ls")[0], tt.rule}, tt.until); err == nil {
			t.Errorf("%s is appended", tt.name)
		}
		if _, err := os.Stat(filepath.Dir(s.Path)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: something was written before it was refused", tt.name)
		}
	}
}

func TestAppendLongest(t *testing.T) {
	s, _ := newStore(t)
	longest := strings.Repeat("x", 64<<10-len(lineOf("")))
	add(t, s, time.Time{}, longest)
	add(t, s, time.Time{}, longest)
	wantCounting(t, s, longest)
	if err := s.Append(t.Context(), bash(longest+"x"), time.Time{}); err == nil {
		t.Error("a line of a byte more is appended")
	}
}

func TestAppendAfterTornLine(t *testing.T) {
	s, _ := newStore(t)
	torn := lineOf("torn")[:25]
	write(t, s.Path, lineOf("a")+torn)
	add(t, s, time.Time{}, "b")
	if diff := cmp.Diff(lineOf("a")+torn+"\n"+lineOf("b"), content(t, s.Path)); diff != "" {
		t.Errorf("the file (-want +got):\n%s", diff)
	}
	wantCounting(t, s, "a", "b")
}

func TestRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes and links are those of unix")
	}
	link := func(path string) error {
		if err := os.Rename(path, path+"~"); err != nil {
			return err
		}
		return os.Symlink(path+"~", path)
	}
	folder := func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) }
	writable := func(path string) error { return os.Chmod(path, 0o720) }
	for _, tt := range []struct {
		name  string
		which func(*approvals.Store) string
		spoil func(path string) error
		reads bool // what is spoilt is only for those that write
	}{
		{"a link for the file", func(s *approvals.Store) string { return s.Path }, link, false},
		{"a folder for the file", func(s *approvals.Store) string { return s.Path }, folder, false},
		{"a file that others may write", func(s *approvals.Store) string { return s.Path }, writable, false},
		{"a link for the expiries", func(s *approvals.Store) string { return s.Files()[1] }, link, false},
		{"expiries that others may write", func(s *approvals.Store) string { return s.Files()[1] }, writable, false},
		{"a link for the lock", func(s *approvals.Store) string { return s.Files()[2] }, link, true},
		{"a lock that others may write", func(s *approvals.Store) string { return s.Files()[2] }, writable, true},
		{"a link for the folder", func(s *approvals.Store) string { return filepath.Dir(s.Path) }, link, false},
		{"a folder that others may write", func(s *approvals.Store) string { return filepath.Dir(s.Path) }, writable, false},
	} {
		s, _ := newStore(t)
		add(t, s, noon.Add(time.Hour), "a")
		if err := tt.spoil(tt.which(s)); err != nil {
			t.Fatal(err)
		}
		_, _, readErr := s.Read()
		if (readErr == nil) != tt.reads || readErr != nil && !errors.Is(readErr, private.ErrNotOwn) {
			t.Errorf("%s: Read: %v, want %v unless it does not matter", tt.name, readErr, private.ErrNotOwn)
		}
		_, revokeErr := s.Revoke(t.Context(), "bash", "a")
		_, allErr := s.RevokeAll(t.Context())
		_, compactErr := s.Compact(t.Context())
		for what, err := range map[string]error{
			"Append": s.Append(t.Context(), bash("b"), time.Time{}), "Revoke": revokeErr, "RevokeAll": allErr, "Compact": compactErr,
		} {
			if err == nil {
				t.Errorf("%s: %s writes", tt.name, what)
			}
		}
		if report, err := s.Verify(); err != nil || len(report.Problems) == 0 {
			t.Errorf("%s: Verify() = %+v, %v, want a problem", tt.name, report, err)
		}
	}
}

func TestExpiry(t *testing.T) {
	s, now := newStore(t)
	hour := noon.Add(time.Hour)
	add(t, s, hour, "a", "b")
	add(t, s, time.Time{}, "c")
	wantCounting(t, s, "a", "b", "c")
	if got, want := content(t, s.Path), lineOf("a")+lineOf("b")+lineOf("c"); got != want {
		t.Errorf("the file is %q: an expiry is not in the line", got)
	}

	add(t, s, noon.Add(2*time.Hour), "b") // later
	add(t, s, noon.Add(time.Minute), "a") // earlier, which changes nothing
	add(t, s, hour, "c")                  // and so is any expiry for what has none
	*now = hour.Add(-1)
	wantCounting(t, s, "a", "b", "c")
	*now = hour
	wantCounting(t, s, "b", "c")
	add(t, s, time.Time{}, "b")
	*now = noon.Add(24 * time.Hour)
	wantCounting(t, s, "b", "c")

	add(t, s, time.Time{}, "a") // again, for it has expired
	wantCounting(t, s, "a", "b", "c", "a")
	if got, want := content(t, s.Path), lineOf("a")+lineOf("b")+lineOf("c")+lineOf("a"); got != want {
		t.Errorf("the file is %q, want %q", got, want)
	}
}

func TestExpiryUnreadable(t *testing.T) {
	for _, text := range []string{
		"", "{", "null", "[]", `{"version":2,"approvals":[]}`, `{"version":1,"approvals":[]} x`, `{"version":1,"other":1}`,
		`{"version":1,"approvals":[{"permission":"bash","pattern":"a"}]}`,
		`{"version":1,"approvals":[{"permission":"bash","pattern":"a","until":"tomorrow"}]}`,
		`{"version":1,"approvals":[{"pattern":"a","until":"2030-01-01T00:00:00Z"}]}`,
	} {
		s, _ := newStore(t)
		add(t, s, time.Time{}, "a")
		write(t, s.Files()[1], text)
		found, problems, err := s.Read()
		if err != nil || len(found) > 0 || len(problems) != 1 || !errors.Is(problems[0], approvals.ErrExpiry) {
			t.Errorf("%q: Read() = %v, %v, %v, want no approval, and %v", text, found, problems, err, approvals.ErrExpiry)
		}
		if err := s.Append(t.Context(), bash("b"), time.Time{}); !errors.Is(err, approvals.ErrExpiry) {
			t.Errorf("%q: Append: %v, want %v", text, err, approvals.ErrExpiry)
		}
		if _, err := s.Revoke(t.Context(), "bash", "a"); !errors.Is(err, approvals.ErrExpiry) {
			t.Errorf("%q: Revoke: %v, want %v", text, err, approvals.ErrExpiry)
		}
		if _, err := s.Compact(t.Context()); !errors.Is(err, approvals.ErrExpiry) {
			t.Errorf("%q: Compact: %v, want %v", text, err, approvals.ErrExpiry)
		}
		if report, err := s.Verify(); err != nil || len(report.Problems) != 1 {
			t.Errorf("%q: Verify() = %+v, %v, want a problem", text, report, err)
		}
		if revoked, err := s.RevokeAll(t.Context()); err != nil || len(revoked) != 1 {
			t.Errorf("%q: RevokeAll() = %v, %v, want one that is revoked", text, revoked, err)
		}
		add(t, s, time.Time{}, "c")
		wantCounting(t, s, "c")
	}
}

func TestRevoke(t *testing.T) {
	s, now := newStore(t)
	if revoked, err := s.Revoke(t.Context(), "bash", "a"); err != nil || len(revoked) > 0 {
		t.Errorf("no file: Revoke() = %v, %v, want nothing", revoked, err)
	}
	if _, err := os.Stat(filepath.Dir(s.Path)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("to revoke where there is nothing has made a folder")
	}
	text := lineOf("a") + "no approval\n" + lineOf("b") + lineOf("a") + "torn"
	write(t, s.Path, text)
	for _, other := range [][2]string{{"read", "a"}, {"bash", "*"}, {"*", "a"}} {
		if revoked, err := s.Revoke(t.Context(), other[0], other[1]); err != nil || len(revoked) > 0 || content(t, s.Path) != text {
			t.Errorf("Revoke(%q) = %v, %v, want that nothing changes", other, revoked, err)
		}
	}
	revoked, err := s.Revoke(t.Context(), "bash", "a")
	if err != nil || len(revoked) != 2 || revoked[1].Source != s.Path+":4" {
		t.Errorf("Revoke() = %v, %v, want lines 1 and 4", revoked, err)
	}
	if got, want := content(t, s.Path), "no approval\n"+lineOf("b")+"torn"; got != want {
		t.Errorf("the file is %q, want %q: what is no approval stays", got, want)
	}

	add(t, s, noon.Add(time.Hour), "a")
	if revoked, err := s.Revoke(t.Context(), "bash", "a"); err != nil || len(revoked) != 1 || !revoked[0].Until.Equal(noon.Add(time.Hour)) {
		t.Errorf("Revoke() = %v, %v, want one with its expiry", revoked, err)
	}
	add(t, s, time.Time{}, "a")
	*now = noon.Add(24 * time.Hour)
	wantCounting(t, s, "b", "a")
	if revoked, err := s.RevokeAll(t.Context()); err != nil || len(revoked) != 2 {
		t.Errorf("RevokeAll() = %v, %v, want two", revoked, err)
	}
	wantCounting(t, s)
}

func TestCompact(t *testing.T) {
	s, now := newStore(t)
	add(t, s, noon.Add(time.Hour), "brief")
	add(t, s, noon.Add(48*time.Hour), "long")
	write(t, s.Path, content(t, s.Path)+"\n"+lineOf("a")+"nonsense\n"+lineOf("b")+" "+lineOf("a")+lineOf("torn")[:20])
	*now = noon.Add(24 * time.Hour)
	done, err := s.Compact(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if done.Kept != 3 || len(done.Duplicates) != 1 || len(done.Expired) != 1 || len(done.Dropped) != 2 || done.Dropped[0].Text != "nonsense" {
		t.Errorf("Compact() = %+v, want 3 kept, one double and one that has expired, two dropped", done)
	}
	if got, want := content(t, s.Path), lineOf("long")+lineOf("b")+lineOf("a"); got != want {
		t.Errorf("the file is %q, want %q", got, want)
	}
	if strings.Contains(content(t, s.Files()[1]), "brief") {
		t.Error("what has expired still has an expiry")
	}
	wantCounting(t, s, "long", "b", "a")
	*now = noon.Add(48 * time.Hour)
	wantCounting(t, s, "b", "a")

	before, err := os.Stat(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	*now = noon
	if _, err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(s.Path); err != nil || !os.SameFile(before, after) {
		t.Errorf("what was compact is written again: %v", err)
	}
}

func TestVerify(t *testing.T) {
	s, now := newStore(t)
	if report, err := s.Verify(); err != nil || !cmp.Equal(report, approvals.Report{}) {
		t.Errorf("no file: Verify() = %+v, %v, want nothing", report, err)
	}
	add(t, s, noon.Add(time.Hour), "a")
	write(t, s.Path, content(t, s.Path)+lineOf("b")+lineOf("b")+"torn")
	*now = noon.Add(time.Hour)
	report, err := s.Verify()
	if err != nil || report.Valid != 1 || len(report.Duplicates) != 1 || len(report.Expired) != 1 || len(report.Problems) != 1 {
		t.Errorf("Verify() = %+v, %v, want one of each", report, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for _, path := range append(s.Files(), filepath.Dir(s.Path)) {
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if report, err = s.Verify(); err != nil || len(report.Problems) != 5 {
		t.Errorf("Verify() = %+v, %v, want a problem for each of the modes", report, err)
	}
}

func TestImport(t *testing.T) {
	s, _ := newStore(t)
	s.Legacy = filepath.Join(t.TempDir(), ".senpi", "permissions-approved.jsonl")
	if _, err := s.Import(t.Context(), s.Legacy); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v, want %v", err, fs.ErrNotExist)
	}
	write(t, s.Legacy, lineOf("a")+`{"permission":"bash","pattern":"*","action":"deny"}`+"\n")
	done, err := s.Import(t.Context(), s.Legacy)
	if err != nil || len(done.Rules) != 1 || len(done.Problems) != 1 || done.Removed {
		t.Errorf("Import() = %+v, %v, want that the file stays with what is no approval", done, err)
	}
	write(t, s.Legacy, lineOf("a")+lineOf("b"))
	if done, err = s.Import(t.Context(), s.Legacy); err != nil || len(done.Rules) != 2 || !done.Removed {
		t.Errorf("Import() = %+v, %v, want that the file is removed", done, err)
	}
	if _, err := os.Stat(s.Legacy); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
	other := filepath.Join(t.TempDir(), "other.jsonl")
	write(t, other, lineOf("c"))
	if done, err = s.Import(t.Context(), other); err != nil || done.Removed || content(t, other) != lineOf("c") {
		t.Errorf("Import() = %+v, %v, want that another file stays", done, err)
	}
	wantCounting(t, s, "a", "b", "c")
	if runtime.GOOS == "windows" {
		return
	}
	real := filepath.Dir(s.Legacy)
	write(t, s.Legacy, lineOf("d"))
	if err := errors.Join(os.Rename(real, real+"2"), os.Symlink(real+"2", real)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Import(t.Context(), s.Legacy); !errors.Is(err, private.ErrNotOwn) {
		t.Errorf("through a link: %v, want %v", err, private.ErrNotOwn)
	}
	if err := os.Chmod(other, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Import(t.Context(), other); !errors.Is(err, private.ErrNotOwn) {
		t.Errorf("a file that others may write: %v, want %v", err, private.ErrNotOwn)
	}
}

// TestRoundTrip asserts of many texts that what is appended is read, whatever
// characters it is made of.
func TestRoundTrip(t *testing.T) {
	s, _ := newStore(t)
	random := rand.New(rand.NewPCG(1, 2))
	letters := []rune("ab \\\"'<>&\n\r\t\x00\x1f\x7f*?é\u2028\ufeff\U0001f600{}[],:")
	text := func() string {
		made := make([]rune, 1+random.IntN(12))
		for i := range made {
			made[i] = letters[random.IntN(len(letters))]
		}
		return string(made)
	}
	var want []permission.Rule
	seen := map[string]bool{}
	for range 2000 {
		r := permission.Rule{Permission: text(), Pattern: text(), Action: permission.Allow}
		if key := r.Permission + "\xff" + r.Pattern; !seen[key] {
			seen[key] = true
			want = append(want, r)
		}
	}
	for range 2 { // the second time, all are there
		if err := s.Append(t.Context(), want, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	found, problems, err := s.Read()
	if err != nil || len(problems) > 0 {
		t.Fatalf("%v, %v", problems, err)
	}
	var got []permission.Rule
	for _, a := range found {
		got = append(got, permission.Rule{Permission: a.Permission, Pattern: a.Pattern, Action: a.Action})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what is read (-want +got):\n%s", diff)
	}
}

// FuzzAppend holds that behind whatever bytes, an approval is there once it is
// appended, and the bytes are as they were.
func FuzzAppend(f *testing.F) {
	f.Add("", "bash", "git status *")
	f.Add(lineOf("a")+"torn", "bash", "a")
	f.Add("\xff\n{", "\"", "\u2028<&>")
	f.Fuzz(func(t *testing.T, before, name, pattern string) {
		s := &approvals.Store{Path: filepath.Join(t.TempDir(), "p.jsonl")}
		write(t, s.Path, before)
		err := s.Append(t.Context(), []permission.Rule{{Permission: name, Pattern: pattern, Action: permission.Allow}}, time.Time{})
		after := content(t, s.Path)
		if !strings.HasPrefix(after, before) || err != nil && after != before {
			t.Fatalf("%q has become %q (%v)", before, after, err)
		}
		if err != nil {
			return
		}
		found, _, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range found {
			if a.Permission == name && a.Pattern == pattern {
				return
			}
		}
		t.Fatalf("%q %q is not in %q", name, pattern, after)
	})
}

// TestBusy holds that a lock which another process keeps ends the waiting, and that
// nothing is written then or later.
func TestBusy(t *testing.T) {
	s, _ := newStore(t)
	add(t, s, time.Time{}, "a")
	before := content(t, s.Path)
	lock := flock.New(s.Files()[2])
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), bash("b"), noon.Add(time.Hour)); !errors.Is(err, approvals.ErrBusy) {
		t.Errorf("Append: %v, want %v", err, approvals.ErrBusy)
	}
	gone := errors.New("gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(20*time.Millisecond, func() { cancel(gone) })
	if _, err := s.Revoke(ctx, "bash", "a"); !errors.Is(err, gone) {
		t.Errorf("Revoke: %v, want %v", err, gone)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(ctx, bash("b"), time.Time{}); !errors.Is(err, gone) {
		t.Errorf("Append by somebody who is gone: %v, want %v", err, gone)
	}
	if got := content(t, s.Path); got != before {
		t.Errorf("the file is %q, want %q", got, before)
	}
	if _, err := os.Lstat(s.Files()[1]); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("expiries are written: %v", err)
	}
	add(t, s, time.Time{}, "b")
}
