package input

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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
	case c.Name == "patch" || c.Name == "git" && len(c.Operands) > 0 && (c.Operands[0] == "apply" || c.Operands[0] == "am"):
		strip, dir := patchOptions(c)
		if dir != "" && c.Cwd != "" {
			c.Cwd = filepath.Join(c.Cwd, dir)
		}
		b.shellPatch(i, c.Input, c.Input != "" && c.InputStatic && c.Cwd != "", func(text string) ([]patch.File, error) {
			return patch.Unified(text, strip)
		})
	}
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
	b.patched(files, err, c.Cwd, i, AnyRule)
}

// patchOptions returns how many parts of a path the command strips, -1 if it
// guesses, and the directory that it works in.
func patchOptions(c *Command) (strip int, dir string) {
	strip = -1
	if c.Name == "git" {
		strip = 1
	}
	for i, arg := range c.Args {
		value := func(option string) (string, bool) {
			if rest, ok := strings.CutPrefix(arg.Text, option); ok && rest != "" {
				return strings.TrimPrefix(rest, "="), true
			}
			if arg.Text == option && i+1 < len(c.Args) {
				return c.Args[i+1].Text, true
			}
			return "", false
		}
		for _, option := range []string{"-p", "--strip"} {
			if text, ok := value(option); ok {
				if n, err := strconv.Atoi(text); err == nil {
					strip = n
				}
			}
		}
		for _, option := range []string{"-d", "--directory"} {
			if text, ok := value(option); ok {
				dir = text
			}
		}
	}
	return strip, dir
}
