package input

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/permission"
	"github.com/permctl/permctl/internal/workspace"
)

// lenders are the commands that give a file another name, by which it can be changed.
var lenders = []string{"ln", "link", "mount", "bindfs"}

// copiers are the commands that make another file of one.
var copiers = []string{"cp", "install", "dd", "rsync", "scp", "cat", "tar", "zip", "cpio", "pv", "tee"}

// homes are the folders of the settings that agents' own programs change, and
// changers the words with which they do.
var (
	homes = map[string]string{
		"claude": ".claude", "codex": ".codex", "gemini": ".gemini", "cursor-agent": ".cursor", "copilot": ".copilot", "opencode": ".opencode",
		"senpi": ".senpi", "pi": ".pi", "droid": ".factory", "kiro-cli": ".kiro", "kiro": ".kiro", "q": ".amazonq", "cline": ".cline", "goose": ".agents",
	}
	changers = []string{"config", "settings", "features", "hooks", "hook", "plugin", "plugins", "extensions", "mcp", "trust", "configure"}
	showers  = []string{"list", "ls", "get", "show", "help"}
)

// manages notes the settings that a command of an agent's own program may change.
func (b *builder) manages(i int) {
	c := &b.doc.Commands[i]
	folder, known := homes[c.Name]
	if known && len(c.Operands) > 0 && slices.Contains(changers, c.Operands[0]) && (len(c.Operands) == 1 || !slices.Contains(showers, c.Operands[1])) {
		b.notePath("~/"+folder, c.Cwd, Write, "operand", i)
	}
}

// isProgram reports whether a path is that of permctl's program.
func (b *builder) isProgram(path, cwd string) bool {
	real := b.env.Workspace.ResolveHome(cwd, path).Real
	return slices.ContainsFunc(b.env.Guards, func(g Guard) bool { return g.Program && g.Path == real })
}

// exposed notes once more the guards that a command names, or that lie in what it
// names, where it may change them without that showing.
func (b *builder) exposed(i int) {
	b.manages(i)
	c := &b.doc.Commands[i]
	if c.Name == "find" {
		if slices.ContainsFunc(c.Args, func(w bash.Word) bool { return w.Text == "-delete" }) && findsGuard(c, true) {
			b.searched(i)
		}
		return
	}
	lends := slices.Contains(lenders, c.Name) || c.Name == "cp" && slices.ContainsFunc(c.Options, func(o string) bool { return o == "-s" || o == "--symbolic-link" })
	changes := c.Name != "git" && (!c.Known || slices.ContainsFunc(c.Effects, func(e bash.Effect) bool { return e == bash.Write || e == bash.Delete }))
	for _, arg := range c.Args {
		for _, value := range b.valuesOf(arg) {
			listed := slices.ContainsFunc(c.Operations, func(o bash.Operation) bool { return o.Listed && o.Path == value })
			switch program := strings.TrimPrefix(value, "if="); {
			case lends:
				b.expose(value, c.Cwd, Delete, i)
			case slices.Contains(copiers, c.Name) && b.isProgram(program, c.Cwd):
				b.notePath(program, c.Cwd, Unknown, "operand", i)
			case changes && !listed && !arg.Dynamic:
				b.expose(value, c.Cwd, Unknown, i)
			}
		}
	}
}

// valuesOf returns the paths that an argument may be: what stands behind the = of an
// option, and what a word that only run time knows may be by the text.
func (b *builder) valuesOf(arg bash.Word) []string {
	value := arg.Text
	if strings.HasPrefix(value, "-") {
		_, value, _ = strings.Cut(value, "=")
	}
	switch {
	case value == "":
		return nil
	case arg.Dynamic:
		return b.guesses(value)
	}
	return []string{value}
}

// searched notes the folders that find begins in as ones from which it removes.
func (b *builder) searched(i int) {
	c := &b.doc.Commands[i]
	starts := []string{}
	for _, arg := range c.Args {
		if strings.HasPrefix(arg.Text, "-") || arg.Text == "!" || arg.Text == "(" {
			break
		}
		starts = append(starts, b.valuesOf(arg)...)
	}
	if len(starts) == 0 {
		starts = append(starts, ".")
	}
	for _, start := range starts {
		b.expose(start, c.Cwd, Delete, i)
	}
}

// guardFiles are names of guards, for what looks for files by their names.
var guardFiles = []string{
	".claude/settings.json", ".claude/settings.local.json", ".mcp.json", ".permctl/settings.yaml", ".permctl/settings.yml", ".codex/config.toml", ".codex/hooks.json",
	".gemini/settings.json", ".cursor/hooks.json", ".github/hooks/permctl.json", ".opencode/plugins/permctl.js", ".clinerules/hooks/PreToolUse",
}

