package gate

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"
)

// A seen is what files and folders looked like before they were read, so that
// whatever changes from then on shows.
type seen struct {
	paths  []string         // as they are named
	stamps map[string]stamp // of those, and of all below the folders among them
}

// A stamp is what changes with a file.
type stamp struct {
	size  int64
	time  time.Time
	mode  fs.FileMode
	link  fs.FileMode // the type of the path itself, if it leads elsewhere
	inode uint64
}

// look returns what paths look like now, those too that are not there.
func look(paths []string) seen {
	s := seen{paths, map[string]stamp{}}
	for _, path := range paths {
		s.stamps[path] = stampOf(path)
		const most = 10_000 // files below a folder of policy
		_ = filepath.WalkDir(realOf(path), func(below string, _ fs.DirEntry, err error) error {
			switch {
			case len(s.stamps) > most:
				return fs.SkipAll
			case err == nil:
				s.stamps[below] = stampOf(below)
			}
			return nil // what cannot be read has at least the stamp of its folder
		})
	}
	return s
}

// changed reports whether the files do not look as they did.
func (s seen) changed() bool { return !maps.Equal(s.stamps, look(s.paths).stamps) }

func stampOf(path string) stamp {
	self, err := os.Lstat(path)
	if err != nil {
		return stamp{size: -1}
	}
	info, link := self, fs.FileMode(0)
	if self.Mode()&fs.ModeSymlink != 0 {
		link = fs.ModeSymlink
		if info, err = os.Stat(path); err != nil {
			return stamp{size: -1, link: link}
		}
	}
	if info.IsDir() {
		return stamp{mode: info.Mode(), link: link, inode: inodeOf(info)} // what lies in it has stamps of its own
	}
	return stamp{info.Size(), info.ModTime(), info.Mode(), link, inodeOf(info)}
}

// realOf returns where a path leads to, or the path if that is nowhere.
func realOf(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// Places are where changes of what a gate reads show.
type Places struct {
	// Folders are those to be watched. They are there.
	Folders []string

	read  map[string]struct{} // what is read, as it is named and as it really is
	above map[string]struct{} // the folders that it lies in
}

// Matters reports whether a change of the file called path may be one of what is
// read.
func (p Places) Matters(path string) bool {
	if _, ok := p.above[path]; ok {
		return true
	}
	for ; ; path = filepath.Dir(path) {
		if _, ok := p.read[path]; ok {
			return true
		}
		if path == filepath.Dir(path) {
			return false
		}
	}
}

// Places returns where changes show of what the gate and its projects read.
func (g *Gate) Places() Places {
	p := Places{read: map[string]struct{}{}, above: map[string]struct{}{}}
	folders := map[string]struct{}{}
	for _, s := range g.seen() {
		for path, stamp := range s.stamps {
			if stamp.mode.IsDir() {
				folders[path] = struct{}{}
			}
			if stamp.link == 0 {
				continue
			}
			p.add(realOf(path))
			folders[existing(realOf(path))] = struct{}{}
		}
		for _, path := range s.paths {
			p.add(path)
			folders[existing(path)] = struct{}{}
			if real := realOf(path); real != path {
				p.add(real)
				folders[existing(real)] = struct{}{}
			}
		}
	}
	for folder := range folders {
		p.Folders = append(p.Folders, folder)
	}
	return p
}

// add notes a path that is read.
func (p *Places) add(path string) {
	p.read[path] = struct{}{}
	for {
		above := filepath.Dir(path)
		if above == path {
			return
		}
		p.above[above] = struct{}{}
		path = above
	}
}

// existing returns the folder that tells when path comes or goes: path itself if it
// is a folder, or the nearest one above that is there.
func existing(path string) string {
	for {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return path
		}
		above := filepath.Dir(path)
		if above == path {
			return path
		}
		path = above
	}
}

// Changed reports whether what the gate and its projects have read does not look as
// it did before. What changed while it was read has changed.
func (g *Gate) Changed() bool {
	for _, s := range g.seen() {
		if s.changed() {
			return true
		}
	}
	return false
}

// seen returns what all looked like: the user's own files, and those of each
// project.
func (g *Gate) seen() []seen {
	g.found.mu.Lock()
	defer g.found.mu.Unlock()
	all := []seen{g.found.own}
	for _, p := range g.found.allLocked() {
		all = append(all, p.seen()...)
	}
	return all
}
