package input

import (
	"path/filepath"
	"slices"
	"strconv"

	"github.com/permctl/permctl/internal/bash"
	"github.com/permctl/permctl/internal/patch"
)

// patches adds the files that a patch would touch that shell text applies.
func (b *builder) patches(i int) {
	c := &b.doc.Commands[i]
	switch {
	case c.Name == "apply_patch" || c.Name == "applypatch":
		text, ok := c.Input, c.Input != "" && c.InputStatic
		if len(c.Args) > 0 {
			text, ok = c.Args[0].Text, !c.Args[0].Dynamic && len(c.Args) == 1
		}
		b.shellPatch(i, text, ok && c.Cwd != "", patch.ApplyPatch)
	case appliesNothing(c):
	case c.Name == "patch" || c.Name == "git" && len(c.Operands) > 0 && (c.Operands[0] == "apply" || c.Operands[0] == "am"):
		strip, ok := stripOf(c)
		if c.Into.Text != "" && c.Cwd != "" {
			c.Cwd = filepath.Join(c.Cwd, c.Into.Text)
		}
		known := ok && !c.Into.Dynamic && c.Input != "" && c.InputStatic && c.Cwd != ""
		b.shellPatch(i, c.Input, known, func(text string) ([]patch.File, error) {
			return patch.Unified(text, strip)
		})
	}
}

// appliesNothing reports whether an option makes the command tell of the patch
// only.
func appliesNothing(c *Command) bool {
	has := func(options ...string) bool {
		return slices.ContainsFunc(options, func(o string) bool { return slices.Contains(c.Options, o) })
	}
	switch {
	case c.Name == "patch":
		return has("--dry-run", "--help", "--version")
	case c.Name == "git" && len(c.Operands) > 0 && c.Operands[0] == "apply":
		return has("--check", "--stat", "--numstat", "--summary") && !has("--apply", "--build-fake-ancestor")
	case c.Name == "git" && len(c.Operands) > 0 && c.Operands[0] == "am":
		return has("--show-current-patch", "--abort", "--quit", "--skip")
	}
	return false
}

// shellPatch adds the files of a patch. The command's own grant covers no more
// than running it: the files are edits in full.
func (b *builder) shellPatch(i int, text string, known bool, read func(string) ([]patch.File, error)) {
	c := &b.doc.Commands[i]
	if !known {
		b.opaque("edit", "(unparsed) "+c.Text, i, AnyRule)
		if c.Name != "git" || len(c.Operands) > 1 || c.Stdin != "" {
			c.Hazards = append(slices.Clip(c.Hazards), bash.Hazard{Kind: "code", Word: c.Name, Reason: "changes files that only the patch names"})
		}
		return
	}
	files, err := read(text)
	b.patched(files, err, []string{c.Cwd}, i, AnyRule)
}

// stripOf returns how many parts of a path the command strips, -1 if it guesses.
// It is not ok if only run time knows.
func stripOf(c *Command) (strip int, ok bool) {
	switch {
	case c.Strip.Text == "" && c.Name == "git":
		return 1, true
	case c.Strip.Text == "":
		return -1, true
	}
	strip, err := strconv.Atoi(c.Strip.Text)
	return strip, err == nil && strip >= 0 && !c.Strip.Dynamic
}
