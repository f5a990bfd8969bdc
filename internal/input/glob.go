package input

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/permctl/permctl/internal/bash"
)

// maxMatches is how many names a wildcard may stand for, and maxEntries how
// many are looked at to find them.
const (
	maxMatches = 200
	maxEntries = 20_000
)

// expand returns the paths that a shell in cwd would put in the place of a word
// with wildcards: the files that it matches, or the word itself if there are
// none. It is not ok if there are too many to look at, or if it is not certain
// what matches: "**" depends on the shell's options.
func expand(cwd, word string) (paths []string, ok bool) {
	start, rest := "", word
	if filepath.IsAbs(word) {
		start, rest = "/", strings.TrimLeft(word, "/")
	}
	paths, entries := []string{start}, 0
	for name := range strings.SplitSeq(rest, "/") {
		var next []string
		for _, dir := range paths {
			if !strings.ContainsAny(name, "*?[") {
				next = append(next, joined(dir, name))
				continue
			}
			matches, err := bash.Glob(name)
			if err != nil || name == "**" {
				return nil, false
			}
			list, err := os.ReadDir(absoluteIn(cwd, dir))
			if err != nil {
				continue // nothing that could be matched
			}
			if entries += len(list); entries > maxEntries {
				return nil, false
			}
			for _, entry := range list {
				if matches(entry.Name()) {
					next = append(next, joined(dir, entry.Name()))
				}
			}
		}
		if paths = next; len(paths) > maxMatches {
			return nil, false
		}
	}
	if len(paths) == 0 {
		return []string{word}, true
	}
	return paths, true
}

// search returns the files below dir that a pattern matches in whatever letter case,
// where ** is any number of folders. It is not ok if there are too many to look at,
// or if the pattern is none that is understood.
func search(dir, pattern string) (files []string, ok bool) {
	matches, err := bash.GlobPath(pattern)
	if err != nil {
		return nil, false
	}
	entries := 0
	err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if entries++; entries > maxEntries || len(files) > maxMatches {
			return fs.SkipAll
		}
		if rel, relErr := filepath.Rel(dir, path); err == nil && relErr == nil && matches(filepath.ToSlash(rel)) {
			files = append(files, rel)
		}
		return nil // what cannot be read, the tool cannot read
	})
	return files, err == nil && entries <= maxEntries && len(files) <= maxMatches
}

// joined puts a name behind a path as a shell does, without cleaning it.
func joined(dir, name string) string {
	if dir == "" || dir == "/" {
		return dir + name
	}
	return dir + "/" + name
}

func absoluteIn(cwd, dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(cwd, dir)
}
