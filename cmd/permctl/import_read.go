package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/foreign"
	"github.com/permctl/permctl/internal/regular"
)

// maxForeign is the size of the largest file that is imported.
const maxForeign = 1 << 20

const nameForeign = "name a file with the agent's rules; permctl import --help lists them"

// readForeign reads an agent's files, with the scopes that flags give them. The
// user's home is home, or nobody knows it.
func readForeign(names, flags []string, home string) ([]foreign.File, error) {
	scopes, err := foreignScopes(flags)
	if err != nil {
		return nil, err
	}
	var files []foreign.File
	var infos []fs.FileInfo
	for _, name := range names {
		text, info, err := readForeignFile(name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(infos, func(other fs.FileInfo) bool { return os.SameFile(info, other) }) {
			return nil, hintError{fmt.Errorf("%s: is named twice", name), "name each file once"}
		}
		infos = append(infos, info)
		files = append(files, foreign.File{Name: name, Text: text, Scope: scopes[name], Home: belowHome(home, name)})
		delete(scopes, name)
	}
	for name := range scopes {
		return nil, hintError{fmt.Errorf("--scope %s: is none of the files", name), "write it as the file is written behind the agent"}
	}
	return files, nil
}

// foreignScopes reads the flags that say whose rules a file has.
func foreignScopes(flags []string) (map[string]foreign.Scope, error) {
	scopes := map[string]foreign.Scope{}
	for _, flag := range flags {
		i := strings.LastIndexByte(flag, '=')
		if i <= 0 {
			return nil, hintError{fmt.Errorf("--scope %q: is not FILE=SCOPE", flag), "--scope settings.json=project"}
		}
		scope, err := foreign.ParseScope(flag[i+1:])
		if err != nil || scope == "" {
			return nil, hintError{fmt.Errorf("--scope %q: names no scope", flag), "the scopes are user, project, local and managed"}
		}
		scopes[flag[:i]] = scope
	}
	return scopes, nil
}

// readForeignFile reads a file.
func readForeignFile(name string) (text []byte, info fs.FileInfo, err error) {
	if name == "" {
		return nil, nil, hintError{errors.New("the name of a file is empty"), nameForeign}
	}
	text, info, err = regular.Read(name, maxForeign)
	var other *regular.Error
	switch {
	case errors.As(err, &other) && other.What == "":
		return nil, nil, hintError{fmt.Errorf("%s: larger than %d MiB: permission rules are never that long", name, maxForeign>>20), nameForeign}
	case errors.As(err, &other) && other.What == "a folder":
		return nil, nil, hintError{fmt.Errorf("%s: is a folder", name), nameForeign}
	case errors.As(err, &other):
		return nil, nil, hintError{fmt.Errorf("%s: %w", name, other), "save the rules in a file, and name that"}
	case err != nil:
		return nil, nil, unopened(name, err)
	}
	return text, info, nil
}

// unopened says why a file could not be opened.
func unopened(name string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return hintError{fmt.Errorf("%s: you may not read it", name), "have its owner let you read it, or name a copy"}
	}
	if to, linkErr := os.Readlink(name); linkErr == nil && errors.Is(err, fs.ErrNotExist) {
		return hintError{fmt.Errorf("%s: is a link to %s, which is not there", name, to), nameForeign}
	}
	return hintError{err, nameForeign}
}

// belowHome returns a file's path below the user's home, with slashes, or "".
func belowHome(home, name string) string {
	path, err := filepath.Abs(name)
	if err != nil || !filepath.IsAbs(home) {
		return ""
	}
	homes, paths := []string{home}, []string{path}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		homes = append(homes, real)
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		paths = append(paths, filepath.Join(real, filepath.Base(path)))
	}
	for _, home := range homes {
		for _, path := range paths {
			if below, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(below) {
				return filepath.ToSlash(below)
			}
		}
	}
	return ""
}
