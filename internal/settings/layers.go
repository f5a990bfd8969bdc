package settings

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/permission"
)

// DefaultPreset is the preset below all others.
const DefaultPreset = "full-access"

// A Config is all the settings that are in force for one agent's calls. The
// zero value is the default preset alone.
type Config struct {
	// Global is the user's settings file, and Project that of the project,
	// read with [Options.Project]. Nil means that there is none.
	Global  *File
	Project *File

	// ProjectTrusted is true if a person has trusted the project's files.
	ProjectTrusted bool

	// Agent names the agent whose own settings count. If empty, none do.
	Agent string

	// Preset is the value of --permission-preset, which [CheckPreset] has
	// passed, or empty; Flags are the rules of --permission.
	Preset string
	Flags  []permission.Rule
}

// Layers returns the layers that settings and flags give, lowest first: all
// but the managed one and the approvals. A layer that is a preset has no rules
// here. The rules are shared with the files and must not be changed.
func (c Config) Layers() []permission.Layer {
	layers := []permission.Layer{{Name: permission.LayerDefault, Trust: permission.TrustUser, Preset: DefaultPreset, Source: "default"}}
	add := func(layer permission.Layer) {
		if layer.Preset != "" || len(layer.Rules) > 0 {
			layers = append(layers, layer)
		}
	}
	global, project := c.files()
	user, trust := permission.TrustUser, c.projectTrust()
	add(permission.Layer{Name: permission.LayerGlobalPreset, Trust: user, Preset: global.Preset, Source: global.PresetSource})
	add(permission.Layer{Name: permission.LayerGlobal, Trust: user, Source: global.Path, Rules: global.Rules})
	add(permission.Layer{Name: permission.LayerProjectPreset, Trust: trust, Preset: project.Preset, Source: project.PresetSource})
	add(permission.Layer{Name: permission.LayerProject, Trust: trust, Source: project.Path, Rules: project.Rules})
	if c.Agent != "" {
		add(permission.Layer{Name: permission.LayerAgent, Trust: user, Source: global.Path, Rules: global.Agents[c.Agent].Rules})
		add(permission.Layer{Name: permission.LayerAgent, Trust: trust, Source: project.Path, Rules: project.Agents[c.Agent].Rules})
	}
	add(permission.Layer{Name: permission.LayerFlagPreset, Trust: user, Preset: c.Preset, Source: presetFlagSource})
	add(permission.Layer{Name: permission.LayerFlag, Trust: user, Source: flagSource, Rules: c.Flags})
	return layers
}

// ReadOnly reports whether the agent is declared read-only. A project can
// declare it, trusted or not, but cannot take it back.
func (c Config) ReadOnly() bool {
	global, project := c.files()
	return c.Agent != "" && (global.Agents[c.Agent].ReadOnly || project.Agents[c.Agent].ReadOnly)
}

// OfAgent reports whether the agent has settings of its own.
func (c Config) OfAgent() bool {
	global, project := c.files()
	_, own := global.Agents[c.Agent]
	_, projects := project.Agents[c.Agent]
	return c.Agent != "" && (own || projects)
}

// Agents returns the names of the agents that have settings of their own.
func (c Config) Agents() []string {
	global, project := c.files()
	return slices.Sorted(maps.Keys(over(global.Agents, project.Agents)))
}

// ApprovalsBeatDeny reports whether an approval may satisfy an explicit deny.
func (c Config) ApprovalsBeatDeny() bool {
	return c.Global != nil && c.Global.ApprovalsBeatDeny
}

// planFiles are the plan files of agents, where no settings name any.
var planFiles = []string{".opencode/plans/*.md", ".claude/plans/*.md", "~/.claude/plans/*.md", "~/.local/share/opencode/plans/*.md"}

// PlanFiles returns patterns for the absolute paths of the files that may be
// written in plan mode, in the workspace with the given root. Those of a project
// count once it is trusted.
func (c Config) PlanFiles(root, home string) []string {
	global, project := c.loosening()
	patterns := slices.Concat(global.PlanFiles, project.PlanFiles)
	if len(patterns) == 0 {
		patterns = planFiles
	}
	made := make([]string, len(patterns))
	for i, pattern := range patterns {
		if made[i] = ExpandHome(pattern, home); !filepath.IsAbs(made[i]) {
			made[i] = filepath.Join(root, made[i])
		}
	}
	return made
}

// Tables returns what settings add to what is known of programs. What a
// project adds counts once it is trusted, and never against the user.
func (c Config) Tables() *bash.Tables {
	global, project := c.loosening()
	return &bash.Tables{Arity: over(project.Arity, global.Arity), Commands: over(project.Commands, global.Commands)}
}

// Warnings returns those of both files.
func (c Config) Warnings() []string {
	global, project := c.files()
	return slices.Concat(global.Warnings, project.Warnings)
}

// files returns both files, with an empty one for each that is not there.
func (c Config) files() (global, project *File) {
	global, project = c.Global, c.Project
	if global == nil {
		global = &File{}
	}
	if project == nil {
		project = &File{}
	}
	return global, project
}

// loosening returns both files as far as they may say what allows more.
func (c Config) loosening() (global, project *File) {
	global, project = c.files()
	if !c.ProjectTrusted {
		project = &File{}
	}
	return global, project
}

func (c Config) projectTrust() permission.Trust {
	if c.ProjectTrusted {
		return permission.TrustProject
	}
	return permission.TrustNone
}

// over returns the entries of both maps, those of top counting where both have
// a key.
func over[V any](bottom, top map[string]V) map[string]V {
	all := make(map[string]V, len(bottom)+len(top))
	maps.Copy(all, bottom)
	maps.Copy(all, top)
	return all
}
