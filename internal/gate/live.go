package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/private"
	"github.com/permctl/permctl/internal/settings"
	"github.com/permctl/permctl/internal/workspace"
)

// Key is a hash of what decides beside files: two gates with the same key, at the
// same time and on the same machine, decide alike.
func (c Config) Key() string {
	text, err := json.Marshal([]any{
		c.Dirs, c.Workspace, c.GlobalSettings, c.ProjectSettings, c.TrustProject, c.Policies, c.Approvals, c.Preset, c.Permission, c.NonInteractive, c.User,
		c.Guards, c.Variables,
	})
	if err != nil {
		return fmt.Sprintf("%p", &c) // like no other
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])[:16]
}

// addressFile is the file in the folder of permctl's state in which a daemon notes
// the address of its loopback port.
const addressFile = "permctl.address"

// NotePort notes the address of a daemon's loopback port in the folder of permctl's
// state, for those who decide without the daemon. The function forgets it again, if
// no other daemon has noted its own.
func NotePort(state, address string) (forget func(), err error) {
	if err := private.MakeDir(state); err != nil {
		return nil, err
	}
	if err := private.Replace(filepath.Join(state, addressFile), []byte(address+"\n")); err != nil {
		return nil, err
	}
	return func() {
		if noted(state) == address {
			_ = os.Remove(filepath.Join(state, addressFile)) // what is left says no more than a port
		}
	}, nil
}

