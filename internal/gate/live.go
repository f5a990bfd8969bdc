package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
)

// Key is a hash of what decides beside files: two gates with the same key, at the
// same time and on the same machine, decide alike.
func (c Config) Key() string {
	text, err := json.Marshal([]any{
		c.Dirs, c.Workspace, c.GlobalSettings, c.ProjectSettings, c.TrustProject, c.Policies, c.Approvals, c.Preset, c.Permission, c.NonInteractive, c.User,
	})
	if err != nil {
		return fmt.Sprintf("%p", &c) // like no other
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])[:16]
}

// AddressFile is the file in the folder of permctl's state in which a daemon notes
// the address of its loopback port.
const AddressFile = "permctl.address"

// notedPort returns the port that a daemon has noted, or 0.
func notedPort(state string) int {
	text, err := os.ReadFile(filepath.Join(state, AddressFile))
	if err != nil {
		return 0
	}
	_, port, err := net.SplitHostPort(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		return 0
	}
	return n
}

// Reopen reads everything again, and returns the gate for what is now there: also
// the projects that were needed so far, so that a mistake in one is an error.
func (g *Gate) Reopen() (*Gate, error) {
	config := g.config
	config.Start = ""
	next, err := Open(config)
	if err != nil {
		return nil, err
	}
	for _, start := range g.starts() {
		if _, err := os.Stat(start); errors.Is(err, fs.ErrNotExist) {
			continue // a project that is gone
		}
		p, err := next.From(start).Project(input.Call{Cwd: start})
		if err != nil {
			return nil, err
		}
		if _, err := p.Engine(""); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// starts returns the directories from which projects have been found.
func (g *Gate) starts() []string {
	g.found.mu.Lock()
	defer g.found.mu.Unlock()
	starts := make([]string, 0, len(g.found.of))
	for start := range g.found.of {
		starts = append(starts, start)
	}
	slices.Sort(starts)
	return starts
}

// Projects returns those that have been needed so far.
func (g *Gate) Projects() []*Project {
	g.found.mu.Lock()
	defer g.found.mu.Unlock()
	var list []*Project
	for _, p := range g.found.of {
		if !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// Reads returns the files and folders that the gate and its projects read, those
// too that are not there.
func (g *Gate) Reads() []string {
	c := g.config
	paths := append([]string{filepath.Join(c.Dirs.Config, "policy"), filepath.Join(c.Dirs.State, "trusted"), c.ProjectSettings}, c.Policies...)
	if c.GlobalSettings != "" {
		paths = append(paths, c.GlobalSettings)
	} else {
		paths = append(paths, c.Dirs.Config)
	}
	for _, p := range g.Projects() {
		paths = append(paths, filepath.Join(p.workspace.RealRoot(), ".permctl"))
		paths = append(paths, p.ApprovalsFiles()...)
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return path == "" })
	slices.Sort(paths)
	return slices.Compact(paths)
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
		if !slices.ContainsFunc(request.Targets, func(t permission.Target) bool { return t.Action == permission.Ask }) {
			continue
		}
		for _, pattern := range request.Always {
			offers = append(offers, permission.Rule{Permission: request.Permission, Pattern: pattern, Action: permission.Allow})
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
