package server

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/gate"
)

var errRelative = errors.New("the directory is not absolute")

// settled is how long files have to rest before they are read again, so that what
// an editor or a checkout writes is read once, and whole.
const settled = 100 * time.Millisecond

// A watcher knows what settings, policies and approvals looked like when they were
// last read.
type watcher struct {
	notify *fsnotify.Watcher

	mu    sync.Mutex
	seen  map[string]stamp    // by file; guarded by mu
	roots map[string]struct{} // of the projects that are watched; guarded by mu
}

// A stamp is what changes with a file.
type stamp struct {
	size  int64
	time  time.Time
	mode  fs.FileMode
	inode uint64
}

// watch reads again what changes, until ctx ends.
func (s *Server) watch(ctx context.Context) error {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	w := &watcher{notify: notify, roots: map[string]struct{}{}}
	s.mu.Lock()
	s.watcher = w
	s.mu.Unlock()
	w.look(s.gate.Load())
	go s.follows(ctx, w)
	return nil
}

// follows refreshes when files have changed and rest.
func (s *Server) follows(ctx context.Context, w *watcher) {
	defer w.notify.Close()
	rest := time.NewTimer(settled)
	for {
		select {
		case <-ctx.Done():
			return
		case _, ok := <-w.notify.Events:
			if !ok {
				return
			}
			rest.Reset(settled)
		case err := <-w.notify.Errors:
			s.log.LogAttrs(ctx, slog.LevelWarn, "changes may have been missed", slog.Any("error", err))
			rest.Reset(settled)
		case <-rest.C:
			if w.changed(s.gate.Load()) {
				_ = s.refresh(ctx) // it is in the log and in the status
			}
		}
	}
}

// refresh reads everything again. What cannot be read leaves all as it was.
func (s *Server) refresh(ctx context.Context) error {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	next, err := s.gate.Load().Reopen()
	s.mu.Lock()
	w := s.watcher
	s.problem = ""
	if err != nil {
		s.problem = err.Error()
	}
	s.mu.Unlock()
	if err != nil {
		if w != nil {
			w.look(s.gate.Load())
		}
		s.metrics.reloads("failed").Inc()
		s.log.LogAttrs(ctx, slog.LevelError, "the last good settings and policies stay in force", attrErr(err))
		s.publish(ctx, api.EventStatus, s.status())
		return err
	}
	s.gate.Store(next)
	s.reloads.Add(1)
	s.metrics.reloads("ok").Inc()
	if w != nil {
		w.look(next)
	}
	s.log.LogAttrs(ctx, slog.LevelInfo, "settings and policies are read again")
	err = s.broker.Review(ctx)
	s.publish(ctx, api.EventStatus, s.status())
	return err
}

// watchProject watches the files of a project from now on.
func (s *Server) watchProject(p *gate.Project) {
	s.mu.Lock()
	w := s.watcher
	s.mu.Unlock()
	if w == nil || p == nil {
		return
	}
	w.mu.Lock()
	_, known := w.roots[p.Root()]
	w.mu.Unlock()
	if !known {
		w.look(s.gate.Load())
	}
}

// look notes what all files look like, and watches their folders.
func (w *watcher) look(g *gate.Gate) {
	seen := stamps(g)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = seen
	for _, p := range g.Projects() {
		w.roots[p.Root()] = struct{}{}
	}
	for path := range seen {
		_ = w.notify.Add(existing(path)) // what cannot be watched is read again on demand
	}
}

// note notes that files have been changed by the daemon itself.
func (w *watcher) note(files ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, path := range files {
		if _, ok := w.seen[path]; ok {
			w.seen[path] = stampOf(path)
		}
	}
}

// changed reports whether files do not look as they did.
func (w *watcher) changed(g *gate.Gate) bool {
	now := stamps(g)
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(now) != len(w.seen) {
		return true
	}
	for path, stamp := range now {
		if before, ok := w.seen[path]; !ok || before != stamp {
			return true
		}
	}
	return false
}

// stamps returns what all files and folders that a gate reads look like, those too
// that are not there.
func stamps(g *gate.Gate) map[string]stamp {
	seen := map[string]stamp{}
	for _, path := range g.Reads() {
		seen[path] = stampOf(path)
		const most = 10_000 // files below a folder of policy
		_ = filepath.WalkDir(path, func(below string, _ fs.DirEntry, err error) error {
			if err != nil || len(seen) > most {
				return fs.SkipAll
			}
			seen[below] = stampOf(below)
			return nil
		})
	}
	return seen
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{size: -1}
	}
	if info.IsDir() {
		return stamp{mode: info.Mode()} // what lies in it has stamps of its own
	}
	return stamp{size: info.Size(), time: info.ModTime(), mode: info.Mode(), inode: inodeOf(info)}
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
