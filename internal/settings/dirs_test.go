package settings_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/permctl/permctl/internal/settings"
)

func TestNewDirs(t *testing.T) {
	for _, tt := range []struct {
		env  map[string]string
		want settings.Dirs
	}{
		{
			map[string]string{"HOME": "/home/u"},
			settings.Dirs{Home: "/home/u", Config: "/home/u/.config/permctl", State: "/home/u/.local/state/permctl"},
		},
		{
			map[string]string{"HOME": "/home/u", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "relative"},
			settings.Dirs{Home: "/home/u", Config: "/c/permctl", State: "/home/u/.local/state/permctl"},
		},
		{
			map[string]string{"XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"},
			settings.Dirs{Config: "/c/permctl", State: "/s/permctl"},
		},
	} {
		got, err := settings.NewDirs(func(name string) string { return tt.env[name] })
		if got != tt.want || err != nil {
			t.Errorf("NewDirs(%v) = %+v, %v, want %+v", tt.env, got, err, tt.want)
		}
	}
	_, err := settings.NewDirs(func(string) string { return "" })
	want := "neither $HOME nor $XDG_CONFIG_HOME is an absolute path, so settings cannot be found\n" +
		"neither $HOME nor $XDG_STATE_HOME is an absolute path, so settings cannot be found"
	if err == nil || err.Error() != want {
		t.Errorf("in an empty environment: %v, want %s", err, want)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	if _, err := settings.Find(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in an empty folder: %v, want fs.ErrNotExist", err)
	}
	write(t, dir, "settings.json", "{}")
	if got, err := settings.Find(dir); got != filepath.Join(dir, "settings.json") || err != nil {
		t.Errorf("Find = %q, %v", got, err)
	}
	write(t, dir, "settings.yaml", "")
	want := "there can be only one settings file: merge or remove one of " +
		filepath.Join(dir, "settings.yaml") + " and " + filepath.Join(dir, "settings.json")
	if _, err := settings.Find(dir); err == nil || err.Error() != want {
		t.Errorf("with two files: %v, want %s", err, want)
	}
}

// write writes a file below dir, and the folders that lead to it.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