// findsGuard reports whether what find looks for may be a guard. If it looks for no
// names, it is as unnamed says.
func findsGuard(c *Command, unnamed bool) bool {
	named, empty, either := false, false, false
	for n, arg := range c.Args {
		not := n > 0 && (c.Args[n-1].Text == "!" || c.Args[n-1].Text == "-not")
		switch arg.Text {
		case "-o", "-or", ",":
			either = true
			continue
		case "-empty":
			empty = empty || !not
			continue
		case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename":
		default:
			continue
		}
		if n+1 >= len(c.Args) || c.Args[n+1].Dynamic {
			return true
		}
		if not {
			continue // all but these
		}
		named = true
		glob := strings.ToLower(c.Args[n+1].Text)
		for _, file := range guardFiles {
			for name := strings.ToLower(file); name != "."; name = filepath.Dir(name) {
				if permission.Match(filepath.Base(name), glob) || permission.Match("./"+name, glob) {
					return true
				}
			}
		}
	}
	return unnamed && (either || !named && !empty)
}

// expose notes a path as one that is changed, if that would change a guard.
func (b *builder) expose(path, cwd string, access Access, command int) {
	if cwd == "" && !filepath.IsAbs(path) && !strings.HasPrefix(path, "~") {
		return
	}
	for _, path := range b.globbed(path, cwd) {
		found := b.env.Workspace.ResolveHome(cwd, path)
		if b.protected(&Path{Absolute: found.Abs, Real: found.Real, Access: access}) != "" {
			b.notePath(path, cwd, access, "operand", command)
		}
	}
}

// globbed returns the paths that a word stands for. A wildcard at the start of a name
// is for no dot.
func (b *builder) globbed(path, cwd string) []string {
	if !strings.ContainsAny(path, "*?[") {
		return []string{path}
	}
	path = workspace.ExpandHome(path, b.env.User.Home)
	paths, ok := expand(cwd, path)
	if !ok {
		return []string{path[:strings.LastIndexByte(path[:strings.IndexAny(path, "*?[")]+"/", '/')]}
	}
	names := strings.Split(path, "/")
	return slices.DeleteFunc(paths, func(found string) bool {
		parts := strings.Split(found, "/")
		for n := range min(len(names), len(parts)) {
			if strings.HasPrefix(parts[n], ".") && strings.ContainsAny(names[n][:min(1, len(names[n]))], "*?[") {
				return true
			}
		}
		return false
	})
}

// blind notes the guards that the script names as ones that it may change, if a
// command in it changes files that only run time knows: they may be those.
func (b *builder) blind() {
	byCommand, byShell := false, false
	for _, r := range b.doc.Requests {
		for _, t := range r.Targets {
			unknown := r.Permission == "edit" && t.Opaque
			byCommand, byShell = byCommand || unknown && t.Command >= 0, byShell || unknown && t.Command < 0
		}
	}
	text := b.doc.Script.Text
	listed := slices.ContainsFunc([]string{"xargs", "parallel", "for ", "read ", "set --", "sh -c", "=("}, func(word string) bool { return strings.Contains(text, word) })
	if !byCommand && (!byShell || !listed) {
		return
	}
	for _, p := range slices.Clone(b.doc.Paths) {
		if p.Access == Read && p.Protected != "" {
			b.expose(p.Path, b.cwdOf(p), Delete, p.Command)
		}
	}
	for i := range b.doc.Commands {
		if c := &b.doc.Commands[i]; c.Name == "find" && findsGuard(c, false) {
			b.searched(i)
		}
	}
	if !listed {
		return
	}
	cwds, access := []string{b.cwd}, Unknown
	for _, c := range b.doc.Commands {
		if slices.Contains(c.Effects, bash.Delete) {
			access = Delete
		}
		if len(cwds) < 5 && c.Cwd != "" && !slices.Contains(cwds, c.Cwd) {
			cwds = append(cwds, c.Cwd)
		}
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\n;|&()<>\"'`{}=", r) }) {
		if !strings.Contains(word, "/") && !strings.HasPrefix(word, ".") || len(word) < 3 {
			continue
		}
		for _, cwd := range cwds {
			b.expose(word, cwd, access, -1)
		}
	}
}

// cwdOf returns the directory in which a path is meant.
func (b *builder) cwdOf(p Path) string {
	if p.Command >= 0 {
		return b.doc.Commands[p.Command].Cwd
	}
	return b.cwd
}
