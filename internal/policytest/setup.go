package policytest

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/permctl/permctl/internal/engine"
	"github.com/permctl/permctl/internal/input"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/settings"
	"github.com/permctl/permctl/internal/workspace"
)

// Home is the home directory of the user whose calls tables decide.
const Home = "/home/user"

// root is what tables call the workspace.
const root = "/workspace"

// A setup is what the directives of a table make, as far as they have been
// read: by what the rows below are decided.
type setup struct {
	dir  string // of the table's file
	real string // the folder that stands for the workspace
	base engine.Config

	inForce settings.Config // where the table has none of its own

	presets   []string
	preset    string
	presetAt  string
	settings  *settings.File
	project   *settings.File
	trusted   bool
	flags     []permission.Rule
	approvals []permission.Rule

	mode, agent, cwd string
	now              time.Time

	// engine decides by the rules above, and is nil if they have changed.
	engine *engine.Engine
	env    input.Env
}

// apply does what a directive says.
func (s *setup) apply(file string, l line) error {
	rest := s.place(l.rest)
	switch l.word {
	case "mode":
		if mean := permission.Slip(rest, "plan"); mean != "" {
			return fmt.Errorf("the mode %q is none that means anything%s", rest, permission.DidYouMean(rest, "plan"))
		}
		s.mode = rest
	case "cwd":
		return s.within(rest, func(path string) error {
			s.cwd = path
			return os.MkdirAll(path, 0o700)
		})
	case "time":
		at, err := time.Parse(time.RFC3339, rest)
		s.now = at
		return err
	case "file":
		return s.within(rest, func(path string) error { return os.WriteFile(path, nil, 0o600) })
	case "link":
		return s.link(rest)
	default:
		s.engine = nil
		return s.rules(file, l, rest)
	}
	return nil
}

// rules does what a directive says that changes the rules in force.
func (s *setup) rules(file string, l line, rest string) (err error) {
	switch l.word {
	case "agent":
		s.agent = rest
	case "preset":
		s.preset, s.presetAt = rest, fmt.Sprintf("%s:%d", file, l.number)
		return settings.CheckPreset(rest, s.presets)
	case "settings":
		s.settings, err = s.read(file, l, rest, false)
	case "project", "untrusted":
		s.trusted = l.word == "project"
		s.project, err = s.read(file, l, rest, true)
	case "permission":
		s.flags, err = s.rule(s.flags, rest, fmt.Sprintf("%s:%d", file, l.number))
	case "approval":
		s.approvals, err = s.rule(s.approvals, rest+"=allow", "approvals")
	}
	return err
}

// read returns the settings in a file beside the table, or in the table.
func (s *setup) read(file string, l line, rest string, project bool) (*settings.File, error) {
	options := s.options()
	options.Project = project
	if rest != "" {
		return settings.Read(filepath.ToSlash(filepath.Join(s.dir, rest)), options)
	}
	return settings.Parse(strings.NewReader(s.place(l.body)), file, options)
}

func (s *setup) options() settings.Options {
	return settings.Options{Home: Home, Presets: s.presets, PermissionOf: input.PermissionOf}
}

// rule returns rules with one more, written as --permission takes it.
func (s *setup) rule(rules []permission.Rule, text, source string) ([]permission.Rule, error) {
	added, warnings, err := settings.ParsePermissionFlag([]string{strings.ReplaceAll(text, ",", `\,`)}, s.options())
	switch {
	case err != nil:
		return nil, err
	case len(warnings) > 0:
		return nil, errors.New(strings.Join(warnings, "\n"))
	}
	for i := range added {
		added[i].Source = source
	}
	return append(slices.Clone(rules), added...), nil
}

// link makes a symbolic link. A relative target is one beside it, as ever.
func (s *setup) link(text string) error {
	name, target, ok := strings.Cut(text, "->")
	name, target = trim(name), trim(target)
	if !ok || name == "" || target == "" {
		return fmt.Errorf("a link is NAME -> TARGET, and not %q", text)
	}
	return s.within(name, func(path string) error { return os.Symlink(target, path) })
}

