package doctor

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/install"
)

// A reach is in which folders of a project an agent looks for the project's files
// when it is started below the root.
type reach string

const (
	unknownReach reach = ""        // nobody knows
	here         reach = "here"    // in that folder alone
	gitward      reach = "gitward" // in that and those above, up to one with .git
	opened       reach = "opened"  // it is an editor, of which it is not known that a subfolder is opened
)

// folders returns the folder in which the agent is started and those above it, up
// to the workspace's root, and from there to the repository's, if that is another.
// Without a workspace there is none.
func (p *patient) folders() []string {
	root := p.m.Places.Workspace
	if root == "" {
		return nil
	}
	found := []string{root}
	rel, err := filepath.Rel(real(root), real(p.m.Cwd))
	if err == nil && rel != "." && filepath.IsLocal(rel) {
		for name := range strings.SplitSeq(rel, string(filepath.Separator)) {
			found = append(found, filepath.Join(found[len(found)-1], name))
		}
	}
	slices.Reverse(found)
	if slices.ContainsFunc(found, isRepository) {
		return found
	}
	above := slices.Clone(found)
	for dir := root; dir != filepath.Dir(dir); {
		dir = filepath.Dir(dir)
		if above = append(above, dir); isRepository(dir) {
			return above
		}
	}
	return found
}

// isRepository reports whether a folder is the root of a repository of git.
func isRepository(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, ".git"))
	return err == nil
}

// innermost returns the folder of the project in which the agent is started.
func (p *patient) innermost() string {
	folders := p.folders()
	if len(folders) == 0 {
		return p.m.Cwd
	}
	return folders[0]
}

// root returns what the agent takes for the project's root.
func (p *patient) root() string {
	if p.habit.reach == here {
		return p.innermost()
	}
	return cmp.Or(p.m.Places.Workspace, p.m.Cwd)
}

// projects returns the paths of a file in the folders of the project in which the
// agent may look for it, the innermost first.
func (p *patient) projects(path string) []string {
	folders := p.folders()
	if p.habit.reach == here && len(folders) > 1 {
		folders = folders[:1]
	}
	var found []string
	for _, folder := range folders {
		found = append(found, below(folder, filepath.FromSlash(path)))
	}
	return found
}

// loads reports whether the agent is known to load the project's hooks that are in
// one of [patient.folders].
func (p *patient) loads(folder string) bool {
	switch folders := p.folders(); {
	case folder == folders[0]:
		return true
	case p.habit.reach == opened:
		return within(p.m.Places.Workspace, folder)
	case p.habit.reach == gitward:
		return slices.Index(folders, folder) <= slices.IndexFunc(folders, isRepository)
	}
	return false
}

// read returns the hooks that the agent finds, and of those in the project that it
// does not find permctl's alone, for which it notes why.
func (p *patient) read() []install.Entry {
	folders := p.folders()
	if len(folders) == 0 {
		folders = []string{""}
	}
	var found []install.Entry
	for i, folder := range folders {
		places := p.m.Places
		places.Workspace = folder
		entries, err := install.Entries(p.agent, places)
		for _, err := range errorsIn(err) {
			if i == 0 || p.habit.reach != here {
				p.unreadable("", err)
			}
		}
		for _, e := range entries {
			other := i > 0 && (e.Scope != install.Project || slices.ContainsFunc(found, func(f install.Entry) bool { return f.File == e.File && f.Scope != e.Scope }))
			if other || i > 0 && p.habit.reach == here && !e.Ours {
				continue
			}
			found = append(found, e)
		}
	}
	return found
}

// inspectReach looks at whether the agent loads a hook of the project from where it
// is started.
func (p *patient) inspectReach(o *own) {
	folders := p.folders()
	if o.entry.Scope != install.Project || len(folders) < 2 {
		return
	}
	at := slices.IndexFunc(folders, func(folder string) bool { return within(folder, o.entry.File) })
	if at < 0 || p.loads(folders[at]) {
		return
	}
	does := "is not known to load"
	if p.habit.reach == here {
		does = "does not load"
	}
	p.blame(o, fmt.Sprintf("%s, started in %s, %s the hooks of the project in %s", p.Title, p.m.Cwd, does, folders[at]),
		fmt.Sprintf("permctl install %s, for all folders, or start it in %s", p.Name, folders[at]))
}