// noted returns the address that a daemon has noted, or "".
func noted(state string) string {
	file, err := private.Open(filepath.Join(state, addressFile), os.O_RDONLY)
	if err != nil {
		return ""
	}
	defer file.Close()
	const longest = 100
	text, err := io.ReadAll(io.LimitReader(file, longest))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// notedPort returns the port that a daemon has noted, or 0.
func notedPort(state string) int {
	_, port, err := net.SplitHostPort(noted(state))
	if err != nil {
		return 0
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		return 0
	}
	return n
}

// Reopen reads everything again, and returns the gate for what is now there, with
// the projects that were needed so far. The error is that of the user's own settings
// and policies: then the gate stays as it is, but for [Gate.ReadApprovals].
//
// A project that cannot be read denies its calls, and is one of [Gate.Problems].
func (g *Gate) Reopen() (*Gate, error) {
	config := g.config
	config.Start = ""
	before := look(config.reads())
	next, err := Open(config)
	if err == nil {
		err = next.compile()
	}
	if err != nil {
		g.postpone(before)
		return nil, err
	}
	broken := map[string]trouble{} // by root
	for _, start := range g.starts() {
		if t, ok := broken[workspace.Find(start)]; ok {
			next.found.broken[start] = t // from below it, too
			continue
		}
		if _, err := os.Stat(start); errors.Is(err, fs.ErrNotExist) {
			continue // a project that is gone
		}
		p, err := next.project(start)
		if err == nil {
			_, err = p.Engine("")
		}
		if err != nil && p != nil {
			t := trouble{p, fmt.Errorf("project %s: %w", p.Root(), err)}
			broken[p.Root()], next.found.broken[start] = t, t
		}
	}
	return next, nil
}

// compile returns an error unless the user's own settings and policies work
// together, whatever a project adds.
func (g *Gate) compile() error {
	w, err := workspace.New(g.config.Dirs.Home, g.config.Dirs.Home)
	if err != nil {
		return err
	}
	p := &Project{gate: g, workspace: w, file: &settings.File{}, engines: map[string]*engine.Engine{}}
	p.approved.Store(&readings{})
	p.tables = p.Settings("").Tables()
	_, err = p.Engine("")
	return err
}

// postpone takes note of a reading that has failed, and before which the user's own
// files looked so: they are read again, and the projects with them, when they change.
func (g *Gate) postpone(own seen) {
	g.found.mu.Lock()
	defer g.found.mu.Unlock()
	g.found.own = own
	for _, p := range g.found.allLocked() {
		p.look()
	}
}

// starts returns the directories from which projects have been found.
func (g *Gate) starts() []string {
	g.found.mu.Lock()
	defer g.found.mu.Unlock()
	starts := slices.AppendSeq(slices.Collect(maps.Keys(g.found.of)), maps.Keys(g.found.broken))
	slices.Sort(starts)
	return slices.Compact(starts)
}

// Projects returns those that have been needed so far.
func (g *Gate) Projects() []*Project {
	g.found.mu.Lock()
	defer g.found.mu.Unlock()
	return distinct(maps.Values(g.found.of))
}

// allLocked returns all projects, those too that cannot be read.
func (f *projects) allLocked() []*Project {
	return distinct(func(yield func(*Project) bool) {
		for _, p := range f.of {
			if !yield(p) {
				return
			}
		}
		for _, t := range f.broken {
			if !yield(t.project) {
				return
			}
		}
	})
}

func distinct(projects iter.Seq[*Project]) []*Project {
	var list []*Project
	for p := range projects {
		if !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// Problems are why projects that are in use deny everything: what could not be read
// of them when it was last tried.
func (g *Gate) Problems() []error {
	g.found.mu.Lock()
	defer g.found.mu.Unlock()
	said := map[string]error{}
	for _, t := range g.found.broken {
		said[t.err.Error()] = t.err
	}
	for _, p := range g.found.of {
		if err := p.approved.Load().err; err != nil {
			said[err.Error()] = err
		}
	}
	var problems []error
	for _, text := range slices.Sorted(maps.Keys(said)) {
		problems = append(problems, said[text])
	}
	return problems
}

// reads returns the files and folders that the user's own part is read from, those
// too that are not there.
func (c Config) reads() []string {
	paths := append([]string{filepath.Join(c.Dirs.Config, "policy"), filepath.Join(c.Dirs.State, "trusted")}, c.Policies...)
	if c.GlobalSettings != "" {
		return append(paths, c.GlobalSettings)
	}
	return append(paths, c.Dirs.Config)
}

// Offers returns the rules that an "always" to this ask would save: those with
// which the call would pass, so that a person is not asked for something that does
// not help. There are none if nothing that could be saved does.
func (j Judgement) Offers(ctx context.Context) []permission.Rule {
	if j.Action != permission.Ask || j.policy == nil {
		return nil
	}
	var offers []permission.Rule
	for _, request := range j.Requests {
		for _, pattern := range request.Always {
			switch {
			case !asksFor(request, pattern):
			case wider(request.Permission, pattern):
				return nil
			default:
				offers = append(offers, permission.Rule{Permission: request.Permission, Pattern: pattern, Action: permission.Allow})
			}
		}
	}
	if len(offers) == 0 {
		return nil
	}
	with, err := j.policy.Approving(offers)
	if err != nil {
		return nil
	}
	if tried, err := with.Eval(ctx, j.Document); err != nil || tried.Action != permission.Allow {
		return nil
	}
	return offers
}

// asksFor reports whether a pattern is of something in the request that has to be
// asked for: an always saves nothing that nobody was asked.
func asksFor(request permission.Request, pattern string) bool {
	return slices.ContainsFunc(request.Targets, func(t permission.Target) bool {
		return t.Action == permission.Ask && (permission.Match(t.Pattern, pattern) || slices.ContainsFunc(t.Forms, func(form string) bool { return permission.Match(form, pattern) }))
	})
}

// named are the permissions whose patterns are what a call names, and never
// everything.
var named = []string{"bash", "read", "edit", "list", "external_directory", "webfetch"}

// wider reports whether a pattern has a wildcard beside the one at its end: it was
// in a name, as that of a file, and would match other names too.
func wider(name, pattern string) bool {
	if pattern == "*" {
		return slices.Contains(named, name)
	}
	switch name {
	case "bash":
		pattern = strings.TrimSuffix(pattern, " *")
	case "external_directory":
		pattern = strings.TrimSuffix(pattern, "/*")
	}
	return strings.ContainsAny(pattern, "*?")
}
