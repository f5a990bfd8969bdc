package input

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/permctl/permctl/internal/patch"
	"github.com/permctl/permctl/internal/permission"
)

// maxShell is the size in bytes of the longest shell text that is judged. No
// system hands a longer one to a shell as an argument.
const maxShell = 1 << 20

// impossible says why no tool could do what the call asks for, or is nil. Such
// a call is refused rather than judged, for the widest rule would allow what
// nobody has read.
func (b *builder) impossible() error {
	if b.refused != nil {
		return b.refused
	}
	if err := b.incomplete(); err != nil {
		return err
	}
	switch b.kind.name {
	case "shell":
		return nil
	case "patch":
		texts, _ := b.call.named(patchKeys...)
		for _, text := range texts {
			if patch.Is(text) && !strings.Contains(text, "*** End Patch") {
				return errors.New("the patch has no end: its last line must be *** End Patch")
			}
		}
	case "mcp", "other":
		return nil // a field called path need not be one
	}
	for _, p := range b.doc.Paths {
		if p.Error != "" {
			return fmt.Errorf("the path %q leads nowhere: %s", p.Path, p.Error)
		}
	}
	return nil
}

// incomplete says what a call does not name that its tool needs, or is nil. The
// field that was meant may be there under a name that nobody reads.
func (b *builder) incomplete() error {
	if b.kind.needs == "" || len(b.doc.Requests) > 0 || b.restarts() {
		return nil
	}
	key := kindOf(b.call.Tool).keys[0]
	for _, name := range slices.Sorted(maps.Keys(b.call.Input)) {
		if slip := permission.Slip(plain(name), plain(key)); slip != "" {
			return fmt.Errorf("the call of %s names no %s: %q is unknown (did you mean %q?)", b.call.Tool, b.kind.needs, name, key)
		}
	}
	return fmt.Errorf("the call of %s names no %s: give it as %q", b.call.Tool, b.kind.needs, key)
}

// restarts reports whether the call is that of a shell tool that only starts the
// shell anew.
func (b *builder) restarts() bool {
	anew, _ := b.call.Input["restart"].(bool)
	return anew && len(b.call.Input) == 1 && b.kind.name == "shell"
}

// impossibleShell is [builder.impossible] for a shell's text.
func impossibleShell(text string) error {
	if len(text) > maxShell {
		return fmt.Errorf("the shell text is larger than %d MiB: run it from a file, in parts", maxShell>>20)
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '{', '[':
			if depth++; depth > maxDepth {
				return fmt.Errorf("the shell text nests deeper than %d levels", maxDepth)
			}
		case ')', '}', ']':
			depth = max(depth-1, 0)
		}
	}
	return nil
}
