package private_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/permctl/permctl/internal/private"
)

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if _, err := private.Open(path, os.O_RDONLY); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v, want %v", err, fs.ErrNotExist)
	}
	file, err := private.Open(path, os.O_WRONLY|os.O_CREATE)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := private.CheckMode(path); err != nil {
		t.Errorf("what is made can be read by others: %v", err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	link, dangling := path+".link", path+".dangling"
	if err := errors.Join(os.Symlink(path, link), os.Symlink(path+".gone", dangling)); err != nil {
		t.Fatal(err)
	}
	for _, refused := range []string{link, dangling, filepath.Dir(path)} {
		if _, err := private.Open(refused, os.O_RDWR|os.O_CREATE); !errors.Is(err, private.ErrNotOwn) {
			t.Errorf("Open(%s) = %v, want %v", refused, err, private.ErrNotOwn)
		}
	}
	if _, err := os.Lstat(path + ".gone"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file was made through a link: %v", err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := private.CheckMode(path); err == nil {
		t.Error("a file that others may read passes")
	}
	if err := os.Chmod(path, 0o620); err != nil {
		t.Fatal(err)
	}
	if _, err := private.Open(path, os.O_RDONLY); !errors.Is(err, private.ErrNotOwn) {
		t.Errorf("a file that others may write: %v, want %v", err, private.ErrNotOwn)
	}
}

func TestMakeDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b", "c")
	for range 2 {
		if err := private.MakeDir(dir); err != nil {
			t.Fatal(err)
		}
	}
	for _, made := range []string{dir, filepath.Dir(dir)} {
		if err := private.CheckMode(made); err != nil {
			t.Error(err)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(dir, 0o770); err != nil {
		t.Fatal(err)
	}
	if err := private.MakeDir(dir); !errors.Is(err, private.ErrNotOwn) {
		t.Errorf("a folder that others may write: %v, want %v", err, private.ErrNotOwn)
	}
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := private.Replace(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "new" {
		t.Errorf("the file is %q, %v", text, err)
	}
	if err := private.CheckMode(path); err != nil {
		t.Error(err)
	}
	if err := private.Replace(dir, nil); err == nil {
		t.Error("a folder is replaced")
	}
	for _, where := range []string{dir, filepath.Dir(dir)} {
		left, err := filepath.Glob(filepath.Join(where, ".new-*"))
		if err != nil || len(left) > 0 {
			t.Errorf("%v, %v are left behind", left, err)
		}
	}
}
