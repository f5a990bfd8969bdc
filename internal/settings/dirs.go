package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Dirs are the folders outside of projects that permctl reads and writes.
type Dirs struct {
	Home   string // the user's
	Config string // global settings and policies: $XDG_CONFIG_HOME/permctl
	State  string // approvals and trust: $XDG_STATE_HOME/permctl
}

// NewDirs returns the folders that the environment names. A relative path does
// not count, as the XDG specification says. It is an error if the environment
// does not say where settings are, for then they would be left out.
func NewDirs(getenv func(string) string) (Dirs, error) {
	home := getenv("HOME")
	if home == "" {
		home = getenv("USERPROFILE") // Windows
	}
	xdg := func(variable, fallback string) (string, error) {
		base := getenv(variable)
		switch {
		case filepath.IsAbs(base):
		case filepath.IsAbs(home):
			base = filepath.Join(home, fallback)
		default:
			return "", fmt.Errorf("neither $HOME nor $%s is an absolute path, so settings cannot be found", variable)
		}
		return filepath.Join(base, "permctl"), nil
	}
	config, configErr := xdg("XDG_CONFIG_HOME", ".config")
	state, stateErr := xdg("XDG_STATE_HOME", ".local/state")
	return Dirs{Home: home, Config: config, State: state}, errors.Join(configErr, stateErr)
}

// fileNames are the names that a settings file may have.
var fileNames = []string{"settings.yaml", "settings.yml", "settings.json"}

// Find returns the path of the settings file in the folder dir, which is
// absolute if dir is. If there is none, the error is an [fs.ErrNotExist]; if
// there are several, it names them. A link to nowhere is a file here, so that
// reading it is an error and not as if there were none.
func Find(dir string) (string, error) {
	var found []string
	for _, name := range fileNames {
		path := filepath.Join(dir, name)
		switch _, err := os.Lstat(path); {
		case err == nil:
			found = append(found, path)
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
	}
	switch len(found) {
	case 0:
		return "", &fs.PathError{Op: "open", Path: filepath.Join(dir, fileNames[0]), Err: fs.ErrNotExist}
	case 1:
		return found[0], nil
	default:
		return "", fmt.Errorf("there can be only one settings file: merge or remove one of %s", strings.Join(found, " and "))
	}
}
