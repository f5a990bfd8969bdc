package server

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/permctl/permctl/internal/api"
	"github.com/permctl/permctl/internal/gate"
)

var errRelative = errors.New("the directory is not absolute")

// Times after which files that change are read again.
const (
	settled  = 100 * time.Millisecond // of rest, so that what an editor or a checkout writes is read once, and whole
	latest   = time.Second            // whether they rest or not
	compared = 2 * time.Second        // for what nobody tells of
)

// A watcher is told when settings, policies and approvals may have changed.
type watcher struct {
	notify *fsnotify.Watcher
	again  chan struct{} // has room for one: look whether something has changed

	mu     sync.Mutex // guards what follows
	places gate.Places
	roots  map[string]struct{} // of the projects that are watched
}

// watch reads again what changes, until ctx ends.
func (s *Server) watch(ctx context.Context) error {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	w := &watcher{notify: notify, again: make(chan struct{}, 1)}
	s.mu.Lock()
	s.watcher = w
	s.mu.Unlock()
	go s.follows(ctx, w)
	return nil
}

// follows refreshes when files have changed and rest.
func (s *Server) follows(ctx context.Context, w *watcher) {
	defer w.notify.Close()
	tick := time.NewTicker(compared)
	defer tick.Stop()
	rest := time.NewTimer(0) // what has changed before it is watched counts too
	var since time.Time      // the first change that has not been looked at, or zero
	stir := func() {
		if since.IsZero() {
			since = time.Now()
		}
		rest.Reset(min(settled, time.Until(since.Add(latest))))
	}
	for {
		select {
		case <-ctx.Done():
			return
		case event, ok := <-w.notify.Events:
			if !ok {
				return
			}
			if w.matters(event.Name) {
				stir()
			}
		case err := <-w.notify.Errors:
			s.log.LogAttrs(ctx, slog.LevelWarn, "changes may have been missed", slog.Any("error", err))
			stir()
		case <-w.again:
			stir()
		case <-tick.C:
			if since.IsZero() && s.gate.Load().Changed() {
				stir()
			}
		case <-rest.C:
			since = time.Time{}
			w.attend(s.gate.Load()) // before it compares, so that nothing falls between
			if s.gate.Load().Changed() {
				_ = s.refresh(ctx) // it is in the log and in the status
				stir()             // for what has changed while it was read
			}
		}
	}
}

// refresh reads everything again. If the user's own settings and policies cannot be
// read, they and the projects stay as they were, but for approvals. A project that
// cannot be read denies its calls.
func (s *Server) refresh(ctx context.Context) error {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	next, err := s.gate.Load().Reopen()
	s.mu.Lock()
	s.problem = ""
	if err != nil {
		s.problem = err.Error()
	}
	s.mu.Unlock()
	if err != nil {
		s.metrics.reloads("failed").Inc()
		s.log.LogAttrs(ctx, slog.LevelError, "the last good settings and policies stay in force", attrErr(err))
		_ = s.gate.Load().ReadApprovals() // which names itself a problem
	} else {
		s.gate.Store(next)
		s.reloads.Add(1)
		s.metrics.reloads("ok").Inc()
		s.log.LogAttrs(ctx, slog.LevelInfo, "settings and policies are read again")
	}
	for _, problem := range s.gate.Load().Problems() {
		s.log.LogAttrs(ctx, slog.LevelError, "a project denies its calls", attrErr(problem))
	}
	err = errors.Join(err, s.broker.Review(ctx))
	s.publish(ctx, api.EventStatus, s.status())
	return err
}

// approvalsChanged has approvals count that the daemon itself has changed. That is no
// news, and no reply to those that wait in other sessions. What cannot be read is a
// problem of its own, and not of the change, which is on the disk.
func (s *Server) approvalsChanged(ctx context.Context) {
	s.reloading.Lock() // so that no gate comes that has read them before
	defer s.reloading.Unlock()
	if err := s.gate.Load().ReadApprovals(); err != nil {
		s.log.LogAttrs(ctx, slog.LevelError, "a project denies its calls", attrErr(err))
		s.publish(ctx, api.EventStatus, s.status())
	}
}

// trouble returns what is wrong with what was last read, or "".
func (s *Server) trouble() string {
	var all []string
	s.mu.Lock()
	if s.problem != "" {
		all = append(all, s.problem)
	}
	s.mu.Unlock()
	for _, problem := range s.gate.Load().Problems() {
		all = append(all, problem.Error())
	}
	return strings.Join(all, "; ")
}

// watchProject watches the files of a project from now on.
func (s *Server) watchProject(p *gate.Project) {
	s.mu.Lock()
	w := s.watcher
	s.mu.Unlock()
	if w == nil || p == nil || w.knows(p.Root()) {
		return
	}
	w.attend(s.gate.Load())
	select {
	case w.again <- struct{}{}: // for what has changed since it was read
	default:
	}
}

func (w *watcher) knows(root string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, known := w.roots[root]
	return known
}

// attend watches the folders of all that a gate reads.
func (w *watcher) attend(g *gate.Gate) {
	places := g.Places()
	roots := map[string]struct{}{}
	for _, p := range g.Projects() {
		roots[p.Root()] = struct{}{}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.places, w.roots = places, roots
	for _, folder := range places.Folders {
		_ = w.notify.Add(folder) // what cannot be watched is compared now and then
	}
}

// matters reports whether a change of a file may be one of what is read.
func (w *watcher) matters(path string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.places.Matters(path)
}
