//go:build unix

package regular_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/permctl/permctl/internal/regular"
)

// soon calls do, and fails if it does not come back.
func soon(t *testing.T, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { do(); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("it does not come back")
	}
}

func TestRead(t *testing.T) {
	for name, tt := range map[string]struct {
		make func(path string) error
		want string
	}{
		"nothing":            {func(string) error { return nil }, "no such file"},
		"a folder":           {func(path string) error { return os.Mkdir(path, 0o700) }, "is no regular file, but a folder"},
		"a pipe":             {func(path string) error { return syscall.Mkfifo(path, 0o600) }, "is no regular file, but a named pipe"},
		"a link to a device": {func(path string) error { return os.Symlink("/dev/zero", path) }, "is no regular file, but a device"},
		"a link to itself":   {func(path string) error { return os.Symlink(path, path) }, "too many levels"},
		"too much":           {func(path string) error { return os.WriteFile(path, make([]byte, 3<<20+1), 0o600) }, "is bigger than 3 MiB"},
		"as much as may be":  {func(path string) error { return os.WriteFile(path, make([]byte, 3<<20), 0o600) }, ""},
		"a link to a file": {func(path string) error {
			return errors.Join(os.WriteFile(path+".x", []byte("x"), 0o600), os.Symlink(path+".x", path))
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			if err := tt.make(path); err != nil {
				t.Fatal(err)
			}
			soon(t, func() {
				text, info, err := regular.Read(path, 3<<20)
				var at *fs.PathError
				switch {
				case tt.want == "" && (err != nil || info.Size() != int64(len(text)) || len(text) == 0):
					t.Errorf("Read has %d bytes of %+v, %v", len(text), info, err)
				case tt.want != "" && (!errors.As(err, &at) || at.Path != path || !strings.Contains(err.Error(), tt.want) || text != nil):
					t.Errorf("Read says %v, want %q of %s", err, tt.want, path)
				}
			})
		})
	}
}

// TestReplacedWhileOpened: what is opened is looked at, too, for it may be another by
// then.
func TestReplacedWhileOpened(t *testing.T) {
	zero, err := os.Open("/dev/zero")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = zero.Close() }()
	soon(t, func() {
		if _, _, err := regular.Contents(zero, 1<<20); err == nil || !strings.Contains(err.Error(), "but a device") {
			t.Errorf("%v, want that it is a device", err)
		}
	})
}