// within calls do with a path in the folder that stands for the workspace,
// whose parent there is.
func (s *setup) within(name string, do func(path string) error) error {
	name = strings.TrimPrefix(name, s.real+"/")
	if !filepath.IsLocal(name) {
		return fmt.Errorf("%q is not in the workspace", name)
	}
	path := filepath.Join(s.real, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return do(path)
}

// prepare makes the engine for the rules in force, if they have changed.
func (s *setup) prepare() error {
	if s.engine != nil {
		return nil
	}
	config := s.config()
	e, err := engine.New(s.extend(config))
	if err != nil {
		return err
	}
	w, err := workspace.New(s.real, Home)
	if err != nil {
		return err
	}
	s.engine = e
	s.env = input.Env{
		Workspace: w,
		User:      input.User{Name: "user", Home: Home},
		Host:      input.Host{Name: "host", OS: "linux"},
		Tables:    config.Tables(),
		Guards: []input.Guard{
			{Path: Home + "/.config/permctl", What: "permctl's settings"},
			{Path: Home + "/.local/state/permctl", What: "permctl's approvals"},
		},
	}
	return nil
}

// own reports whether the table says by which settings it is decided.
func (s *setup) own() bool { return s.preset != "" || s.settings != nil || s.project != nil }

// config returns the settings that the directives make.
func (s *setup) config() settings.Config {
	if !s.own() {
		c := s.inForce
		c.Agent, c.Flags = s.agent, slices.Concat(c.Flags, s.flags)
		return c
	}
	global := settings.File{}
	if s.settings != nil {
		global = *s.settings
	}
	if s.preset != "" {
		global.Preset, global.PresetSource = s.preset, s.presetAt
	}
	return settings.Config{Global: &global, Project: s.project, ProjectTrusted: s.trusted, Agent: s.agent, Flags: s.flags}
}

// extend returns the policy with the settings. Approvals in force count where
// the table has no settings of its own.
func (s *setup) extend(c settings.Config) engine.Config {
	e := s.base
	layers := c.Layers()
	for _, layer := range e.Layers {
		if layer.Name == permission.LayerApprovals && !s.own() {
			layers = append(layers, layer)
		}
	}
	if len(s.approvals) > 0 {
		layers = append(layers, permission.Layer{
			Name: permission.LayerApprovals, Trust: permission.TrustUser, Source: "approvals", Rules: s.approvals,
		})
	}
	e.Layers = layers
	e.ReadOnlyAgents = nil
	if c.ReadOnly() {
		e.ReadOnlyAgents = []string{c.Agent}
	}
	e.ApprovalsBeatDeny = c.ApprovalsBeatDeny()
	e.PlanFiles = c.PlanFiles(s.real, Home)
	e.Tables = c.Tables().Document
	return e
}

// call returns the call of a row.
func (s *setup) call(r *row) (input.Call, error) {
	call, err := r.call(s.place(r.argument))
	call.Mode = cmp.Or(call.Mode, s.mode)
	call.Agent = cmp.Or(call.Agent, s.agent)
	call.Cwd = cmp.Or(call.Cwd, s.cwd)
	return call, err
}

// place returns text with the folder that stands for the workspace in place of
// its name.
func (s *setup) place(text string) string {
	var placed strings.Builder
	for {
		i := strings.Index(text, root)
		if i < 0 {
			placed.WriteString(text)
			return placed.String()
		}
		end := i + len(root)
		placed.WriteString(text[:i])
		if i > 0 && inName(text[i-1]) || end < len(text) && text[end] != '/' && inName(text[end]) {
			placed.WriteString(root)
		} else {
			placed.WriteString(s.real)
		}
		text = text[end:]
	}
}

// unplace undoes place.
func (s *setup) unplace(text string) string { return strings.ReplaceAll(text, s.real, root) }

// inName reports whether c can be part of a path that is written without
// quotes.
func inName(c byte) bool {
	return c == '/' || c == '.' || c == '_' || c == '-' || c == '~' || c >= 0x80 ||
		'0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
